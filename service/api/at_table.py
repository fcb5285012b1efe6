"""Commands of the table itself: who may give which, and under which name the log knows him."""

from __future__ import annotations

import re
from functools import partial
from typing import Any
from uuid import uuid4

import msgspec
from msgspec.structs import replace

from events.rules.fact import Seat, type_name
from events.rules.steps import Command
from events.store.games import GameCommandResult, SeatsDiffer, new_command_id
from events.table.clock_updates import absence_settings
from events.table.commands import command_rules
from events.table.commands.leaving import TableRemove, TableReturn, TableSeat
from events.table.commands.rulings import TableEnd, TablePause
from events.table.game import Game
from events.table.record import Actor
from events.table.terms import account_digest
from service import invitations
from service.accounts import Account
from service.acting import acting_as, sitting_down
from service.admission import shown_invitation, using
from service.asking import signed_in
from service.invitations import Held
from service.one_game import OneGame
from service.permissions import may
from service.process import process
from service.seats import not_a_player, not_your_seat
from service.texts import FIELD, LONGEST
from service.thinkers import check_room
from service.wire.bodies import INVITATION, read, read_time
from service.wire.preconditions import chosen_id, command_id, signature
from service.wire.problems import Problem, invalid

CLAIMING = (TableReturn, TableSeat)
"""Commands by which an account sits down: the id of each is its claim to the seat."""
WITH_TEXT = (TableEnd, TablePause, TableRemove)
"""Commands beside which a director may write a sentence."""
GIVEN = {name: kind for name, kind in command_rules.COMMANDS.items() if not kind.house}
"""The commands that a client may give."""


class Shown(msgspec.Struct, frozen=True):
    """Whether somebody shows an invitation with his command, and which it is, if it is one to this game."""

    any: bool = False
    held: Held | None = None


def invitation_in(id: str, body: dict[str, Any]) -> Shown:
    """The invitation in *body*, which takes a seat; takes it out. Raises a 422 problem."""
    if body.get("type") != type_name(TableSeat) or "invitation" not in body:
        return Shown()
    secret = body.pop("invitation")
    if secret is None:
        return Shown()
    if not isinstance(secret, str) or not re.fullmatch(INVITATION, secret):
        raise invalid({"invitation": ["Send what whoever invited you gave you: inv_..."]})
    return Shown(True, shown_invitation(id, secret))


def is_of_table(body: dict[str, Any]) -> bool:
    """Whether this is meant to be a command of the table."""
    return isinstance(body.get("type"), str) and body["type"].startswith(command_rules.PREFIX)


def give(
    met: OneGame,
    account: Account,
    body: dict[str, Any],
    invited: Shown,
    key: str | None,
    expected: int | None,
) -> GameCommandResult:
    """Have a command of the table carried out for *account*, who may be *invited*. Raises problems."""
    kind = GIVEN.get(body["type"])
    if kind is None:
        known = ", ".join(GIVEN)
        errors = {"type": [f"Must be one of: {known}."]}
        raise Problem(
            422, "unknown_command", f"The table takes no such command. It takes: {known}.", errors=errors
        )
    acting = None if "seat" in kind.__struct_fields__ else body.pop("seat", None)
    if acting is not None and type(acting) is not int:
        raise invalid({"seat": ["Give the number of one of your seats."]})
    command = _read(body, kind)
    directing = command_rules.RULES[kind].by == ("director",) or getattr(command, "bot", None) is not None
    signed_in("game:direct" if directing else "game:play", game=met.game.id)
    if isinstance(command, TableReturn) or (isinstance(command, TableSeat) and command.bot is None):
        return _claim(met, account, command, acting, invited, key, expected)
    actor = _actor(met, account, command, acting)
    if isinstance(command, TableSeat):
        _check_offered(met.game, command.bot)
        check_room(process(), (command.bot,))
    return _carried_out(met.game, account, actor, command, key, expected)


def _read(body: dict[str, Any], kind: type[Command]) -> Command:
    """The command in *body*: times as events record them, a text as it was written. Raises 422 problems."""
    if "who" in body:
        raise invalid({"who": ["Unknown field."]})
    if body.get("until") is not None:
        body["until"] = read_time(body["until"], "until")
    text = body.get(FIELD)
    if isinstance(text, str) and not 1 <= len(text) <= LONGEST:
        raise invalid({FIELD: [f"Write 1 to {LONGEST} characters."]})
    return read(body, kind)


def _actor(met: OneGame, account: Account, command: Command, acting: Seat | None) -> Actor:
    """Under which name *account* gives *command*. Raises 403 and 409 problems."""
    roles = command_rules.RULES[type(command)].by
    own = met.viewer.mine
    if "seat" in roles and own and not isinstance(command, TableSeat):
        return _own_seat(own, acting)
    if "director" not in roles:
        raise not_a_player()
    removing = isinstance(command, TableRemove)
    signed_in("game:direct", game=met.game.id)
    return process().directors.acting(met.game, account, own, removing=removing)


def _check_offered(game: Game, bot: str | None) -> None:
    """Raise a 422 problem for who does not play this title here, :class:`Rejected` for who may not now."""
    offered = process().offered
    if bot not in offered.at(game.title_id):
        raise invalid({"bot": [f"Must be one of: {', '.join(offered.at(game.title_id))}."]})
    offered.check((bot,), counts=game.tournament is not None or (game.terms.rated and not game.analysis))


def _own_seat(own: tuple[Seat, ...], acting: Seat | None) -> Seat:
    if acting is None and len(own) == 1:
        return own[0]
    if acting is None:
        yours = ", ".join(map(str, own))
        raise Problem(409, "seat_required", f"You hold several seats; say which one acts: `seat`: {yours}.")
    if acting not in own:
        raise not_your_seat(own)
    return acting


def _carried_out(
    game: Game, account: Account, actor: Actor, command: Command, key: str | None, expected: int | None
) -> GameCommandResult:
    """Under the id that the key chooses, or that follows from it."""
    name = actor if isinstance(actor, int) else f"{actor}/{account.id}"
    chosen = key and chosen_id(key)
    if chosen:
        try:
            return _under(game, account, actor, command, chosen, expected)
        except SeatsDiffer:  # one key for commands of several who act: an id stands in the log once
            key = chosen
    return _under(game, account, actor, command, command_id(game.id, name, key) if key else None, expected)


def _under(
    game: Game, account: Account, actor: Actor, command: Command, cmd: str | None, expected: int | None
) -> GameCommandResult:
    if isinstance(command, WITH_TEXT) and command.text is not None:
        cmd = cmd or new_command_id()
        told = process().texts.keep(game.id, cmd, account, command.text, process().seats.claim_key())
        command = replace(command, text=told)
    allowed = acting_as(process(), account, actor, removing=isinstance(command, TableRemove))
    give = partial(process().games.table_command, game.id, actor, command, expected=expected, allowed=allowed)
    return give(command_id=cmd, signature=signature() if isinstance(actor, int) else None)


def _claim(
    met: OneGame,
    account: Account,
    command: TableReturn | TableSeat,
    acting: Seat | None,
    invited: Shown,
    key: str | None,
    expected: int | None,
) -> GameCommandResult:
    """Sit down at a seat: the rules first, then the claim, then the event. Raises problems."""
    game, seats = met.game, process().seats
    claim = seats.claim_id(account, game.id, key or str(uuid4()))
    told = None
    if isinstance(command, TableReturn):
        seat, told = _left(met, account, acting)
    else:
        seat = command.seat
        _insist_on_taking(game, account, seat, invited)
    named = account_digest(told or bytes(16), account.id, game.service)
    allowed = sitting_down(process(), account, anywhere=told is None, again=told is not None)
    done = process().games.find_earlier(game.id, claim) if key else None
    if done is None:
        allowed(game)
        command_rules.decide(
            game,
            seat,
            replace(command, who=named),
            process().games.next_time(game),
            process().games.keys(game),
        )

    def sit() -> GameCommandResult:
        salt = seats.claim(claim, game.id, account, [seat], told)[seat]
        sitting = replace(command, who=account_digest(salt, account.id, game.service))
        return process().games.table_command(
            game.id, seat, sitting, expected=expected, command_id=claim, allowed=allowed
        )

    return sit() if done else using(invited.held, claim, sit)


def _insist_on_taking(game: Game, account: Account, seat: Seat, invited: Shown) -> None:
    """Raise a 403 problem for who may not take over this seat."""
    if invited.any and invited.held is None:
        raise invitations.unknown()
    held = invited.held
    process().bans.check(account)
    if held is not None and held.seat not in (None, seat):
        raise Problem(403, "not_invited", f"This invitation is for seat {held.seat}.")
    asked = absence_settings(game).substitutes == "invited" and held is None
    if (
        game.tournament is not None
        or asked
        or "sit" not in may(process(), account, game, invited=held is not None)
    ):
        detail = (
            "Only who is invited sits down here. Ask whoever made the game for an `invitation` and send it."
        )
        raise Problem(403, "not_invited", detail)


def _left(met: OneGame, account: Account, acting: Seat | None) -> tuple[Seat, bytes]:
    """The seat that *account* has left, and the salt with which the log named him there. Raises 403."""
    seats, game = process().seats, met.game
    for held in reversed(seats.left(game, account)):
        if acting in (None, held.seat) and held.claim is not None:
            for salt in seats.salts(held.claim, game.id).values():
                if account_digest(salt, account.id, game.service) == held.who:
                    return held.seat, salt
    raise Problem(
        403, "not_a_player", "You have not held and left a seat of this game to which you could return."
    )
