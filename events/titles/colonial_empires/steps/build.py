"""The Build Phase: sealed lists of cards to put into play, revealed together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations

from events.rules.chance import Chance
from events.rules.fact import Seat
from events.rules.kit.offers import choose_evenly
from events.rules.steps import Draft, Move, Rejected, Step
from events.titles.colonial_empires.checks import require_cards, require_in_hand
from events.titles.colonial_empires.commands import SubmitBuild
from events.titles.colonial_empires.data import CONSTANTS, EVENTS, INCOME, RESOURCES, Empire
from events.titles.colonial_empires.derived import empire_of
from events.titles.colonial_empires.facts import BuildSubmitted, CardsPutIntoPlay
from events.titles.colonial_empires.picks import one_in
from events.titles.colonial_empires.state import Cards, State
from events.titles.colonial_empires.steps.revenue import resources_by_region
from events.titles.colonial_empires.words import card_names, fortunes

MOST_CARDS = 8
"""With more cards to build than this, a selection of lists is offered: there are 2^8 = 256, but 2^9 are
more than one answer of the service has."""
MOST_LISTS = 300
"""The largest number of lists in such a selection."""


def begin(draft: Draft[State]) -> None:
    """Players without hand cards have nothing to decide (CEM-612)."""
    for seat in range(draft.state.seats):
        if not draft.state.hand[seat]:
            draft.emit(BuildSubmitted(seat, ()))
    _reveal_when_all_are_in(draft)


def _list_asked(state: State) -> list[Seat]:
    """Return the seats that have not submitted a list yet."""
    return [seat for seat, plan in enumerate(state.build_plans) if plan is None]


def _submit(draft: Draft[State], seat: Seat, command: SubmitBuild) -> None:
    """Submit a sealed list (CEM-601)."""
    state = draft.state
    require_cards(command.cards)
    require_in_hand(state, seat, command.cards)
    _require_buildable(command.cards)
    _require_few_paid(state, seat, command.cards)
    _require_payable(state, seat, command.cards)
    draft.emit(BuildSubmitted(seat, command.cards))
    _reveal_when_all_are_in(draft)


def _require_buildable(cards: Cards) -> None:
    """Raise Rejected for Event cards: they cannot be put into play (CEM-609)."""
    if any(card in EVENTS for card in cards):
        raise Rejected(
            "event_card_cannot_be_built", "Event cards are played, not built: leave them out (CEM-609)."
        )


def _require_few_paid(state: State, seat: Seat, cards: Cards) -> None:
    """Raise Rejected if more than one card is paid for at a table of single payments (CEM-604)."""
    if not few_enough(state, empire_of(state, seat), cards):
        raise Rejected(
            "too_many_paid_cards", "At this table one card a turn may be paid for: leave out the others."
        )


def _require_payable(state: State, seat: Seat, cards: Cards) -> None:
    """Raise Rejected unless the whole cost is in the Treasury (CEM-608)."""
    cost = build_cost(empire_of(state, seat), cards)
    if cost > state.treasury[seat]:
        raise Rejected(
            "insufficient_fortunes", f"This list costs {cost} Fortunes: leave out some of the paid cards."
        )


def _reveal_when_all_are_in(draft: Draft[State]) -> None:
    if _list_asked(draft.state):
        return
    for seat, plan in enumerate(draft.state.build_plans):
        cards = plan or ()
        empire, treasury = empire_of(draft.state, seat), draft.state.treasury[seat]
        free = free_plays(empire, cards)
        paid = len(cards) - free
        cost = CONSTANTS.extra_build_price * paid
        draft.emit(CardsPutIntoPlay(seat, cards, free, paid, cost, treasury - cost))


def free_plays(empire: Empire, cards: Iterable[str]) -> int:
    """Return the number of *cards* that cost nothing in the cheapest assignment.

    The free play is either the largest group of Resource cards of one region or one Industry card; the power
    then takes of what is left (CEM-602, CEM-603, CEM-605 to CEM-607).

    >>> from events.titles.colonial_empires.data import EMPIRES
    >>> free_plays(EMPIRES["spanish"], ("china_silk", "china_tea", "india_rugs"))
    3
    """
    cards = tuple(cards)
    regions = resources_by_region(cards)
    resources = sum(regions.values())
    industries = len(cards) - resources
    group = max(regions.values(), default=0)
    by_group = group + min(empire.free_resources, resources - group) + min(empire.free_industries, industries)
    if not industries:
        return by_group
    by_industry = 1 + min(empire.free_resources, resources) + min(empire.free_industries, industries - 1)
    return max(by_group, by_industry)


def build_cost(empire: Empire, cards: Iterable[str]) -> int:
    """Return the Fortunes for the cards that are not free (CEM-604, CEM-607)."""
    cards = tuple(cards)
    return CONSTANTS.extra_build_price * (len(cards) - free_plays(empire, cards))


def few_enough(state: State, empire: Empire, cards: Cards) -> bool:
    """Return True if no more cards are paid for than the table allows (CEM-604)."""
    return state.options.paid_builds != "one" or len(cards) - free_plays(empire, cards) <= 1


def list_buildable(cards: Iterable[str]) -> tuple[str, ...]:
    """Return the Resource cards by region, then the Industry cards (CEM-609)."""
    hand = [card for card in cards if card not in EVENTS]
    return tuple(
        sorted(
            hand,
            key=lambda card: (card not in RESOURCES, RESOURCES[card].region if card in RESOURCES else ""),
        )
    )


def _legal(state: State, seat: Seat) -> Iterator[SubmitBuild]:
    """Return the lists, free before paid, more income before less; the empty one is among them (CEM-612)."""
    empire, treasury = empire_of(state, seat), state.treasury[seat]
    affordable = [
        (cost, cards, group)
        for cards, group in _lists(list_buildable(state.hand[seat])).items()
        if (cost := build_cost(empire, cards)) <= treasury and few_enough(state, empire, cards)
    ]
    chosen = list(choose_evenly(affordable, MOST_LISTS, lambda entry: entry[2]))
    chosen.sort(key=lambda entry: (entry[0], -sum(INCOME[card] for card in entry[1])))
    return (SubmitBuild(cards) for _, cards, _ in chosen)


def _lists(cards: Cards) -> dict[Cards, Cards]:
    """Return all subsets of few cards; of many cards the natural groups, alone and with one card more.

    Each comes with its group, so that a cut hides none.
    """
    if len(cards) <= MOST_CARDS:
        return {subset: () for size in range(len(cards) + 1) for subset in combinations(cards, size)}
    found: dict[Cards, Cards] = {(): ()}
    for group in _groups(cards):
        for more in ((), *combinations(cards, 1)):
            chosen = tuple(card for card in cards if card in group or card in more)
            found.setdefault(chosen, group)
    return found


def _groups(cards: Cards) -> Iterator[Cards]:
    """Yield the possible free plays: one card, or all cards of one region (CEM-602, CEM-603)."""
    for card in cards:
        yield (card,)
    for region in dict.fromkeys(RESOURCES[card].region for card in cards if card in RESOURCES):
        yield tuple(card for card in cards if card in RESOURCES and RESOURCES[card].region == region)


def random_build(state: State, seat: Seat, chance: Chance) -> Cards:
    """Return a card with the others of its region, sometimes one more, as far as it can be paid."""
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


def _label(state: State, seat: Seat, command: SubmitBuild) -> str:
    if not command.cards:
        return "Build nothing"
    cost = build_cost(empire_of(state, seat), command.cards)
    return f"Build {card_names(command.cards)} ({fortunes(cost) if cost else 'free'})"


BUILD = Step[State](
    kind="build",
    asked=_list_asked,
    covered=lambda state, seat: state.build_plans[seat] is not None and bool(state.hand[seat]),
    moves=(
        Move(
            command=SubmitBuild,
            take=_submit,
            legal=_legal,
            complete=lambda state, seat: len(list_buildable(state.hand[seat])) <= MOST_CARDS,
            label=_label,
        ),
    ),
    default=lambda _state, _seat: SubmitBuild(()),
    sample=lambda state, seat, chance: SubmitBuild(random_build(state, seat, chance)),
)
