"""The Explorer: the roll, paying for a shortfall, the trading post and the Adventurers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from events.rules.chance import Chance
from events.rules.kit.words import format_list
from events.rules.steps import Command, Draft, Move, Rejected, Step
from events.titles.colonial_revised import commands as c
from events.titles.colonial_revised import facts as f
from events.titles.colonial_revised import words as w
from events.titles.colonial_revised.checks import (
    can_pay,
    check_inside,
    check_logistics,
    economy_allows,
    make_space_counts,
    merge_counts,
    space_number,
    territory_number,
    usable_spaces,
)
from events.titles.colonial_revised.data import AMERICAN, SPACE, SPACES, TERRITORIES, TERRITORY
from events.titles.colonial_revised.derived import (
    adventurers_unrest,
    america_penalty,
    exploration_price,
    is_neighbour,
    list_unexplored,
)
from events.titles.colonial_revised.offers import (
    MOST,
    draw_percent,
    draw_up_to,
    entries,
    names,
    pick,
    scatter,
    splits,
)
from events.titles.colonial_revised.state import Exploration, State, require
from events.titles.colonial_revised.steps.cards import Character, character, use
from events.titles.colonial_revised.steps.settlement import (
    consequences,
    control_after_placing,
    lift_america,
    place_markers,
)


def difficulty(territory: int) -> int:
    """The printed Difficulty."""
    return require(TERRITORIES[territory].difficulty)


def target_number(state: State, seat: int, territory: int) -> int:
    """Return the number that the die must reach (REV-161)."""
    return (
        difficulty(territory)
        - state.players[seat].seafaring
        - int(is_neighbour(state, seat, territory))
        + america_penalty(state, seat, territory)
    )


def explore(draft: Draft[State], seat: int, command: c.Explore) -> None:
    """Name an unexplored Territory and roll (REV-160, REV-161)."""
    state, territory = draft.state, territory_number(command.territory)
    if state.lands[territory].explored:
        raise Rejected("territory_already_explored", "That Territory is explored: name an unexplored one.")
    use(draft, seat, "explorer")
    target = target_number(state, seat, territory)
    roll: int = draft.chance.roll(1)[0]
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
            price=exploration_price(shortfall),
        )
    )
    if not shortfall:
        _success(draft, seat, territory, paid=False)


def _success(draft: Draft[State], seat: int, territory: int, *, paid: bool) -> None:
    """The Territory is explored, whether or not anything is placed (REV-163); America (REV-139)."""
    draft.emit(f.TerritoryExplored(seat=seat, territory=TERRITORIES[territory].id, paid=paid))
    if territory in AMERICAN and draft.state.america_discovered_turn is None:
        draft.emit(f.AmericaDiscovered(seat=seat, turn=draft.state.turn))
    lift_america(draft, seat, territory)


def purchase_offered(state: State, seat: int, exploration: Exploration) -> bool:
    """Return True if the shortfall is for sale and the seat can pay it (REV-162)."""
    return exploration.price is not None and exploration.price <= state.players[seat].spendable


def can_settle(state: State, seat: int, territory: int) -> bool:
    """Return True if a trading post or Adventurers can be placed at all."""
    player = state.players[seat]
    return bool(player.merchant_fleets or player.spendable > 0) and bool(usable_spaces(player, territory))


def go_on(draft: Draft[State], exploration: Exploration) -> None:
    """Skip the decision that the Explorer cannot take."""
    seat = require(draft.state.action).seat
    if exploration.step == "settle":
        draft.emit(f.DecisionSkipped(seat, "settle_exploration", "nothing_to_place"))
        return
    reason = "not_for_sale" if exploration.price is None else "price_too_high"
    draft.emit(f.DecisionSkipped(seat, "buy_exploration", reason))
    draft.emit(f.ExplorationFailed(seat=seat, territory=exploration.territory))


def buy_exploration(draft: Draft[State], seat: int, command: c.BuyExploration) -> None:
    """Pay to succeed anyway, or let the action end (REV-162)."""
    exploration = require(draft.state.exploration)
    price = require(exploration.price)
    if not command.pay:
        draft.emit(f.ExplorationFailed(seat=seat, territory=exploration.territory))
        return
    can_pay(draft.state.players[seat], price)
    draft.emit(f.ExplorationBought(seat, exploration.territory, price))
    _success(draft, seat, TERRITORY[exploration.territory], paid=True)


def settle_exploration(draft: Draft[State], seat: int, command: c.SettleExploration) -> None:
    """A Merchant Fleet becomes a trading post, Treasury becomes Adventurers (REV-164 to REV-168)."""
    state = draft.state
    player = state.players[seat]
    territory = TERRITORY[require(state.exploration).territory]
    post = None if command.trading_post is None else space_number(command.trading_post)
    counts = merge_counts(command.adventurers)
    sent = sum(counts.values())
    if post is not None and not player.merchant_fleets:
        raise Rejected(
            "no_merchant_fleet", "A trading post takes a Merchant Fleet, and you have none: leave it out."
        )
    check_logistics(player, sent)
    spaces = [*([] if post is None else [post]), *counts]
    economy_allows(player, spaces)
    check_inside(territory, spaces)
    can_pay(player, sent)
    if not spaces:
        draft.emit(f.ExplorationSettled(seat=seat, territory=require(state.exploration).territory))
        return
    if post is not None:
        draft.emit(f.TradingPostEstablished(seat=seat, space=SPACES[post].id))
    if counts:
        draft.emit(f.AdventurersSent(seat, TERRITORIES[territory].id, make_space_counts(counts)))
    control_after_placing(draft, state, seat, spaces)
    place_markers(draft, territory, adventurers_unrest(sent), "adventurers")


# --- offers --------------------------------------------------------------------------------------


def _offers(state: State, seat: int) -> Iterator[c.Explore]:
    for territory in sorted(list_unexplored(state), key=lambda t: (target_number(state, seat, t), t)):
        yield c.Explore(territory=TERRITORIES[territory].id)


def _label(state: State, seat: int, command: c.Explore) -> str:
    number = TERRITORY.get(command.territory)
    need = "" if number is None else f" ({max(1, target_number(state, seat, number))}+ needed)"
    return f"Explorer: {w.territory_name(command.territory)}{need}"


def _sample(state: State, seat: int, chance: Chance) -> Command | None:
    targets = list_unexplored(state)
    if not targets:
        return None
    some = [pick(chance, targets) for _ in range(3)]
    best = min(some, key=lambda t: target_number(state, seat, t))
    return c.Explore(territory=TERRITORIES[best].id)


EXPLORE = character("explorer", c.Explore, take=explore, legal=_offers, label=_label)
EXPLORER = Character("explorer", (EXPLORE,), _sample)


# --- the shortfall -------------------------------------------------------------------------------


def _who_may_pay(state: State) -> tuple[int, ...]:
    seat = require(state.action).seat
    return (seat,) if purchase_offered(state, seat, require(state.exploration)) else ()


def _label_payment(state: State, _seat: int, command: c.BuyExploration) -> str:
    price = state.exploration.price if state.exploration else None
    return f"Pay {price} T and succeed" if command.pay else "Do not pay: the exploration fails"


BUY_EXPLORATION = Step(
    kind="buy_exploration",
    asked=_who_may_pay,
    default=lambda _state, _seat: c.BuyExploration(pay=False),
    sample=lambda _state, _seat, chance: c.BuyExploration(pay=draw_percent(chance, 60)),
    moves=(
        Move(
            command=c.BuyExploration,
            take=buy_exploration,
            legal=lambda _state, _seat: (c.BuyExploration(pay) for pay in (True, False)),
            label=_label_payment,
        ),
    ),
)


# --- trading post and Adventurers ----------------------------------------------------------------


def _who_may_settle(state: State) -> tuple[int, ...]:
    seat = require(state.action).seat
    return (seat,) if can_settle(state, seat, TERRITORY[require(state.exploration).territory]) else ()


def _settlings(state: State, seat: int) -> Iterator[c.SettleExploration]:
    player = state.players[seat]
    spaces = usable_spaces(player, TERRITORY[require(state.exploration).territory])
    posts = (*names(spaces), None) if player.merchant_fleets else (None,)
    for count in range(min(player.logistics, player.spendable), -1, -1):
        for post, split in product(posts, splits(spaces, count)):
            yield c.SettleExploration(post, entries(split))


def _label_settling(state: State, seat: int, command: c.SettleExploration) -> str:
    parts = []
    counts: dict[int, int] = {}
    if command.trading_post is not None:
        parts.append(f"Trading post on {w.short_space(command.trading_post)} for 1 Merchant Fleet")
        if command.trading_post in SPACE:
            counts[SPACE[command.trading_post]] = 1
    if command.adventurers:
        sent = sum(entry.count for entry in command.adventurers)
        price = f"{sent} T and {adventurers_unrest(sent)} Unrest"
        parts.append(f"Adventurers {w.format_on_spaces(command.adventurers)} for {price}")
        for entry in command.adventurers:
            if entry.space in SPACE:
                counts[SPACE[entry.space]] = counts.get(SPACE[entry.space], 0) + entry.count
    return format_list(parts, "Place nothing") + consequences(state, seat, counts)


def _sample_settling(state: State, seat: int, chance: Chance) -> Command:
    player = state.players[seat]
    spaces = usable_spaces(player, TERRITORY[require(state.exploration).territory])
    post = SPACES[pick(chance, spaces)].id if player.merchant_fleets and draw_percent(chance, 50) else None
    sent = scatter(chance, spaces, draw_up_to(chance, min(player.logistics, player.spendable)))
    return c.SettleExploration(post, entries(sent))


SETTLE_EXPLORATION = Step(
    kind="settle_exploration",
    asked=_who_may_settle,
    default=lambda _state, _seat: c.SettleExploration(),
    sample=_sample_settling,
    moves=(
        Move(
            command=c.SettleExploration,
            take=settle_exploration,
            legal=_settlings,
            most=MOST,
            target=lambda command: (command.trading_post, len(command.adventurers)),
            label=_label_settling,
        ),
    ),
)
