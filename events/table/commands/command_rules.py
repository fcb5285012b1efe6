"""Table commands: requests of seats, directors and the server to the table, whatever is played at it.

Their names begin with :data:`PREFIX`, which no title's command does. Each is decided from the game as the log
tells it, its actor, its members and the time of its event, and from nothing else. So `rutter verify` decides
each again. A new one is a command and a function beside it, and a line in :data:`RULES`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import msgspec

from events.proof.randomness import Keys
from events.rules.bot_names import FindBotVersion, find_no_version
from events.rules.fact import type_name
from events.rules.steps import NOT_YOUR_DECISION, Command, Rejected
from events.rules.title import Title
from events.table.commands import bots, expiry, leaving, offers, outages, rulings, undo, vacations
from events.table.commands.time_outs import TableTimeOut, time_out
from events.table.engine import Batch
from events.table.game import Game
from events.table.record import Actor, pseudonym
from events.table.seated_bots import settle_bot_versions

PREFIX = "table_"
"""The prefix of the names of all table commands."""

Role = Literal["seat", "director", "house"]
"""The capacity in which a command is given; ``by`` of its events names the actor."""

Decide = Callable[[Game, Actor, Any, str, Keys], Batch]
"""``(game, actor, command, at, keys)``: its facts at the time *at*. Raises :class:`Rejected`."""


class Rule(msgspec.Struct, frozen=True):
    """The roles that may give a table command, and the function that decides it."""

    by: tuple[Role, ...]
    decide: Decide


RULES: dict[type[Command], Rule] = {
    TableTimeOut: Rule(("house",), time_out),
    outages.TableOutage: Rule(("house",), outages.give_back_time),
    leaving.TableLeave: Rule(("seat",), leaving.leave),
    leaving.TableReturn: Rule(("seat",), leaving.return_to_seat),
    leaving.TableRemove: Rule(("director",), leaving.remove),
    leaving.TableSeat: Rule(("director", "seat"), leaving.fill_seat),
    leaving.TableSwap: Rule(("director",), leaving.swap),
    offers.TableOffer: Rule(("seat",), offers.offer),
    offers.TableAnswer: Rule(("seat",), offers.answer),
    undo.TableUndo: Rule(("seat",), undo.undo),
    rulings.TablePause: Rule(("director",), rulings.pause),
    rulings.TableResume: Rule(("director", "house"), rulings.resume),
    rulings.TableAddTime: Rule(("director", "seat"), rulings.add_time),
    rulings.TableEnd: Rule(("director",), rulings.end),
    expiry.TableWarn: Rule(("house",), expiry.warn),
    expiry.TableExpire: Rule(("house",), expiry.expire),
    vacations.TableVacation: Rule(("house",), vacations.set_vacation),
    bots.TableRaiseBot: Rule(("house",), bots.raise_bot),
}

COMMANDS: dict[str, type[Command]] = {type_name(kind): kind for kind in RULES}
"""The table commands by name."""


def command_type(title: Title[Any]) -> Callable[[str], type[Command] | None]:
    """Return a function that finds the class of a command by its name: of the table or, else, of *title*."""
    return lambda name: COMMANDS.get(name) or title.command_type(name)


def is_table_command(command: Command | None) -> bool:
    """Return True if this is a command of the table, not of a title."""
    return type(command) in RULES


def role_of(actor: Actor) -> Role:
    """Return the capacity in which *actor* acts."""
    if actor is None or isinstance(actor, int):
        return "house" if actor is None else "seat"
    return "director"


def decide(
    game: Game,
    actor: Actor,
    command: Command,
    at: str,
    keys: Keys,
    find_bot: FindBotVersion = find_no_version,
) -> Batch:
    """Return the facts of the table command *command* of *actor* at *at*.

    *find_bot* names the version of a bot that takes a seat. Raises :class:`Rejected`, and
    :class:`events.rules.bot_names.UnknownBot` for a bot that is not installed.
    """
    check_actor(game, actor, command)
    batch = RULES[type(command)].decide(game, actor, command, at, keys)
    batch.facts = settle_bot_versions(game.bots, batch.facts, find_bot)
    return batch


def check_actor(game: Game, actor: Actor, command: Command) -> None:
    """Raise :class:`Rejected` if *actor* may not give a table command like this at this table."""
    by = RULES[type(command)].by
    if role_of(actor) not in by:
        given, roles = type_name(type(command)), " or the ".join(by)
        detail = f"{pseudonym(actor)} cannot give {given}. Only the {roles} can give it."
        raise Rejected("not_a_director" if by == ("director",) else NOT_YOUR_DECISION, detail)
    if isinstance(actor, str):
        check_director(game, actor, command)


def check_director(game: Game, name: str, command: Command) -> None:
    """Raise :class:`Rejected` if the table has no director *name* for *command*.

    A table has directors d1, d2, ... The maker of the game is d0 where it has none, and for removing a player
    before the game begins.
    """
    number = int(name[1:])
    owner = game.directors is None or (game.status == "open" and isinstance(command, leaving.TableRemove))
    if not (owner if number == 0 else number <= (game.directors or 0)):
        raise Rejected("not_a_director", f"This game has no director {name}. Ask one of its directors.")
