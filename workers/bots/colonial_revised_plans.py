"""The rules of thumb of Colonial Revised: ratings of positions, and plans for each Character.

All ratings are whole numbers, in which a Prestige Point counts :data:`POINT`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from events.rules.fact import Seat
from events.rules.fast_chance import FastChance
from events.rules.steps import Command
from events.rules.title import Title
from events.titles.colonial_revised import commands as c
from events.titles.colonial_revised.checks import usable_spaces
from events.titles.colonial_revised.data import (
    CONSTANTS,
    DIPLOMACY,
    GATED,
    SPACES,
    TERRITORIES,
    TRACKS,
    WORLD,
)
from events.titles.colonial_revised.derived import (
    counters,
    double_if,
    foreign,
    half_up,
    list_controlled,
    list_explored,
    list_territories_of,
    list_unexplored,
    loan_penalty,
    native_power,
    own_counters,
    resources,
    trade_limit,
)
from events.titles.colonial_revised.offers import entries, list_capped_splits
from events.titles.colonial_revised.parts import SeatCount
from events.titles.colonial_revised.state import State, controllers
from events.titles.colonial_revised.steps import merchant, viceroy
from events.titles.colonial_revised.steps.ambassador import unrest_to_remove
from events.titles.colonial_revised.steps.conqueror import colony_sites, founder_removal
from events.titles.colonial_revised.steps.explorer import target_number
from events.titles.colonial_revised.steps.governor import cities
from events.titles.colonial_revised.steps.missionary import mission_sites
from events.titles.colonial_revised.steps.rebel import can_spark, price, unrest_targets
from events.titles.colonial_revised.steps.scientist import tracks
from events.titles.colonial_revised.steps.sovereign import can_fight_privateers, war_targets

Rated = Iterable[tuple[int, Command]]
Plan = Callable[["Thumb", Title[Any], State, Seat], Rated]
"""A function that returns the rated commands for a Character."""

POINT = 100_000
"""The rating of a Prestige Point."""
TRIED = 14
"""Placements that are tried out at most."""
PROMISING = 3
"""The same of placements that are rated before."""
FADED = 9
"""The turn in which what takes time to pay has lost most of its worth."""
_FACES = range(1, 7)
_PAID = 7
"""Of ten: how good it is to reach a Territory only by paying for a shortfall of 1."""
_ARRIVED = 3_000
"""The rating of a counter on the way to a Colony, whatever spaces are held."""
_SPARE = 6_000
"""The rating of a counter that a Colony can lose; it counts for two of them."""
_UNREST = 3_000
"""The danger of an Unrest, for each counter beside it up to three; Missions divide it."""


@dataclass(frozen=True)
class Thumb:
    """The ratings in which the versions of the player differ."""

    steps: Mapping[str, int]
    """A step on each track of progress, before its price."""
    own_goods: int = 8_000
    """A Good of one of the player's own spaces that the Merchant ships."""
    moved_goods: int = 9_000
    """A Good of the player's own that the Trader moves to the Treasury."""
    loan: int = -40_000
    """A Loan that the player does not need at once."""
    explored: int = 30_000
    """A Territory that the player explores, before its spaces."""
    near: int = 45_000
    """All that leads to a Colony, but the Colony."""
    hold: int = 14_000
    """A space under control."""
    coin: int = 3_500
    """A counter in the Treasury that may be spent."""
    step_price: int = 3_000
    """A counter that a step of progress costs."""
    debt: int = 0
    """A Loan, besides its penalty."""
    penalty: int = 80_000
    """A Prestige Point that Loans cost at the end."""
    sent: int = 12_000
    """Counters that the Viceroy sends, besides the position."""
    steps_fade: int = 0
    """Percent of the worth of a step that are gone by turn :data:`FADED`."""
    explored_fade: int = 0
    """The same of an exploration."""
    fleet: int = 5
    """Squadrons that it wants; up to five cost no maintenance."""


def worth(thumb: Thumb, state: State, seat: Seat) -> int:
    """Return the rating of a position for the seat."""
    player = state.players[seat]
    value = POINT * player.standing.total - thumb.penalty * loan_penalty(player.loans)
    value += thumb.hold * resources(state, seat) + thumb.coin * min(player.spendable, 20)
    value += 4_000 * min(player.merchant_fleets, 10) + 8_000 * min(player.squadrons, thumb.fleet)
    value -= thumb.debt * player.loans
    value += 3_000 * player.market + 2_000 * player.diplomacy
    return value + sum(_foothold(thumb, state, seat, place) for place in list_territories_of(state, seat))


def _fade(rating: int, percent: int, state: State) -> int:
    """Return a rating of which so much is gone by turn :data:`FADED`, and in proportion before."""
    turns = min(state.turn, FADED) - 1
    return rating - rating * percent * turns // (100 * (FADED - 1))


def _foothold(thumb: Thumb, state: State, seat: Seat, place: int) -> int:
    """Rate the counters on the way to a Colony, less the danger of a Rebellion."""
    land, mine = state.lands[place], counters(state, seat, place)
    danger = _UNREST * land.unrest * min(mine, 3) // (1 + land.missions)
    if land.colony_owner == seat:
        return _SPARE * min(_count_spare(place, mine), 2) - danger * 2
    if land.colony_owner is not None or not TERRITORIES[place].native_power:
        return -danger
    power, spaces = native_power(state, place), TERRITORIES[place].spaces
    owned = _count_owned(state, seat, place)
    near = thumb.near * double_if(place) * min(mine, power) * owned // (power * len(spaces))
    return near + _ARRIVED * min(mine, power) - danger


def _count_spare(place: int, mine: int) -> int:
    """Return how many of so many counters a Colony can lose; below 0: how many it lacks."""
    return mine - half_up(TERRITORIES[place].native_power)


def _count_owned(state: State, seat: Seat, place: int) -> int:
    """Return how many spaces of a Territory the seat controls."""
    held = controllers(state)
    return sum(1 for space in TERRITORIES[place].spaces if held[space] == seat)


def try_commands(
    thumb: Thumb, title: Title[Any], state: State, seat: Seat, commands: Iterable[Command]
) -> tuple[int, Command]:
    """Return the best of a few commands by the position that each leads to.

    Raises LookupError without any.
    """
    best: tuple[int, Command] | None = None
    for number, command in enumerate(commands):
        if number >= TRIED:
            break
        after = title.decide(state, seat, command, FastChance(number)).state
        value = worth(thumb, after, seat)
        if best is None or value > best[0]:
            best = value, command
    if best is None:
        raise LookupError("nothing to try")
    return best


def best_sending(thumb: Thumb, title: Title[Any], state: State, seat: Seat) -> Rated:
    """Yield the sending of the Viceroy that leads to the best position: of :data:`TRIED`, by interest."""
    sends = sorted(_sendings(state, seat), key=_get_interest)[::-1]
    commands = [_send(place, target, count) for _, place, target, count in sends]
    yield from _try_sendings(thumb, title, state, seat, commands)


def try_promising_sendings(thumb: Thumb, title: Title[Any], state: State, seat: Seat) -> Rated:
    """Yield the sending that leads to the best position: of the :data:`PROMISING` that promise most."""
    commands = [command for _, command in _rate_promises(thumb, state, seat)[:PROMISING]]
    yield from _try_sendings(thumb, title, state, seat, commands)


def find_promising_sending(thumb: Thumb, _title: Title[Any], state: State, seat: Seat) -> Rated:
    """Yield the sending that promises most, untried: for games in the mind."""
    yield from _rate_promises(thumb, state, seat)[:1]


def _try_sendings(
    thumb: Thumb, title: Title[Any], state: State, seat: Seat, commands: Sequence[Command]
) -> Rated:
    """Yield the best of some sendings with its rating; nothing without any."""
    if commands:
        value, command = try_commands(thumb, title, state, seat, commands)
        yield value - worth(thumb, state, seat) + thumb.sent, command


def _rate_promises(thumb: Thumb, state: State, seat: Seat) -> list[tuple[int, Command]]:
    """Return the sendings with their promises, the most promising first."""
    rated = [
        (_promise(thumb, state, seat, place, target, count), _send(place, target, count))
        for _, place, target, count in _sendings(state, seat)
    ]
    return sorted(rated, key=itemgetter(0), reverse=True)


def _promise(thumb: Thumb, state: State, seat: Seat, place: int, target: int, count: int) -> int:
    """Return what a sending changes in :func:`worth`.

    What others lose is left out, and so are Missions, which lessen the danger.
    """
    land, pile, spaces = state.lands[place], state.piles[target], TERRITORIES[place].spaces
    mine, power = counters(state, seat, place), native_power(state, place)
    held = pile[:1] == (seat,)
    takes = not held and pile.count(seat) + count > max(map(pile.count, pile), default=0)
    rating = thumb.sent - thumb.coin * count - _UNREST * (count // 2) * min(mine + count, 3)
    if takes:
        rating += thumb.hold + (POINT if _is_without_rival(state, target) else 0)
    if land.colony_owner is None and power:
        owned = _count_owned(state, seat, place)
        near = min(mine + count, power) * (owned + takes) - min(mine, power) * owned
        rating += thumb.near * double_if(place) * near // (power * len(spaces))
        rating += _ARRIVED * (min(mine + count, power) - min(mine, power))
    elif land.colony_owner == seat:
        spare = _count_spare(place, mine)
        rating += _SPARE * (min(spare + count, 2) - min(spare, 2))
    return rating


def _is_without_rival(state: State, target: int) -> bool:
    """Return True if nobody controls another space of the same Resource."""
    held = controllers(state)
    spaces = WORLD.spaces_of_resource[SPACES[target].resource]
    return all(held[space] is None for space in spaces if space != target)


def _get_interest(rated: tuple[int, int, int, int]) -> int:
    return rated[0]


def _send(place: int, target: int, count: int) -> Command:
    return c.SendCounters(TERRITORIES[place].id, entries(((target, count),)))


def _sendings(state: State, seat: Seat) -> Iterator[tuple[int, int, int, int]]:
    """Yield for each sending its interest, the Territory, the space and the number of counters."""
    player = state.players[seat]
    for place in list_explored(state):
        spaces = usable_spaces(player, place)
        most = min(player.spendable, viceroy.count_most_to_send(state, seat, place))
        if not spaces or most < 1:
            continue
        lacking = native_power(state, place) - counters(state, seat, place)
        interest = sum(1 for space in spaces if state.piles[space][:1] != (seat,)) * 10_000
        interest += (10_000 if 0 < lacking <= most else 0) - 2_000 * max(0, lacking)
        target = min(spaces, key=lambda s: (state.piles[s][:1] == (seat,), len(state.piles[s])))
        for count in sorted({1, most, max(1, min(most, lacking))}):
            yield interest, place, target, count


def _conqueror(_thumb: Thumb, _title: Title[Any], state: State, seat: Seat) -> Rated:
    for site in colony_sites(state, seat):
        held, due = own_counters(state, seat, site), founder_removal(state, seat, site)
        for split in list_capped_splits(held, due):
            if all(held[space] > count for space, count in split):
                yield 120_000 * double_if(site), c.FoundColony(TERRITORIES[site].id, entries(split))
                break


def _governor(_thumb: Thumb, _title: Title[Any], state: State, seat: Seat) -> Rated:
    for place, value in cities(state, seat):
        yield 110_000 - 5_000 * value, c.FoundCity(TERRITORIES[place].id, value)


def _explorer(thumb: Thumb, _title: Title[Any], state: State, seat: Seat) -> Rated:
    player = state.players[seat]
    for place in list_unexplored(state):
        needed = target_number(state, seat, place)
        short_by_one = needed - 1 in _FACES and player.spendable > 2
        tenths = 10 * max(0, min(len(_FACES), _FACES[-1] + 1 - needed)) + _PAID * short_by_one
        usable = [space for space in usable_spaces(player, place) if space not in GATED]
        gain = thumb.explored + 12_000 * len(usable)
        gain += 12_000 if 0 < TERRITORIES[place].native_power <= 2 else 0
        rating = tenths * gain // (10 * len(_FACES)) - 5_000
        yield _fade(rating, thumb.explored_fade, state), c.Explore(TERRITORIES[place].id)


def _ambassador(_thumb: Thumb, _title: Title[Any], state: State, seat: Seat) -> Rated:
    spots = unrest_to_remove(state, seat)
    worst = max(spots, key=lambda t: (state.lands[t].unrest, counters(state, seat, t)), default=None)
    moves = state.players[seat].diplomacy < DIPLOMACY
    step = 4_000 if moves else 0
    if worst is not None:
        relief = 6_000 * state.lands[worst].unrest
        yield step + relief, c.UseAmbassador(moves, remove_unrest_in=TERRITORIES[worst].id)
    elif moves:  # at the right end of Diplomacy the card would change nothing
        yield step, c.UseAmbassador(move_marker=True)


def _sovereign(_thumb: Thumb, _title: Title[Any], state: State, seat: Seat) -> Rated:
    mine = state.players[seat].squadrons
    for target in war_targets(state, seat):
        theirs = state.players[target].squadrons
        lead = mine - theirs
        rating = -70_000 + 5_000 * lead
        if not theirs and mine:
            rating = 75_000
        elif lead >= 3 and mine >= 2 * theirs:
            rating = 60_000
        yield rating, c.DeclareWar(target)
    if can_fight_privateers(state, seat):
        box = sum(player.privateers[seat] for player in state.players)
        yield 4_000 * box if mine >= 2 else -8_000, c.FightPrivateers()


def _harm(state: State, seat: Seat, place: int) -> int:
    """Return the rating of Rebellions in a Territory: harm to others, less harm to the seat itself."""
    others = mine = 0
    for space in TERRITORIES[place].spaces:
        pile, safe = state.piles[space], state.protected[space]
        own = pile.count(seat)
        mine += own
        others += len(pile) - own - (sum(safe) - safe[seat] if safe else 0)
    return 1_000 * others - 2_500 * mine


def _rebel(_thumb: Thumb, _title: Title[Any], state: State, seat: Seat) -> Rated:
    harm = {place: _harm(state, seat, place) for place in unrest_targets(state)}
    pair = sorted(harm, key=lambda place: (-harm[place], place))[:2]
    if pair:
        gain = min(12_000, 3 * sum(harm[place] for place in pair))
        rating = gain if all(harm[place] >= 0 for place in pair) else -15_000
        yield rating, c.PlaceUnrest(tuple(TERRITORIES[place].id for place in pair))
    for place, land in enumerate(state.lands):
        if land.unrest and can_spark(state, seat, place):
            rating = _harm(state, seat, place) * 4 * land.unrest // (1 + land.missions)
            rating += 30_000 if land.colony_owner not in {None, seat} and land.unrest > 1 else 0
            yield rating - 5_000 * price(state, seat, place), c.SparkRebellion(TERRITORIES[place].id)


def _merchant(thumb: Thumb, _title: Title[Any], state: State, seat: Seat) -> Rated:
    fleets = state.players[seat].merchant_fleets
    own = merchant.list_without_slaves(state, list_controlled(state, seat))[:fleets]
    others = merchant.list_without_slaves(state, foreign(state, seat)) if fleets > len(own) else ()
    if own or others:
        room = min(fleets - len(own), len(others))
        names = tuple(SPACES[space].id for space in own), tuple(SPACES[space].id for space in others)
        yield thumb.own_goods * len(own) + 3_000 * room, c.ShipGoods(*names)


def _trader(thumb: Thumb, _title: Title[Any], state: State, seat: Seat) -> Rated:
    limit, mine = trade_limit(state, seat), state.players[seat].market
    own = min(limit, mine)
    others = tuple(
        SeatCount(other, player.market)
        for other, player in enumerate(state.players)
        if other != seat and player.market
    )
    if own or others:
        asked = others if own < limit else ()
        yield thumb.moved_goods * own + 2_000 * bool(asked), c.SellGoods(own, asked)


def _financier(thumb: Thumb, _title: Title[Any], state: State, seat: Seat) -> Rated:
    player = state.players[seat]
    poor = player.spendable < 3 and not player.loans and state.turn <= 5
    yield 20_000 if poor else thumb.loan, c.TakeLoan()


def _scientist(thumb: Thumb, _title: Title[Any], state: State, seat: Seat) -> Rated:
    player = state.players[seat]
    holder = state.progress_award_holder
    record = 0 if holder is None else state.players[holder].steps_bought
    award = player.steps_bought + 1 >= max(CONSTANTS.progress_award_steps, record + 1) and holder != seat
    for track in tracks(state, seat):
        cost = next(value for value in TRACKS[track] if value > getattr(player, track))
        rating = _fade(thumb.steps[track], thumb.steps_fade, state) - thumb.step_price * cost
        rating += 90_000 if award else 0
        if player.spendable - cost < 2 and not award:
            rating -= 25_000
        yield rating, c.AdvanceProgress(track)  # type: ignore[arg-type]


def _missionary(_thumb: Thumb, _title: Title[Any], state: State, seat: Seat) -> Rated:
    placed = state.players[seat].missions_placed + 1
    holder = state.missions_award_holder
    record = 0 if holder is None else state.players[holder].missions_placed
    award = placed >= max(CONSTANTS.missions_award_count, record + 1) and holder != seat
    first = 95_000 if award else 22_000 if holder != seat else 4_000
    for place in mission_sites(state, seat):
        own = 10_000 if state.lands[place].colony_owner == seat else 0
        yield first + own, c.PlaceMission(TERRITORIES[place].id)


PLANS: Mapping[str, Plan] = {
    "conqueror": _conqueror,
    "governor": _governor,
    "explorer": _explorer,
    "viceroy": best_sending,
    "ambassador": _ambassador,
    "sovereign": _sovereign,
    "rebel": _rebel,
    "merchant": _merchant,
    "trader": _trader,
    "financier": _financier,
    "scientist": _scientist,
    "missionary": _missionary,
}
"""By Character; of what is rated alike the first is done."""
