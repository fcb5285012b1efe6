"""What happens in Landfall: each fact with its secrets, what it changes and how it is told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from msgspec.structs import replace

from rutter.events.rules.chance import D6
from rutter.events.rules.draw_binding import Drawing, die
from rutter.events.rules.fact import Fact, Seat
from rutter.events.rules.kit.values import put, remove_each
from rutter.events.rules.kit.words import format_count, format_list, sentences

from .state import State

says = sentences(
    points=lambda n: format_count(n, "point"),
    sails=lambda n: format_count(n, "sail"),
    sail=lambda n: f"the sail {n}",
    which=lambda sails: f": {format_list(map(str, sails))}",
    against=lambda sails: " against ".join(map(str, sails)),
)


class SailsDealt(Fact, frozen=True):
    """Sails come from the deck into a hand (LFL-01, LFL-05)."""

    secrets: ClassVar[Mapping[str, tuple[str, ...]]] = {"sails": ("seat",)}
    seat: Seat
    count: int
    sails: tuple[int, ...]
    tell = says("{seat:who} draws {count:sails}{sails:which|}.")

    def fold(self, state: State) -> State:
        hand = tuple(sorted((*state.hands[self.seat], *self.sails)))
        return replace(
            state, hands=put(state.hands, self.seat, hand), deck=remove_each(state.deck, self.sails)
        )


class IslandSighted(Fact, frozen=True):
    """A round begins (LFL-02)."""

    drawn: ClassVar[Mapping[str, Drawing]] = {"worth": die(D6)}
    worth: int
    tell = says("An island worth {worth:points} comes in sight.")

    def fold(self, state: State) -> State:
        return replace(state, island=self.worth)


class SailChosen(Fact, frozen=True):
    """A captain has put down a sail, covered (LFL-03)."""

    secrets: ClassVar[Mapping[str, tuple[str, ...]]] = {"sail": ("seat",)}
    seat: Seat
    sail: int
    tell = says("{seat:who} chooses {sail:sail|a sail, covered}.")

    def fold(self, state: State) -> State:
        return replace(state, chosen=put(state.chosen, self.seat, self.sail))


class SailsShown(Fact, frozen=True):
    """Both sails are shown and leave the game; the higher one takes the island (LFL-03 to LFL-05)."""

    discloses = True
    sails: tuple[int, int]
    taker: Seat | None
    worth: int
    tell = says("{sails:against}: {taker:who|nobody} takes the island for {worth:points}.")

    def fold(self, state: State) -> State:
        points = state.points
        if self.taker is not None:
            points = put(points, self.taker, points[self.taker] + self.worth)
        return replace(
            state,
            hands=tuple(
                remove_each(hand, (sail,)) for hand, sail in zip(state.hands, self.sails, strict=True)
            ),
            chosen=(None, None),
            points=points,
            shown=(*state.shown, *self.sails),
            island=None,
        )
