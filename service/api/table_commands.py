"""Commands of the table itself: the permission to give each, and the name of its giver in the log."""

from __future__ import annotations

from functools import partial
from typing import Any
from uuid import uuid4

import msgspec
from msgspec.structs import replace

from events.rules.fact import Seat, type_name
from events.rules.steps import Command
from events.store.games import GameCommandResult, new_command_id
from events.table.clock_updates import absence_settings
from events.table.commands import command_rules
from events.table.commands.leaving import TableRemove, TableReturn, TableSeat
from events.table.commands.rulings import TableEnd, TablePause
from events.table.commands.undo import TableUndo
from events.table.game import Game
from events.table.record import Actor
from events.table.terms import account_digest
from service.application.authorization import check_may_act, get_permissions, may_join_guard
from service.application.bot_capacity import check_bot_capacity
from service.application.game_context import GameContext
from service.application.joining import find_presented_invitation, redeem_invitation
from service.application.request_context import (
    CommandRequest,
    choose_seat,
    execute,
    get_services,
    require_scopes,
)
from service.application.schemas.command_schemas import (
    CLIENT_COMMANDS,
    make_invitation_field,
    make_table_commands,
)
from service.base.people import Account
from service.http.problems import Problem, invalid_parameters
from service.http.request_data import build_struct, load_member, load_request
from service.stores import invitations
from service.stores.invitations import PresentedInvitation
from service.stores.seat_claims import MissingSeat

CLAIMING_COMMANDS = (TableReturn, TableSeat)
"""Commands by which an account takes a seat: the id of each is its claim to the seat."""
COMMANDS_WITH_TEXT = (TableEnd, TablePause, TableRemove)
"""Commands beside which a director may write a sentence."""


class InvitationInBody(msgspec.Struct, frozen=True):
    """The invitation sent with a command, if there is one; None in it if it is not for this game."""

    is_present: bool = False
    invitation: PresentedInvitation | None = None


def take_invitation(id: str, body: dict[str, Any]) -> InvitationInBody:
    """Look the invitation up that stands in *body*, a command to take a seat. Raises a 422 problem."""
    if body.get("type") != type_name(TableSeat) or body.get("invitation") is None:
        return InvitationInBody()
    secret = load_member(body, "invitation", make_invitation_field())
    return InvitationInBody(True, find_presented_invitation(id, secret))


def give_table_command(
    context: GameContext, request: CommandRequest, body: dict[str, Any], invited: InvitationInBody
) -> GameCommandResult:
    """Carry out a command of the table for an account that may be *invited*. Raises problems."""
    account = request.account
    kind = CLIENT_COMMANDS.get(body["type"])
    if kind is None:
        known = ", ".join(CLIENT_COMMANDS)
        errors = {"type": [f"Must be one of: {known}."]}
        raise Problem(
            422, "unknown_command", f"There is no such table command. Send one of: {known}.", errors=errors
        )
    loaded = load_request(body, make_table_commands(get_services().bot_catalogue.all_names))
    acting = None if "seat" in kind.__struct_fields__ else loaded.pop("seat", None)
    loaded.pop("invitation", None)  # it has been taken
    command = build_struct(loaded, kind)
    if kind is TableUndo and request.expected is None:
        raise Problem(
            428,
            "version_required",
            "You can take back only from the state that you have seen. Send its event as `If-Match`.",
        )
    directing = command_rules.RULES[kind].by == ("director",) or getattr(command, "bot", None) is not None
    require_scopes("game:direct" if directing else "game:play", game=context.game.id)
    if isinstance(command, TableReturn) or (isinstance(command, TableSeat) and command.bot is None):
        return _claim_seat(context, request, command, acting, invited)
    actor = _find_actor(context, account, command, acting)
    if isinstance(command, TableSeat):
        _check_bot(context.game, command.bot)
        check_bot_capacity(get_services(), (command.bot,))
    name = actor if isinstance(actor, int) else f"{actor}/{account.id}"
    return execute(request, name, lambda cmd: _execute_as(request, actor, command, cmd))


def _find_actor(context: GameContext, account: Account, command: Command, acting: Seat | None) -> Actor:
    """Return the actor under which *account* gives *command*. Raises 403 and 409 problems."""
    roles = command_rules.RULES[type(command)].by
    own = context.viewer.mine
    if "seat" in roles and own and not isinstance(command, TableSeat):
        return choose_seat(own, acting)
    if "director" not in roles:
        raise MissingSeat
    removing = isinstance(command, TableRemove)
    require_scopes("game:direct", game=context.game.id)
    return get_services().directors.require_director_name(context.game, account, own, removing=removing)


def _check_bot(game: Game, bot: str | None) -> None:
    """Raise a 422 problem for a bot that does not play this title, :class:`Rejected` for one not allowed."""
    offered = get_services().bot_catalogue
    if bot not in offered.names_for_title(game.title_id):
        raise invalid_parameters(
            {"bot": [f"Must be one of: {', '.join(offered.names_for_title(game.title_id))}."]}
        )
    offered.check_auditable(
        (bot,), counts=game.tournament is not None or (game.terms.rated and not game.analysis)
    )


def _execute_as(
    request: CommandRequest, actor: Actor, command: Command, cmd: str | None
) -> GameCommandResult:
    """Carry out *command* of *actor* under the id *cmd*; its text is stored beside the log."""
    services, account = get_services(), request.account
    if isinstance(command, COMMANDS_WITH_TEXT) and command.text is not None:
        cmd = cmd or new_command_id()
        told = services.texts.store(
            request.stream, cmd, account, command.text, services.seat_claims.claim_key()
        )
        command = replace(command, text=told)
    return services.games.table_command(
        request.stream,
        actor,
        command,
        expected=request.expected,
        allowed=partial(check_may_act, services, account, actor, removing=isinstance(command, TableRemove)),
        command_id=cmd,
        signature=request.signature if isinstance(actor, int) else None,
    )


def _claim_seat(
    context: GameContext,
    request: CommandRequest,
    command: TableReturn | TableSeat,
    acting: Seat | None,
    invited: InvitationInBody,
) -> GameCommandResult:
    """Take a seat: check the rules first, then write the claim, then the event. Raises problems."""
    game, account, seats = context.game, request.account, get_services().seat_claims
    claim = seats.derive_claim_id(account, game.id, request.key or str(uuid4()))
    told = None
    if isinstance(command, TableReturn):
        seat, told = _find_left_seat(context, account, acting)
    else:
        seat = command.seat
        _require_may_take(game, account, seat, invited)
    named = account_digest(told or bytes(16), account.id, game.service)
    allowed = may_join_guard(get_services(), account, anywhere=told is None, again=told is not None)
    done = get_services().games.find_earlier(game.id, claim) if request.key else None
    if done is None:
        allowed(game)
        command_rules.decide(
            game,
            seat,
            replace(command, who=named),
            get_services().games.next_time(game),
            get_services().games.keys(game),
        )

    def sit() -> GameCommandResult:
        salt = seats.claim(claim, game.id, account, [seat], told)[seat]
        sitting = replace(command, who=account_digest(salt, account.id, game.service))
        return get_services().games.table_command(
            game.id, seat, sitting, expected=request.expected, command_id=claim, allowed=allowed
        )

    return sit() if done else redeem_invitation(invited.invitation, claim, sit)


def _require_may_take(game: Game, account: Account, seat: Seat, invited: InvitationInBody) -> None:
    """Raise a 403 problem if the account may not take over this seat."""
    if invited.is_present and invited.invitation is None:
        raise invitations.InvalidInvitation
    held = invited.invitation
    get_services().bans.check(account)
    if held is not None and held.seat not in (None, seat):
        raise Problem(
            403,
            "not_invited",
            f"This invitation is for seat {held.seat}. Take that seat, or ask for another invitation.",
        )
    asked = absence_settings(game).substitutes == "invited" and held is None
    if (
        game.tournament is not None
        or asked
        or "sit" not in get_permissions(get_services(), account, game, invited=held is not None)
    ):
        detail = (
            "Only invited players may take this seat. Ask the creator of the game for an `invitation`,"
            " and send it."
        )
        raise Problem(403, "not_invited", detail)


def _find_left_seat(context: GameContext, account: Account, acting: Seat | None) -> tuple[Seat, bytes]:
    """Return the seat that *account* has left, and the salt of its digest in the log there. Raises 403."""
    seats, game = get_services().seat_claims, context.game
    for held in reversed(seats.former_tenures(game, account)):
        if acting in (None, held.seat) and held.claim is not None:
            for salt in seats.salts(held.claim, game.id).values():
                if account_digest(salt, account.id, game.service) == held.who:
                    return held.seat, salt
    raise Problem(
        403, "not_a_player", "You have not left a seat of this game. To take a free seat, use `table_seat`."
    )
