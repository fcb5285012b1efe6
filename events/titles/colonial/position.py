"""The whole state as readable JSON, and back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Any

import msgspec
from msgspec.structs import asdict, replace

from events.rules.kit.overseas.piles import Pile
from events.rules.kit.positions import from_mapping, read
from events.rules.kit.values import plain, remove_each
from events.titles.colonial.data import CARDS, NATIONS, RULES, SPACES, TERRITORIES, TERRITORY
from events.titles.colonial.options import Options, Variant
from events.titles.colonial.position_checks import check
from events.titles.colonial.state import Action, BoomingCity, Land, Phase, Player, State, War

Small = Annotated[int, msgspec.Meta(ge=0, le=1000)]
AnySeat = Annotated[int, msgspec.Meta(ge=0, le=5)]


class _Territory(msgspec.Struct, forbid_unknown_fields=True):
    prestige: Small
    unrest: Small
    missions: Small
    colony: AnySeat | None
    independent: bool
    excluded: bool
    piles: dict[str, tuple[AnySeat, ...]]


class _Position(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    options: Options
    variant: Variant
    status: str
    winner: AnySeat | None
    phase: Phase
    turn: Small
    round: Small
    first_player: AnySeat
    active: AnySeat | None
    players: tuple[Player, ...]
    programmes: tuple[tuple[str, ...], ...]
    territories: dict[str, _Territory]
    booming_city: BoomingCity | None
    discovery_box: Small
    circumnavigation_box: Small
    america_discovered: bool
    discovered_this_round: bool = False
    next_loan: Annotated[int, msgspec.Meta(ge=1, le=9_999)]
    played: str | None
    action: Action | None
    war: War | None


_AS_THEY_ARE = tuple(name for name in _Position.__struct_fields__ if name != "territories")


def position(state: State) -> dict[str, Any]:
    """The whole state, secrets included; Territories by id, piles by Resource, bottom first."""
    data: dict[str, Any] = {name: getattr(state, name) for name in _AS_THEY_ARE}
    data["territories"] = {
        land.id: {
            **asdict(state.lands[land.number]),
            "piles": {SPACES[space].resource: state.piles[space] for space in land.spaces},
        }
        for land in TERRITORIES
    }
    return plain(data)


def from_position(data: dict[str, Any]) -> State:
    """The inverse of :func:`position`. Raises :class:`InvalidPosition`."""
    given = read(data, _Position)
    places = from_mapping(tuple(TERRITORY), given.territories, "territories")
    values: dict[str, Any] = {name: getattr(given, name) for name in _AS_THEY_ARE}
    lands = tuple(Land(**{name: getattr(place, name) for name in Land.__struct_fields__}) for place in places)
    state = _complete(State(**values, lands=lands, piles=_piles(places)))
    check(state)
    return state


def _piles(places: Sequence[_Territory]) -> tuple[Pile, ...]:
    """Return one pile for each Resource space, and no other."""
    for land, place in zip(TERRITORIES, places, strict=True):
        wanted = tuple(SPACES[space].resource for space in land.spaces)
        from_mapping(wanted, place.piles, f"territories.{land.id}.piles")
    return tuple(places[space.territory].piles[space.resource] for space in SPACES)


def _complete(state: State) -> State:
    """Fill in what a position may leave out: the acting seat, cards of rows, the extra card of a Nation.

    In the phases where somebody acts and nobody is named it is the First Player. In the Endeavour phase a
    round of 0 is the first, and rows are filled up with the usual cards.
    """
    players = tuple(_with_extra_card(player) for player in state.players)
    state = replace(state, players=players)
    if state.status == "finished" or state.phase not in ("endeavour", "merchant_fleets", "naval_forces"):
        return state
    if state.active is None:
        state = replace(state, active=state.first_player)
    if state.phase == "endeavour":
        state = replace(state, round=state.round or 1, programmes=tuple(map(_fill, state.programmes)))
    return state


def _fill(row: tuple[str, ...]) -> tuple[str, ...]:
    """A row of five: what is given, then the usual cards that it lacks."""
    missing = RULES.programmed_cards - len(row)
    return (*row, *[card for card in RULES.default_row if card not in row][: max(0, missing)])


def _with_extra_card(player: Player) -> Player:
    """The extra card of another Nation is taken for that of the present one (COL-25-04)."""
    nation = NATIONS.get(player.nation or "")
    extra = Counter(player.cards) - Counter(list(CARDS))
    if nation is None or extra.total() != 1 or nation.extra_card in extra:
        return player
    hand = remove_each(player.cards[::-1], list(extra))[::-1]
    return replace(player, cards=(*hand, nation.extra_card))
