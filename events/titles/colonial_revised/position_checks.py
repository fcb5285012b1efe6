"""The conditions on a position so that nothing can fail on it; not whether play could have led to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from events.rules.kit.positions import need
from events.titles.colonial_revised.data import (
    CARDS,
    CONSTANTS,
    DIPLOMACY,
    SPACE,
    SPACES,
    TABLES,
    TERRITORIES,
    TERRITORY,
    TRACKS,
    WORLD,
)
from events.titles.colonial_revised.derived import (
    all_vulnerable,
    count_vulnerable,
    counters,
    exploration_price,
    members,
    trade_limit,
)
from events.titles.colonial_revised.parts import Loss
from events.titles.colonial_revised.state import (
    ATTACKER,
    DEFENDER,
    FINISHED,
    PHASES,
    RUNNING,
    Action,
    CardState,
    Escalation,
    Player,
    PrivateerWar,
    Rebellion,
    Shipment,
    Standing,
    State,
    Trade,
    War,
    require,
)
from events.titles.colonial_revised.steps.endeavour.war import casualty_ways, count_inflicted, has_choice
from events.titles.colonial_revised.steps.sovereign import count_in_box

MOST_PRIVATEERS = 99
"""Of a player in one box: each is a die when they are attacked, and a command can name no more."""
CHOICES = {ATTACKER, DEFENDER, "none"}
REASONS = {"adventurers", "viceroy", "rebel", "expedition"}
MONOPOLIES = {r.id for r in WORLD.resources if not r.every_space_a_monopoly} | {
    space.id for space in SPACES if WORLD.resource_named[space.resource].every_space_a_monopoly
}
BEFORE_FIGHTING = ("offer_attacker", "offer_defender", "choice", "pick_attacker", "pick_defender")
DECISIONS = ("attacker_ally", "attacker", "defender_ally", "defender")


def is_distinct(seats: Sequence[int], count: int) -> bool:
    """Return True if these are different seats of a table with so many."""
    return len(set(seats)) == len(seats) and all(0 <= seat < count for seat in seats)


def check(state: State) -> None:
    """Raise InvalidPosition naming the first part that does not fit."""
    need(3 <= state.seats <= 6, "seats", "3 to 6")
    need(state.status in {RUNNING, FINISHED}, "status", "running or finished")
    need(state.phase in PHASES, "phase", f"one of {', '.join(PHASES)}")
    need(state.turn >= 1, "turn", "at least 1")
    need(1 <= state.round <= CONSTANTS.rounds_per_turn, "round", f"1 to {CONSTANTS.rounds_per_turn}")
    need(state.place <= state.seats, "place", "at most the number of seats")
    need(
        len(state.order) == state.seats and is_distinct(state.order, state.seats),
        "player_order",
        "every seat once",
    )
    need(len(state.players) == state.seats, "players", "one for each seat")
    for seat, player in enumerate(state.players):
        _player(state, seat, player)
    _territories(state)
    for name, holder in (
        ("progress_award_holder", state.progress_award_holder),
        ("missions_award_holder", state.missions_award_holder),
    ):
        need(holder is None or holder < state.seats, f"{name}", "a seat of the table or null")
    need(is_distinct(state.winners, state.seats), "winners", "different seats of the table")
    need(bool(state.winners) == (state.status == FINISHED), "winners", "exactly in a finished game")
    _frames(state)
    _escrow(state)


# --- players and Territories -----------------------------------------------------------------------


def _player(state: State, seat: int, player: Player) -> None:
    where = f"players[{seat}]"
    need(len(player.privateers) == state.seats, f"{where}.privateers", "one number for each seat")
    need(player.privateers[seat] == 0, f"{where}.privateers", "none in the player's own box")
    need(max(player.privateers) <= MOST_PRIVATEERS, f"{where}.privateers", f"at most {MOST_PRIVATEERS} each")
    for track, values in TRACKS.items():
        need(getattr(player, track) in values, f"{where}.{track}", f"one of {values}")
    need(1 <= player.diplomacy <= DIPLOMACY, f"{where}.diplomacy", f"1 to {DIPLOMACY}")
    for card, held in zip(CARDS, player.cards, strict=True):
        _card(f"{where}.cards.{card}", card, held)
    played = [card for card, held in zip(CARDS, player.cards, strict=True) if held.status == "played"]
    aside = player.set_aside_choice
    need(
        aside is None or (state.phase == "choosing_cards" and aside in played),
        f"{where}.set_aside_choice",
        "in phase 7 a card that the player played, else null",
    )


def _card(where: str, card: str, held: CardState) -> None:
    if held.status == "played":
        need(held.round is None or 1 <= held.round <= CONSTANTS.rounds_per_turn, f"{where}.round", "1 to 5")
        known = (None, *CARDS[card].characters)
        need(held.character in known, f"{where}.character", f"one of {known}")
    else:
        need(
            held.round is None and held.character is None, f"{where}", "round and character only when played"
        )


def _territories(state: State) -> None:
    values: list[int] = []
    for place, land in zip(TERRITORIES, state.lands, strict=True):
        where = f"territories.{place.id}"
        owner = land.colony_owner
        need(owner is None or owner < state.seats, f"{where}.colony_owner", "a seat of the table or null")
        need(owner is None or not land.independent, f"{where}", "a Colony is no Independent State")
        need(owner is not None or not land.cities, f"{where}.cities", "only in a Colony")
        need(land.unrest <= CONSTANTS.auto_rebellion_unrest, f"{where}.unrest", "at most 5")
        need(list(land.cities) == sorted(land.cities), f"{where}.cities", "in ascending order")
        values += land.cities
    known = set(TABLES.city_values)
    need(len(set(values)) == len(values) and set(values) <= known, "cities", f"each of {sorted(known)} once")
    need(
        state.booming_city is None or state.booming_city in values,
        "booming_city",
        "a City on the map or null",
    )
    for number, safe in enumerate(state.protected):
        fits = all(count <= state.piles[number].count(seat) for seat, count in enumerate(safe))
        need(fits, f"protected counters on {SPACES[number].id}", "at most those that are there")


def check_standings(state: State, standings: Sequence[Standing]) -> None:
    """Recorded Prestige: one for each seat, Monopolies known and sorted."""
    need(len(standings) == state.seats, "prestige", "null, or one entry for each seat")
    for seat, standing in enumerate(standings):
        held = standing.monopolies
        fits = list(held) == sorted(set(held)) and set(held) <= MONOPOLIES
        need(fits, f"prestige[{seat}].monopolies", "known ones, each once, in alphabetical order")


# --- what is in progress ---------------------------------------------------------------------------


def _frames(state: State) -> None:
    deals = (
        state.exploration,
        state.shipment,
        state.trade,
        state.war,
        state.escalation,
        state.privateer_war,
    )
    open_frames = [frame for frame in deals if frame is not None]
    if state.action is None:
        idle = not open_frames and state.rebellion is None and not state.unrest_left
        need(idle, "action", "something is in progress, but no card is being played")
        return
    need(
        len(open_frames) <= 1,
        "action",
        "only one of exploration, shipment, trade, war, escalation, privateer_war at a time",
    )
    need(
        state.phase == "endeavour" and state.status == RUNNING, "action", "cards are played in the endeavour"
    )
    _action(state, state.action)
    for name, checker in _CHECKERS.items():
        frame = getattr(state, name)
        if frame is not None:
            checker(state, frame)
    most = len(TERRITORIES) * len(REASONS)
    need(len(state.unrest_left) <= most, "unrest_left", f"at most {most}")
    for markers in state.unrest_left:
        fits = markers.territory in TERRITORY and 1 <= markers.count <= 9 and markers.reason in REASONS
        need(fits, "unrest_left", "known Territories and reasons, counts of 1 to 9")


def _action(state: State, action: Action) -> None:
    known = action.card_id in CARDS and action.character in {None, *CARDS[action.card_id].characters}
    need(known and action.seat < state.seats, "action", "a seat, a card and one of its Characters")
    need(state.place < state.seats, "place", "less than the number of seats while a card is being played")


def _exploration(state: State, held: Any) -> None:
    need(held.territory in TERRITORY, "exploration.territory", "a Territory of the board")
    price = exploration_price(held.shortfall) if held.step == "buy" else None
    need(held.price == price, "exploration.price", "that of the shortfall, null if it cannot be bought")


def _shipment(state: State, deal: Shipment) -> None:
    merchant = require(state.action).seat
    known = {"answer", "confirm", "attack", "reply"}
    need(deal.step in known, "shipment.step", "answer, confirm, attack or reply")
    asked = {entry.seat: entry.spaces for entry in deal.requests}
    named = [*deal.own_spaces, *(name for entry in deal.requests for name in entry.spaces)]
    need(len(set(named)) == len(named) and set(named) <= set(SPACE), "shipment", "known spaces, each once")
    need(set(deal.booming_spaces) <= set(named), "shipment.booming_spaces", "spaces that were requested")
    fleets = state.players[merchant].merchant_fleets
    need(len(deal.own_spaces) <= fleets, "shipment.own_spaces", "at most one for each Merchant Fleet")
    _owners(state, merchant, deal.own_spaces, "shipment.own_spaces")
    for seat, spaces in asked.items():
        need(seat < state.seats and seat != merchant, "shipment.requests", "of other seats")
        _owners(state, seat, spaces, "shipment.requests")
    _answers(state, deal, list(asked), "shipment")
    for seat, answer in enumerate(deal.answers):
        need(set(answer or ()) <= set(asked.get(seat, ())), "shipment.answers", "among what was asked")
    if deal.step in {"attack", "reply"}:
        need(is_distinct(deal.awaiting, state.seats), "shipment.awaiting", "different seats")
        need(merchant not in deal.awaiting, "shipment.awaiting", "not the Merchant")
    need((deal.attack is not None) == (deal.step == "reply"), "shipment.attack", "while a reply is due only")
    if deal.attack is not None:
        owner = deal.attack.seat
        need(owner < state.seats and owner != merchant, "shipment.attack", "of another seat")
        there = min(state.players[owner].privateers[merchant], state.players[merchant].squadrons)
        known_fleet = deal.attack.count <= state.players[owner].privateers[merchant]
        need(there > 0 and known_fleet, "shipment.attack", "Privateers in the box, and Squadrons to reply")


def _owners(state: State, seat: int, spaces: Iterable[str], where: str) -> None:
    fits = all(state.piles[SPACE[name]][:1] == (seat,) for name in spaces)
    need(fits, f"{where}", "spaces that the seat controls")


def _answers(state: State, deal: Shipment | Trade, asked: list[int], where: str) -> None:
    need(is_distinct(asked, state.seats), f"{where}.requests", "each seat once")
    need(len(deal.answers) == state.seats, f"{where}.answers", "one for each seat, null where there is none")
    open_answers = {seat for seat in asked if deal.answers[seat] is None}
    answered = {seat for seat, answer in enumerate(deal.answers) if answer is not None}
    need(answered <= set(asked), f"{where}.answers", "only of seats that were asked")
    if deal.step == "answer":
        fits = is_distinct(deal.awaiting, state.seats) and set(deal.awaiting) == open_answers
        need(fits, f"{where}.awaiting", "who was asked and has not answered")
    else:
        need(not open_answers, f"{where}.answers", "all are in")


def _trade(state: State, deal: Trade) -> None:
    trader = require(state.action).seat
    need(deal.step in {"answer", "confirm"}, "trade.step", "answer or confirm")
    asked = {entry.seat: entry.count for entry in deal.requests}
    _answers(state, deal, [entry.seat for entry in deal.requests], "trade")
    need(trader not in asked, "trade.requests", "of other seats")
    wanted = {**asked, trader: deal.own}
    fits = all(count <= state.players[seat].market for seat, count in wanted.items())
    need(fits, "trade", "at most the Goods on the Market")
    need(deal.own <= trade_limit(state, trader), "trade.own", "at most the limit")
    for seat, answer in enumerate(deal.answers):
        need((answer or 0) <= asked.get(seat, 0), "trade.answers", "at most what was asked")


def _rebellion(state: State, held: Rebellion) -> None:
    need(
        held.kind in {"territory", "colony", "automatic"}, "rebellion.kind", "territory, colony or automatic"
    )
    need(held.step in {"allot", "avert", "entry", "close"}, "rebellion.step", "allot, avert, entry or close")
    need(held.territory in TERRITORY, "rebellion.territory", "a Territory of the board")
    seat = None if held.kind == "automatic" else require(state.action).seat
    need(held.seat == seat, "rebellion.seat", "who plays the card, null for an automatic one")
    need(held.step != "entry" or held.kind == "colony", "rebellion.step", "entry only into a lost Colony")
    territory = TERRITORY[held.territory]
    if held.step == "allot":
        need(
            1 <= held.losses <= all_vulnerable(state, territory),
            "rebellion.losses",
            "at most what can be lost",
        )
    keys = [(loss.seat, loss.space) for loss in held.allotment]
    need(len(set(keys)) == len(keys), "rebellion.allotment", "each seat and space once")
    for loss in held.allotment:
        _loss(state, territory, loss)
    victims = {loss.seat for loss in held.allotment}
    fits = is_distinct(held.awaiting, state.seats) and set(held.awaiting) <= victims
    need(fits, "rebellion.awaiting", "victims of the allotted losses")
    need(held.step == "avert" or not held.awaiting, "rebellion.awaiting", "only while losses are averted")


def _loss(state: State, territory: int, loss: Loss) -> None:
    space = SPACE.get(loss.space, -1)
    fits = (
        space in TERRITORIES[territory].spaces
        and loss.seat < state.seats
        and loss.count <= count_vulnerable(state, space, loss.seat)
    )
    need(fits, "rebellion.allotment", "vulnerable counters in the Territory")


def _war(state: State, war: War) -> None:
    principals = (war.attacker, war.defender)
    need(is_distinct(principals, state.seats), "war", "two different seats of the table")
    need(len(war.controllers) == len(SPACES), "war.controllers", f"{len(SPACES)} seats or nulls")
    fits = all(seat is None or seat < state.seats for seat in war.controllers)
    need(fits, "war.controllers", "seats of the table or nulls")
    need(len(war.choices) == state.seats, "war.choices", "one for each seat, null where there is none")
    need(all(choice in {None, *CHOICES} for choice in war.choices), "war.choices", "attacker, defender, none")
    need(all(war.choices[seat] is None for seat in principals), "war.choices", "not of the principals")
    others = [s for s in range(state.seats) if s not in principals]
    undecided = {seat for seat in others if war.choices[seat] is None}
    if war.step in {"offer_attacker", "offer_defender", "choice"}:
        fits = is_distinct(war.awaiting, state.seats) and set(war.awaiting) == undecided
        need(fits, "war.awaiting", "who has not chosen yet")
    else:
        need(not war.awaiting, "war.awaiting", "nobody after the choice")
    _allies(war, others)
    _war_step(war)
    _battle(state, war)


def _allies(war: War, others: list[int]) -> None:
    allies = [ally for ally in (war.attacker_ally, war.defender_ally) if ally is not None]
    fits = len(set(allies)) == len(allies) and set(allies) <= set(others)
    need(fits, "war", "Allies are two different players besides the principals")
    need(is_distinct(war.left, 6) and set(war.left) <= set(allies), "war.left", "Allies who gave up")


def _war_step(war: War) -> None:
    before = war.step in BEFORE_FIGHTING
    known = before or war.step in {"fight", "casualties", "expedition", *DECISIONS}
    # While an expedition's Unrest makes the Colony rebel, its battle is still to come.
    need(known or war.step == "expedition_battle", "war.step", "a step that waits for a decision")
    if before or war.step == "fight":
        most = 0 if before else CONSTANTS.war_years_max - 1
        need(war.year <= most, "war.year", "the years that were fought")
    else:
        need(1 <= war.year <= CONSTANTS.war_years_max, "war.year", "1 to 4")
    battle = war.step == "expedition_battle"
    need(
        (war.expedition_territory in TERRITORY) == battle,
        "war.expedition_territory",
        "before its battle only",
    )
    for step, ally in (("attacker_ally", war.attacker_ally), ("defender_ally", war.defender_ally)):
        present = ally is not None and ally not in war.left
        need(war.step != step or present, "war.step", f"there is no {step} to decide")
    need(
        not before or war.attacker_ally is None or war.step == "pick_defender",
        "war",
        "no Ally before the choice",
    )
    need(not before or war.defender_ally is None, "war", "no Ally before the choice")


def _battle(state: State, war: War) -> None:
    battle = war.battle
    need((battle is not None) == (war.step == "casualties"), "war.battle", "while casualties are chosen only")
    where = "war.battles"
    need(
        len(set(war.battles)) == len(war.battles) and set(war.battles) <= set(TERRITORY),
        where,
        "known Territories, each once",
    )
    need(not war.battles or war.step == "casualties", where, "none but while a year is fought")
    if battle is None:
        return
    need(battle.territory in TERRITORY, "war.battle.territory", "a Territory of the board")
    need(battle.territory not in war.battles, where, "not the one of the battle")
    need(not (battle.expedition and war.battles), where, "none in an expedition")
    territory = TERRITORY[battle.territory]
    victims = [entry.seat for entry in battle.due]
    fighters = {*members(war, ATTACKER), *members(war, DEFENDER)}
    need(len(set(victims)) == len(victims) and set(victims) <= fighters, "war.battle.due", "belligerents")
    fits = all(entry.count <= counters(state, entry.seat, territory) for entry in battle.due)
    need(fits, "war.battle.due", "at most the counters that are there")
    asked = tuple(has_choice(state, territory, count_inflicted(war, battle, side)) for side in (0, 1))
    need(battle.asked == asked, "war.battle.asked", "those with a real choice")
    for side, chosen in enumerate(battle.chosen):
        if chosen is not None:
            ways = {frozenset(way) for way in casualty_ways(state, war, battle, side)}
            need(asked[side] and frozenset(chosen) in ways, "war.battle.chosen", "a choice of that side")


def _privateer_war(state: State, held: PrivateerWar) -> None:
    need(held.seat == require(state.action).seat, "privateer_war.seat", "who plays the Sovereign")
    rounds = CONSTANTS.privateer_war_rounds
    need(1 <= held.round <= rounds, "privateer_war.round", f"1 to {rounds}")
    box = count_in_box(state, held.seat)
    fits = len(box) > 1 and 0 < held.hits < sum(box.values())
    need(fits, "privateer_war.hits", "fewer than the Privateers of several owners")


def _escalation(state: State, held: Escalation) -> None:
    need(held.part in {"A", "B"}, "escalation.part", "A or B")
    whole = len(held.order) == state.seats and is_distinct(held.order, state.seats)
    need(whole, "escalation.order", "every seat once")
    rest = held.order[len(held.order) - len(held.queue) :]
    need(held.queue == rest, "escalation.queue", "the rest of the order")
    need(is_distinct(held.belligerents, state.seats), "escalation.belligerents", "different seats")
    need(is_distinct(held.loans_used, state.seats), "escalation.loans_used", "different seats")


_CHECKERS: dict[str, Callable[[State, Any], None]] = {
    "exploration": _exploration,
    "shipment": _shipment,
    "trade": _trade,
    "rebellion": _rebellion,
    "war": _war,
    "privateer_war": _privateer_war,
    "escalation": _escalation,
}


def _escrow(state: State) -> None:
    """Check that escrow holds just the sums promised to Allies (REV-304, REV-309)."""
    due = dict.fromkeys(range(state.seats), 0)
    if state.war:
        due |= _count_promised(state.war)
    for seat, player in enumerate(state.players):
        need(
            player.escrow == due[seat], f"players[{seat}].escrow", f"{due[seat]}, the sum promised in the war"
        )
        need(player.escrow <= player.treasury, f"players[{seat}].escrow", "at most the treasury")


def _count_promised(war: War) -> dict[int, int]:
    """Return the offer of each principal, 0 if they have picked nobody."""
    steps = (*BEFORE_FIGHTING, "fight")
    at = steps.index(war.step) if war.step in steps else len(steps)
    attacker = war.attacker_ally is not None or at <= steps.index("pick_attacker")
    defender = war.defender_ally is not None or at <= steps.index("pick_defender")
    return {
        war.attacker: war.attacker_offer if attacker else 0,
        war.defender: war.defender_offer if defender else 0,
    }
