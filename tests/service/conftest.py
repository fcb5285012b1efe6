"""The people of these tests."""

import pytest

from tests.clock import Clock


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
