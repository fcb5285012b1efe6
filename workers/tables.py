"""What the house does by itself when a time has come: games begin, time is up, tables expire."""

from __future__ import annotations

import contextlib

from events.rules.steps import Rejected
from events.store.event_log import Pool
from events.store.games import Games
from events.table import commit_reveal
from events.table.game import Game
from projections import deadlines, failed
from workers import clocks, connect
from workers.chores import AWAY
from workers.drand import fetch_round


def go_on_with_all(games: Games, pool: Pool, now: str) -> int:
    """Let every game go on whose time has come; how many there were. One that fails holds up no other."""
    found = deadlines.due(pool, now)
    turns = not found or clocks.may_time_out(pool)
    for one in found:
        try:
            game = games.load(one.game_id)
            if game.status == "open":
                game = go_on(games, game)
            clocks.give(games, game, now, turns=turns)
        except AWAY:
            raise  # not the game's fault
        except Exception as error:  # noqa: BLE001 - whatever it is, other games go on
            kind = "opening" if one.status == "open" else "clock"
            failed.record(pool, one.game_id, kind, one.seq, failed.describe(error))
    return len(found)


def go_on(games: Games, game: Game) -> Game:
    """*game* after all that the house now does towards its beginning, with the beacon's round if due."""
    number, beacon = commit_reveal.awaited_round(game), game.terms.beacon
    if number is not None and beacon is not None:
        drawn = fetch_round(connect.beacon_url(), beacon.chain, number)
        if drawn is not None:
            with contextlib.suppress(Rejected):  # somebody else has drawn it
                game = games.draw_beacon(game.id, number, drawn).game
    return games.advance_opening(game)
