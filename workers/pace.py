"""The pause in which a process gathers new work before it turns to it."""

from __future__ import annotations

GATHER_SECONDS = 0.02
"""Between two turns while there is much to do: what comes meanwhile is done together."""
PROMPT_TURNS = 5.0
"""So many turns after a quiet time gather nothing: somebody waits for each of them."""
EARNED_SECONDS = 0.1
"""In which one more of them is earned."""


class Pace:
    """The turns of one process. Times are seconds of one steady clock."""

    def __init__(self, now: float) -> None:
        self._left, self._since = PROMPT_TURNS, now

    def pause(self, turned: float, now: float) -> float:
        """Return the seconds to gather new work after a turn that found something to do.

        The turn began at *turned* and ended at *now*.
        """
        self._left = min(PROMPT_TURNS, self._left + (now - self._since) / EARNED_SECONDS)
        self._since = now
        if self._left >= 1:
            self._left -= 1
            return 0.0
        return max(0.0, turned + GATHER_SECONDS - now)
