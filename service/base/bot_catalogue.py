"""The bots and engines that may take seats, and the titles that they play."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from events.rules.bot_names import is_engine
from events.rules.catalogue import find_title, title_ids
from events.rules.steps import Rejected
from events.store.games import FindTitleBot


@dataclass(frozen=True)
class OfferedEngine:
    """An engine that the operator has listed, in its newest version."""

    name: str
    titles: tuple[str, ...]
    reproducible: bool
    """True if an auditor of a game can have its moves computed again."""


@dataclass(frozen=True)
class BotCatalogue:
    """All bots and engines that may take seats beside people."""

    find_bot: FindTitleBot
    """Finds the version in which a bot or an engine takes a seat."""
    engines: tuple[OfferedEngine, ...] = ()

    def names_for_title(self, title_id: str) -> tuple[str, ...]:
        """Return the names that may sit at tables of a title: its bots, weakest first, then engines."""
        engines = (engine.name for engine in self.engines if title_id in engine.titles)
        return (*find_title(title_id).bots, *engines)

    @property
    def all_names(self) -> tuple[str, ...]:
        """The names that may sit at tables of any title."""
        bots = (name for title_id in title_ids() for name in find_title(title_id).bots)
        return (*dict.fromkeys(bots), *(engine.name for engine in self.engines))

    def check_auditable(self, names: Iterable[str | None], *, counts: bool) -> None:
        """Raise :class:`Rejected` where one of *names* is an engine whose moves cannot be computed again.

        That is so only where the result of the game *counts* (for ratings, for a tournament): of such a game
        everything is to be audited.
        """
        promised = {engine.name for engine in self.engines if engine.reproducible}
        for name in names:
            if counts and name is not None and is_engine(name) and name not in promised:
                raise Rejected(
                    "not_reproducible",
                    f"The moves of `{name}` cannot be repeated exactly, so it cannot play in rated games and "
                    f"tournaments. Send `rated: false`, or choose another bot.",
                )
