"""The server's own actions when a time has come: games begin, time is up, tables expire."""

from __future__ import annotations

import contextlib

from events.rules.steps import Rejected
from events.store.event_log import Pool
from events.store.games import Games
from events.table import commit_reveal
from events.table.game import Game
from projections.read_models import timers
from workers import connections, timer_commands
from workers.drand import fetch_round
from workers.task_failures import record_failure


def run_due_timers(games: Games, pool: Pool, now: str) -> int:
    """Let every game go on whose time has come; how many there were. One that fails holds up no other."""
    found = timers.find_due_games(pool, now)
    turns = not found or timer_commands.is_clock_trusted(pool)
    for one in found:
        kind = "opening" if one.status == "open" else "clock"
        with record_failure(pool, one.game_id, kind, one.seq):
            game = games.load(one.game_id)
            if game.status == "open":
                game = advance_open_game(games, game)
            timer_commands.apply_due_timers(games, game, now, turns=turns)
    return len(found)


def advance_open_game(games: Games, game: Game) -> Game:
    """Advance an open *game*: do all that the server now does towards its beginning.

    The beacon's round is taken in if it is due. Return the game after that.
    """
    number, beacon = commit_reveal.find_awaited_round(game), game.terms.beacon
    if number is not None and beacon is not None:
        drawn = fetch_round(connections.get_beacon_url(), beacon.chain, number)
        if drawn is not None:
            with contextlib.suppress(Rejected):  # another process has drawn it
                game = games.draw_beacon(game.id, number, drawn).game
    return connections.get_drop_boxes().advance_opening(games, game)
