"""Requests of every kind, and one for a thousand games; fewer of them in `tests/service`."""

import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator

from tests.service.conftest import games, process
from tests.service.openapi.test_openapi import finds_nothing, tested
from tests.service.play.test_play import LONG, plays
from tests.service.views.test_exports import one_request, read_through

pytestmark = pytest.mark.integration
__all__ = ["games", "process", "tested"]


def test_the_description_is_valid(api):
    """By the validator that knows what no schema says."""
    OpenAPIV31SpecValidator(api.get("/openapi.json")).validate()


@pytest.mark.parametrize("signed_in", [False, True])
def test_schemathesis_finds_nothing(tested, signed_in):
    """Forty requests to each operation, with a token and without."""
    finds_nothing(*tested, signed_in=signed_in, examples=40, names=True)


def test_a_thousand_games_in_one_request(api, games, app):
    """They are those of the single calls, and take no more memory than a hundred."""
    zoe, mine = one_request(api, games, 1000)
    part, least = read_through(app, zoe.token, f"{mine}&games=100")
    whole, most = read_through(app, zoe.token, f"{mine}&games=1000")
    assert whole > 9 * part
    assert most - least < (whole - part) / 4, (part, least, whole, most)


@pytest.mark.parametrize("title_id", LONG)
def test_a_robot_that_knows_only_the_description_plays_a_long_game(api, title_id):
    """To its end; of the other titles in `tests/service/play/test_play.py`."""
    plays(api, title_id)
