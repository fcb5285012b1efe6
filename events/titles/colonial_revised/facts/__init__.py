"""Facts, by theme: each with its fields, its secrets, its sentence and what it changes.

Every random outcome stands in its fact, die by die.
"""

# Rules name facts as `f.CardPlayed`, whatever module they stand in: these imports make that one name.
from events.titles.colonial_revised.facts.conflict import *  # noqa: F403
from events.titles.colonial_revised.facts.deals import *  # noqa: F403
from events.titles.colonial_revised.facts.land import *  # noqa: F403
from events.titles.colonial_revised.facts.plays import *  # noqa: F403
from events.titles.colonial_revised.facts.rebellion import *  # noqa: F403
from events.titles.colonial_revised.facts.turn import *  # noqa: F403
