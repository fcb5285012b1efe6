"""The settings of a table for absence: what happens when a seat's time is up, and who plays on."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from events.clocks.clock import DAY, HOUR, SECOND, ClockSettings, LiveClock
from events.rules.bot_names import BOTS

SUBSTITUTE = "steady"
"""The bot that plays on where nothing else was settled."""
DEFAULTS = "defaults"
"""The bot that gives the title's default for whatever is awaited of its seat."""
_BOT = "bot:"


class Pauses(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Settings for pauses that the players agree on."""

    by_agreement: bool = True
    """True if players can agree on a pause."""
    most: Annotated[int, Meta(ge=0, le=100)] = 3
    """The number of pauses by agreement that a game may have."""


class Absence(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The settings for a seat whose time is up. Members that depend on the clock are null if not chosen."""

    excuses: Annotated[int, Meta(ge=0, le=100)] | None = None
    """The number of times that a seat gets its time again without a consequence."""
    misses: Annotated[int, Meta(ge=1, le=100)] | None = None
    """The number of misses, counted after the excuses, that makes the seat vacant.

    At each earlier miss the seat plays the default."""
    count: Literal["consecutive", "total"] = "consecutive"
    """``consecutive`` if an answer of the seat resets its misses, ``total`` if it does not."""
    after_miss_ms: Annotated[int, Meta(ge=SECOND, le=DAY)] | None = None
    """The time that the seat has after a miss, in milliseconds."""
    then: Annotated[str, Meta(pattern=f"^({_BOT}({'|'.join(BOTS)})|{DEFAULTS}|open|end)$")] = (
        f"{_BOT}{SUBSTITUTE}"
    )
    """The substitute for a vacant seat: ``bot:NAME``, ``defaults``, ``open``, or ``end`` for none.

    ``defaults`` plays the default moves of the rules. With ``open`` the game waits for a new player. With
    ``end`` the game is abandoned."""
    may_return: bool = True
    """True if a player whose seat a bot plays may take it back."""
    fill_ms: Annotated[int, Meta(ge=SECOND, le=30 * DAY)] = DAY
    """The time for which a vacant seat is offered before a bot plays on, in milliseconds."""
    least_people: Annotated[int, Meta(ge=0, le=16)] | None = None
    """The least number of people; with fewer the game is abandoned. With 0, bots alone play it to its end.
    Default: two, or one if no more people play."""
    pauses: Pauses = Pauses()
    """The pauses that players can agree on."""
    substitutes: Literal["anyone", "invited", "directors"] = "anyone"
    """The accounts that can take over a vacant seat."""

    def with_defaults(self, clock: ClockSettings | None, people: int) -> Absence:
        """With what was left out, at a table of that clock with so many seats for people."""
        excuses, misses, after = (0, 3, 10 * SECOND) if isinstance(clock, LiveClock) else (1, 2, HOUR)
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
