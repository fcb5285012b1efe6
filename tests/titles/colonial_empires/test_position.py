"""Positions: read, refused with a reason, or playable."""

from __future__ import annotations

import copy
import random
from contextlib import suppress

import msgspec
import pytest

from events.rules.fast_chance import FastChance
from events.rules.steps import Rejected
from events.rules.title import InvalidPosition
from events.rules.vectors import merge
from events.titles.colonial_empires import TITLE
from events.titles.colonial_empires.data import CARD_NAMES, EMPIRES, EVENTS
from tests.titles.colonial_empires.scene import command, random_game, scene

ODD = (
    0,
    1,
    -1,
    2,
    5,
    99,
    10**12,
    "",
    "china_tea",
    "event_intrigue",
    "trading",
    "spanish",
    None,
    True,
    [],
    [0],
    {},
    ["china_tea"],
)


def spoil(value, rng):
    """Change one place somewhere below."""
    keys = list(value) if isinstance(value, dict) else list(range(len(value)))
    key = rng.choice(keys)
    if isinstance(value[key], dict | list) and value[key] and rng.random() < 0.75:
        spoil(value[key], rng)
    elif isinstance(value, list) and rng.random() < 0.3:
        value.append(copy.deepcopy(rng.choice(value))) if rng.random() < 0.5 else value.pop(key)
    else:
        value[key] = another(value[key], rng)


def another(value, rng):
    """Mostly a value of the same type, so that many positions are accepted."""
    if rng.random() < 0.2:
        return copy.deepcopy(rng.choice(ODD))
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return rng.choice((value + 1, value - 1, 0, 1, rng.randrange(12)))
    if isinstance(value, str) and value in CARD_NAMES:
        return rng.choice(list(CARD_NAMES))
    return copy.deepcopy(rng.choice(ODD))


def exercise(state, rng) -> None:
    """Everything that the title does with a state works."""
    for seat in (None, *range(state.seats)):
        TITLE.panels(TITLE.view_json(state, seat), seat)
    chance = FastChance(rng.randrange(1000))
    for decision in TITLE.decisions(state):
        assert TITLE.decide(state, decision.seat, TITLE.default(state, decision), chance).facts
    for seat in range(state.seats):
        other = TITLE.imagine(state, seat, chance)
        assert TITLE.view_json(other, seat) == TITLE.view_json(state, seat)
        listed = list(TITLE.legal(state, seat))
        assert listed == list(TITLE.legal(other, seat))
        for given in rng.sample(listed, min(4, len(listed))):
            assert TITLE.label(state, seat, given)
            assert TITLE.decide(state, seat, given, chance).facts
        try_anything(state, seat, rng)
        sampled = TITLE.sample(state, seat, chance)
        if sampled is not None:
            assert TITLE.decide(state, seat, sampled, chance).facts


def try_anything(state, seat, rng) -> None:
    """Any well-typed command is accepted or rejected."""
    for name, arguments in anything(rng):
        given = command(name, **arguments)
        with suppress(Rejected):
            assert TITLE.decide(state, seat, given, FastChance(1)).facts


def anything(rng):
    """One command of each type, filled at random."""

    def cards():
        return rng.choices(list(CARD_NAMES), k=rng.randrange(3))

    def side():
        return {"fortunes": rng.randrange(3), "hand_cards": cards(), "in_play_cards": cards()}

    number = {"offer_id": rng.randrange(6)}
    target = rng.choice(
        [{}, {"target_player": rng.randrange(-1, 11)}, {"target_card": rng.choice(list(CARD_NAMES))}]
    )
    yield "choose_empire", {"empire": rng.choice(list(EMPIRES))}
    yield "play_event_card", {"card": rng.choice(list(EVENTS)), **target}
    yield "offer_trade", {"to": rng.choice((None, *range(-1, 11))), "give": side(), "ask": side()}
    for name in (
        "request_extra_card",
        "decline_extra_card",
        "use_italian_power",
        "end_event_turn",
        "finish_trading",
    ):
        yield name, {}
    for name in ("submit_build", "discard_for_italian_power", "discard_excess"):
        yield name, {"cards": cards()}
    for name in ("accept_trade", "decline_trade", "withdraw_trade"):
        yield name, number


@pytest.mark.parametrize("seed", range(8))
def test_spoilt_positions(seed):
    """A position with a changed value is refused with a reason, or can be played like any other."""
    rng = random.Random(seed)
    game = random_game(rng.choice((2, 3, 4, 6)), seed)
    accepted = 0
    for _ in range(400):
        data = msgspec.json.decode(msgspec.json.encode(TITLE.position(rng.choice(game.moments).state)))
        for _ in range(rng.choice((1, 1, 2, 3))):
            spoil(data, rng)
        state = read(data)
        if state is not None:
            accepted += 1
            if accepted % 3 == 0:
                exercise(state, rng)
    assert accepted


def read(data):
    """The state of a position, or None if it is refused."""
    try:
        return TITLE.from_position(data)
    except InvalidPosition:
        return None


@pytest.mark.parametrize("seed", range(3))
def test_odd_positions_play_to_their_end(seed):
    """A spoilt but accepted position is a game like any other: random commands end it."""
    rng = random.Random(100 + seed)
    game = random_game(3, seed)
    played = 0
    while played < 6:
        data = TITLE.position(rng.choice(game.moments).state)
        spoil(data, rng)
        state = read(data)
        if state is None:
            continue
        chance, played = FastChance(played), played + 1
        while waiting := TITLE.awaited(state):
            seat = chance.pick(waiting).seat
            try:
                state = TITLE.decide(state, seat, TITLE.sample(state, seat, chance), chance).state
            except Rejected as rejected:
                raise AssertionError(f"sampled but refused: {rejected}") from None


WRONG = [
    ({"seats": 11}, "seats"),
    ({"treasury": [1, 2]}, "treasury"),
    ({"treasury": {0: -1}}, "treasury"),
    ({"lead_seat": 3}, "lead_seat"),
    ({"empire": ["dutch", "swedish", "spanish"]}, "empire"),
    ({"empire": ["dutch", None, "spanish"]}, "empire"),
    ({"deck": ["tea"]}, "deck"),
    ({"in_play": {0: ["event_intrigue"]}}, "in_play"),
    ({"phase": "revenue", "step": None}, "phase"),
    ({"phase": "build", "step": "trading"}, "step"),
    ({"fate_in": []}, "step"),
    ({"fate_in": [0, 0]}, "fate_in"),
    ({"fate_order": [0]}, "fate_order"),
    ({"fate_answers": [True, False, True]}, "step"),
    ({"phase": "event", "step": "event_turn", "event_order": [0, 1], "event_index": 2}, "event_index"),
    ({"phase": "event", "step": "italian_discard", "event_order": [0]}, "italian_pending"),
    ({"italian_pending": 1}, "italian_pending"),
    ({"build_plans": {0: []}}, "build_plans"),
    ({"discards_due": {0: 1}}, "discards_due"),
    ({"discard_choices": {0: ["china_tea"]}}, "discard_choices"),
    ({"known": {0: [{"card": "china_tea", "seats": [0]}]}}, "known"),
    ({"known": {0: [{"card": "china_tea", "seats": []}]}}, "known"),
    ({"result": {"places": [1, 2, 3], "winners": [0]}}, "result"),
    ({"surplus": 1}, "surplus"),
]


@pytest.mark.parametrize(
    ("change", "part"), WRONG, ids=[f"{number}-{part}" for number, (_, part) in enumerate(WRONG)]
)
def test_reason_names_the_part(change, part):
    """The message of a refusal names what is wrong."""
    with pytest.raises(InvalidPosition, match=part):
        TITLE.from_position(merge(TITLE.position(scene(3)), change))


OFFER = {"offer_id": 1, "from": 0, "to": 1, "give": {"fortunes": 1}, "ask": {"hand_cards": ["china_tea"]}}
WRONG_OFFERS = [
    ([OFFER | {"offer_id": 0}], "not within"),
    ([OFFER | {"to": 0}], "named twice"),
    ([OFFER | {"to": 7}], "not within"),
    ([OFFER, OFFER], "rise"),
    ([OFFER, OFFER | {"offer_id": 2}], "two open offers"),
    ([OFFER | {"give": {}, "ask": {}}], "empty"),
    ([OFFER | {"give": {"hand_card_count": 1}}], "name 1 unnamed card"),
    ([OFFER | {"give": {"hand_card_count": 1}, "unnamed_cards": ["china_tea"]}], "does not hold"),
    ([OFFER | {"declined_by": [2]}], "only an offer to everybody"),
    ([OFFER | {"to": None, "declined_by": [0]}], "the offerer has declined"),
    ([OFFER | {"to": None, "declined_by": [1, 2]}], "all others have declined"),
    ([OFFER | {"to": None}, OFFER | {"offer_id": 2, "to": None}], "two open offers"),
    ([OFFER | {"give": {"hand_cards": ["china_tea"]}}], "does not hold"),
    ([OFFER | {"ask": {"fortunes": 1}}], "both sides"),
    ([OFFER | {"ask": {"in_play_cards": ["china_tea", "china_tea"]}}], "twice"),
]


@pytest.mark.parametrize(("offers", "problem"), WRONG_OFFERS, ids=[str(n) for n in range(len(WRONG_OFFERS))])
def test_impossible_offers(offers, problem):
    """Open offers are numbered, between two players, and their hand cards are there."""
    trading = {"phase": "trade", "step": "trading", "next_offer_id": 3, "offers": offers}
    with pytest.raises(InvalidPosition, match=problem):
        TITLE.from_position(merge(TITLE.position(scene(3, hand=[["china_silk"], [], []])), trading))


def test_deck_is_read_in_any_order():
    """A deck is a multiset: the order in which it is written does not matter (CEM-204)."""
    state = scene(2, deck=["event_intrigue", "china_tea", "industry_banking", "event_intrigue"])
    assert state.deck == ("china_tea", "industry_banking", "event_intrigue", "event_intrigue")


def test_derived_sizes_are_shown_but_not_read():
    """A position names the sizes that follow from it; only hands and deck count (CEM-203, CEM-205)."""
    data = TITLE.position(scene(2, deck=[], hand=[["china_tea"], []]))
    assert (data["hand_count"], data["deck_count"], data["final_turn"]) == ([1, 0], 0, True)
    stale = data | {"hand_count": [9, 9], "deck_count": 98, "final_turn": False}
    assert TITLE.position(TITLE.from_position(stale)) == data


def test_answer_of_one_who_cannot_pay():
    """A Treasury never falls below 0: who cannot pay is out, whatever their answer was (CEM-211, CEM-310)."""
    state = scene(3, treasury=[0, 9, 9], fate_answers=[True, None, None])
    assert (state.fate_in, state.fate_answers) == ((1, 2), (None, None, None))


def test_six_players_have_the_additional_empires():
    """The option is on at larger tables, also where a position says otherwise (CEM-105)."""
    state = scene(6, options={"additional_empires": False})
    assert state.options.additional_empires
    assert TITLE.blank(6, TITLE.Options()).options.additional_empires
