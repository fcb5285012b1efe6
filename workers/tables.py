"""What the house does for tables when a time has come that stands in their logs: reveals are closed and games
begin, pauses and vacations end, tables that wait in vain are abandoned. Nobody has to ask for it.
"""

from __future__ import annotations

import contextlib
from datetime import datetime
from typing import LiteralString

from events import opening
from events.dues import dues
from events.game import Game
from events.games import Games, StaleVersion
from events.log import Pool
from events.steps import Rejected
from projections import failed
from workers import connect
from workers.chores import AWAY
from workers.drand import fetch_round

DUE: LiteralString = (
    "SELECT game_id::text, seq FROM lobby WHERE due <= %s AND NOT held ORDER BY due LIMIT 200"
)
"""Games whose time has come."""


def due(pool: Pool, now: str) -> list[tuple[str, int]]:
    """Which games have to go on at *now* (as events record it), with their newest events."""
    with pool.connection() as connection:
        return connection.execute(DUE, (datetime.fromisoformat(now),)).fetchall()


def go_on_with_all(games: Games, pool: Pool, now: str) -> int:
    """Let every game go on whose time has come; how many there were. One that fails holds up no other."""
    found = due(pool, now)
    for game_id, seq in found:
        try:
            go_on(games, games.load(game_id))
        except AWAY:
            raise  # not the game's fault
        except Exception as error:  # noqa: BLE001 - whatever it is, other games go on
            failed.record(pool, game_id, "opening", seq, failed.describe(error))
    return len(found)


def go_on(games: Games, game: Game) -> Game:
    """*game* after all that the house now does for it, with the beacon's round if due."""
    for due in dues(game):
        if due.at <= games.time(game):
            with contextlib.suppress(Rejected, StaleVersion):  # somebody was quicker: it is asked for again
                game = games.table_command(game.id, None, due.command, expected=game.seq).game
    number, beacon = opening.awaits_round(game), game.terms.beacon
    if number is not None and beacon is not None:
        drawn = fetch_round(connect.beacon_url(), beacon.chain, number)
        if drawn is not None:
            with contextlib.suppress(Rejected):  # somebody else has drawn it
                game = games.draw_beacon(game.id, number, drawn).game
    return games.proceed(game)
