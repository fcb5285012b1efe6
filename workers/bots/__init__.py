"""Computer players.

A bot is a pure function of what its seat may know: it is handed a state *imagined* for that seat
(:attr:`events.rules.title.Title.imagine`), never the real one, so no bot can look at what is hidden,
and a generator seeded for this one move, so that the same seed gives the same move.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from events import titles
from events.clocks.absence_policy import DEFAULTS
from events.proof.randomness import Secrets
from events.rules.bot_names import BotMismatch, BotVersion, UnknownBot, is_engine
from events.rules.catalogue import KEPT, find_title, package_of
from events.rules.fact import Seat
from events.rules.fast_chance import FastChance
from events.rules.steps import Command
from events.rules.title import Title
from events.table.game import Game
from events.table.record import BotRun
from workers.bot_types import Bot, Choose, MissingMove, Thought
from workers.engines import find_engine

KEPT_BOTS = "bots"
"""Before the number of a room in which older bots of a title are kept."""


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
"""Gives what the rules do for an absent player. It takes the seats of those who were, and no other seat."""


def find_bot(title_id: str, name: str, title: Title[Any] | None = None) -> Bot:
    """Return the newest bot *name* of a title, or of `name@version` that version, which is kept.

    By default the bot is that of the newest version of the title. Raises :class:`UnknownBot`.
    """
    if is_engine(name):
        return find_engine(title_id, name)
    word, at, version = name.partition("@")
    title = title or find_title(title_id)
    if word in (*title.bots, DEFAULTS):
        for bot in _bots(title):
            if bot.name == word and (not at or str(bot.version) == version):
                return bot
    raise UnknownBot(f"no bot {name!r}; there are {', '.join(title.bots)}")


def find_worth(title: Title[Any]) -> tuple[Any, Choose] | None:
    """Return a title's :class:`workers.bots.worth.Worth`, and the rules of thumb of its thinking bots.

    These rate positions, and play games out. Return None if the title has no such bot.
    """
    module = import_module(_find_bot_module(title))
    worth = getattr(module, "WORTH", None)
    return None if worth is None else (worth, getattr(module, "LIGHT", module.STEADY.choose))


def _bots(title: Title[Any]) -> tuple[Bot, ...]:
    """Return all bots of a title in all versions, the newest first."""
    module = import_module(_find_bot_module(title))
    thinkers = getattr(module, "THINKERS", None) or _plain_thinkers(module.STEADY.choose)
    own = (RANDOM, ABSENT, module.STEADY, *thinkers, *getattr(module, "KEPT", ()))
    return (*own, *_find_kept_bots(title.id)) if module.__name__ == f"{__name__}.{title.id}" else own


@cache
def _find_kept_bots(title_id: str) -> tuple[Bot, ...]:
    """Return the older bots of a title's newest version that `rutter keep --bots` has kept.

    The newest come first.
    """
    rooms = Path(__file__).parent / KEPT / title_id
    numbers = [int(room.name.removeprefix(KEPT_BOTS)) for room in rooms.glob(f"{KEPT_BOTS}[0-9]*")]
    found: list[Bot] = []
    for number in sorted(numbers, reverse=True):
        module = import_module(f"{__name__}.{KEPT}.{title_id}.{KEPT_BOTS}{number}.{title_id}")
        found += [module.STEADY, *getattr(module, "THINKERS", ()), *getattr(module, "KEPT", ())]
    return tuple(found)


@cache
def _plain_thinkers(guide: Choose) -> tuple[Bot, ...]:
    """Return the thinking players of a title that tells nothing about what its positions are worth."""
    from workers.bots.search import plain_thinkers

    return plain_thinkers(guide)


def _find_bot_module(title: Title[Any]) -> str:
    """Return the module of a title's own bots: beside it, or here where the title is one of the project's."""
    package = package_of(title)
    newest, _, kept = package.partition(f".{KEPT}.")
    if not package.startswith(f"{titles.__name__}."):
        return f"{package}.bot"
    own = newest.rpartition(".")[2]
    return f"{__name__}.{KEPT}.{own}.{kept}.{own}" if kept else f"{__name__}.{own}"


def find_bot_version(title: Title[Any], name: str) -> BotVersion:
    """Return the version in which a bot takes a seat: the newest there is. Raises :class:`UnknownBot`."""
    bot = find_bot(title.id, name, title)
    return BotVersion(bot.version, bot.weights)


def bot_run(game: Game, seat: Seat, secrets: Secrets) -> BotRun:
    """Return the :class:`BotRun` of the bot of *seat* for the next event.

    Raises :class:`UnknownBot` where the version in which it sits there is missing.
    """
    sits = game.seats[seat]
    bot = find_bot(game.title_id, f"{sits.bot}@{sits.bot_version}", game.title)
    seed = secrets.bot_seed(game.mixed, seat, sits.bot_commands)
    run = BotRun(bot.name, bot.version, bot.budget, seed.hex(), thought_at=game.seq, weights=bot.weights)
    if not sits.is_played_by(run):
        raise UnknownBot(f"the bot {bot.name} {bot.version} is installed with other weights only")
    return run


def think(game: Game, seat: Seat, run: BotRun) -> Command:
    """Return the move that a bot makes with what *run* says: always the same. Raises :class:`UnknownBot`."""
    return think_through(game, seat, run).command


def think_through(game: Game, seat: Seat, run: BotRun) -> Thought:
    """Return the same, with all that the bot thought about. Raises :class:`UnknownBot`."""
    bot = find_bot(game.title_id, f"{run.name}@{run.version}", game.title)
    if (bot.budget, bot.weights) != (run.budget, run.weights):
        raise UnknownBot(f"the bot {run.name} {run.version} with budget {run.budget} is not installed here")
    return consider(game.title, bot, game.state, seat, bytes.fromhex(run.seed))


def think_again(game: Game, seat: Seat, run: BotRun) -> Command:
    """Return the move of a recorded *run*. Raises :class:`UnknownBot`.

    Raises :class:`BotMismatch` where the bot plays out another number of games for it, and MissingMove
    for an engine that failed and fails again.
    """
    if not find_bot(game.title_id, f"{run.name}@{run.version}", game.title).reproducible:
        raise UnknownBot(f"{run.name} does not promise the same move for the same seed")
    try:
        again = think_through(game, seat, run)
    except MissingMove as failure:
        if run.fallback:
            raise
        raise UnknownBot(f"{run.name} fails here, though not where it played: {failure}") from failure
    if again.simulations != run.simulations and not run.fallback:
        raise BotMismatch(f"it plays out {again.simulations} games for this move, not {run.simulations}")
    return again.command


def choose_move(title: Title[Any], bot: Bot, state: Any, seat: Seat, seed: bytes) -> Command:
    """Return the bot's move for *seat* in the real *state*, of which it sees only what its seat may know."""
    return consider(title, bot, state, seat, seed).command


def consider(
    title: Title[Any], bot: Bot, state: Any, seat: Seat, seed: bytes, *, also: Sequence[Command] = ()
) -> Thought:
    """Return the same, with all that the bot thought about, and what it thinks of other commands *also*."""
    chance = FastChance(seed)
    known = title.imagine(state, seat, chance)
    if bot.ask is not None:
        return bot.ask(title, known, seat, seed)
    if bot.think is not None:
        return bot.think(title, known, seat, chance, bot.budget, also=also)
    return Thought(bot.choose(title, known, seat, chance, bot.budget))
