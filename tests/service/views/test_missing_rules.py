"""A game whose rules are not installed: named exactly, and played on as soon as they are back."""

from contextlib import ExitStack

import pytest

from ops.cli.db.replay import _judge
from projections.runner import Runner
from tests.playing import advance, with_other_data
from tests.service.factories import GameRequest

pytestmark = pytest.mark.integration


@pytest.fixture
def played(api):
    """(somebody's API, a running game of theirs)."""
    ada = api.account("Ada")
    games = api.app.extensions["rutter"].games
    game = ada.post("/v1/games", GameRequest(hotseat=2), status=201)
    return ada, advance(games, games.load(game["id"]), 5)


@pytest.fixture
def other_data(played):
    """The title's data are no longer those that the game began under."""
    with ExitStack() as lasting:
        lasting.enter_context(with_other_data(played[1].title))
        yield lasting


def test_anyone_who_asks_is_told_what_is_missing(played, other_data):
    """Title, version and data, and what the operator does; never that the request was wrong."""
    ada, game = played
    path = f"/v1/games/{game.id}"
    for method, where in (("GET", ""), ("GET", "/table"), ("GET", "/decisions"), ("POST", "/commands")):
        body = {} if method == "GET" else {"body": {"type": "pass"}}
        answer = ada.send(method, path + where, *body.values())
        problem = answer.get_json(force=True)
        assert (answer.status_code, problem["code"]) == (503, "rules_missing")
        missing = {"title": "colonial_empires", "version": 2, "data_hash": game.data_hash}
        assert problem["missing"] == missing
        assert "rutter keep colonial_empires" in problem["detail"]
        assert int(answer.headers["Retry-After"]) >= 60


def test_it_goes_on_when_they_are_back(played, other_data):
    """Nothing was lost or changed meanwhile."""
    ada, game = played
    other_data.close()
    games = ada.app.extensions["rutter"].games
    assert advance(games, games.load(game.id), 5).seq > game.seq


def test_the_release_check_tells_them_apart(played, other_data):
    """Such a game is neither same nor broken: it is missing its rules."""
    ada, game = played
    games = ada.app.extensions["rutter"].games
    verdict, reason = _judge(games, game.id)
    assert verdict == "missing"
    assert f"colonial_empires version 2 with the data {game.data_hash[:16]}" in reason
    other_data.close()
    assert _judge(games, game.id) == ("same", "")


def test_its_read_models_wait_too(played, other_data, pool):
    """It is set aside where the operator sees it, with the reason; the other games go on."""
    ada, game = played
    log = ada.app.extensions["rutter"].games.log
    log.sequence()
    runner = Runner(log)
    while runner.step():
        pass
    with pool.connection() as connection:
        errors = connection.execute("SELECT error FROM es.parked WHERE game_id = %s", (game.id,)).fetchall()
    assert all("RulesMissing" in error for (error,) in errors)
