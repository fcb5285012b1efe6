"""The environment behind :mod:`pettingzoo`; imported where it is made, not before."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv

from events.research.encoding import decode, vocabulary
from events.research.features import features
from events.research.observations import observation_bounds, recent_words
from events.research.simulation import begin_game, choices, utilities
from events.rules.catalogue import find_title
from events.rules.fact import Seat
from events.rules.fast_chance import FastChance


class TitleEnv(AECEnv):  # type: ignore[misc]
    """One game of a title; the seats are the agents ``seat_0``, ``seat_1`` ..."""

    agent_selection: str
    _said: tuple[int, ...]
    _following: tuple[int, ...]

    def __init__(
        self,
        title_id: str,
        seats: int | None,
        options: dict[str, Any],
        commands: int,
        render_mode: str | None,
    ) -> None:
        super().__init__()
        self.title = find_title(title_id)
        self.metadata = {
            "name": f"{title_id}_v{self.title.version}",
            "render_modes": ["ansi"],
            "is_parallelizable": False,
        }
        self.render_mode = render_mode
        self._options = msgspec.convert(options, self.title.Options)
        self._seats = min(self.title.seats) if seats is None else seats
        self._most = commands
        self._seed: int | None = None
        self.agent_selection = ""
        self._said: tuple[int, ...] = ()
        self._following: tuple[int, ...] = ()
        self.possible_agents = [f"seat_{seat}" for seat in range(self._seats)]
        self._seat: dict[str, Seat] = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._words = len(vocabulary(self.title))
        self._space = spaces.Dict({"observation": self._row_space(), "action_mask": self._mask_space()})
        self.action_spaces = {agent: spaces.Discrete(self._words) for agent in self.possible_agents}
        self.observation_spaces = dict.fromkeys(self.possible_agents, self._space)

    def _row_space(self) -> spaces.Box:
        bounds = observation_bounds(self.title, self._seats)
        low, high = [bound.low for bound in bounds], [bound.high for bound in bounds]
        return spaces.Box(np.array(low, np.int32), np.array(high, np.int32), dtype=np.int32)

    def _mask_space(self) -> spaces.Box:
        return spaces.Box(0, 1, (self._words,), np.int8)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the row of features and the mask, for all agents alike."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the words of the title's vocabulary."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new game: the same one for the same *seed* and the same actions. *options* are not looked at."""
        if seed is not None or self._seed is None:
            self._seed = int(np.random.SeedSequence(seed).generate_state(1)[0])
            self._chance = FastChance(self._seed)
        self._play = begin_game(self.title, self._seats, self._chance, self._options)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select_next()

    def step(self, action: int | None) -> None:
        """The next word of the selected agent's command; None where its game is over.

        Raises :class:`events.research.simulation.NotSaid` for a word that the mask excludes.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        said = (*self._said, int(action or 0))
        following = choices(self.title, self._play.state, self._seat[agent], said)
        self._said, self._following = said, following
        if not following:
            self._play = self._play.play_command(decode(self.title, said), self._chance)
            self._select_next()
        self._accumulate_rewards()

    def _select_next(self) -> None:
        """Select the agent that is asked now, or end the game."""
        self._said = ()
        self._rows: dict[str, NDArray[np.int32]] = {}
        seat = self._play.to_move
        if seat is not None and self._play.commands < self._most:
            self.agent_selection = self.possible_agents[seat]
            self._following = choices(self.title, self._play.state, seat)
            return
        self._following = ()
        won = utilities(self.title, self._play.state)
        self.rewards = {agent: won[self._seat[agent]] for agent in self.agents}
        ended = dict.fromkeys(self.agents, True)
        if seat is None:
            self.terminations = ended
        else:
            self.truncations = ended
        self.agent_selection = self.agents[0]

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """Return what the agent's seat may know, and, if it is selected, the words that it may say next."""
        mask, words = np.zeros(self._words, np.int8), self._said if agent == self.agent_selection else ()
        if agent == self.agent_selection:
            mask[list(self._following)] = 1
        said = np.array(recent_words(words), np.int32)
        return {"observation": np.concatenate((self._row(agent), said)), "action_mask": mask}

    def _row(self, agent: str) -> NDArray[np.int32]:
        row = self._rows.get(agent)
        if row is None:
            view = self.title.view(self._play.state, self._seat[agent])
            row = self._rows[agent] = np.array(features(self.title, view), np.int32)
        return row

    def render(self) -> str | None:
        """Return the public position as JSON, if `render_mode` is ``ansi``."""
        if self.render_mode is None:
            return None
        return msgspec.json.format(msgspec.json.encode(self.title.view_json(self._play.state, None))).decode()

    def close(self) -> None:
        """Nothing is held."""
