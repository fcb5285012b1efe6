"""The request for a new game, read and checked: seats, options, seed, position."""

from __future__ import annotations

import base64
import os
from typing import Any

import msgspec

from events.clocks.clock import LiveClock
from events.proof.randomness import Seed
from events.rules.catalogue import versions
from events.rules.steps import Rejected
from events.rules.title import Title
from events.store.games import SeatPlan
from events.table.terms import DEFAULT_REVEAL_MS, MIN_REVEAL_MS, Beacon, Terms
from events.tlog.weak_keys import is_weak_key
from service.application.position_check import check_position
from service.application.schemas.game_schemas import make_new_game
from service.base.bot_catalogue import BotCatalogue
from service.base.visibility import Visibility
from service.http.problems import invalid_parameters, rejection_problem
from service.http.request_data import build_struct, load_request
from service.openapi import request_structs
from service.presenters.rulebooks import find_clause
from service.stores.seat_reservations import ReservedSeats

SALT_BYTES = 16
"""Bytes of the salt of a seed."""


class GameRequest(msgspec.Struct, frozen=True):
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
    reserved: ReservedSeats = {}
    """The open seats that are kept, each for an account."""
    club: str | None = None
    """The club whose game it is to be."""


def read_game_request(body: dict[str, Any], offered: BotCatalogue, *, beacons: bool) -> GameRequest:
    """Return the game that *body* asks for.

    Only bots that are *offered* sit in it; it has a beacon only where *beacons* are available.

    Raises 422 problems for its shape, 409 for what the title or the opening of a table refuses.
    """
    loaded = load_request(body, make_new_game(offered, beacons=beacons))
    new = build_struct(loaded, request_structs.NewGame)
    title = _find_version(new)
    options = build_struct(new.options, title.Options, "options")
    seats, mine = read_seats(new.seats)
    try:
        title.check_options(len(seats), options)
    except Rejected as refused:
        raise rejection_problem(refused, find_clause(refused, title)) from None
    terms = _make_terms(new)
    counts = terms.rated and not (new.seed or new.repeat or new.position)
    offered.check_auditable((plan.bot for plan in seats), counts=counts)
    if any(plan.commitment for plan in seats) and new.id is None:
        raise Rejected(
            "id_required",
            "A commitment depends on the id of the game, and `id` is missing. Send a new UUIDv7 as `id`.",
        )
    position = None if new.position is None else check_position(title, new.position, len(seats))
    return GameRequest(
        title,
        options,
        seats,
        mine,
        terms,
        new.id,
        _read_seed(new),
        position,
        tuple(new.directors or ()),
        _read_visibility(new),
        read_reserved_seats(new.seats),
        new.club,
    )


def _read_rated(new: request_structs.NewGame) -> bool:
    """Return True if the result counts for ratings.

    Left out, it counts where the game is not private, nor for analysis. Raises :class:`Rejected` where it is
    asked for and cannot be.
    """
    private = _read_visibility(new) == "private"
    if not new.rated:
        return new.rated is None and not private
    if new.seed or new.repeat or new.position is not None:
        raise Rejected("invalid_terms", "An analysis game is never rated. Leave `rated` out.")
    if private and new.club is None:
        raise Rejected(
            "invalid_terms",
            "A private game is rated only if it belongs to a club. Leave `rated` out, or send `club`.",
        )
    return True


def _read_visibility(new: request_structs.NewGame) -> Visibility:
    """Return the visibility that is asked for; a club's game is for the club.

    Raises Rejected where a club's game is said to be for others.
    """
    if new.club is None:
        return new.visibility or "public"
    if new.visibility not in (None, "private"):
        raise Rejected("invalid_terms", "The game of a club is always private. Leave `visibility` out.")
    return "private"


def _find_version(new: request_structs.NewGame) -> Title[Any]:
    """Return the newest version; a position is taken by the version that it is of."""
    there = versions(new.title)
    return next((title for title in there if title.version == new.version), there[0])


def _make_terms(new: request_structs.NewGame) -> Terms:
    beacon = None if new.beacon is None else Beacon(new.beacon.chain, new.beacon.after)
    invited = None if new.invited is None else tuple(new.invited)
    patience = MIN_REVEAL_MS if isinstance(new.clock, LiveClock) else DEFAULT_REVEAL_MS
    return Terms(
        contributions=new.contributions or "open",
        director=new.director_commitment,
        beacon=beacon,
        invited=invited,
        reveal_by_ms=patience if new.reveal_by_ms is None else new.reveal_by_ms,
        directors=_count_directors(new),
        expires_at=new.expires_at,
        clock=new.clock,
        absence=new.absence,
        seating=new.seating,
        delay=new.delay,
        rated=_read_rated(new),
        undo=new.undo,
        talk=new.talk,
    )


def _count_directors(new: request_structs.NewGame) -> int | None:
    """Return the number of directors that the log is to know; None where none is named.

    Beside those who are named, the managers of the club count as one.
    """
    if not new.directors:
        return None
    return len(new.directors) + (new.club is not None)


def _read_seed(new: request_structs.NewGame) -> Seed | None:
    """Return the seed that was chosen, salted; or the seed and salt of a game that is to be made again."""
    if new.seed is not None:
        return Seed(bytes.fromhex(new.seed), os.urandom(SALT_BYTES))
    return None if new.repeat is None else read_repeat(new.repeat)


def read_repeat(text: str) -> Seed:
    """Return the inverse of :func:`format_repeat`. Raises a 422 problem."""
    seed, _, salt = text.partition(".")
    try:
        read_again = Seed(base64.urlsafe_b64decode(seed + "=" * (-len(seed) % 4)), bytes.fromhex(salt))
    except ValueError:
        raise invalid_parameters(
            {"repeat": ["This value is damaged. Send the `repeat` of an earlier answer."]}
        ) from None
    if format_repeat(read_again) != text:
        raise invalid_parameters(
            {"repeat": ["This value is damaged. Send the `repeat` of an earlier answer."]}
        )
    return read_again


def format_repeat(seed: Seed) -> str:
    """Return the text that has a seeded game made again: seed (base64url) and salt (hex)."""
    return f"{base64.urlsafe_b64encode(seed.seed).decode().rstrip('=')}.{seed.salt.hex()}"


def read_seats(entries: list[dict[str, Any]]) -> tuple[tuple[SeatPlan, ...], tuple[int, ...]]:
    """Return the plan of the seats, and which of them the asking account takes.

    With one that it takes there may be a commitment to a contribution, and the key that signs its commands.
    """
    for entry in entries:
        check_seat_key(entry.get("key"))
    plans = tuple(
        SeatPlan(commitment=entry.get("commitment"), key=entry.get("key"))
        if "you" in entry
        else SeatPlan(entry["bot"])
        if "bot" in entry
        else SeatPlan(taken=False)
        for entry in entries
    )
    return plans, tuple(seat for seat, entry in enumerate(entries) if "you" in entry)


def check_seat_key(key: str | None) -> None:
    """Refuse a public key (hex) for which anybody can sign."""
    if key is not None and is_weak_key(bytes.fromhex(key)):
        raise invalid_parameters(
            {"key": ["Its order is small, so anybody can sign for it. Make another key."]}
        )


def read_reserved_seats(entries: list[dict[str, Any]]) -> ReservedSeats:
    """Return the seats that are kept: each for an account, or (None) for a player with an invitation."""
    return {
        seat: entry.get("account")
        for seat, entry in enumerate(entries)
        if not entry.keys().isdisjoint({"account", "invited"})
    }


def make_fork_seed() -> Seed:
    """Make the seed, with its salt, of what a fork draws again."""
    return Seed(os.urandom(16), os.urandom(SALT_BYTES))
