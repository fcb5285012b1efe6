"""Positions to begin from, and commands given in short."""

from typing import Any

import pytest

from events.rules.fast_chance import FastChance
from events.rules.scripted_chance import ScriptedChance
from events.rules.steps import Rejected
from events.rules.vectors import merge
from events.titles.colonial_revised import TITLE
from events.titles.colonial_revised.state import State


def fresh(seats: int = 3, **changes: Any) -> State:
    """A game after set-up with the seats in order, and *changes* merged into its position."""
    start = TITLE.open(seats, TITLE.Options(), ScriptedChance(list(range(seats)))).state
    return TITLE.from_position(merge(TITLE.position(start), changes))


def give(state: State, seat: int | None, command: Any, *script: Any) -> Any:
    """The draft of a command; draws beyond *script* come from a fixed generator."""
    return TITLE.decide(state, seat, command, ScriptedChance(list(script), FastChance(1)))


def after(state: State, seat: int | None, command: Any, *script: Any) -> State:
    """The state after a command."""
    return give(state, seat, command, *script).state


def refused(state: State, seat: int | None, command: Any) -> str:
    """The code with which a command is rejected."""
    with pytest.raises(Rejected) as rejected:
        TITLE.decide(state, seat, command, FastChance(1))
    return rejected.value.code


def kinds(draft: Any) -> list[str]:
    """The names of a draft's facts."""
    return [type(fact).__name__ for fact in draft.facts]


def land(*, unrest: int = 0, colony: int | None = None, missions: int = 0, **piles: Any) -> dict[str, Any]:
    """An explored Territory with these piles."""
    return {"explored": True, "unrest": unrest, "colony_owner": colony, "missions": missions, "piles": piles}


def played(*seats: int) -> dict[int, Any]:
    """Players who have played every card but Sovereign/Rebel this turn."""
    cards = [card for card in TITLE.board["cards"] if card["id"] != "sovereign_rebel"]
    held = {
        card["id"]: {"status": "played", "round": number, "character": card["characters"][0]}
        for number, card in enumerate(cards, 1)
    }
    return {seat: {"cards": held} for seat in seats}


SOVEREIGN = {"card_id": "sovereign_rebel", "character": "sovereign"}


def war(
    step: str, *, seats: int = 3, attacker: int = 0, defender: int = 1, year: int = 1, **rest: Any
) -> dict[str, Any]:
    """A war in progress, everybody else having chosen to stay out unless *rest* says otherwise."""
    choices = [None if seat in {attacker, defender} else "none" for seat in range(seats)]
    whole = {
        "attacker": attacker,
        "defender": defender,
        "step": step,
        "controllers": [None] * 29,
        "awaiting": [],
        "choices": choices,
        "year": year,
    }
    return whole | rest
