"""The knowledge of a seat about other hands: cards it saw pass in trades, offers and War at Sea.

Each entry says that one copy of a card lies in the hand of one of some seats. Where a card
may have moved unseen, the entry names more seats; where a copy is seen to leave, an entry goes.
So the entries never claim more than the seat knows, and an imagined state respects them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from msgspec.structs import replace

from events.rules.fact import Seat
from events.titles.colonial_empires.derived import covers, is_covered
from events.titles.colonial_empires.state import Cards, Known, Offer, State

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


class Exchange(NamedTuple):
    """Hand cards that passed between two seats at once, in both directions."""

    one: Seat
    other: Seat
    given: Cards
    got: Cards
    shown: Cards = ()
    """Those of `given` that everybody knows of: an offer to everybody named them."""
    seen: Cards = ()
    """Those of `got` that everybody knows of."""


def note_passing(state: State, gone: Exchange) -> tuple[Entries, ...]:
    """Note hand cards passed between two seats, who alone saw which; *state* is the later (CEM-517)."""
    known = list(state.known)
    for seat, entries in enumerate(known):
        if seat == gone.one:
            known[seat] = _party(entries, gone.other, gone.given, gone.got)
        elif seat == gone.other:
            known[seat] = _party(entries, gone.one, gone.got, gone.given)
        else:
            known[seat] = _bystander(entries, gone)
        for trader in (gone.one, gone.other):
            if not state.hand[trader]:
                known[seat] = note_empty_hand(known[seat], trader)
    return tuple(known)


def _party(entries: Entries, partner: Seat, given: Cards, got: Cards) -> Entries:
    for card in got:
        entries = take(entries, card, partner)
    return hold(entries, given, partner)


def _bystander(entries: Entries, gone: Exchange) -> Entries:
    """Note the cards that all know of as certain, the others as moved unseen."""
    one, other = gone.one, gone.other
    for card in gone.shown:
        entries = take(entries, card, one)
    for card in gone.seen:
        entries = take(entries, card, other)
    unseen = (((one, other), gone.given, gone.shown), ((other, one), gone.got, gone.seen))
    entries = note_unseen_moves(entries, [pair for pair, cards, known in unseen if len(cards) > len(known)])
    return hold(hold(entries, gone.shown, other), gone.seen, one)


def note_trade(state: State, gone: Exchange) -> tuple[Entries, ...]:
    """Do as :func:`note_passing`, and note what the fate of open offers tells their recipients."""
    if not gone.given and not gone.got:
        return state.known
    traders = {gone.one, gone.other}
    known = list(note_passing(state, gone))
    for offer in state.offers:
        if offer.from_ in traders:
            partner = gone.other if offer.from_ == gone.one else gone.one
            everybody = range(state.seats) if offer.to is None else (offer.to,)
            for seat in (seat for seat in everybody if seat not in traders):
                known[seat] = _note_offer(state, offer, partner, known[seat])
    return tuple(known)


def _note_offer(state: State, offer: Offer, partner: Seat, entries: Entries) -> Entries:
    """An offer that does not lapse is still covered (CEM-712).

    One that lapses although its Fortunes and cards in play are there tells that its one hand card has gone
    to the trader's partner.
    """
    cards = offer.give.hand_cards
    if is_covered(state, offer):
        return note_shown(entries, cards, offer.from_)
    certain = len(cards) == 1 and not offer.unnamed_cards
    if certain and covers(state, offer.from_, replace(offer.give, hand_cards=())):
        return note_shown(entries, cards, partner)
    return entries
