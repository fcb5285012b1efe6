"""The data of a release, small enough to be kept with the tests for ever.

``python -m tests.ops.upgrading`` plays some games with the present program and writes
``tests/ops/upgrade/<version>.backup`` and ``<version>.json`` (what is needed to go on: token, key, ids).
Once a version is released its files are never written again.
"""

from __future__ import annotations

import json
import os
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
from psycopg_pool import ConnectionPool

from events.rules.catalogue import find_title, packages
from events.rules.fast_chance import FastChance
from events.store.event_log import EventLog, Pool
from events.store.games import Games
from events.table.game import Game
from ops.database.backup import back_up
from ops.database.privileges import migrate_and_grant
from ops.runtime.servers import ServerAddresses
from ops.server.wsgi import create_app
from projections.runner import Runner, make_checkpoints
from service.base.settings import Settings
from tests.playing import three_or_so
from tests.servers import start_test_servers
from tests.service.client import Api
from workers import jobs

FOLDER = Path(__file__).parent / "upgrade"
ROOT = Path(__file__).parents[2]
SHORT = {"turn_limit": 8}
"""Options that keep a game of random players short, for titles that have them."""
COMMANDS = 20
"""Given in a game that is left running."""


def project_titles() -> list[str]:
    """The titles of the project, not those of its tests."""
    return [title for title, package in packages().items() if package.startswith("events.titles.")]


def play(games: Games, game: Game, commands: int, seed: int = 1) -> Game:
    """Give commands as players, bots and the server would; fewer where the game ends before."""
    chance = FastChance(seed)
    for _ in range(commands):
        if game.status != "running":
            break
        decision = game.title.awaited(game.state)[0]
        if decision.seat is None:
            games.command(game.id, None, game.title.default(game.state, decision))
        elif game.seats[decision.seat].bot:
            jobs.make_bot_move(games, game, decision)
        else:
            games.command(game.id, decision.seat, game.title.sample(game.state, decision.seat, chance))
        game = games.load(game.id)
    return game


def project(pool: Pool) -> None:
    """Number what is new, and bring the read models up to date."""
    log = EventLog(pool)
    while log.sequence() > 0:
        pass
    runner = Runner(log)
    with pool.connection() as connection:
        make_checkpoints(connection)
    while runner.step():
        pass


def make(database: str, owner: str, target: Path, key: str) -> dict[str, Any]:
    """Play games on an empty database and back it up to *target*; what is needed to go on."""
    migrate_and_grant(ServerAddresses(database, owner, ""))
    app = create_app(Settings(database, data=None, signing_key=key, log_requests=False))
    try:
        process = app.extensions["rutter"]
        captain = Api(app).account("Captain")
        told = {"key": key, "token": captain.token, **_play_all(captain, process.games)}
        with ConnectionPool(database, kwargs={"autocommit": True}, open=False) as pool:
            project(pool)
        one = process.games.load(told["running"][0])
        play(process.games, one, 1, seed=2)  # waits in the outbox when the backup is taken
    finally:
        app.extensions["rutter"].close()
    back_up(owner, target)
    return told


def _play_all(captain: Api, games: Games) -> dict[str, Any]:
    running, finished = [], []
    for title_id in project_titles():
        known = captain.get(f"/v1/titles/{title_id}")["options"]["properties"]
        seats: list[Any] = [{"you": True}] * (three_or_so(title_id) - 1) + [{"bot": "random"}]
        body = {
            "title": title_id,
            "seats": seats,
            "options": {name: value for name, value in SHORT.items() if name in known},
        }
        one, other = (captain.post("/v1/games", body, status=201)["id"] for _ in range(2))
        running.append(play(games, games.load(one), COMMANDS).id)
        ended = play(games, games.load(other), 5000)
        assert ended.status == "finished", title_id
        finished.append(ended.id)
    title = find_title(project_titles()[0])
    table = {"title": title.id, "seats": [{"you": True}] + [{"open": True}] * (title.seats[0] - 1)}
    return {
        "running": running,
        "finished": finished,
        "open": captain.post("/v1/games", table, status=201)["id"],
    }


def empty_databases(server: str, name: str) -> Iterator[str]:
    """An empty database, as its owner; dropped afterwards."""
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
        yield psycopg.conninfo.make_conninfo(server, dbname=name)
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


def main() -> None:
    """Write the files of the present version again."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    FOLDER.mkdir(exist_ok=True)
    backup, notes = FOLDER / f"{version}.backup", FOLDER / f"{version}.json"
    backup.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory() as folder, start_test_servers(Path(folder), environment={}) as servers:
        told = make(servers.database_url, servers.owner_url, backup, os.urandom(32).hex())
    backup.chmod(0o644)  # these games are nobody's secret
    notes.write_text(json.dumps(told, indent=2) + "\n")
    print(f"{backup}: {backup.stat().st_size:,} bytes")  # noqa: T201


if __name__ == "__main__":
    main()
