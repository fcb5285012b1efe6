"""A state that a seat cannot tell from the real one: rows and casualty choices of others redrawn."""

from __future__ import annotations

from itertools import islice

from msgspec.structs import replace

from events.rules.chance import Chance
from events.rules.fact import Seat
from events.rules.kit.values import put, remove_each
from events.titles.colonial.state import Battle, State, War
from events.titles.colonial.steps.endeavour import war

WAYS = 24
"""The largest number of ways to choose casualties that an imagined enemy considers."""


def imagine(state: State, seat: Seat, chance: Chance) -> State:
    """Hidden are the cards not yet revealed, and a battle's first answer (see `view`)."""
    if state.phase in ("programming", "endeavour"):
        rows = tuple(
            row if other == seat or not row else _row(state, other, chance)
            for other, row in enumerate(state.programmes)
        )
        state = replace(state, programmes=rows)
    fighting = state.war
    if fighting is None or fighting.battle is None:
        return state
    battle = _battle(state, fighting, fighting.battle, seat, chance)
    return replace(state, war=replace(fighting, battle=battle))


def count_shown(state: State) -> int:
    """Return the number of cards of each row that are public."""
    return 0 if state.phase == "programming" else state.round


def _row(state: State, seat: int, chance: Chance) -> tuple[str, ...]:
    """Return a row with the revealed cards first, then other cards of the seat's hand in random order."""
    row = state.programmes[seat]
    known = row[: count_shown(state)]
    rest = remove_each(state.players[seat].cards, known)
    return (*known, *chance.deal(rest, len(row) - len(known)))


def _battle(state: State, fighting: War, battle: Battle, seat: int, chance: Chance) -> Battle:
    for side, other in enumerate(war.sides(fighting)):
        if other != seat and battle.chosen[side] is not None:
            ways = tuple(islice(war.casualty_ways(state, fighting, battle, side), WAYS))
            chosen = put(battle.chosen, side, chance.pick(ways, hidden=True))
            battle = replace(battle, chosen=chosen)
    return battle
