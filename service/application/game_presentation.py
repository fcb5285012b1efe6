"""A game as the API shows it, with what stands beside the log.

Beside the log stand the accounts that may see it, and those for which seats are kept.
"""

from __future__ import annotations

from msgspec.structs import replace

from events.table.game import Game
from service.application.container import Services
from service.base.people import Account, Holders, Viewer
from service.openapi import response_structs
from service.presenters import game_presenter
from service.stores.seat_reservations import ReservedSeats


def present_game_for_viewer(
    services: Services, game: Game, last: int, holders: Holders, viewer: Viewer
) -> response_structs.Game:
    """Return *game* after one of its events, of which *last* is the newest, through the eyes of *viewer*."""
    frozen = services.get_frozen_seq(game.id)
    presented = game_presenter.present_game(
        game, last, holders, viewer, services.games.now(), None if frozen is None else min(frozen, last)
    )
    kept = services.reservations.get(game) if game.status == "open" else {}
    return replace(
        presented,
        visibility=services.visibility.get(game),
        seats=[_mark_reserved(seat, kept, viewer.account) for seat in presented.seats],
    )


def _mark_reserved(
    seat: response_structs.Seat, kept: ReservedSeats, account: Account | None
) -> response_structs.Seat:
    """Mark an open *seat* that is kept: as kept for *account*, or for another one."""
    if seat.open is not True or seat.seat not in kept:
        return seat
    mine = account is not None and kept[seat.seat] == account.id
    return replace(seat, invited="me" if mine else "somebody")
