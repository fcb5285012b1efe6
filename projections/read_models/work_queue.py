"""The games that wait for a bot or the server, as the lobby tells it, in the order of service.

Games in which a person waits come first. Then every owner has a turn, and within an owner's games the one
that has waited longest. So a thousand games of one owner delay another's one by a turn.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import LiteralString, NamedTuple

import msgspec

from events.rules.fact import Seat
from events.store.event_log import Pool

NOT_FROZEN: LiteralString = "NOT EXISTS (SELECT FROM es.frozen f WHERE f.game_id = lobby.game_id)"
"""The condition, for a row of the lobby, that the game is not frozen: a frozen one cannot go on."""
FIRST_OWNER = "00000000-0000-0000-0000-000000000000"
"""An id that sorts before every account's."""

NEXT_OF_OWNERS: LiteralString = (
    "SELECT game_id::text, seq, bot, owner::text FROM lobby"  # noqa: S608 - a constant
    f" WHERE status = 'running' AND (house OR bot IS NOT NULL) AND NOT held AND {NOT_FROZEN}"
    " AND house = %s AND person = %s AND owner > %s AND game_id <> ALL(%s::uuid[])"
    " ORDER BY lobby.owner, lobby.since LIMIT 1"
)
"""The game that has waited longest of the owner who comes next. (`owner` alone would sort the text.)"""
NEXT_THINKING: LiteralString = (
    "SELECT game_id::text, seq, asked, owner::text FROM lobby, unnest(thinking) AS asked"  # noqa: S608
    f" WHERE status = 'running' AND thinking <> '{{}}' AND NOT held AND {NOT_FROZEN}"
    " AND person = %s AND owner > %s AND NOT game_id::text || '/' || asked = ANY(%s::text[])"
    " ORDER BY lobby.owner, lobby.since, asked LIMIT 1"
)
"""The same of seats whose bots think: each is a task of its own."""
COUNT: LiteralString = (
    "SELECT house, person, count(*) FROM lobby"  # noqa: S608 - a constant
    f" WHERE status = 'running' AND (house OR bot IS NOT NULL) AND NOT held AND {NOT_FROZEN}"
    " GROUP BY house, person"
)
COUNT_THINKING: LiteralString = (
    "SELECT person, sum(cardinality(thinking)) FROM lobby"  # noqa: S608 - a constant
    f" WHERE status = 'running' AND thinking <> '{{}}' AND NOT held AND {NOT_FROZEN} GROUP BY person"
)
_AWAITED: LiteralString = f"status = 'running' AND (house OR bot IS NOT NULL) AND NOT held AND {NOT_FROZEN}"
_ASKED: LiteralString = f"status = 'running' AND thinking <> '{{}}' AND NOT held AND {NOT_FROZEN}"
WAITING: LiteralString = (
    f"(SELECT false, true, true FROM lobby WHERE {_AWAITED} AND house AND person LIMIT 1)"  # noqa: S608 - constants
    f" UNION ALL (SELECT false, true, false FROM lobby WHERE {_AWAITED} AND house AND NOT person LIMIT 1)"
    f" UNION ALL (SELECT false, false, true FROM lobby WHERE {_AWAITED} AND NOT house AND person LIMIT 1)"
    f" UNION ALL (SELECT false, false, false FROM lobby WHERE {_AWAITED} AND NOT house AND NOT person"
    " LIMIT 1)"
    f" UNION ALL (SELECT true, false, true FROM lobby WHERE {_ASKED} AND person LIMIT 1)"
    f" UNION ALL (SELECT true, false, false FROM lobby WHERE {_ASKED} AND NOT person LIMIT 1)"
)
"""The lines in which anything waits, as :class:`TaskLine` has them: one look instead of one for each line."""


class TaskLine(NamedTuple):
    """One line of tasks, which are served in their order."""

    thinks: bool
    house: bool
    person: bool


class WaitingTask(msgspec.Struct, frozen=True):
    """A game that waits for a bot or the server."""

    game_id: str
    seq: int
    seat: Seat | None
    """The lowest seat of a bot that is awaited, or the one that thinks; None where it is the server."""
    owner: str
    thinks: bool = False
    """True if the bot of that seat alone is asked, which takes its time."""

    @property
    def name(self) -> str:
        """The name of the task: no other task that may be under way beside it has the same."""
        return f"{self.game_id}/{self.seat}" if self.thinks else self.game_id

    @property
    def kind(self) -> str:
        """The kind of the task, under which its failures are kept."""
        if self.thinks:
            return name_thinking_kind(self.seat)
        return "house" if self.seat is None else "bot"


def name_thinking_kind(seat: Seat | None) -> str:
    """Return the kind of the task of a bot that thinks: the seats of a game fail and succeed apart."""
    return f"think {seat}"


def find_lines(pool: Pool) -> set[TaskLine]:
    """Return the lines in which anything waits, whether it was given out or not."""
    with pool.connection() as connection:
        # Prepared at once: to plan its six parts takes far longer than to look and find nothing.
        return {TaskLine(*row) for row in connection.execute(WAITING, prepare=True).fetchall()}


def find_next_game(
    pool: Pool, *, house: bool, person: bool, after: str, without: Iterable[str]
) -> WaitingTask | None:
    """Return the game whose turn is next after the owner *after*; None if no game waits.

    It is none of *without*. *house*: True if it waits for the server rather than for a bot; *person*: True if
    a person waits with it.
    """
    left = list(without)
    with pool.connection() as connection:
        row = connection.execute(NEXT_OF_OWNERS, (house, person, after, left)).fetchone()
        if row is None and after != FIRST_OWNER:  # all have had their turn: begin again
            row = connection.execute(NEXT_OF_OWNERS, (house, person, FIRST_OWNER, left)).fetchone()
    if row is None:
        return None
    game_id, seq, bot, owner = row
    return WaitingTask(game_id, seq, None if house else bot, owner)


def find_next_seat(pool: Pool, *, person: bool, after: str, without: Iterable[str]) -> WaitingTask | None:
    """Return the seat whose bot thinks next, as :func:`find_next_game` does.

    *without* has :attr:`WaitingTask.name`.
    """
    left = list(without)
    with pool.connection() as connection:
        row = connection.execute(NEXT_THINKING, (person, after, left)).fetchone()
        if row is None and after != FIRST_OWNER:
            row = connection.execute(NEXT_THINKING, (person, FIRST_OWNER, left)).fetchone()
    if row is None:
        return None
    game_id, seq, seat, owner = row
    return WaitingTask(game_id, seq, seat, owner, thinks=True)


def count(pool: Pool) -> dict[tuple[bool, bool], int]:
    """Return the numbers of waiting games, by (True if for the server, True if with a person)."""
    with pool.connection() as connection:
        return {(house, person): int(number) for house, person, number in connection.execute(COUNT)}


def count_thinking(pool: Pool) -> dict[bool, int]:
    """Return the numbers of seats whose thinking bots are awaited, by whether a person waits with them."""
    with pool.connection() as connection:
        return {person: int(number) for person, number in connection.execute(COUNT_THINKING)}
