"""The whole state as readable JSON, and back with every check that play relies on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Annotated, Any

import msgspec
from msgspec.structs import replace

from events.kit.values import plain, without
from events.steps import Rejected
from events.title import InvalidPosition
from events.titles.colonial.data import (
    CARDS,
    NATIONS,
    RULES,
    SPACE,
    SPACES,
    TERRITORIES,
    TERRITORY,
    WORLD,
)
from events.titles.colonial.derived import counters_in, total_in
from events.titles.colonial.options import Options, Variant, check_options, variant_of
from events.titles.colonial.state import (
    Action,
    BoomingCity,
    Exploring,
    Phase,
    Player,
    Rebelling,
    Selling,
    Shipping,
    State,
    War,
)
from events.titles.colonial.steps import losses, nations, war

MOST_COUNTERS = 300
"""On one space of a position."""
MOST_HELD = 99_999
"""Of Treasury, Goods or ships: as much as a command can name."""
MOST_PRESTIGE = 1000
"""Of a player: as far as a page can draw the track."""
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


class _Position(msgspec.Struct, forbid_unknown_fields=True):
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
    next_loan: Annotated[int, msgspec.Meta(ge=1, le=99_999)]
    played: str | None
    action: Action | None
    war: War | None


_AS_THEY_ARE = (
    "options",
    "variant",
    "status",
    "winner",
    "phase",
    "turn",
    "round",
    "first_player",
    "active",
    "players",
    "programmes",
    "booming_city",
    "discovery_box",
    "circumnavigation_box",
    "america_discovered",
    "next_loan",
    "played",
    "action",
    "war",
)
_OF_TERRITORIES = ("prestige", "unrest", "missions", "colony", "independent", "excluded")


def position(state: State) -> dict[str, Any]:
    """The whole state, secrets included; Territories by id, piles by Resource, bottom first."""
    data: dict[str, Any] = {name: getattr(state, name) for name in _AS_THEY_ARE}
    data["territories"] = {
        land.id: {
            **{name: getattr(state, name)[land.number] for name in _OF_TERRITORIES},
            "piles": {SPACES[space].resource: state.piles[space] for space in land.spaces},
        }
        for land in TERRITORIES
    }
    return plain(data)


def from_position(data: dict[str, Any]) -> State:
    """The inverse of :func:`position`. Raises :class:`InvalidPosition`."""
    try:
        read = msgspec.convert(data, _Position)
    except (msgspec.ValidationError, ValueError, TypeError) as error:
        raise InvalidPosition(str(error)) from None
    _expect(set(read.territories) == set(TERRITORY), "territories: name every Territory of the map, no other")
    for land in TERRITORIES:
        wanted = {SPACES[space].resource for space in land.spaces}
        _expect(
            set(read.territories[land.id].piles) == wanted, f"territories.{land.id}.piles: one pile a space"
        )
    lands = [read.territories[land.id] for land in TERRITORIES]
    values: dict[str, Any] = {name: getattr(read, name) for name in _AS_THEY_ARE}
    values |= {name: tuple(getattr(land, name) for land in lands) for name in _OF_TERRITORIES}
    values["piles"] = tuple(lands[space.territory].piles[space.resource] for space in SPACES)
    state = _completed(State(**values))
    for check in (_table, _players, _map, _course, _play):
        check(state)
    return state


def _expect(holds: object, message: str) -> None:
    if not holds:
        raise InvalidPosition(message)


def _completed(state: State) -> State:
    """What a position may leave out: the seat that acts, cards of rows, the extra card of a Nation.

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
        state = replace(state, round=state.round or 1, programmes=tuple(map(_filled, state.programmes)))
    return state


def _filled(row: tuple[str, ...]) -> tuple[str, ...]:
    """A row of five: what is given, then the usual cards that it lacks."""
    missing = RULES.programmed_cards - len(row)
    return (*row, *[card for card in RULES.default_row if card not in row][: max(0, missing)])


def _with_extra_card(player: Player) -> Player:
    """The extra card of another Nation is taken for that of the present one (COL-25-04)."""
    nation = NATIONS.get(player.nation or "")
    extra = Counter(player.cards) - Counter(list(CARDS))
    if nation is None or extra.total() != 1 or nation.extra_card in extra:
        return player
    hand = without(player.cards[::-1], list(extra))[::-1]
    return replace(player, cards=(*hand, nation.extra_card))


# --- table, players, map -----------------------------------------------------------------------


def _table(state: State) -> None:
    seats = state.seats
    _expect(2 <= seats <= 6, "players: 2 to 6")
    _expect(len(state.programmes) == seats, "programmes: one a seat")
    try:
        check_options(seats, state.options)
    except Rejected as rejected:
        raise InvalidPosition(f"options: {rejected.detail}") from None
    _expect(
        state.variant == variant_of(seats, state.options), "variant: does not fit the options and the seats"
    )
    for name in ("winner", "first_player", "active"):
        seat = getattr(state, name)
        _expect(seat is None or seat < seats, f"{name}: no such seat")
    _expect(state.status in ("running", "finished"), "status: running or finished")
    _expect(state.status == "finished" or state.winner is None, "winner: a running game has none")


def _players(state: State) -> None:
    loans = [loan.loan_id for player in state.players for loan in player.loans]
    _expect(len(set(loans)) == len(loans), "players.loans: a loan_id stands twice")
    _expect(all(0 <= loan < state.next_loan for loan in loans), "next_loan: must be above every loan_id")
    taken = [player.nation for player in state.players if player.nation]
    _expect(len(set(taken)) == len(taken), "players.nation: a Nation stands twice")
    for seat, player in enumerate(state.players):
        _player(state, player, f"players.{seat}")


def _player(state: State, player: Player, where: str) -> None:
    for name in ("treasury", "fleets", "squadrons", "market"):
        _expect(0 <= getattr(player, name) <= MOST_HELD, f"{where}.{name}: out of range")
    _expect(0 <= player.prestige <= MOST_PRESTIGE, f"{where}.prestige: out of range")
    for track, spaces in RULES.tracks.items():
        _expect(getattr(player, track) in spaces, f"{where}.{track}: one of {spaces}")
    _expect(1 <= player.diplomacy <= WORLD.diplomacy_length, f"{where}.diplomacy: out of range")
    _expect(player.colour in RULES.colours, f"{where}.colour: one of {RULES.colours}")
    _expect(all(1 <= loan.size <= MOST_HELD for loan in player.loans), f"{where}.loans: sizes of at least 1")
    _expect(
        set(player.used_characters) <= set(RULES.characters), f"{where}.used_characters: unknown Character"
    )
    _expect(len(player.used_characters) <= 2 * RULES.rounds, f"{where}.used_characters: too many")
    if state.variant == "basic":
        _expect(player.nation is None, f"{where}.nation: none in the basic game")
    else:
        _expect(player.nation is None or player.nation in NATIONS, f"{where}.nation: unknown")
        chosen = player.nation is not None or state.phase in ("setup", "nation_choice")
        _expect(chosen, f"{where}.nation: missing")
    extra = Counter(player.cards) - Counter(list(CARDS))
    allowed = [NATIONS[player.nation].extra_card] if player.nation else []
    _expect(not Counter(list(CARDS)) - Counter(player.cards), f"{where}.cards: one of each card at least")
    _expect(not extra - Counter(allowed), f"{where}.cards: too many cards")
    _row(player.last_row, Counter([*CARDS, *allowed]), f"{where}.last_row")


def _row(row: tuple[str, ...], hand: Mapping[str, int], where: str) -> None:
    if row:
        _expect(len(row) == RULES.programmed_cards, f"{where}: {RULES.programmed_cards} cards or none")
        _expect(not Counter(row) - Counter(hand), f"{where}: cards that the seat does not hold")


def _map(state: State) -> None:
    for space, pile in zip(SPACES, state.piles, strict=True):
        fits = len(pile) <= MOST_COUNTERS and all(owner < state.seats for owner in pile)
        _expect(
            fits, f"territories.{TERRITORIES[space.territory].id}.piles: unknown seat or too many counters"
        )
    for land in TERRITORIES:
        number, where = land.number, f"territories.{land.id}"
        owner = state.colony[number]
        _expect(owner is None or owner < state.seats, f"{where}.colony: no such seat")
        _expect(owner is None or not state.independent[number], f"{where}: a Colony is no Independent State")
        holds = (
            state.prestige[number]
            or state.unrest[number]
            or state.missions[number]
            or total_in(state, number)
        )
        _expect(
            not (state.excluded[number] and (holds or owner is not None)), f"{where}: excluded, yet not empty"
        )
    city = state.booming_city
    if city is not None:
        _expect(city.territory in TERRITORY, "booming_city.territory: unknown")
        _expect(1 <= city.value <= RULES.booming_city_max, "booming_city.value: 1 to 10")
        _expect(0 <= city.founder < state.seats, "booming_city.founder: no such seat")


# --- the course of the turn --------------------------------------------------------------------


def _course(state: State) -> None:
    _expect(state.round <= RULES.rounds, "round: 0 to 5")
    for seat, row in enumerate(state.programmes):
        _row(row, Counter(state.players[seat].cards), f"programmes.{seat}")
    _expect(state.played is None or state.played in RULES.characters, "played: no Character")
    if state.status == "finished":
        _expect(state.action is None and state.war is None, "action, war: none in a finished game")
        return
    _PHASES.get(state.phase, _no_rest)(state)
    if state.phase != "endeavour":
        idle = state.played is None and state.action is None and state.war is None
        _expect(idle, "played, action, war: only in the Endeavour phase")


def _no_rest(state: State) -> None:
    raise InvalidPosition(f"phase: no game rests in {state.phase}")


def _nation_choice(state: State) -> None:
    _expect(nations.chooser(state) is not None, "phase: all Nations are chosen")
    _expect(state.variant != "basic", "phase: no Nations in the basic game")


def _programming(state: State) -> None:
    _expect(not all(state.programmes), "programmes: all have submitted, the phase is endeavour")
    _expect(state.active is None, "active: nobody while programming")


def _endeavour(state: State) -> None:
    _expect(state.round >= 1, "round: 1 to 5 in the Endeavour phase")
    _expect(all(state.programmes), "programmes: every seat has a row in the Endeavour phase")
    _somebody(state)


def _somebody(state: State) -> None:
    _expect(state.active is not None, "active: somebody acts in this phase")


_PHASES: Mapping[str, Callable[[State], None]] = {
    "nation_choice": _nation_choice,
    "programming": _programming,
    "endeavour": _endeavour,
    "merchant_fleets": _somebody,
    "naval_forces": _somebody,
    "end_of_turn": _somebody,
}


# --- the play in progress ----------------------------------------------------------------------


def _play(state: State) -> None:
    if state.action is not None:
        _expect(state.war is None, "war: not within another play")
        _expect(state.played == state.action.__struct_config__.tag, "played: does not fit the action")
        _ACTIONS[type(state.action)](state, state.action)
    elif state.war is not None:
        _expect(state.played == "sovereign", "played: a war is the Sovereign's")
        _war(state, state.war)


def _exploring(state: State, action: Exploring) -> None:
    _expect(action.step != "roll", "action.step: no play rests at the roll")
    _expect(action.territory is None or action.territory in TERRITORY, "action.territory: unknown")
    if action.step == "circumnavigation":
        _expect(state.circumnavigation_box, "action.step: circumnavigation is not open")
        return
    _expect(action.territory is not None, "action.territory: missing")
    lies = state.prestige[TERRITORY[action.territory or ""]]
    _expect(
        bool(lies) == (action.step == "second_roll"),
        "action.step: does not fit the Prestige on the Territory",
    )


def _shipping(state: State, action: Shipping) -> None:
    _expect({*action.shipped, *action.refused} <= set(SPACE), "action: unknown space")
    _expect(action.blocked is None or action.blocked in TERRITORY, "action.blocked: unknown Territory")
    owners = [request.owner for request in action.requests]
    _expect(len(set(owners)) == len(owners), "action.requests: an owner stands twice")
    for request in action.requests:
        _expect(
            0 <= request.owner < state.seats and request.owner != state.active, "action.requests: wrong owner"
        )
        _expect(request.spaces and set(request.spaces) <= set(SPACE), "action.requests: unknown or no space")
        mine = all(state.piles[SPACE[space]][:1] == (request.owner,) for space in request.spaces)
        _expect(mine, "action.requests: a space that its owner does not control")


def _selling(state: State, action: Selling) -> None:
    _expect(len(action.asked) == len(action.refused) == state.seats, "action: amounts by seat")
    _expect(0 <= action.moved <= 10**9, "action.moved: out of range")
    for seat, player in enumerate(state.players):
        _expect(0 <= action.asked[seat] <= player.market, "action.asked: more than lies on the Market")
        _expect(0 <= action.refused[seat] <= 10**9, "action.refused: out of range")
        _expect(not action.asked[seat] or seat != state.active, "action.asked: the Trader asks others only")


def _rebelling(state: State, action: Rebelling) -> None:
    _expect(action.territory in TERRITORY, "action.territory: unknown")
    number = TERRITORY[action.territory]
    own = counters_in(state, number, state.active or 0)
    others = total_in(state, number) - own
    _expect(action.from_others + action.from_self > 0, "action: no casualty is due")
    _expect(0 <= action.from_others <= others and 0 <= action.from_self <= own, "action: too many casualties")
    _expect(not action.from_self or action.from_others == others, "action: own counters come last")


_ACTIONS: Mapping[type[Any], Callable[[State, Any], None]] = {
    Exploring: _exploring,
    Shipping: _shipping,
    Selling: _selling,
    Rebelling: _rebelling,
}


def _war(state: State, fighting: War) -> None:
    both = war.sides(fighting)
    _expect(all(0 <= seat < state.seats for seat in both) and len(set(both)) == 2, "war: two belligerents")
    _expect(fighting.attacker == state.active, "war.attacker: is the active player")
    _expect(0 <= fighting.year <= 10**6, "war.year: out of range")
    _expect(set(fighting.battles) <= set(TERRITORY), "war.battles: unknown Territory")
    at_sea = fighting.step in ("fight", "reroll") and not fighting.battles
    _expect(fighting.sea is None or at_sea, "war.sea: only after the land battles")
    dice = fighting.sea or ((), ())
    _expect(all(len(rolled) <= RULES.war_dice for rolled in dice), "war.sea: too many dice")
    _expect(
        (fighting.battle is not None) == (fighting.step == "casualties"),
        "war.battle: only with casualties due",
    )
    if fighting.step == "reroll":
        _expect(fighting.sea is not None, "war.sea: dice to re-roll are missing")
        _expect(war.reroller(state) is not None, "war.step: nobody may re-roll")
    _expect(
        (fighting.deciding is not None) == (fighting.step == "surrender"), "war.deciding: about surrender"
    )
    if fighting.step == "surrender":
        _expect(fighting.deciding in both, "war.deciding: a belligerent")
        _expect(not fighting.battles, "war.battles: the year is not over")
    if fighting.battle is not None:
        _battle(state, fighting)


def _battle(state: State, fighting: War) -> None:
    battle, both = fighting.battle, war.sides(fighting)
    if battle is None:
        return
    _expect(battle.territory in TERRITORY, "war.battle.territory: unknown")
    number = TERRITORY[battle.territory]
    for side in (war.ATTACKER, war.DEFENDER):
        due, enemy = battle.due[side], both[1 - side]
        fits = 0 <= due <= min(RULES.war_dice, counters_in(state, number, enemy))
        _expect(fits, "war.battle.due: too many casualties")
        _expect(due or not battle.asked[side], "war.battle.asked: nothing to choose")
        chosen = battle.chosen[side]
        if chosen is not None:
            wanted = [(loss.space, loss.owner, loss.position) for loss in chosen]
            _expect(battle.asked[side], "war.battle.chosen: nothing was asked")
            _expect(all(loss.owner == enemy for loss in chosen), "war.battle.chosen: not the enemy's")
            try:
                losses.named(state, number, wanted, due)
            except Rejected as rejected:
                raise InvalidPosition(f"war.battle.chosen: {rejected.detail}") from None
    waits = [war.open_side(fighting, seat) is not None for seat in both]
    _expect(any(waits), "war.battle: nobody has to choose")
