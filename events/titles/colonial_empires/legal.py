"""The commands that a seat may give now: listed, sampled, and named on buttons."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import combinations, islice
from math import comb

from events.chance import Chance
from events.fact import Seat
from events.steps import Command
from events.titles.colonial_empires.commands import (
    ChooseEmpire,
    DeclineExtraCard,
    DiscardExcess,
    DiscardForItalianPower,
    EndEventTurn,
    PlayEventCard,
    RequestExtraCard,
    SubmitBuild,
    UseItalianPower,
)
from events.titles.colonial_empires.data import EVENTS, INCOME, RESOURCES
from events.titles.colonial_empires.derived import choosing, current, empire_of
from events.titles.colonial_empires.offers import legal_trading, may_offer, one_in, sample_trading
from events.titles.colonial_empires.state import Cards, State, StepKind
from events.titles.colonial_empires.steps.build import build_cost, buildable
from events.titles.colonial_empires.steps.choose_empires import free_empires
from events.titles.colonial_empires.steps.event import may_sift
from events.titles.colonial_empires.steps.event_cards import possible_plays
from events.titles.colonial_empires.steps.fate import unanswered

MOST_BUILDABLE = 8
"""With more cards to build than this, a selection of lists is offered (2^8 = 256 at most)."""
MOST_DISCARDS = 300
"""With more ways to discard than this, the cheapest ones are offered."""


def legal(state: State, seat: Seat) -> Iterator[Command]:
    """Legal commands of *seat*, most natural first."""
    if state.step:
        yield from _LEGAL[state.step](state, seat)


def complete(state: State, seat: Seat) -> bool:
    """Offers have no end; long hands have too many lists to build or to discard."""
    if state.step == "trading":
        return not may_offer(state, seat)
    if state.step == "build":
        return state.build_plans[seat] is not None or len(buildable(state.hand[seat])) <= MOST_BUILDABLE
    if state.step in {"hand_limit", "italian_discard"}:
        return comb(len(state.hand[seat]), _owed(state, seat)) <= MOST_DISCARDS
    return True


def _choose_empires(state: State, seat: Seat) -> Iterator[Command]:
    if choosing(state) == seat:
        for empire in free_empires(state):
            yield ChooseEmpire(empire)


def _fate_extra(state: State, seat: Seat) -> Iterator[Command]:
    if seat in unanswered(state):
        yield RequestExtraCard()
        yield DeclineExtraCard()


def _event_turn(state: State, seat: Seat) -> Iterator[Command]:
    if current(state) != seat:
        return
    if may_sift(state, seat):
        yield UseItalianPower()
    for card in dict.fromkeys(state.hand[seat]):
        if card in EVENTS:
            yield from possible_plays(state, seat, card)
    yield EndEventTurn()


def _owed(state: State, seat: Seat) -> int:
    """How many cards *seat* must choose to discard now."""
    if state.step == "italian_discard":
        return state.italian_pending if current(state) == seat else 0
    return state.discards_due[seat] if state.discard_choices[seat] is None else 0


def _discards(state: State, seat: Seat) -> Iterator[Command]:
    """The least valuable cards first."""
    number = _owed(state, seat)
    if not number:
        return
    kind = DiscardForItalianPower if state.step == "italian_discard" else DiscardExcess
    hand = sorted(state.hand[seat], key=_worth)
    for cards in dict.fromkeys(islice(combinations(hand, number), MOST_DISCARDS)):
        yield kind(cards)


def _worth(card: str) -> int:
    return INCOME.get(card, 2)


def _build(state: State, seat: Seat) -> Iterator[Command]:
    """Free lists before paid ones, more income before less; the empty list is among them (CEM-612)."""
    if state.build_plans[seat] is not None:
        return
    empire, treasury = empire_of(state, seat), state.treasury[seat]
    priced = ((build_cost(empire, cards), cards) for cards in _lists(buildable(state.hand[seat])))
    affordable = [(cost, cards) for cost, cards in priced if cost <= treasury]
    affordable.sort(key=lambda entry: (entry[0], -sum(map(_worth, entry[1]))))
    for _, cards in affordable:
        yield SubmitBuild(cards)


def _lists(cards: Cards) -> Iterable[Cards]:
    """All subsets of few cards; of many cards the natural groups, alone and with one or two cards more."""
    if len(cards) <= MOST_BUILDABLE:
        return (subset for size in range(len(cards) + 1) for subset in combinations(cards, size))
    found: dict[frozenset[str], Cards] = {frozenset(): ()}
    for group in _groups(cards):
        for more in (*((),), *combinations(cards, 1)):
            chosen = frozenset((*group, *more))
            found.setdefault(chosen, tuple(card for card in cards if card in chosen))
    return list(found.values())[:MOST_DISCARDS]


def _groups(cards: Cards) -> Iterator[Cards]:
    """What the free play may be: all cards of one region, or one Industry card (CEM-602, CEM-603)."""
    for card in cards:
        yield (card,)
    for region in dict.fromkeys(RESOURCES[card].region for card in cards if card in RESOURCES):
        yield tuple(card for card in cards if card in RESOURCES and RESOURCES[card].region == region)


_LEGAL: Mapping[StepKind, Callable[[State, Seat], Iterator[Command]]] = {
    "choose_empires": _choose_empires,
    "fate_extra": _fate_extra,
    "event_turn": _event_turn,
    "italian_discard": _discards,
    "build": _build,
    "trading": legal_trading,
    "hand_limit": _discards,
}


# --- one at random -------------------------------------------------------------------------------


def sample(state: State, seat: Seat, chance: Chance) -> Command | None:
    """One legal command at random, without listing all."""
    return _SAMPLE[state.step](state, seat, chance) if state.step else None


def _sample_empire(state: State, seat: Seat, chance: Chance) -> Command | None:
    return ChooseEmpire(chance.pick(free_empires(state), hidden=True)) if choosing(state) == seat else None


def _sample_extra(state: State, seat: Seat, chance: Chance) -> Command | None:
    if seat not in unanswered(state):
        return None
    return RequestExtraCard() if one_in(chance, 6) else DeclineExtraCard()


def _sample_event(state: State, seat: Seat, chance: Chance) -> Command | None:
    if current(state) != seat:
        return None
    if may_sift(state, seat) and one_in(chance, 2):
        return UseItalianPower()
    plays = [card for card in state.hand[seat] if card in EVENTS]
    if plays and not one_in(chance, 4):
        return _sample_play(state, seat, chance.pick(plays, hidden=True), chance)
    return EndEventTurn()


def _sample_play(state: State, seat: Seat, card: str, chance: Chance) -> Command:
    plays: list[PlayEventCard] = list(possible_plays(state, seat, card))
    return chance.pick(plays, hidden=True) if plays else EndEventTurn()


def _sample_discard(state: State, seat: Seat, chance: Chance) -> Command | None:
    number = _owed(state, seat)
    if not number:
        return None
    cards = random_cards(state.hand[seat], number, chance)
    return DiscardForItalianPower(cards) if state.step == "italian_discard" else DiscardExcess(cards)


def random_cards(hand: Cards, number: int, chance: Chance) -> Cards:
    """*number* cards of a hand, at random."""
    left = list(hand)
    return tuple(left.pop(chance.pick(range(len(left)), hidden=True)) for _ in range(number))


def _sample_build(state: State, seat: Seat, chance: Chance) -> Command | None:
    return SubmitBuild(random_build(state, seat, chance)) if state.build_plans[seat] is None else None


def random_build(state: State, seat: Seat, chance: Chance) -> Cards:
    """A card with the others of its region, sometimes one more, as far as it can be paid."""
    cards = [card for card in state.hand[seat] if card not in EVENTS]
    if not cards or one_in(chance, 8):
        return ()
    first = chance.pick(cards, hidden=True)
    chosen: Cards = (first,)
    if first in RESOURCES:
        region = RESOURCES[first].region
        chosen = tuple(card for card in cards if card in RESOURCES and RESOURCES[card].region == region)
    rest = [card for card in cards if card not in chosen]
    if rest and one_in(chance, 2):
        more = (*chosen, chance.pick(rest, hidden=True))
        if build_cost(empire_of(state, seat), more) <= state.treasury[seat]:
            return more
    return chosen


_SAMPLE: Mapping[StepKind, Callable[[State, Seat, Chance], Command | None]] = {
    "choose_empires": _sample_empire,
    "fate_extra": _sample_extra,
    "event_turn": _sample_event,
    "italian_discard": _sample_discard,
    "build": _sample_build,
    "trading": sample_trading,
    "hand_limit": _sample_discard,
}
