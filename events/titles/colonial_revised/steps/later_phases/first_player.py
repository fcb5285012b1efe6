"""Phase 3: the order cards are dealt again (REV-035, REV-036)."""

from __future__ import annotations

from events.rules.steps import Draft
from events.titles.colonial_revised import facts as f
from events.titles.colonial_revised.derived import resources, standings
from events.titles.colonial_revised.state import State


def set_order(draft: Draft[State]) -> None:
    """Fewest Prestige Points first; ties down the list, at last by dice."""
    keys = order_keys(draft.state)
    order: list[int] = []
    for key in sorted(set(keys)):
        tied = tuple(seat for seat in range(draft.state.seats) if keys[seat] == key)
        order += roll_off(draft, tied)
    draft.emit(f.PlayerOrderSet(order=tuple(order)))


def order_keys(state: State) -> list[tuple[int, int, int, int, int]]:
    """Points, spaces, Monopolies, Treasury less Loans, fleets and Squadrons: less comes first (REV-036)."""
    return [
        (
            standing.total,
            resources(state, seat),
            standing.monopoly,
            player.treasury - player.loans,
            player.merchant_fleets + player.squadrons,
        )
        for seat, (player, standing) in enumerate(zip(state.players, standings(state), strict=True))
    ]


def roll_off(draft: Draft[State], tied: tuple[int, ...]) -> list[int]:
    """The higher roll first, re-rolled while tied."""
    if len(tied) == 1:
        return list(tied)
    rolls: tuple[int, ...] = draft.chance.roll(len(tied))
    draft.emit(f.TieRolled(seats=tied, rolls=rolls))
    order: list[int] = []
    for face in sorted(set(rolls), reverse=True):
        equal = tuple(seat for seat, roll in zip(tied, rolls, strict=True) if roll == face)
        order += roll_off(draft, equal)
    return order
