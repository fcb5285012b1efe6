"""A game as the API shows it, with what stands beside the log: who may see it, for whom seats are kept."""

from __future__ import annotations

from msgspec.structs import replace

from events.table.game import Game
from service import present
from service.accounts import Account
from service.process import Process
from service.reservations import Kept
from service.schemas import shapes
from service.seats import Holders, Viewer


def shown(process: Process, game: Game, last: int, holders: Holders, viewer: Viewer) -> shapes.Game:
    """*game* after one of its events, of which *last* is the newest, through the eyes of *viewer*."""
    frozen = process.frozen(game.id)
    told = present.game(
        game, last, holders, viewer, process.games.now(), None if frozen is None else min(frozen, last)
    )
    kept = process.reservations.of(game) if game.status == "open" else {}
    return replace(
        told,
        visibility=process.access.of(game),
        seats=[_seat(seat, kept, viewer.account) for seat in told.seats],
    )


def _seat(seat: shapes.Seat, kept: Kept, account: Account | None) -> shapes.Seat:
    """An open *seat* that is kept for somebody says so, and whoever looks whether it is for him."""
    if seat.open is not True or seat.seat not in kept:
        return seat
    mine = account is not None and kept[seat.seat] == account.id
    return replace(seat, invited="me" if mine else "somebody")
