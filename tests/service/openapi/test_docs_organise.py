"""The pages for organisers: their tables of settings and commands are those of the program."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, get_args

import msgspec

from events.clocks.absence_policy import Absence, Pauses
from events.clocks.clock import CorrespondenceClock, LiveClock, QuietHours
from events.tournament import settings
from events.tournament.command_rules import COMMANDS, RULES
from events.tournament.facts import Effect
from events.tournament.tie_breaks import KEYS
from projections.rating_results import LEAST_COMMANDS, UnratedReason
from tests.installation import ROOT

PAGES = ROOT / "service" / "docs" / "pages" / "organise"
PARTS: dict[str, tuple[type[msgspec.Struct], ...]] = {
    "": (settings.Settings,),
    "table": (settings.TableSize,),
    "stages[]": (settings.Stage,),
    "entry": (settings.Entry,),
    "entry.rating": (settings.RatingBounds,),
    "schedule": (settings.Schedule,),
    "delay": (settings.Delay,),
    "aids": (settings.Aids,),
    "clock": (LiveClock, CorrespondenceClock),
    "clock.quiet": (QuietHours,),
    "absence": (Absence,),
    "absence.pauses": (Pauses,),
}
"""The structs of the settings, by the name of the part. A part of a tournament is no setting itself."""
_ROW = re.compile(r"^\| `([a-z_.\[\]]+)` \| (required|none|`[^`|]*`) \| ", re.MULTILINE)


def list_settings() -> Iterator[tuple[str, str]]:
    """Yield each setting with its default, as the page writes them."""
    for part, kinds in PARTS.items():
        for field in (field for kind in kinds for field in msgspec.structs.fields(kind)):
            name = f"{part}.{field.encode_name}".lstrip(".")
            if (name not in PARTS and f"{name}[]" not in PARTS) or name == "clock.quiet":
                yield name, _write_default(field)


def _write_default(field: msgspec.structs.FieldInfo) -> str:
    if field.required:
        return "required"
    default: Any = field.default
    if field.default_factory is not msgspec.NODEFAULT:
        default = field.default_factory()
    return "none" if default is None else f"`{json.dumps(msgspec.to_builtins(default))}`"


def test_every_setting_of_a_tournament_is_explained() -> None:
    """The table has each setting once, of a clock once for each kind, with its default."""
    rows = _ROW.findall((PAGES / "before.md").read_text(encoding="utf-8"))
    assert sorted(rows) == sorted(list_settings())


def test_every_reason_against_a_rating_is_explained() -> None:
    """Also that of games without a result, and the number of commands that a game needs."""
    told = (PAGES / "before.md").read_text(encoding="utf-8").partition("## Rated games")[2]
    rows = dict(re.findall(r"^\| `([a-z_]+)` \| (.*) \|$", told.partition("\n## ")[0], re.MULTILINE))
    assert set(rows) == {*get_args(UnratedReason), "abandoned"}
    assert LEAST_COMMANDS == 2
    assert "fewer than two commands" in rows["too_short"]


def test_every_command_is_explained() -> None:
    """All commands that a client may give; those of the server are none of them."""
    told = (PAGES / "during.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`([a-z_]+)(?: \{[^`]*\})?`", told))
    assert not {name for name, kind in COMMANDS.items() if RULES[kind].by != ("house",)} - named


def test_every_effect_of_a_ruling_is_explained() -> None:
    """One row for each effect."""
    told = (PAGES / "during.md").read_text(encoding="utf-8")
    assert set(re.findall(r'^\| `\{"([a-z_]+)":', told, re.MULTILINE)) == set(Effect.__struct_fields__)


def test_every_tie_break_is_explained() -> None:
    """One row for each tie-break, under the name that is recorded."""
    told = (
        (PAGES / "after.md").read_text(encoding="utf-8").partition("## Tie-breaks")[2].partition("\n## ")[0]
    )
    assert set(re.findall(r"^\| `([a-z_]+)` \|", told, re.MULTILINE)) == set(KEYS)
    for title, order in settings._TIE_BREAKS.items():
        assert ", ".join(f"`{name}`" for name in order) in " ".join(told.split()), title
