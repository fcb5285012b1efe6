"""What a table has settled about absence: what happens when a seat's time is up, and who plays on."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from events.clocks.clock import DAY, HOUR, SECOND, ClockSettings, Live
from events.rules.bot_names import BOTS

SUBSTITUTE = "steady"
"""The bot that plays on where nothing else was settled."""
DEFAULTS = "defaults"
"""The bot that gives the title's default for whatever is awaited of its seat."""
_BOT = "bot:"


class Pauses(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Whether those who play may agree to pause."""

    by_agreement: bool = True
    most: Annotated[int, Meta(ge=0, le=100)] = 3
    """How often."""


class Absence(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What happens when a seat's time is up. What depends on the clock is null where it was not chosen."""

    excuses: Annotated[int, Meta(ge=0, le=100)] | None = None
    """How often a seat is given time anew without anything being done for it."""
    misses: Annotated[int, Meta(ge=1, le=100)] | None = None
    """The how manieth time after that makes the seat vacant; before that its default is taken."""
    count: Literal["consecutive", "total"] = "consecutive"
    """Whether an answer of the seat's own makes misses undone."""
    after_miss_ms: Annotated[int, Meta(ge=SECOND, le=DAY)] | None = None
    """What the seat has after a miss."""
    then: Annotated[str, Meta(pattern=f"^({_BOT}({'|'.join(BOTS)})|{DEFAULTS}|open|end)$")] = (
        f"{_BOT}{SUBSTITUTE}"
    )
    """Who plays on for a vacant seat: ``bot:NAME``, ``defaults`` (what the rules do for an absent player),
    ``open`` (the game waits for somebody to take the seat), or nobody: ``end``."""
    may_return: bool = True
    """Whether one whose seat a bot plays may take it back."""
    fill_ms: Annotated[int, Meta(ge=SECOND, le=30 * DAY)] = DAY
    """How long a vacant seat is offered before a bot plays on."""
    least_people: Annotated[int, Meta(ge=0, le=16)] | None = None
    """With fewer people the game is abandoned. Left out: two, or one where no more play; with 0 bots alone
    play it to its end."""
    pauses: Pauses = Pauses()
    substitutes: Literal["anyone", "invited", "directors"] = "anyone"
    """Who may take a vacant seat."""

    def with_defaults(self, clock: ClockSettings | None, people: int) -> Absence:
        """With what was left out, at a table of that clock with so many seats for people."""
        excuses, misses, after = (0, 3, 10 * SECOND) if isinstance(clock, Live) else (1, 2, HOUR)
        return replace(
            self,
            excuses=excuses if self.excuses is None else self.excuses,
            misses=misses if self.misses is None else self.misses,
            after_miss_ms=after if self.after_miss_ms is None else self.after_miss_ms,
            least_people=min(2, max(1, people)) if self.least_people is None else self.least_people,
        )

    @property
    def substitute(self) -> str | None:
        """The bot that plays on; None where none does at once."""
        return self.then.removeprefix(_BOT) if self.then not in ("open", "end") else None
