"""The settings of the tests themselves; those of Rutter are in `events/base/settings.py`."""

from __future__ import annotations

from pathlib import Path

from events.base.settings import Kind, Setting

_FILE: Kind[Path | None] = Kind("the path of a file", Path)

RUTTER_CAMPAIGN_GAMES = Setting(
    "RUTTER_CAMPAIGN_GAMES",
    Kind("a whole number", int),
    1000,
    ("tests",),
    "The number of games that the campaign of the archive moves to each place.",
)
RUTTER_CAMPAIGN_SEED = Setting(
    "RUTTER_CAMPAIGN_SEED",
    Kind("a text", str),
    "",
    ("tests",),
    "The seed of a campaign that is run again; each draws a new one otherwise.",
)
RUTTER_CAMPAIGN_STORE = Setting(
    "RUTTER_CAMPAIGN_STORE",
    Kind("a URL", str),
    "",
    ("tests",),
    "An empty place in a store, such as s3://bucket/games, to which the campaign of the archive goes too.",
)
RUTTER_EXAMPLES = Setting(
    "RUTTER_EXAMPLES",
    _FILE,
    None,
    ("tests",),
    "The file to which the tests of the service add examples of answers.",
)
RUTTER_GENERATORS = Setting(
    "RUTTER_GENERATORS",
    _FILE,
    None,
    ("tests",),
    "The folder that `tests/clients/install` fills, in place of `.generators`.",
)
RUTTER_INSTALLED = Setting(
    "RUTTER_INSTALLED",
    Kind("the path of a Python", str),
    "",
    ("tests",),
    "A Python in which the wheel is installed, which is tried from outside in place of the checkout.",
)
RUTTER_TEST_LATE = Setting(
    "RUTTER_TEST_LATE",
    Kind("a number of milliseconds", int),
    0,
    ("tests",),
    "Milliseconds that each request of a page waits.",
)
RUTTER_TEST_PROCESSES = Setting(
    "RUTTER_TEST_PROCESSES",
    Kind("a whole number, or `auto`", str),
    "4",
    ("tests",),
    "The number of processes of pytest.",
)
RUTTER_TEST_TOOLS = Setting(
    "RUTTER_TEST_TOOLS",
    Kind("`required`, or nothing", str),
    "",
    ("tests",),
    "`required` fails the tests that lack a program, which are skipped otherwise.",
)

SETTINGS = tuple(value for value in list(globals().values()) if isinstance(value, Setting))
"""All of them, in this order."""
