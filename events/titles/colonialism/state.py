"""The state of a game."""

from __future__ import annotations

import msgspec

from events.titles.colonialism.data import TRACK
from events.titles.colonialism.options import Options
from events.titles.colonialism.parts import (
    NO_CUBES,
    ActionCard,
    Collection,
    Colonization,
    Cubes,
    Loss,
    Region,
    Ship,
    Standing,
    StepName,
)


class State(msgspec.Struct, frozen=True):
    """Everything that is the case; tuples are by seat unless said otherwise."""

    options: Options
    colors: tuple[str, ...]
    step: StepName
    turn: int
    phase: str
    rows: tuple[int, ...]
    actions_taken: tuple[int, ...]
    choosers: tuple[int, ...]
    """Seats in the order in which they choose a row, while this is being done."""
    chosen_rows: tuple[int, ...]
    """Rows chosen in this step, 0 for none; they count when the last is in (CSM-206)."""
    region_order: tuple[str, ...]
    regions: tuple[Region, ...]
    """By region, in table order."""
    bag: Cubes
    native_supply: int
    mercenary_supply: int
    reserve: tuple[int, ...]
    ships: tuple[tuple[Ship, ...], ...]
    hands: tuple[tuple[str, ...], ...]
    """In the order in which the cards came."""
    decks: tuple[tuple[str, ...], ...]
    """Unordered, kept in table order."""
    discards: tuple[tuple[str, ...], ...]
    known_held: tuple[tuple[str, ...], ...]
    """Cards that everybody knows to be in the hand or face-down, since they were not in the pile last
    reshuffled.
    """
    interests: tuple[tuple[str, ...], ...]
    undealt_interests: tuple[str, ...]
    interests_shown: tuple[bool, ...]
    collected: tuple[Cubes, ...]
    collected_this_turn: tuple[int, ...]
    kept: tuple[tuple[str, ...] | None, ...]
    """Sealed answers of a simultaneous choice, until the last is in."""
    action_card: ActionCard | None
    losses: tuple[Loss, ...]
    """Choices of losses that are due, the first of them now."""
    collection: Collection | None
    colonization: Colonization | None
    standings: tuple[Standing, ...]

    @property
    def seats(self) -> int:
        """The number of players that take part."""
        return len(self.rows)


def blank(seats: int, options: Options) -> State:
    """Return the state before the first fact."""
    zeros, none = (0,) * seats, ((),) * seats
    return State(
        options=options,
        colors=(),
        step="setup_turn_order",
        turn=1,
        phase=TRACK.phases[0],
        rows=zeros,
        actions_taken=zeros,
        choosers=(),
        chosen_rows=zeros,
        region_order=(),
        regions=(),
        bag=NO_CUBES,
        native_supply=0,
        mercenary_supply=0,
        reserve=zeros,
        ships=none,
        hands=none,
        decks=none,
        discards=none,
        known_held=none,
        interests=none,
        undealt_interests=(),
        interests_shown=(False,) * seats,
        collected=(NO_CUBES,) * seats,
        collected_this_turn=zeros,
        kept=(None,) * seats,
        action_card=None,
        losses=(),
        collection=None,
        colonization=None,
        standings=(),
    )
