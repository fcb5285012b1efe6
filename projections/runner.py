"""The followers of the log by position, which keep the read models up to date.

The log is divided into lanes by game. Each projection has a checkpoint in each lane, whose row is locked
while a runner works there, so any number of runners share the work. Rows are written by statements that are
transactions of their own, and the checkpoint moves after them. A runner that dies between the two leaves rows
that are written again, with the same content.

Games that follow on what is in memory are read together and written together, by a few statements. On a
cluster what lies on the machine of a game is read and written by itself. So is all of it where a game fails.

A projection that fails on a game is tried once more on that game alone, from the log and nothing else. If it
still fails the game is parked for that projection, with the error, and tried again by the next program. All
other games, and all other projections of this one, go on. An error of the installation parks nothing.

The events of a command are never parted: between two of them a game may be in no state to be told of.

A notice comes after the turns of the same event. So the turn that a notice tells of can be found, and a
stream that begins with the turns and goes on with new notices misses none.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from itertools import groupby
from typing import Any, TypeVar

import msgspec
import psycopg
import structlog
from psycopg import Connection

from events.rules.fact import Seat
from events.store.archived_games import ArchiveUnavailable
from events.store.connection import is_coordinator, is_machine_away
from events.store.event_log import SNAPSHOT_EVERY, EventLog
from events.store.games import Replay, rules_key
from events.store.talks import OPENING_TYPE as TALK
from events.store.tournaments import OPENING_TYPE as TOURNAMENT
from events.table.engine import fold_one
from events.table.game import Game, initial_game
from events.table.record import Record
from events.talk.state import Talk
from events.tournament import folding
from events.tournament.state import Tournament
from events.tournament.state import initial_tournament as start_tournament
from projections.base.build_id import get_build_id
from projections.base.lanes import LANES, lane_of
from projections.health.failed_tasks import describe, locate
from projections.lane_news import Checkpoint, LaneNews
from projections.read_models import turns
from projections.read_models.catalogue import NOTICES, PROJECTIONS, TURN, GameBatch, TournamentBatch
from projections.read_models.turns import Turns

LANES_AT_ONCE = 16
"""Most lanes of which one step holds all checkpoints; the others are left to other runners."""
BATCH = 500
"""Most events of one lane that one step projects."""
MACHINE_AWAY = "machine away"
"""Stands in place of the program that set a game aside, where the game's machine did not answer."""
STREAMS_AT_ONCE = 64
"""Most streams that are read together, and written together."""
MOST_REMEMBERED = 500
"""Games that a runner keeps in memory to fold on from."""

Rows = dict[str, list[Any]]
"""Rows by the name of their projection."""

NEXT = (
    "SELECT position, game_id::text, seq FROM es.log"
    # Pairs, which only the lane's index has in order: by position alone the planner might read all lanes.
    " WHERE (lane, position) > (%s, %s) AND (lane, position) <= (%s, %s) ORDER BY lane, position LIMIT %s"
)
"""The part of a lane after one position and not after another."""
NEXT_OF_LANES = (
    "SELECT n.lane, n.start, l.position, l.game_id, l.seq"
    " FROM unnest(%s::smallint[], %s::bigint[]) AS n (lane, start)"
    " CROSS JOIN LATERAL (SELECT position, game_id::text, seq FROM es.log"
    " WHERE (lane, position) > (n.lane, n.start) AND (lane, position) <= (n.lane, 9223372036854775807)"
    " ORDER BY lane, position LIMIT %s) l ORDER BY n.lane, n.start, l.position"
)
"""The same of several lanes in one round trip, each after a position of its own and to its end."""
MOVE_CHECKPOINTS = (
    "UPDATE es.projection p SET position = n.position"
    " FROM unnest(%s::text[], %s::smallint[], %s::bigint[]) AS n (name, lane, position)"
    " WHERE p.name = n.name AND p.lane = n.lane AND p.position <> n.position"
)
"""Checkpoints that move, each to a position of its own."""

log = structlog.get_logger()

T = TypeVar("T")
CHECKPOINTS_AT_ONCE = LANES_AT_ONCE * len(PROJECTIONS)
"""Whole lanes: a game whose projections are told of it in two steps is read and folded twice."""


_Known = tuple[Game, Turns] | Tournament | Talk
"""The state of a stream after the events that were projected last."""


class _StreamNews(msgspec.Struct, frozen=True):
    """New events of one stream, for some projections."""

    names: tuple[str, ...]
    stream: str
    seqs: list[int]


class _Projected(msgspec.Struct, frozen=True):
    """The rows that projections made of news, and the state after them."""

    news: _StreamNews
    known: _Known
    rows: Rows


class Runner:
    """A follower of the log with all projections. Any number may run at once, in any number of processes.

    *tell* is called with the accounts that have new notices, perhaps several times each.
    """

    def __init__(
        self, events: EventLog, tell: Callable[[list[str]], object] = lambda _accounts: None
    ) -> None:
        self.events = events
        self._tell = tell
        self._replay = Replay(events, newest=10, earlier=10)
        self._last: dict[tuple[tuple[str, ...], str], _Known] = {}
        self._prepared = False
        self.is_one_machine = False
        """True if no stream lies on another machine than the others."""
        self._news = LaneNews(PROJECTIONS)
        self.more = True
        """True if the last step has left something, as far as it could see."""
        self.waiting = False
        """True if a game that waits for a bot or the server was among those projected. Reset it."""

    def is_sweep_due(self) -> bool:
        """Return True if the next step looks at all lanes, as it does now and then."""
        return self._news.is_sweep_due()

    def step(self) -> int:
        """Project the next events of those lanes that are furthest behind; return their number.

        0 when nothing is left, or others are at work on all that is.
        """
        with self.events.pool.connection() as connection:
            if not self._prepared:
                make_checkpoints(connection)
                self.is_one_machine = not is_coordinator(connection)
                self._prepared = True
            if not self._news.look(connection):
                self.more = False
                return 0
            try:
                with connection.transaction():
                    held = self._news.hold(connection, CHECKPOINTS_AT_ONCE)
                    counts, moved = self._advance_all(connection, held)
                self._news.settle(connection, moved)
            except BaseException:
                self._news.sweep_soon()
                raise
        full = any(count >= BATCH for count in counts)
        if full:
            self._news.sweep_soon()  # there may be more in a lane than was seen of it
        self.more = full or len(held) == CHECKPOINTS_AT_ONCE
        return sum(counts)

    def _advance_all(
        self, connection: Connection[Any], held: Sequence[Checkpoint]
    ) -> tuple[list[int], list[Checkpoint]]:
        """Project one batch of each lane; return the numbers of events, and where the checkpoints are now."""
        together: dict[tuple[int, int], list[str]] = defaultdict(list)
        for name, lane, position in held:
            together[lane, position].append(name)
        groups = [
            (group, lane, position)
            for (lane, position), names in together.items()
            for group in _split(sort_names(names))
        ]
        counts, moved = self._advance_to_end(connection, [each for each in groups if each[0] != (NOTICES,)])
        for group, lane, position in groups:
            if group == (NOTICES,):  # up to the turns of its lane, which may just have moved
                count, end = self._advance(connection, group, lane, position)
                counts.append(count)
                moved.append((NOTICES, lane, end))
        return counts, moved

    def _advance_to_end(
        self, connection: Connection[Any], groups: Sequence[tuple[tuple[str, ...], int, int]]
    ) -> tuple[list[int], list[Checkpoint]]:
        """Project one batch of each group: projections, and the lane and position at which they all stand.

        All are read by one statement, and their checkpoints are moved by one: every command has its own lane.
        """
        if not groups:
            return [], []
        starts = sorted({(lane, position) for _, lane, position in groups})
        lanes, positions = zip(*starts, strict=True)
        found: dict[tuple[int, int], list[tuple[int, str, int]]] = defaultdict(list)
        for lane, start, *row in connection.execute(NEXT_OF_LANES, (list(lanes), list(positions), BATCH)):
            found[lane, start].append((row[0], row[1], row[2]))
        moved: list[Checkpoint] = []
        counts: list[int] = []
        news: list[_StreamNews] = []
        for names, lane, position in groups:
            rows = self._complete(found[lane, position])
            news += _group_by_stream(names, rows)
            counts.append(len(rows))
            moved += [(name, lane, rows[-1][0] if rows else position) for name in names]
        for first in range(0, len(news), STREAMS_AT_ONCE):
            self._project_streams(news[first : first + STREAMS_AT_ONCE])
        if any(counts):
            connection.execute(MOVE_CHECKPOINTS, tuple(map(list, zip(*moved, strict=True))))
        return counts, moved

    def advance(
        self,
        connection: Connection[Any],
        names: tuple[str, ...],
        lane: int,
        position: int,
        until: int = 2**62,
    ) -> int:
        """Project one batch of a lane after *position* and not after *until*; return its number of events.

        *connection* holds the lane's checkpoints of *names*, which all stand at *position*.
        """
        return self._advance(connection, names, lane, position, until)[0]

    def _advance(
        self,
        connection: Connection[Any],
        names: tuple[str, ...],
        lane: int,
        position: int,
        until: int = 2**62,
    ) -> tuple[int, int]:
        """Do as :meth:`advance`; return the number of events, and the position that was reached."""
        if names == (NOTICES,):
            until = min(until, read_position(connection, TURN, lane))
        rows = self._complete(connection.execute(NEXT, (lane, position, lane, until, BATCH)).fetchall())
        if not rows:
            return 0, position
        self._project_streams(_group_by_stream(names, rows))
        connection.execute(
            "UPDATE es.projection SET position = %s WHERE lane = %s AND name = ANY(%s)",
            (rows[-1][0], lane, list(names)),
        )
        return len(rows), rows[-1][0]

    def _complete(self, rows: Sequence[tuple[int, str, int]]) -> Sequence[tuple[int, str, int]]:
        """Return a lane's next positions up to the end of a command."""
        return [*rows, *self._read_rest_of_command(rows[-1])] if len(rows) == BATCH else rows

    def _read_rest_of_command(self, last: tuple[int, str, int]) -> list[tuple[int, str, int]]:
        """Return the positions after *last* of events of the same command, which were all given at once."""
        position, game_id, seq = last
        command, more = None, 0
        for record in self.events.read(game_id, seq - 1, BATCH):
            command = command or record.command_id
            if record.command_id != command:
                break
            more = record.seq - seq
        return [(position + n, game_id, seq + n) for n in range(1, more + 1)]

    def project(
        self, names: Iterable[str], game: Game, records: Iterable[Record], earlier: Turns | None = None
    ) -> tuple[Game, Turns, Rows]:
        """Return the game after *records*, which follow on *game*, its turns, and the projections' rows.

        *earlier* are the turns in *game*, if they are known.
        """
        rows: Rows = {name: [] for name in names}
        uses_turns = any(PROJECTIONS[name].uses_turns for name in rows)
        standing = earlier or (turns.make_first_turns(game) if uses_turns else {})
        changed: dict[Seat, int] = {}
        for _, together in groupby(records, key=lambda record: record.command_id):
            steps, turns_before = [], standing
            for record in together:
                before, game = game, fold_one(game, record)
                steps.append((before, record, game))
                if game.seq % SNAPSHOT_EVERY == 0:
                    self.events.save_snapshot(game, rules_key(game))
            if uses_turns:
                standing = turns.make_next_turns(standing, game)
                seats = turns.list_changed(steps[0][0], turns_before, game, standing)
                changed |= dict.fromkeys(seats, game.seq)
            batch = GameBatch(steps, turns_before, standing)
            for name in rows:
                rows[name] += PROJECTIONS[name].make_rows_of_command(batch)
        for name in rows:
            rows[name] += PROJECTIONS[name].make_rows_of_game(game, standing)
            rows[name] += PROJECTIONS[name].make_rows_of_turns(game, standing, changed)
        return game, standing, rows

    def _project_streams(self, news: Sequence[_StreamNews]) -> None:
        """Project the next events of streams."""
        read = self._read_together(news)
        done = [
            one for each in news if (one := self._project_stream(each, read.get(each.stream))) is not None
        ]
        alone = (
            [] if self.is_one_machine else [name for name in PROJECTIONS if PROJECTIONS[name].lies_with_game]
        )
        done = [one for one in done if self._write_alone(one, alone)]
        together = [
            name for name in sort_names(name for one in done for name in one.rows) if name not in alone
        ]
        try:
            self._write({name: [row for one in done for row in one.rows.get(name, ())] for name in together})
        except Exception as error:  # noqa: BLE001 - that of one game is met again
            log.info("projected_one_by_one", error=type(error).__name__)
            done = [one for one in done if self._write_alone(one, together)]
        self._remember(done)

    def _write_alone(self, one: _Projected, names: Iterable[str]) -> bool:
        """Write rows of one stream; return False if that failed, and was dealt with."""
        rows = {name: one.rows[name] for name in names if name in one.rows}
        return self._try(one.news, lambda: self._write(rows, one.news.stream)) is not None

    def _remember(self, done: Sequence[_Projected]) -> None:
        if len(self._last) > MOST_REMEMBERED:
            self._last.clear()
        self._last.update({(one.news.names, one.news.stream): one.known for one in done})

    def _get_known(self, news: _StreamNews) -> _Known | None:
        """Return the state before the news; None unless this runner was the last to project the stream."""
        known = self._last.get((news.names, news.stream))
        return known if known is not None and _get_seq(known) == news.seqs[0] - 1 else None

    def _read_together(self, news: Sequence[_StreamNews]) -> dict[str, list[Record]]:
        """Return the news of streams whose states before them are known, where one machine has them all."""
        if not self.is_one_machine:
            return {}
        times = Counter(each.stream for each in news)  # for some projections it may be at another event
        wanted = {
            each.stream: (each.seqs[0] - 1, each.seqs[-1])
            for each in news
            if times[each.stream] == 1 and not isinstance(self._get_known(each), Talk | None)
        }
        return self.events.read_many(wanted) if len(wanted) > 1 else {}

    def _project_stream(self, news: _StreamNews, records: list[Record] | None) -> _Projected | None:
        """Return what the projections make of a stream's news; None if it is set aside. *records* if read."""
        known = self._get_known(news)
        if known is None:
            names = self._list_not_parked(news.names, news.stream)
            if not names:
                return None
            news = _StreamNews(names, news.stream, news.seqs)
        return self._try(news, lambda: self._project(news, known, records))

    def _try(self, news: _StreamNews, work: Callable[[], T]) -> T | None:
        """Return the result of *work* for one stream; None where that failed, and was dealt with."""
        try:
            return work()
        except Exception as error:
            self._last.pop((news.names, news.stream), None)
            if is_machine_away(error):
                for name in news.names:
                    self._park_away(name, news.stream, news.seqs[-1])
            elif is_game_error(error):
                self.project_alone(news.names, news.stream, news.seqs[-1])
            else:
                raise
            return None

    def _project(self, news: _StreamNews, known: _Known | None, records: list[Record] | None) -> _Projected:
        """Return the rows of the projections for news of a stream, whose state before is *known*."""
        stream, first, last = news.stream, news.seqs[0], news.seqs[-1]
        kind = None if known is not None else self.events.read(stream, 0, 1)[0].type
        if isinstance(known, Talk) or kind == TALK:
            return _Projected(news, Talk(stream, seq=last), {})  # no read model tells of it
        if isinstance(known, Tournament) or kind == TOURNAMENT:
            state = known if isinstance(known, Tournament) else self._load_tournament(stream, first - 1)
            records = records or self.events.read(stream, state.seq, last - state.seq)
            return _Projected(news, *self.project_tournament(news.names, state, records))
        game, standing = known or (self._load_before(stream, first), None)
        records = records or self.events.read(stream, game.seq, last - game.seq)
        game, standing, rows = self.project(news.names, game, records, standing)
        return _Projected(news, (game, standing), rows)

    def _load_tournament(self, stream: str, seq: int) -> Tournament:
        """Return a tournament after event *seq*."""
        records = self.events.read(stream, 0, seq) if seq else []
        return folding.fold(start_tournament(stream), records)

    def project_tournament(
        self, names: Iterable[str], state: Tournament, records: Iterable[Record]
    ) -> tuple[Tournament, Rows]:
        """Return the tournament after *records*, which follow on *state*, and what is to be told of them."""
        rows: Rows = {name: [] for name in names}
        for _, together in groupby(records, key=lambda record: record.command_id):
            events = list(together)
            before, state = state, folding.fold(state, events)
            batch = TournamentBatch(events, before, state)
            for name in rows:
                rows[name] += PROJECTIONS[name].make_rows_of_tournament_command(batch)
        for name in rows:
            rows[name] += PROJECTIONS[name].make_rows_of_tournament(state)
        return state, rows

    def project_whole(self, names: Iterable[str], stream: str, records: Sequence[Record]) -> Rows:
        """Return the rows of the projections for all *records* of a stream."""
        if records[0].type == TALK:
            return {name: [] for name in names}
        if records[0].type == TOURNAMENT:
            return self.project_tournament(names, start_tournament(stream), records)[1]
        return self.project(names, initial_game(stream), records)[-1]

    def project_alone(self, names: tuple[str, ...], game_id: str, seq: int) -> tuple[str, ...]:
        """Project a game up to event *seq* from the log alone; return the projections that told of it.

        For the others it is parked. Neither a damaged snapshot nor another projection may set a healthy game
        aside.
        """
        try:
            self._write(self.project_whole(names, game_id, self.events.read(game_id, 0, seq)))
        except Exception as error:
            if not is_game_error(error):
                raise
            if len(names) > 1:
                return tuple(name for name in names if self.project_alone((name,), game_id, seq))
            self.park(names[0], game_id, error)
            return ()
        return names

    def _write(self, rows: Rows, stream: str | None = None) -> int:
        """Write rows of projections; return their number. *stream*: all of them are of this one."""
        told: list[str] = []
        written = sum(map(len, rows.values()))
        if not written:
            return 0
        try:
            with self._lend_for(rows, stream) as connection:
                for name, values in rows.items():
                    if not values:
                        continue
                    projection = PROJECTIONS[name]
                    self.waiting = self.waiting or any(projection.is_waiting(row) for row in values)
                    told += projection.write(connection, values) or ()
        finally:
            if told:
                self._tell(told)
        return written

    def _lend_for(self, names: Iterable[str], stream: str | None) -> AbstractContextManager[Connection[Any]]:
        """Return a connection to where the rows of projections lie; some lie with their stream."""
        if stream is not None and all(PROJECTIONS[name].lies_with_game for name in names):
            return self.events.lend(stream)
        return self.events.pool.connection()

    def _list_not_parked(self, names: tuple[str, ...], game_id: str) -> tuple[str, ...]:
        with self.events.pool.connection() as connection:
            parked = connection.execute(
                "SELECT projection FROM es.parked WHERE game_id = %s", (game_id,)
            ).fetchall()
        return tuple(name for name in names if (name,) not in parked)

    def park(self, name: str, game_id: str, error: Exception) -> None:
        """Set a game aside, of which the projection *name* could not tell."""
        kind = type(error).__name__
        log.warning("projection_parked", projection=name, game=game_id, error=kind, at=locate(error))
        with self.events.pool.connection() as connection:
            connection.execute(
                "INSERT INTO es.parked (projection, game_id, seq, error, program)"
                " SELECT %s, %s, coalesce(max(seq), 0), %s, %s FROM es.event WHERE game_id = %s"
                " ON CONFLICT (projection, game_id) DO UPDATE SET error = EXCLUDED.error,"
                " program = EXCLUDED.program",
                (name, game_id, describe(error), get_build_id(), game_id),
            )

    def _park_away(self, name: str, game_id: str, seq: int) -> None:
        """Set a game aside until its machine answers again: the others of its lane go on."""
        log.warning("machine_away", projection=name, game=game_id)
        with self.events.pool.connection() as connection:
            connection.execute(
                "INSERT INTO es.parked (projection, game_id, seq, error, program) VALUES (%s, %s, %s, %s, %s)"
                " ON CONFLICT (projection, game_id) DO NOTHING",
                (name, game_id, seq, "The machine of this game does not answer.", MACHINE_AWAY),
            )

    def project_again(self) -> int:
        """Project the games that were set aside by another program, or that the operator wants tried again.

        Among them are those whose machine was away. Returns how many times a projection tells of one again.
        """
        with self.events.pool.connection() as connection:
            parked = connection.execute(
                "SELECT game_id::text, array_agg(projection) FROM es.parked WHERE program <> %s"
                " AND projection = ANY(%s) GROUP BY game_id ORDER BY min(since)",
                (get_build_id(), list(PROJECTIONS)),
            ).fetchall()
        done = 0
        for game_id, names in parked:
            try:
                done += self._project_parked(sort_names(names), game_id)
            except psycopg.Error as error:
                if not is_machine_away(error):
                    raise
        return done

    def _project_parked(self, names: tuple[str, ...], game_id: str) -> int:
        """Project a parked game up to the lane's held checkpoints: no event is skipped or told too early.

        Returns the number of projections that tell of it again.
        """
        lane = lane_of(game_id)
        with self.events.pool.connection() as connection, connection.transaction():
            held = connection.execute(
                "SELECT name, position FROM es.projection WHERE name = ANY(%s) AND lane = %s"
                " ORDER BY name FOR UPDATE",
                (list(names), lane),
            ).fetchall()
            together: dict[int, list[str]] = defaultdict(list)  # by the position up to which they tell
            for name, position in held:
                together[position].append(name)
            told: list[str] = []
            for position, group in together.items():
                last = connection.execute(
                    "SELECT coalesce(max(seq), 0) FROM es.log"
                    " WHERE lane = %s AND position <= %s AND game_id = %s",
                    (lane, position, game_id),
                ).fetchone()
                ordered = sort_names(group)
                told += self.project_alone(ordered, game_id, last[0]) if last and last[0] else ordered
            connection.execute(
                "DELETE FROM es.parked WHERE projection = ANY(%s) AND game_id = %s", (told, game_id)
            )
        if told:
            log.info("projection_resumed", projections=told, game=game_id)
        return len(told)

    def _load_before(self, game_id: str, seq: int) -> Game:
        return self._replay.load_at(game_id, seq - 1) if seq > 1 else initial_game(game_id)


def _group_by_stream(names: tuple[str, ...], rows: Iterable[tuple[int, str, int]]) -> list[_StreamNews]:
    """Return the news of each stream, from positions of a lane."""
    found: dict[str, list[int]] = defaultdict(list)
    for _, stream, seq in rows:
        found[stream].append(seq)
    return [_StreamNews(names, stream, seqs) for stream, seqs in found.items()]


def _get_seq(known: _Known) -> int:
    return known[0].seq if isinstance(known, tuple) else known.seq


def is_game_error(error: Exception) -> bool:
    """Return True if an error is that of one game.

    Any other is the installation's, and met again with any game.
    """
    if isinstance(error, psycopg.Error):
        return isinstance(error, psycopg.DataError | psycopg.IntegrityError)
    return not isinstance(error, OSError | MemoryError | ArchiveUnavailable)


def sort_names(names: Iterable[str]) -> tuple[str, ...]:
    """Return these projections in the order in which they are told of a game."""
    wanted = set(names)
    return tuple(name for name in PROJECTIONS if name in wanted)


def _split(names: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Return *names* in one group; notices apart where another runner may be at work on the turns."""
    if NOTICES not in names or TURN in names or len(names) == 1:
        return [names]
    return [tuple(name for name in names if name != NOTICES), (NOTICES,)]


def read_position(connection: Connection[Any], name: str, lane: int) -> int:
    """Return the position in a lane up to which a projection has told of it."""
    row = connection.execute(
        "SELECT position FROM es.projection WHERE name = %s AND lane = %s", (name, lane)
    ).fetchone()
    return int(row[0]) if row else 0


def make_checkpoints(connection: Connection[Any]) -> None:
    """Make the checkpoints of all projections, where they are not there yet."""
    connection.execute(
        "INSERT INTO es.projection (name, lane)"
        " SELECT name, lane FROM unnest(%s::text[]) name, generate_series(0, %s::int) lane"
        " ON CONFLICT DO NOTHING",
        (list(PROJECTIONS), LANES - 1),
    )
