"""Choosing empires and dealing."""

from __future__ import annotations

import pytest

from events.rules.fast_chance import FastChance
from events.rules.scripted_chance import ScriptedChance
from events.rules.steps import Rejected
from events.titles.colonial_empires import TITLE
from events.titles.colonial_empires.options import Options
from tests.titles.colonial_empires.scene import Places, Recorded, refused, scene


def opened(seats: int, lead: int = 0, **options):
    return TITLE.open(seats, Options(**options), ScriptedChance([lead])).state


@pytest.mark.parametrize("seats", [1, 11])
def test_two_to_ten_players(seats):
    """Neither one player nor eleven can play (CEM-101)."""
    with pytest.raises(Rejected) as rejected:
        TITLE.check_options(seats, Options())
    assert rejected.value.code == "invalid_options"


@pytest.mark.parametrize("seats", range(2, 11))
def test_lead_seat_is_any_seat(seats):
    """The lot is uniform over all seats, one public draw (CEM-106)."""
    leads = [TITLE.open(seats, Options(), Places(place)).state.lead_seat for place in range(seats)]
    assert leads == list(range(seats))
    chance = Recorded()
    TITLE.open(seats, Options(), chance)
    assert chance.draws == [((seats,), False)]


def test_five_players_choose_among_the_basic_empires():
    """With up to five players the five basic empires are open (CEM-104)."""
    offered = [command.empire for command in TITLE.legal(opened(5), 0)]
    assert offered == ["portuguese", "spanish", "english", "french", "dutch"]
    assert refused(opened(5), 0, "choose_empire", empire="ottoman") == "empire_not_available"


def test_six_players_choose_among_all_ten():
    """From six players on all ten empires are open (CEM-105)."""
    assert len(list(TITLE.legal(opened(6), 0))) == 10


def test_option_opens_all_empires():
    """The option opens the additional empires to smaller tables (CEM-105)."""
    assert len(list(TITLE.legal(opened(2, additional_empires=True), 0))) == 10


def test_unknown_empire():
    """A word that is no empire is refused (CEM-103)."""
    assert refused(opened(2), 0, "choose_empire", empire="swedish") == "unknown_empire"


def test_choice_goes_clockwise_from_the_lead_seat():
    """After the last seat comes the first (CEM-106)."""
    state, order = opened(4, lead=2), []
    while TITLE.in_setup(state):
        (decision,) = TITLE.decisions(state)
        order.append(decision.seat)
        state = TITLE.decide(state, decision.seat, TITLE.default(state, decision), FastChance(1)).state
    assert order == [2, 3, 0, 1]


def test_empires_stay():
    """No empire can be chosen again, and all see them (CEM-107)."""
    state = scene(3)
    assert refused(state, 0, "choose_empire", empire="dutch") == "not_your_decision"
    assert TITLE.view_json(state, None)["empire"] == ["portuguese", "spanish", "english"]


def test_starting_hands_are_dealt_in_seat_order():
    """Seat 0 gets its whole hand first, also when another seat leads (CEM-108)."""
    state = opened(2, lead=1)
    chance = ScriptedChance(["china_tea", "china_silk", "china_jade", "china_pearls"], FastChance(1))
    for seat, empire in ((1, "dutch"), (0, "spanish")):
        state = TITLE.decide(state, seat, TITLE.command_type("choose_empire")(empire), chance).state
    assert state.hand[0][:2] == ("china_tea", "china_silk")
    assert state.hand[1][:2] == ("china_jade", "china_pearls")
