"""Every release that was ever made: its data, opened by this program, plays on."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg_pool import ConnectionPool

from events.store.event_log import EventLog
from events.store.games import Games
from ops.cli.db.replay import _judge
from ops.database.backup import restore
from ops.database.log_check import check_log
from ops.server.wsgi import create_app
from service.base.settings import Settings
from tests.ops.upgrading import FOLDER, empty_databases, play, project, project_titles
from tests.service.client import Api

pytestmark = [pytest.mark.integration, pytest.mark.slow]
RELEASES = sorted(FOLDER.glob("*.backup"))


@pytest.fixture
def empty(servers) -> Iterator[str]:
    yield from empty_databases(servers.owner_url, f"upgraded_{os.getpid()}")


def test_there_is_a_release():
    """Else nothing would be tried below."""
    assert RELEASES


@pytest.mark.parametrize("release", RELEASES, ids=lambda path: path.stem)
def test_the_games_of_a_release_go_on(release: Path, empty, servers):
    """All chains hold, ended games verify, running ones are played on, the open one is joined."""
    told = json.loads(release.with_suffix(".json").read_text())
    done = restore(empty, release)  # with its own schema first, then brought up to date
    assert done.checked.games == len(told["running"]) + len(told["finished"]) + 1
    with ConnectionPool(empty, kwargs={"autocommit": True}, open=False) as pool:
        games = Games(EventLog(pool))
        for game_id in (*told["running"], *told["finished"]):
            assert _judge(games, game_id) == ("same", ""), game_id
        for game_id in told["running"]:
            before = games.load(game_id)
            after = play(games, before, 10, seed=7)
            assert after.seq > before.seq or before.status == "finished"
        assert {games.load(game_id).title_id for game_id in told["running"]} >= set(project_titles()[:1])
        _go_on_by_the_api(empty, servers.redis_url, told)
        project(pool)
        with pool.connection() as connection:
            listed = connection.execute("SELECT count(*) FROM lobby").fetchone()[0]
    assert listed == done.checked.games + 1
    with psycopg.connect(empty) as connection:
        assert check_log(connection).events > done.checked.events


def _go_on_by_the_api(database: str, redis_url: str, told: dict) -> None:
    """Accounts, tokens and seats are what they were."""
    app = create_app(Settings(database, redis_url, signing_key=told["key"], log_requests=False))
    try:
        captain = Api(app, told["token"])
        mine = {game["id"] for game in captain.get("/v1/games?mine=true&limit=1000")["games"]}
        assert mine >= {*told["running"], told["open"]}
        other = Api(app).account("Newcomer")
        other.post(f"/v1/games/{told['open']}/join", {})
        title = captain.get(f"/v1/games/{told['open']}")["title"]
        captain.post("/v1/games", {"title": title, "seats": [{"you": True}, {"open": True}]}, status=201)
    finally:
        app.extensions["rutter"].close()
