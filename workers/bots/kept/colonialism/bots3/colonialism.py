"""The steady player of Colonialism: it looks one action ahead, region by region.

For each action it asks what every region would bring if it were colonized now, and takes the action that
improves this most. Cards are refilled after each colonization phase, so it plays them rather than saving
them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from events.rules.fact import Seat
from events.rules.fast_chance import FastChance
from events.rules.steps import Command
from events.rules.title import Title
from events.titles.colonialism import commands as c
from events.titles.colonialism.data import (
    COLOR_INDEX,
    COLORS,
    COUNTS,
    POLICY_IDS,
    REGION_INDEX,
    ZONE_IDS,
    ZONE_REGIONS,
)
from events.titles.colonialism.derived import has_most, influence, list_offered
from events.titles.colonialism.parts import CubeColor, Region
from events.titles.colonialism.state import State
from events.titles.colonialism.steps.action_cards import ACTION_CARDS
from events.titles.colonialism.steps.action_round import ACTION
from events.titles.colonialism.steps.actions import MOVE_SHIP
from events.titles.colonialism.steps.offers import list_reachable
from workers.bot_types import Bot
from workers.bots.kept.colonialism.bots3.colonialism_outcomes import WITH_DIE, command_key, state_after
from workers.bots.kept.colonialism.bots3.colonialism_prospects import Glance, Outlook, best_colour
from workers.bots.kept.colonialism.bots3.colonialism_worth import WORTH
from workers.bots.kept.colonialism.bots3.search import thinkers

DRAW, MOVE = 120, 50
"""The worth of drawing a card, and of moving a ship for each unit of its gain in reach; in thousandths."""
SAMPLES = 2
"""Rolls that an action with a die is judged by."""

CARD_ORDER = (
    "military_campaign",
    "influence_region_5",
    "consolidate_holdings",
    "influence_region_4",
    "empire",
    "fleet",
    "commerce",
    "hegemony",
    "missionaries",
    "dominion",
    "influence_region_3",
    "army",
    "diplomacy",
    "monopoly",
    "mercenaries",
    "plague",
    "resources_mineral",
    "resources_natural",
    "resources_agricultural",
    "unrest_at_home",
    "influence_region_2",
    "land_grab",
    "treaty",
    "trade",
)
"""The cards in the order in which they are kept, the best first."""


def choose(title: Title[Any], state: State, seat: Seat, chance: FastChance, _budget: int) -> Command:
    """Return the steady player's command in the state that it imagines."""
    mine = next(d for d in title.list_awaited_kinds(state) if d.seat == seat)
    match mine.kind:
        case "action":
            return _action(title, state, seat, chance)
        case "starting_hand":
            return c.KeepStartingHand(
                cards=tuple(sorted(state.hands[seat], key=CARD_ORDER.index)[: COUNTS.kept])
            )
        case "card_to_keep":
            return c.KeepInfluenceCard(card=min(state.hands[seat], key=CARD_ORDER.index))
        case "ship_placement":
            return c.PlaceShip(sea_zone=max(ZONE_IDS, key=Waters(state, seat).worth))
        case "resource_color":
            return c.CollectResourceColor(color=_best_color(state, seat))
        case _:
            return title.default(state, mine)


# --- actions -----------------------------------------------------------------------------------


def _action(title: Title[Any], state: State, seat: Seat, chance: FastChance) -> Command:
    """Return the action with the best prospects; equal ones as the list has them."""
    # As if everybody else still had an action, so that trying one never ends the round.
    trial = replace(state, actions_taken=tuple(0 if s == seat else 2 for s in range(len(state.rows))))
    outlook, waters = Outlook(trial, seat), Waters(trial, seat)
    best: tuple[int, Command] | None = None
    tried = set()
    for command in title.legal(trial, seat):
        if isinstance(command, c.WithdrawInfluenceDiscs):
            break  # they are listed last, and hardly ever good
        alike = command_key(command)
        if alike in tried:
            continue
        tried.add(alike)
        if isinstance(command, c.DrawInfluenceCard):
            worth = outlook.now + DRAW
        elif isinstance(command, c.MoveShip):
            worth = outlook.now + MOVE * waters.gain(command) // 1000
        else:
            worth = _command_worth(outlook, command, chance)
        if best is None or worth > best[0]:
            best = worth, command
    if best is None:
        raise ValueError(f"seat {seat} has no action")
    return best[1]


def _command_worth(outlook: Outlook, command: Command, chance: FastChance) -> int:
    samples = SAMPLES if isinstance(command, WITH_DIE) else 1
    total = 0
    for _ in range(samples):
        total += outlook.value_after(state_after(outlook.state, outlook.seat, command, chance))
    return total // samples


# --- collecting --------------------------------------------------------------------------------


def _best_color(state: State, seat: Seat) -> CubeColor:
    """Return the colour on offer that is worth most to the seat."""
    if state.collection is None:
        return "black"
    at = state.regions[REGION_INDEX[state.collection.region]]
    left = [COLOR_INDEX[color] for color in list_offered(state)]
    return COLORS[best_colour(state.collected[seat], at.cubes, left)]


# --- ships -------------------------------------------------------------------------------------


class Waters:
    """The worth of the regions that the ships of a seat can reach, in thousandths."""

    def __init__(self, state: State, seat: Seat) -> None:
        self.state, self.seat = state, seat
        self._regions = [_region_worth(at, seat) for at in state.regions]
        self._zones: dict[str, int] = {}

    def worth(self, zone: str) -> int:
        """Return the worth that a ship in the zone can reach, divided by one plus the own ships there."""
        if zone not in self._zones:
            near = sum(self._regions[index] for index in ZONE_REGIONS[zone])
            crowd = sum(ship.sea_zone == zone for ship in self.state.ships[self.seat])
            self._zones[zone] = near // (1 + crowd)
        return self._zones[zone]

    def gain(self, command: c.MoveShip) -> int:
        """Return the gain in reach of the ship that the command moves."""
        here = self.state.ships[self.seat][int(command.ship.rpartition("_")[2]) - 1].sea_zone
        return self.worth(command.sea_zone) - self.worth(here)


def _region_worth(at: Region, seat: Seat) -> int:
    leading = 500 * has_most(at, seat) + 50 * influence(at, seat)
    return 1000 * (1 + sum(at.cubes) + at.value) // (at.limit + at.natives) + leading


# --- lightly -----------------------------------------------------------------------------------

TAKEN = 6
"""Commands among which the light player chooses."""
LAID, EXPLORED, PLAYED = 55, 75, 90
"""Of a hundred of them so many lay a policy card, up to so many explore, up to so many play an action card;
the others are ships that move.
"""


def _light_action(state: State, seat: Seat, chance: FastChance) -> Command:
    """Return the best of a few commands at random."""
    glance = Glance(state, seat)
    best: tuple[int, Command | None] = (0, None)
    tried = set()
    for command in _list_likely_commands(state, seat, chance):
        alike = command_key(command)
        if alike not in tried:
            tried.add(alike)
            worth = _light_worth(glance, command, chance)
            if best[1] is None or worth > best[0]:
                best = worth, command
    return best[1] or ACTION.default(state, seat)


def _list_likely_commands(state: State, seat: Seat, chance: FastChance) -> Iterator[Command]:
    """Yield a few legal commands of those that are good most often."""
    places = list_reachable(state, seat)
    policy = [card for card in state.hands[seat] if card in POLICY_IDS]
    action = [card for card in state.hands[seat] if card not in POLICY_IDS]
    for _ in range(TAKEN):
        kind = chance.draw_below(100)
        command: Command | None = None
        if kind < LAID and places and policy:
            key, ship = chance.pick(places)
            command = c.PlayPolicyCard(card=chance.pick(policy), region=key, ship=ship)
        elif kind < EXPLORED and places and state.reserve[seat]:
            key, ship = chance.pick(places)
            command = c.ExploreRegion(region=key, ship=ship)
        elif kind < PLAYED and action:
            command = ACTION_CARDS[chance.pick(action)].one(state, seat, chance)
        elif kind >= PLAYED:
            command = MOVE_SHIP.one(state, seat, chance)
        yield command or ACTION.default(state, seat)


def _light_worth(glance: Glance, command: Command, chance: FastChance) -> int:
    """Return the seat's gain by a command, in thousandths."""
    if isinstance(command, c.DrawInfluenceCard):
        return DRAW
    if isinstance(command, c.MoveShip):
        return MOVE * Waters(glance.state, glance.seat).gain(command) // 1000
    return glance.change(state_after(glance.state, glance.seat, command, chance))


def choose_lightly(title: Title[Any], state: State, seat: Seat, chance: FastChance, budget: int) -> Command:
    """Return a fair command in a fraction of the time: how games go on in the minds of those who think."""
    if next(d for d in title.list_awaited_kinds(state) if d.seat == seat).kind == "action":
        return _light_action(state, seat, chance)
    return choose(title, state, seat, chance, budget)


STEADY = Bot(name="steady", version=2, budget=0, choose=choose)
LIGHT = choose_lightly
THINKERS = thinkers("colonialism", choose, WORTH, light=LIGHT)
