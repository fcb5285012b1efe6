"""The knowledge of a seat about other hands: cards it saw pass in trades, offers and War at Sea.

Each entry says that one copy of a card lies in the hand of one of some seats. Where a card
may have moved unseen, the entry names more seats; where a copy is seen to leave, an entry goes.
So the entries never claim more than the seat knows, and an imagined state respects them.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from events.rules.fact import Seat
from events.titles.colonial_empires.kept.v1.derived import covers
from events.titles.colonial_empires.kept.v1.state import Cards, Known, Offer, State

Entries = tuple[Known, ...]


def take(entries: Entries, card: str, seat: Seat) -> Entries:
    """Account for one copy of *card* that is known to have been in the hand of *seat*.

    The narrowest entry that can mean this copy goes. Another that could have meant it instead
    only stays true if it also names the seats of the one that went.
    """
    about = [entry for entry in entries if entry.card == card and seat in entry.seats]
    if not about:
        return entries
    gone = min(about, key=lambda entry: len(entry.seats))
    left = list(entries)
    left.remove(gone)
    return tuple(
        Known(card, _union(entry.seats, gone.seats)) if entry.card == card and seat in entry.seats else entry
        for entry in left
    )


def _union(one: Iterable[Seat], other: Iterable[Seat]) -> tuple[Seat, ...]:
    return tuple(sorted({*one, *other}))


def hold(entries: Entries, cards: Cards, seat: Seat) -> Entries:
    """Note that these *cards* have just gone to the hand of *seat*."""
    return (*entries, *(Known(card, (seat,)) for card in cards))


def note_shown(entries: Entries, cards: Cards, seat: Seat) -> Entries:
    """Note that *seat* is seen to hold *cards* now, such as those of an offer (CEM-705)."""
    for card in dict.fromkeys(cards):
        certain = Known(card, (seat,))
        sure = entries.count(certain)
        vague = tuple(entry for entry in entries if entry != certain)
        for _ in range(cards.count(card) - sure):
            vague = take(vague, card, seat)
        entries = vague + (certain,) * max(sure, cards.count(card))
    return entries


def note_unseen_moves(entries: Entries, moves: Iterable[tuple[Seat, Seat]]) -> Entries:
    """Note that unknown hand cards went at once from the first to the second seat of each pair."""
    heirs: dict[Seat, tuple[Seat, ...]] = {}
    for giver, receiver in moves:
        heirs[giver] = (receiver,)
    return tuple(
        Known(entry.card, _union(entry.seats, (h for seat in entry.seats for h in heirs.get(seat, ()))))
        for entry in entries
    )


def note_empty_hand(entries: Entries, seat: Seat) -> Entries:
    """Note that the hand of *seat* is seen to be empty."""
    left = []
    for entry in entries:
        seats = tuple(s for s in entry.seats if s != seat)
        if seats:
            left.append(Known(entry.card, seats))
    return tuple(left)


def note_left_openly(
    known: tuple[Entries, ...], seat: Seat, cards: Cards, *, empty: bool
) -> tuple[Entries, ...]:
    """Note that all see *cards* leave the hand of *seat*, which is *empty* now or not."""
    if not any(known):
        return known
    return tuple(_note_left(entries, seat, cards, empty=empty) for entries in known)


def _note_left(entries: Entries, seat: Seat, cards: Cards, *, empty: bool) -> Entries:
    if not entries:
        return entries
    for card in cards:
        entries = take(entries, card, seat)
    return note_empty_hand(entries, seat) if empty else entries


def note_passing(state: State, one: Seat, other: Seat, given: Cards, got: Cards) -> tuple[Entries, ...]:
    """Note hand cards passed between two seats, who alone saw which; *state* is the later (CEM-517)."""
    moves = [pair for pair, cards in (((one, other), given), ((other, one), got)) if cards]
    known = list(state.known)
    for seat, entries in enumerate(known):
        if seat == one:
            known[seat] = _party(entries, other, given, got)
        elif seat == other:
            known[seat] = _party(entries, one, got, given)
        else:
            known[seat] = note_unseen_moves(entries, moves)
        for trader in (one, other):
            if not state.hand[trader]:
                known[seat] = note_empty_hand(known[seat], trader)
    return tuple(known)


def _party(entries: Entries, partner: Seat, given: Cards, got: Cards) -> Entries:
    for card in got:
        entries = take(entries, card, partner)
    return hold(entries, given, partner)


def note_trade(state: State, one: Seat, other: Seat, given: Cards, got: Cards) -> tuple[Entries, ...]:
    """Do as :func:`note_passing`, and note what the fate of open offers tells their recipients."""
    if not given and not got:
        return state.known
    known = list(note_passing(state, one, other, given, got))
    for offer in state.offers:
        if offer.from_ in {one, other} and offer.to not in {one, other}:
            partner = other if offer.from_ == one else one
            known[offer.to] = _note_offer(state, offer, partner, known[offer.to])
    return tuple(known)


def _note_offer(state: State, offer: Offer, partner: Seat, entries: Entries) -> Entries:
    """An offer that does not lapse is still covered (CEM-712).

    One that lapses although its Fortunes and cards in play are there tells that its one hand card has gone
    to the trader's partner.
    """
    cards = offer.give.hand_cards
    if covers(state, offer.from_, offer.give):
        return note_shown(entries, cards, offer.from_)
    if len(cards) == 1 and covers(state, offer.from_, replace(offer.give, hand_cards=())):
        return note_shown(entries, cards, partner)
    return entries
