"""The typed data of the title, loaded once."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from events.rules import draw_binding
from events.rules.data_files import SHOWN, Words, fingerprint, load
from events.rules.kit.overseas.world import load_world

PACKAGE = __package__
EDITION = "colonial"

Character = Literal[
    "explorer",
    "conqueror",
    "viceroy",
    "ambassador",
    "sovereign",
    "rebel",
    "merchant",
    "governor",
    "trader",
    "financier",
    "scientist",
    "missionary",
]
StartOf = Literal["treasury", "fleets", "squadrons", "prestige"]
Track = Literal["seafaring", "navy", "logistics", "economy"]


class Card(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A Character card: two Characters, one of which is used."""

    id: str
    name: Words
    characters: tuple[Character, Character]


class Start(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The pieces and values with which players and map begin."""

    treasury: int
    fleets: int
    squadrons: int
    first_player_pays: int
    territory_prestige: int
    discovery_box: int
    america_bonus: int
    prestige_of: dict[str, int]


class Rules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The constants of the rulebook."""

    win_prestige: int
    programmed_cards: int
    rounds: int
    war_dice: int
    exploration_dice: int
    undiscovered_america_penalty: int
    circumnavigation_difficulty: int
    circumnavigation_cost: int
    opium_tea_economy: int
    abolition_economy: int
    booming_city_max: int
    loan_multiplier: int
    loan_interest: int
    six_prestige: int
    colony_markers: int
    patience: int
    colours: tuple[str, ...]
    success_die: tuple[bool, ...]
    continents: tuple[str, ...]
    diplomacy_bonus: tuple[str, ...]
    late_resources: tuple[str, ...]
    plantation_resource: str
    slaves_resource: str
    gold_resource: str
    default_row: tuple[str, ...]
    start: Start
    tracks: dict[Track, tuple[int, ...]]
    cards: tuple[Card, ...]
    characters: Annotated[dict[Character, str], SHOWN]
    """A sentence for each Character, which says what it does."""


class Goal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A historical goal Territory; *city* is empty where no Booming City is Historical."""

    territory: str
    city: str = ""


class Nation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A Nation card."""

    id: str
    name: Words
    extra_card: str
    repeatable: tuple[Character, ...]
    goals: tuple[Goal, ...]
    extra_card_ends: bool = False
    tordesillas: bool = False
    extremadura: bool = False
    flamboyance: bool = False
    sea_reroll: bool = False
    sovereign_moves_right: bool = False
    bonus_monopolies: int = 0
    logistics_max: int | None = None
    start: dict[StartOf, int] = {}

    def goal(self, territory: str) -> Goal | None:
        """The goal of that Territory, or None."""
        return next((goal for goal in self.goals if goal.territory == territory), None)


class _Nations(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    nations: tuple[Nation, ...]


RULES = load(PACKAGE, "rules.toml", Rules)
NATIONS = {nation.id: nation for nation in load(PACKAGE, "nations.toml", _Nations).nations}
WORLD = load_world(EDITION)
CARDS = {card.id: card for card in RULES.cards}
CARD_OF: dict[str, str] = {character: card.id for card in RULES.cards for character in card.characters}

TERRITORIES = WORLD.territories
SPACES = WORLD.spaces
TERRITORY = WORLD.territory_number
"""The number of a Territory, by id."""
SPACE = WORLD.space_number
"""The number of a Resource space, by id."""
territory_name, space_name, resource_name = WORLD.territory_name, WORLD.space_name, WORLD.resource_name

SUCCESS_DICE = draw_binding.dice(RULES.success_die)
"""The binding with which a fact shows its Success dice (COL-01-06)."""

DATA_HASH = fingerprint(RULES, NATIONS, WORLD)
