"""When what happens by itself: check-ins, the rounds, and what the house has to do next.

Everything follows from the settings and from the times of events.
"""

from __future__ import annotations

from events.moments import later
from events.steps import Command
from events.tournament import commands as asks
from events.tournament.pairing import sizes
from events.tournament.state import Order, Round, Substitute, Table, Tournament, entrant_name

Due = tuple[str, Command]
"""When the house is to give which command."""


# --- rounds --------------------------------------------------------------------------------------------


def stages_left(state: Tournament) -> bool:
    """Whether there is a stage to be played."""
    return state.stage <= len(state.settings.stages)


def is_parallel(state: Tournament) -> bool:
    """Whether all rounds of the stage are played at once."""
    return state.settings.schedule.round == "parallel"


def first_of_stage(state: Tournament) -> int:
    """The number of the first round of this stage."""
    return 1 + sum(one.stage < state.stage for one in state.rounds)


def ready_at(state: Tournament, number: int) -> str:
    """Since when nothing stands before round *number* but time."""
    first = first_of_stage(state)
    if number == first or is_parallel(state):
        return state.stage_opened_at if state.stage > 1 else state.entry_closed_at
    before = state.rounds[number - 2]
    return before.started_at if state.format.format == "ladder" else before.closed_at


def planned_at(state: Tournament, number: int) -> str | None:
    """When round *number* is to start; None: by hand."""
    schedule, ready = state.settings.schedule, ready_at(state, number)
    if schedule.round == "manual":
        return None
    if state.format.format == "ladder":
        since = max(schedule.starts_at or ready, ready) if number == 1 else ready
        return later(since, state.format.period_ms or 0)
    if number == 1 and schedule.round != "fixed":
        return None if schedule.starts_at is None else max(schedule.starts_at, ready)
    if schedule.round == "fixed":
        return max(schedule.at[number - 1], ready) if number <= len(schedule.at) else ready
    return ready if is_parallel(state) else later(ready, schedule.gap_ms)


def check_in(state: Tournament, number: int) -> tuple[str, str] | None:
    """From when to when one checks in for round *number*; None where nobody has to, or before it is known."""
    span = state.settings.entry.check_in_ms
    if not span or state.format.format == "ladder" or (is_parallel(state) and number > first_of_stage(state)):
        return None
    ready = ready_at(state, number)
    if not ready:  # rounds may be drawn before the ones before them are played
        return None
    planned = planned_at(state, number)
    opens = ready if planned is None else max(ready, later(planned, -span))
    return opens, later(opens, span)


def next_check_in(state: Tournament) -> tuple[str, str] | None:
    """From when to when one checks in for the coming round; None while that is not known or nobody has to."""
    if not state.running or not stages_left(state) or waits_for_results(state):
        return None
    return check_in(state, state.coming)


def reveal_until(state: Tournament) -> str:
    """Until when contributions to the randomness are waited for."""
    awaited = any(one.commitment and one.contribution is None for one in state.entrants)
    window = check_in(state, 1)
    if window is not None:
        return window[1]
    return later(state.entry_closed_at, (state.settings.entry.reveal_by_ms or 0) if awaited else 0)


def paired(state: Tournament, number: int) -> Round | None:
    """Round *number*, if it has been paired."""
    return state.rounds[number - 1] if number <= len(state.rounds) else None


def has_all_rounds(state: Tournament) -> bool:
    """Whether all rounds of this stage have started, or its time is up."""
    played, stage = state.current, state.format
    if not all(one.started_at for one in played):
        return False
    if stage.format == "ladder":
        return stage.ends_at is not None and state.at >= stage.ends_at
    if stage.format == "knockout":
        return bool(played) and (len(played[-1].tables) == 1 or stage.advance == 0)
    return bool(played) if stage.rounds is None else len(played) == stage.rounds


def stage_is_over(state: Tournament) -> bool:
    """Whether nothing of this stage is left to be played."""
    return has_all_rounds(state) and all(one.closed_at for one in state.current)


def waits_for_results(state: Tournament) -> bool:
    """Whether the coming round has to wait for one that is played."""
    if is_parallel(state) or state.format.format == "ladder":
        return False
    return any(one.running for one in state.rounds)


def is_dropped(state: Tournament, found: Round) -> bool:
    """Whether somebody is absent who was paired for a round, so that it has to be paired again."""
    return any(is_absent(state, number, found.number) for number in (*found.playing, *found.drawn.byes))


def is_absent(state: Tournament, entrant: int, number: int) -> bool:
    """Whether somebody plays no more, or did not check in for a round while he could."""
    one = state.entrants[entrant - 1]
    window = check_in(state, number)
    unchecked = window is not None and state.at >= window[1] and one.checked < number
    return not one.plays or (unchecked and number not in one.asked)


# --- the house -----------------------------------------------------------------------------------------


def due(state: Tournament) -> tuple[Due, ...]:
    """What the house has to do by itself, the first first; those that lie ahead may change until then."""
    if state.over:
        return ()
    if state.paused is not None:
        return ((state.paused, asks.ResumeTournament()),)
    steps = {"draft": _draft, "open": _open, "running": _running, "cancelled": _cancelled}[state.status](
        state
    )
    return tuple(sorted(steps, key=lambda one: one[0]))


def _draft(state: Tournament) -> list[Due]:
    opens = state.settings.entry.opens_at
    return [] if opens is None else [(opens, asks.OpenEntry())]


def _open(state: Tournament) -> list[Due]:
    closes = state.settings.entry.closes_at
    return [] if closes is None else [(closes, asks.CloseEntry())]


def _cancelled(state: Tournament) -> list[Due]:
    return [] if games_open(state) else [(state.at, asks.FinishTournament())]


def _running(state: Tournament) -> list[Due]:
    if not state.mixed:
        return [(reveal_until(state), asks.FixRandomness())]
    steps = [
        *_substitution(state),
        *[step for one in state.rounds if one.running for step in _of_round(state, one)],
    ]
    if not stages_left(state):
        ready = not (open_matters(state) or games_open(state))
        return [*steps, (state.at, asks.FinishTournament())] if ready else steps
    if stage_is_over(state):
        return [*steps, (state.at, asks.CloseStage())]
    ends = state.format.ends_at
    if ends is not None and not any(one.running for one in state.current):
        steps.append((ends, asks.CloseStage()))
    return [*steps, *_next_round(state)]


def _substitution(state: Tournament) -> list[Due]:
    """The first of the reserve plays on for the first who has left a game that goes on without him."""
    for one, table, seat in leavers(state):
        busy = {number for other in one.tables for number in other.holders}
        free = [each for each in state.entrants if each.plays and each.reserve and each.number not in busy]
        if free and _goes_on(state, table):
            into = entrant_name(free[0].number)
            return [(state.at, asks.NameSubstitute(table.number, seat, into, one.number))]
    return []


def _goes_on(state: Tournament, table: Table) -> bool:
    """Whether enough people are left at a table for its game to be played on."""
    absence = state.settings.absence
    least = 2 if absence is None or absence.least_people is None else absence.least_people
    return sum(state.entrants[number - 1].plays for number in table.holders) >= least


def _of_round(state: Tournament, one: Round) -> list[Due]:
    if all(table.confirmed for table in one.tables):
        return [] if disputed(state, one.number, None) else [(state.at, asks.CloseRound(one.number))]
    return [
        (later(table.result.at, state.settings.protest_ms), asks.ConfirmResult(table.number, one.number))
        for table in one.tables
        if table.result is not None and confirmable(state, one, table)
    ]


def confirmable(state: Tournament, one: Round, table: Table) -> bool:
    """Whether nothing but time stands before the confirmation of a table's result."""
    return table.settled and not table.confirmed and not disputed(state, one.number, table.number)


def disputed(state: Tournament, number: int, table: int | None) -> bool:
    """Whether a dispute about a round, or one table of it, is open."""
    return any(
        one.open and one.round == number and (table is None or one.table in (None, table))
        for one in state.disputes
    )


def open_matters(state: Tournament) -> bool:
    """Whether a dispute or an appeal is open."""
    return any(one.open for one in state.disputes) or any(
        one.appealed and not one.decided for one in state.rulings
    )


def games_open(state: Tournament) -> bool:
    """Whether a game may still be played: what is disclosed at the end would tell its cards."""
    return any(
        table.head is not None and table.result is None for one in state.rounds for table in one.tables
    )


def _next_round(state: Tournament) -> list[Due]:
    if waits_for_results(state) or has_all_rounds(state):
        return []
    number = state.coming
    found = paired(state, number)
    planned = planned_at(state, number)
    if found is None or is_dropped(state, found):
        waiting = sum(one.plays and one.ready for one in state.entrants)
        lone = state.format.format == "ladder" and not shape(state, waiting)
        if lone or state.settings.schedule.round == "manual":
            return []
        return [(pair_at(state, number, planned), asks.PairRound())]
    if found.stage != state.stage or planned is None:
        return []
    return [(max(planned, found.paired_at), asks.StartRound())]


def pair_at(state: Tournament, number: int, planned: str | None) -> str:
    """When round *number* is to be paired."""
    window = check_in(state, number)
    if window is not None:
        return max(window[1], state.fixed_at)
    if state.format.format == "ladder":
        return planned or ready_at(state, number)
    return max(ready_at(state, number), state.fixed_at)


def shape(state: Tournament, playing: int) -> tuple[int, ...]:
    """How large the tables of so many are."""
    return sizes(playing, state.settings.table.size, state.settings.table.least)


# --- what is to be done in games -------------------------------------------------------------------------


def unlinked(state: Tournament) -> list[tuple[Round, Table]]:
    """Tables whose games have to be created and linked; none once the tournament is cancelled."""
    if not state.running:
        return []
    return [(one, table) for one, table in _tables(state) if table.head is None and table.ruled is None]


def playing(state: Tournament) -> list[tuple[Round, Table]]:
    """Tables whose games are linked, and whose results are awaited."""
    return [(one, table) for one, table in _tables(state) if table.head is not None and table.result is None]


def to_be_ended(state: Tournament) -> list[tuple[Round, Table]]:
    """Tables whose games are to be ended: the tournament is cancelled, or a ruling gave the places."""
    return [(one, table) for one, table in playing(state) if not state.running or table.ruled is not None]


def leavers(state: Tournament) -> list[tuple[Round, Table, int]]:
    """Seats of games that are played whose entrants take part no more: they leave their tables."""
    return [
        (one, table, seat)
        for one, table in playing(state)
        for seat, number in enumerate(table.holders)
        if not state.entrants[number - 1].plays
    ]


def orders(state: Tournament) -> list[Order]:
    """What rulings order about games that are played."""
    awaited = {table.game for _, table in playing(state)}
    return [order for order in state.orders if order.game in awaited]


def substitutes(state: Tournament) -> list[tuple[Round, Table, Substitute]]:
    """Who plays on for somebody in games that are played."""
    return [(one, table, change) for one, table in playing(state) for change in table.substitutes]


def limits(state: Tournament) -> list[str]:
    """By when the rounds that are played should be over."""
    most = state.settings.schedule.most_ms
    return [] if most is None else [later(one.started_at, most) for one in state.rounds if one.running]


def overdue(state: Tournament, at: str) -> list[Round]:
    """Rounds that at the time *at* have lasted longer than was settled."""
    most = state.settings.schedule.most_ms
    return [
        one for one in state.rounds if one.running and most is not None and at >= later(one.started_at, most)
    ]


def _tables(state: Tournament) -> list[tuple[Round, Table]]:
    return [(one, table) for one in state.rounds if one.started_at for table in one.tables]
