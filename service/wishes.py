"""What somebody asks a new game to be, read and checked: seats, options, seed, position."""

from __future__ import annotations

import base64
import os
import re
from collections.abc import Sequence
from typing import Any

import msgspec

from events.clocks.clock import ClockSettings, Correspondence, Live
from events.proof.randomness import Seed
from events.rules.catalogue import title_ids, versions
from events.rules.steps import Rejected
from events.rules.title import Title
from events.store.games import SeatPlan
from events.table.terms import DEFAULT_REVEAL_MS, MIN_REVEAL_MS, Beacon, Terms
from service.access import Visibility
from service.offered import Offered
from service.positions import check_position
from service.reservations import Kept
from service.rulebooks import clause_of
from service.schemas.shapes import HEX32
from service.wire import bodies
from service.wire.bodies import read, read_time
from service.wire.problems import invalid, of_rejection
from service.wire.queries import UUID

SALT = 16
"""Bytes of the salt of a seed."""


class Wish(msgspec.Struct, frozen=True):
    """A game that can be made."""

    title: Title[Any]
    options: Any
    seats: tuple[SeatPlan, ...]
    mine: tuple[int, ...]
    """The seats that the creator takes."""
    terms: Terms = Terms()
    id: str | None = None
    """The id that the creator chose."""
    seed: Seed | None = None
    position: dict[str, Any] | None = None
    directors: tuple[str, ...] = ()
    """The accounts that direct the table."""
    visibility: Visibility = "public"
    kept: Kept = {}
    """The open seats that are kept for somebody."""
    club: str | None = None
    """The club whose game it is to be."""


def read_wish(body: dict[str, Any], offered: Offered, *, beacons: bool) -> Wish:
    """The game that *body* asks for; only who is *offered* sits in it, and a beacon only where *beacons* are
    to be had.

    Raises 422 problems for its shape, 409 for what the title or the opening of a table refuses.
    """
    new = read(body, bodies.NewGame)
    if new.title not in title_ids():
        raise invalid({"title": [f"Must be one of: {', '.join(title_ids())}."]})
    title = _title(new)
    least, most = title.seats[0], title.seats[-1]
    if not least <= len(new.seats) <= most:
        raise invalid({"seats": [f"{title.name} is for {least} to {most} seats."]})
    options = read(new.options, title.Options, "options")
    seats, mine = read_seats(new.seats, offered.at(title.id))
    try:
        title.check_options(len(seats), options)
    except Rejected as refused:
        raise of_rejection(refused, clause_of(refused, title)) from None
    terms = _terms(new, beacons=beacons)
    counts = terms.rated and not (new.seed or new.repeat or new.position)
    offered.check((plan.bot for plan in seats), counts=counts)
    if any(plan.commitment for plan in seats) and new.id is None:
        raise Rejected("id_required", "A commitment depends on the game: choose its `id`, a new UUIDv7.")
    position = None if new.position is None else check_position(title, new.position, len(seats))
    return Wish(
        title,
        options,
        seats,
        mine,
        terms,
        new.id,
        _seed(new),
        position,
        tuple(account.lower() for account in new.directors or ()),
        _visibility(new),
        kept_seats(new.seats),
        new.club and new.club.lower(),
    )


def _rated(new: bodies.NewGame) -> bool:
    """Whether the result counts for ratings. Left out: where the game is not private, nor for analysis.

    Raises :class:`Rejected` where it is asked for and cannot be.
    """
    private = _visibility(new) == "private"
    if not new.rated:
        return new.rated is None and not private
    if new.seed or new.repeat or new.position is not None:
        raise Rejected("invalid_terms", "A game for analysis is not rated. Leave `rated` out.")
    if private and new.club is None:
        raise Rejected("invalid_terms", "A private game is rated only as a club's. Leave `rated` out.")
    return True


def _visibility(new: bodies.NewGame) -> Visibility:
    """A club's game is for the club. Raises a 422 problem where it is said to be for others."""
    if new.club is None:
        return new.visibility or "public"
    if new.visibility not in (None, "private"):
        raise Rejected("invalid_terms", "A club's game is private. Leave `visibility` out.")
    return "private"


def _title(new: bodies.NewGame) -> Title[Any]:
    """The newest version; a position is taken by the version that it is of. Raises 422 problems."""
    there = versions(new.title)
    if new.version in (None, there[0].version):
        return there[0]
    found = next((title for title in there if title.version == new.version), None)
    if found is None:
        raise invalid({"version": [f"Must be one of: {', '.join(str(title.version) for title in there)}."]})
    if new.position is None:
        told = (
            f"New games begin under version {there[0].version}; an older one is for positions of its games."
        )
        raise invalid({"version": [told]})
    return found


def _terms(new: bodies.NewGame, *, beacons: bool) -> Terms:
    beacon = None
    if new.beacon is not None:
        if not beacons:
            raise invalid({"beacon": ["No beacon is to be had here: leave it out."]})
        beacon = Beacon(new.beacon.chain, new.beacon.after)
    invited = None if new.invited is None else tuple(new.invited)
    clock = _clock(new.clock)
    patience = MIN_REVEAL_MS if isinstance(clock, Live) else DEFAULT_REVEAL_MS
    return Terms(
        contributions=new.contributions or "open",
        director=new.director,
        beacon=beacon,
        invited=invited,
        reveal_by_ms=patience if new.reveal_by_ms is None else new.reveal_by_ms,
        directors=_directors(new),
        expires_at=None if new.expires_at is None else read_time(new.expires_at, "expires_at"),
        clock=clock,
        absence=new.absence,
        seating=new.seating,
        delay=new.delay,
        rated=_rated(new),
    )


def _directors(new: bodies.NewGame) -> int | None:
    """How many the log is to know: beside those who are named the managers of the club are one."""
    if not new.directors:
        return None
    return len(new.directors) + (new.club is not None)


def _clock(told: dict[str, Any] | None) -> ClockSettings | None:
    """How time is to be counted; None for no clock."""
    if told is None:
        return None
    kind = told.get("kind")
    if kind == "none" and len(told) == 1:
        return None
    if kind == "live":
        return read(told, Live, "clock")
    if kind == "correspondence":
        return read(told, Correspondence, "clock")
    raise invalid({"clock": {"kind": ["Must be one of: none (alone), live, correspondence."]}})


def _seed(new: bodies.NewGame) -> Seed | None:
    """The seed that was chosen, salted; or the seed and salt of a game that is to be made again."""
    if new.seed is not None and new.repeat is not None:
        raise invalid({"repeat": ["Give either a seed or what another game is repeated by."]})
    if new.seed is not None:
        return Seed(bytes.fromhex(new.seed), os.urandom(SALT))
    return None if new.repeat is None else read_repeat(new.repeat)


def read_repeat(text: str) -> Seed:
    """The inverse of :func:`repeat_of`. Raises a 422 problem."""
    seed, _, salt = text.partition(".")
    try:
        read_again = Seed(base64.urlsafe_b64decode(seed + "=" * (-len(seed) % 4)), bytes.fromhex(salt))
    except ValueError:
        raise invalid({"repeat": ["Is damaged: send what the creation answered."]}) from None
    if repeat_of(read_again) != text:
        raise invalid({"repeat": ["Is damaged: send what the creation answered."]})
    return read_again


def repeat_of(seed: Seed) -> str:
    """How the creator of a seeded game can have it made again: seed (base64url) and salt (hex)."""
    return f"{base64.urlsafe_b64encode(seed.seed).decode().rstrip('=')}.{seed.salt.hex()}"


def read_seats(
    entries: list[dict[str, Any]], bots: Sequence[str]
) -> tuple[tuple[SeatPlan, ...], tuple[int, ...]]:
    """The plan of the seats, and which of them the asking account takes. Raises a 422 problem.

    With one of mine there may be a commitment to a contribution, and the key that is to sign its commands.
    """
    plans: list[SeatPlan] = []
    mine: list[int] = []
    errors: dict[int, list[str]] = {}
    for number, entry in enumerate(entries):
        match entry:
            case {"you": you, **rest} if you is True and _are_hex(rest):
                plans.append(SeatPlan(**rest))
                mine.append(number)
            case {"open": is_open, **rest} if is_open is True and not rest:
                plans.append(SeatPlan(taken=False))
            case {"invited": True, **rest} | {"account": str(), **rest} if not rest and _is_kept(entry):
                plans.append(SeatPlan(taken=False))
            case {"bot": str() as bot, **rest} if bot in bots and not rest:
                plans.append(SeatPlan(bot))
            case _:
                errors[number] = [_no_seat(bots)]
    if errors:
        raise invalid({"seats": errors})
    return tuple(plans), tuple(mine)


def kept_seats(entries: list[dict[str, Any]]) -> Kept:
    """The seats that are kept: for an account, or for whoever has an invitation."""
    return {
        number: None if entry.get("invited") else entry["account"].lower()
        for number, entry in enumerate(entries)
        if _is_kept(entry)
    }


def _is_kept(entry: dict[str, Any]) -> bool:
    if "account" in entry:
        return isinstance(entry["account"], str) and UUID.fullmatch(entry["account"]) is not None
    return entry.get("invited") is True


def _are_hex(said: dict[str, Any]) -> bool:
    """Whether a commitment and a key, and nothing else, are said as they should be."""
    texts = [value for value in said.values() if value is not None]
    return said.keys() <= {"commitment", "key"} and all(
        isinstance(text, str) and re.fullmatch(HEX32, text) for text in texts
    )


def _no_seat(bots: Sequence[str]) -> str:
    return (
        'Say {"you": true}, perhaps with a "commitment" and a "key" of 64 hex digits, {"open": true},'
        ' {"account": ID}, {"invited": true}'
        f' or {{"bot": NAME}} with one of the bots: {", ".join(bots)}.'
    )


def fork_seed() -> Seed:
    """Randomness for what a fork draws anew."""
    return Seed(os.urandom(16), os.urandom(SALT))
