"""All projections by name: what each makes of the log, and where its rows stand.

A new read model is a module of `projections.read_models`, and one entry here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from psycopg import Connection

from events.table.game import Game
from events.table.record import Record
from events.tournament.state import Tournament
from projections.read_models import (
    history,
    lobby,
    notices,
    reliability,
    tournament_notices,
    tournaments,
    turns,
)
from projections.read_models.turns import Changes, Turns

Row = Any


@dataclass(frozen=True)
class GameBatch:
    """The events of one command of a game, with the game on both sides of each."""

    steps: Sequence[tuple[Game, Record, Game]]
    """The game before an event, the event, the game after it."""
    turns_before: Turns
    turns_after: Turns
    """Both empty unless a projection of those that follow uses turns."""


@dataclass(frozen=True)
class TournamentBatch:
    """The events of one command of a tournament, and the tournament before and after them."""

    records: Sequence[Record]
    before: Tournament
    after: Tournament


def _make_nothing(*_state: object) -> Iterable[Row]:
    return ()


def _keep_rows(rows: Sequence[Row]) -> Sequence[Row]:
    return rows


def _is_quiet(_row: Row) -> bool:
    return False


@dataclass(frozen=True, kw_only=True)
class Projection:
    """A follower of the log.

    Rows of each command are added to those before; rows of a state replace all earlier ones of its stream.
    """

    write: Callable[[Connection[Any], Sequence[Row]], Sequence[str] | None]
    """Puts rows in place, unless what stands there is as new: of any streams that lie on one machine.

    It may return the accounts that wait to hear of new rows.
    """
    make_rows_of_command: Callable[[GameBatch], Iterable[Row]] = _make_nothing
    make_rows_of_game: Callable[[Game, Turns], Iterable[Row]] = _make_nothing
    make_rows_of_turns: Callable[[Game, Turns, Changes], Iterable[Row]] = _make_nothing
    """Makes rows of some seats, which replace the earlier ones of these seats alone."""
    make_rows_of_tournament_command: Callable[[TournamentBatch], Iterable[Row]] = _make_nothing
    make_rows_of_tournament: Callable[[Tournament], Iterable[Row]] = _make_nothing
    uses_turns: bool = False
    """True if its rows depend on the turns, which cost something to follow."""
    lies_with_game: bool = False
    """True if on a cluster its rows lie on the machine of their game, else they lie on the coordinator."""
    is_waiting: Callable[[Row], bool] = _is_quiet
    """True for a row whose game waits for a bot or the server."""


@dataclass(frozen=True, kw_only=True)
class ReadModel(Projection):
    """A projection that can be built again from the log, the same to the letter."""

    read_rows: Callable[[Connection[Any], str], list[Row]]
    """Returns the rows of a stream, in order, as they would be given to `write`."""
    clear: Callable[[Connection[Any], str], None]
    """Deletes the rows of a stream."""
    comparable: Callable[[Sequence[Row]], Sequence[Row]] = _keep_rows
    """Returns rows without what may differ between two that say the same."""


def _make_history(batch: GameBatch) -> Iterable[Row]:
    return [row for _, record, after in batch.steps for row in history.make_rows(after, record)]


def _make_reliability(batch: GameBatch) -> Iterable[Row]:
    return [row for before, record, _ in batch.steps for row in reliability.make_rows(before, record)]


def _make_notices(batch: GameBatch) -> Iterable[Row]:
    before, after = batch.steps[0][0], batch.steps[-1][2]
    records = [record for _, record, _ in batch.steps]
    return notices.make_notices(before, after, records, batch.turns_before, batch.turns_after)


READ_MODELS: Mapping[str, ReadModel] = {
    "history": ReadModel(
        write=history.write,
        make_rows_of_command=_make_history,
        lies_with_game=True,
        read_rows=history.read_rows,
        clear=history.clear,
    ),
    "lobby": ReadModel(
        write=lobby.write,
        make_rows_of_game=lambda game, _: [lobby.make_row(game)],
        is_waiting=lobby.is_waiting,
        read_rows=lobby.read_rows,
        clear=lobby.clear,
    ),
    "turn": ReadModel(
        write=turns.write,
        make_rows_of_turns=turns.make_rows,
        uses_turns=True,
        read_rows=turns.read_rows,
        clear=turns.clear,
        comparable=turns.without_events,
    ),
    "reliability": ReadModel(
        write=reliability.write,
        make_rows_of_command=_make_reliability,
        read_rows=reliability.read_rows,
        clear=reliability.clear,
    ),
    "tournament": ReadModel(
        write=tournaments.write,
        make_rows_of_tournament=lambda state: [tournaments.make_row(state)],
        read_rows=tournaments.read_rows,
        clear=tournaments.clear,
    ),
}
"""The read models by the names of their tables."""
TURN = "turn"
"""The read model of the seats that are awaited."""
NOTICES = "notice"
"""The projection whose rows are told once and stand: see :mod:`projections.read_models.notices`."""
PROJECTIONS: Mapping[str, Projection] = {
    **READ_MODELS,
    NOTICES: Projection(
        write=notices.write,
        make_rows_of_command=_make_notices,
        make_rows_of_tournament_command=lambda batch: tournament_notices.make_notices(
            batch.before, batch.after, batch.records
        ),
        uses_turns=True,
    ),
}
"""All that follows the log, in the order in which it is told of a game: notices come last."""
