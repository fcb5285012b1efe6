"""What the players of Colonialism reckon in their heads is what the rules make of it."""

import pytest
from msgspec.structs import replace

from events.rules.catalogue import find_title
from events.rules.fast_chance import FastChance
from events.rules.steps import Draft
from events.titles.colonialism import commands as c
from events.titles.colonialism.data import COLOR_INDEX, COLORS, REGION_IDS
from events.titles.colonialism.derived import collector, due_bounds, list_offered
from events.titles.colonialism.steps.collection import collect_resources, take_color
from events.titles.colonialism.steps.conflict import resolve_conflict
from events.titles.colonialism.steps.losses import split_loss
from events.titles.colonialism.steps.policy_resolution import resolve_policy_cards
from workers.bots import find_bot
from workers.bots.colonialism_outcomes import command_key, state_after
from workers.bots.colonialism_prospects import Glance, Outlook, best_colour, gains

TITLE = find_title("colonialism")
NONE = (0, 0, 0)


def actions(seats, games, stray=50):
    """States in which a seat acts, and who: in games of the steady player, so many of a hundred at random."""
    steady = find_bot("colonialism", "steady").choose
    for number in range(games):
        chance = FastChance(f"acts/{number}")
        state = TITLE.open(seats, TITLE.Options(), chance).state
        while waiting := TITLE.awaited(state):
            seat = waiting[0].seat
            if waiting[0].kind == "action":
                yield TITLE.imagine(state, seat, chance), seat
            if chance.draw_below(100) < stray:
                given = TITLE.sample(state, seat, chance)
            else:
                given = steady(TITLE, state, seat, chance, 0)
            state = TITLE.decide(state, seat, given, chance).state


def colonized(state, index):
    """What each seat collects where the rules colonize that region, with the usual choices."""
    draft = Draft(replace(state, collection=None, losses=()), FastChance(0))
    key = REGION_IDS[index]
    resolve_policy_cards(draft, key)
    _choose_losses(draft)
    resolve_conflict(draft, key)
    _choose_losses(draft)
    collect_resources(draft, key, "colonization")
    while draft.state.collection is not None and (left := list_offered(draft.state)):
        held = draft.state.collected[collector(draft.state.collection)]
        colours = [COLOR_INDEX[colour] for colour in left]
        take_color(draft, COLORS[best_colour(held, draft.state.regions[index].cubes, colours)])
    rows = zip(draft.state.collected, state.collected, strict=True)
    return tuple(tuple(n - m for n, m in zip(new, old, strict=True)) for new, old in rows)


def _choose_losses(draft):
    while draft.state.losses:
        split_loss(draft, due_bounds(draft.state, draft.state.losses[0])[1])


def decided(state, seat, command, chance):
    """The state after an action, by the rules."""
    trial = replace(state, actions_taken=tuple(0 if s == seat else 2 for s in range(state.seats)))
    state = TITLE.decide(trial, seat, command, chance).state
    while state.losses or state.collection:
        waiting = TITLE.decisions(state)[0]
        state = TITLE.decide(state, waiting.seat, TITLE.default(state, waiting), chance).state
    return state


def board(state):
    """What lies on it, and what its players hold and have."""
    cards = [[[policy.card for policy in stack] for stack in at.policy] for at in state.regions]
    rest = [replace(at, policy=()) for at in state.regions]
    return cards, rest, state.reserve, state.collected, state.known_held


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_region_brings_what_the_rules_give(seats):
    """Cards of all kinds, conflict, collection: reckoned and carried out they come to the same."""
    brought = 0
    for state, _ in actions(seats, 3):
        for index in range(len(REGION_IDS)):
            reckoned = gains(state, index)
            assert (reckoned or (NONE,) * seats) == colonized(state, index)
            brought += reckoned is not None
    assert brought > 20


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_an_action_leaves_what_the_rules_leave(seats):
    """For every legal action, with the same die; what tells nothing of the hand is the same object."""
    kinds = set()
    for number, (state, seat) in enumerate(actions(seats, 3)):
        for command in TITLE.legal(state, seat):
            if isinstance(command, c.DrawInfluenceCard | c.MoveShip | c.WithdrawInfluenceDiscs):
                continue
            kinds.add(type(command))
            mine, theirs = FastChance(number), FastChance(number)
            after, ruled = state_after(state, seat, command, mine), decided(state, seat, command, theirs)
            assert board(after)[:4] == board(ruled)[:4]
            assert mine.draw_below(1000) == theirs.draw_below(1000)
            for before, now, then in zip(state.regions, after.regions, ruled.regions, strict=True):
                assert (now is before) == (then is before) or then == before
    assert len(kinds) == 9


def test_an_outlook_after_nothing_is_the_outlook():
    """The same state is worth the same; other objects of the same content change nothing."""
    for state, seat in list(actions(3, 1))[::5]:
        outlook, glance = Outlook(state, seat), Glance(state, seat)
        copied = replace(state, regions=tuple(replace(at) for at in state.regions))
        assert outlook.value_after(state) == outlook.value_after(copied) == outlook.now
        assert glance.change(copied) == 0


def test_an_outlook_is_the_same_from_anywhere():
    """What a state is worth after an action in one region follows from the state where its cards do not look
    at other regions: found by the difference or from nothing.
    """
    compared = 0
    for state, seat in actions(2, 2):
        bare = replace(state, regions=tuple(replace(at, policy=((), ())) for at in state.regions))
        outlook = Outlook(bare, seat)
        for command in TITLE.legal(bare, seat):
            if isinstance(command, c.ExploreRegion | c.PlayMissionaries | c.PlayPlague | c.PlayTrade):
                after = state_after(bare, seat, command, FastChance(0))
                assert outlook.value_after(after) == Outlook(after, seat).now
                compared += 1
    assert compared > 100


def test_with_another_ship_it_is_the_same_action():
    """Only where no die is thrown: two throws are two looks."""
    first = c.PlayPolicyCard(card="fleet", region="china", ship="blue_ship_1")
    assert command_key(first) == command_key(replace(first, ship="blue_ship_2"))
    assert command_key(first) != command_key(replace(first, card="army"))
    thrown = c.PlayMercenaries(region="china", ship="blue_ship_1")
    assert command_key(thrown) != command_key(replace(thrown, ship="blue_ship_2"))
