"""The versions of the bots at a table: fixed when a bot takes a seat, and never lowered.

A server names the version that it has, `rutter verify` the one that is recorded; both settle by
the same lines what stands in the events.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec
from msgspec.structs import replace

from events.rules.bot_names import BotVersion, FindBotVersion
from events.rules.fact import Fact, Seat
from events.table.game import Game
from events.table.lifecycle_facts import SeatGiven, SeatTaken
from events.table.record import Record


def settle_bot_versions(
    known: Mapping[str, BotVersion], facts: Iterable[Fact], find_bot: FindBotVersion
) -> list[Fact]:
    """Return *facts* with the version of each bot that takes a seat by them.

    It is the installed version, but never an older one than *known*, by name: that in which such a bot has
    sat at this table before. A person has none. Raises :class:`events.rules.bot_names.UnknownBot`.
    """
    settled, newest = [], dict(known)
    for fact in facts:
        if not isinstance(fact, SeatTaken | SeatGiven):
            settled.append(fact)
        elif fact.bot is None:
            settled.append(replace(fact, bot_version=None, bot_weights=None))
        else:
            version = newest[fact.bot] = newer_version(find_bot(fact.bot), newest.get(fact.bot))
            settled.append(replace(fact, bot_version=version.version, bot_weights=version.weights))
    return settled


def newer_version(found: BotVersion, known: BotVersion | None) -> BotVersion:
    """Return *found*, if it is newer than the version that is *known*; else the latter."""
    return found if known is None or found.version > known.version else known


def may_be_raised(game: Game, seat: Seat, version: BotVersion) -> bool:
    """Return True if the bot of *seat* may play in that *version* from now on: only in a newer one."""
    sits = game.seats[seat]
    if sits.bot is None or sits.bot_version is None:
        return False
    return version.version > sits.bot_version and newer_version(version, game.bots[sits.bot]) == version


class _Seated(msgspec.Struct, frozen=True):
    """The members of a fact that name the bot which takes a seat."""

    bot: str | None = None
    bot_version: int | None = None
    bot_weights: str | None = None


def read_bot_versions(batch: Sequence[Record]) -> FindBotVersion:
    """Return a function that finds the versions of bots as a recorded *batch* names them.

    A bot that it does not name gets some version: the event that should name it is missing. Raises
    msgspec's errors for a version that is none.
    """
    recorded: dict[str, BotVersion] = {}
    for record in batch:
        if record.type in (SeatTaken.__name__, SeatGiven.__name__):
            seated = msgspec.json.decode(record.envelope().data, type=_Seated)
            if seated.bot is not None and seated.bot not in recorded:
                members = {"version": seated.bot_version, "weights": seated.bot_weights}
                recorded[seated.bot] = msgspec.convert(members, BotVersion)
    return lambda name: recorded.get(name, BotVersion(1))
