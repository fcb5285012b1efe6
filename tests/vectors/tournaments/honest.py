"""Honest tournaments, small ones: the vectors themselves, and what forgers begin with."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

from events.base.timestamps import add_milliseconds
from events.proof import canonical
from events.tlog.notes import SigningKey
from events.tournament import bundle
from events.tournament import commands as asks
from events.tournament.facts import (
    Effect,
    EntrantReference,
    GivePoints,
    RoundEntrant,
    SetResult,
    TableReference,
)
from tests.events.forging import SIGNER
from tests.tournament.event_files import PlayedEvent, prove_last
from tests.tournament.ladders import EVERYBODY, HOUR, LADDER, play_ladder
from tests.tournament.recording import BEGAN, DUELS, MINUTE, SIXTEEN, Recorded, bytes_of, contribution

_ROUND: list[dict[str, Any]] = [{"format": "swiss_pods", "rounds": 1}]
BREAKS = [
    "head_to_head",
    "places",
    "score_sum",
    "middle_rounds",
    "seat",
    "share",
    "opponents_average",
    "wins",
]
"""Tie-breaks that the defaults do not name."""
PODS = {**SIXTEEN, "table": {"size": 4, "least": 3}, "points": {}}
"""Settings for tables of three and four."""
SHORT: dict[str, Any] = {
    "position": {
        "hands": [[6, 2], [5, 1]], "chosen": [None, None], "points": [3, 5], "deck": [], "shown": [],
        "island": 4, "seats": 2,
    },
    "stages": _ROUND,
}  # fmt: skip
"""Settings for one round of games that begin shortly before their end."""
NAME, DESCRIPTION = "Harbour Open", "Two rounds, and a cup of tea."


class ToldEvent(Recorded):
    """A tournament whose games are not there: their results are made up."""

    def own_lines(self, key: SigningKey = SIGNER) -> list[bytes]:
        """Its own part."""
        return list(bundle.write_lines(self.state, self.records, {}, key))

    def game_lines(self) -> list[bytes]:
        """No game."""
        return []

    def lines(self) -> list[bytes]:
        """The bundle."""
        return self.own_lines()


def digest_text(field: str, text: str) -> tuple[str, tuple[bytes, str]]:
    """The digest of a text, with the salt and the words that it is made from."""
    salt = bytes_of("salt", field)
    return canonical.part_digest(salt, canonical.encode(text)), (salt, text)


def finished(made: PlayedEvent) -> PlayedEvent:
    """The same, played on to the end."""
    made.finish()
    return made


# --- with their games ----------------------------------------------------------------------------------


@cache
def swiss() -> PlayedEvent:
    """Four who contributed play two rounds."""
    name, description = digest_text("name", NAME)[0], digest_text("description", DESCRIPTION)[0]
    return PlayedEvent(name=name, description=description).whole(4, EVERYBODY)


def swiss_lines() -> list[bytes]:
    """Its bundle with proofs of the log, and with its name; the description was erased."""
    made = swiss()
    written = dict([digest_text("name", NAME)])
    proofs = [prove_last(made.id, made.records)]
    own = bundle.write_lines(made.state, made.records, written, SIGNER, proofs)
    return [*own, *made.game_lines(proven=True)]


@cache
def duel() -> PlayedEvent:
    """Two play one game, from a position that was settled."""
    return PlayedEvent(**SHORT).whole(2, (1, 2))


@cache
def ruled() -> PlayedEvent:
    """A director gives a game to the one who lost it; a warning and points follow."""
    made = PlayedEvent(**SHORT, protest_ms=MINUTE)
    made.begin(2, (1, 2))
    made.play()
    table = made.state.rounds[0].tables[0]
    loser = table.entrants[table.result.places.index(2)]
    made.give(f"e{loser}", asks.RaiseDispute(1))
    places = (1, 2) if table.result.places == (2, 1) else (2, 1)
    made.give("d1", asks.Rule("conduct", (Effect(result=SetResult(1, places)),), dispute=1))
    winner = next(number for number in table.entrants if number != loser)
    made.give(f"e{winner}", asks.Appeal(1))
    made.give("d1", asks.Rule("appeal", (), ruling=1))
    effects = (Effect(warn=EntrantReference(f"e{winner}")), Effect(points=GivePoints(f"e{loser}", -1260)))
    made.give("d1", asks.Rule("conduct", effects))
    return finished(made)


@cache
def replayed() -> PlayedEvent:
    """The only table plays again."""
    made = PlayedEvent(**SHORT, protest_ms=MINUTE)
    made.begin(2, (1, 2))
    made.play()
    made.give("d1", asks.Rule("error", (Effect(replay=TableReference(1)),)))
    return finished(made)


@cache
def ruled_unplayed() -> PlayedEvent:
    """A ruling gives the places of a table that never played."""
    made = PlayedEvent(**SHORT)
    made.begin(2, (1, 2))
    made.give("d1", asks.Rule("absence", (Effect(result=SetResult(1, (2, 1))),)))
    return finished(made)


@cache
def cancelled() -> PlayedEvent:
    """A director cancels while one of two games runs."""
    made = PlayedEvent(**SHORT)
    made.begin(4, EVERYBODY)
    made.link(1, 1)
    made.give("d1", asks.CancelTournament("technical"))
    made.games[made.state.rounds[0].tables[0].game].abandon()
    made.record_end(1, 1)
    made.house()
    return made


@cache
def abandoned() -> PlayedEvent:
    """A director ends the only game, and a ruling lets both share the places."""
    made = PlayedEvent(**SHORT)
    made.begin(2, (1, 2))
    made.link(1, 1)
    made.games[made.state.rounds[0].tables[0].game].abandon()
    made.record_end(1, 1)
    made.give("d1", asks.Rule("technical", (Effect(result=SetResult(1, (1, 1))),)))
    return finished(made)


@cache
def withheld() -> PlayedEvent:
    """Of three entrants one contributes, one keeps it back, and one never committed and has a bye."""
    made = PlayedEvent(**SHORT)
    made.give("d1", asks.OpenEntry())
    made.enter(3, contributing=(1, 2))
    made.give("d1", asks.CloseEntry())
    made.give("e1", asks.Reveal(contribution(1).hex()))
    return finished(made)


# --- while they run, or without their games --------------------------------------------------------------


@cache
def running() -> PlayedEvent:
    """One round is played, the second is paired and starts."""
    made = PlayedEvent(**{**SHORT, "stages": DUELS["stages"]})
    made.begin(4, EVERYBODY)
    made.play()
    made.house()
    return made


@cache
def waiting() -> ToldEvent:
    """Four are paired, and the round starts in an hour."""
    made = ToldEvent(DUELS, schedule={"starts_at": add_milliseconds(BEGAN, HOUR)})
    made.begin(4, EVERYBODY, until=asks.StartRound)
    return made


@cache
def by_hand() -> ToldEvent:
    """A director keeps two apart and sets the second round."""
    made = ToldEvent(DUELS)
    made.begin(4, EVERYBODY)
    made.play()
    made.house(asks.PairRound)
    made.give("d1", asks.ForbidPair(("e4", "e1"), "conduct"))
    made.give(None, asks.PairRound())
    first = made.state.rounds[0].drawn.pods
    pods = tuple(tuple(f"e{number}" for number in pod) for pod in ((1, 2), (3, 4)))
    if first in (((1, 2), (3, 4)), ((3, 4), (1, 2))):
        pods = (("e1", "e3"), ("e2", "e4"))
    made.give("d1", asks.SetPairing(pods, (), "schedule"))
    made.house()
    made.play()
    made.house()
    return made


@cache
def struck() -> ToldEvent:
    """Ten at tables of four, three and three: one leaves a small table before the start, and returns."""
    made = ToldEvent(PODS, schedule={"starts_at": add_milliseconds(BEGAN, HOUR)})
    made.begin(10, EVERYBODY, until=asks.StartRound)
    leaver = made.state.rounds[0].drawn.pods[2][1]
    made.give(f"e{leaver}", asks.Withdraw())
    made.give("d1", asks.ReturnEntrant(f"e{leaver}"))
    made.house()
    made.play()
    made.house(asks.PairRound)
    made.house()
    return made


@cache
def byes() -> ToldEvent:
    """Seven at tables of two: three rounds with a bye each, and one that was asked for."""
    made = ToldEvent(
        DUELS, stages=[{"format": "swiss_pods", "rounds": 3}], tie_breaks=[*BREAKS, "lot"], bye_points=2
    )
    made.begin(7, EVERYBODY)
    made.give("e3", asks.AskBye(2))
    made.finish()
    return made


@cache
def looking_ahead() -> ToldEvent:
    """Eleven, check-in, late entry, a reserve, and rounds that look at those to come."""
    made = ToldEvent(
        PODS,
        stages=[{"format": "swiss_pods", "rounds": 4, "look_ahead": True}],
        entry={
            "most": 10, "reserve": 1, "approval": True, "late_until_round": 3, "late_points": 1,
            "check_in_ms": 15 * MINUTE,
        },
        protest_ms=0,
    )  # fmt: skip
    made.give("d1", asks.OpenEntry())
    made.enter(11, contributing=(1, 2, 3, 11))
    for number in range(1, 12):
        made.give("d1", asks.Admit(f"e{number}", number != 5))
    made.give("d1", asks.CloseEntry())
    check_in(made, range(1, 12), (1, 2, 11))
    for number in range(2, 5):
        made.house()
        made.play()
        made.house(asks.PairRound)
        if number == 3:
            made.give("e9", asks.Withdraw())
            made.give("e12", asks.Enter())
            made.give("d1", asks.Admit("e12", yes=True))
        check_in(made, [*range(1, 10), *range(12, len(made.state.entrants) + 1)])
    made.house()
    made.play()
    made.house()
    return made


def check_in(made: Recorded, numbers: Iterable[int], contributing: tuple[int, ...] = ()) -> None:
    """Entrants who can check in for the coming round do."""
    for number in numbers:
        one = made.state.entrants[number - 1]
        if one.is_playing:
            given = contribution(number).hex() if number in contributing else None
            made.give(f"e{number}", asks.CheckIn(given))


@cache
def rotation() -> ToldEvent:
    """Nine at tables of three play four rounds that are drawn at once; somebody leaves."""
    made = ToldEvent(
        PODS, table={"size": 3, "least": 3}, stages=[{"format": "rotation", "rounds": 4}], protest_ms=0
    )
    made.begin(9, EVERYBODY)
    made.play()
    made.house()
    made.give("e4", asks.Withdraw())
    made.finish()
    return made


@cache
def round_robin() -> ToldEvent:
    """Five at tables of two, all rounds at once."""
    made = ToldEvent(
        DUELS, stages=[{"format": "round_robin"}], schedule={"round": "parallel", "starts_at": BEGAN}
    )
    made.begin(5, EVERYBODY)
    made.finish()
    return made


@cache
def knockout() -> ToldEvent:
    """Two rounds of pods, then the best four at tables of two, then a final with chosen seats."""
    stages = [
        {"format": "swiss_pods", "rounds": 2},
        {"format": "knockout", "cut": 4, "seating": "choice"},
    ]
    made = ToldEvent(DUELS, stages=stages, schedule={"round": "manual"}, directors=[{"role": "owner"}])
    made.begin(6, EVERYBODY)
    for number in range(4):
        made.house()
        if number == 2:
            made.house()
        made.give("d1", asks.PairRound())
        if number == 3:
            better, other = sorted(made.state.rounds[3].drawn.pods[0], key=made.state.seeds.index)
            made.give(f"e{better}", asks.ChooseSeat(1, 1))
            made.give(f"e{other}", asks.ChooseSeat(1, 0))
        made.give("d1", asks.StartRound())
        made.play()
    made.house()
    return made


@cache
def knockout_drawn() -> ToldEvent:
    """Nine begin with a knockout at tables of three: the seeds are drawn."""
    made = ToldEvent(PODS, table={"size": 3, "least": 3}, stages=[{"format": "knockout"}], protest_ms=0)
    made.begin(9, EVERYBODY)
    made.finish()
    return made


@cache
def told_ladder(*ratings: tuple[str, int]) -> ToldEvent:
    """Four who are ready are paired by their ratings, which the export has."""
    return play_ladder(ToldEvent(DUELS, **LADDER), ratings)


@cache
def substituted() -> ToldEvent:
    """The reserve plays on for two who leave; a game without result, a forfeit, a disqualification."""
    made = ToldEvent(
        PODS,
        stages=[{"format": "swiss_pods", "rounds": 2}],
        entry={"most": 8, "reserve": 2},
        forfeit="substitute",
        tie_breaks=BREAKS,
        protest_ms=0,
    )
    made.begin(10, EVERYBODY)
    first, second = (table.entrants for table in made.state.rounds[0].tables)
    made.give("d1", asks.NameSubstitute(1, 0, "e9"))
    made.link(1, 2)
    made.give(f"e{second[2]}", asks.Withdraw())
    made.house(asks.ConfirmResult)
    made.end(1, 2, (2, 3, 1, 3), left={(1, 2): (None, None, 44, None)})
    made.give("d1", asks.Rule("conduct", (Effect(forfeit=RoundEntrant(f"e{second[0]}", 1)),)))
    made.end(1, 1)
    made.house(asks.PairRound)
    made.give("d1", asks.Rule("conduct", (Effect(disqualify=EntrantReference(f"e{first[3]}")),)))
    made.finish()
    return made
