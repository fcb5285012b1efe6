"""Decisions that a tournament waits for and only its directors can take.

While there are none, the server and the players go on by themselves.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from events.base.timestamps import add_milliseconds
from events.rules.fact import type_name
from events.tournament import schedule
from events.tournament.state import Tournament, entrant_name

AwaitedKind = Literal[
    "open_entry",
    "close_entry",
    "admission",
    "entrants",
    "pair_round",
    "start_round",
    "result",
    "dispute",
    "appeal",
    "server",
]
GRACE_MS = 60_000
"""Milliseconds after which a step that the server has not made counts as refused."""


class AwaitedStep(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that a tournament waits for."""

    kind: AwaitedKind
    round: int | None = None
    table: int | None = None
    entrant: str | None = None
    dispute: int | None = None
    ruling: int | None = None
    command: str | None = None
    """The command by which a director lets the tournament go on."""


def find_awaited(state: Tournament, now: str, grace_ms: int = GRACE_MS) -> list[AwaitedStep]:
    """Return what *state* waits for its directors to do at the time *now*, in the order of the tournament.

    A step of the server that has been due for *grace_ms* is among it: the rules refuse it.
    """
    if state.over or state.status == "cancelled":
        return []
    found = [
        AwaitedStep(kind="admission", entrant=entrant_name(one.number), command="admit")
        for one in state.entrants
        if one.accepted is None and not one.withdrawn
    ]
    found += _find_matters(state)
    if state.paused is None:
        found += _find_steps(state, now, grace_ms)
    return found


def _find_matters(state: Tournament) -> list[AwaitedStep]:
    """Return the tables that ended without a result, the disputes and the appeals that are open."""
    return [
        *(
            AwaitedStep(kind="result", round=one.number, table=table.number, command="rule")
            for one in state.rounds
            for table in one.tables
            if table.result is not None and not (table.has_places or table.confirmed)
        ),
        *(
            AwaitedStep(kind="dispute", dispute=one.number, round=one.round, table=one.table, command="rule")
            for one in state.disputes
            if one.open
        ),
        *(
            AwaitedStep(kind="appeal", ruling=one.number, command="rule")
            for one in state.rulings
            if one.appealed and not one.decided
        ),
    ]


def _find_steps(state: Tournament, now: str, grace_ms: int) -> list[AwaitedStep]:
    """Return the next step if a director has to make it, or if the server cannot."""
    entry = state.settings.entry
    if state.status == "draft":
        return [] if entry.opens_at else [AwaitedStep(kind="open_entry", command="open_entry")]
    if state.status == "open" and entry.closes_at is None:
        return [AwaitedStep(kind="close_entry", command="close_entry")]
    due = schedule.due_commands(state)
    if due and add_milliseconds(due[0][0], grace_ms) <= now:
        return [_explain_refusal(state, type_name(type(due[0][1])))]
    if due or state.status == "open" or not state.mixed or not schedule.has_stages_left(state):
        return []
    return _find_next_round(state)


def _find_next_round(state: Tournament) -> list[AwaitedStep]:
    """Return the pairing or the start of the coming round, if a director makes it."""
    number = state.next_round
    if (
        schedule.is_waiting_for_results(state)
        or schedule.has_all_rounds(state)
        or state.format.format == "ladder"
    ):
        return []
    if schedule.find_round(state, number) is not None:
        return [AwaitedStep(kind="start_round", round=number, command="start_round")]
    if not _has_enough_entrants(state):
        return [AwaitedStep(kind="entrants", round=number, command="cancel_tournament")]
    return [AwaitedStep(kind="pair_round", round=number, command="pair_round")]


def _explain_refusal(state: Tournament, step: str) -> AwaitedStep:
    """Return what keeps the server from a *step*."""
    number = state.next_round if state.is_running else None
    if step == "close_entry" or (step == "pair_round" and not _has_enough_entrants(state)):
        command = "change_settings" if step == "close_entry" else "cancel_tournament"
        return AwaitedStep(kind="entrants", round=number, command=command)
    return AwaitedStep(kind="server", round=number, command=step)


def _has_enough_entrants(state: Tournament) -> bool:
    playing = sum(one.is_playing and not one.reserve for one in state.entrants)
    return bool(schedule.table_sizes_for(state, playing))
