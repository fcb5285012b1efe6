"""The Build Phase: what is free, what is paid."""

from __future__ import annotations

import random
from itertools import combinations, permutations

import pytest

from events.rules.steps import Rejected
from events.titles.colonial_empires import TITLE
from events.titles.colonial_empires.data import EMPIRES, EVENTS, INDUSTRIES, RESOURCES
from events.titles.colonial_empires.steps.build import build_cost, free_plays
from tests.titles.colonial_empires.scene import build_scene, do, refused


def free_by_trying(empire, cards) -> int:
    """The most cards that any assignment makes free: the free play, then the powers."""
    best = 0
    for play in free_choices(cards):
        rest = [card for card in cards if card not in play]
        resources = sum(card in RESOURCES for card in rest)
        industries = len(rest) - resources
        powers = min(empire.free_resources, resources) + min(empire.free_industries, industries)
        best = max(best, len(play) + powers)
    return best


def free_choices(cards):
    """Nothing, one card, or a group of one region (CEM-602, CEM-603)."""
    yield ()
    for card in cards:
        yield (card,)
    for size in range(2, len(cards) + 1):
        for group in combinations(cards, size):
            if (
                all(card in RESOURCES for card in group)
                and len({RESOURCES[card].region for card in group}) == 1
            ):
                yield group


@pytest.mark.parametrize("empire", EMPIRES)
def test_cheapest_assignment(empire):
    """The formula finds what trying every assignment finds (CEM-602, CEM-603, CEM-605, CEM-606, CEM-607)."""
    rng = random.Random(5)
    pool = [
        *[card for card in RESOURCES if RESOURCES[card].region in {"china", "india"}],
        *list(INDUSTRIES)[:4],
    ]
    for _ in range(150):
        cards = rng.sample(pool, rng.randrange(7))
        assert free_plays(EMPIRES[empire], cards) == free_by_trying(EMPIRES[empire], cards), cards


def test_order_of_the_list_does_not_matter():
    """The price is that of the set of cards (CEM-607)."""
    cards = ("china_silk", "industry_banking", "china_tea", "india_rugs")
    costs = {build_cost(EMPIRES["dutch"], order) for order in permutations(cards)}
    assert len(costs) == 1


@pytest.mark.parametrize("empire", ["spanish", "dutch", "french"])
def test_listed_builds_are_all_there_are(empire):
    """A list is offered exactly if it is accepted (CEM-601, CEM-608, CEM-609, CEM-612)."""
    hand = ["china_silk", "event_intrigue", "china_tea", "india_rugs", "industry_banking", "industry_whaling"]
    state = build_scene(hand, ["china_jade"], empire=[empire, "portuguese"], treasury=[6, 10])
    listed = {frozenset(command.cards) for command in TITLE.legal(state, 0)}
    assert TITLE.complete(state, 0)
    for size in range(len(hand) + 1):
        for cards in combinations(hand, size):
            try:
                do(state, 0, "submit_build", cards=list(cards))
                fine = True
            except Rejected:
                fine = False
            assert fine == (frozenset(cards) in listed), cards


def test_long_hands_get_a_selection():
    """With many cards the natural lists are offered, and said not to be all (CEM-603)."""
    hand = [card for card in (*RESOURCES, *INDUSTRIES) if card not in EVENTS][:20]
    state = build_scene(hand, ["event_intrigue"], treasury=[7, 7])
    listed = list(TITLE.legal(state, 0))
    assert not TITLE.complete(state, 0)
    assert 20 < len(listed) <= 300
    assert {(card,) for card in hand} <= {command.cards for command in listed}, "no card is hidden"
    for command in listed:
        assert TITLE.decide(state, 0, command, None).facts


def test_unused_plays_are_lost():
    """A turn without a build gives no second free play later (CEM-611)."""
    state = build_scene(
        ["china_tea", "india_rugs"], ["event_intrigue"], treasury=[0, 0], empire=["dutch", "spanish"]
    )
    for seat, name, arguments in (
        (0, "submit_build", {"cards": []}),
        (1, "submit_build", {"cards": []}),
        (0, "finish_trading", {}),
        (1, "finish_trading", {}),
        (1, "end_event_turn", {}),
        (0, "end_event_turn", {}),
    ):
        state = do(state, seat, name, **arguments).state
    assert (state.phase, state.turn, state.treasury[0]) == ("build", 2, 5)
    cards = ["china_tea", "india_rugs"]
    draft = do(do(state, 0, "submit_build", cards=cards).state, 1, "submit_build", cards=[])
    assert next(fact for fact in draft.facts if type(fact).__name__ == "CardsPutIntoPlay").cost == 5


def test_card_named_twice():
    """A card can be built as often as it is held (CEM-601)."""
    state = build_scene(["china_tea"], ["china_silk"])
    assert refused(state, 0, "submit_build", cards=["china_tea", "china_tea"]) == "card_not_in_hand"


def test_unknown_card():
    """A word that is no card is refused as such (CEM-601)."""
    assert (
        refused(build_scene(["china_tea"], ["china_silk"]), 0, "submit_build", cards=["tea"])
        == "unknown_card"
    )


def test_everybody_without_cards():
    """If nobody has a hand card the reveal follows at once (CEM-612)."""
    state = build_scene(["china_tea"], [], build_plans=[None, []])
    after = do(state, 0, "submit_build", cards=["china_tea"]).state
    assert after.step == "trading"
    assert after.build_plans == (None, None)
