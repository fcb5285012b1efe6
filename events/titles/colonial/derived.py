"""Values that follow from the state and are never stored: control, Monopolies, requirements, limits."""

from __future__ import annotations

from functools import lru_cache

from events.rules.kit.overseas.piles import Controllers, Pile, monopolies_by_seat
from events.rules.kit.values import remember_latest
from events.titles.colonial.data import (
    CARDS,
    NATIONS,
    RULES,
    SPACES,
    TERRITORIES,
    TERRITORY,
    WORLD,
)
from events.titles.colonial.state import Player, Selling, Shipping, State, nation

_BESIDE = tuple(
    tuple(space for other in place.neighbours for space in TERRITORIES[other].spaces) for place in TERRITORIES
)
"""The spaces of all adjacent Territories, by Territory."""


def seat_name(state: State, seat: int) -> str:
    """Return the name of the seat's Nation, or else its colour."""
    player = state.players[seat]
    return NATIONS[player.nation].name if player.nation else player.colour.capitalize()


# --- the map -----------------------------------------------------------------------------------


def controllers(state: State) -> Controllers:
    """Return the seat that controls each space (COL-05-03)."""
    return _find_controllers(state.piles)


@remember_latest
def _find_controllers(piles: tuple[Pile, ...]) -> tuple[int | None, ...]:
    return tuple([pile[0] if pile else None for pile in piles])


def is_explored(state: State, territory: int) -> bool:
    """Return True if no Prestige lies on the Territory (COL-02-02)."""
    return not state.lands[territory].prestige


def open_land(state: State, territory: int) -> bool:
    """Return True if the Territory is Explored and in the game."""
    land = state.lands[territory]
    return not land.prestige and not land.excluded


def native_power(state: State, territory: int) -> int:
    """Native Power in force: doubled in an Independent State (COL-08-07)."""
    printed = TERRITORIES[territory].native_power
    return 2 * printed if state.lands[territory].independent else printed


def counters(state: State, seat: int, territory: int) -> int:
    """Return the number of counters that a seat has in a Territory, all spaces together."""
    return sum(state.piles[space].count(seat) for space in TERRITORIES[territory].spaces)


def total_in(state: State, territory: int) -> int:
    """Return the number of counters in a Territory."""
    return sum(len(state.piles[space]) for space in TERRITORIES[territory].spaces)


def present(state: State, territory: int, seat: int) -> bool:
    """Return True if a seat has a counter in a Territory."""
    piles = state.piles
    for space in TERRITORIES[territory].spaces:  # noqa: SIM110 - a plain loop takes half the time
        if seat in piles[space]:
            return True
    return False


def controls_all(state: State, territory: int, seat: int) -> bool:
    """Return True if the seat controls all Resources of a Territory, at least one (COL-14-02)."""
    spaces = TERRITORIES[territory].spaces
    return bool(spaces) and all(state.piles[space][:1] == (seat,) for space in spaces)


def resources(state: State, seat: int) -> int:
    """Return the number of Resource spaces that the seat controls."""
    return sum(1 for pile in state.piles if pile[:1] == (seat,))


def list_shared_territories(state: State, one: int, other: int) -> tuple[str, ...]:
    """Return the Territories where both seats have counters, in map order (COL-22-04)."""
    return tuple(
        t.id for t in TERRITORIES if present(state, t.number, one) and present(state, t.number, other)
    )


def colonies(state: State, seat: int) -> int:
    """Return the number of Colonies that the seat has."""
    return sum(1 for land in state.lands if land.colony == seat)


# --- Monopolies --------------------------------------------------------------------------------


def monopoly_counts(state: State) -> tuple[int, ...]:
    """Return by seat the number of Monopolies, with the bonus ones of the Nations (COL-05-06)."""
    held = _count_monopolies(_find_controllers(state.piles), state.seats)
    return tuple([count + _bonus(player) for count, player in zip(held, state.players, strict=True)])


@lru_cache(4096)
def _count_monopolies(control: tuple[int | None, ...], seats: int) -> tuple[int, ...]:
    return tuple(map(len, monopolies_by_seat(WORLD, control, seats)))


def _bonus(player: Player) -> int:
    card = nation(player)
    return card.bonus_monopolies if card else 0


# --- limits ------------------------------------------------------------------------------------


def abolition(state: State) -> bool:
    """Return True if slavery is abolished (COL-06-07)."""
    return any(player.economy >= RULES.abolition_economy for player in state.players)


def treaty_binds(player: Player) -> bool:
    """Return True if the Treaty of Tordesillas is in force for the player (COL-25-08)."""
    card = nation(player)
    return card is not None and card.tordesillas and not player.reached_six


def is_outside_treaty(player: Player, territory: int) -> bool:
    """Return True if the Treaty forbids the player to place counters there."""
    if not treaty_binds(player):
        return False
    card = nation(player)
    return card is not None and card.goal(TERRITORIES[territory].id) is None


def is_resource_too_late(player: Player, space: int) -> bool:
    """Return True if the Resource, tea or opium, needs more Economy: at least 6 (COL-06-06)."""
    return player.economy < RULES.opium_tea_economy and SPACES[space].resource in RULES.late_resources


def may_place(state: State, seat: int, space: int) -> bool:
    """Return True if the seat may place a counter there at all (COL-06-06, COL-08-02, COL-25-08)."""
    player, territory = state.players[seat], SPACES[space].territory
    return (
        open_land(state, territory)
        and state.lands[territory].colony in (None, seat)
        and not is_resource_too_late(player, space)
        and not is_outside_treaty(player, territory)
    )


def next_space(player: Player, track: str) -> int | None:
    """The number of the next space of a track; None on its last, or at the Nation's maximum (COL-21-02)."""
    card = nation(player)
    at: int = getattr(player, track)
    if track == "logistics" and card and card.logistics_max is not None and at >= card.logistics_max:
        return None
    return next((space for space in RULES.tracks[track] if space > at), None)  # type: ignore[index]


def loans_of(player: Player) -> int:
    """Counters on the Loan display."""
    return sum(loan.size for loan in player.loans)


# --- Explorer ----------------------------------------------------------------------------------


def count_required_successes(state: State, seat: int, territory: int) -> int:
    """Return the number of Successes that an exploration needs (COL-15-02).

    The Territory has a Difficulty (those without start Explored).
    """
    land = TERRITORIES[territory]
    required = land.difficulty or 0
    if land.american and not state.america_discovered:
        required += RULES.undiscovered_america_penalty
    piles = state.piles
    for space in _BESIDE[territory]:
        if seat in piles[space]:
            required -= 1
            break
    return required - state.players[seat].seafaring


def continents(state: State, seat: int) -> tuple[str, ...]:
    """Return the continents where the seat has a counter (COL-11-06); the Near East counts for none."""
    regions = {land.region for land in TERRITORIES if present(state, land.number, seat)}
    return tuple(name for name in RULES.continents if name in regions)


def is_sea_open(state: State) -> bool:
    """Return True if an Explorer play that begins now may sail around the world (COL-11-03, COL-11-04)."""
    waits = state.discovered_this_round and state.options.circumnavigation == "next_round"
    return bool(state.circumnavigation_box) and not waits


def circumnavigation_required(state: State, seat: int) -> int:
    """Return the number of Successes that a circumnavigation needs (COL-11-06)."""
    reached = len(continents(state, seat))
    return RULES.circumnavigation_difficulty - state.players[seat].seafaring - reached


# --- Governor ----------------------------------------------------------------------------------


def payments(state: State, seat: int) -> range:
    """Return the sums that the seat may pay for a Booming City (COL-17-03); empty if there are none."""
    player = state.players[seat]
    least = state.booming_city.value + 1 if state.booming_city else 1
    return range(least, min(player.economy, player.treasury, RULES.booming_city_max) + 1)


def historical_city(player: Player, territory: str) -> bool:
    """Return True if the Territory is a goal of the player's Nation with a Historical Booming City."""
    card = nation(player)
    goal = card.goal(territory) if card else None
    return goal is not None and bool(goal.city)


def gives_prestige_when_placed(state: State, owner: int, territory: int) -> bool:
    """Return True if placing a Booming City there gives the Colony's owner Prestige (COL-25-15).

    It depends on the option ``booming_city_prestige``.
    """
    player = state.players[owner]
    everywhere = nation(player) is None or state.options.booming_city_prestige == "any"
    return everywhere or historical_city(player, TERRITORIES[territory].id)


def gives_prestige_when_founded(state: State, founder: int, territory: int) -> bool:
    """Return True if founding a Colony around the Booming City gives Prestige besides (COL-25-16).

    It depends on the option ``booming_city_prestige``.
    """
    player = state.players[founder]
    everywhere = nation(player) is None or state.options.booming_city_prestige != "historical"
    return everywhere or historical_city(player, TERRITORIES[territory].id)


# --- Merchant, Trader --------------------------------------------------------------------------


def is_city_independent(state: State, territory: int) -> bool:
    """Return True if the Booming City lies there, in an Independent State (COL-18-15)."""
    city = state.booming_city
    return city is not None and state.lands[territory].independent and TERRITORY[city.territory] == territory


def city_spaces(state: State) -> tuple[int, ...]:
    """The controlled spaces that a Merchant must begin with (COL-18-07); empty if there are none."""
    city = state.booming_city
    if city is None or state.lands[TERRITORY[city.territory]].independent:
        return ()
    return tuple(space for space in TERRITORIES[TERRITORY[city.territory]].spaces if state.piles[space])


def list_shippable(state: State) -> tuple[int, ...]:
    """The spaces from which the Merchant play in progress may still ship or ask for Goods."""
    action = state.action
    if not isinstance(action, Shipping):
        return ()
    return tuple(
        space.number
        for space in SPACES
        if state.piles[space.number]
        and space.id not in action.shipped
        and space.id not in action.refused
        and TERRITORIES[space.territory].id != action.blocked
        and not is_city_independent(state, space.territory)
    )


def shipments_left(state: State, seat: int) -> int:
    """Fleets now in the box less shipments used and asked for (COL-18-14, R-26)."""
    action = state.action
    if not isinstance(action, Shipping):
        return 0
    asked = sum(len(request.spaces) for request in action.requests)
    return max(0, state.players[seat].merchant_fleets - len(action.shipped) - asked)


def trader_capacity(state: State, seat: int) -> int:
    """Return the seat's Economy plus the Native Power of all its Colonies (COL-23-01)."""
    powers = (TERRITORIES[t].native_power for t, land in enumerate(state.lands) if land.colony == seat)
    return state.players[seat].economy + sum(powers)


def capacity_left(state: State, seat: int) -> int:
    """Return the Trader's capacity less Goods moved and asked for (COL-23-01, R-26)."""
    action = state.action
    if not isinstance(action, Selling) or state.active != seat:
        return trader_capacity(state, seat)
    return max(0, trader_capacity(state, seat) - action.moved - sum(action.asked))


def count_askable(state: State, seat: int) -> tuple[int, ...]:
    """Return by seat the number of Goods that may still be asked for.

    It is 0 for the Trader's own seat, and for an owner who has refused anything in this play (COL-23-04).
    """
    action = state.action
    refused = action.refused if isinstance(action, Selling) else (0,) * state.seats
    return tuple(
        player.market if other != seat and not refused[other] else 0
        for other, player in enumerate(state.players)
    )


# --- the ranking -------------------------------------------------------------------------------


def ranking(state: State) -> tuple[int, ...]:
    """Return the seats from first to last place.

    First comes the winner, then Prestige, smaller debt and seat order count. At a turn limit it is Prestige,
    debt, Colonies, Monopolies, Resources controlled (R-58).
    """
    if state.winner is not None:
        return tuple(sorted(range(state.seats), key=lambda s: (s != state.winner, *_standing(state, s))))
    counts = monopoly_counts(state)
    return tuple(
        sorted(
            range(state.seats),
            key=lambda s: (*_standing(state, s), -colonies(state, s), -counts[s], -resources(state, s)),
        )
    )


def _standing(state: State, seat: int) -> tuple[int, int]:
    player = state.players[seat]
    return -player.prestige, loans_of(player)


# --- the game as a whole -------------------------------------------------------------------------


def is_in_setup(state: State) -> bool:
    """While Nations are chosen."""
    return state.phase == "nation_choice"


def count_conserved(state: State) -> dict[str, int]:
    """Count the card types in hands: nobody ever loses or doubles their own six; extra copies come and go."""
    return {"card_types": sum(len(set(player.cards) & set(CARDS)) for player in state.players)}
