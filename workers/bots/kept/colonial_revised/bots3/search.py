"""A player for every title that plays games out in its mind.

It begins with what the rules of thumb would do, and leaves it only for something that is clearly better:
flat Monte Carlo with sequential halving over a few candidates. All candidates meet the same imagined worlds
and the same dice. Everybody in the mind plays by the rules of thumb, until the title's horizon; then the
position is judged (:mod:`workers.bots.worth`). Of some titles the games go on to their end, and the result
is judged. The budget is a number of games played out, never a time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources
from itertools import islice
from math import isqrt
from typing import Any

import msgspec

from events.rules.bot_names import BOTS, THINKERS
from events.rules.fact import Seat
from events.rules.fast_chance import FastChance
from events.rules.kit.offers import choose_evenly
from events.rules.steps import Command, Rejected
from events.rules.title import Title
from workers.bot_types import Bot, Candidate, Choose, Thought
from workers.bots.kept.colonial_revised.bots3.worth import UNFINISHED, Weights, Worth, chance_of, load_weights, victory

OTHERS = "others"
"""In the file of budgets: titles that tell nothing about what their positions are worth."""
CROWD = 5
"""Seats from which on a table is crowded."""
CANDIDATES = 10
"""Commands that are played out, that of the rules of thumb among them."""
SCREENED = 40
"""Listed commands that are looked at beforehand."""
SAMPLES = 4
"""Legal commands at random, where the list is not whole."""
MARGIN = 20_000
"""By how much something must be better, of a million, if chance does not ask for more."""
ERROR_TENTHS = 20
"""Tenths of a standard error of the difference that it must be better by."""
ERROR_TENTHS_AT_END = 15
"""The same where games go on to their end: no weights can mislead there, so that less proof is enough."""


@dataclass
class TriedCommand:
    """A candidate, and how it did in the worlds in which it was played."""

    number: int
    command: Command
    chances: list[int] = field(default_factory=list)

    @property
    def mean(self) -> int:
        """Return the mean chance to win, in millionths."""
        return sum(self.chances) // max(1, len(self.chances))


class Budget(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The budget of a player for thinking, and its version."""

    simulations: int
    """Games that it plays out for a move."""
    commands: int
    """After so many of them a game is judged in any case."""
    crowd: int | None = None
    """The simulations at tables of :data:`CROWD` seats and more, where others are too many."""
    candidates: int = CANDIDATES
    """Commands that are played out at most, besides those that are asked about."""
    version: int = 1
    """See :class:`workers.bot_types.Bot`: `rutter keep --bots` raises it."""


@cache
def load_budgets() -> dict[str, dict[str, Budget]]:
    """Return the budgets of the players that think, by title (or :data:`OTHERS`) and name."""
    data = resources.files(__package__).joinpath("budgets.toml").read_bytes()
    return msgspec.toml.decode(data, type=dict[str, dict[str, Budget]])


@dataclass(frozen=True)
class Search:
    """One title's player that thinks; :meth:`think` is its :attr:`workers.bot_types.Bot.think`."""

    guide: Choose
    """The rules of thumb."""
    worth: Worth | None = None
    """Without it every decision is thought about, and only games that come to their end tell anything."""
    weights: Weights | None = None
    light: Choose | None = None
    """Faster rules of thumb, by which games go on in the mind; the guide's where there are none."""
    commands: int = 60
    """The :attr:`Budget.commands`."""
    crowd: int | None = None
    """The :attr:`Budget.crowd`."""
    candidates: int = CANDIDATES
    """The :attr:`Budget.candidates`."""

    @property
    def ends(self) -> bool:
        """True if games go on to their end in the mind, and are judged by their results."""
        return self.worth is not None and self.worth.lead is not None

    def choose(self, title: Title[Any], state: Any, seat: Seat, chance: FastChance, budget: int) -> Command:
        """Return the rules of thumb's command, or one that is better beyond doubt."""
        return self.think(title, state, seat, chance, budget).command

    def think(
        self,
        title: Title[Any],
        state: Any,
        seat: Seat,
        chance: FastChance,
        budget: int,
        *,
        also: Sequence[Command] = (),
    ) -> Thought:
        """Return the same, with what was played out for it: *also* these commands, whatever is asked."""
        own = self.guide(title, state, seat, chance, 0)
        decision = next(d for d in title.list_awaited_kinds(state) if d.seat == seat)
        if self.worth is not None and decision.kind not in self.worth.searched and not also:
            return Thought(own)
        if self.crowd is not None and state.seats >= CROWD:
            budget = min(budget, self.crowd)
        mind = _Mind(self, title, state, seat, f"{chance.draw_below(1 << 62)}")
        candidates = mind.candidates(own, also)
        return mind.best(candidates, budget) if len(candidates) > 1 else Thought(own)

    def judge_state(self, title: Title[Any], state: Any, seat: Seat) -> int:
        """Return the chance of *seat* to win, of :data:`workers.bot_types.CERTAIN`."""
        if self.worth is not None and self.weights is not None:
            return chance_of(title, self.worth, self.weights, state, seat)
        outcome = title.outcome(state)
        return UNFINISHED // 2 if outcome is None else victory(outcome, seat)

    def find_horizon(self, state: Any) -> int | None:
        """Return the time at which a game that begins at *state* is judged; None: at its end."""
        return None if self.worth is None or self.ends else self.worth.clock(state) + self.worth.horizon

    def has_reached(self, state: Any, until: int | None) -> bool:
        """Return True if the state's clock has reached *until*."""
        return self.worth is not None and until is not None and self.worth.clock(state) >= until


class _Mind:
    """One seat's thoughts about one decision."""

    def __init__(self, search: Search, title: Title[Any], state: Any, seat: Seat, seed: str) -> None:
        self.search = search
        self.title = title
        self.state = state
        self.seat = seat
        self._seed = seed
        self._until = search.find_horizon(state)
        self._worlds: list[Any] = []

    def candidates(self, own: Command, also: Sequence[Command]) -> list[TriedCommand]:
        """Return the own command first, then what is wanted, then what looks best right after it is done."""
        screened = []
        for number, command in enumerate(self._others(own), 1):
            try:
                screened.append((-self._rank_commands(command), number, command))
            except Rejected:  # legal in the imagined state, but it depends on what is hidden
                continue
        found = [command for _, _, command in sorted(screened, key=lambda each: each[:2])]
        best = [command for command in found if command not in also][: self.search.candidates - 1]
        wanted = [command for command in also if command != own]
        return [TriedCommand(number, command) for number, command in enumerate([own, *wanted, *best])]

    def best(self, candidates: list[TriedCommand], budget: int) -> Thought:
        """Choose by sequential halving: the better half goes on, and the own command for comparison."""
        own, alive = candidates[0], candidates[1:]
        rounds = max(1, len(alive).bit_length())
        for number in range(rounds):
            share = budget // (rounds - number) // (len(alive) + 1)
            budget -= max(1, share) * (len(alive) + 1)
            self._play_on([own, *alive], max(1, share))
            alive = sorted(alive, key=lambda each: (-each.mean, each.number))[: max(1, len(alive) // 2)]
        tenths = ERROR_TENTHS_AT_END if self.search.ends else ERROR_TENTHS
        best = alive[0] if is_clearly_better(alive[0], own, tenths) else own
        others = sorted(candidates[1:], key=lambda each: (-len(each.chances), -each.mean, each.number))
        thought_of = tuple(Candidate(each.command, each.mean, len(each.chances)) for each in (own, *others))
        return Thought(best.command, sum(each.games for each in thought_of), thought_of)

    def _others(self, own: Command) -> Iterator[Command]:
        listed = choose_evenly(self.title.legal(self.state, self.seat), SCREENED, type)
        more: list[Command | None] = []
        if not self.title.complete(self.state, self.seat):
            chance = FastChance(f"{self._seed}/samples")
            more = [self.title.sample(self.state, self.seat, chance) for _ in range(SAMPLES)]
        known = [own]
        for command in (*listed, *more):
            if command is not None and command not in known:
                known.append(command)
                yield command

    def _rank_commands(self, command: Command) -> int:
        chance = FastChance(f"{self._seed}/after")
        return self._judge(self.title.decide(self.state, self.seat, command, chance).state)

    def _play_on(self, candidates: list[TriedCommand], games: int) -> None:
        first = len(candidates[0].chances)
        for number in range(first, first + games):
            for tried in candidates:
                tried.chances.append(self._play_out(tried.command, number))

    def _play_out(self, command: Command, number: int) -> int:
        """Return the chance of the seat to win a game in world *number* that goes on with *command*."""
        while len(self._worlds) <= number:
            seen = FastChance(f"{self._seed}/world/{len(self._worlds)}")
            self._worlds.append(self.title.imagine(self.state, self.seat, seen))
        chance = FastChance(f"{self._seed}/dice/{number}")
        try:
            state = self.title.decide(self._worlds[number], self.seat, command, chance).state
        except Rejected:
            return 0
        return self._judge(self._play_to_horizon(state, chance))

    def _play_to_horizon(self, state: Any, chance: FastChance) -> Any:
        title, search = self.title, self.search
        light = search.light or search.guide
        for _ in range(search.commands):
            if search.has_reached(state, self._until):
                break
            decision = next(islice(title.list_awaited_kinds(state), 1), None)
            if decision is None:
                break
            seat = decision.seat
            try:
                if seat is not None:
                    state = title.decide(state, seat, light(title, state, seat, chance, 0), chance).state
                    continue
            except Rejected:  # rules of thumb are no proof: an absent player's move goes on
                pass
            state = title.decide(state, seat, title.default(state, decision), chance).state
        return state

    def _judge(self, state: Any) -> int:
        return self.search.judge_state(self.title, state, self.seat)


def is_clearly_better(other: TriedCommand, own: TriedCommand, error_tenths: int = ERROR_TENTHS) -> bool:
    """Return True if *other* did better by the margin, in the worlds in which both were played."""
    apart = [theirs - mine for theirs, mine in zip(other.chances, own.chances, strict=False)]
    if not apart:
        return False
    mean = sum(apart) // len(apart)
    spread = sum((each - mean) ** 2 for each in apart) // len(apart)
    return mean > max(MARGIN, error_tenths * isqrt(spread // len(apart)) // 10)


def thinkers(title_id: str, guide: Choose, worth: Worth, *, light: Choose | None = None) -> tuple[Bot, ...]:
    """Return the players of a title that think: `strong`, and `brisk` in a part of the time.

    By the rules of thumb *guide*; games are played out by *light* where *guide* is too slow for that. Where
    either gives other moves, their versions in ``budgets.toml`` rise; other weights are told apart as well.
    """
    weights, digest = load_weights(title_id)
    return _players(title_id, Search(guide, worth, weights, light), digest)


def get_search(bot: Bot) -> Search:
    """Return the search by which a bot thinks. Raises TypeError if it is no bot of this search."""
    search = getattr(bot.think, "__self__", None)
    if not isinstance(search, Search):
        raise TypeError(f"{bot.name} does not think by this search")
    return search


def plain_thinkers(guide: Choose) -> tuple[Bot, ...]:
    """Return the thinkers of a title that rates no positions: they play games to the end."""
    return _players(OTHERS, Search(guide), None)


def _players(title_id: str, search: Search, digest: str | None) -> tuple[Bot, ...]:
    players = []
    for name in BOTS:
        if name in THINKERS:
            budget = load_budgets()[title_id][name]
            own = replace(search, commands=budget.commands, crowd=budget.crowd, candidates=budget.candidates)
            players.append(
                Bot(
                    name,
                    budget.version,
                    budget.simulations,
                    own.choose,
                    weights=digest,
                    think=own.think,
                )
            )
    return tuple(players)
