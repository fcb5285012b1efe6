"""Tables that play: their games, substitutes, results, confirmations."""

from __future__ import annotations

from collections.abc import Sequence

from events.base.timestamps import add_milliseconds
from events.rules.steps import Rejected
from events.tournament import commands as asks
from events.tournament import facts
from events.tournament.draft import TournamentDraft
from events.tournament.schedule import is_disputed
from events.tournament.state import Round, Table, Tournament, entrant_name


def _require_started(state: Tournament, number: int | None, table: int) -> tuple[Round, Table]:
    """Return a table whose round has started, and the round. Raises :class:`Rejected`."""
    found, one = state.table(number, table)
    if not found.started_at:
        raise Rejected(
            "unknown_table", f"Round {found.number} has not started. Name a round that has started."
        )
    return found, one


def link_table(draft: TournamentDraft, command: asks.LinkTable) -> None:
    """Link the game of a table. Raises :class:`Rejected`."""
    found, table = _require_started(draft.state, command.round, command.table)
    if command.game != table.game:
        raise Rejected("wrong_game", f"The game of this table is {table.game}. Name that game.")
    if table.head is not None:
        raise Rejected(
            "already_answered", "The game of this table is already linked. Nothing needs to be done."
        )
    draft.emit(facts.TableLinked(found.number, table.number, command.game, command.head))


def name_substitute(draft: TournamentDraft, command: asks.NameSubstitute) -> None:
    """Name a substitute who plays on for an entrant. Raises :class:`Rejected`."""
    state = draft.state
    found, table = _require_started(state, command.round, command.table)
    if found.closed_at or table.result is not None:
        raise Rejected(
            "too_late",
            "The game of this table has ended, so nobody can play on in it. Give a ruling instead.",
        )
    if command.seat >= len(table.entrants):
        raise Rejected(
            "unknown_seat", f"The table has no such seat. Name a seat from 0 to {len(table.entrants) - 1}."
        )
    into = state.entrant(command.entrant)
    busy = {number for one in found.tables for number in one.holders}
    if not into.is_playing or into.number in busy or (draft.actor is None and not into.reserve):
        raise Rejected(
            "not_in_reserve", f"{command.entrant} is not a free member of the reserve. Name another entrant."
        )
    out = entrant_name(table.holders[command.seat])
    draft.emit(facts.SubstituteNamed(found.number, table.number, command.seat, out, command.entrant))


def record_result(draft: TournamentDraft, command: asks.RecordResult) -> None:
    """Record the result of a table. Raises :class:`Rejected`."""
    state = draft.state
    if state.status not in ("running", "cancelled"):
        raise Rejected("not_due", "Entry is not closed yet. Close it first.")
    found, table = _require_started(state, command.round, command.table)
    if command.game != table.game or table.head is None:
        raise Rejected("wrong_game", f"The game of this table is {table.game}. Link that game first.")
    if table.result is not None:
        raise Rejected(
            "result_known",
            "The result of this table is already recorded. To change it, a director gives a ruling.",
        )
    size = len(table.entrants)
    for values in (command.places, command.scores, command.left):
        if values is not None and len(values) != size:
            raise Rejected(
                "invalid_parameters",
                f"The result has the wrong number of seats. Provide a value for each of the {size} seats.",
            )
    if command.places is not None:
        check_places(command.places, size)
    if (command.places is None) != (command.scores is None):
        raise Rejected(
            "invalid_parameters", "The result has only places or only scores. Send both, or neither."
        )
    places, scores = command.places, command.scores
    if places is None and _is_shared(state, found, draft.at):
        places, scores = (1,) * size, (0,) * size
    draft.emit(
        facts.ResultRecorded(
            found.number,
            table.number,
            command.game,
            command.seq,
            command.head,
            places,
            scores,
            command.left,
        )
    )


def _is_shared(state: Tournament, found: Round, at: str) -> bool:
    """Return True if those still there share the places of a game that the rules did not end."""
    schedule = state.settings.schedule
    if schedule.at_limit != "shared" or schedule.most_ms is None:
        return False
    return at >= add_milliseconds(found.started_at, schedule.most_ms)


def check_places(places: Sequence[int], size: int) -> None:
    """Raise :class:`Rejected` unless these are places of a table: 1, 2, 2, 4 and the like."""
    if len(places) != size or any(place != 1 + sum(other < place for other in places) for place in places):
        raise Rejected(
            "invalid_parameters",
            f"The places are not a ranking of {size} seats. Send one for each seat, with a gap after equal"
            f" places.",
        )


def confirm_result(draft: TournamentDraft, command: asks.ConfirmResult) -> None:
    """Confirm the result of a table. Raises :class:`Rejected`."""
    state = draft.state
    found, table = _require_started(state, command.round, command.table)
    if draft.actor is not None and draft.number not in table.holders:
        raise Rejected(
            "not_your_decision",
            "Only players of the table can confirm its result. Wait for their confirmation.",
        )
    if table.confirmed:
        raise Rejected("already_answered", "This result is already confirmed. Nothing needs to be done.")
    if table.result is None or not table.has_places:
        raise Rejected("results_missing", "This table has no result yet. Wait until its game has ended.")
    if is_disputed(state, found.number, table.number):
        raise Rejected("dispute_open", "A dispute about this table is open. Wait for a director's ruling.")
    draft.emit(facts.ResultConfirmed(found.number, table.number, draft.name))
