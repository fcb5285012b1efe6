"""The facts of a game, with their secret parts, what each changes, and how it is told."""

# One vocabulary in a few files: other code need not know in which of them a fact stands.
from events.titles.colonial_empires.kept.v1.facts.event import *  # noqa: F403
from events.titles.colonial_empires.kept.v1.facts.fate import *  # noqa: F403
from events.titles.colonial_empires.kept.v1.facts.setup import *  # noqa: F403
from events.titles.colonial_empires.kept.v1.facts.trade import *  # noqa: F403
from events.titles.colonial_empires.kept.v1.facts.turn import *  # noqa: F403
