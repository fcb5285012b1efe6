"""House rules: what a table may choose, and games of before they could be chosen."""

from __future__ import annotations

import msgspec
import pytest
from marshmallow import ValidationError

from events.proof import canonical
from events.rules.fast_chance import FastChance
from events.titles.colonial_empires import TITLE
from events.titles.colonial_empires.options import Options
from service.http.request_data import convert_value
from service.openapi.json_schemas import make_title_schemas
from tests.titles.colonial_empires.scene import build_scene, event_scene, random_game


def test_what_is_not_chosen_leaves_no_trace():
    """A game whose options were recorded before there were more reads and writes the same (CEM-604)."""
    recorded = {"additional_empires": False, "region_bonuses_stack": False}
    options = msgspec.convert(recorded, Options)
    assert msgspec.to_builtins(options) == recorded
    began = TITLE.open(3, options, FastChance(1)).facts[0]
    assert canonical.encode(msgspec.to_builtins(began)["options"]) == canonical.encode(recorded)


def test_one_card_at_a_time_round_the_table():
    """With `event_turns = one_card` a random game never has two cards in one turn (CEM-506, CEM-528)."""
    game = random_game(4, seed=3, event_turns="one_card", additional_empires=True)
    played = 0
    for fact in game.facts:
        name = type(fact).__name__
        if name == "EventTurnStarted":
            played = 0
        played += name in {"EventCardPlayed", "ItalianDiscardRequired"}
        assert played <= 1
    assert TITLE.outcome(game.state)


def test_one_paid_draw():
    """With `paid_draws = one` nobody buys twice in a Fate Phase (CEM-308)."""
    game = random_game(3, seed=2, paid_draws="one")
    bought = set()
    for fact in game.facts:
        if type(fact).__name__ == "TurnBegan":
            bought = set()
        if type(fact).__name__ == "ExtraCardBought":
            assert fact.seat not in bought
            bought.add(fact.seat)


def test_one_paid_build():
    """With `paid_builds = one` no list with two paid cards is offered or played (CEM-604)."""
    hand = ["china_silk", "china_tea", "india_rugs", "industry_banking", "west_indies_rum"]
    state = build_scene(hand, ["china_jade"], treasury=[50, 50])
    strict = msgspec.structs.replace(state, options=Options(paid_builds="one"))
    paid = [len(TITLE.label(strict, 0, command).split("(5 Fortunes)")) for command in TITLE.legal(strict, 0)]
    assert 2 in paid
    assert not [c for c in TITLE.legal(strict, 0) if "(10 Fortunes)" in TITLE.label(strict, 0, c)]
    assert len(list(TITLE.legal(strict, 0))) < len(list(TITLE.legal(state, 0)))
    assert TITLE.complete(strict, 0)
    game = random_game(3, seed=4, paid_builds="one")
    assert max(f.paid_count for f in game.facts if type(f).__name__ == "CardsPutIntoPlay") <= 1


def test_passing_reads_as_what_it_is():
    """Where an event turn is one card, ending it is passing for the whole phase (CEM-528)."""
    state = event_scene(["event_exploitation"], ["china_tea"])
    once = msgspec.structs.replace(state, options=Options(event_turns="one_card"))
    assert [TITLE.label(s, 0, list(TITLE.legal(s, 0))[-1]) for s in (state, once)] == [
        "End your event turn",
        "Pass for the rest of this Event Phase",
    ]


@pytest.mark.parametrize("name", ["event_turns", "paid_draws", "paid_builds"])
def test_unknown_settings_are_refused(name):
    """A setting that there is not is no option."""
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({name: "two"}, Options)


def test_every_option_is_described_and_can_be_asked_for():
    """The title tells clause and effect of each option; what a client sends for it is read (CEM-506)."""
    shown = make_title_schemas(TITLE)["options"]["properties"]
    assert list(TITLE.option_notes) == list(shown)
    assert all(shown[name]["clause"].startswith("CEM-") for name in shown)
    assert shown["event_turns"]["default"] == "whole"
    assert set(shown["event_turns"]["enum"]) == {"whole", "one_card"}
    chosen = {"event_turns": "one_card", "paid_draws": "one", "paid_builds": "one"}
    assert convert_value(chosen, Options) == Options(**chosen)
    with pytest.raises(ValidationError):
        convert_value({"event_turns": None}, Options)
