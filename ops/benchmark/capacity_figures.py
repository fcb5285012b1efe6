"""The cost of a command and of an event: random games of all titles, in servers of their own."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import psycopg

from events.rules.catalogue import title_ids
from events.store.archived_games import compress_bundle
from events.store.games import Games
from events.store.signing_keys import Keyring
from events.table import bundle
from events.table.game import Game
from ops.benchmark.core import record_random_game
from ops.benchmark.suite import durable_servers, open_games
from ops.database.privileges import migrate_and_grant
from projections.runner import Runner
from projections.tree.grower import Grower

SEED = bytes(range(32))
"""The seed of the key that signs trees and receipts here."""
SEEDS = (11, 12)
"""The seeds of the two games of each title."""
PARTS = {
    "es.event": ("es.event",),
    "hidden parts": ("es.secret", "es.game_secret"),
    "order of all events": ("es.log",),
    "log of all games": ("es.leaf", "es.tile", "es.checkpoint"),
    "histories": ("public.history",),
    "snapshots": ("es.snapshot",),
}
"""Tables that grow with events, under the words that the rows have for them."""

_SIZES = (
    "SELECT n.nspname || '.' || c.relname, pg_total_relation_size(c.oid) FROM pg_class c"
    " JOIN pg_namespace n ON n.oid = c.relnamespace"
    " WHERE c.relkind = 'r' AND n.nspname IN ('es', 'public')"
)


class Figure(msgspec.Struct, frozen=True, omit_defaults=True):
    """One figure, under a name that never changes."""

    row: str
    figure: float | None
    unit: str
    how: str
    """The way in which it was measured."""
    on: str
    """The day."""
    ratio: float | None = None
    """The ratio to the yardstick of the same run, where it has one."""


def measure(on: str, advance: Callable[[int], None], most: int = 10**9) -> Iterator[Figure]:
    """Yield the figures of this machine. *advance* is told of each game; *most* events does a game have."""
    with durable_servers() as servers:
        migrate_and_grant(servers.addresses)
        with (
            open_games(servers.database_url) as games,
            psycopg.connect(servers.owner_url, autocommit=True) as owner,
        ):
            empty: dict[str, int] = dict(owner.execute(_SIZES).fetchall())
            began = time.process_time()
            played = [
                _play_game(games, title, seed, most, advance) for title in title_ids() for seed in SEEDS
            ]
            deciding = time.process_time() - began
            projecting = _run_followers(games)
            owner.execute("VACUUM")
            grown = {name: size - empty[name] for name, size in owner.execute(_SIZES)}
            yield from _make_figures(games, played, deciding, projecting, grown, on)


def _play_game(games: Games, title: str, seed: int, most: int, advance: Callable[[int], None]) -> Game:
    game = games.load(record_random_game(games, title, seed, most))
    advance(1)
    return game


def _run_followers(games: Games) -> float:
    """Run all that follows the log to its end; return the read models' processor time in seconds."""
    while games.log.sequence() > 0:
        pass
    runner, began = Runner(games.log), time.process_time()
    while runner.step():
        pass
    spent = time.process_time() - began
    Grower(games.log.pool, Keyring(games.log.pool, [SEED]), None).run()
    return spent


def _make_figures(
    games: Games,
    played: list[Game],
    deciding: float,
    projecting: float,
    grown: dict[str, int],
    on: str,
) -> Iterator[Figure]:
    records = {game.id: games.records(game.id) for game in played}
    events = sum(map(len, records.values()))
    commands = len({(game, one.command_id) for game, kept in records.items() for one in kept})
    of_them = f"{len(SEEDS)} random games of each title, {events:,} events, {commands:,} commands"

    def row(name: str, figure: float, unit: str, how: str) -> Figure:
        return Figure(name, float(f"{figure:.3g}"), unit, how, on)

    yield row("events a command", events / commands, "", of_them)
    for name, tables in PARTS.items():
        size = sum(grown[table] for table in tables) / events
        yield row(f"event, {name}", size, "B", "the same games after VACUUM, indexes included")
    yield row("event, all tables", sum(grown.values()) / events, "B", "the same games, all tables that grew")
    signer: Any = Keyring(games.log.pool, [SEED]).signer
    size = sum(len(compress_bundle(bundle.write_lines(game, records[game.id], 0, signer))) for game in played)
    yield row("event, in its bundle", size / events, "B", "the same games' bundles, packed by xz")
    how = "one process without HTTP, the choice of a random command included"
    yield row("deciding and appending a command", deciding / commands * 1000, "ms", how)
    yield row("projecting an event", projecting / events * 1000, "ms", "one runner, all read models")
