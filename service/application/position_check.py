"""Positions that strangers send: is it one of the title's, for this number of seats?"""

from __future__ import annotations

from functools import cache
from typing import Any

import structlog

from events.proof import canonical
from events.rules.fact import Json
from events.rules.fast_chance import FastChance
from events.rules.title import InvalidPosition, Outcome, Title
from service.http.problems import Problem

log = structlog.get_logger("rutter.service")


def check_position(title: Title[Any], position: Json, seats: int) -> Json:
    """Return the position as the title itself writes it.

    Raises a problem for what no event could hold (fractions, odd keys), for what the title refuses, and where
    nothing is left to play.
    """
    try:
        canonical.check(position)
    except canonical.UncanonicalValue as error:
        raise _invalid_position_problem(f"It has a value that no position can have: {error}") from None
    try:
        state = title.from_position(position)
        ended = _try_out(title, state, seats) is not None
        written = title.position(state)
    except InvalidPosition as error:
        raise _invalid_position_problem(str(error)) from None
    except Exception as error:  # noqa: BLE001 - whatever it is
        # A title should name what is wrong itself; whatever it stumbles over must not become a game.
        log.warning("position_stumbled", title=title.id, error=repr(error)[:500])
        raise _invalid_position_problem("It is not a position of this title.") from None
    if ended:
        raise Problem(
            422, "game_over", "In this position the game is over. Send the position of an earlier event."
        )
    return written


def _invalid_position_problem(reason: str) -> Problem:
    told = f"{reason[:1].upper()}{reason[1:]}".rstrip(".")
    return Problem(409, "invalid_position", f"{told}. Correct that, or send a position of the server.")


def _try_out(title: Title[Any], state: Any, seats: int) -> Outcome | None:
    """Ask of the state all that will be asked of it at once. Answers how the game has ended, if it has."""
    held = set(_count_by_field(title, state).values())
    if held and seats not in held:
        raise InvalidPosition(f"the game has {seats} seats, and the position {min(held)}")
    outcome = title.outcome(state)
    for decision in title.decisions(state):
        if decision.seat is not None and decision.seat >= seats:
            raise InvalidPosition(f"the game has {seats} seats, and seat {decision.seat} must decide")
    for seat in (None, *range(seats)):
        title.panels(title.view_json(state, seat), seat)
    for seat in range(seats):
        title.seat_name(state, seat)
        title.imagine(state, seat, FastChance("try"))
        next(iter(title.legal(state, seat)), None)
    return outcome


def _count_by_field(title: Title[Any], state: Any) -> dict[str, int]:
    """Return, by field that has one value for each seat, the number of seats that the state has there."""
    found = {name: len(getattr(state, name)) for name in _find_fields_by_seat(title)}
    if isinstance(getattr(state, "seats", None), int):
        found["seats"] = state.seats
    return found


@cache
def _find_fields_by_seat(title: Title[Any]) -> tuple[str, ...]:
    """Return the fields of a title's state that grow with the seats: seen by comparing two blank states."""
    few, many = title.seats[0], title.seats[-1]
    if few == many:
        return ()
    small, large = (title.blank(count, title.Options()) for count in (few, many))
    return tuple(
        name
        for name in title.State.__struct_fields__
        if _get_length(getattr(small, name)) == few and _get_length(getattr(large, name)) == many
    )


def _get_length(value: Any) -> int | None:
    return len(value) if isinstance(value, tuple | list) else None
