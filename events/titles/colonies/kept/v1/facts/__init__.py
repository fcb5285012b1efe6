"""The facts of a game: events with their secrets, what each changes, and how it is told."""

# The modules divide one list by theme; other code need not know in which of them a fact stands.
from events.titles.colonies.kept.v1.facts.actions import *  # noqa: F403
from events.titles.colonies.kept.v1.facts.event import *  # noqa: F403
from events.titles.colonies.kept.v1.facts.income import *  # noqa: F403
from events.titles.colonies.kept.v1.facts.kinds import *  # noqa: F403
from events.titles.colonies.kept.v1.facts.set_up import *  # noqa: F403
from events.titles.colonies.kept.v1.facts.upkeep import *  # noqa: F403
