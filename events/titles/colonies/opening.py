"""Set-up: the lots, and on to the first decision."""

from __future__ import annotations

from events.chance import Chance
from events.steps import Draft
from events.titles.colonies.data import COLOURS, TABLE
from events.titles.colonies.evolve import FOLD
from events.titles.colonies.facts import GameBegan, PlanetsDrawn
from events.titles.colonies.options import Options
from events.titles.colonies.primitives import Colour
from events.titles.colonies.state import State, blank
from events.titles.colonies.steps.fingers import draw_first_player


def open_game(seats: int, options: Options, chance: Chance) -> Draft[State]:
    """Draw neutral planets and lots; with the option the first player too (CLN-009, CLN-013, CLN-154)."""
    draft = Draft(blank(seats, options), FOLD)
    draft.emit(GameBegan(seats, options))
    neutral = _draw_neutral(seats, chance)
    planets = _draw_lots(seats, neutral, chance)
    order = tuple(planets.index(c) for c in COLOURS if c in planets)
    draft.emit(PlanetsDrawn(planets, neutral, order))
    if options.first_player_method == "random":
        draw_first_player(draft, chance)
    return draft


def neighbours(one: Colour, other: Colour) -> bool:
    """Whether two planets lie side by side on the ring."""
    apart = abs(COLOURS.index(one) - COLOURS.index(other))
    return apart in (1, len(COLOURS) - 1)


def _draw_neutral(seats: int, chance: Chance) -> tuple[Colour, ...]:
    """One planet, or two that are no neighbours: each of the five pairs equally likely (CLN-154)."""
    drawn: list[Colour] = []
    for _ in range(TABLE[seats].neutral):
        drawn.append(
            chance.pick([c for c in COLOURS if c not in drawn and not any(neighbours(c, d) for d in drawn)])
        )
    return tuple(c for c in COLOURS if c in drawn)


def _draw_lots(seats: int, neutral: tuple[Colour, ...], chance: Chance) -> tuple[Colour, ...]:
    """A planet for each seat; the last one takes what is left (CLN-009)."""
    left = [c for c in COLOURS if c not in neutral]
    drawn: list[Colour] = []
    for _ in range(seats - 1):
        drawn.append(chance.pick(left))
        left.remove(drawn[-1])
    return (*drawn, *left)
