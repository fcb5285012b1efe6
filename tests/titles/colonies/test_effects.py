"""The primitives of event effects (§5.8), each through the interpreter."""

import msgspec
import pytest

from events.rules.fast_chance import FastChance
from events.rules.steps import Rejected
from events.titles.colonies import primitives as p
from events.titles.colonies.changes import apply
from events.titles.colonies.commands import ResolveEventEffect
from events.titles.colonies.data import CARD_SETS
from events.titles.colonies.effects import interpreter
from tests.titles.colonies.at_table import TITLE, give, table, waiting


def after(state, seat, primitive, **choice):
    """The table after a primitive, with an answer if one is given."""
    answer = (
        msgspec.convert({"type": "resolve_event_effect", **choice}, ResolveEventEffect) if choice else None
    )
    if answer is not None:
        interpreter.check(state, seat, primitive, answer)
    return apply(state, interpreter.changes(state, seat, primitive, answer))


def test_every_primitive_has_a_behaviour():
    """CLN-072: the vocabulary is closed, and all of it is interpreted and used."""
    used = {
        type(x) for c in CARD_SETS["supplied-25"].values() for e in (c.official, c.all, c.fewest) for x in e
    }
    assert set(interpreter.BEHAVIOUR) == set(p.AnyPrimitive.__args__)
    assert used == set(interpreter.BEHAVIOUR)


@pytest.mark.parametrize(
    ("n", "paid"),
    [(2, 2), (p.Quantity(base=3, level="influence"), 6), (p.Quantity(own_pirates=1), 4), (80, 50)],
)
def test_quantities(n, paid):
    """CLN-073, CLN-074: numbers may depend on a level or on own pirates; nobody pays more than they have."""
    state = table(levels={1: {"influence": 3}}, pirates={"green": {"blue": 3, "red": 1}})
    assert after(state, 1, p.PayCredits(n)).credits[1] == 50 - paid


def test_gain_credits():
    """CLN-074: from the bank."""
    assert after(table(), 1, p.GainCredits(3)).credits == (50, 53, 50, 50, 50)


def test_collect_credits_from_the_left():
    """CLN-075: clockwise from the left neighbour, as far as each has Credits."""
    state = table(credits=[1, 50, 0, 9, 9])
    changes = interpreter.changes(state, 1, p.CollectCredits(2), None)
    assert [(x.from_, x.amount) for x in changes.credits] == [(3, 2), (4, 2), (0, 1)]


def test_gain_resources_of_ones_choice():
    """CLN-076: exactly n, with `other` none of one's own colour."""
    state = table()
    assert after(state, 0, p.GainResource(2, "own")).stocks[0]["blue"] == 7
    assert after(state, 0, p.GainResource(3, "any"), resources={"blue": 1, "red": 2}).stocks[0]["red"] == 4
    with pytest.raises(Rejected, match="own_colour_excluded"):
        after(state, 0, p.GainResource(1, "other"), resources={"blue": 1})
    with pytest.raises(Rejected, match="choice_total_wrong"):
        after(state, 0, p.GainResource(2, "any"), resources={"blue": 1})


def test_payment_is_asked_only_where_there_is_a_choice():
    """CLN-077: more than n resources of at least two colours."""
    pay = p.PayResource(2, "any", "supply")
    nothing = {"blue": 0, "green": 0, "yellow": 0, "purple": 0, "red": 0}
    for held, asked in (({"red": 5}, False), ({"red": 1, "green": 1}, False), ({"red": 2, "green": 1}, True)):
        state = table(stocks={0: nothing | held})
        assert interpreter.asks(state, 0, pay) == asked


def test_forced_payment():
    """CLN-063, CLN-077: a player gives what they have."""
    state = table(stocks={0: {"blue": 0, "green": 0, "yellow": 0, "purple": 0, "red": 1}})
    left = after(state, 0, p.PayResource(3, "any", "market"))
    assert sum(left.stocks[0].values()) == 0
    assert left.markets["red"] == 2


def test_colonists_come_and_go():
    """CLN-079: losses stop at 0."""
    state = table(colonists={0: 2})
    assert after(state, 0, p.GainColonists(3)).colonists[0] == 5
    assert after(state, 0, p.LoseColonists(3)).colonists[0] == 0
    assert after(state, 0, p.LoseColonists(3, may=True), count=1).colonists[0] == 1
    with pytest.raises(Rejected, match="choice_total_wrong"):
        after(state, 0, p.LoseColonists(1, may=True), count=2)


def test_placing_starts_at_the_rightmost_route():
    """CLN-064, CLN-080: each time again, whatever lies there, neutral planets' routes included."""
    state = table(4, pirates={"blue": {"red": 4}})
    routes = after(state, 0, p.PlacePirates(5)).pirates["blue"]
    assert routes == {"red": 6, "purple": 1, "yellow": 1, "green": 1}


def test_removal_takes_as_many_as_possible():
    """CLN-081: without a choice all that lie on the one route, or all there are."""
    state = table(pirates={"blue": {"red": 2, "green": 1}})
    assert not interpreter.asks(state, 0, p.RemovePirates(3))
    assert sum(after(state, 0, p.RemovePirates(5)).pirates["blue"].values()) == 0
    assert interpreter.asks(state, 0, p.RemovePirates(2))


def test_shift_up_is_optional():
    """CLN-083: up to n agreements with room on both markers, free of charge."""
    state = table(promise={"blue": {"green": 6}})
    shift = p.ShiftAgreement(1, 2)
    for partners in ((), ("yellow",), ("yellow", "red")):
        moved = after(state, 0, shift, partners=list(partners))
        assert [moved.promise["blue"][c] for c in partners] == [2] * len(partners)
        assert moved.credits == state.credits
    for partners, code in (
        (["green"], "partner_not_eligible"),
        (["yellow", "red", "purple"], "choice_total_wrong"),
    ):
        with pytest.raises(Rejected, match=code):
            after(state, 0, shift, partners=partners)
    with pytest.raises(Rejected, match="invalid_parameters"):
        after(state, 0, shift, partners=["red", "red"])


def test_shift_down_is_compulsory():
    """CLN-083: exactly n of the eligible agreements, all of them if they are not more."""
    raised = {"blue": {"green": 2, "red": 2, "yellow": 3}, "green": {"blue": 2}, "red": {"blue": 2}}
    state = table(promise=raised)
    assert not interpreter.asks(state, 0, p.ShiftAgreement(-1, 2))
    moved = after(state, 0, p.ShiftAgreement(-1, 2)).promise
    assert (moved["blue"]["green"], moved["red"]["blue"], moved["blue"]["yellow"]) == (1, 1, 3)
    with pytest.raises(Rejected, match="choice_total_wrong"):
        after(state, 0, p.ShiftAgreement(-1, 1), partners=[])


def test_no_effect_moves_neutral_agreements():
    """CLN-087: agreements with a neutral planet are never eligible."""
    state = table(4, promise={"blue": {"green": 3}, "green": {"blue": 3}})
    assert not interpreter.asks(state, 0, p.ShiftAgreement(-1, 1))
    assert after(state, 0, p.ShiftAgreement(-1, 1)).promise == state.promise


def test_flooding():
    """CLN-084: own-colour resources come from the supply."""
    state = table()
    flooded = after(state, 3, p.FloodMarket(2))
    assert flooded.markets["purple"] == 3
    assert flooded.stocks == state.stocks


@pytest.mark.parametrize("kind", ["community", "military", "commerce", "influence", "industry"])
def test_bonus_action_at_a_raised_level(kind):
    """CLN-085: the normal rules of the action at level + plus, and declining is always possible."""
    pirates = {"red": {"blue": 9}}
    state = table(pirates=pirates, stocks={0: {"red": 9}}, promise={"blue": {"red": 2}, "red": {"blue": 2}})
    bonus = p.BonusAction(kind, 2)
    answers = list(interpreter.legal(state, 0, bonus))
    assert answers[-1] == ResolveEventEffect(decline=True)
    assert after(state, 0, bonus, decline=True) == state
    route = {"owner": "red", "source": "blue"}
    step = {"partner": "red", "kind": "bilateral_advancement"}
    most = {
        "community": ({"removals": [{"route": route, "count": 3}], "to_stock": 0}, 4),
        "military": ({"removals": [{"route": route, "count": 3}]}, 4),
        "commerce": ({"sales": {"red": 3}}, 4),
        "influence": ({"steps": [step, step]}, 3),
        "industry": ({"resources": 3, "colonists": 3}, 4),
    }
    choice, too_many = most[kind]
    assert after(state, 0, bonus, **choice) != state
    larger = msgspec.json.decode(msgspec.json.encode(choice).replace(b"3", str(too_many).encode()))
    if kind == "influence":
        larger = {"steps": [step, step, step]}
    with pytest.raises(Rejected, match=r"limit_exceeded|points_exceeded"):
        after(state, 0, bonus, **larger)


def test_upgrade_at_a_discount():
    """CLN-086: each part of the price is lowered, not below 0."""
    state = table(stocks={0: {"blue": 1, "green": 1}}, colonists={0: 1})
    done = after(state, 0, p.Upgrade(1), technology="industry", buy={})
    assert (done.levels[0]["industry"], done.colonists[0]) == (2, 0)
    free = after(table(), 0, p.Upgrade(9), technology="military", buy={})
    assert free.levels[0]["military"] == 2


@pytest.mark.parametrize("credits", [0, 50])
def test_questions_do_not_betray_credits(credits):
    """CLN-176: an upgrade or a bonus action is asked whatever the player can pay."""
    state = table(credits={1: credits})
    for primitive in (p.Upgrade(1), p.BonusAction("military", 2), p.BonusAction("influence", 2)):
        assert interpreter.asks(state, 1, primitive)


def test_nothing_to_change_asks_nothing():
    """CLN-177: such a primitive is completed, and recorded, without a change."""
    state = table(stocks={0: {"blue": 0, "green": 0, "yellow": 0, "purple": 0, "red": 0}})
    primitives = (
        p.PayResource(2, "any", "supply"),
        p.LoseColonists(3, may=True),
        p.RemovePirates(2),
        p.Downgrade("any"),
        p.ShiftAgreement(-1, 1),
    )
    for primitive in primitives:
        assert not interpreter.asks(state, 0, primitive)
        assert after(state, 0, primitive) == state


@pytest.mark.parametrize(
    ("card", "fields"),
    [
        ("ev14", {"count": 1}),
        ("ev14", {"decline": True}),
        ("ev14", {"resources": 4}),
        ("ev14", {"resources": {"red": 4}, "count": 1}),
        ("ev09", {"resources": {"red": 1}}),
        ("ev10", {"resources": {"blue": 1}, "colonists": 0}),
        ("ev25", {"technology": "industry"}),
        ("ev09", {"steps": [], "decline": True}),
    ],
)
def test_wrong_shapes(card, fields):
    """An answer has exactly the fields that are asked for."""
    place = {"queue": [{"seat": 0, "effect": "official"}], "primitive": 0, "chosen": True}
    state = table(phase="event_effects", current_card=card, resolution=place)
    with pytest.raises(Rejected, match="wrong_choice_shape"):
        give(state, 0, "resolve_event_effect", **fields)


@pytest.mark.parametrize("card", sorted(CARD_SETS["supplied-25"]))
@pytest.mark.parametrize("side", ["yes", "no"])
def test_every_card_is_carried_out(card, side):
    """CLN-072: each card, either way, leads with listed answers to the action phase."""
    state = table(
        4, phase="event_vote", current_card=card, colonists=[3, 0, 1, 0], levels={1: {"industry": 3}}
    )
    chance = FastChance(5)
    for seat in range(4):
        state = give(state, seat, "cast_vote", side=side, resources={}).state
    while state.phase == "event_effects":
        seat, _ = waiting(state)[0]
        state = TITLE.decide(state, seat, chance.pick(list(TITLE.legal(state, seat))), chance).state
    assert state.phase == "actions"
    assert state.resolved_cards == (card,)
