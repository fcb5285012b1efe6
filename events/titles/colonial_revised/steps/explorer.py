"""The Explorer: the roll, paying for a shortfall, the trading post and the Adventurers."""

from __future__ import annotations

from events.chance import Chance
from events.steps import Draft, Rejected
from events.titles.colonial_revised import commands as c
from events.titles.colonial_revised import facts as f
from events.titles.colonial_revised import tables
from events.titles.colonial_revised.data import SPACES, TERRITORIES, TERRITORY
from events.titles.colonial_revised.derived import america_penalty, is_neighbour
from events.titles.colonial_revised.state import Exploration, State, sure
from events.titles.colonial_revised.steps.cards import play
from events.titles.colonial_revised.steps.checks import (
    can_pay,
    economy_allows,
    inside,
    merged,
    placed,
    space_number,
    territory_number,
    usable_spaces,
    within_logistics,
)
from events.titles.colonial_revised.steps.settlement import control_after_placing, lift_america
from events.titles.colonial_revised.steps.unrest import place_markers


def difficulty(territory: int) -> int:
    """The printed Difficulty."""
    return sure(TERRITORIES[territory].difficulty)


def target_number(state: State, seat: int, territory: int) -> int:
    """What the die must reach (REV-161)."""
    return (
        difficulty(territory)
        - state.players[seat].seafaring
        - int(is_neighbour(state, seat, territory))
        + america_penalty(state, seat, territory)
    )


def explore(draft: Draft[State], seat: int, command: c.Explore, chance: Chance) -> None:
    """Name an unexplored Territory and roll (REV-160, REV-161)."""
    state, territory = draft.state, territory_number(command.territory)
    if state.territories[territory].explored:
        raise Rejected("territory_already_explored", "That Territory is explored: name an unexplored one.")
    play(draft, seat, "explorer")
    target = target_number(state, seat, territory)
    roll: int = chance.roll(1)[0]
    shortfall = max(0, target - roll)
    draft.emit(
        f.ExplorationRolled(
            seat=seat,
            territory=command.territory,
            difficulty=difficulty(territory),
            seafaring=state.players[seat].seafaring,
            adjacency=int(is_neighbour(state, seat, territory)),
            america_penalty=america_penalty(state, seat, territory),
            target=target,
            roll=roll,
            shortfall=shortfall,
            price=tables.exploration_price(shortfall),
        )
    )
    if not shortfall:
        _success(draft, seat, territory, paid=False)


def _success(draft: Draft[State], seat: int, territory: int, *, paid: bool) -> None:
    """The Territory is explored, whether or not anything is placed (REV-163); America (REV-139)."""
    draft.emit(f.TerritoryExplored(seat=seat, territory=TERRITORIES[territory].id, paid=paid))
    if TERRITORIES[territory].american and draft.state.america_discovered_turn is None:
        draft.emit(f.AmericaDiscovered(seat=seat, turn=draft.state.turn))
    lift_america(draft, seat, territory)


def purchase_offered(state: State, seat: int, exploration: Exploration) -> bool:
    """Whether the shortfall is for sale and he can pay it (REV-162)."""
    return exploration.price is not None and exploration.price <= state.players[seat].spendable


def can_settle(state: State, seat: int, territory: int) -> bool:
    """Whether a trading post or Adventurers can be placed at all."""
    player = state.players[seat]
    return bool(player.merchant_fleets or player.spendable > 0) and bool(usable_spaces(player, territory))


def go_on(draft: Draft[State], exploration: Exploration) -> None:
    """What the Explorer cannot do is skipped."""
    seat = sure(draft.state.action).seat
    if exploration.step == "settle":
        draft.emit(f.DecisionSkipped(seat, "settle_exploration", "nothing_to_place"))
        return
    reason = "not_for_sale" if exploration.price is None else "price_too_high"
    draft.emit(f.DecisionSkipped(seat, "buy_exploration", reason))
    draft.emit(f.ExplorationFailed(seat=seat, territory=exploration.territory))


def buy_exploration(draft: Draft[State], seat: int, command: c.BuyExploration, chance: Chance) -> None:
    """Pay to succeed anyway, or let the action end (REV-162)."""
    exploration = sure(draft.state.exploration)
    price = sure(exploration.price)
    if not command.pay:
        draft.emit(f.ExplorationFailed(seat=seat, territory=exploration.territory))
        return
    can_pay(draft.state.players[seat], price)
    draft.emit(f.ExplorationBought(seat, exploration.territory, price))
    _success(draft, seat, TERRITORY[exploration.territory], paid=True)


def settle_exploration(draft: Draft[State], seat: int, command: c.SettleExploration, chance: Chance) -> None:
    """A Merchant Fleet becomes a trading post, Treasury becomes Adventurers (REV-164 to REV-168)."""
    state = draft.state
    player = state.players[seat]
    territory = TERRITORY[sure(state.exploration).territory]
    post = None if command.trading_post is None else space_number(command.trading_post)
    counts = merged(command.adventurers)
    sent = sum(counts.values())
    if post is not None and not player.merchant_fleets:
        raise Rejected("no_merchant_fleet", "A trading post takes a Merchant Fleet and you have none.")
    within_logistics(player, sent)
    spaces = [*([] if post is None else [post]), *counts]
    economy_allows(player, spaces)
    inside(territory, spaces)
    can_pay(player, sent)
    if not spaces:
        draft.emit(f.ExplorationSettled(seat=seat, territory=sure(state.exploration).territory))
        return
    if post is not None:
        draft.emit(f.TradingPostEstablished(seat=seat, space=SPACES[post].id))
    if counts:
        draft.emit(f.AdventurersSent(seat, TERRITORIES[territory].id, placed(counts)))
    control_after_placing(draft, state, seat, spaces)
    place_markers(draft, territory, tables.adventurers_unrest(sent), "adventurers")
