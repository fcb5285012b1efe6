"""Authorization at the moment when the log decides: between look and append seats change hands.

Each of these is asked in the very state on which a command is decided. Who is behind the seats is read again
only where somebody has come or gone.
"""

from __future__ import annotations

from events.rules.fact import Seat
from events.rules.steps import Rejected
from events.store.games import Guard
from events.table.game import Game
from events.table.record import Actor, seat_of
from projections.read_models import reliability
from service.application.container import Services
from service.base.database import retry_on_disconnect
from service.base.people import Account
from service.http.preconditions import derive_command_id, get_chosen_id
from service.stores.seat_claims import get_own_seats


def may_act_guard(services: Services, account: Account, actor: Actor, *, removing: bool = False) -> Guard:
    """Return a guard that *actor* is still the name of *account*.

    It raises Rejected where the seat was given away, or where the account directs the table no more.
    """

    def check(game: Game) -> None:
        own = get_own_seats(services.seat_claims.holders(game), account)
        if isinstance(actor, int):
            if actor not in own:
                raise Rejected(
                    "not_a_player", "You no longer hold this seat. Read the game to see its holder."
                )
        elif services.directors.require_director_name(game, account, own, removing=removing) != actor:
            raise Rejected("not_a_director", "You no longer direct this game. Ask one of its directors.")

    return check


def previous_command_seat(services: Services, account: Account, game: Game, key: str) -> Seat | None:
    """Return the seat for which *account* gave a command with this *key*, though it holds it no more.

    A request can be sent again after the account has left, or was removed. Of later holders nothing is
    answered. A command counts that stands in the log before the end of the account's own holding. So does one
    that freed the seat of a table that had not begun, which everybody sees.
    """
    until = {held.seat: held.until for held in services.seat_claims.former_tenures(game, account)}
    for seat in services.seat_claims.list_claimed_seats(game.id, account):
        for known in (get_chosen_id(key), derive_command_id(game.id, seat, key)):
            done = services.games.find_earlier(game.id, known) if known else None
            if done is None or seat_of(done.last.envelope().by) != seat:
                continue
            first = done.records[0]
            if first.seq <= until.get(seat, 0) or first.type == "SeatFreed":
                return seat
    return None


def may_join_guard(
    services: Services, account: Account, *, anywhere: bool = False, again: bool = False
) -> Guard:
    """Return a guard that *account* may take a seat.

    It has no seat yet where it may have one only: where time is counted, or *anywhere*. And it is as reliable
    as the table has settled, unless it sat there before and comes *again*.
    """

    def check(game: Game) -> None:
        if not again:
            _check_reliability(services, account, game)
        if anywhere or game.clock is not None:
            check_one_seat(get_own_seats(services.seat_claims.holders(game), account))

    return check


def check_one_seat(own: tuple[Seat, ...]) -> None:
    """Raise :class:`Rejected` for an account that plays already."""
    if own:
        detail = f"You already hold seat {own[0]}. In this game an account may hold one seat: play that one."
        raise Rejected("already_seated", detail)


def _check_reliability(services: Services, account: Account, game: Game) -> None:
    """Raise :class:`Rejected` for an account that leaves too many decisions unanswered for this table."""
    settled = game.terms.seating
    if settled is None or services.seat_claims.owner(game) == account.id:
        return
    has = get_reliability(services, account)
    if has < settled.reliability:
        detail = f"This game needs a reliability of {settled.reliability} or more, and yours is {has}."
        raise Rejected("not_eligible", f"{detail} Answer in time in other games, and yours rises.")


@retry_on_disconnect
def get_reliability(services: Services, account: Account) -> int:
    """Return the percentage, 0 to 100, of the due decisions that *account* has answered in time."""
    return reliability.read_record(services.pool, account.id, services.games.now()).percent
