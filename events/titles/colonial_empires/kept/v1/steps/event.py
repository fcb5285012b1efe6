"""The Event Phase: one event turn each; the Italian power."""

from __future__ import annotations

from dataclasses import replace

from events.rules.chance import Chance
from events.rules.fact import Seat
from events.rules.steps import Command, Draft, Move, Rejected, Step, return_false
from events.titles.colonial_empires.kept.v1.checks import require_discard
from events.titles.colonial_empires.kept.v1.commands import (
    DiscardForItalianPower,
    EndEventTurn,
    PlayEventCard,
    UseItalianPower,
)
from events.titles.colonial_empires.kept.v1.data import EVENTS
from events.titles.colonial_empires.kept.v1.derived import empire_of, least_first
from events.titles.colonial_empires.kept.v1.facts import (
    CardsDiscarded,
    CardsDrawn,
    EventOrderSet,
    EventTurnEnded,
    EventTurnStarted,
    ItalianDiscardRequired,
)
from events.titles.colonial_empires.kept.v1.picks import one_in, random_cards
from events.titles.colonial_empires.kept.v1.state import State
from events.titles.colonial_empires.kept.v1.steps.discards import (
    discard_label,
    is_listed_whole,
    last_cards,
    list_discards,
)
from events.titles.colonial_empires.kept.v1.steps.event_cards import (
    legal_plays,
    play,
    play_label,
    possible_plays,
    require_no_discard,
)
from events.titles.colonial_empires.kept.v1.steps.turn import note_empty_deck
from events.titles.colonial_empires.kept.v1.words import number_of_cards


def begin(draft: Draft[State]) -> None:
    """Fix the order for the whole phase, and begin the first event turn (CEM-502, CEM-505)."""
    draft.emit(EventOrderSet(order(draft.state)))
    _next_turn(draft)


def order(state: State) -> tuple[Seat, ...]:
    """Return the order: the Austrian, then least first (CEM-502 to CEM-504)."""
    seats = range(state.seats)
    ahead = tuple(seat for seat in seats if empire_of(state, seat).first_in_event_phase)
    return ahead + least_first(state, (seat for seat in seats if seat not in ahead))


def _next_turn(draft: Draft[State]) -> None:
    """Begin the next event turn that is not passed over, if there is one (CEM-527, CEM-528)."""
    while draft.state.event_index < len(draft.state.event_order):
        seat = draft.state.event_order[draft.state.event_index]
        passed = _is_passed_over(draft.state, seat)
        draft.emit(EventTurnStarted(seat, passed))
        if not passed:
            return
        draft.emit(EventTurnEnded(seat, automatic=True))


def _is_passed_over(state: State, seat: Seat) -> bool:
    """Return True for an empty hand that the Italian power cannot fill (CEM-527): public facts only."""
    return not state.hand[seat] and not may_sift(state, seat)


def may_sift(state: State, seat: Seat) -> bool:
    """Return True if the seat can use the Italian power in its event turn now (CEM-524, CEM-525)."""
    return bool(empire_of(state, seat).sift and state.deck and not state.italian_used)


def _find_turn(state: State) -> list[Seat]:
    """Return the one seat whose event turn it is (CEM-506, CEM-507)."""
    return [state.event_order[state.event_index]]


def _end_turn(draft: Draft[State], seat: Seat, command: EndEventTurn) -> None:
    """End the event turn; the next seat in order begins its own (CEM-506)."""
    require_no_discard(draft.state)
    draft.emit(EventTurnEnded(seat, automatic=False))
    _next_turn(draft)


def _play(draft: Draft[State], seat: Seat, command: PlayEventCard) -> None:
    """Play an Event card (CEM-509); at a table of single cards it is the whole event turn (CEM-506)."""
    play(draft, seat, command)
    _go_round(draft, seat)


def _go_round(draft: Draft[State], seat: Seat) -> None:
    """Pass the turn to the next seat where an event turn is one card; this seat comes again (CEM-528)."""
    if draft.state.options.event_turns == "one_card":
        draft.emit(EventTurnEnded(seat, automatic=False))
        _next_turn(draft)


def _use_italian_power(draft: Draft[State], seat: Seat, command: UseItalianPower) -> None:
    """Draw 2, and owe as many discards (CEM-524, CEM-525)."""
    state = draft.state
    sift = empire_of(state, seat).sift
    if not sift:
        raise Rejected(
            "no_such_power", "Only the Italian has this power: play an Event card or end your event turn."
        )
    require_no_discard(state)
    if state.italian_used:
        raise Rejected(
            "power_already_used", "The Italian power works once per Event Phase: wait for the next turn."
        )
    _require_deck(state)
    cards = draft.chance.deal(state.deck, sift)
    draft.emit(CardsDrawn(seat, "italian", len(cards), cards, len(state.deck) - len(cards)))
    note_empty_deck(draft)
    draft.emit(ItalianDiscardRequired(seat, len(cards)))


def _require_deck(state: State) -> None:
    """Raise Rejected with an empty deck: the power cannot be used (CEM-525)."""
    if not state.deck:
        raise Rejected("deck_empty", "The deck is empty: play an Event card or end your event turn.")


def _discard(draft: Draft[State], seat: Seat, command: DiscardForItalianPower) -> None:
    """Discard any cards of the whole hand, the drawn ones included (CEM-524)."""
    require_discard(draft.state, seat, command.cards, draft.state.italian_pending)
    draft.emit(CardsDiscarded(seat, "italian", command.cards))
    _go_round(draft, seat)


def _sample(state: State, seat: Seat, chance: Chance) -> Command:
    if may_sift(state, seat) and one_in(chance, 2):
        return UseItalianPower()
    cards = [card for card in state.hand[seat] if card in EVENTS]
    if cards and not one_in(chance, 4):
        plays = list(possible_plays(state, seat, chance.pick(cards, hidden=True)))
        return chance.pick(plays, hidden=True) if plays else EndEventTurn()
    return EndEventTurn()


def _sift_label(state: State, seat: Seat, _command: UseItalianPower) -> str:
    cards = number_of_cards(min(empire_of(state, seat).sift, len(state.deck)))
    return f"Draw {cards}, then discard as many"


def _end_label(state: State, _seat: Seat, _command: EndEventTurn) -> str:
    one_card = state.options.event_turns == "one_card"
    return "Pass for the rest of this Event Phase" if one_card else "End your event turn"


EVENT_TURN = Step[State](
    kind="event_turn",
    asked=_find_turn,
    moves=(
        Move(
            command=UseItalianPower,
            take=_use_italian_power,
            may=may_sift,
            label=_sift_label,
        ),
        Move(command=PlayEventCard, take=_play, legal=legal_plays, label=play_label),
        Move(command=EndEventTurn, take=_end_turn, label=_end_label),
    ),
    default=lambda _state, _seat: EndEventTurn(),
    sample=_sample,
)

ITALIAN_DISCARD = Step[State](
    kind="italian_discard",
    asked=_find_turn,
    moves=(
        Move(
            command=DiscardForItalianPower,
            take=_discard,
            legal=lambda state, seat: map(
                DiscardForItalianPower, list_discards(state.hand[seat], state.italian_pending)
            ),
            complete=lambda state, seat: is_listed_whole(state.hand[seat], state.italian_pending),
            label=lambda _state, _seat, command: discard_label(command.cards),
        ),
        # It is their event turn still: what must wait for the discard is refused in the words of CEM-525.
        *(replace(move, may=return_false) for move in EVENT_TURN.moves),
    ),
    default=lambda state, seat: DiscardForItalianPower(last_cards(state.hand[seat], state.italian_pending)),
    sample=lambda state, seat, chance: DiscardForItalianPower(
        random_cards(state.hand[seat], state.italian_pending, chance)
    ),
)
