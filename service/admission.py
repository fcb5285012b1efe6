"""Who may sit down where: what somebody brings along who joins, and the seats that are kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from events.rules.fact import Seat
from events.rules.steps import Rejected
from events.store.games import GameCommandResult
from events.table.game import Game
from service import invitations
from service.accounts import Account
from service.invitations import Held
from service.one_game import as_seen, read_game_id, seen
from service.permissions import may
from service.process import process
from service.reservations import Kept
from service.throttle import guessing
from service.wire.bodies import Join
from service.wire.problems import Problem


class Guest(msgspec.Struct, frozen=True):
    """Somebody who may know of a game, and would sit down there."""

    account: Account
    game: Game
    salt: str | None
    """What was told to somebody for whom the log keeps a seat."""
    shown: bool
    """Whether he has shown an invitation, such as it is."""
    held: Held | None
    """The invitation, if it is one to this game."""
    kept: Kept

    def insist_on_sitting(self) -> None:
        """Raise a 403 problem for who may not sit down here, whatever the seat."""
        if self.shown and self.held is None:
            raise invitations.unknown()
        invited = self.held is not None
        if "sit" not in may(process(), self.account, self.game, self.salt, invited=invited):
            detail = "Only who is invited sits down here. Ask whoever made the game for an invitation."
            raise Problem(403, "not_invited", detail)

    def insist_on_seat(self, seat: Seat) -> None:
        """Raise Rejected for a seat that is kept for somebody else, or that the invitation is not for."""
        meant = self.held is not None and self.held.seat in (None, seat)
        if self.held is not None and not meant:
            raise Rejected("not_invited", f"This invitation is for seat {self.held.seat}.")
        if seat in self.kept and self.kept[seat] != self.account.id and not meant:
            raise Rejected(
                "not_invited", "This seat is kept. Ask whoever made the game for an `invitation` and send it."
            )

    def seats(self) -> Sequence[Seat]:
        """The seats in the order in which he is offered them: those that are kept for him come first."""
        own = [seat for seat, account in self.kept.items() if account == self.account.id]
        return [*own, *(seat for seat in range(len(self.game.seats)) if seat not in own)]


def using(held: Held | None, claim: str, sit: Callable[[], GameCommandResult]) -> GameCommandResult:
    """Sit down with what is used of the invitation, if there is one; refused, nothing is used."""
    if held is None:
        return sit()
    here = process()
    here.invitations.use(held, claim, here.games.now())
    try:
        return sit()
    except (Rejected, Problem):
        here.invitations.give_back(held, claim)
        raise


def shown_invitation(text: str, secret: str) -> Held | None:
    """The invitation to the game of that id that somebody shows; None where it is none."""
    guessing()
    return process().invitations.find(read_game_id(text), secret)


def admitted(text: str, account: Account, wish: Join) -> Guest:
    """*account*, who may know of the game of that id, or brings an invitation to it.

    Raises UnknownGame for all others, as for a game that there is not.
    """
    held = None if wish.invitation is None else shown_invitation(text, wish.invitation)
    game = seen(text, wish.salt, invited=held is not None)
    if game.status != "open":
        game = as_seen(game, account)  # nobody learns by a refusal how it goes on
    kept = process().reservations.of(game)
    return Guest(account, game, wish.salt, wish.invitation is not None, held, kept)
