"""The server's commands when a time is up: time-outs, tables that expire, pauses that end, outages.

Nothing is decided here: a command is given for what the log says is due, and the log decides whether it is.
Its id follows from the timer, and it must follow on the state that was looked at: so it is carried out once,
and a player who answers at the same instant is either first or too late, never both.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import UTC, datetime

import structlog

from events.base.timestamps import count_micros, format_timestamp, parse_timestamp
from events.rules.steps import Command, Rejected
from events.store.event_log import Pool
from events.store.games import Games, ReusedKey, StaleVersion
from events.store.stream_writer import CLOCK_LAG_WARN_MS, clock_lag_ms
from events.table.commands.expiry import TableExpire, TableWarn
from events.table.commands.outages import TableOutage, longest_idle_span
from events.table.commands.rulings import TableResume
from events.table.commands.time_outs import TableTimeOut
from events.table.commands.vacations import TableVacation
from events.table.game import Game
from projections.health import heartbeat
from projections.health.heartbeat import Outage
from projections.read_models import timers
from projections.read_models.timers import Timer, TimerKind
from workers.task_failures import record_failure

FAR_SECONDS = CLOCK_LAG_WARN_MS / 1000
"""Time-outs are not given where this host's time and the database's differ by more, nor where it is as much
behind the newest event."""

_IDS = uuid.UUID("0c9c7c0e-8a50-5f7e-9d5e-6a2f1f4f2b6d")
"""Namespace of the command ids of timers."""

log = structlog.get_logger()


def apply_due_timers(games: Games, game: Game, now: str, *, turns: bool) -> Game:
    """Return *game* after all that is due in it at *now*; time-outs of *turns* may have to wait."""
    for _ in range(len(game.seats) + 1):  # whatever is armed again is due later
        due = [t for t in timers.list_timers(game) if t.due <= now and t.kind != "opening"]
        wanted = [t for t in due if turns or t.kind != "turn"]
        if not wanted:
            break
        if not _apply_timer(games, game, wanted[0], now):
            break
        game = games.load(game.id)
    return game


def _apply_timer(games: Games, game: Game, timer: Timer, now: str) -> bool:
    """Carry out the command for *timer*; return False where another was quicker, or the clock is behind."""
    behind = clock_lag_ms(game, now)
    if behind > CLOCK_LAG_WARN_MS:
        log.warning("clock_behind", game=game.id, milliseconds=behind)
        return False
    name = f"{game.id}/{timer.kind}/{timer.seat}/{timer.due}"
    return _give_command(games, game, name, _make_command(timer))


def _make_command(timer: Timer) -> Command:
    if timer.seat is not None:
        away = timer.kind == "vacation_end"
        return TableVacation(timer.seat, timer.due) if away else TableTimeOut(timer.seat, timer.due)
    return _OF_GAME[timer.kind]()


_OF_GAME: dict[TimerKind, type[Command]] = {
    "pause_end": TableResume,
    "warning": TableWarn,
    "expiry": TableExpire,
}
"""The commands of the server for timers of no seat."""


def _give_command(games: Games, game: Game, name: str, command: Command) -> bool:
    try:
        games.table_command(game.id, None, command, expected=game.seq, command_id=_make_id(name))
    except (StaleVersion, ReusedKey):
        log.info("overtaken", game=game.id, seq=game.seq)
        return False
    return True


def _make_id(name: str) -> str:
    return str(uuid.uuid5(_IDS, name))


def is_clock_trusted(pool: Pool) -> bool:
    """Return True if this host's time can be trusted: it agrees with the database's."""
    off = heartbeat.measure_drift(pool, datetime.now(UTC))
    if off > FAR_SECONDS:
        log.warning("clock_differs", seconds=round(off, 1))
    return off <= FAR_SECONDS


def compensate_outages(games: Games, pool: Pool, outages: Sequence[Outage]) -> int:
    """Give players back what *outages* cost them; for how many games."""
    return sum(_compensate_outage(games, pool, outage) for outage in outages)


def _compensate_outage(games: Games, pool: Pool, outage: Outage) -> int:
    command, after, given = _convert_outage(games, outage), str(uuid.UUID(int=0)), 0
    while found := timers.find_running_games(pool, after):
        for game_id in found:
            with record_failure(pool, game_id, "outage", 0, final=True):
                given += _compensate_game(games, game_id, command)
        after = found[-1]
    heartbeat.settle(pool, outage)
    log.info("outage_given_back", since=command.since, until=command.until, games=given)
    return given


def _convert_outage(games: Games, outage: Outage) -> TableOutage:
    """Return the outage as events tell time: in tests theirs may differ from the true one."""
    ahead = parse_timestamp(games.now()) - count_micros(datetime.now(UTC))
    ahead = 0 if abs(ahead) < 1_000_000 else ahead
    return TableOutage(
        format_timestamp(count_micros(outage.since) + ahead),
        format_timestamp(count_micros(outage.until) + ahead),
    )


def _compensate_game(games: Games, game_id: str, command: TableOutage) -> bool:
    """Give the players of a game their time back; return False if there is none to give.

    Once all games are done nobody looks again. So if a player acts meanwhile, this looks at the newer game.
    """
    command_id = _make_id(f"{game_id}/outage/{command.since}")
    while True:
        game = games.load(game_id)
        part = longest_idle_span(game, command, games.next_time(game))
        if part is None:
            return False
        try:
            games.table_command(game_id, None, part, expected=game.seq, command_id=command_id)
        except StaleVersion:
            log.info("overtaken", game=game_id, seq=game.seq)
        except (ReusedKey, Rejected):  # given already; or the game has no clock, or nobody there was on it
            return False
        else:
            return True
