"""The terms on which a table opens: contributions to its randomness, their time, reserved seats."""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence
from typing import Annotated, Literal, get_args

import msgspec

from events.base.timestamps import is_recorded_form
from events.clocks.absence_policy import DEFAULTS, Absence
from events.clocks.clock import ClockSettings
from events.proof import canonical
from events.proof.beacon import CHAINS
from events.proof.randomness import sha, tag
from events.rules.fact import Seat
from events.rules.steps import INVALID_PARAMETERS, Rejected
from events.tlog.weak_keys import is_weak_key

MIN_REVEAL_MS = 60_000
"""The least time that a seat has to reveal its contribution after the last seat is taken."""
DEFAULT_REVEAL_MS = 24 * 3_600_000
"""The default time for reveals where those who play need not be there at once."""
MAX_REVEAL_MS = 30 * 24 * 3_600_000
"""The longest time that a table may give for it."""

MAX_DELAY_MS = 24 * 3_600_000
"""The longest delay for spectators."""

Undo = Literal["own", "ask", "none"]
"""The ways to take commands back: a seat its own ones, any if all agree, none."""
Talk = Literal["all", "public", "phrases", "none"]
"""The ways for players to talk: with whispers, aloud only, aloud in phrases of the title only, not at all."""

MAX_DIRECTORS = 16
"""The most directors of a table."""

_HEX32 = re.compile(r"[0-9a-f]{64}")
_WHO = re.compile(r"[A-Za-z0-9+/]{43}=")


class Beacon(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A public source of randomness that contributes."""

    chain: str
    """The hash of the chain (hex)."""
    after: int
    """Seconds between the close of the reveals and its round."""


class Seating(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The requirement for taking an open seat."""

    reliability: Annotated[int, msgspec.Meta(ge=0, le=100)]
    """The least percentage of decisions that the player has answered in time.

    The log tells only what was asked for: it knows no accounts.
    """


class Delay(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The delay with which spectators see a game. Players and directors see it at once."""

    ms: Annotated[int, msgspec.Meta(ge=0, le=MAX_DELAY_MS)] = 0
    """Milliseconds after which spectators see an event."""
    until_end: bool = False
    """True if spectators see nothing of the play before its end."""


class Terms(msgspec.Struct, frozen=True):
    """The terms, settled at the creation, on which the game comes to begin."""

    contributions: Literal["open", "required"] = "open"
    """``open``: contributions that are not revealed count as empty. ``required``: the game needs all of
    them."""
    director: str | None = None
    """The commitment (hex) of a director who contributes."""
    beacon: Beacon | None = None
    invited: tuple[str | None, ...] | None = None
    """By seat the ``who`` that alone may take it; None where nobody is invited."""
    reveal_by_ms: int | None = None
    """Milliseconds for reveals after the last seat is taken; None where none is awaited."""
    directors: int | None = None
    """The number of directors of the table; None: the maker of the game directs it."""
    expires_at: str | None = None
    """The time until which the seats must be taken; None if none is open."""
    clock: ClockSettings | None = None
    """The settings of the clock; None if no time is counted."""
    absence: Absence | None = None
    """The settings for a seat whose time is up; None without a clock where nothing was said of it."""
    seating: Seating | None = None
    """The requirement for taking an open seat; None if anybody may."""
    delay: Delay | None = None
    """The delay for spectators; None if they see at once."""
    rated: bool = True
    """True if its result counts for ratings; that of an analysis game never does."""
    undo: Undo = "none"
    """The way to take commands back."""
    talk: Talk = "none"
    """The way for players to talk at the table."""

    @property
    def has_outside_contributor(self) -> bool:
        """True if a person who holds no seat contributes, once the reveals are closed."""
        return self.director is not None or self.beacon is not None

    def find_reservation(self, seat: Seat) -> str | None:
        """Return the ``who`` for which a seat is kept; None for anybody."""
        return self.invited[seat] if self.invited else None


class SeatOccupant(msgspec.Struct, frozen=True):
    """The occupant of a seat of a new game, as far as the log tells."""

    bot: str | None = None
    who: str | None = None
    key: str | None = None
    commitment: str | None = None


def account_digest(salt: bytes, account: str, origin: str) -> str:
    """Return the salted digest of an account (its UUID).

    By it the holder of the account can show that they sat at a table.
    """
    named = canonical.encode({"account": account, "origin": origin})
    return base64.b64encode(sha(tag("bg/who/1"), salt, named)).decode()


def settle_terms(
    terms: Terms, seats: Sequence[SeatOccupant | None], bots: Sequence[str], *, seeded: bool
) -> Terms:
    """Return *terms* as they are recorded, for a title that those *bots* play.

    Raises :class:`Rejected` where they are none for these seats.
    """
    _check_outside(terms, seeded=seeded)
    invited = _settle_invitations(terms.invited, seats)
    for seat, sits in enumerate(seats):
        if sits is not None:
            check_occupant(sits, terms.contributions)
            if invited and invited[seat] is not None:
                raise _invalid_terms(
                    "Only an open seat can be reserved. Remove its entry from `invited`, or leave the seat"
                    " open."
                )
    awaited = terms.has_outside_contributor or any(sits is None or sits.commitment for sits in seats)
    _check_table(terms)
    _check_substitute(terms.absence, bots)
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
    """Check the directors of a table, its seating, its expiry and more. Raises :class:`Rejected`."""
    if terms.talk not in get_args(Talk):
        raise _invalid_terms(f"This `talk` is unknown. Send one of: {', '.join(get_args(Talk))}.")
    if terms.seating is not None and not 0 <= terms.seating.reliability <= 100:
        raise _invalid_terms("The reliability is out of range. Send 0 to 100.")
    if terms.directors is not None and not 1 <= terms.directors <= MAX_DIRECTORS:
        raise _invalid_terms(f"The number of directors is wrong. Name 1 to {MAX_DIRECTORS}, or none.")
    if terms.expires_at is not None and not is_recorded_form(terms.expires_at):
        raise _invalid_terms("`expires_at` has the wrong form. Send a time in UTC with microseconds.")


def _check_substitute(absence: Absence | None, bots: Sequence[str]) -> None:
    """Check that whatever plays on for an absent player plays this title. Raises :class:`Rejected`."""
    substitute = None if absence is None else absence.substitute
    if substitute not in (None, DEFAULTS, *bots):
        raise _invalid_terms(f"`{substitute}` does not play this title. It has the bots {', '.join(bots)}.")


def _settle_absence(terms: Terms, people: int) -> Absence | None:
    if terms.absence is None and terms.clock is None:
        return None
    return (terms.absence or Absence()).with_defaults(terms.clock, people)


def _settle_delay(delay: Delay | None) -> Delay | None:
    if delay is not None and not 0 <= delay.ms <= MAX_DELAY_MS:
        raise _invalid_terms(f"The delay is too long. Send at most {MAX_DELAY_MS} ms.")
    return None if delay == Delay() else delay


def check_occupant(sits: SeatOccupant, contributions: str) -> None:
    """Raise :class:`Rejected` for what cannot be recorded of a player who takes a seat."""
    if sits.bot is not None:
        if sits.who or sits.key or sits.commitment:
            raise _invalid_terms("A bot has no account, key or commitment. Leave them out.")
        return
    if not _matches(_HEX32, sits.commitment) or not _matches(_HEX32, sits.key):
        raise _invalid_terms("A commitment or key has the wrong form. Send 64 lower-case hex digits.")
    if sits.key is not None and is_weak_key(bytes.fromhex(sits.key)):
        raise Rejected(
            INVALID_PARAMETERS, "For this `key` anybody can sign: its order is small. Make another one."
        )
    if not _is_account_digest(sits.who):
        raise _invalid_terms("`who` has the wrong form. Send 32 bytes in base64.")
    if contributions == "required" and sits.commitment is None:
        raise Rejected(
            "commitment_required",
            "In this game every player contributes to the randomness. Send the `commitment` to a"
            " contribution.",
        )


def _check_outside(terms: Terms, *, seeded: bool) -> None:
    if seeded and terms.has_outside_contributor:
        raise _invalid_terms(
            "The randomness of a game with a seed follows from the seed. Leave `director_commitment` and"
            " `beacon` out."
        )
    if not _matches(_HEX32, terms.director):
        raise _invalid_terms("The director's commitment has the wrong form. Send 64 lower-case hex digits.")
    beacon = terms.beacon
    if beacon is not None and (beacon.chain not in CHAINS or not 30 <= beacon.after <= 3600):
        raise _invalid_terms(
            "The beacon is not valid. Name a known chain, and 30 to 3600 seconds after the reveals are"
            " closed."
        )


def _settle_invitations(
    invited: Sequence[str | None] | None, seats: Sequence[SeatOccupant | None]
) -> tuple[str | None, ...] | None:
    if invited is None or not any(invited):
        return None
    if len(invited) != len(seats) or not all(map(_is_account_digest, invited)):
        raise _invalid_terms("`invited` has the wrong form. Send null or 32 bytes in base64 for each seat.")
    return tuple(invited)


def _settle_reveal_ms(terms: Terms) -> int:
    wanted = MIN_REVEAL_MS if terms.reveal_by_ms is None else terms.reveal_by_ms
    if not MIN_REVEAL_MS <= wanted <= MAX_REVEAL_MS:
        raise _invalid_terms(f"`reveal_by_ms` is out of range. Send {MIN_REVEAL_MS} to {MAX_REVEAL_MS}.")
    return wanted


def _matches(form: re.Pattern[str], text: str | None) -> bool:
    return text is None or form.fullmatch(text) is not None


def _is_account_digest(text: str | None) -> bool:
    """Return True if it is null or a base64 that is its own: no stray bits in the last character."""
    if text is None:
        return True
    return _WHO.fullmatch(text) is not None and base64.b64encode(base64.b64decode(text)).decode() == text


def _invalid_terms(detail: str) -> Rejected:
    return Rejected("invalid_terms", detail)
