"""The printed tables: each holds its rule also beyond the printed rows (REV-005), but for exploration."""

from __future__ import annotations

from events.titles.colonial_revised.data import CONSTANTS, TABLES


def up(number: int, divisor: int) -> int:
    """The quotient, rounded up."""
    return -(-number // divisor)


def half_up(native_power: int) -> int:
    """Half the Native Power: what a Colony must hold, its Trader bonus, the price of its Rebellion."""
    return up(native_power, 2)


def fleets_for(resources: int) -> int:
    """Merchant Fleets that controlled spaces allow in phase 2 (REV-031)."""
    return min(TABLES.fleets_from_resources_max, up(resources, TABLES.resources_per_fleet))


def maintenance(squadrons: int) -> int:
    """What Squadrons cost in phase 4 (REV-040)."""
    return max(0, up(squadrons, TABLES.squadrons_per_maintenance) - 1)


def affordable_squadrons(squadrons: int, treasury: int) -> int:
    """The largest number of Squadrons, at most *squadrons*, whose maintenance can be paid (REV-041)."""
    return min(squadrons, (treasury + 1) * TABLES.squadrons_per_maintenance)


def interest(loan: int) -> int:
    """What phase 6 adds to a Loan (REV-050)."""
    return up(loan, TABLES.loan_per_interest)


def penalty(loan: int) -> int:
    """Prestige that a Loan costs (REV-098)."""
    return up(loan, TABLES.loan_per_penalty)


def exploration_price(shortfall: int) -> int | None:
    """What a shortfall of the exploration roll costs; None where it is not for sale (REV-162)."""
    prices = TABLES.exploration_prices
    return prices[shortfall - 1] if 1 <= shortfall <= len(prices) else None


def adventurers_unrest(count: int) -> int:
    """Unrest that Adventurers add (REV-165)."""
    return up(count, TABLES.adventurers_per_unrest)


def sent_unrest(count: int) -> int:
    """Unrest that counters of the Viceroy or of an expedition add (REV-248)."""
    return count // TABLES.counters_per_unrest


def mission_limit(native_power: int) -> int:
    """How many Missions a Territory holds (REV-201)."""
    return up(native_power, TABLES.powers_per_mission)


def foreign_counters(goods: int) -> int:
    """Counters for foreign Goods shipped, or Treasury for foreign Goods moved (REV-207, REV-237)."""
    return up(goods, TABLES.goods_per_counter)


def squadron_cap(turn: int) -> int:
    """How many Squadrons a player may have after buying in an Escalation (REV-363)."""
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
    """How many types of Resources give the diversity point (REV-096)."""
    return CONSTANTS.diversity_base - seats
