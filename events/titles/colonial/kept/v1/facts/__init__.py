"""Everything that happens: the events of the specification.

``seat`` is the player concerned; other roles keep the rulebook's word. One change has one carrier: what a
fact repeats for the reader (``cost``, ``payment``, ``stack``) says so in its docstring.
"""

# This package is its modules: other code need not know in which of them a fact stands.
from events.titles.colonial.kept.v1.facts.conflict import *  # noqa: F403
from events.titles.colonial.kept.v1.facts.land import *  # noqa: F403
from events.titles.colonial.kept.v1.facts.plays import *  # noqa: F403
from events.titles.colonial.kept.v1.facts.turn import *  # noqa: F403
