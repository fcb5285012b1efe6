"""The runner of tournaments: what the server does by itself in them, and in their games.

It looks at the logs of the tournament and of its games, and gives the one command that comes next,
expecting the state that it has seen and under an id that follows from the tournament, the step and the table.
So it may die at any moment, or meet another one at work: the next one to look finds what is left.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial

import msgspec
import structlog

from events.base.timestamps import add_milliseconds
from events.rules.catalogue import find_title
from events.rules.fact import Seat
from events.rules.steps import Command, Rejected
from events.store.event_log import Pool, VersionConflict
from events.store.games import Games, SeatPlan
from events.store.stream_writer import ReusedKey, StaleVersion
from events.store.tournaments import Tournaments
from events.table.commands.leaving import TableLeave, TableRemove, TableSeat
from events.table.commands.rulings import (
    MAX_ORDERED_PAUSE_MS,
    TableAddTime,
    TableEnd,
    TablePause,
    TableResume,
)
from events.table.record import Actor
from events.tournament import commands as asks
from events.tournament import schedule
from events.tournament.outcomes import result_command, summarize_game
from events.tournament.state import Round, Substitute, Table, Tournament, entrant_name
from events.tournament.table_games import TableGame, make_table_game
from projections import tournament_claims
from projections.health import failed_tasks
from projections.read_models import notices, tournament_notices, tournaments
from workers.task_failures import record_failure

MOST_STEPS = 500
"""Most steps in one tournament before others have their turn."""
STEWARD = "steward"
"""The kind of task that the operator sees where a step failed."""

_IDS = uuid.UUID("b1a9f1d2-52b0-5c53-a6b3-8d0fd6c5a3f7")
"""Namespace of the command ids of the runner."""

log = structlog.get_logger()


def command_id(*words: object) -> str:
    """Return the id of the command that these words name, the same whenever it is given."""
    return str(uuid.uuid5(_IDS, "/".join(map(str, words))))


class TournamentRunner:
    """Serve all tournaments. *notify* is called with the accounts that have new notices."""

    def __init__(
        self,
        tournaments: Tournaments,
        games: Games,
        notify: Callable[[list[str]], object] = lambda _accounts: None,
    ) -> None:
        self._tournaments, self._games, self._notify = tournaments, games, notify

    @property
    def _pool(self) -> Pool:
        return self._games.log.pool

    def find_waiting(self) -> list[tuple[str, int]]:
        """Return the tournaments in which there may be something to do; beside each its newest event."""
        return tournaments.find_waiting(self._pool, self._tournaments.now())

    def __call__(self) -> int:
        """Look after all tournaments that may wait for it; how many steps were made."""
        return self.serve_all(self.find_waiting())

    def serve_all(self, waiting: Iterable[tuple[str, int]]) -> int:
        """Make the steps that are to be made in these tournaments; how many."""
        made = 0
        for tournament, seq in waiting:
            with record_failure(self._pool, tournament, STEWARD, seq):
                made += self.serve(tournament)
                failed_tasks.clear(self._pool, tournament, STEWARD)
        return made

    def serve(self, tournament: str) -> int:
        """Make the steps that are to be made in one tournament; how many."""
        for made in range(MOST_STEPS):
            state, now = self._tournaments.load(tournament), self._tournaments.now()
            if not self._step(state, now):
                self._tell(state, now)
                tournaments.mark_served(self._pool, tournament, state.seq, now)
                return made
        return MOST_STEPS

    def _tell(self, state: Tournament, now: str) -> None:
        with self._pool.connection() as connection:
            told = tournament_notices.make_timed_notices(state, now, self._games.log)
            self._notify(notices.write(connection, told))

    def _step(self, state: Tournament, now: str) -> bool:
        """Make one step, if there is one; whether there was."""
        if state.over:
            return False
        for one, table in schedule.list_unlinked_tables(state):
            return self._link(state, one, table)
        for one, table in self._find_ended_tables(state):
            return self._record(state, one, table)
        if any(done() for done in self._list_orders(state, now)):
            return True
        for at, command in schedule.due_commands(state)[:1]:
            if at <= now:
                return self._give(state, self._add_ratings(state, command))
        return False

    def _add_ratings(self, state: Tournament, command: Command) -> Command:
        """Add the ratings to a pairing on a ladder, where those meet who are about as strong."""
        if not isinstance(command, asks.PairByRatings):
            return command
        return tournament_claims.find_ratings(self._pool, state)

    def _give(self, state: Tournament, command: Command) -> bool:
        """Have a command of the server carried out on the state that was seen; whether there may be more.

        What the rules refuse only people can change: it is tried again when they have done something.
        """
        name = command_id(state.id, state.seq, type(command).__name__)
        try:
            self._tournaments.command(state.id, None, command, expected=state.seq, command_id=name)
        except (StaleVersion, ReusedKey):
            log.info("overtaken", tournament=state.id, seq=state.seq)
        except Rejected as refused:
            log.warning("steward_refused", tournament=state.id, seq=state.seq, code=refused.code)
            return False
        return True

    # --- games -----------------------------------------------------------------------------------

    def _link(self, state: Tournament, one: Round, table: Table) -> bool:
        """Make the game of a table, unless it is there, and say in the tournament that it is."""
        keys, _ = self._tournaments.keys(state)
        assert keys.tables is not None  # noqa: S101 - they are a tournament's
        wanted = make_table_game(state, keys.tables, one, table)
        self._create(state, wanted)
        first = self._games.records(wanted.game, 0, 1)[0]
        return self._give(state, asks.LinkTable(table.number, wanted.game, first.hash.hex(), one.number))

    def _create(self, state: Tournament, wanted: TableGame) -> None:
        """Make a game, all of whose seats are taken by whom the tournament names."""
        title = find_title(wanted.title, wanted.version, wanted.data_hash)
        cmd = command_id(wanted.game)
        people = tournament_claims.find_accounts(self._pool, state)
        holders = [people.get(entrant_name(number)) for number in wanted.entrants]

        def seat_people() -> Mapping[Seat, str]:
            tournament_claims.appoint_directors(self._pool, wanted.game, cmd, state, people)
            tournament_claims.copy_visibility(self._pool, wanted.game, cmd, state)
            return tournament_claims.claim_seats(self._pool, wanted.game, cmd, holders, self._games.origin)

        try:
            self._games.create(
                title,
                msgspec.convert(wanted.options, title.Options, str_keys=True),
                [SeatPlan()] * len(holders),
                game_id=wanted.game,
                command_id=cmd,
                terms=wanted.terms,
                seated=seat_people,
                position=wanted.position,
                tied=wanted.tied,
            )
        except VersionConflict:
            log.info("game_is_there", game=wanted.game)

    def _find_ended_tables(self, state: Tournament) -> list[tuple[Round, Table]]:
        """Return the tables whose games have ended, as the lobby knows it."""
        awaited = {table.game: (one, table) for one, table in schedule.tables_in_play(state)}
        return (
            [awaited[game] for game in tournaments.find_ended_games(self._pool, list(awaited))]
            if awaited
            else []
        )

    def _record(self, state: Tournament, one: Round, table: Table) -> bool:
        """Say how the game of a table ended."""
        game = self._games.load(table.game)
        return self._give(state, result_command(summarize_game(game), one.number, table))

    # --- what is ordered in games ------------------------------------------------------------------

    def _list_orders(self, state: Tournament, now: str) -> Iterator[Callable[[], bool]]:
        """Yield the steps that may be due in games.

        Each carries itself out when called, and returns True if it was still to be done.
        """
        director = f"d{min(state.directors)}"
        for order in schedule.pending_orders(state):
            ruled = TableEnd("other") if order.seat is None else TableAddTime(order.seat, order.add_ms)
            name = command_id(state.id, "ruling", order.ruling, order.place)
            yield partial(self._order, order.game, f"d{order.by}", ruled, name)
        for _, table in schedule.tables_to_end(state):
            yield partial(self._end, table.game, director)
        for one in (
            schedule.overdue_rounds(state, now) if state.settings.schedule.at_limit == "shared" else ()
        ):
            for table in one.tables:
                if table.head is not None and table.result is None:
                    yield partial(self._end, table.game, director)
        for _, table, seat in schedule.find_leavers(state):
            yield partial(self._leave, state, table, seat, director)
        for _, table, change in schedule.active_substitutes(state):
            yield partial(self._substitute, state, table, change, director)
        if state.paused is not None or any(until > now for until in state.pauses):
            for _, table in schedule.tables_in_play(state):
                yield partial(self._pause, state, table.game, director, now)

    def _order(self, game_id: str, actor: Actor, command: Command, name: str) -> bool:
        """Have a command of the table carried out under the id *name*, unless it has been."""
        if self._games.find_earlier(game_id, name) is not None:
            return False
        try:
            self._games.table_command(game_id, actor, command, command_id=name)
        except Rejected as refused:
            log.warning("steward_refused", game=game_id, code=refused.code)
            return False
        return True

    def _end(self, game_id: str, director: str) -> bool:
        name = command_id(game_id, "end")
        return not self._games.load(game_id).has_ended and self._order(
            game_id, director, TableEnd("other"), name
        )

    def _leave(self, state: Tournament, table: Table, seat: Seat, director: str) -> bool:
        """Take an entrant who no longer takes part out of their game; remove one who was disqualified."""
        game = self._games.load(table.game)
        if game.has_ended or not game.seats[seat].person:
            return False
        name = command_id(table.game, "leave", seat, game.seats[seat].tenure)
        if state.entrants[table.holders[seat] - 1].disqualified:
            return self._order(table.game, director, TableRemove(seat, "conduct"), name)
        return self._order(table.game, seat, TableLeave(), name)

    def _substitute(self, state: Tournament, table: Table, change: Substitute, director: str) -> bool:
        """Seat the substitute that was named, after removing the player who sat there before."""
        game, seat = self._games.load(table.game), change.seat
        newest = [other for other in table.substitutes if other.seat == seat][-1]
        account = tournament_claims.find_accounts(self._pool, state).get(entrant_name(change.into))
        claim = command_id(table.game, "substitute", seat, change.into)
        if game.has_ended or change != newest or game.claims.get(seat) == claim or account is None:
            return False
        if game.seats[seat].person:
            name = command_id(table.game, "out", seat, game.seats[seat].tenure)
            return self._order(table.game, director, TableRemove(seat, "other"), name)
        named = tournament_claims.claim_seat(self._pool, table.game, claim, seat, account, self._games.origin)
        return self._order(table.game, seat, TableSeat(seat, who=named), claim)

    def _pause(self, state: Tournament, game_id: str, director: str, now: str) -> bool:
        """Keep a game standing still as long as its tournament does."""
        game = self._games.load(game_id)
        if game.status != "running":
            return False
        name = command_id(game_id, "pause", len(state.pauses), state.paused)
        if state.paused is not None:
            until = min(state.paused, add_milliseconds(now, MAX_ORDERED_PAUSE_MS))
            return game.paused is None and self._order(game_id, director, TablePause(until, "schedule"), name)
        ours = game.paused is not None and game.paused.by == director and game.paused.cause == "schedule"
        return ours and self._order(game_id, director, TableResume(), name)
