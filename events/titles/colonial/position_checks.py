"""The checks of a position: every part within the ranges that play relies on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from events.rules.kit.positions import need
from events.rules.steps import Rejected
from events.rules.title import InvalidPosition
from events.titles.colonial.data import CARDS, NATIONS, RULES, SPACE, SPACES, TERRITORIES, TERRITORY, WORLD
from events.titles.colonial.derived import counters, total_in
from events.titles.colonial.options import check_options, variant_of
from events.titles.colonial.state import Exploring, Player, Rebelling, Selling, Shipping, State, War
from events.titles.colonial.steps import losses, nations
from events.titles.colonial.steps.endeavour import war

MOST_COUNTERS = 300
"""On one space of a position."""
MOST_MARKERS = 99
"""Of a kind in a Territory: each Unrest rolls as many dice as the natives have power."""
MOST_HELD = 99_999
"""Of Treasury, Goods or ships: as much as a command can name."""
MOST_LOANS = 100
"""Of a player."""
MOST_PRESTIGE = 1000
"""Of a player: as far as a page can draw the track."""


def check(state: State) -> None:
    """Raise :class:`InvalidPosition` unless play can go on from *state*."""
    for part in (_table, _players, _map, _course, _play):
        part(state)


# --- table, players, map -----------------------------------------------------------------------


def _table(state: State) -> None:
    seats = state.seats
    need(2 <= seats <= 6, "players", "2 to 6")
    need(len(state.programmes) == seats, "programmes", "one a seat")
    try:
        check_options(seats, state.options)
    except Rejected as rejected:
        raise InvalidPosition(f"options: {rejected.detail}") from None
    need(
        state.variant == variant_of(seats, state.options), "variant", "does not fit the options and the seats"
    )
    for name in ("winner", "first_player", "active"):
        seat = getattr(state, name)
        need(seat is None or seat < seats, f"{name}", "no such seat")
    need(state.status in ("running", "finished"), "status", "running or finished")
    need(state.status == "finished" or state.winner is None, "winner", "a running game has none")


def _players(state: State) -> None:
    loans = [loan.loan_id for player in state.players for loan in player.loans]
    need(len(set(loans)) == len(loans), "players.loans", "a loan_id stands twice")
    need(all(0 <= loan < state.next_loan for loan in loans), "next_loan", "must be above every loan_id")
    taken = [player.nation for player in state.players if player.nation]
    need(len(set(taken)) == len(taken), "players.nation", "a Nation stands twice")
    found = state.america_discovered or not state.discovered_this_round
    need(found, "discovered_this_round", "America is not discovered")
    for seat, player in enumerate(state.players):
        _player(state, player, f"players.{seat}")


def _player(state: State, player: Player, where: str) -> None:
    held = {
        "treasury": player.treasury,
        "fleets": player.merchant_fleets,
        "squadrons": player.squadrons,
        "market": player.market,
    }
    for box, amount in held.items():
        need(0 <= amount <= MOST_HELD, f"{where}.{box}", "out of range")
    need(0 <= player.prestige <= MOST_PRESTIGE, f"{where}.prestige", "out of range")
    for track, spaces in RULES.tracks.items():
        need(getattr(player, track) in spaces, f"{where}.{track}", f"one of {spaces}")
    need(1 <= player.diplomacy <= WORLD.diplomacy_length, f"{where}.diplomacy", "out of range")
    need(player.colour in RULES.colours, f"{where}.colour", f"one of {RULES.colours}")
    need(len(player.loans) <= MOST_LOANS, f"{where}.loans", f"at most {MOST_LOANS}")
    need(all(1 <= loan.size <= MOST_HELD for loan in player.loans), f"{where}.loans", "sizes of at least 1")
    need(
        set(player.used_characters) <= set(RULES.characters), f"{where}.used_characters", "unknown Character"
    )
    need(len(player.used_characters) <= 2 * RULES.rounds, f"{where}.used_characters", "too many")
    if state.variant == "basic":
        need(player.nation is None, f"{where}.nation", "none in the basic game")
    else:
        need(player.nation is None or player.nation in NATIONS, f"{where}.nation", "unknown")
        chosen = player.nation is not None or state.phase in ("setup", "nation_choice")
        need(chosen, f"{where}.nation", "missing")
    extra = Counter(player.cards) - Counter(list(CARDS))
    allowed = [NATIONS[player.nation].extra_card] if player.nation else []
    need(not Counter(list(CARDS)) - Counter(player.cards), f"{where}.cards", "one of each card at least")
    need(not extra - Counter(allowed), f"{where}.cards", "too many cards")
    _row(player.last_row, Counter([*CARDS, *allowed]), f"{where}.last_row")


def _row(row: tuple[str, ...], hand: Mapping[str, int], where: str) -> None:
    if row:
        need(len(row) == RULES.programmed_cards, f"{where}", f"{RULES.programmed_cards} cards or none")
        need(not Counter(row) - Counter(hand), f"{where}", "cards that the seat does not hold")


def _map(state: State) -> None:
    for space, pile in zip(SPACES, state.piles, strict=True):
        fits = len(pile) <= MOST_COUNTERS and all(owner < state.seats for owner in pile)
        need(
            fits, f"territories.{TERRITORIES[space.territory].id}.piles", "unknown seat or too many counters"
        )
    for place in TERRITORIES:
        _land(state, place.number, f"territories.{place.id}")
    city = state.booming_city
    if city is not None:
        need(city.territory in TERRITORY, "booming_city.territory", "unknown")
        need(1 <= city.value <= RULES.booming_city_max, "booming_city.value", "1 to 10")
        need(0 <= city.founder < state.seats, "booming_city.founder", "no such seat")


def _land(state: State, number: int, where: str) -> None:
    land = state.lands[number]
    for name in ("prestige", "unrest", "missions"):
        need(getattr(land, name) <= MOST_MARKERS, f"{where}.{name}", f"at most {MOST_MARKERS}")
    owner = land.colony
    need(owner is None or owner < state.seats, f"{where}.colony", "no such seat")
    need(owner is None or not land.independent, where, "a Colony is no Independent State")
    holds = land.prestige or land.unrest or land.missions or total_in(state, number) or owner is not None
    need(not (land.excluded and holds), where, "excluded, yet not empty")


# --- the course of the turn --------------------------------------------------------------------


def _course(state: State) -> None:
    need(state.round <= RULES.rounds, "round", "0 to 5")
    for seat, row in enumerate(state.programmes):
        _row(row, Counter(state.players[seat].cards), f"programmes.{seat}")
    need(state.played is None or state.played in RULES.characters, "played", "no Character")
    if state.status == "finished":
        need(state.action is None and state.war is None, "action, war", "none in a finished game")
        return
    _PHASES.get(state.phase, _no_rest)(state)
    if state.phase != "endeavour":
        idle = state.played is None and state.action is None and state.war is None
        need(idle, "played, action, war", "only in the Endeavour phase")


def _no_rest(state: State) -> None:
    raise InvalidPosition(f"phase: no game rests in {state.phase}")


def _nation_choice(state: State) -> None:
    need(nations.chooser(state) is not None, "phase", "all Nations are chosen")
    need(state.variant != "basic", "phase", "no Nations in the basic game")


def _check_programming(state: State) -> None:
    need(not all(state.programmes), "programmes", "all have submitted, the phase is endeavour")
    need(state.active is None, "active", "nobody while programming")


def _endeavour(state: State) -> None:
    need(state.round >= 1, "round", "1 to 5 in the Endeavour phase")
    need(all(state.programmes), "programmes", "every seat has a row in the Endeavour phase")
    _somebody(state)


def _somebody(state: State) -> None:
    need(state.active is not None, "active", "a player acts in this phase")


_PHASES: Mapping[str, Callable[[State], None]] = {
    "nation_choice": _nation_choice,
    "programming": _check_programming,
    "endeavour": _endeavour,
    "merchant_fleets": _somebody,
    "naval_forces": _somebody,
    "end_of_turn": _somebody,
}


# --- the play in progress ----------------------------------------------------------------------


def _play(state: State) -> None:
    if state.action is not None:
        need(state.war is None, "war", "not within another play")
        need(state.played == state.action.__struct_config__.tag, "played", "does not fit the action")
        _ACTIONS[type(state.action)](state, state.action)
    elif state.war is not None:
        need(state.played == "sovereign", "played", "a war is the Sovereign's")
        _war(state, state.war)


def _check_exploring(state: State, action: Exploring) -> None:
    need(action.step != "roll", "action.step", "no play rests at the roll")
    need(action.territory is None or action.territory in TERRITORY, "action.territory", "unknown")
    if action.step == "circumnavigation":
        need(state.circumnavigation_box > 0, "action.step", "circumnavigation is not open")
        return
    need(action.territory is not None, "action.territory", "missing")
    lies = state.lands[TERRITORY[action.territory or ""]].prestige
    need(
        bool(lies) == (action.step == "second_roll"),
        "action.step",
        "does not fit the Prestige on the Territory",
    )


def _check_shipping(state: State, action: Shipping) -> None:
    named = (*action.shipped, *action.refused)
    need(len(named) <= 2 * len(SPACE) and set(named) <= set(SPACE), "action", "unknown space, or too many")
    need(action.blocked is None or action.blocked in TERRITORY, "action.blocked", "unknown Territory")
    owners = [request.owner for request in action.requests]
    need(len(set(owners)) == len(owners), "action.requests", "an owner stands twice")
    for request in action.requests:
        need(
            0 <= request.owner < state.seats and request.owner != state.active,
            "action.requests",
            "wrong owner",
        )
        known = bool(request.spaces) and set(request.spaces) <= set(SPACE)
        once = len(set(request.spaces)) == len(request.spaces)
        need(known and once, "action.requests", "no space, an unknown one, or one twice")
        mine = all(state.piles[SPACE[space]][:1] == (request.owner,) for space in request.spaces)
        need(mine, "action.requests", "a space that its owner does not control")


def _check_selling(state: State, action: Selling) -> None:
    need(len(action.asked) == len(action.refused) == state.seats, "action", "amounts by seat")
    need(0 <= action.moved <= 10**9, "action.moved", "out of range")
    for seat, player in enumerate(state.players):
        need(0 <= action.asked[seat] <= player.market, "action.asked", "more than lies on the Market")
        need(0 <= action.refused[seat] <= 10**9, "action.refused", "out of range")
        need(not action.asked[seat] or seat != state.active, "action.asked", "the Trader asks others only")


def _check_rebelling(state: State, action: Rebelling) -> None:
    need(action.territory in TERRITORY, "action.territory", "unknown")
    number = TERRITORY[action.territory]
    own = counters(state, state.active or 0, number)
    others = total_in(state, number) - own
    need(action.from_others + action.from_self > 0, "action", "no casualty is due")
    need(0 <= action.from_others <= others and 0 <= action.from_self <= own, "action", "too many casualties")
    need(not action.from_self or action.from_others == others, "action", "own counters come last")


_ACTIONS: Mapping[type[Any], Callable[[State, Any], None]] = {
    Exploring: _check_exploring,
    Shipping: _check_shipping,
    Selling: _check_selling,
    Rebelling: _check_rebelling,
}


def _war(state: State, fighting: War) -> None:
    both = war.sides(fighting)
    need(all(0 <= seat < state.seats for seat in both) and len(set(both)) == 2, "war", "two belligerents")
    need(fighting.attacker == state.active, "war.attacker", "is the active player")
    need(0 <= fighting.year <= 10**6, "war.year", "out of range")
    need(set(fighting.battles) <= set(TERRITORY), "war.battles", "unknown Territory")
    need(len(set(fighting.battles)) == len(fighting.battles), "war.battles", "a Territory stands twice")
    at_sea = fighting.step in ("fight", "reroll") and not fighting.battles
    need(fighting.sea is None or at_sea, "war.sea", "only after the land battles")
    dice = fighting.sea or ((), ())
    need(all(len(rolled) <= RULES.war_dice for rolled in dice), "war.sea", "too many dice")
    need(
        (fighting.battle is not None) == (fighting.step == "casualties"),
        "war.battle",
        "only with casualties due",
    )
    if fighting.step == "reroll":
        need(fighting.sea is not None, "war.sea", "dice to re-roll are missing")
        need(war.reroller(state) is not None, "war.step", "nobody may re-roll")
    need((fighting.deciding is not None) == (fighting.step == "surrender"), "war.deciding", "about surrender")
    if fighting.step == "surrender":
        need(fighting.deciding in both, "war.deciding", "a belligerent")
        need(not fighting.battles, "war.battles", "the year is not over")
    if fighting.battle is not None:
        _battle(state, fighting)


def _battle(state: State, fighting: War) -> None:
    battle, both = fighting.battle, war.sides(fighting)
    if battle is None:
        return
    need(battle.territory in TERRITORY, "war.battle.territory", "unknown")
    number = TERRITORY[battle.territory]
    for side in (war.ATTACKER, war.DEFENDER):
        due, enemy = battle.due[side], both[1 - side]
        fits = 0 <= due <= min(RULES.war_dice, counters(state, enemy, number))
        need(fits, "war.battle.due", "too many casualties")
        need(due > 0 or not battle.asked[side], "war.battle.asked", "nothing to choose")
        chosen = battle.chosen[side]
        if chosen is not None:
            wanted = [(loss.space, loss.owner, loss.position) for loss in chosen]
            need(battle.asked[side], "war.battle.chosen", "nothing was asked")
            need(all(loss.owner == enemy for loss in chosen), "war.battle.chosen", "not the enemy's")
            try:
                losses.find_named(state, number, wanted, due)
            except Rejected as rejected:
                raise InvalidPosition(f"war.battle.chosen: {rejected.detail}") from None
    waits = [war.open_side(fighting, seat) is not None for seat in both]
    need(any(waits), "war.battle", "nobody has to choose")
