"""PettingZoo: every title as an AEC environment (``ops/install research``).

    from rutter.events.research.adapters.pettingzoo import env

    table = env("colonial_empires", seats=4)
    table.reset(seed=1)
    for agent in table.agent_iter():
        observation, reward, termination, truncation, info = table.last()
        over = termination or truncation
        action = None if over else table.action_space(agent).sample(observation["action_mask"])
        table.step(action)

An action is one word of a command (`events/research/encoding.py`): the agent that is selected stays so until
its command is said. Masks are exact. Several seats that are asked at once answer one after the other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from events.base.installation import install_command

if TYPE_CHECKING:
    from pettingzoo import AECEnv

COMMANDS = 10_000
"""After so many commands a game is broken off: random players need not want it to end."""


def env(
    title: str,
    *,
    seats: int | None = None,
    commands: int = COMMANDS,
    render_mode: str | None = None,
    **options: Any,
) -> AECEnv[Any, Any, Any]:
    """Return an environment of a title with *options* by name, for *seats* (default: the fewest).

    The observation is the row of :func:`features` and the words said so far; rewards come
    at the end, by places, -1 to 1. A game of *commands* is truncated. Raises ``ImportError`` without
    PettingZoo, ``LookupError`` for an unknown title, :class:`Rejected` by ``reset`` for a table
    that cannot be played.
    """
    try:
        from pettingzoo.utils import AssertOutOfBoundsWrapper, OrderEnforcingWrapper

        from events.research.adapters.pettingzoo_env import TitleEnv
    except ModuleNotFoundError as missing:
        raise ModuleNotFoundError(
            f"PettingZoo needs the module {missing.name}: {install_command('research')}", name=missing.name
        ) from None

    made = TitleEnv(title, seats, options, commands, render_mode)
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(made))
