"""Newer versions of bots: a bot that sits at a table is raised to the version that is installed."""

from __future__ import annotations

from typing import ClassVar

import msgspec

from events.proof.randomness import Keys
from events.rules.bot_names import BotVersion
from events.rules.fact import Seat
from events.rules.steps import INVALID_PARAMETERS, Command, Rejected
from events.table.commands.checks import check_seat, require_running
from events.table.engine import Batch
from events.table.game import Game
from events.table.lifecycle_facts import BotRaised
from events.table.record import Actor
from events.table.seated_bots import may_be_raised


class TableRaiseBot(Command, frozen=True):
    """Let the bot of a seat play in a newer version from now on."""

    house: ClassVar[bool] = True

    seat: Seat
    version: int
    weights: str | None


def raise_bot(game: Game, _actor: Actor, command: TableRaiseBot, _at: str, _keys: Keys) -> Batch:
    """Decide that the bot of a seat plays in a newer version. Raises :class:`Rejected`."""
    require_running(game)
    check_seat(game, command.seat)
    try:
        raised = msgspec.convert({"version": command.version, "weights": command.weights}, BotVersion)
    except msgspec.ValidationError as error:
        raise Rejected(
            INVALID_PARAMETERS, f"The version of the bot is not valid: {error}. Send another one."
        ) from error
    if not may_be_raised(game, command.seat, raised):
        raise Rejected(
            "not_newer", "This version is not newer than the one in which the bot plays. Name a newer one."
        )
    return Batch([BotRaised(command.seat, raised.version, raised.weights)])
