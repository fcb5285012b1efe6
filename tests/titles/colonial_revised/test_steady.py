"""The steady bot plays well, and the same seed gives the same game."""

import pytest

from events.rules.catalogue import find_title
from events.titles.colonial_revised import commands as c
from events.titles.colonial_revised.data import DIPLOMACY
from events.titles.colonial_revised.parts import SeatCount
from tests.titles.colonial_revised.given import after, fresh, land
from tests.titles.match import match, steady_wins
from workers.bots import choose_move, find_bot
from workers.bots.colonial_revised import _THUMB, rank_owners
from workers.bots.colonial_revised_plans import PLANS

TITLE = find_title("colonial_revised")


def test_steady_beats_random_at_three():
    """By luck alone it would win a third of the games."""
    assert steady_wins(TITLE, 3, 18) >= 0.85


def test_steady_beats_random_at_five():
    """By luck alone it would win a fifth of the games."""
    assert steady_wins(TITLE, 5, 15) >= 0.8


def test_steady_players_finish_their_games():
    """A table of steady players comes to an end, and repeats exactly."""
    first = match(TITLE, ["steady"] * 4, 7)
    assert first.winners
    assert match(TITLE, ["steady"] * 4, 7) == first


@pytest.mark.parametrize("diplomacy", [DIPLOMACY - 1, DIPLOMACY])
def test_the_ambassador_is_used_where_that_changes_something(diplomacy):
    """At the right end of Diplomacy it is not, unless there is Unrest to remove. No use is refused."""
    quiet = fresh(players={0: {"diplomacy": diplomacy}})
    canada = {"canada": land(unrest=2, furs=[[0, 1]])}
    restless = fresh(players={0: {"diplomacy": diplomacy}}, territories=canada)
    for state, count in ((quiet, diplomacy < DIPLOMACY), (restless, 1)):
        uses = [command for _, command in PLANS["ambassador"](_THUMB, TITLE, state, 0)]
        assert len(uses) == count
        assert all(command in TITLE.legal(state, 0) for command in uses)


def test_goods_of_those_who_stand_lowest_come_first():
    """Whatever their seats, so that no seat is favoured; the third version does so, the second did not."""
    for rich, poor in ((1, 2), (2, 1)):
        purses = {0: {"economy": 4}, rich: {"treasury": 9}, poor: {"treasury": 3}}
        state = fresh(players={seat: {"market_goods": 3, **has} for seat, has in purses.items()})
        assert rank_owners(state).index(poor) < rank_owners(state).index(rich)
        state = after(state, 0, c.SellGoods(0, (SeatCount(1, 3), SeatCount(2, 3))))
        for owner in (1, 2):
            state = after(state, owner, c.AnswerTradeRequest(3))
        moved = {
            name: {entry.seat: entry.count for entry in choose_move(TITLE, bot, state, 0, b"1").goods}
            for name, bot in ((name, find_bot(TITLE.id, name)) for name in ("steady", "steady@2"))
        }
        assert moved == {"steady": {poor: 3, rich: 1}, "steady@2": {1: 3, 2: 1}}
