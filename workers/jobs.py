"""The jobs that RQ runs: bots' moves, resolution by the house, simulations.

A job never decides *whether*: the log does. It looks whether its decision is still open, thinks with a
recorded seed, and gives an ordinary command with the expected version. Run twice, run late or lost,
it changes nothing; whatever stays open is dispatched again.
"""

from __future__ import annotations

import contextlib
import uuid
from typing import Any

import msgspec
import structlog

from events import opening
from events.fact import Json, Seat
from events.fast_chance import FastChance
from events.game import Game
from events.games import CommandReused, Games, StaleVersion
from events.record import BotRun
from events.steps import Command, Decision, Rejected
from workers import bots, connect
from workers.drand import fetch_round

MOVES = 60
"""Moves of bots in one game that one job makes at the most, so that other games get their turn."""

_IDS = uuid.UUID("5f0c6e0a-6f0e-5c0b-9b0e-0d5a4c1b7e11")
"""Namespace of the command ids of jobs."""

log = structlog.get_logger()


def play(game_id: str, seq: int, seat: Seat) -> int:
    """Think for the bots of a game that waits for *seat* after event *seq*; how many moves were made."""
    games, made = connect.games(), 0
    while made < MOVES:
        game = games.load(game_id)
        waiting = bot_decision(game)
        if waiting is None:
            break
        try:
            bot_move(games, game, waiting)
            made += 1
        except (StaleVersion, CommandReused):
            log.info("overtaken", game=game_id, seq=game.seq)
    log.info("played", game=game_id, asked_at=seq, seat=seat, moves=made)
    return made


def bot_decision(game: Game) -> Decision | None:
    """The first decision that waits for a bot."""
    if game.status != "running":
        return None
    for decision in game.title.awaited(game.state):
        if decision.seat is not None and game.seats[decision.seat].bot is not None:
            return decision
    return None


def bot_move(games: Games, game: Game, decision: Decision) -> None:
    """One move of one bot. Raises StaleVersion if the game has gone on meanwhile."""
    seat = decision.seat
    assert seat is not None  # noqa: S101 - bots sit at seats
    secrets, _ = games.keys(game)
    run = bots.bot_run(game, seat, secrets)
    command = bots.think(game, seat, run)
    try:
        _append(games, game, seat, command, run)
    except Rejected as rejected:
        # A bot that breaks the rules is a mistake of ours; the game must not wait for ever because of it.
        log.exception("bot_rejected", game=game.id, seq=game.seq, seat=seat, bot=run.name, code=rejected.code)
        default = game.title.default(game.state, decision)
        _append(games, game, seat, default, msgspec.structs.replace(run, fallback=True))


def house(game_id: str, seq: int) -> int:
    """Do what a game waits for the house to do after event *seq*; how many commands that took."""
    games, made = connect.games(), 0
    go_on(games, games.load(game_id))
    while made < MOVES:
        game = games.load(game_id)
        decision = house_decision(game)
        if decision is None:
            break
        try:
            _append(games, game, None, game.title.default(game.state, decision), None)
            made += 1
        except (StaleVersion, CommandReused):
            log.info("overtaken", game=game_id, seq=game.seq)
    log.info("resolved", game=game_id, asked_at=seq, commands=made)
    return made


def go_on(games: Games, game: Game) -> Game:
    """*game* after all that the house now does towards its beginning, with the beacon's round if due."""
    number, beacon = opening.awaits_round(game), game.terms.beacon
    if number is not None and beacon is not None:
        drawn = fetch_round(connect.beacon_url(), beacon.chain, number)
        if drawn is not None:
            with contextlib.suppress(Rejected):  # somebody else has drawn it
                game = games.draw_beacon(game.id, number, drawn).game
    return games.proceed(game)


def house_decision(game: Game) -> Decision | None:
    """The first decision that waits for the house."""
    if game.status != "running":
        return None
    return next((d for d in game.title.awaited(game.state) if d.seat is None), None)


def _append(games: Games, game: Game, seat: Seat | None, command: Command, bot: BotRun | None) -> None:
    command_id = str(uuid.uuid5(_IDS, f"{game.id}/{game.seq}/{seat}/{bot is None}"))
    games.command(game.id, seat, command, expected=game.seq, command_id=command_id, bot=bot)


def odds(game_id: str, seq: int, seat: Seat, target: Seat, simulations: int) -> Json:
    """How a war of *seat* against *target* would go after event *seq*, from what *seat* may know."""
    games = connect.games()
    game = games.load(game_id, seq)
    title = game.title
    if title.odds is None:
        raise LookupError(f"{title.id} knows no wars")
    # The seed follows from public facts, so that the same question gets the same answer, and says nothing.
    seed = f"odds/{game_id}/{seq}/{seat}/{target}"
    chance = FastChance(seed)
    try:
        answer: dict[str, Any] = title.odds(
            title.imagine(game.state, seat, chance), seat, target, simulations, chance
        )
    except Rejected as rejected:
        return {"rejected": rejected.code, "detail": rejected.detail}
    return {**answer, "seed": seed, "simulations": simulations}
