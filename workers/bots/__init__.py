"""Computer players.

A bot is a pure function of what its seat may know: it is handed a state *imagined* for that seat
(:attr:`events.title.Title.imagine`), never the real one, so no bot can look at what is hidden,
and a generator seeded for this one move, so that the same seed gives the same move.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any, Protocol

from events import titles
from events.absence import DEFAULTS
from events.catalogue import KEPT, find_title, home
from events.fact import Seat
from events.fast_chance import FastChance
from events.game import Game
from events.proof import Secrets
from events.record import BOTS, BotRun, OtherThought, UnknownBot
from events.steps import Command
from events.title import Title

Choose = Callable[[Title[Any], Any, Seat, FastChance, int], Command]
"""``(title, imagined state, seat, chance, budget)``: a legal command of a seat that is waited for."""


@dataclass(frozen=True)
class Candidate:
    """A command that a bot has thought about."""

    command: Command
    chance: int
    """To win with it, of a million, in the games that were played out."""
    games: int
    """How many those were."""


@dataclass(frozen=True)
class Thought:
    """What a bot came to."""

    command: Command
    simulations: int = 0
    """How many games it played out in its mind."""
    candidates: tuple[Candidate, ...] = ()
    """What it played out: the command of the rules of thumb, then the others, the likeliest first."""


class Think(Protocol):
    """As :data:`Choose`, for a bot that plays games out."""

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


@dataclass(frozen=True)
class Bot:
    """One computer player of one title."""

    name: str
    version: int
    """Raised whenever the same seed may give another move."""
    budget: int
    """How much it may think, in its own unit (simulations, positions; 0: no search). Never time."""
    choose: Choose
    weights: str | None = None
    """SHA-256 (hex) of the fitted weights that it thinks with."""
    think: Think | None = None
    """How it comes to what it chooses, where it plays games out."""


def _random(title: Title[Any], state: Any, seat: Seat, chance: FastChance, _budget: int) -> Command:
    command = title.sample(state, seat, chance)
    if command is None:
        raise ValueError(f"seat {seat} decides nothing now")
    return command


RANDOM = Bot(name="random", version=1, budget=0, choose=_random)


def _default(title: Title[Any], state: Any, seat: Seat, _chance: FastChance, _budget: int) -> Command:
    decision = next(d for d in title.awaited(state) if d.seat == seat)
    return title.default(state, decision)


ABSENT = Bot(name=DEFAULTS, version=1, budget=0, choose=_default)
"""Gives what the rules do for an absent player. It sits down for those who were, and at no other seat."""


def bot_names() -> tuple[str, ...]:
    """The names of the bots that every title has, weakest first."""
    return BOTS


def find_bot(title_id: str, name: str, title: Title[Any] | None = None) -> Bot:
    """The newest bot *name* of a title (by default of its newest version), or the version of the bot that
    `name@version` names: old ones are kept. Raises :class:`UnknownBot`.
    """
    word, at, version = name.partition("@")
    for bot in _bots(title or find_title(title_id)):
        if bot.name == word and (not at or str(bot.version) == version):
            return bot
    raise UnknownBot(f"no bot {name!r}; there are {', '.join(bot_names())}")


def find_worth(title: Title[Any]) -> tuple[Any, Choose] | None:
    """What positions of a title are worth (:class:`workers.bots.worth.Worth`) and the rules of thumb by which
    its thinking bots play games out; None where it has no such bot.
    """
    module = import_module(_room(title))
    worth = getattr(module, "WORTH", None)
    return None if worth is None else (worth, getattr(module, "LIGHT", module.STEADY.choose))


def _bots(title: Title[Any]) -> tuple[Bot, ...]:
    """All bots of a title in all versions, the newest first."""
    module = import_module(_room(title))
    thinkers = getattr(module, "THINKERS", None) or _plain_thinkers(module.STEADY.choose)
    return (RANDOM, ABSENT, module.STEADY, *thinkers, *getattr(module, "KEPT", ()))


@cache
def _plain_thinkers(guide: Choose) -> tuple[Bot, ...]:
    """The thinking players of a title that tells nothing about what its positions are worth."""
    from workers.bots.search import plain_thinkers

    return plain_thinkers(guide)


def _room(title: Title[Any]) -> str:
    """The module of a title's own bots: beside it, or here where the title is one of the project's."""
    package = home(title)
    newest, _, kept = package.partition(f".{KEPT}.")
    if not package.startswith(f"{titles.__name__}."):
        return f"{package}.bot"
    own = newest.rpartition(".")[2]
    return f"{__name__}.{KEPT}.{own}.{kept}.{own}" if kept else f"{__name__}.{own}"


def bot_run(game: Game, seat: Seat, secrets: Secrets) -> BotRun:
    """What the bot of *seat* thinks with for the event that comes next. Raises :class:`UnknownBot`."""
    bot = find_bot(game.title_id, game.seats[seat].bot or "", game.title)
    seed = secrets.bot_seed(game.key, seat, game.seats[seat].commands)
    return BotRun(bot.name, bot.version, bot.budget, seed.hex(), thought_at=game.seq, weights=bot.weights)


def think(game: Game, seat: Seat, run: BotRun) -> Command:
    """The move that a bot makes with what *run* says: always the same. Raises :class:`UnknownBot`."""
    return think_through(game, seat, run).command


def think_through(game: Game, seat: Seat, run: BotRun) -> Thought:
    """The same, with all that the bot thought about. Raises :class:`UnknownBot`."""
    bot = find_bot(game.title_id, f"{run.name}@{run.version}", game.title)
    if (bot.budget, bot.weights) != (run.budget, run.weights):
        raise UnknownBot(f"the bot {run.name} {run.version} with budget {run.budget} is not at hand")
    return thought(game.title, bot, game.state, seat, bytes.fromhex(run.seed))


def think_again(game: Game, seat: Seat, run: BotRun) -> Command:
    """The move of a recorded *run*. Raises :class:`UnknownBot`, and :class:`OtherThought` where the bot plays
    out another number of games for it.
    """
    again = think_through(game, seat, run)
    if again.simulations != run.simulations and not run.fallback:
        raise OtherThought(f"it plays out {again.simulations} games for this move, not {run.simulations}")
    return again.command


def move(title: Title[Any], bot: Bot, state: Any, seat: Seat, seed: bytes) -> Command:
    """The bot's move for *seat* in the real *state*, of which it sees only what its seat may know."""
    return thought(title, bot, state, seat, seed).command


def thought(
    title: Title[Any], bot: Bot, state: Any, seat: Seat, seed: bytes, *, also: Sequence[Command] = ()
) -> Thought:
    """The same, with all that the bot thought about, and what it thinks of other commands *also*."""
    chance = FastChance(seed)
    known = title.imagine(state, seat, chance)
    if bot.think is not None:
        return bot.think(title, known, seat, chance, bot.budget, also=also)
    return Thought(bot.choose(title, known, seat, chance, bot.budget))
