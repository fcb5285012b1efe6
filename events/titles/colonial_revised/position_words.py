"""Other ways in which a position may be written: each is read as the way in which positions are given."""

from __future__ import annotations

from typing import Any

from events.fact import Json
from events.titles.colonial_revised.state import PHASES


def in_our_words(data: Json) -> Json:
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
        read["players"] = [_player(player) for player in players]
    if isinstance(territories := read.get("territories"), dict):
        read["territories"] = {name: _territory(land) for name, land in territories.items()}
    return read


def _player(player: Any) -> Any:
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


def _territory(land: Any) -> Any:
    """A City may be an object with its value; their order does not matter."""
    if not isinstance(land, dict) or not isinstance(cities := land.get("cities"), list | tuple):
        return land
    values = [city.get("value") if isinstance(city, dict) else city for city in cities]
    if all(type(value) is int for value in values):
        values.sort()
    return {**land, "cities": values}
