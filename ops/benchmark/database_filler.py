"""A database in which much has happened, made quickly: few games are played, then copied.

A copy is a game like any other: its chain of hashes is its own, it is in the lobby, its history can be read,
its players hold their seats, and it can be played on. Only its secrets are those of the game it came from,
and the log of all games does not hold it.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator
from typing import Any, LiteralString

import msgspec
import psycopg
from psycopg import Connection

from events.proof import canonical
from events.rules.catalogue import title_ids
from events.store.event_log import select_hashes
from events.store.games import Games, new_id
from events.table.engine import fold_one
from events.table.game import Game, initial_game
from events.table.record import Record
from ops.benchmark.core import record_random_game
from projections import ratings
from projections.base.lanes import lane_of
from projections.read_models import game_counts, history, lobby, turns
from projections.runner import Runner

EVENTS, GAMES = 1_000_000, 15_000
ENDED = 200
"""One game in so many is a whole one, as long as it is."""
LONGEST = 1000
"""Events of a game that is played to be copied."""
ACCOUNTS = 2000
CHUNK = 500
"""Games that are written together."""


class GameTemplate(msgspec.Struct, frozen=True):
    """A game up to the end of a command, as the tables hold it: with :data:`ID` for its id."""

    game: Game
    records: list[Record]
    history: list[str]


def fill_database(
    games: Games, owner_url: str, events: int, advance: Callable[[int], object]
) -> tuple[int, int]:
    """Add about so many events, in games most of which run; how many games and events there are then.

    *advance* is told how many were added. The service must not be at work.
    """
    count = max(1, events * GAMES // EVENTS)
    mean = max(10, events // count)
    sources = [_make_templates(games, title_id, mean) for title_id in title_ids()]
    catch_up(games)  # before the copies stand in the log
    with psycopg.connect(owner_url) as connection:
        rows = connection.execute(
            "INSERT INTO account (id, name) SELECT gen_random_uuid(), 'Player ' || n"
            " FROM generate_series(1, %s::int) n RETURNING id::text",
            (ACCOUNTS,),
        ).fetchall()
        players = itertools.cycle([account for (account,) in rows])
        chosen = _choose_templates(sources, count, mean)
        while part := list(itertools.islice(chosen, CHUNK)):
            advance(_write(connection, [(new_id(), cut) for cut in part], players))
        return _finish(connection)


def catch_up(games: Games) -> None:
    """Bring the read models up to date, as the dispatcher does: it leaves the snapshots behind."""
    while games.log.sequence() > 0:
        pass
    runner = Runner(games.log)
    while runner.step():
        pass


def _make_templates(games: Games, title_id: str, mean: int) -> tuple[list[GameTemplate], GameTemplate]:
    """Beginnings of one game that have twice *mean* events at the most, and the whole of it."""
    game_id = record_random_game(games, title_id, 5, LONGEST)
    records = games.records(game_id)
    game, begun = initial_game(game_id), False
    lines: list[str] = []
    found: list[GameTemplate] = []
    for place, record in enumerate(records):
        game = fold_one(game, record)
        lines += [_format_line(*row[1:]) for row in history.make_rows(game, record)]
        last = place + 1 == len(records) or records[place + 1].command_id != record.command_id
        begun = begun or game.state is not None
        if last and begun and (record.seq <= 2 * mean or not found):
            found.append(GameTemplate(game, records[: record.seq], list(lines)))
    return found, GameTemplate(game, records, lines)


def _choose_templates(
    sources: list[tuple[list[GameTemplate], GameTemplate]], count: int, mean: int
) -> Iterator[GameTemplate]:
    """So many games: of all titles in turn, some whole, the others cut where chance will."""
    chance = random.Random(mean)  # noqa: S311 - nothing secret
    for number in range(count):
        begun, whole = sources[number % len(sources)]
        yield whole if number % ENDED == ENDED - 1 else chance.choice(begun)


# --- as COPY reads it ------------------------------------------------------------------------------------


def _format_field(value: Any) -> str:
    if value is None:
        return r"\N"
    if isinstance(value, bytes):
        return rf"\\x{value.hex()}"
    return str(value).replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n")


def _format_line(*values: Any) -> str:
    return "\t".join(map(_format_field, values))


_TABLES: dict[str, LiteralString] = {
    "event": "COPY es.event (game_id, seq, body, hash) FROM STDIN",
    "log": "COPY es.log (position, game_id, seq, lane) FROM STDIN",
    "secret": "COPY es.secret (game_id, seq, audience, salt, body) FROM STDIN",
    "history": "COPY history (game_id, seq, viewer, text) FROM STDIN",
    "claim": "COPY seat_claim (game_id, claim, seat, account_id) FROM STDIN",
}
_KEYS: LiteralString = (
    "INSERT INTO es.game_secret (game_id, anchor, deal, hide, bot)"
    " SELECT unnest(%s::uuid[]), anchor, deal, hide, bot FROM es.game_secret WHERE game_id = %s"
)


def _write(
    connection: Connection[Any], copies: list[tuple[str, GameTemplate]], players: Iterator[str]
) -> int:
    """Write games under their new ids, with *players* at their seats; how many events they have."""
    (size,) = connection.execute("SELECT size FROM es.sequencer").fetchone() or (0,)
    lines: dict[str, list[str]] = {name: [] for name in _TABLES}
    for game_id, cut in copies:
        events = _copy_events(game_id, cut)
        lines["event"] += events
        lane = lane_of(game_id)
        lines["log"] += [f"{size + n}\t{game_id}\t{n}\t{lane}" for n in range(1, len(events) + 1)]
        size += len(events)
        lines["secret"] += [
            _format_line(game_id, record.seq, name, part.salt, part.body.decode())
            for record in cut.records
            for name, part in record.parts.items()
        ]
        lines["history"] += [f"{game_id}\t{line}" for line in cut.history]
        lines["claim"] += [
            _format_line(game_id, claim, seat, next(players)) for seat, claim in cut.game.claims.items()
        ]
    with connection.cursor() as cursor:
        for name, statement in _TABLES.items():
            with cursor.copy(statement) as copy:
                copy.write("".join(f"{line}\n" for line in lines[name]))
    for source in {cut.game.id for _, cut in copies}:
        ids = [game_id for game_id, cut in copies if cut.game.id == source]
        connection.execute(_KEYS, (ids, source))
    for game_id, cut in copies:
        game = msgspec.structs.replace(cut.game, id=game_id)
        row = lobby.make_row(game)
        lobby.ROWS.add(connection, row, owner=lobby.NOBODY)
        game_counts.move_count(connection, game_id, None, lobby.get_count_key(row))
        standing = turns.make_first_turns(game)
        changed = turns.list_changed(initial_game(game.id), {}, game, standing)
        turns.write(connection, turns.make_rows(game, standing, dict.fromkeys(changed, game.seq)))
    connection.execute("UPDATE es.sequencer SET size = %s", (size,))
    connection.commit()
    return len(lines["event"])


def _copy_events(game_id: str, cut: GameTemplate) -> list[str]:
    """Return the events of a copy, chained again."""
    old, new, head, found = cut.game.id.encode(), game_id.encode(), canonical.genesis(game_id), []
    for record, kept in zip(cut.records, select_hashes(cut.records), strict=True):
        body = record.body.replace(old, new)
        head = canonical.link(head, body)
        found.append(_format_line(game_id, record.seq, body.decode(), head if kept is not None else None))
    return found


def _finish(connection: Connection[Any]) -> tuple[int, int]:
    """All that follows the log has seen all of it; how many games and events there are."""
    connection.execute("UPDATE es.projection SET position = (SELECT size FROM es.sequencer)")
    connection.execute("UPDATE es.tree SET position = (SELECT size FROM es.sequencer)")
    connection.execute(
        "UPDATE rating_state SET position = (SELECT size FROM es.sequencer), model = %s", (ratings.MODEL,)
    )
    connection.commit()
    connection.autocommit = True
    connection.execute("VACUUM ANALYZE")
    row = connection.execute("SELECT (SELECT count(*) FROM lobby), size FROM es.sequencer").fetchone()
    return (int(row[0]), int(row[1])) if row else (0, 0)
