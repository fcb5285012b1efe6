"""Positions and steps for the tests, short to write."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from events.rules.fact import Fact
from events.rules.fast_chance import FastChance
from events.rules.scripted_chance import ScriptedChance
from events.rules.steps import Draft, Rejected
from events.rules.vectors import merge
from events.titles.colonialism import TITLE
from events.titles.colonialism.state import State

REGIONS = ("north_africa", "sub_saharan_africa", "middle_east", "india", "southeast_asia", "china")
DECK = ["diplomacy", "land_grab", "mercenaries", "missionaries", "military_campaign", "influence_region_2"]
NO_CUBES = {"black": 0, "brown": 0, "yellow": 0}


def opened(seats: int = 3, seed: int = 1, **options: Any) -> Draft[State]:
    """A game before its first choice."""
    return TITLE.open(seats, msgspec.convert(options, TITLE.Options), FastChance(seed))


def set_up(seats: int = 3, seed: int = 1, **options: Any) -> State:
    """A game after a set-up by default choices."""
    state = opened(seats, seed, **options).state
    chance = FastChance(seed)
    while TITLE.in_setup(state):
        decision = TITLE.decisions(state)[0]
        state = TITLE.decide(state, decision.seat, TITLE.default(state, decision), chance).state
    return state


def given(seats: int = 3, **changes: Any) -> State:
    """A game after set-up with rows 1, 2, ... in seat order, no cards to speak of, and *changes* merged
    in.
    """
    state = set_up(seats)
    none: list[list[str]] = [[] for _ in range(seats)]
    plain = {"rows": list(range(1, seats + 1)), "hands": none, "decks": [DECK] * seats, "discards": none}
    return TITLE.from_position(merge(merge(TITLE.position(state), plain), changes))


def before_colonization(seats: int = 3, **changes: Any) -> State:
    """Before the last action of the round; two cards in each hand make the game wait before the Influence
    Check.
    """
    taken = [3] * (seats - 1) + [2]
    clock = {"phase": "action_round_2", "actions_taken": taken, "hands": [["trade", "plague"]] * seats}
    return given(seats, **{**clock, **changes})


def before_the_end(seats: int = 3, **changes: Any) -> State:
    """Before the very last action of the game."""
    return before_colonization(seats, **{"turn": 3, "phase": "action_round_4", **changes})


def command(name: str, **fields: Any) -> Any:
    """A command by its type name."""
    kind = TITLE.command_type(name)
    assert kind is not None
    return msgspec.convert({"type": name, **fields}, kind)


def do(state: State, seat: int, name: str, *, chance: list[Any] | None = None, **fields: Any) -> Draft[State]:
    """Carry out a command; *chance* scripts its first draws."""
    return TITLE.decide(state, seat, command(name, **fields), ScriptedChance(chance or [], FastChance(3)))


def last_action(state: State) -> Draft[State]:
    """The last player draws a card, which ends the round."""
    return do(state, len(state.rows) - 1, "draw_influence_card")


def refused(state: State, seat: int | None, name: str, **fields: Any) -> str:
    """The code with which a command is rejected."""
    with pytest.raises(Rejected) as rejected:
        TITLE.decide(state, seat, command(name, **fields), FastChance(3))
    return rejected.value.code


def of(draft: Draft[State], *kinds: type[Fact]) -> list[Any]:
    """The facts of these kinds, in order."""
    return [fact for fact in draft.facts if isinstance(fact, kinds)]


def at(state: State, key: str) -> Any:
    """The region of that id."""
    return state.regions[REGIONS.index(key)]


def stack(*cards: str) -> list[dict[str, Any]]:
    """Policy cards of a player at a region, as a position holds them."""
    return [{"card": card, "face_up": index > 0} for index, card in enumerate(cards)]
