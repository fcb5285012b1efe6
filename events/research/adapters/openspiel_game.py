"""The games behind :mod:`openspiel`; imported where they are registered, not before."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import numpy as np
import pyspiel
from numpy.typing import NDArray

from events.research.encoding import decode, vocabulary
from events.research.features import features, layout
from events.research.simulation import (
    ExplicitChance,
    MissingOutcome,
    SimulatedGame,
    begin_game,
    choices,
    utilities,
)
from events.rules.fact import Seat
from events.rules.title import Title

MAX_OUTCOMES = 128
"""The most outcomes of one chance node: cards of the largest deck, with room."""


def game_class(title: Title[Any], name: str, commands: int) -> type[pyspiel.Game]:
    """Return the OpenSpiel game of a title's version under that name."""
    kind = pyspiel.GameType(
        short_name=name,
        long_name=f"{title.name} (version {title.version})",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=max(title.seats),
        min_num_players=min(title.seats),
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"players": min(title.seats), "options": "{}", "commands": commands},
    )
    length = len(vocabulary(title))

    class TitleGame(pyspiel.Game):  # type: ignore[misc]
        """One table of the title: `players` seats, `options` as JSON, broken off after `commands`."""

        KIND = kind

        def __init__(self, params: dict[str, Any] | None = None) -> None:
            given = params or {}
            self.title = title
            self.players = int(given.get("players", min(title.seats)))
            self.options = msgspec.convert(json.loads(given.get("options", "{}")), title.Options)
            self.commands = int(given.get("commands", commands))
            info = pyspiel.GameInfo(
                num_distinct_actions=length,
                max_chance_outcomes=MAX_OUTCOMES,
                num_players=self.players,
                min_utility=-1.0,
                max_utility=1.0,
                utility_sum=0.0,
                max_game_length=self.commands * WORDS_PER_COMMAND,
            )
            super().__init__(kind, info, given)

        def new_initial_state(self) -> TitleState:
            """Return the set-up, up to its first draw."""
            return TitleState(self)

        def make_py_observer(
            self, iig_obs_type: Any = None, params: dict[str, Any] | None = None
        ) -> TitleObserver:
            """Return an observer of what a seat sees: as numbers the row of features, as text its view."""
            return TitleObserver(iig_obs_type, params, title)

    return TitleGame


WORDS_PER_COMMAND = 40
"""So many words a command has at most on average: the bound for the length of a game."""


class TitleState(pyspiel.State):  # type: ignore[misc]
    """A game with the words said of the next command, or the outcomes drawn so far for the last one."""

    def __init__(self, game: Any) -> None:
        super().__init__(game)
        self._title, self._seats, self._options = game.title, game.players, game.options
        self._most = game.commands
        self._play: SimulatedGame | None = None
        self._said: tuple[int, ...] = ()
        self._drawn: tuple[int, ...] = ()
        self._bound = 0
        self._whole = True
        self._advance()

    # --- moving on --------------------------------------------------------------------------------

    def _advance(self) -> None:
        """Open the game, or give the command that has been said, with the outcomes so far."""
        chance = ExplicitChance(self._drawn)
        try:
            if self._play is None:
                played = begin_game(self._title, self._seats, chance, self._options)
            else:
                played = self._play.play_command(decode(self._title, self._said), chance)
        except MissingOutcome as missing:
            self._bound = missing.bound
            return
        self._play, self._said, self._drawn, self._bound = played, (), (), 0

    def _apply_action(self, action: int) -> None:
        """The next word, or the next outcome."""
        if self._bound:
            self._drawn = (*self._drawn, action)
            self._advance()
            return
        self._said = (*self._said, action)
        if not self._list_following():
            self._advance()

    def _list_following(self) -> tuple[int, ...]:
        play = self._playing
        seat = play.to_move
        return () if seat is None else choices(self._title, play.state, seat, self._said)

    @property
    def _playing(self) -> SimulatedGame:
        if self._play is None:
            raise ValueError("the set-up is not complete: its chance comes first")
        return self._play

    # --- what is asked ----------------------------------------------------------------------------

    def current_player(self) -> int:
        """Return the seat whose word is next, or the ids for chance or for the end of the game."""
        if self._bound:
            return int(pyspiel.PlayerId.CHANCE)
        seat = self._playing.to_move
        if seat is None or self._playing.commands >= self._most:
            return int(pyspiel.PlayerId.TERMINAL)
        return seat

    def is_terminal(self) -> bool:
        """Return True if the game has ended, or is broken off."""
        return self.current_player() == int(pyspiel.PlayerId.TERMINAL)

    def _legal_actions(self, player: int) -> list[int]:
        return list(self._list_following())

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """All equally likely."""
        return [(outcome, 1 / self._bound) for outcome in range(self._bound)]

    def returns(self) -> list[float]:
        """Return numbers from -1 to 1 by places; 0 before the end, and where the game was broken off."""
        if self._play is None:
            return [0.0] * self._seats
        return list(utilities(self._title, self._play.state))

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"outcome {action}"
        return vocabulary(self._title)[action]

    def information_state_string(self, player: int | None = None) -> str:
        """Return the digest of all that the seat has seen, and the words that it is saying."""
        seat = self._seat(player)
        seen = b"" if self._play is None else self._play.seen[seat]
        said = self._said if self._play is not None and self._play.to_move == seat else ()
        return f"{seen.hex()} {' '.join(map(str, said))}".rstrip()

    def observation_string(self, player: int | None = None) -> str:
        """Return the seat's view as JSON, and the words that it is saying."""
        seat = self._seat(player)
        return self.view_text(seat)

    def view_text(self, seat: Seat) -> str:
        """Return the text of what the seat sees now."""
        if self._play is None:
            return "set-up"
        said = self._said if self._play.to_move == seat else ()
        return json.dumps({"view": self._title.view_json(self._play.state, seat), "said": said})

    def row(self, seat: Seat) -> NDArray[np.float32] | None:
        """Return the seat's view as numbers; None before the set-up is complete."""
        if self._play is None:
            return None
        view = self._title.view(self._play.state, seat)
        return np.array(features(self._title, view), np.float32)

    def resample_from_infostate(self, player: int, sample: Any) -> TitleState:
        """A state that *player* cannot tell from this one; *sample* gives numbers from 0 to below 1."""
        from events.rules.fast_chance import FastChance

        twin: TitleState = self.clone()
        twin._play = self._playing.resample(player, FastChance(repr(sample())))
        return twin

    def _seat(self, player: int | None) -> Seat:
        return self.current_player() if player is None else player

    def __str__(self) -> str:
        said = " ".join(vocabulary(self._title)[word] for word in self._said)
        if self._play is None:
            return f"set-up after {len(self._drawn)} outcomes"
        public = msgspec.json.encode(self._title.view_json(self._play.state, None)).decode()
        return f"{public} {said} {list(self._drawn)}"


class TitleObserver:
    """The observations of a title, as OpenSpiel asks for them."""

    def __init__(self, iig_obs_type: Any, params: dict[str, Any] | None, title: Title[Any]) -> None:
        if params:
            raise ValueError(f"observations take no parameters; given {params}")
        size = len(layout(title))
        self.tensor = np.zeros(size, np.float32)
        self.dict = {"view": self.tensor}

    def set_from(self, state: TitleState, player: int) -> None:
        """Fill the tensor with what *player* sees."""
        row = state.row(player)
        if row is None:
            self.tensor.fill(0)
        else:
            self.tensor[:] = row

    def string_from(self, state: TitleState, player: int) -> str:
        """Return what *player* sees, as text."""
        return state.view_text(player)
