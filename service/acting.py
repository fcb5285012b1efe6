"""Whether whoever acts may do so still when the log decides: between look and append seats change hands.

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
from service.accounts import Account
from service.pool import patient
from service.process import Process
from service.seats import mine
from service.wire.preconditions import chosen_id, command_id


def acting_as(process: Process, account: Account, actor: Actor, *, removing: bool = False) -> Guard:
    """*actor* is still the name of *account*: its seat was not given away, nor has a director sat down."""

    def allowed(game: Game) -> None:
        own = mine(process.seats.holders(game), account)
        if isinstance(actor, int):
            if actor not in own:
                raise Rejected("not_a_player", "You hold this seat no more: it was given away a moment ago.")
        elif process.directors.acting(game, account, own, removing=removing) != actor:
            raise Rejected("not_a_director", "You direct this table no more.")

    return allowed


def gave_before(process: Process, account: Account, game: Game, key: str) -> Seat | None:
    """The seat for which *account* gave a command with this *key*, though it holds it no more.

    A request can be sent again after one has left, or was removed. Of whoever came later nothing is answered:
    what counts stands in the log before the end of the account's own holding, or is that it freed the seat of
    a table that had not begun, which everybody sees.
    """
    until = {held.seat: held.until for held in process.seats.left(game, account)}
    for seat in process.seats.claimed(game.id, account):
        for known in (chosen_id(key), command_id(game.id, seat, key)):
            done = process.games.find_earlier(game.id, known) if known else None
            if done is None or seat_of(done.last.envelope().by) != seat:
                continue
            first = done.records[0]
            if first.seq <= until.get(seat, 0) or first.type == "SeatFreed":
                return seat
    return None


def sitting_down(process: Process, account: Account, *, anywhere: bool = False, again: bool = False) -> Guard:
    """*account* has no seat yet where it may have one only: where time is counted, or *anywhere*. And it is
    as reliable as the table has settled, unless it sat there before and comes *again*.
    """

    def allowed(game: Game) -> None:
        if not again:
            _check_reliable(process, account, game)
        if anywhere or game.clock is not None:
            check_one_seat(mine(process.seats.holders(game), account))

    return allowed


def check_one_seat(own: tuple[Seat, ...]) -> None:
    """Raises :class:`Rejected` for who plays already."""
    if own:
        detail = f"You play for seat {own[0]}. One account plays for one seat here."
        raise Rejected("already_seated", detail)


def _check_reliable(process: Process, account: Account, game: Game) -> None:
    """Raises :class:`Rejected` for who leaves too many decisions unanswered for this table."""
    settled = game.terms.seating
    if settled is None or process.seats.owner(game) == account.id:
        return
    has = reliability_of(process, account)
    if has < settled.reliability:
        detail = f"This table is for a reliability of {settled.reliability} or more, yours is {has}."
        raise Rejected("not_eligible", f"{detail} Answer in time elsewhere, and it will rise.")


@patient
def reliability_of(process: Process, account: Account) -> int:
    """0 to 100: how many of the decisions that were due *account* has answered in time."""
    return reliability.read_record(process.pool, account.id, process.games.now()).percent
