"""The facts of a game: events with their secrets, what each changes, and how it is told."""

# The modules divide one list by theme; other code need not know in which of them a fact stands.
from events.titles.colonies.facts.actions import *  # noqa: F403
from events.titles.colonies.facts.event import *  # noqa: F403
from events.titles.colonies.facts.income import *  # noqa: F403
from events.titles.colonies.facts.set_up import *  # noqa: F403
from events.titles.colonies.facts.upkeep import *  # noqa: F403
