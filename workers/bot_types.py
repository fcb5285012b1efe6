"""The type of bots, of their thoughts, and of the functions behind them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from events.rules.fact import Seat
from events.rules.fast_chance import FastChance
from events.rules.steps import Command
from events.rules.title import Title

CERTAIN = 1_000_000
"""The chance of a player who has won."""

Choose = Callable[[Title[Any], Any, Seat, FastChance, int], Command]
"""``(title, imagined state, seat, chance, budget)``: a legal command of a seat that is waited for."""


@dataclass(frozen=True)
class Candidate:
    """A command that a bot has thought about."""

    command: Command
    chance: int
    """To win with it, of :data:`CERTAIN`, in the games that were played out."""
    games: int
    """The number of those games."""


@dataclass(frozen=True)
class Thought:
    """The result of a bot's thinking: a command, and the candidates behind it."""

    command: Command
    simulations: int = 0
    """The number of games that the bot played out in its mind."""
    candidates: tuple[Candidate, ...] = ()
    """The commands that were played out: that of the rules of thumb, then the others, the likeliest first."""

    def list_likeliest(self, most: int, *also: Command) -> list[Candidate]:
        """Return the *most* candidates that were played out most, and those of *also* that were.

        What needed no thought has the command alone, without a game.
        """
        best = sorted(self.candidates, key=lambda each: (-each.games, -each.chance))
        best = best or [Candidate(self.command, 0, 0)]
        return best[:most] + [each for each in best[most:] if each.command in also]


class Thinker(Protocol):
    """A function such as :data:`Choose`, of a bot that plays games out."""

    def __call__(
        self,
        title: Title[Any],
        state: Any,
        seat: Seat,
        chance: FastChance,
        budget: int,
        *,
        also: Sequence[Command] = (),
    ) -> Thought:
        """*also*: commands that are played out in any case, to hear what they are worth."""
        ...


Ask = Callable[[Title[Any], Any, Seat, bytes], Thought]
"""``(title, imagined state, seat, seed of the move)``: what an engine answers. Raises MissingMove."""


class MissingMove(RuntimeError):
    """An engine gives no move that could be played; says why."""


@dataclass(frozen=True)
class Bot:
    """One computer player of one title."""

    name: str
    version: int
    """Raised whenever the same seed may give another move."""
    budget: int
    """The budget of thinking in the bot's own unit (simulations, positions; 0: no search). Never time."""
    choose: Choose
    weights: str | None = None
    """SHA-256 (hex) of the fitted weights that it thinks with; of an engine, of its files."""
    think: Thinker | None = None
    """The function that plays games out to choose a command; None for a bot that plays none out."""
    ask: Ask | None = None
    """The function that asks an engine, which is another program; None for Rutter's own bots."""
    reproducible: bool = True
    """True if the same seed always gives the same move, so that moves can be thought again."""
