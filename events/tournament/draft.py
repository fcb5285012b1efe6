"""The draft of a decision: facts so far, the tournament after them, and inputs from outside."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from msgspec.structs import replace

from events.proof.randomness import derive_public_draw_key
from events.rules.fact import Fact
from events.rules.steps import Rejected
from events.tournament.state import Draw, Tournament, number_of


class DecisionInputs(msgspec.Struct, frozen=True):
    """Inputs of a decision that the log does not hold yet. A verifier gives what was recorded."""

    element: Callable[[int], bytes]
    """A function ``(k)`` that returns s_k of the reverse chain."""
    disclosed: Callable[[], dict[str, str]]
    """A function that returns the secrets, for the last fact."""
    new_id: Callable[[], str]
    """A function that returns the id (a UUIDv7) of a game that is to be."""


class TournamentDraft:
    """The facts of one command; later ones see what earlier ones did."""

    def __init__(self, state: Tournament, actor: str | None, at: str, means: DecisionInputs) -> None:
        self.state = replace(state, at=at)
        self.actor = actor
        self.at = at
        self.means = means
        self.facts: list[Fact] = []

    def emit(self, fact: Fact) -> None:
        """Append *fact* and fold it."""
        self.facts.append(fact)
        self.state = fact.fold(self.state)

    @property
    def name(self) -> str:
        """The name of the actor, as the log has it."""
        return self.actor or "sys"

    @property
    def number(self) -> int:
        """The number of the entrant or director who acts."""
        return number_of(self.name)

    def draw(self) -> tuple[Draw, bytes]:
        """Return the next draw, and the key of its stream. Raises :class:`Rejected` if there is none left."""
        state = self.state
        k = state.drawn + 1
        if k > state.draws:
            raise Rejected("draws_spent", "The tournament has used all its random draws. Close the stage.")
        element = self.means.element(k)
        return Draw(k, element.hex()), derive_public_draw_key(element, state.mixed, k)
