"""The people of these tests."""

import pytest
from click.testing import CliRunner

from tests.clock import Clock
from tests.servers import reachable_folder


@pytest.fixture(scope="module")
def ada(api):
    """An account of this module."""
    return api.account("Ada")


@pytest.fixture(scope="module")
def bob(api):
    """Another."""
    return api.account("Bob")


@pytest.fixture(scope="module")
def olga(api):
    """Who runs the tournaments of this module."""
    return api.account("Olga")


@pytest.fixture(scope="module")
def players(api):
    """Four who play."""
    return [api.account(f"Player {number}") for number in range(1, 5)]


@pytest.fixture(scope="module")
def process(app):
    """What the application is made of."""
    return app.extensions["rutter"]


@pytest.fixture(scope="module")
def games(process):
    """Games as the application plays them."""
    return process.games


@pytest.fixture
def clock(games, monkeypatch):
    """The time of the application, as long as the test runs."""
    clock = Clock(games.now())
    monkeypatch.setattr(games, "now", clock)
    return clock


@pytest.fixture
def operator(database, servers, tmp_path, monkeypatch):
    """Run a command of the operator on the database of these tests; return its output."""
    monkeypatch.setenv("DATABASE_URL", database)
    monkeypatch.setenv("REDIS_URL", servers.redis_url)
    monkeypatch.setenv("RUTTER_DATA", str(reachable_folder(tmp_path)))  # not this machine's own

    def call(command, *words):
        answer = CliRunner().invoke(command, words)
        assert answer.exit_code == 0, answer.output
        return answer.output

    return call
