"""Games whose bundles are in a store answer as before; where the store is away, they alone do not."""

from __future__ import annotations

import pytest

from events.store import object_storage
from events.store.signing_keys import load_seeds
from ops.server.wsgi import create_app
from tests.archiving import follow, long_ago, run_archiver
from tests.losing_proxy import LosingProxy, Loss
from tests.playing import play_to_the_end
from tests.service.client import Api, check_problem
from tests.service.factories import Bot, GameRequest, You
from tests.stores import ftp_server, log_in
from tests.waiting import PATIENCE

pytestmark = pytest.mark.integration
ASKED = ("", "?at=3", "/events", "/history", "/audit", "/stream", "/table")


@pytest.fixture
def store(tmp_path, monkeypatch):
    log_in(monkeypatch)
    monkeypatch.setattr(object_storage, "SUSPEND_SECONDS", 0.0)
    monkeypatch.setattr(object_storage, "READ_SECONDS", PATIENCE)
    object_storage._suspended_until.clear()
    with ftp_server(tmp_path) as server:
        yield server


@pytest.fixture
def ended(process, ada, monkeypatch):
    """A game that has ended long ago, and another one."""
    monkeypatch.setattr(process.games, "now", long_ago)
    games = []
    for _ in range(2):
        made = ada.post(
            "/v1/games", GameRequest(seats=[You(), Bot(bot="random"), Bot(bot="random")]), status=201
        )
        play_to_the_end(process.games, process.games.load(made["id"]))
        games.append(made["id"])
    follow(process.games.log, process.keyring)
    return games


@pytest.fixture
def moved(store, ended, owner, settings):
    """The first of them is in the store."""
    told = run_archiver(owner, load_seeds(None, settings.data), store.url, ended[:1])
    assert (told.games, told.left) == (1, [])
    assert [file.parent.name for file in store.folder.rglob(f"{ended[0]}.*.xz")] == [ended[0][-2:]]
    return ended


@pytest.fixture
def cold(settings):
    """A process that has nothing in its memory."""
    made = create_app(settings)
    yield made
    made.extensions["rutter"].close()


@pytest.mark.slow
def test_answers_are_the_same(store, ended, owner, settings, ada, cold):
    """Before the game is in the store and after."""
    path = f"/v1/games/{ended[0]}"
    asked = [path, f"{path}?at=3", f"{path}/events?limit=50", f"{path}/history", f"{path}/audit"]
    before = [ada.send("GET", one).data for one in asked]
    run_archiver(owner, load_seeds(None, settings.data), store.url, ended[:1])
    assert cold.extensions["rutter"].games.log.is_archived(ended[0])
    after = [Api(cold, ada.token).send("GET", one).data for one in asked]
    assert [len(one) for one in after] == [len(one) for one in before]
    assert after[:-1] == before[:-1]


@pytest.mark.slow
def test_a_store_that_is_away(store, moved, ada, cold):
    """Its game answers 503 with a code of its own, all others as ever; it is back with the store."""
    game, other = moved
    here = Api(cold, ada.token)
    store.end()
    for what in ASKED:
        answer = here.send("GET", f"/v1/games/{game}{what}")
        assert check_problem(answer) == (503, "archive_away"), what
        assert answer.headers["Retry-After"]
        assert "ftp" not in answer.text, "where it is, is nobody's business"
    assert here.get(f"/v1/games/{other}/history")["history"]
    store.begin()
    assert here.get(f"/v1/games/{game}")["status"] == "finished"


@pytest.mark.slow
def test_a_store_that_falls_silent_is_given_up(store, ended, owner, settings, ada, cold, monkeypatch):
    """In its time, and then left alone for a moment: who comes next does not wait."""
    proxy = LosingProxy(lambda: ("127.0.0.1", store.port))
    url = f"ftp://127.0.0.1:{proxy.port}/bundles"
    run_archiver(owner, load_seeds(None, settings.data), url, ended[:1])
    here = Api(cold, ada.token)
    monkeypatch.setattr(object_storage, "READ_SECONDS", 0.5)
    monkeypatch.setattr(object_storage, "SUSPEND_SECONDS", 1e6)
    try:
        with proxy.lose_share(1.0, Loss.SILENCE):
            told = here.send("GET", f"/v1/games/{ended[0]}")
            assert check_problem(told) == (503, "archive_away")
        assert check_problem(here.send("GET", f"/v1/games/{ended[0]}")) == (503, "archive_away")
        object_storage._suspended_until.clear()
        monkeypatch.setattr(object_storage, "READ_SECONDS", PATIENCE)
        assert here.get(f"/v1/games/{ended[0]}")["status"] == "finished"
    finally:
        proxy.close()
