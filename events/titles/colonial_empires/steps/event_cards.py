"""The eight Event cards: whom or what they may target, and what they do."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from events.rules.fact import Seat
from events.rules.kit.words import format_count
from events.rules.steps import Draft, Rejected
from events.titles.colonial_empires.checks import require_cards
from events.titles.colonial_empires.commands import PlayEventCard
from events.titles.colonial_empires.data import CARD_NAMES, CONSTANTS, EVENTS, INCOME, REGIONS, RESOURCES
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
from events.titles.colonial_empires.steps.turn import note_empty_deck
from events.titles.colonial_empires.words import fortunes, number_of_cards, seat_name


def play(draft: Draft[State], seat: Seat, command: PlayEventCard) -> None:
    """Put the card on the discard pile and carry out its effect at once (CEM-509)."""
    state = draft.state
    require_cards((command.card, command.target_card) if command.target_card is not None else (command.card,))
    require_no_discard(state)
    if command.card not in state.hand[seat]:
        raise Rejected("card_not_in_hand", "You do not hold this card: play an Event card of your hand.")
    if command.card not in EVENTS:
        raise Rejected(
            "not_an_event_card",
            "This is no Event card: play another, or put this one into play in the Build Phase.",
        )
    _require_target(state, seat, command)
    _require_effect(state, command)
    draft.emit(EventCardPlayed(seat, command.card, command.target_player, command.target_card))
    _EFFECTS[command.card](draft, seat, command)


def require_no_discard(state: State) -> None:
    """Raise Rejected while the Italian owes a discard, which comes at once (CEM-525)."""
    if state.italian_pending:
        cards = number_of_cards(state.italian_pending)
        raise Rejected("italian_discard_pending", f"Discard {cards} for the Italian power first.")


# --- targets -----------------------------------------------------------------------------------


def _require_target(state: State, seat: Seat, command: PlayEventCard) -> None:
    """Raise Rejected unless the parameters are those that the card asks for (CEM-510, CEM-511)."""
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
    """Raise Rejected unless the target is exactly one other player (CEM-510)."""
    if not 0 <= target < state.seats:
        raise Rejected("unknown_target", f"There is no such seat: name one of 0 to {state.seats - 1}.")
    if target == seat:
        raise Rejected("cannot_target_self", "Name another player.")
    _require_not_immune(state, target)


def _require_not_immune(state: State, target: Seat) -> None:
    """Raise Rejected if the target is the Russian: immune, as are their Resource cards (CEM-522)."""
    if empire_of(state, target).immune:
        raise Rejected(
            "target_immune", "The Russian is immune to the Event cards of others: choose another target."
        )


def _require_resource(state: State, seat: Seat, card: str, *, own_allowed: bool) -> None:
    """Raise Rejected unless the target is a Resource card in play (CEM-511)."""
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
    """Raise Rejected for a card that could have no effect at all (CEM-520)."""
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
    """Yield every way in which *seat* could play this Event card now."""
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
    """Yield the plays on Resource cards: others' cards first, one's own last."""
    others = (s for s in range(state.seats) if s != seat and not empire_of(state, s).immune)
    for owner in (*others, *((seat,) if own_allowed else ())):
        for resource in state.in_play[owner]:
            if resource in RESOURCES and owner_of(state, resource) == owner:
                yield PlayEventCard(card, target_card=resource)


# --- effects -----------------------------------------------------------------------------------


def _rebellion(draft: Draft[State], seat: Seat, command: PlayEventCard) -> None:
    """Put the Resource card on the discard pile (CEM-512)."""
    card = command.target_card or ""
    owner = owner_of(draft.state, card)
    if owner is not None:
        draft.emit(ColonialResourceDiscarded(owner, card))


def _colonial_war(draft: Draft[State], seat: Seat, command: PlayEventCard) -> None:
    """Move the Resource card into play in front of the player (CEM-513)."""
    card = command.target_card or ""
    owner = owner_of(draft.state, card)
    if owner is not None:
        draft.emit(ColonialResourceStolen(owner, seat, card))


def _privateering(draft: Draft[State], seat: Seat, command: PlayEventCard) -> None:
    """Move 5 Fortunes from the opponent to the player, or all there are (CEM-514)."""
    target = _player(command)
    amount = min(CONSTANTS.privateering_amount, draft.state.treasury[target])
    draft.emit(FortunesStolen(target, seat, amount))


def _exploitation(draft: Draft[State], seat: Seat, command: PlayEventCard) -> None:
    """Take 10 Fortunes from the bank (CEM-515)."""
    draft.emit(FortunesGained(seat, CONSTANTS.exploitation_amount))


def _discovery(draft: Draft[State], seat: Seat, command: PlayEventCard) -> None:
    """Draw 2 cards, or the last one (CEM-208, CEM-516)."""
    deck = draft.state.deck
    cards = draft.chance.deal(deck, CONSTANTS.discovery_draw)
    draft.emit(CardsDrawn(seat, "discovery", len(cards), cards, len(deck) - len(cards)))
    note_empty_deck(draft)


def _war_at_sea(draft: Draft[State], seat: Seat, command: PlayEventCard) -> None:
    """Move a random card of the opponent's hand to the player's (CEM-517)."""
    target = _player(command)
    for card in _random_cards(draft, target, CONSTANTS.war_at_sea_cards):
        draft.emit(HandCardStolen(target, seat, card))


def _war_in_europe(draft: Draft[State], seat: Seat, command: PlayEventCard) -> None:
    """Discard two random cards of the opponent's hand; they have no effect (CEM-518, CEM-521)."""
    target = _player(command)
    cards = _random_cards(draft, target, CONSTANTS.war_in_europe_cards)
    draft.emit(HandCardsDiscardedAtRandom(target, cards))


def _intrigue(draft: Draft[State], seat: Seat, command: PlayEventCard) -> None:
    """Move 10 Fortunes of the opponent to the bank, or all there are (CEM-519)."""
    target = _player(command)
    draft.emit(FortunesLost(target, min(CONSTANTS.intrigue_amount, draft.state.treasury[target])))


def _player(command: PlayEventCard) -> Seat:
    return command.target_player if command.target_player is not None else -1


def _random_cards(draft: Draft[State], seat: Seat, wanted: int) -> Cards:
    """Draw cards uniformly from the hand, without replacement (CEM-902).

    The pick is hidden even where the card becomes public: its place would tell when it arrived (CEM-905).
    """
    taken: Cards = draft.chance.deal(draft.state.hand[seat], wanted)
    return taken


_Effect = Callable[[Draft[State], Seat, PlayEventCard], None]
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


# --- on the page ------------------------------------------------------------------------------------


def legal_plays(state: State, seat: Seat) -> Iterator[PlayEventCard]:
    """Yield every play of the hand, card by card; equal cards once."""
    for card in dict.fromkeys(state.hand[seat]):
        if card in EVENTS:
            yield from possible_plays(state, seat, card)


def play_label(state: State, seat: Seat, command: PlayEventCard) -> str:
    """Return the button text: the card, its target, and what it brings as far as that is public."""
    return f"{CARD_NAMES[command.card]}{_format_target(state, seat, command)}: {_brings(state, command)}"


def _format_target(state: State, seat: Seat, command: PlayEventCard) -> str:
    if command.target_player is not None:
        return f" against {seat_name(state, command.target_player)}"
    if command.target_card is None:
        return ""
    owner = owner_of(state, command.target_card)
    whose = f" of {seat_name(state, owner)}" if owner is not None and owner != seat else " of your own"
    return f" against {CARD_NAMES[command.target_card]}{whose}"


def _end_of_set(state: State, card: str) -> str:
    """Return a note where nobody can have all of a region any more without this card (CEM-412)."""
    region = RESOURCES[card].region if card in RESOURCES else ""
    gone = any(other in RESOURCES and RESOURCES[other].region == region for other in state.discard_pile)
    return "" if gone or not region else f"; nobody can have all of {REGIONS[region].name} any more"


def _brings(state: State, command: PlayEventCard) -> str:
    income = INCOME.get(command.target_card or "", 0)
    purse = 0 if command.target_player is None else state.treasury[command.target_player]
    cards = 0 if command.target_player is None else len(state.hand[command.target_player])
    match command.card:
        case "event_rebellion":
            return f"discard it (income {income}){_end_of_set(state, command.target_card or '')}"
        case "event_colonial_war":
            return f"take it (income {income})"
        case "event_privateering":
            return f"take {fortunes(min(CONSTANTS.privateering_amount, purse))}"
        case "event_exploitation":
            return f"gain {fortunes(CONSTANTS.exploitation_amount)}"
        case "event_discovery":
            return f"draw {number_of_cards(min(CONSTANTS.discovery_draw, len(state.deck)))}"
        case "event_war_at_sea":
            return f"take {format_count(min(CONSTANTS.war_at_sea_cards, cards), 'random hand card')}"
        case "event_war_in_europe":
            return (
                f"they discard {format_count(min(CONSTANTS.war_in_europe_cards, cards), 'random hand card')}"
            )
        case _:
            return f"they lose {fortunes(min(CONSTANTS.intrigue_amount, purse))}"
