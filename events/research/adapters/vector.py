"""Many games of a title in one process, one call a step (``ops/install research``).

    import numpy as np
    from rutter.events.research.adapters.vector import VectorEnv

    games = VectorEnv("colonialism", 8, seed=1)
    step = games.reset()
    for _ in range(1000):
        step = games.step(step.masks.argmax(axis=1))

An action is one word of a command, as in :mod:`events.research.adapters.pettingzoo`. A game that ends begins
again at once, with a seed that follows from the first seed, its place, and the number of games before it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from events.base.installation import install_command
from events.research.adapters.pettingzoo import COMMANDS
from events.research.encoding import decode, vocabulary
from events.research.features import features
from events.research.observations import RECENT_WORDS, observation_bounds, recent_words
from events.research.simulation import SimulatedGame, begin_game, choices, utilities
from events.rules.catalogue import find_title
from events.rules.fast_chance import FastChance

try:
    import numpy as np
    from numpy.typing import NDArray
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        f"Vectors of games need the module {missing.name}: {install_command('research')}", name=missing.name
    ) from None


class Step(NamedTuple):
    """The arrays that all games show after a step, each with a row a game."""

    observations: NDArray[Any]
    """The view of the player who is next: whole numbers, or numbers from -1 to 1 if scaled."""
    masks: NDArray[np.bool_]
    """True for each word that may come next."""
    players: NDArray[np.int64]
    """The seat whose word is next."""
    rewards: NDArray[np.float32]
    """By seat, of the game that this step has ended; else 0."""
    terminations: NDArray[np.bool_]
    """True if this step has ended the game: all else is of the next one."""
    truncations: NDArray[np.bool_]
    """True if this step has broken the game off, after so many commands."""


class VectorEnv:
    """*games* tables of a title, with its *options* by name.

    The arrays of a step belong to the reader: no later step changes them.
    """

    def __init__(
        self,
        title_id: str,
        games: int,
        *,
        seats: int | None = None,
        seed: int = 0,
        commands: int = COMMANDS,
        scaled: bool = False,
        **options: Any,
    ) -> None:
        if games < 1:
            raise ValueError(f"{games} games are none: give 1 or more")
        self.title = find_title(title_id)
        self.seats = min(self.title.seats) if seats is None else seats
        self.bounds = observation_bounds(self.title, self.seats)
        self._options = msgspec.convert(options, self.title.Options)
        self._seed, self._most = seed, commands
        self._scales = _Scales(self.bounds) if scaled else None
        self._rows = np.zeros((games, len(self.bounds)), np.int32)
        self.vocabulary = vocabulary(self.title)
        self._masks = np.zeros((games, len(self.vocabulary)), np.bool_)
        self._players = np.zeros(games, np.int64)
        self._said: list[tuple[int, ...]] = [()] * games
        self._begun = [0] * games
        self._tables: list[tuple[SimulatedGame, FastChance]] = []

    def __len__(self) -> int:
        return len(self._said)

    def game_seed(self, place: int, number: int) -> int:
        """Return the seed of the game *number* at a place; `env.reset` deals the same one from it."""
        return int(np.random.SeedSequence((self._seed, place, number)).generate_state(1)[0])

    def reset(self, seed: int | None = None) -> Step:
        """Begin all games: from *seed*, or from the one that was given before."""
        self._seed = self._seed if seed is None else seed
        self._begun = [0] * len(self)
        self._tables = [self._begin(place) for place in range(len(self))]
        for place in range(len(self)):
            self._show_table(place)
        return self._make_step(*self._make_results())

    def step(self, actions: NDArray[Any]) -> Step:
        """Say one word in each game.

        Raises :class:`events.research.encoding.EncodingError` for a word that the mask excludes.
        """
        if not self._tables:
            raise ValueError("no game has begun: call reset first")
        if len(actions) != len(self):
            raise ValueError(f"{len(actions)} actions for {len(self)} games: give one for each game")
        rewards, terminations, truncations = self._make_results()
        for place, word in enumerate(actions.tolist()):
            game, chance = self._tables[place]
            said = (*self._said[place], word)
            following = choices(self.title, game.state, int(self._players[place]), said)
            if following:
                self._said[place] = said
                self._show_words(place, following)
                continue
            game = game.play_command(decode(self.title, said), chance)
            self._tables[place] = game, chance
            terminations[place] = game.to_move is None
            truncations[place] = not terminations[place] and game.commands >= self._most
            if terminations[place] or truncations[place]:
                rewards[place] = utilities(self.title, game.state)
                self._tables[place] = self._begin(place)
            self._show_table(place)
        return self._make_step(rewards, terminations, truncations)

    def _begin(self, place: int) -> tuple[SimulatedGame, FastChance]:
        seed = self.game_seed(place, self._begun[place])
        self._begun[place] += 1
        chance = FastChance(int(np.random.SeedSequence(seed).generate_state(1)[0]))
        return begin_game(self.title, self.seats, chance, self._options), chance

    def _show_table(self, place: int) -> None:
        """Show the position after a command, to the player who is next."""
        state, seat = self._tables[place][0].state, self._tables[place][0].to_move or 0
        self._players[place], self._said[place] = seat, ()
        self._rows[place, :-RECENT_WORDS] = features(self.title, self.title.view(state, seat))
        self._show_words(place, choices(self.title, state, seat))

    def _show_words(self, place: int, following: tuple[int, ...]) -> None:
        self._rows[place, -RECENT_WORDS:] = recent_words(self._said[place])
        self._masks[place] = False
        self._masks[place, list(following)] = True

    def _make_results(self) -> tuple[NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_]]:
        games = len(self)
        return np.zeros((games, self.seats), np.float32), np.zeros(games, np.bool_), np.zeros(games, np.bool_)

    def _make_step(
        self, rewards: NDArray[np.float32], terminations: NDArray[np.bool_], truncations: NDArray[np.bool_]
    ) -> Step:
        rows = self._rows.copy() if self._scales is None else self._scales.apply(self._rows)
        return Step(rows, self._masks.copy(), self._players.copy(), rewards, terminations, truncations)


class _Scales:
    """The scaling of :meth:`events.research.observations.Bound.scale`, for whole arrays."""

    def __init__(self, bounds: tuple[Any, ...]) -> None:
        self._linear = np.array([bound.scaling == "linear" for bound in bounds])
        greatest = np.array([bound.greatest for bound in bounds], np.float64)
        self._parts = (1 / greatest).astype(np.float32)
        self._digits = np.log2(1 + greatest[~self._linear])

    def apply(self, rows: NDArray[np.int32]) -> NDArray[np.float32]:
        """Return the rows as numbers from -1 to 1."""
        far = rows[:, ~self._linear]
        scaled = rows * self._parts
        magnitude = np.abs(far.astype(np.float64))
        scaled[:, ~self._linear] = np.sign(far) * np.minimum(1, np.log2(1 + magnitude) / self._digits)
        return scaled.astype(np.float32)
