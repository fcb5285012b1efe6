"""Commands: a request to change a game or a tournament, and the one way in which it is carried out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TypeVar

import msgspec

from events.rules.fact import Seat
from events.store.games import SeatMismatch, StaleVersion
from events.table.record import Signature
from service.base.people import Account
from service.http.preconditions import (
    derive_command_id,
    get_chosen_id,
    read_expected_seq,
    read_idempotency_key,
    read_signature,
)
from service.http.problems import Problem
from service.stores.seat_claims import ForeignSeat

Result = TypeVar("Result")


class CommandRequest(msgspec.Struct, frozen=True):
    """The conditions under which an account gives a command, as the headers of its request have them."""

    account: Account
    stream: str
    """The id of the game or the tournament."""
    key: str | None
    """The Idempotency-Key."""
    expected: int | None
    """The newest event on which alone the command is carried out; None for any."""
    signature: Signature | None


def read_command_request(account: Account, stream: str, newest: Callable[[], int]) -> CommandRequest:
    """Read the headers of a request that gives a command; *newest* returns the seq of the newest event.

    Raises 400 problems, and StaleVersion if none of the tags of If-Match is the newest.
    """
    key = read_idempotency_key()
    return CommandRequest(account, stream, key, read_expected_seq(newest), read_signature())


def execute(request: CommandRequest, actor: Seat | str, give: Callable[[str | None], Result]) -> Result:
    """Call *give* with the command id that the key of the request chooses, or that follows from it.

    An id stands in the log once. So one key for commands of several who act (*actor* is a name of the one who
    does) chooses the id of the first of them alone; for the others it follows from the key. Without a key
    *give* gets None.
    """
    if request.key is None:
        return give(None)
    if chosen := get_chosen_id(request.key):
        with suppress(SeatMismatch):
            return give(chosen)
    return give(derive_command_id(request.stream, actor, request.key))


def explain_conflict(request: CommandRequest, newest: int) -> Exception:
    """Return the error for a command that was decided on a state which is not the newest any more.

    With If-Match it is StaleVersion, with the seq of the *newest* event. Without it very many write at once,
    and nothing was appended: a 503 problem.
    """
    if request.expected is not None:
        return StaleVersion(newest)
    detail = "Too many requests changed this at once. Send the request again."
    return Problem(503, "unavailable", detail, headers={"Retry-After": "1"})


def choose_seat(own: Sequence[Seat], named: Seat | None, able: Sequence[Seat] = ()) -> Seat:
    """Return the seat of *own* that acts: the *named* one, the only one, or the only one that is *able*.

    Raises problems: 409 if it has to be named, 403 for a seat of somebody else.
    """
    if named is not None:
        if named not in own:
            raise ForeignSeat(tuple(own))
        return named
    if len(own) == 1:
        return own[0]
    if len(able) == 1:
        return able[0]
    yours = ", ".join(map(str, able or own))
    raise Problem(409, "seat_required", f"You hold several seats. Send the one that acts as `seat`: {yours}.")
