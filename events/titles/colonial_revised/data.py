"""The typed data of the revised edition, loaded once."""

from __future__ import annotations

from typing import Annotated

import msgspec

from events.rules import draw_binding
from events.rules.chance import D6
from events.rules.data_files import SHOWN, Words, fingerprint, load
from events.rules.kit.overseas.world import load_world

PACKAGE = __package__
EDITION = "colonial_revised"


class Constants(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The numbers of the rules."""

    start_treasury: int
    order_cards_that_discard: int
    start_merchant_fleets: int
    start_squadrons: int
    rounds_per_turn: int
    win_pp: int
    first_end_roll_turn: int
    loan_amount: int
    emergency_loan: int
    emergency_treasury: int
    avert_cost: int
    alliance_offer_max: int
    war_years_max: int
    war_dice_max: int
    war_dice_lesser: int
    privateers_per_turn: int
    privateers_deployed_max: int
    privateers_in_box_max: int
    auto_rebellion_unrest: int
    privateer_war_rounds: int
    sinking_face: int
    colony_markers: int
    tea_opium_economy: int
    america_penalty_undiscovered: int
    america_penalty_same_turn: int
    america_penalty_next_turn: int
    outsider_squadrons: int
    outsider_price: int
    fifth_squadron: int
    fifth_squadron_price: int
    squadron_price: int
    progress_award_steps: int
    missions_award_count: int
    diversity_base: int


class Tables(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The printed tables, as rows or as the rule behind them."""

    success_faces: tuple[int, ...]
    resources_per_fleet: int
    fleets_from_resources_max: int
    squadrons_per_maintenance: int
    loan_per_interest: int
    loan_per_penalty: int
    exploration_prices: tuple[int, ...]
    adventurers_per_unrest: int
    counters_per_unrest: int
    powers_per_mission: int
    goods_per_counter: int
    escalation_caps: tuple[int, ...]
    end_roll_thresholds: tuple[int, ...]
    city_values: tuple[int, ...]
    adjacency_small: int
    adjacency_large: int


class Card(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A Character card with its two Characters."""

    id: str
    name: Words
    characters: tuple[str, str]
    text: Words
    mandatory: bool = False


class Colours(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The names of the seats."""

    names: Annotated[tuple[str, ...], SHOWN]


class Edition(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The additions of this edition to the shared map."""

    initially_explored: tuple[str, ...]
    double_prestige_colonies: tuple[str, ...]
    economy_gated_resources: tuple[str, ...]
    abolished_resource: str


class Rules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole data file."""

    constants: Constants
    tables: Tables
    tracks: dict[str, tuple[int, ...]]
    cards: tuple[Card, ...]
    colours: Colours
    edition: Edition


RULES = load(PACKAGE, "rules.toml", Rules)
CONSTANTS = RULES.constants
TABLES = RULES.tables
TRACKS = RULES.tracks
CARDS = {card.id: card for card in RULES.cards}
CARD_OF = {character: card.id for card in RULES.cards for character in card.characters}
"""The card of each Character."""
MANDATORY = next(card.id for card in RULES.cards if card.mandatory)
COLOURS = RULES.colours.names

WORLD = load_world(EDITION)
TERRITORIES = WORLD.territories
SPACES = WORLD.spaces
TERRITORY = WORLD.territory_number
SPACE = WORLD.space_number
UNUSED = frozenset(load_world("colonial").territory_number) - frozenset(TERRITORY)
"""Territories of the printed map that are out of play (REV-013)."""
AMERICAN = frozenset(land.number for land in TERRITORIES if land.american)
DIPLOMACY = WORLD.diplomacy_length
DOUBLE = frozenset(TERRITORY[name] for name in RULES.edition.double_prestige_colonies)
GATED = frozenset(s.number for s in SPACES if s.resource in RULES.edition.economy_gated_resources)
SLAVES = frozenset(s.number for s in SPACES if s.resource == RULES.edition.abolished_resource)
SPACE_COUNT = len(SPACES)

SUCCESS_DICE, PLAIN_DICE = draw_binding.dice(TABLES.success_faces), draw_binding.dice(D6)
"""The bindings with which facts show thrown dice: Success dice (REV-001) and ordinary ones."""

DATA_HASH = fingerprint(RULES, WORLD, tuple(sorted(UNUSED)))
