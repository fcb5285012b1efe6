"""The tables of a tournament: their games and results, rulings about them, ratings that paired them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

import msgspec

from events.rules.fact import Fact
from events.rules.steps import Command
from events.table.bundle import BadBundle
from events.table.record import Record
from events.tournament.commands import PairByRatings, RecordResult
from events.tournament.facts import (
    Effect,
    PairForbidden,
    ResultRecorded,
    RoundPaired,
    Ruled,
    TableLinked,
)
from events.tournament.ladder_ratings import RatedGame, RatingExport, name_pool
from events.tournament.outcomes import PlayedGame, result_command
from events.tournament.state import Round, Table, Tournament, entrant_name, number_of
from events.verify.bodies import InvalidForm
from events.verify.tournaments.games import check_game
from events.verify.tournaments.report import (
    OtherRuling,
    PairingOrigin,
    TableRuling,
    TournamentReport,
    describe_place,
    format_points,
)

F = TypeVar("F", bound=Fact)


class TableChecks:
    """The checks of tables while the events of a tournament are followed.

    Args:
        report: what comes of it is written there.
        games: by id what the games say; None where only the stream is looked at.
        ratings: the export of ratings; None if it is not given.
        partial: whether games may be missing.
    """

    secret: bytes | None = None
    """k_t, once it is disclosed."""

    def __init__(
        self,
        report: TournamentReport,
        games: Mapping[str, PlayedGame] | None,
        ratings: Sequence[RatedGame] | None,
        *,
        partial: bool,
    ) -> None:
        self._report = report
        self._games = games
        self._ratings = ratings
        self._partial = partial
        self._results: dict[str, tuple[int, ...] | None] = {}
        """By game that has ended, the places that it had by its own rules."""
        self._paired: list[tuple[PairingOrigin, PairByRatings, tuple[int, ...]]] = []
        """The pairings by ratings, with the command behind each and the entrants who were paired."""

    def follow(self, record: Record, command: Command | None, before: Tournament, after: Tournament) -> None:
        """Look at an event, with the tournament *before* and *after* it.

        Raises :class:`InvalidForm`, :class:`BadBundle`.
        """
        if record.type == "TableLinked":
            self._check_link(_decode(record, TableLinked), after)
        elif record.type == "ResultRecorded":
            self._check_result(_decode(record, ResultRecorded), command, before)
        elif record.type == "RoundPaired":
            self._note_pairing(_decode(record, RoundPaired), command)
        elif record.type == "PairForbidden":
            self._note_forbidden(record, before)
        elif record.type == "Ruled":
            self._note_ruling(_decode(record, Ruled), before)

    def check_end(self, state: Tournament) -> None:
        """Look at all tables after the newest event. Raises :class:`BadBundle`."""
        self._check_games(state)
        for ruling in self._report.rulings:
            ruling.linked = ruling.game in self._results
            ruling.played = self._results.get(ruling.game)
        if self._ratings is not None:
            self._check_ratings(state, self._ratings)

    # --- games -----------------------------------------------------------------------------------

    def _check_link(self, linked: TableLinked, state: Tournament) -> None:
        """Check that the linked game is that of its table, to the byte."""
        played, table = state.table(linked.round, linked.table)
        found = self._find_game(linked.game)
        if found is not None:
            check_game(state, played, table, self.secret, found)

    def _check_result(self, recorded: ResultRecorded, command: Command | None, state: Tournament) -> None:
        """Check that the recorded result is that of the game."""
        played, table = state.table(recorded.round, recorded.table)
        self._results[recorded.game] = command.places if isinstance(command, RecordResult) else None
        found = self._find_game(recorded.game)
        if found is not None and (not found.ended or command != result_command(found, played.number, table)):
            raise InvalidForm(f"the game {found.game} ended otherwise than was recorded")

    def _find_game(self, game: str) -> PlayedGame | None:
        if self._games is None:
            return None
        found = self._games.get(game)
        if found is None and not self._partial:
            raise InvalidForm(f"the game {game} is missing")
        return found

    def _check_games(self, state: Tournament) -> None:
        """Every table that started has its games, be they played in vain, or a ruling says why not."""
        for played in state.rounds:
            for table in played.tables if played.started_at else ():
                self._report.tables += 1
                if self._report.whole and table.head is None:
                    self._check_unplayed(state, played, table)
                for game in (*table.games, *((table.game,) if table.head is not None else ())):
                    self._report.linked += 1
                    self._check_given(describe_place(played.number, table.number), game)

    def _check_given(self, place: str, game: str) -> None:
        """Check that a game that was linked is given."""
        if self._games is None:
            return
        if game in self._games:
            self._report.games += 1
        elif self._partial:
            self._report.missing.append(game)
        else:
            raise BadBundle(None, f"{place}: the game {game} is missing")

    def _check_unplayed(self, state: Tournament, played: Round, table: Table) -> None:
        """A table whose game was never linked played none, and a ruling or the cancellation says why."""
        place = describe_place(played.number, table.number)
        if self._games is not None and table.game in self._games:
            raise BadBundle(None, f"{place}: the game {table.game} was played, but it was never linked")
        if table.ruled is not None:
            self._report.unplayed.append(f"{place}: a ruling gave the places")
        elif state.status == "cancelled":
            self._report.unplayed.append(f"{place}: the tournament was cancelled")
        else:
            raise BadBundle(None, f"{place}: it has no game, and no ruling says why not")

    # --- rulings ---------------------------------------------------------------------------------

    def _note_ruling(self, ruled: Ruled, state: Tournament) -> None:
        """Note what a ruling does."""
        if not ruled.effects:
            self._note_other_ruling(ruled, "", "changed nothing")
        for effect in ruled.effects:
            if (told := _describe_effect(effect)) is not None:
                self._note_other_ruling(ruled, effect.kind or "", told)
            for played, table in _find_ruled_tables(effect, state):
                self._report.rulings.append(
                    TableRuling(
                        played.number,
                        table.number,
                        ruled.ruling,
                        ruled.by,
                        ruled.kind,
                        effect.kind or "",
                        None if effect.forfeit is None else effect.forfeit.entrant,
                        None if effect.result is None else effect.result.places,
                        table.game,
                    )
                )

    def _note_other_ruling(self, ruled: Ruled, effect: str, told: str) -> None:
        self._report.other_rulings.append(OtherRuling(ruled.ruling, ruled.by, ruled.kind, effect, told))

    # --- pairings --------------------------------------------------------------------------------

    def _note_pairing(self, paired: RoundPaired, command: Command | None) -> None:
        """Note a pairing that a director set, or that ratings decided."""
        origin = PairingOrigin(paired.round, paired.by, paired.cause, paired.position)
        if isinstance(command, PairByRatings):
            numbers = tuple(number_of(name) for pod in (*paired.pods, paired.byes) for name in pod)
            self._paired.append((origin, command, numbers))
        if paired.by is not None or paired.position is not None:
            self._report.pairings.append(origin)

    def _note_forbidden(self, record: Record, state: Tournament) -> None:
        """Note a pair that is not to meet."""
        forbidden = _decode(record, PairForbidden)
        told = f"{' and '.join(forbidden.entrants)} kept apart by {record.envelope().by} ({forbidden.cause})"
        if state.entry_closed_at:
            told += f", before round {state.next_round}"
        self._report.kept_apart.append(told)

    def _check_ratings(self, state: Tournament, ratings: Sequence[RatedGame]) -> None:
        """Check that the ratings by which a ladder was paired are those of the export."""
        settings = state.settings
        pool = name_pool(settings.title, settings.table.size, settings.clock)
        seats = {table.game: table.entrants for one in state.rounds for table in one.tables}
        export = RatingExport(ratings, pool, seats)
        for origin, command, numbers in self._paired:
            origin.entrants, origin.recomputed = len(numbers), 0
            for name, number in zip(map(entrant_name, numbers), numbers, strict=True):
                given, found = command.ratings.get(name), export.find(number, command.position)
                if found is not None and found.rating == given:
                    origin.recomputed += 1
                elif found is not None and found.certain:
                    told = f"at position {command.position} of the export it is {found.rating}"
                    raise BadBundle(
                        None, f"round {origin.round}: {name} was paired by the rating {given}, but {told}"
                    )


def _find_ruled_tables(effect: Effect, state: Tournament) -> list[tuple[Round, Table]]:
    """Return the table whose result *effect* changes; none where it changes no table."""
    named = effect.result or effect.replay
    if named is not None:
        return [state.table(named.round, named.table)]
    if effect.forfeit is None:
        return []
    number, played = number_of(effect.forfeit.entrant), state.round(effect.forfeit.round)
    return [(played, one) for one in played.tables if number in (*one.entrants, *one.holders)][:1]


def _describe_effect(effect: Effect) -> str | None:
    """Return what *effect* does other than to what a table counts for; None for one that is about a table."""
    if effect.points is not None:
        many, entrant = effect.points.add, effect.points.entrant
        points = f"{format_points(abs(many))} points"
        return f"gave {points} to {entrant}" if many >= 0 else f"took {points} from {entrant}"
    if effect.disqualify is not None:
        return f"disqualified {effect.disqualify.entrant}"
    if effect.warn is not None:
        return f"warned {effect.warn.entrant}"
    if effect.add_time is not None:
        added = effect.add_time
        return f"gave {added.add_ms // 1000} seconds to seat {added.seat} of the game {added.game}"
    if effect.end_game is not None:
        return f"ended the game {effect.end_game.game}"
    return "took a game out of the ratings" if effect.rating is not None else None


def _decode(record: Record, kind: type[F]) -> F:
    return msgspec.json.decode(record.envelope().data, type=kind)
