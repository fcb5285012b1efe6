"""The actions by technology."""

from __future__ import annotations

from events.titles.colonies.kept.v1.actions.commerce import COMMERCE
from events.titles.colonies.kept.v1.actions.community import COMMUNITY
from events.titles.colonies.kept.v1.actions.industry import INDUSTRY
from events.titles.colonies.kept.v1.actions.influence import INFLUENCE
from events.titles.colonies.kept.v1.actions.kind import ActionKind
from events.titles.colonies.kept.v1.actions.military import MILITARY
from events.titles.colonies.kept.v1.primitives import Technology

ACTION_OF: dict[Technology, ActionKind] = {
    "community": COMMUNITY,
    "military": MILITARY,
    "commerce": COMMERCE,
    "influence": INFLUENCE,
    "industry": INDUSTRY,
}
