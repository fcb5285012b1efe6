"""The actions by technology."""

from __future__ import annotations

from events.titles.colonies.actions.commerce import COMMERCE
from events.titles.colonies.actions.community import COMMUNITY
from events.titles.colonies.actions.industry import INDUSTRY
from events.titles.colonies.actions.influence import INFLUENCE
from events.titles.colonies.actions.kind import ActionKind
from events.titles.colonies.actions.military import MILITARY
from events.titles.colonies.primitives import Technology

ACTION_OF: dict[Technology, ActionKind] = {
    "community": COMMUNITY,
    "military": MILITARY,
    "commerce": COMMERCE,
    "influence": INFLUENCE,
    "industry": INDUSTRY,
}
