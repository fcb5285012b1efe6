"""Placing ships at set-up (CSM-044)."""

from __future__ import annotations

from collections.abc import Iterator

from events.rules.steps import Draft, Move, Step
from events.titles.colonialism.checks import require_sea_zone
from events.titles.colonialism.commands import PlaceShip
from events.titles.colonialism.data import PIECES, ZONE_IDS
from events.titles.colonialism.derived import placing_seat, ship_id
from events.titles.colonialism.facts import ActionRoundStarted, ShipPlaced
from events.titles.colonialism.state import State
from events.titles.colonialism.words import format_name


def place_ship(draft: Draft[State], seat: int, command: PlaceShip) -> None:
    """Ships are placed fresh, one a pass; the last one opens the first action round (CSM-044, CSM-045)."""
    zone = require_sea_zone(command.sea_zone)
    key = ship_id(draft.state, seat, len(draft.state.ships[seat]))
    draft.emit(ShipPlaced(seat=seat, ship=key, sea_zone=zone))
    if all(len(fleet) == PIECES.ships for fleet in draft.state.ships):
        draft.emit(ActionRoundStarted(turn=1, round=1))


def _list_everywhere(_state: State, _seat: int) -> Iterator[PlaceShip]:
    return (PlaceShip(sea_zone=zone) for zone in ZONE_IDS)


def _choose_free_zone(state: State, seat: int) -> PlaceShip:
    taken = {ship.sea_zone for ship in state.ships[seat]}
    return PlaceShip(sea_zone=next(zone for zone in ZONE_IDS if zone not in taken))


PLACE_SHIP: Move[State] = Move(
    command=PlaceShip,
    take=place_ship,
    legal=_list_everywhere,
    label=lambda _state, _seat, command: f"Place a ship in {format_name(command.sea_zone)}",
)
SHIP_PLACEMENT: Step[State] = Step(
    kind="ship_placement",
    asked=lambda state: (placing_seat(state),),
    moves=(PLACE_SHIP,),
    default=_choose_free_zone,
    sample=PLACE_SHIP.one,
)
