"""The whole state as readable JSON and back; other ways of writing it are read as well."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec.structs import replace

from events.rules.fact import Json
from events.rules.kit.overseas.piles import Pile, counts
from events.rules.kit.positions import need, read, to_mapping
from events.rules.kit.values import plain
from events.rules.title import InvalidPosition
from events.titles.colonial_revised.data import CARDS, SPACE_COUNT, SPACES, TERRITORIES
from events.titles.colonial_revised.derived import standings
from events.titles.colonial_revised.options import Options
from events.titles.colonial_revised.parts import Markers
from events.titles.colonial_revised.position_checks import check, check_standings
from events.titles.colonial_revised.state import (
    ATTACKER,
    DEFENDER,
    PHASES,
    RUNNING,
    Action,
    CardState,
    Count,
    Escalation,
    Exploration,
    Land,
    Player,
    PrivateerWar,
    Rebellion,
    Seat,
    Seats,
    Shipment,
    Standing,
    State,
    Trade,
    War,
    controllers,
)
from events.titles.colonial_revised.steps.order import somebody_decides

MOST = 9999
"""The largest number that a position may hold."""
MOST_COUNTERS = 99
"""The most counters of a player on one space of a position."""

_PLAIN = tuple(
    name
    for name in State.__struct_fields__
    if name not in {"order", "players", "lands", "piles", "protected"}
)
"""Fields that a position holds as the state does."""


# --- state to position ---------------------------------------------------------------------------


def position(state: State) -> Json:
    """The state by the names of the specification's table; `prestige` is null where all is settled."""
    whole = plain(state)
    data = {name: whole[name] for name in _PLAIN}
    data["player_order"] = whole["order"]
    data["players"] = [_player_json(player) for player in whole["players"]]
    settled = all(p.standing == now for p, now in zip(state.players, standings(state), strict=True))
    data["prestige"] = None if settled else [player["standing"] for player in whole["players"]]
    data["territories"] = {
        place.id: land | _spaces_json(state, place.spaces)
        for place, land in zip(TERRITORIES, whole["lands"], strict=True)
    }
    return data


def _player_json(player: Json) -> Json:
    """A player, cards by their names."""
    data = {name: value for name, value in player.items() if name != "standing"}
    return data | {"cards": to_mapping(tuple(CARDS), player["cards"])}


def _spaces_json(state: State, spaces: tuple[int, ...]) -> Json:
    """The piles of a Territory: pairs of seat and count, the controller first."""
    return {
        "piles": {
            SPACES[s].resource: [list(pair) for pair in counts(state.piles[s]).items()] for s in spaces
        },
        "protected": {SPACES[s].resource: list(state.protected[s]) for s in spaces if state.protected[s]},
    }


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
    privateer_war: PrivateerWar | None
    winners: Seats
    end_reason: str
    tie_break: str


def from_position(data: Json) -> State:
    """The state of a position; InvalidPosition names what is wrong with it."""
    if not isinstance(data, dict):
        raise InvalidPosition("a position is an object")
    _check_numbers(data, "position")
    shape = read(_replace_words(data), _Position)
    players = tuple(_player(raw, f"players[{i}]") for i, raw in enumerate(shape.players))
    here = set(shape.territories) == {place.id for place in TERRITORIES}
    need(here, "territories", "there must be exactly the Territories of the board")
    state = State(
        **{name: getattr(shape, name) for name in _PLAIN},
        order=shape.player_order,
        players=players,
        lands=tuple(_land(shape.territories[place.id]) for place in TERRITORIES),
        piles=_piles(shape),
        protected=_read_protected(shape),
    )
    if state.war is not None:
        state = replace(state, war=_complete_war(state, state.war))
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
    need("standing" not in raw, f"{where}.standing", "Prestige stands under prestige")
    held = tuple(read(cards[card], CardState) for card in CARDS)
    return read({**raw, "cards": held}, Player)


def _land(land: _Land) -> Land:
    return Land(**{name: getattr(land, name) for name in Land.__struct_fields__})


def _read_by_space(shape: _Position, field: str) -> list[Any]:
    """Return the value that the Territories give for each space, None where they give nothing."""
    found: list[Any] = [None] * SPACE_COUNT
    for place in TERRITORIES:
        given = getattr(shape.territories[place.id], field)
        numbers = {SPACES[space].resource: space for space in place.spaces}
        known = set(given) <= set(numbers)
        need(known, f"territories.{place.id}.{field}", f"its spaces are {sorted(numbers)}")
        for resource, value in given.items():
            found[numbers[resource]] = value
    return found


def _piles(shape: _Position) -> tuple[Pile, ...]:
    piles: list[Pile] = []
    for number, entries in enumerate(_read_by_space(shape, "piles")):
        pile: list[int] = []
        for seat, count in entries or ():
            if seat in pile or seat >= shape.seats or not 1 <= count <= MOST_COUNTERS:
                raise InvalidPosition(
                    f"the pile on {SPACES[number].id}: every seat once, with 1-{MOST_COUNTERS} counters"
                )
            pile += [seat] * count
        piles.append(tuple(pile))
    return tuple(piles)


def _read_protected(shape: _Position) -> tuple[tuple[int, ...], ...]:
    protected: list[tuple[int, ...]] = []
    for number, counts_by_seat in enumerate(_read_by_space(shape, "protected")):
        safe = counts_by_seat or ()
        if safe and len(safe) != shape.seats:
            raise InvalidPosition(f"protected counters on {SPACES[number].id}: one number for each seat")
        protected.append(safe if any(safe) else ())
    return tuple(protected)


def _complete_war(state: State, war: War) -> War:
    """Fill in what a position of a war may leave out: control, choices, and so the seats still to choose."""
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
    return replace(
        war,
        controllers=war.controllers or controllers(state),
        choices=choices,
        awaiting=war.awaiting or (undecided if open_choice else ()),
    )


def _with_prestige(state: State, given: tuple[Standing, ...] | None) -> State:
    """Return the state with the given Prestige; where `prestige` is null, everything counts as settled."""
    if given is not None:
        check_standings(state, given)
    recorded = standings(state) if given is None else given
    players = tuple(
        replace(player, standing=standing) for player, standing in zip(state.players, recorded, strict=True)
    )
    state = replace(state, players=players)
    if state.status == RUNNING and not somebody_decides(state):
        raise InvalidPosition(
            "nothing is awaited in this position: step, place and cards do not fit together"
        )
    return state


# --- other ways of writing a position ---------------------------------------------------------------


def _replace_words(data: Json) -> Json:
    """The position with numbers of phases, plain card states, Cities as objects ... replaced.

    What is no such thing stays as it is, to be judged with the rest.
    """
    read = dict(data)
    if "order" in read:
        read["player_order"] = read.pop("order")
    if type(phase := read.get("phase")) is int and 1 <= phase < len(PHASES):
        read["phase"] = PHASES[phase - 1]
    if isinstance(city := read.get("booming_city"), dict):
        read["booming_city"] = city.get("value")
    if isinstance(players := read.get("players"), list | tuple):
        read["players"] = [_player_words(player) for player in players]
    if isinstance(territories := read.get("territories"), dict):
        read["territories"] = {name: _land_words(land) for name, land in territories.items()}
    return read


def _player_words(player: Any) -> Any:
    """The tracks may stand together, and a card may be the word for its state."""
    if not isinstance(player, dict):
        return player
    read = dict(player)
    if isinstance(read.get("tracks"), dict):
        read |= read.pop("tracks")
    if isinstance(cards := read.get("cards"), dict):
        read["cards"] = {
            name: {"status": held} if isinstance(held, str) else held for name, held in cards.items()
        }
    return read


def _land_words(land: Any) -> Any:
    """A City may be an object with its value; their order does not matter."""
    if not isinstance(land, dict) or not isinstance(cities := land.get("cities"), list | tuple):
        return land
    values = [city.get("value") if isinstance(city, dict) else city for city in cities]
    if all(type(value) is int for value in values):
        values.sort()
    return {**land, "cities": values}
