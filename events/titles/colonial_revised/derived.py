"""Values that follow from the state: limits, Native Power in force, sides of a war, Prestige."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from events.rules.kit.overseas.piles import monopolies_by_seat
from events.rules.kit.values import remember_latest
from events.titles.colonial_revised.data import (
    AMERICAN,
    CONSTANTS,
    DOUBLE,
    SPACES,
    TABLES,
    TERRITORIES,
    WORLD,
)
from events.titles.colonial_revised.state import (
    ATTACKER,
    DEFENDER,
    Controllers,
    Land,
    Player,
    Standing,
    State,
    War,
    controllers,
    require,
)

_BESIDE = tuple(
    tuple(space for other in place.neighbours for space in TERRITORIES[other].spaces) for place in TERRITORIES
)
"""The spaces of all adjacent Territories, by Territory."""


def native_power(state: State, territory: int) -> int:
    """Native Power in force: doubled in an Independent State (REV-117)."""
    printed = TERRITORIES[territory].native_power
    return 2 * printed if state.lands[territory].independent else printed


def counters(state: State, seat: int, territory: int) -> int:
    """Return the number of counters that the seat has in a Territory."""
    piles, number = state.piles, 0
    for space in TERRITORIES[territory].spaces:
        number += piles[space].count(seat)
    return number


def own_counters(state: State, seat: int, territory: int) -> dict[int, int]:
    """The seat's counters in a Territory, by space."""
    return {
        space: count for space in TERRITORIES[territory].spaces if (count := state.piles[space].count(seat))
    }


def list_territories_of(state: State, seat: int) -> tuple[int, ...]:
    """Territories in which the seat has a counter."""
    return tuple(sorted({SPACES[s].territory for s, pile in enumerate(state.piles) if seat in pile}))


def list_explored(state: State) -> tuple[int, ...]:
    """Explored Territories."""
    return tuple(t for t, land in enumerate(state.lands) if land.explored)


def list_unexplored(state: State) -> tuple[int, ...]:
    """Territories that an Explorer can name."""
    return tuple(t for t, land in enumerate(state.lands) if not land.explored)


def list_controlled(state: State, seat: int) -> tuple[int, ...]:
    """Spaces that the seat controls."""
    return tuple(s for s, pile in enumerate(state.piles) if pile and pile[0] == seat)


def foreign(state: State, seat: int) -> tuple[int, ...]:
    """Spaces that others control."""
    return tuple(s for s, pile in enumerate(state.piles) if pile and pile[0] != seat)


def is_empty(state: State, territory: int) -> bool:
    """Return True if no counter stands in the Territory."""
    return not any(state.piles[space] for space in TERRITORIES[territory].spaces)


def count_vulnerable(state: State, space: int, seat: int) -> int:
    """Counters of the seat on the space that a Rebellion can still hit this turn (REV-270)."""
    safe = state.protected[space]
    return state.piles[space].count(seat) - (safe[seat] if safe else 0)


def vulnerable_in(state: State, territory: int, seat: int) -> int:
    """Vulnerable counters of the seat in a Territory."""
    return sum(count_vulnerable(state, space, seat) for space in TERRITORIES[territory].spaces)


def all_vulnerable(state: State, territory: int) -> int:
    """Vulnerable counters of everybody in a Territory."""
    return sum(vulnerable_in(state, territory, seat) for seat in range(state.seats))


def rebellion_dice(state: State, territory: int) -> int:
    """Dice of a Rebellion that a Rebel sparks: fewer in a Territory than in a Colony (REV-267, REV-276)."""
    land, power = state.lands[territory], native_power(state, territory)
    return (half_up(power) if land.colony_owner is None else power) * land.unrest


def removal_order(state: State, territory: int, seat: int, count: int, *, rebellion: bool) -> dict[int, int]:
    """From which spaces *count* counters leave by the standard removal order (REV-007)."""
    left = {
        space: count_vulnerable(state, space, seat) if rebellion else state.piles[space].count(seat)
        for space in TERRITORIES[territory].spaces
    }
    gone: dict[int, int] = {}
    for _ in range(count):
        space = min(left, key=lambda s: (-left[s], state.piles[s][:1] == (seat,), s))
        if left[space] <= 0:
            break
        left[space] -= 1
        gone[space] = gone.get(space, 0) + 1
    return gone


# --- the printed tables: each holds its rule also beyond the printed rows (REV-005), but for exploration ---


def divide_rounding_up(number: int, divisor: int) -> int:
    """The quotient, rounded up."""
    return -(-number // divisor)


def half_up(native_power: int) -> int:
    """Half the Native Power: what a Colony must hold, its Trader bonus, the price of its Rebellion."""
    return divide_rounding_up(native_power, 2)


def fleets_for(resources: int) -> int:
    """Merchant Fleets that controlled spaces allow in phase 2 (REV-031)."""
    return min(TABLES.fleets_from_resources_max, divide_rounding_up(resources, TABLES.resources_per_fleet))


def maintenance(squadrons: int) -> int:
    """Return the cost in Treasury of that many Squadrons in phase 4 (REV-040)."""
    return max(0, divide_rounding_up(squadrons, TABLES.squadrons_per_maintenance) - 1)


def affordable_squadrons(squadrons: int, treasury: int) -> int:
    """The largest number of Squadrons, at most *squadrons*, whose maintenance can be paid (REV-041)."""
    return min(squadrons, (treasury + 1) * TABLES.squadrons_per_maintenance)


def interest(loan: int) -> int:
    """Return the amount that phase 6 adds to a Loan (REV-050)."""
    return divide_rounding_up(loan, TABLES.loan_per_interest)


def loan_penalty(loan: int) -> int:
    """Prestige that a Loan costs (REV-098)."""
    return divide_rounding_up(loan, TABLES.loan_per_penalty)


def exploration_price(shortfall: int) -> int | None:
    """Return the price of a shortfall of the exploration roll; None where it is not for sale (REV-162)."""
    prices = TABLES.exploration_prices
    return prices[shortfall - 1] if 1 <= shortfall <= len(prices) else None


def adventurers_unrest(count: int) -> int:
    """Unrest that Adventurers add (REV-165)."""
    return divide_rounding_up(count, TABLES.adventurers_per_unrest)


def count_sent_unrest(count: int) -> int:
    """Unrest that counters of the Viceroy or of an expedition add (REV-248)."""
    return count // TABLES.counters_per_unrest


def mission_limit(native_power: int) -> int:
    """Return the number of Missions that a Territory can hold (REV-201)."""
    return divide_rounding_up(native_power, TABLES.powers_per_mission)


def foreign_counters(goods: int) -> int:
    """Counters for foreign Goods shipped, or Treasury for foreign Goods moved (REV-207, REV-237)."""
    return divide_rounding_up(goods, TABLES.goods_per_counter)


def squadron_cap(turn: int) -> int:
    """Return the most Squadrons a player may have after buying in an Escalation (REV-363)."""
    caps = TABLES.escalation_caps
    return caps[min(turn, len(caps)) - 1]


def end_threshold(turn: int, bonus: int) -> int | None:
    """The end roll ends the game on at most this; None before the first such turn (REV-393, REV-018)."""
    late = turn - CONSTANTS.first_end_roll_turn
    if late < 0:
        return None
    rows = TABLES.end_roll_thresholds
    return min(6, rows[min(late, len(rows) - 1)] + bonus)


def diversity_needed(seats: int) -> int:
    """Return the number of types of Resources that give the diversity point (REV-096)."""
    return CONSTANTS.diversity_base - seats


# --- limits ------------------------------------------------------------------------------------


def resources(state: State, seat: int) -> int:
    """Return the number of spaces that the seat controls."""
    return controllers(state).count(seat)


def fleet_limit(state: State, seat: int) -> int:
    """Merchant Fleets that the seat may build in phase 2 (REV-031)."""
    count = len(_rate_control(controllers(state), state.seats)[0][seat])
    return count + fleets_for(resources(state, seat))


def colonies(state: State, seat: int) -> tuple[int, ...]:
    """The Territories in which the seat has a Colony."""
    return tuple(t for t, land in enumerate(state.lands) if land.colony_owner == seat)


def trade_limit(state: State, seat: int) -> int:
    """Goods that the seat's Trader may move (REV-235, REV-112)."""
    return state.players[seat].economy + sum(
        half_up(TERRITORIES[t].native_power) for t in colonies(state, seat)
    )


def count_deployed(player: Player) -> int:
    """Return the number of Privateers that the player has in others' boxes."""
    return sum(player.privateers)


def privateers_in_box(state: State, seat: int) -> int:
    """Return the number of Privateers in the seat's Merchant Fleet box."""
    return sum(player.privateers[seat] for player in state.players)


def america_penalty(state: State, seat: int, territory: int) -> int:
    """Return the amount that America adds to a Difficulty, by when it was discovered (REV-138, REV-140)."""
    if territory not in AMERICAN:
        return 0
    found = state.america_discovered_turn
    if found is None:
        return CONSTANTS.america_penalty_undiscovered
    if state.players[seat].america_free:
        return 0
    if state.turn == found:
        return CONSTANTS.america_penalty_same_turn
    return CONSTANTS.america_penalty_next_turn if state.turn == found + 1 else 0


def is_neighbour(state: State, seat: int, territory: int) -> bool:
    """Return True if the seat has a counter in an adjacent Territory (REV-161)."""
    piles = state.piles
    for space in _BESIDE[territory]:  # noqa: SIM110 - a plain loop takes half the time
        if seat in piles[space]:
            return True
    return False


def city_values_free(state: State) -> tuple[int, ...]:
    """The City markers that are not on the map (REV-188)."""
    used = {value for land in state.lands for value in land.cities}
    return tuple(value for value in TABLES.city_values if value not in used)


def find_booming_territory(state: State) -> int | None:
    """Return the number of the Territory where the Booming City stands, or None."""
    for number, land in enumerate(state.lands):
        if state.booming_city is not None and state.booming_city in land.cities:
            return number
    return None


def double_if(territory: int) -> int:
    """Prestige of a Colony there (REV-154)."""
    return 2 if territory in DOUBLE else 1


# --- war -----------------------------------------------------------------------------------------


def side_of(war: War, seat: int) -> str | None:
    """``attacker`` or ``defender`` for a belligerent who is still in the war."""
    if seat in members(war, ATTACKER):
        return ATTACKER
    return DEFENDER if seat in members(war, DEFENDER) else None


def members(war: War, side: str) -> tuple[int, ...]:
    """Return the principal of the side and their present Ally, if any."""
    principal, ally = (
        (war.attacker, war.attacker_ally) if side == ATTACKER else (war.defender, war.defender_ally)
    )
    return (principal,) if ally is None or ally in war.left else (principal, ally)


def belligerents(war: War) -> tuple[int, ...]:
    """Principals and accepted Allies, also those who gave up (REV-365)."""
    allies = (war.attacker_ally, war.defender_ally)
    return (war.attacker, war.defender, *(ally for ally in allies if ally is not None))


def fleet_of(state: State, war: War, side: str) -> int:
    """Squadrons of a side."""
    return sum(state.players[seat].squadrons for seat in members(war, side))


def expedition_right(state: State) -> int | None:
    """Return the seat that may send a military expedition after this year's sea battle (REV-325), or None."""
    war = require(state.war)
    lead = fleet_of(state, war, ATTACKER) - fleet_of(state, war, DEFENDER)
    caused = war.defender_naval_losses - war.attacker_naval_losses
    if lead > 0 and caused > 0:
        return war.attacker
    return war.defender if lead < 0 and caused < 0 and war.year > 1 else None


# --- Prestige ------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def _measure_largest(owned: tuple[int, ...]) -> int:
    left, best = set(owned), 0
    while left:
        front, size = [left.pop()], 0
        while front:
            size += 1
            beside = left.intersection(TERRITORIES[front.pop()].neighbours)
            left -= beside
            front += beside
        best = max(best, size)
    return best


def largest_group(owned: Iterable[int]) -> int:
    """The size of the largest group of Territories connected by borders (REV-094)."""
    return _measure_largest(tuple(owned))


def adjacency_points(group: int, empire: bool) -> int:
    """1 for 3-4 adjacent Colonies, 2 for 5 or more; at least 1 after an Empire (REV-094, REV-095)."""
    if group >= TABLES.adjacency_large:
        return 2
    return 1 if empire or group >= TABLES.adjacency_small else 0


def colonies_by_seat(state: State) -> list[list[int]]:
    """The Colonies of every seat, in map order."""
    owned: list[list[int]] = [[] for _ in range(state.seats)]
    for number, owner in _list_colonies(state.lands):
        owned[owner].append(number)
    return owned


@remember_latest
def _list_colonies(lands: tuple[Land, ...]) -> tuple[tuple[int, int], ...]:
    """Return each Colony with its owner, in map order."""
    return tuple(
        [(number, land.colony_owner) for number, land in enumerate(lands) if land.colony_owner is not None]
    )


@lru_cache(maxsize=4096)
def _rate_control(control: Controllers, seats: int) -> tuple[tuple[tuple[str, ...], ...], tuple[int, ...]]:
    """Return by seat the Monopolies, and the number of types of Resource under control."""
    types: list[set[str]] = [set() for _ in range(seats)]
    for space, owner in enumerate(control):
        if owner is not None:
            types[owner].add(SPACES[space].resource)
    return monopolies_by_seat(WORLD, control, seats), tuple(map(len, types))


def standings(state: State) -> tuple[Standing, ...]:
    """Prestige of every seat as it follows from the position and the permanent items (REV-090)."""
    held, types = _rate_control(controllers(state), state.seats)
    needed = diversity_needed(state.seats)
    return tuple(
        _standing(state, seat, colonies, held[seat], diversity=types[seat] >= needed)
        for seat, colonies in enumerate(colonies_by_seat(state))
    )


def _standing(
    state: State, seat: int, owned: list[int], held: tuple[str, ...], *, diversity: bool
) -> Standing:
    """One seat's Prestige; most seats have no Colony most of the time."""
    player = state.players[seat]
    return Standing(
        monopoly=len(held),
        colony=len(owned) + len(DOUBLE.intersection(owned)) if owned else 0,
        city=sum(len(state.lands[t].cities) for t in owned) if owned else 0,
        war=player.war_pp,
        progress_award=int(state.progress_award_holder == seat),
        missions_award=int(state.missions_award_holder == seat),
        adjacency=adjacency_points(_measure_largest(tuple(owned)), player.empire_achieved),
        diversity=int(diversity),
        monopolies=tuple(sorted(held)) if len(held) > 1 else held,
    )


def compute_net_pp(player: Player) -> int:
    """Prestige Points less the Loan penalty, as last settled (REV-098)."""
    return player.standing.total - loan_penalty(player.loans)


def ranking_keys(state: State) -> list[tuple[int, int, int, int, int]]:
    """Net Prestige, then the tie-breaks: Colonies, Monopolies, spaces, war victories (REV-396)."""
    return [
        (
            compute_net_pp(player),
            len(colonies(state, seat)),
            player.standing.monopoly,
            resources(state, seat),
            player.war_victories,
        )
        for seat, player in enumerate(state.players)
    ]


def count_conserved(state: State) -> Mapping[str, int]:
    """Return the counts that no command may change: cards in all hands, order cards, players."""
    return {
        "cards": sum(len(player.cards) for player in state.players),
        "order_cards": len(set(state.order)),
        "players": len(state.players),
    }
