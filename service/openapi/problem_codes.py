"""The stable codes of problems, and with which statuses they come: data beside this module.

A refusal of the rules is a 409, unless its code is listed with another status.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from tomllib import loads
from typing import Any

from events.rules.steps import COMMON_CODES

REJECTION_STATUS = 409
"""The status of what only the rules, or the state of the game, can tell."""


def _load_table(name: str) -> dict[str, Any]:
    return loads(files(__package__).joinpath(name).read_text(encoding="utf-8"))


@cache
def get_statuses() -> Mapping[str, list[int]]:
    """Return the statuses with which each code of the service and of tables comes, by code."""
    return _load_table("codes.toml")


@cache
def get_refusals() -> Mapping[str, list[str]]:
    """Return the codes of each title's own rules, by title."""
    return _load_table("refusals.toml")


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
