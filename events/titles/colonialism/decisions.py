"""What the game waits for, and what an absent player does."""

from __future__ import annotations

from events.fact import type_name
from events.steps import Command, Decision
from events.titles.colonialism import commands as c
from events.titles.colonialism.data import COLOR_INDEX, COUNTS, ZONE_IDS
from events.titles.colonialism.state import (
    State,
    active_seat,
    choosing_seat,
    keeping_seats,
    placing_seat,
    ship_id,
)
from events.titles.colonialism.steps.collection import collector, offered
from events.titles.colonialism.steps.losses import due_bounds
from events.titles.colonialism.steps.turn_order import free_rows

KINDS: dict[str, tuple[str, ...]] = {
    "turn_order_position": (type_name(c.ChooseTurnOrderPosition),),
    "starting_hand": (type_name(c.KeepStartingHand),),
    "ship_placement": (type_name(c.PlaceShip),),
    "action": tuple(type_name(action) for action in c.ACTIONS),
    "mercenary_losses": (type_name(c.ChooseMercenaryLosses),),
    "resource_color": (type_name(c.CollectResourceColor),),
    "card_to_keep": (type_name(c.KeepInfluenceCard),),
}
"""Kinds of decision and the commands that answer them."""


def due(state: State) -> tuple[str, tuple[int, ...]]:
    """The kind of decision that is due, and who takes it; "" and nobody when the game has ended."""
    if state.losses:
        return "mercenary_losses", (state.losses[0].seat,)
    if state.collection is not None:
        return "resource_color", (collector(state.collection),)
    match state.step:
        case "setup_turn_order" | "turn_order_choice":
            return "turn_order_position", _one(choosing_seat(state))
        case "setup_starting_hands":
            return "starting_hand", tuple(s for s, kept in enumerate(state.kept) if kept is None)
        case "setup_ships":
            return "ship_placement", (placing_seat(state),)
        case "action_round":
            return "action", _one(active_seat(state))
        case "keep_one_card":
            return "card_to_keep", keeping_seats(state)
        case _:
            return "", ()


def _one(seat: int | None) -> tuple[int, ...]:
    return () if seat is None else (seat,)


def decisions(state: State) -> tuple[Decision, ...]:
    """One for each seat that has to decide now; all of it follows from what is public."""
    kind, seats = due(state)
    return tuple(Decision(seat=seat, kind=kind, commands=KINDS[kind]) for seat in seats)


def default(state: State, decision: Decision) -> Command:
    """Harmless, legal in every state and revealing nothing."""
    seat = decision.seat or 0
    match decision.kind:
        case "turn_order_position":
            return c.ChooseTurnOrderPosition(row=free_rows(state)[0])
        case "starting_hand":
            return c.KeepStartingHand(cards=state.hands[seat][: COUNTS.kept])
        case "ship_placement":
            return c.PlaceShip(sea_zone=_zone_without_ship(state, seat))
        case "mercenary_losses":
            return c.ChooseMercenaryLosses(mercenaries=due_bounds(state, state.losses[0])[1])
        case "resource_color":
            return c.CollectResourceColor(color=_scarcest(state, seat))
        case "card_to_keep":
            return c.KeepInfluenceCard(card=state.hands[seat][0])
        case _:
            return _default_action(state, seat)


def _default_action(state: State, seat: int) -> Command:
    """Draw a card; where none is left, which cannot arise in play, move a ship."""
    if state.decks[seat] or state.discards[seat]:
        return c.DrawInfluenceCard()
    here = state.ships[seat][0].sea_zone
    zone = next(z for z in ZONE_IDS if z != here)
    return c.MoveShip(ship=ship_id(state, seat, 0), sea_zone=zone)


def _zone_without_ship(state: State, seat: int) -> str:
    taken = {ship.sea_zone for ship in state.ships[seat]}
    return next(zone for zone in ZONE_IDS if zone not in taken)


def _scarcest(state: State, seat: int) -> c.CubeColor:
    """Of the colours offered the one that the collector has least of."""
    if state.collection is None:
        return "black"
    mine = state.collected[seat]
    colors: tuple[c.CubeColor, ...] = offered(state, state.collection)  # type: ignore[assignment]
    return min(colors, key=lambda color: mine[COLOR_INDEX[color]])
