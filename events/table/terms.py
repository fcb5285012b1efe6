"""On what terms a table opens: who contributes to its randomness until when, for whom seats are kept."""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec

from events.base.timestamps import format_timestamp, parse_timestamp
from events.clocks.absence_policy import Absence
from events.clocks.clock import ClockSettings
from events.proof import canonical
from events.proof.beacon import CHAINS
from events.proof.randomness import sha, tag
from events.rules.fact import Seat
from events.rules.steps import Rejected

MIN_REVEAL_MS = 60_000
"""How long every seat has at least to reveal its contribution after the last seat is taken."""
DEFAULT_REVEAL_MS = 24 * 3_600_000
"""How long it waits for that where nothing is said and those who play need not be there at once."""
MAX_REVEAL_MS = 30 * 24 * 3_600_000
"""The longest time that a table may give for it."""

MAX_DELAY_MS = 24 * 3_600_000
"""How much later spectators see at the most."""

MAX_DIRECTORS = 16
"""The most directors of a table."""

_HEX32 = re.compile(r"[0-9a-f]{64}")
_WHO = re.compile(r"[A-Za-z0-9+/]{43}=")


class Beacon(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A public source of randomness that contributes."""

    chain: str
    """Its hash (hex)."""
    after: int
    """Seconds between the close of the reveals and its round."""


class Seating(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who may take an open seat."""

    reliability: Annotated[int, msgspec.Meta(ge=0, le=100)]
    """Of a hundred decisions that were due so many he has answered in time. The log tells only what was asked
    for: it knows no accounts."""


class Delay(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How much later those see a game who neither play nor direct it."""

    ms: Annotated[int, msgspec.Meta(ge=0, le=MAX_DELAY_MS)] = 0
    """Milliseconds after which they see an event."""
    until_end: bool = False
    """Whether they see nothing of the play before its end."""


class Terms(msgspec.Struct, frozen=True):
    """What is settled at the creation about how the game comes to begin."""

    contributions: Literal["open", "required"] = "open"
    """``open``: what is not revealed counts as empty; ``required``: the game cannot begin without it."""
    director: str | None = None
    """The commitment (hex) of a director who contributes."""
    beacon: Beacon | None = None
    invited: tuple[str | None, ...] | None = None
    """By seat the ``who`` that alone may take it; None where nobody is invited."""
    reveal_by_ms: int | None = None
    """How long contributions may be revealed after the last seat is taken; None where none is awaited."""
    directors: int | None = None
    """How many directors the table has; None: whoever made it directs it."""
    expires_at: str | None = None
    """Until when the seats must be taken; None where none is open."""
    clock: ClockSettings | None = None
    """How time is counted; None where it is not."""
    absence: Absence | None = None
    """What happens when a seat's time is up; None without a clock where nothing was said of it."""
    seating: Seating | None = None
    """Who may take an open seat; None for anybody."""
    delay: Delay | None = None
    """How much later spectators see; None where they see at once."""
    rated: bool = True
    """Whether its result counts for ratings; that of an analysis game never does."""

    @property
    def has_outside_contributor(self) -> bool:
        """Whether somebody who holds no seat contributes, once the reveals are closed."""
        return self.director is not None or self.beacon is not None

    def reserved_for(self, seat: Seat) -> str | None:
        """The ``who`` for which a seat is kept; None for anybody."""
        return self.invited[seat] if self.invited else None


class SeatOccupant(msgspec.Struct, frozen=True):
    """Who sits at a seat of a new game, as far as the log tells."""

    bot: str | None = None
    who: str | None = None
    key: str | None = None
    commitment: str | None = None


def account_digest(salt: bytes, account: str, origin: str) -> str:
    """The salted digest of an account (its UUID) by which its holder can show that he sat at a table."""
    named = canonical.encode({"account": account, "origin": origin})
    return base64.b64encode(sha(tag("bg/who/1"), salt, named)).decode()


def settle_terms(terms: Terms, seats: Sequence[SeatOccupant | None], *, seeded: bool) -> Terms:
    """*terms* as they are recorded. Raises :class:`Rejected` where they are none for these seats."""
    _check_outside(terms, seeded=seeded)
    invited = _settle_invitations(terms.invited, seats)
    for seat, sits in enumerate(seats):
        if sits is not None:
            check_occupant(sits, terms.contributions)
            if invited and invited[seat] is not None:
                raise _invalid_terms("Only an open seat can be kept for somebody.")
    awaited = terms.has_outside_contributor or any(sits is None or sits.commitment for sits in seats)
    _check_table(terms)
    people = sum(sits is None or sits.bot is None for sits in seats)
    return msgspec.structs.replace(
        terms,
        invited=invited,
        reveal_by_ms=_settle_reveal_ms(terms) if awaited else None,
        expires_at=terms.expires_at if None in seats else None,
        clock=terms.clock and terms.clock.with_defaults(),
        absence=_settle_absence(terms, people),
        delay=_settle_delay(terms.delay),
    )


def _check_table(terms: Terms) -> None:
    """Who directs it, who may come to it, and until when it waits for people."""
    if terms.seating is not None and not 0 <= terms.seating.reliability <= 100:
        raise _invalid_terms("A reliability is 0 to 100.")
    if terms.directors is not None and not 1 <= terms.directors <= MAX_DIRECTORS:
        raise _invalid_terms(f"A table has 1 to {MAX_DIRECTORS} directors, or none.")
    try:
        written = (
            terms.expires_at is None
            or format_timestamp(parse_timestamp(terms.expires_at)) == terms.expires_at
        )
    except (ValueError, OverflowError):
        written = False
    if not written:
        raise _invalid_terms("`expires_at` is a time in UTC with microseconds.")


def _settle_absence(terms: Terms, people: int) -> Absence | None:
    if terms.absence is None and terms.clock is None:
        return None
    return (terms.absence or Absence()).with_defaults(terms.clock, people)


def _settle_delay(delay: Delay | None) -> Delay | None:
    if delay is not None and not 0 <= delay.ms <= MAX_DELAY_MS:
        raise _invalid_terms(f"A delay is at most {MAX_DELAY_MS} ms.")
    return None if delay == Delay() else delay


def check_occupant(sits: SeatOccupant, contributions: str) -> None:
    """Raises :class:`Rejected` for what cannot be recorded of somebody who sits down."""
    if sits.bot is not None:
        if sits.who or sits.key or sits.commitment:
            raise _invalid_terms("A bot has neither an account nor a key, and commits to nothing.")
        return
    if not _matches(_HEX32, sits.commitment) or not _matches(_HEX32, sits.key):
        raise _invalid_terms("Commitments and keys are 64 hex digits in lower case.")
    if not _is_account_digest(sits.who):
        raise _invalid_terms("`who` is the base64 of 32 bytes.")
    if contributions == "required" and sits.commitment is None:
        raise Rejected(
            "commitment_required",
            "At this table everybody contributes to the randomness: send the `commitment` to a contribution.",
        )


def _check_outside(terms: Terms, *, seeded: bool) -> None:
    if seeded and terms.has_outside_contributor:
        raise _invalid_terms(
            "The randomness of a game with a seed follows from the seed: nobody else contributes."
        )
    if not _matches(_HEX32, terms.director):
        raise _invalid_terms("The director's commitment is 64 hex digits in lower case.")
    beacon = terms.beacon
    if beacon is not None and (beacon.chain not in CHAINS or not 30 <= beacon.after <= 3600):
        raise _invalid_terms(
            "A beacon is a chain that is known here, 30 to 3600 seconds after the reveals are closed."
        )


def _settle_invitations(
    invited: Sequence[str | None] | None, seats: Sequence[SeatOccupant | None]
) -> tuple[str | None, ...] | None:
    if invited is None or not any(invited):
        return None
    if len(invited) != len(seats) or not all(map(_is_account_digest, invited)):
        raise _invalid_terms("`invited` has for each seat null or the base64 of 32 bytes.")
    return tuple(invited)


def _settle_reveal_ms(terms: Terms) -> int:
    wanted = MIN_REVEAL_MS if terms.reveal_by_ms is None else terms.reveal_by_ms
    if not MIN_REVEAL_MS <= wanted <= MAX_REVEAL_MS:
        raise _invalid_terms(f"`reveal_by_ms` is at least {MIN_REVEAL_MS} and at most {MAX_REVEAL_MS}.")
    return wanted


def _matches(form: re.Pattern[str], text: str | None) -> bool:
    return text is None or form.fullmatch(text) is not None


def _is_account_digest(text: str | None) -> bool:
    """Whether it is null or a base64 that is its own: no stray bits in the last character."""
    if text is None:
        return True
    return _WHO.fullmatch(text) is not None and base64.b64encode(base64.b64decode(text)).decode() == text


def _invalid_terms(detail: str) -> Rejected:
    return Rejected("invalid_terms", detail)
