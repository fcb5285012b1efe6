"""The report of a tournament's verification, as a value."""

from __future__ import annotations

import msgspec

from events.rules.fact import Json
from events.tournament.scoring import UNIT
from events.verify.interventions import Intervention
from events.verify.report import join_numbers


def describe_place(played: int, table: int) -> str:
    """Return how a table is named."""
    return f"round {played}, table {table}"


class TableRuling(msgspec.Struct):
    """A ruling that changed what a table counts for."""

    round: int
    table: int
    ruling: int
    by: str
    kind: str
    """The kind of ruling, a word of the director."""
    effect: str
    """``result``, ``forfeit`` or ``replay``."""
    entrant: str | None
    """Of a forfeit: who forfeits."""
    places: tuple[int, ...] | None
    """Of a result: the places that were given."""
    game: str
    """The game that the table played then."""
    played: tuple[int, ...] | None = None
    """The places by the game itself; None where it has none."""
    linked: bool = False
    """True if the game was played."""

    def text(self) -> str:
        """Return one line, with what the game itself says."""
        gave = {
            "result": f"gave the places {join_numbers(self.places or ())}",
            "forfeit": f"took the game from {self.entrant}",
            "replay": "let the table play again",
        }[self.effect]
        if not self.linked:
            own = "no game was played"
        elif self.played is None:
            own = "the game ended without a result"
        else:
            own = f"the game ended {join_numbers(self.played)}"
        place = describe_place(self.round, self.table)
        return f"{place}: ruling {self.ruling} of {self.by} ({self.kind}) {gave}; {own}"


class OtherRuling(msgspec.Struct):
    """A change that a ruling made other than to what a table counts for."""

    ruling: int
    by: str
    kind: str
    """The kind of ruling, a word of the director."""
    effect: str
    """``points``, ``disqualify``, ``warn``, ``add_time``, ``end_game``, ``rating``; empty for none."""
    told: str
    """Its effect in words, such as ``took 2 points from e3``."""

    def text(self) -> str:
        """Return one line."""
        return f"ruling {self.ruling} of {self.by} ({self.kind}) {self.told}"


class PairingOrigin(msgspec.Struct):
    """The origin of a pairing that does not follow from points and draws alone."""

    round: int
    by: str | None = None
    """The director who set it by hand; None where it was drawn by ratings."""
    cause: str | None = None
    position: int | None = None
    """The position of the rating export at which the ratings stood."""
    entrants: int = 0
    """The entrants who were paired by ratings."""
    recomputed: int | None = None
    """The number of them whose rating is that of the export; None where no export was given."""

    def text(self) -> str:
        """Return one line."""
        if self.by is not None:
            return f"round {self.round}: set by {self.by} ({self.cause})"
        told = f"round {self.round}: by ratings at position {self.position} of the rating export"
        if self.recomputed is None:
            return f"{told}, NOT recomputed (--ratings FILE)"
        return f"{told}, {self.recomputed} of {self.entrants} recomputed"


class TournamentReport(msgspec.Struct):
    """The result of verifying one tournament."""

    tournament: str
    title: str = ""
    events: int = 0
    commands: int = 0
    head: str = ""
    status: str = ""
    whole: bool = False
    """True if it is over, so that its secrets are disclosed and checked."""
    rounds: int = 0
    draws: int = 0
    tables: int = 0
    """Tables of the rounds that have started."""
    linked: int = 0
    """Games of those tables, replays included."""
    unplayed: list[str] = []
    """Tables of a tournament that is over whose game was never created, with the reason."""
    pairings: list[PairingOrigin] = []
    """The pairings that a director set, and those by ratings."""
    kept_apart: list[str] = []
    """The pairs that a director forbade, with the cause, and when it was after the close of entry."""
    rulings: list[TableRuling] = []
    """The rulings that changed what a table counts for."""
    other_rulings: list[OtherRuling] = []
    """The other changes that rulings made."""
    interventions: list[Intervention] = []
    """The changes of people, times and settings by directors and the server."""
    standings: list[Json] = []
    """The standings after the newest event, as the log's digest has them; the first lines won."""
    games: int = 0
    """Games that were compared with what was recorded of them."""
    missing: list[str] = []
    """Linked games that were not given."""
    texts: int = 0
    erased: int = 0
    """Texts of which only the digest is left."""
    contributed: int = 0
    """Entrants who contributed to the randomness."""
    withheld: int = 0
    """Entrants who had committed and did not reveal."""

    def list_rulings(self) -> list[str]:
        """Return each change that a ruling made, in one line."""
        of_tables = [(one.ruling, one.text()) for one in self.rulings]
        found = of_tables + [(one.ruling, one.text()) for one in self.other_rulings]
        return [told for _, told in sorted(found, key=lambda pair: pair[0])]

    def list_winners(self) -> list[str]:
        """Return the entrants on the first rank once the tournament is over."""
        first = [line["entrant"] for line in self.standings if line["rank"] == 1]
        return first if self.status == "finished" else []

    def describe_standings(self) -> str:
        """Return all ranks with their points, in one line."""
        told = [
            f"{line['rank']} {line['entrant']} ({format_points(line['points'])})" for line in self.standings
        ]
        return ", ".join(told) or "none"


def format_points(units: int) -> str:
    """Return points, which count in units of 1/2520, as people read them."""
    return f"{units / UNIT:.3f}".rstrip("0").rstrip(".")
