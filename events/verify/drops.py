"""Reveals that a player posted to a witness because the service gave no answer."""

from __future__ import annotations

from collections.abc import Sequence

from events.beacon import SECOND
from events.bundle import BadBundle
from events.fact import Seat
from events.game import Game
from events.moments import micros
from events.proof import seat_commitment
from events.record import Record, pseudonym
from events.tlog.drops import Drop, drop_box, open_drop
from events.tlog.notes import BadNote, NotSigned
from events.verify.trust import Trust


def dropped(records: Sequence[Record], trust: Trust, game: Game, withheld: Sequence[Seat]) -> dict[Seat, str]:
    """Of the seats that are called missing those whose reveal a pinned witness had in time, and that witness.

    Notes of witnesses who are not pinned say nothing. Raises :class:`BadBundle` for one that is damaged, or
    whose signature by a pinned witness does not hold.
    """
    closing = next((r for r in records if r.type in ("RevealsClosed", "TableBegun")), None)
    if closing is None or trust.policy is None:
        return {}
    boxes = [drop_box(one) for one in trust.policy.witnesses.values()]
    fixed = micros(closing.envelope().at) // SECOND
    found: dict[Seat, str] = {}
    for note in trust.drops:
        try:
            told, signers = open_drop(note, boxes)
        except NotSigned:
            continue
        except BadNote as error:
            raise BadBundle(None, f"a note of a drop box: {error}") from error
        seat = told.drop.seat
        if seat in withheld and told.withheld(game.id, seat, fixed) and _fits(told.drop, game):
            found[seat] = signers[0].name.removesuffix("/drop")
    return found


def _fits(drop: Drop, game: Game) -> bool:
    """Whether it is what the seat had committed to: anybody can drop anything for any seat."""
    made = seat_commitment(game.key, pseudonym(drop.seat), drop.contribution).hex()
    return drop.origin == game.service and made == game.seats[drop.seat].commitment
