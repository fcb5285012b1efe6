"""Commands after which a bot may act at once, so that the player cannot take them back any more."""

from __future__ import annotations

from collections.abc import Sequence

from events.rules.chance import Chance
from events.rules.fact import Seat
from events.rules.fast_chance import FastChance
from events.rules.steps import Command, Rejected
from events.table.game import Game

MOST_COMMANDS = 200
"""The most commands that are tried. In a longer list none is marked."""


class _Drawn(Exception):
    """A command needs a draw, so that it cannot be taken back in any case."""


class _NoChance(Chance):
    def draw(self, bounds: Sequence[int], *, hidden: bool) -> list[int]:
        raise _Drawn


def find_closing_commands(game: Game, seat: Seat, commands: Sequence[Command]) -> frozenset[int]:
    """Return the places of those *commands* of *seat* on which a bot's turn may follow.

    Only commands that could be taken back are among them. They are tried in what *seat* can imagine, so the
    answer tells nothing that it does not know.
    """
    bots = {number for number, sits in enumerate(game.seats) if sits.bot is not None}
    if game.terms.undo != "own" or not bots or not game.seats[seat].person or len(commands) > MOST_COMMANDS:
        return frozenset()
    state = game.title.imagine(game.state, seat, FastChance("what a bot may do next"))
    return frozenset(
        place for place, command in enumerate(commands) if _is_closing(game, state, seat, command, bots)
    )


def _is_closing(game: Game, state: object, seat: Seat, command: Command, bots: set[Seat]) -> bool:
    """Return True if *command* can be taken back at first, and some bot is awaited after it."""
    if command.sealed:
        return False
    try:
        draft = game.title.decide(state, seat, command, _NoChance())
    except (_Drawn, Rejected):
        return False
    if any(fact.discloses for fact in draft.facts):
        return False
    return any(each in bots for each in game.title.list_awaited_seats(draft.state))
