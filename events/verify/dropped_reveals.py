"""Reveals that a player posted to a witness because the service gave no answer."""

from __future__ import annotations

from collections.abc import Sequence

from events.base.timestamps import parse_timestamp, whole_seconds
from events.proof.beacon import MICROS_PER_SECOND
from events.proof.randomness import seat_commitment
from events.rules.fact import Seat
from events.table.bundle import BadBundle
from events.table.game import Game
from events.table.record import Record, pseudonym
from events.tlog.drops import Drop, drop_box, open_drop
from events.tlog.notes import BadNote, UnsignedNote
from events.verify.trust import Trust


def find_dropped_reveals(
    records: Sequence[Record], trust: Trust, game: Game, withheld: Sequence[Seat]
) -> dict[Seat, str]:
    """Yield the seats called missing whose reveal a pinned witness had in time, with that witness.

    Notes of witnesses who are not pinned say nothing. Raises :class:`BadBundle` for one that is damaged, or
    whose signature by a pinned witness does not hold.
    """
    closing = next((r for r in records if r.type in ("RevealsClosed", "TableBegun")), None)
    if closing is None or trust.policy is None:
        return {}
    boxes = [drop_box(one) for one in trust.policy.witnesses.values()]
    fixed = whole_seconds(closing.envelope().at)
    since = parse_timestamp(game.full_at) / MICROS_PER_SECOND
    found: dict[Seat, str] = {}
    for note in trust.drops:
        try:
            statement, signers = open_drop(note, boxes)
        except UnsignedNote:
            continue
        except BadNote as error:
            raise BadBundle(None, f"a note of a drop box: {error}") from error
        seat = statement.drop.seat
        if (
            seat in withheld
            and statement.contradicts_missing(game.id, seat, since, fixed)
            and statement.drop.origin in trust.list_names(game.service)
            and _matches_commitment(statement.drop, game)
        ):
            found[seat] = signers[0].name.removesuffix("/drop")
    return found


def _matches_commitment(drop: Drop, game: Game) -> bool:
    """Return True if the seat had committed to this drop: anybody can drop anything for any seat."""
    made = seat_commitment(game.key, pseudonym(drop.seat), drop.contribution).hex()
    return made == game.seats[drop.seat].commitment
