"""The whole state as readable JSON and back."""

from __future__ import annotations

from typing import Any

import msgspec

from events.fact import Json
from events.kit.overseas.piles import Pile, counts
from events.title import InvalidPosition
from events.titles.colonial_revised.awaited import awaited
from events.titles.colonial_revised.data import CARDS, SPACE_COUNT, SPACES, TERRITORIES
from events.titles.colonial_revised.derived import controllers, standings
from events.titles.colonial_revised.facts import Markers
from events.titles.colonial_revised.options import Options
from events.titles.colonial_revised.position_checks import check, check_standings
from events.titles.colonial_revised.position_words import in_our_words
from events.titles.colonial_revised.state import (
    ATTACKER,
    DEFENDER,
    RUNNING,
    Action,
    CardState,
    Count,
    Escalation,
    Exploration,
    Land,
    Player,
    Rebellion,
    Seat,
    Seats,
    Shipment,
    Standing,
    State,
    Trade,
    War,
)

MOST = 9999
"""The largest number that a position may hold."""
MOST_COUNTERS = 99
"""The most counters of a player on one space of a position."""

_PLAIN = tuple(
    name
    for name in State.__struct_fields__
    if name not in {"order", "players", "territories", "piles", "protected"}
)


def builtins(value: Any) -> Any:
    """JSON builtins, lists for tuples."""
    return msgspec.json.decode(msgspec.json.encode(value))


# --- state to position ---------------------------------------------------------------------------


def position(state: State) -> Json:
    """The state by the names of the specification's table; `prestige` is null where all is settled."""
    data = {name: builtins(getattr(state, name)) for name in _PLAIN}
    data["player_order"] = list(state.order)
    data["players"] = [player_json(player) for player in state.players]
    settled = all(p.standing == now for p, now in zip(state.players, standings(state), strict=True))
    data["prestige"] = None if settled else builtins([p.standing for p in state.players])
    data["territories"] = {place.id: land_json(state, place.number) for place in TERRITORIES}
    return data


def player_json(player: Player) -> Json:
    """A player, cards by their names."""
    data: Json = builtins(player)
    del data["standing"]
    data["cards"] = {card: builtins(held) for card, held in zip(CARDS, player.cards, strict=True)}
    return data


def land_json(state: State, territory: int) -> Json:
    """A Territory with the piles of its spaces: pairs of seat and count, the controller first."""
    data: Json = builtins(state.territories[territory])
    spaces = TERRITORIES[territory].spaces
    data["piles"] = {SPACES[s].resource: pile_json(state.piles[s]) for s in spaces}
    data["protected"] = {SPACES[s].resource: list(state.protected[s]) for s in spaces if state.protected[s]}
    return data


def pile_json(pile: Pile) -> list[list[int]]:
    """Seat and count, bottom first."""
    return [[seat, count] for seat, count in counts(pile).items()]


# --- position to state ---------------------------------------------------------------------------


class _Land(Land, frozen=True, forbid_unknown_fields=True):
    """A Territory as a position holds it."""

    piles: dict[str, tuple[tuple[Seat, Count], ...]] = msgspec.field(default_factory=dict)
    protected: dict[str, tuple[Count, ...]] = msgspec.field(default_factory=dict)


class _Position(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The shape of a position."""

    options: Options
    seats: int
    status: str
    turn: Count
    phase: str
    round: Count
    place: Count
    player_order: Seats
    maintenance_paid: bool
    players: tuple[dict[str, Any], ...]
    territories: dict[str, _Land]
    prestige: tuple[Standing, ...] | None
    booming_city: int | None
    war_box: Count
    war_fought_this_turn: bool
    progress_award_holder: Seat | None
    missions_award_holder: Seat | None
    america_discovered_turn: Count | None
    abolition: bool
    action: Action | None
    exploration: Exploration | None
    shipment: Shipment | None
    trade: Trade | None
    rebellion: Rebellion | None
    unrest_left: tuple[Markers, ...]
    war: War | None
    escalation: Escalation | None
    winners: Seats
    end_reason: str
    tie_break: str


def from_position(data: Json) -> State:
    """The state of a position; InvalidPosition names what is wrong with it."""
    if not isinstance(data, dict):
        raise InvalidPosition("a position is an object")
    _check_numbers(data, "position")
    data = in_our_words(data)
    try:
        shape = msgspec.convert(data, _Position)
        players = tuple(_player(raw, f"players[{i}]") for i, raw in enumerate(shape.players))
    except msgspec.ValidationError as error:
        raise InvalidPosition(str(error)) from error
    if set(shape.territories) != {place.id for place in TERRITORIES}:
        raise InvalidPosition("territories: there must be exactly the Territories of the board")
    state = State(
        **{name: getattr(shape, name) for name in _PLAIN},
        order=shape.player_order,
        players=players,
        territories=tuple(_land(shape.territories[place.id]) for place in TERRITORIES),
        piles=_piles(shape),
        protected=_protected(shape),
    )
    if state.war is not None:
        state = msgspec.structs.replace(state, war=_completed(state, state.war))
    check(state)
    return _with_prestige(state, shape.prestige)


def _check_numbers(value: Any, where: str) -> None:
    if isinstance(value, dict):
        for key, inner in value.items():
            _check_numbers(inner, f"{where}.{key}")
    elif isinstance(value, list | tuple):
        for index, inner in enumerate(value):
            _check_numbers(inner, f"{where}[{index}]")
    elif isinstance(value, int) and abs(value) > MOST:
        raise InvalidPosition(f"{where}: {value} is too large, at most {MOST}")


def _player(raw: dict[str, Any], where: str) -> Player:
    cards = raw.get("cards")
    if not isinstance(cards, dict) or set(cards) != set(CARDS):
        raise InvalidPosition(f"{where}.cards: there must be exactly the cards {', '.join(CARDS)}")
    if "standing" in raw:
        raise InvalidPosition(f"{where}.standing: Prestige stands under prestige")
    held = tuple(msgspec.convert(cards[card], CardState) for card in CARDS)
    return msgspec.convert({**raw, "cards": held}, Player)


def _land(land: _Land) -> Land:
    return Land(**{name: getattr(land, name) for name in Land.__struct_fields__})


def _by_space(shape: _Position, field: str) -> list[Any]:
    """What the Territories give for each space, None where they give nothing."""
    found: list[Any] = [None] * SPACE_COUNT
    for place in TERRITORIES:
        given = getattr(shape.territories[place.id], field)
        numbers = {SPACES[space].resource: space for space in place.spaces}
        if not set(given) <= set(numbers):
            raise InvalidPosition(f"territories.{place.id}.{field}: its spaces are {sorted(numbers)}")
        for resource, value in given.items():
            found[numbers[resource]] = value
    return found


def _piles(shape: _Position) -> tuple[Pile, ...]:
    piles: list[Pile] = []
    for number, entries in enumerate(_by_space(shape, "piles")):
        pile: list[int] = []
        for seat, count in entries or ():
            if seat in pile or seat >= shape.seats or not 1 <= count <= MOST_COUNTERS:
                raise InvalidPosition(
                    f"the pile on {SPACES[number].id}: every seat once, with 1-{MOST_COUNTERS} counters"
                )
            pile += [seat] * count
        piles.append(tuple(pile))
    return tuple(piles)


def _protected(shape: _Position) -> tuple[tuple[int, ...], ...]:
    protected: list[tuple[int, ...]] = []
    for number, counts_by_seat in enumerate(_by_space(shape, "protected")):
        safe = counts_by_seat or ()
        if safe and len(safe) != shape.seats:
            raise InvalidPosition(f"protected counters on {SPACES[number].id}: one number for each seat")
        protected.append(safe if any(safe) else ())
    return tuple(protected)


def _completed(state: State, war: War) -> War:
    """A war may leave out who controls what, who has chosen what, and so who has still to choose."""
    principals = {war.attacker, war.defender}
    others = [seat for seat in state.order if seat not in principals]
    open_choice = war.step in {"offer_attacker", "offer_defender", "choice"}
    chosen = None if open_choice else "none"
    sides = {war.attacker_ally: ATTACKER, war.defender_ally: DEFENDER}
    choices = war.choices or tuple(
        None if seat in principals else sides.get(seat, chosen) for seat in range(state.seats)
    )
    known = len(choices) == state.seats
    undecided = tuple(seat for seat in others if known and seat < state.seats and choices[seat] is None)
    return msgspec.structs.replace(
        war,
        controllers=war.controllers or controllers(state),
        choices=choices,
        awaiting=war.awaiting or (undecided if open_choice else ()),
    )


def _with_prestige(state: State, given: tuple[Standing, ...] | None) -> State:
    """Where `prestige` is null, everything counts as settled."""
    if given is not None:
        check_standings(state, given)
    recorded = standings(state) if given is None else given
    players = tuple(
        msgspec.structs.replace(player, standing=standing)
        for player, standing in zip(state.players, recorded, strict=True)
    )
    state = msgspec.structs.replace(state, players=players)
    if state.status == RUNNING and not awaited(state):
        raise InvalidPosition(
            "nothing is awaited in this position: step, place and cards do not fit together"
        )
    return state
