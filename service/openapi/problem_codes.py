"""The stable codes of problems: with which statuses they come, what they mean and what to do.

They are data beside this module. A refusal of the rules is a 409, unless its code is listed with another
status.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from tomllib import loads
from typing import Any, Literal, TypeVar

import msgspec

from events.rules.steps import COMMON_CODES

REJECTION_STATUS = 409
"""The status of what only the rules, or the state of the game, can tell."""
ERRORS_PAGE = "/docs/reference/errors"
"""The page that describes all codes, each under its own anchor."""
V = TypeVar("V")


class ProblemCode(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A code of the platform, see `codes.toml`."""

    status: list[int]
    meaning: str
    cure: str
    retry: Literal["no", "changed", "later", "wait"]


class Refusal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A code of the rules of a title, see `refusals.toml`."""

    cure: str
    clause: str | None = None


def _load_table(name: str, kind: type[V]) -> V:
    found: Any = loads(files(__package__).joinpath(name).read_text(encoding="utf-8"))
    return msgspec.convert(found, kind)


@cache
def get_problems() -> Mapping[str, ProblemCode]:
    """Return all codes of the service and of tables."""
    return _load_table("codes.toml", dict[str, ProblemCode])


@cache
def get_statuses() -> Mapping[str, list[int]]:
    """Return the statuses with which each code of the service and of tables comes, by code."""
    return {code: problem.status for code, problem in get_problems().items()}


@cache
def get_refusals() -> Mapping[str, Mapping[str, Refusal]]:
    """Return the codes of each title's own rules, by title."""
    return _load_table("refusals.toml", dict[str, dict[str, Refusal]])


def get_title_codes(title_id: str) -> tuple[str, ...]:
    """Return the codes with which the rules of a title refuse a command."""
    return tuple(sorted({*get_refusals().get(title_id, ()), *COMMON_CODES}))


def get_all_codes() -> tuple[str, ...]:
    """Return all codes."""
    return tuple(sorted({*get_statuses(), *(code for codes in get_refusals().values() for code in codes)}))


def get_rejection_status(code: str) -> int:
    """Return the status of a refusal by the rules."""
    known = get_statuses().get(code, [])
    return known[0] if len(known) == 1 else REJECTION_STATUS


def make_type(code: str) -> str:
    """Return the `type` of a problem: the address of what the documentation says of its code."""
    return f"{ERRORS_PAGE}#{code}"
