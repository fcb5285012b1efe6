"""The eight Event cards: whom or what they may target, and what they do."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from events.chance import Chance
from events.fact import Seat
from events.steps import Rejected
from events.titles.colonial_empires.checks import Drafting, draw_cards, note_empty_deck, require_cards
from events.titles.colonial_empires.commands import PlayEventCard
from events.titles.colonial_empires.data import CONSTANTS, EVENTS, RESOURCES
from events.titles.colonial_empires.derived import empire_of, owner_of
from events.titles.colonial_empires.facts import (
    CardsDrawn,
    ColonialResourceDiscarded,
    ColonialResourceStolen,
    EventCardPlayed,
    FortunesGained,
    FortunesLost,
    FortunesStolen,
    HandCardsDiscardedAtRandom,
    HandCardStolen,
)
from events.titles.colonial_empires.state import Cards, State
from events.titles.colonial_empires.steps.event import require_event_turn, require_no_discard


def play_event_card(draft: Drafting, seat: Seat, command: PlayEventCard, chance: Chance) -> bool:
    """The card goes to the discard pile and its effect happens at once (CEM-509)."""
    state = draft.state
    require_event_turn(state, seat)
    require_cards((command.card, command.target_card) if command.target_card is not None else (command.card,))
    require_no_discard(state)
    if command.card not in state.hand[seat]:
        raise Rejected("card_not_in_hand", "You do not hold this card: play an Event card of your hand.")
    if command.card not in EVENTS:
        raise Rejected(
            "not_an_event_card", "This is no Event card: it can be put into play in the Build Phase."
        )
    _require_target(state, seat, command)
    _require_effect(state, command)
    draft.emit(EventCardPlayed(seat, command.card, command.target_player, command.target_card))
    _EFFECTS[command.card](draft, seat, command, chance)
    return False


# --- targets -----------------------------------------------------------------------------------


def _require_target(state: State, seat: Seat, command: PlayEventCard) -> None:
    """The parameters that the card asks for, and no others (CEM-510, CEM-511)."""
    target = EVENTS[command.card].target
    wants_player, wants_card = target == "opponent", target in {"resource", "opponents_resource"}
    if (wants_player and command.target_player is None) or (wants_card and command.target_card is None):
        what = "an opponent as target_player" if wants_player else "a Resource card in play as target_card"
        raise Rejected("target_required", f"Name {what}.")
    if (not wants_player and command.target_player is not None) or (
        not wants_card and command.target_card is not None
    ):
        raise Rejected("target_not_allowed", "Leave out the target that this card does not have.")
    if command.target_player is not None:
        _require_opponent(state, seat, command.target_player)
    if command.target_card is not None:
        _require_resource(state, seat, command.target_card, own_allowed=target == "resource")


def _require_opponent(state: State, seat: Seat, target: Seat) -> None:
    if not 0 <= target < state.seats:
        raise Rejected("unknown_target", f"There is no such seat: name one of 0 to {state.seats - 1}.")
    if target == seat:
        raise Rejected("cannot_target_self", "Name another player.")
    _require_not_immune(state, target)


def _require_not_immune(state: State, target: Seat) -> None:
    """Neither the Russian nor his Resource cards can be chosen by others (CEM-522)."""
    if empire_of(state, target).immune:
        raise Rejected(
            "target_immune", "The Russian is immune to the Event cards of others: choose another target."
        )


def _require_resource(state: State, seat: Seat, card: str, *, own_allowed: bool) -> None:
    if card not in RESOURCES:
        raise Rejected("not_a_colonial_resource", "Name a Colonial Resource card.")
    owner = owner_of(state, card)
    if owner is None:
        raise Rejected("target_card_not_in_play", "Name a Resource card that lies in play.")
    if owner != seat:
        _require_not_immune(state, owner)
    elif not own_allowed:
        raise Rejected("cannot_target_self", "Name a Resource card of another player.")


def _require_effect(state: State, command: PlayEventCard) -> None:
    """A card that could have no effect at all cannot be played (CEM-520)."""
    target = command.target_player
    if command.card == "event_discovery" and not state.deck:
        raise Rejected("deck_empty", "The deck is empty: keep the card, or play another.")
    if target is None:
        return
    if command.card in _AT_FORTUNES and not state.treasury[target]:
        raise Rejected("target_has_no_fortunes", "This player has no Fortunes: choose another.")
    if command.card in _AT_HANDS and not state.hand[target]:
        raise Rejected("target_hand_empty", "This player has no cards in hand: choose another.")


_AT_FORTUNES = frozenset({"event_privateering", "event_intrigue"})
_AT_HANDS = frozenset({"event_war_at_sea", "event_war_in_europe"})


def possible_plays(state: State, seat: Seat, card: str) -> Iterator[PlayEventCard]:
    """Every way in which *seat* could play this Event card now."""
    target = EVENTS[card].target
    if target == "none":
        if card != "event_discovery" or state.deck:
            yield PlayEventCard(card)
    elif target == "opponent":
        worth = state.treasury if card in _AT_FORTUNES else state.hand
        for other in range(state.seats):
            if other != seat and worth[other] and not empire_of(state, other).immune:
                yield PlayEventCard(card, target_player=other)
    else:
        yield from _resource_plays(state, seat, card, own_allowed=target == "resource")


def _resource_plays(state: State, seat: Seat, card: str, *, own_allowed: bool) -> Iterator[PlayEventCard]:
    """Others' cards first, one's own last."""
    others = (s for s in range(state.seats) if s != seat and not empire_of(state, s).immune)
    for owner in (*others, *((seat,) if own_allowed else ())):
        for resource in state.in_play[owner]:
            if resource in RESOURCES and owner_of(state, resource) == owner:
                yield PlayEventCard(card, target_card=resource)


# --- effects -----------------------------------------------------------------------------------


def _rebellion(draft: Drafting, seat: Seat, command: PlayEventCard, chance: Chance) -> None:
    """The Resource card goes to the discard pile (CEM-512)."""
    card = command.target_card or ""
    owner = owner_of(draft.state, card)
    if owner is not None:
        draft.emit(ColonialResourceDiscarded(owner, card))


def _colonial_war(draft: Drafting, seat: Seat, command: PlayEventCard, chance: Chance) -> None:
    """The Resource card moves into play in front of the player (CEM-513)."""
    card = command.target_card or ""
    owner = owner_of(draft.state, card)
    if owner is not None:
        draft.emit(ColonialResourceStolen(owner, seat, card))


def _privateering(draft: Drafting, seat: Seat, command: PlayEventCard, chance: Chance) -> None:
    """5 Fortunes change hands, or all there are (CEM-514)."""
    target = _player(command)
    amount = min(CONSTANTS.privateering_amount, draft.state.treasury[target])
    draft.emit(FortunesStolen(target, seat, amount))


def _exploitation(draft: Drafting, seat: Seat, command: PlayEventCard, chance: Chance) -> None:
    """10 Fortunes from the bank (CEM-515)."""
    draft.emit(FortunesGained(seat, CONSTANTS.exploitation_amount))


def _discovery(draft: Drafting, seat: Seat, command: PlayEventCard, chance: Chance) -> None:
    """2 cards, or the last one (CEM-516)."""
    cards = draw_cards(draft.state, chance, CONSTANTS.discovery_draw)
    draft.emit(CardsDrawn(seat, "discovery", len(cards), cards, len(draft.state.deck) - len(cards)))
    note_empty_deck(draft)


def _war_at_sea(draft: Drafting, seat: Seat, command: PlayEventCard, chance: Chance) -> None:
    """A random card of the opponent's hand goes to the player's (CEM-517)."""
    target = _player(command)
    for card in _random_cards(draft.state, target, CONSTANTS.war_at_sea_cards, chance):
        draft.emit(HandCardStolen(target, seat, card))


def _war_in_europe(draft: Drafting, seat: Seat, command: PlayEventCard, chance: Chance) -> None:
    """Two random cards of the opponent's hand are discarded; they have no effect (CEM-518, CEM-521)."""
    target = _player(command)
    cards = _random_cards(draft.state, target, CONSTANTS.war_in_europe_cards, chance)
    draft.emit(HandCardsDiscardedAtRandom(target, cards))


def _intrigue(draft: Drafting, seat: Seat, command: PlayEventCard, chance: Chance) -> None:
    """10 Fortunes go to the bank, or all there are (CEM-519)."""
    target = _player(command)
    draft.emit(FortunesLost(target, min(CONSTANTS.intrigue_amount, draft.state.treasury[target])))


def _player(command: PlayEventCard) -> Seat:
    return command.target_player if command.target_player is not None else -1


def _random_cards(state: State, seat: Seat, wanted: int, chance: Chance) -> Cards:
    """Uniformly over the cards of the hand, without replacement (CEM-902).

    The pick is hidden even where the card becomes public: its place would tell when it arrived (CEM-905).
    """
    hand = list(state.hand[seat])
    taken: list[str] = []
    while hand and len(taken) < wanted:
        taken.append(chance.pick(hand, hidden=True))
        hand.remove(taken[-1])
    return tuple(taken)


_Effect = Callable[[Drafting, Seat, PlayEventCard, Chance], None]
_EFFECTS: dict[str, _Effect] = {
    "event_rebellion": _rebellion,
    "event_colonial_war": _colonial_war,
    "event_privateering": _privateering,
    "event_exploitation": _exploitation,
    "event_discovery": _discovery,
    "event_war_at_sea": _war_at_sea,
    "event_war_in_europe": _war_in_europe,
    "event_intrigue": _intrigue,
}
