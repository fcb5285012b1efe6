"""The cards, regions, empires and constants, loaded once from the TOML files."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from events.rules.data_files import SHOWN, Words, fingerprint, load

PACKAGE = __package__


class Region(msgspec.Struct, frozen=True):
    """One of the ten colonial regions."""

    key: str
    name: Words


class Resource(msgspec.Struct, frozen=True):
    """A Colonial Resource card: one copy."""

    key: str
    name: Words
    region: str
    income: int


class Industry(msgspec.Struct, frozen=True):
    """An Industry card: one copy."""

    key: str
    name: Words
    income: int


class Event(msgspec.Struct, frozen=True):
    """An Event card: four copies."""

    key: str
    name: Words
    target: Literal["none", "opponent", "resource", "opponents_resource"]
    text: Words


class Cards(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of `cards.toml`."""

    event_copies: int
    region: tuple[Region, ...]
    resource: tuple[Resource, ...]
    industry: tuple[Industry, ...]
    event: tuple[Event, ...]


class Constants(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of `constants.toml`."""

    players_min: int
    players_max: int
    players_basic: int
    fate_draw: int
    base_revenue: int
    region_most_bonus: int
    region_all_bonus: int
    extra_build_price: int
    privateering_amount: int
    exploitation_amount: int
    discovery_draw: int
    war_at_sea_cards: int
    war_in_europe_cards: int
    intrigue_amount: int
    max_offers_per_other_player: int


class Empire(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An empire with its figures, those that all share and its own."""

    key: str
    name: Words
    plural: Annotated[bool, SHOWN]
    """True if its name is that of a people, in the plural: the Dutch play, the Russian plays."""
    set: Literal["basic", "additional"]
    power: Words
    start_cards: int
    start_fortunes: int
    free_draws: int
    extra_card_price: int
    industry_bonus: int
    free_resources: int
    free_industries: int
    sift: int
    hand_limit: int
    first_in_event_phase: bool
    immune: bool


class Empires(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of `empires.toml`: common figures, then each empire with what differs."""

    every_empire: dict[str, Any]
    empire: tuple[dict[str, Any], ...]


def _empires() -> dict[str, Empire]:
    file = load(PACKAGE, "empires.toml", Empires)
    empires = [msgspec.convert(file.every_empire | own, Empire) for own in file.empire]
    return {empire.key: empire for empire in empires}


CARDS = load(PACKAGE, "cards.toml", Cards)
CONSTANTS = load(PACKAGE, "constants.toml", Constants)
EMPIRES = _empires()
DATA_HASH = fingerprint(CARDS, CONSTANTS, EMPIRES)

REGIONS = {region.key: region for region in CARDS.region}
RESOURCES = {card.key: card for card in CARDS.resource}
INDUSTRIES = {card.key: card for card in CARDS.industry}
EVENTS = {card.key: card for card in CARDS.event}

_INCOMES: tuple[Resource | Industry, ...] = (*CARDS.resource, *CARDS.industry)
_ALL: tuple[Resource | Industry | Event, ...] = (*_INCOMES, *CARDS.event)

CARD_NAMES: dict[str, str] = {card.key: card.name for card in _ALL}
INCOME: dict[str, int] = {card.key: card.income for card in _INCOMES}
REGION_SIZE: dict[str, int] = {
    region: sum(card.region == region for card in CARDS.resource) for region in REGIONS
}

DECK: tuple[str, ...] = (
    *RESOURCES,
    *INDUSTRIES,
    *(key for key in EVENTS for _ in range(CARDS.event_copies)),
)
"""All 98 cards in the order in which they are counted (CEM-905), copies side by side."""

DECK_PLACE: dict[str, int] = {key: place for place, key in enumerate(CARD_NAMES)}
"""The place of a key in that order, for sorting."""
