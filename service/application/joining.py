"""Joining a game: the salt or invitation that a player brings, and the seats that are kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from events.rules.catalogue import RulesMissing
from events.rules.fact import Seat
from events.rules.steps import Rejected
from events.store.archived_games import ArchiveUnavailable
from events.store.games import GameCommandResult, UnknownGame
from events.table.game import Game
from service.application.authorization import get_permissions
from service.application.game_context import load_visible_game, read_game_id, visible_state
from service.application.request_context import get_services
from service.application.throttling import mark_credential_attempt
from service.base.people import Account
from service.http.problems import DATABASE_AWAY, Problem
from service.openapi.request_structs import Join
from service.stores import invitations
from service.stores.invitations import PresentedInvitation
from service.stores.seat_reservations import ReservedSeats


class JoinRequest(msgspec.Struct, frozen=True):
    """The request of a player for a seat of a game that they may know of."""

    account: Account
    game: Game
    salt: str | None
    """The salt that was told to the account for which the log keeps a seat."""
    presented: bool
    """True if the player has shown an invitation, good or not."""
    invitation: PresentedInvitation | None
    """The invitation, if it is one to this game."""
    reserved: ReservedSeats

    def require_may_sit(self) -> None:
        """Raise a 403 problem if the player may take no seat here at all."""
        if self.presented and self.invitation is None:
            raise invitations.InvalidInvitation
        invited = self.invitation is not None
        if "sit" not in get_permissions(get_services(), self.account, self.game, self.salt, invited=invited):
            detail = (
                "Only invited players may join this game. Ask its creator for an `invitation`, and send it."
            )
            raise Problem(403, "not_invited", detail)

    def require_may_take(self, seat: Seat) -> None:
        """Raise Rejected for a seat that is kept for another player, or that the invitation is not for."""
        meant = self.invitation is not None and self.invitation.seat in (None, seat)
        if self.invitation is not None and not meant:
            raise Rejected(
                "not_invited",
                f"This invitation is for seat {self.invitation.seat}. Take that seat, or ask for another"
                f" invitation.",
            )
        if seat in self.reserved and self.reserved[seat] != self.account.id and not meant:
            raise Rejected(
                "not_invited",
                "This seat is reserved. Ask the creator of the game for an `invitation`, and send it.",
            )

    def list_seats(self) -> Sequence[Seat]:
        """Return the seats in the order in which they are offered: those kept for the player come first."""
        own = [seat for seat, account in self.reserved.items() if account == self.account.id]
        return [*own, *(seat for seat in range(len(self.game.seats)) if seat not in own)]


def redeem_invitation(
    held: PresentedInvitation | None, claim: str, sit: Callable[[], GameCommandResult]
) -> GameCommandResult:
    """Take a seat with what is used of the invitation, if there is one; refused, nothing is used."""
    if held is None:
        return sit()
    services = get_services()
    services.invitations.use(held, claim, services.games.now())
    try:
        return sit()
    except (Rejected, Problem):
        services.invitations.give_back(held, claim)
        raise


def find_presented_invitation(text: str, secret: str) -> PresentedInvitation | None:
    """Return the invitation to the game of that id that is shown; None where it is none."""
    mark_credential_attempt()
    return get_services().invitations.find(read_game_id(text), secret)


def find_invited_game(text: str, secret: str) -> tuple[Game, str] | None:
    """Return the game of that id as a spectator sees it, and the account that invites to it.

    None unless *secret* is an invitation to it that can be used now, also if the game cannot be read now.
    """
    services = get_services()
    try:
        held = services.invitations.find_valid(secret, services.games.now())
        if held is None or held.subject != text.lower():
            return None
        game = services.games.load(held.subject)
        return None if services.visibility.is_hidden(game) else (visible_state(game, None), held.by)
    except (UnknownGame, RulesMissing, ArchiveUnavailable, *DATABASE_AWAY):
        return None


def make_join_request(text: str, account: Account, body: Join) -> JoinRequest:
    """Make the request of *account* to join a game that it may know of, or has an invitation to.

    Raises UnknownGame for all others, as for a game that there is not.
    """
    held = None if body.invitation is None else find_presented_invitation(text, body.invitation)
    game = load_visible_game(text, body.salt, scopes=("game:play",), invited=held is not None)
    if game.status != "open":
        game = visible_state(game, account)  # nobody learns by a refusal how it goes on
    kept = get_services().reservations.get(game)
    return JoinRequest(account, game, body.salt, body.invitation is not None, held, kept)
