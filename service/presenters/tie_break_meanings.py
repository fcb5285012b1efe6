"""The meaning of each tie-break, told beside its numbers."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from events.rules.data_files import load
from events.tournament.settings import TieBreak
from service.openapi.tournament_structs import TieBreakTold


class _Meaning(Struct, frozen=True, forbid_unknown_fields=True):
    meaning: str
    unit: int
    better: Literal["higher", "lower"] = "higher"


MEANINGS = load(__package__, "tie_breaks.toml", dict[TieBreak, _Meaning])


def describe(name: TieBreak) -> TieBreakTold:
    """Return the meaning of a tie-break as the standings tell it."""
    found = MEANINGS[name]
    return TieBreakTold(name, found.meaning, found.unit, found.better)
