"""The schedule: check-ins, the rounds, and the commands that the server has to give next.

Everything follows from the settings and from the times of events.
"""

from __future__ import annotations

from events.base.timestamps import add_milliseconds
from events.rules.steps import Command
from events.tournament import commands as asks
from events.tournament.pairing import Pods, strike, table_sizes
from events.tournament.state import Order, Round, Substitute, Table, Tournament, entrant_name

Due = tuple[str, Command]
"""The time at which the server is to give a command, and the command."""


# --- rounds --------------------------------------------------------------------------------------------


def has_stages_left(state: Tournament) -> bool:
    """Return True if there is a stage to be played."""
    return state.stage <= len(state.settings.stages)


def is_parallel(state: Tournament) -> bool:
    """Return True if all rounds of the stage are played at once."""
    return state.settings.schedule.round == "parallel"


def first_round_of_stage(state: Tournament) -> int:
    """Return the number of the first round of this stage."""
    return 1 + sum(one.stage < state.stage for one in state.rounds)


def ready_at(state: Tournament, number: int) -> str:
    """Return the time since which nothing stands before round *number* but time."""
    first = first_round_of_stage(state)
    if number == first or is_parallel(state):
        return state.stage_opened_at if state.stage > 1 else state.entry_closed_at
    before = state.rounds[number - 2]
    return before.started_at if state.format.format == "ladder" else before.closed_at


def find_planned_time(state: Tournament, number: int) -> str | None:
    """Return the time at which round *number* is to start; None: by hand."""
    schedule, ready = state.settings.schedule, ready_at(state, number)
    if schedule.round == "manual":
        return None
    if state.format.format == "ladder":
        since = max(schedule.starts_at or ready, ready) if number == 1 else ready
        return add_milliseconds(since, state.format.period_ms or 0)
    if number == 1 and schedule.round != "fixed":
        return None if schedule.starts_at is None else max(schedule.starts_at, ready)
    if schedule.round == "fixed":
        return max(schedule.at[number - 1], ready) if number <= len(schedule.at) else ready
    return ready if is_parallel(state) else add_milliseconds(ready, schedule.gap_ms)


def check_in_window(state: Tournament, number: int) -> tuple[str, str] | None:
    """Return the times between which entrants check in for round *number*.

    None where nobody has to, or before it is known.
    """
    span = state.settings.entry.check_in_ms
    if (
        not span
        or not has_stages_left(state)
        or state.format.format == "ladder"
        or (is_parallel(state) and number > first_round_of_stage(state))
    ):
        return None
    ready = ready_at(state, number)
    if not ready:  # rounds may be drawn before the ones before them are played
        return None
    planned = find_planned_time(state, number)
    opens = ready if planned is None else max(ready, add_milliseconds(planned, -span))
    return opens, add_milliseconds(opens, span)


def next_check_in_window(state: Tournament) -> tuple[str, str] | None:
    """Return the times between which entrants check in for the coming round.

    None while that is not known or nobody has to.
    """
    if not state.is_running or not has_stages_left(state) or is_waiting_for_results(state):
        return None
    return check_in_window(state, state.next_round)


def reveal_deadline(state: Tournament) -> str:
    """Return the time until which contributions to the randomness are waited for."""
    awaited = any(one.commitment and one.contribution is None for one in state.entrants)
    window = check_in_window(state, 1)
    if window is not None:
        return window[1]
    return add_milliseconds(state.entry_closed_at, (state.settings.entry.reveal_by_ms or 0) if awaited else 0)


def find_round(state: Tournament, number: int) -> Round | None:
    """Return round *number*, if it has been paired; else None."""
    return state.rounds[number - 1] if number <= len(state.rounds) else None


def has_all_rounds(state: Tournament) -> bool:
    """Return True if all rounds of this stage have started, or its time is up."""
    played, stage = state.stage_rounds, state.format
    if not all(one.started_at for one in played):
        return False
    if stage.format == "ladder":
        return stage.ends_at is not None and state.at >= stage.ends_at
    if stage.format == "knockout":
        return bool(played) and (len(played[-1].tables) <= 1 or stage.advance == 0)
    return bool(played) if stage.rounds is None else len(played) == stage.rounds


def is_stage_over(state: Tournament) -> bool:
    """Return True if nothing of this stage is left to be played."""
    return has_all_rounds(state) and all(one.closed_at for one in state.stage_rounds)


def is_waiting_for_results(state: Tournament) -> bool:
    """Return True if the coming round has to wait for one that is played."""
    if is_parallel(state) or not has_stages_left(state) or state.format.format == "ladder":
        return False
    return any(one.is_running for one in state.rounds)


def is_planned_at_once(state: Tournament) -> bool:
    """Return True if all rounds of this stage are drawn at once."""
    return state.format.format in ("rotation", "round_robin")


def seat_present(state: Tournament, found: Round) -> tuple[Pods, tuple[int, ...]]:
    """Return the pods and the byes of a paired round as it would start now, without those who are gone."""
    gone = {number for number in (*found.players, *found.byes) if _is_gone(state, found, number)}
    table = state.settings.table
    return strike(found.drawn, gone, (table.size, table.least), frozenset(state.forbidden))


def _is_gone(state: Tournament, found: Round, entrant: int) -> bool:
    """Return True if an entrant has left since the pairing, or did not check in while they could."""
    one = state.entrants[entrant - 1]
    window = check_in_window(state, found.number)
    unchecked = window is not None and state.at >= window[1] and one.checked < found.number
    return not one.is_playing or entrant in found.struck or (unchecked and found.number not in one.asked)


# --- the server ----------------------------------------------------------------------------------------


def due_commands(state: Tournament) -> tuple[Due, ...]:
    """Return the commands that the server has to give by itself, the earliest first.

    Those that lie ahead may change until then.
    """
    if state.over:
        return ()
    if state.paused is not None:
        return ((state.paused, asks.ResumeTournament()),)
    steps = {
        "draft": _due_in_draft,
        "open": _due_in_entry,
        "running": _due_while_running,
        "cancelled": _due_after_cancellation,
    }[state.status](state)
    return tuple(sorted(steps, key=lambda one: one[0]))


def _due_in_draft(state: Tournament) -> list[Due]:
    opens = state.settings.entry.opens_at
    return [] if opens is None else [(opens, asks.OpenEntry())]


def _due_in_entry(state: Tournament) -> list[Due]:
    closes = state.settings.entry.closes_at
    return [] if closes is None else [(closes, asks.CloseEntry())]


def _due_after_cancellation(state: Tournament) -> list[Due]:
    return [] if has_open_games(state) else [(state.at, asks.FinishTournament())]


def _due_while_running(state: Tournament) -> list[Due]:
    if not state.mixed:
        return [(reveal_deadline(state), asks.FixRandomness())]
    steps = [
        *_due_substitutions(state),
        *[step for one in state.rounds if one.is_running for step in _due_in_round(state, one)],
    ]
    if not has_stages_left(state):
        ready = not (has_open_matters(state) or has_open_games(state))
        return [*steps, (state.at, asks.FinishTournament())] if ready else steps
    if is_stage_over(state):
        return [*steps, (state.at, asks.CloseStage())]
    ends = state.format.ends_at
    if ends is not None and not any(one.is_running for one in state.stage_rounds):
        steps.append((ends, asks.CloseStage()))
    return [*steps, *_due_next_round(state)]


def _due_substitutions(state: Tournament) -> list[Due]:
    """Return the command that lets the first of the reserve play on for the first who has left a game.

    Only a game that goes on without the leaver counts.
    """
    for one, table, seat in find_leavers(state):
        busy = {number for other in one.tables for number in other.holders}
        free = [
            each for each in state.entrants if each.is_playing and each.reserve and each.number not in busy
        ]
        if free and _can_go_on(state, table):
            into = entrant_name(free[0].number)
            return [(state.at, asks.NameSubstitute(table.number, seat, into, one.number))]
    return []


def _can_go_on(state: Tournament, table: Table) -> bool:
    """Return True if enough people are left at a table for its game to be played on."""
    absence = state.settings.absence
    least = 2 if absence is None or absence.least_people is None else absence.least_people
    return sum(state.entrants[number - 1].is_playing for number in table.holders) >= least


def _due_in_round(state: Tournament, one: Round) -> list[Due]:
    if all(table.confirmed for table in one.tables):
        return [] if is_disputed(state, one.number, None) else [(state.at, asks.CloseRound(one.number))]
    return [
        (
            add_milliseconds(table.result.at, state.settings.protest_ms),
            asks.ConfirmResult(table.number, one.number),
        )
        for table in one.tables
        if table.result is not None and is_confirmable(state, one, table)
    ]


def is_confirmable(state: Tournament, one: Round, table: Table) -> bool:
    """Return True if nothing but time stands before the confirmation of a table's result."""
    return table.has_places and not table.confirmed and not is_disputed(state, one.number, table.number)


def is_disputed(state: Tournament, number: int, table: int | None) -> bool:
    """Return True if a dispute about a round, or one table of it, is open."""
    return any(
        one.open and one.round == number and (table is None or one.table in (None, table))
        for one in state.disputes
    )


def has_open_matters(state: Tournament) -> bool:
    """Return True if a dispute or an appeal is open."""
    return any(one.open for one in state.disputes) or any(
        one.appealed and not one.decided for one in state.rulings
    )


def has_open_games(state: Tournament) -> bool:
    """Return True if a game may still be played: what is disclosed at the end would tell its cards."""
    return any(
        table.head is not None and table.result is None for one in state.rounds for table in one.tables
    )


def _due_next_round(state: Tournament) -> list[Due]:
    if is_waiting_for_results(state) or has_all_rounds(state):
        return []
    number = state.next_round
    found = find_round(state, number)
    planned = find_planned_time(state, number)
    if found is None:
        return _due_pairing(state, number, planned)
    if found.stage != state.stage or planned is None:
        return []
    window = check_in_window(state, number)
    return [(max(planned, found.paired_at, *((window[1],) if window else ())), asks.StartRound())]


def _due_pairing(state: Tournament, number: int, planned: str | None) -> list[Due]:
    """Return the command by which the server pairs round *number*; none where a director does."""
    if state.format.format == "ladder":
        waiting = sum(one.is_playing and one.ready for one in state.entrants)
        if not table_sizes_for(state, waiting):
            return []
        return [(pairing_time(state, number, planned), asks.PairByRatings())]
    if state.settings.schedule.round == "manual":
        return []
    return [(pairing_time(state, number, planned), asks.PairRound())]


def pairing_time(state: Tournament, number: int, planned: str | None) -> str:
    """Return the time at which round *number* is to be paired."""
    window = check_in_window(state, number)
    if window is not None:
        return max(window[1], state.fixed_at)
    if state.format.format == "ladder":
        return planned or ready_at(state, number)
    return max(ready_at(state, number), state.fixed_at)


def table_sizes_for(state: Tournament, playing: int) -> tuple[int, ...]:
    """Return the sizes of the tables for *playing* entrants."""
    return table_sizes(playing, state.settings.table.size, state.settings.table.least)


# --- what is to be done in games -------------------------------------------------------------------------


def list_unlinked_tables(state: Tournament) -> list[tuple[Round, Table]]:
    """Return the tables whose games have to be created and linked; none once the tournament is cancelled."""
    if not state.is_running:
        return []
    return [
        (one, table)
        for one, table in _list_started_tables(state)
        if table.head is None and table.ruled is None
    ]


def tables_in_play(state: Tournament) -> list[tuple[Round, Table]]:
    """Return the tables whose games are linked, and whose results are awaited."""
    return [
        (one, table)
        for one, table in _list_started_tables(state)
        if table.head is not None and table.result is None
    ]


def tables_to_end(state: Tournament) -> list[tuple[Round, Table]]:
    """Return the tables whose games are to be ended.

    The tournament is cancelled, or a ruling gave the places.
    """
    return [
        (one, table)
        for one, table in tables_in_play(state)
        if not state.is_running or table.ruled is not None
    ]


def find_leavers(state: Tournament) -> list[tuple[Round, Table, int]]:
    """Return the seats of games that are played whose entrants take part no more: they leave their tables."""
    return [
        (one, table, seat)
        for one, table in tables_in_play(state)
        for seat, number in enumerate(table.holders)
        if not state.entrants[number - 1].is_playing
    ]


def pending_orders(state: Tournament) -> list[Order]:
    """Return the orders of rulings about games that are played."""
    awaited = {table.game for _, table in tables_in_play(state)}
    return [order for order in state.orders if order.game in awaited]


def active_substitutes(state: Tournament) -> list[tuple[Round, Table, Substitute]]:
    """Return the substitutes who play on for others in games that are played."""
    return [(one, table, change) for one, table in tables_in_play(state) for change in table.substitutes]


def round_limits(state: Tournament) -> list[str]:
    """Return the times by which the rounds that are played should be over."""
    most = state.settings.schedule.most_ms
    return (
        []
        if most is None
        else [add_milliseconds(one.started_at, most) for one in state.rounds if one.is_running]
    )


def overdue_rounds(state: Tournament, at: str) -> list[Round]:
    """Return the rounds that at the time *at* have lasted longer than was settled."""
    most = state.settings.schedule.most_ms
    return [
        one
        for one in state.rounds
        if one.is_running and most is not None and at >= add_milliseconds(one.started_at, most)
    ]


def _list_started_tables(state: Tournament) -> list[tuple[Round, Table]]:
    return [(one, table) for one in state.rounds if one.started_at for table in one.tables]
