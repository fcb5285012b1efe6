"""Set-up: the lots, and on to the first decision."""

from __future__ import annotations

from events.rules.chance import Chance
from events.titles.colonies.kept.v1.kit.values import remove_each
from events.rules.steps import Draft
from events.titles.colonies.kept.v1.data import COLOURS, TABLE
from events.titles.colonies.kept.v1.facts import GameBegan, PlanetsDrawn
from events.titles.colonies.kept.v1.options import Options
from events.titles.colonies.kept.v1.primitives import Colour
from events.titles.colonies.kept.v1.state import State
from events.titles.colonies.kept.v1.steps.fingers import draw_first_player


def opening(draft: Draft[State], seats: int, options: Options) -> None:
    """Draw neutral planets and lots; with the option the first player too (CLN-009, CLN-013, CLN-154)."""
    draft.emit(GameBegan(seats, options))
    neutral = _draw_neutral(seats, draft.chance)
    planets = _draw_lots(seats, neutral, draft.chance)
    order = tuple(planets.index(c) for c in COLOURS if c in planets)
    draft.emit(PlanetsDrawn(planets, neutral, order))
    if options.first_player_method == "random":
        draw_first_player(draft)


def neighbours(one: Colour, other: Colour) -> bool:
    """Return True if two planets lie side by side on the ring."""
    apart = abs(COLOURS.index(one) - COLOURS.index(other))
    return apart in (1, len(COLOURS) - 1)


def _draw_neutral(seats: int, chance: Chance) -> tuple[Colour, ...]:
    """Draw one planet, or two that are no neighbours: each of five pairs equally likely (CLN-154)."""
    drawn: list[Colour] = []
    for _ in range(TABLE[seats].neutral):
        free = [c for c in COLOURS if c not in drawn and not any(neighbours(c, d) for d in drawn)]
        drawn.append(chance.pick(free))
    return tuple(c for c in COLOURS if c in drawn)


def _draw_lots(seats: int, neutral: tuple[Colour, ...], chance: Chance) -> tuple[Colour, ...]:
    """Draw a planet for each seat; the last one takes what is left (CLN-009)."""
    left = [c for c in COLOURS if c not in neutral]
    drawn = chance.deal(left, seats - 1, hidden=False)
    return (*drawn, *remove_each(tuple(left), drawn))
