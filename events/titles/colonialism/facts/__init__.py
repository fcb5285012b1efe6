"""The facts of a game, in the rulebook's words, with all random outcomes.

Ships, regions, sea zones, cards and colours stand as their ids, players as seat numbers.
"""

# Rules and tests name a fact without knowing which of these modules holds it.
from events.titles.colonialism.facts.action_rounds import *  # noqa: F403
from events.titles.colonialism.facts.colonization import *  # noqa: F403
from events.titles.colonialism.facts.preparations import *  # noqa: F403
from events.titles.colonialism.facts.scoring import *  # noqa: F403
