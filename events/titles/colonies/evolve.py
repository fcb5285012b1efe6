"""The fold: how each fact changes the state. It never rejects, draws or looks into the card file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from events.fact import Fact
from events.kit.values import put, without
from events.titles.colonies import facts as f
from events.titles.colonies.changes import (
    Changes,
    ColonistChange,
    LevelChange,
    Payment,
    PirateChange,
    StockChange,
    apply,
    minus,
    negative,
    pay,
    pirates_after,
    plus,
    removed,
    with_at,
)
from events.titles.colonies.commands import (
    AcceptColonists,
    CastVote,
    ChooseDeckCard,
    FulfilTradeAgreements,
    PoliceSector,
    SealedAnswer,
    ShowFingers,
)
from events.titles.colonies.data import BOARD, COLOURS, TECHNOLOGIES
from events.titles.colonies.state import (
    Place,
    Resolution,
    State,
    Votes,
    new_promises,
    no_pirates,
    player_order,
)


def same(state: State, _fact: Fact) -> State:
    """A fact that tells what other facts do."""
    return state


# --- set-up ------------------------------------------------------------------------------------------


def planets_drawn(state: State, fact: f.PlanetsDrawn) -> State:
    """The planets are taken, the board lies empty."""
    return replace(
        state,
        phase="setup_fingers",
        planets=fact.planets,
        promise=new_promises(fact.planets),
        pirates=no_pirates(fact.planets),
    )


def unsealed(state: State) -> tuple[None, ...]:
    """Nobody has answered."""
    return (None,) * state.seats


def seal(state: State, seat: int, answer: SealedAnswer) -> State:
    """A sealed answer lies covered; nothing else changes (CLN-053)."""
    return replace(state, sealed=put(state.sealed, seat, answer))


def fingers_revealed(state: State, fact: f.FingersRevealed) -> State:
    """The hands are open."""
    return replace(state, sealed=unsealed(state))


def finger_round_repeated(state: State, fact: f.FingerRoundRepeated) -> State:
    """Another round."""
    return replace(state, finger_round=fact.round)


def first_player_determined(state: State, fact: f.FirstPlayerDetermined) -> State:
    """The first-player card is given out."""
    return replace(state, first_player=fact.seat, phase="setup_deck_choice")


def board_prepared(state: State, fact: f.BoardPrepared) -> State:
    """Everything lies at its start."""
    nothing = dict.fromkeys(COLOURS, 0)
    return replace(
        state,
        promise={x: dict.fromkeys(row, fact.marker) for x, row in state.promise.items()},
        markets=dict.fromkeys(COLOURS, fact.market),
        levels=(dict.fromkeys(TECHNOLOGIES, fact.level),) * state.seats,
        stocks=tuple(plus(nothing, stock) for stock in fact.stocks),
        credits=(fact.credits,) * state.seats,
    )


def event_cards_dealt(state: State, fact: f.EventCardsDealt) -> State:
    """A hand of cards."""
    return replace(
        state, hands=put(state.hands, fact.seat, fact.cards), undealt=without(state.undealt, fact.cards)
    )


def event_deck_built(state: State, fact: f.EventDeckBuilt) -> State:
    """The cards put in and the fillers are the deck, in no order."""
    hands, given = list(state.hands), list(state.deck_cards)
    chosen = [answer.card_id for answer in state.sealed if isinstance(answer, ChooseDeckCard)]
    for seat, answer in enumerate(state.sealed):
        if isinstance(answer, ChooseDeckCard):
            hands[seat] = without(hands[seat], (answer.card_id,))
            given[seat] = (*given[seat], answer.card_id)
    return replace(
        state,
        hands=tuple(hands),
        deck_cards=tuple(given),
        deck=tuple(sorted((*state.deck, *chosen, *fact.fillers))),
        undealt=without(state.undealt, fact.fillers),
        sealed=unsealed(state),
    )


def event_card_revealed(state: State, fact: f.EventCardRevealed) -> State:
    """The card becomes the current one."""
    return replace(state, current_card=fact.card, deck=without(state.deck, (fact.card,)))


# --- income ------------------------------------------------------------------------------------------


def turn_started(state: State, fact: f.TurnBegan) -> State:
    """A new year."""
    return replace(state, turn=fact.turn, phase="production", votes=None)


def resources_produced(state: State, fact: f.ResourcesProduced) -> State:
    """Production joins the stocks."""
    stocks = list(state.stocks)
    for made in fact.production:
        stocks[made.seat] = plus(stocks[made.seat], {made.colour: made.amount})
    return replace(state, stocks=tuple(stocks), phase="income_colonists")


def colonists_received(state: State, fact: f.ColonistsReceived) -> State:
    """The arrivals of one player; the last one's open the vote."""
    sealed = put(state.sealed, fact.seat, None)
    return replace(
        state,
        colonists=with_at(state.colonists, fact.seat, fact.colonists_gained),
        credits=with_at(state.credits, fact.seat, fact.credits_gained),
        sealed=sealed,
        phase=state.phase if any(sealed) else "event_vote",
    )


# --- event -------------------------------------------------------------------------------------------


def votes_revealed(state: State, fact: f.VotesRevealed) -> State:
    """Only now the resources leave the stocks (CLN-053)."""
    stocks = list(state.stocks)
    for vote in fact.votes:
        stocks[vote.seat] = minus(stocks[vote.seat], vote.resources)
    votes = Votes(fact.votes, fact.yes_sum, fact.no_sum)
    return replace(state, stocks=tuple(stocks), votes=votes, sealed=unsealed(state))


def vote_tied(state: State, fact: f.VoteTied) -> State:
    """The first player decides."""
    return replace(state, phase="event_tie")


def motion_carried(state: State, fact: f.MotionCarried) -> State:
    """The queue of effects: with the alternative first the middle, then the third one (CLN-061)."""
    if fact.side == "yes":
        queue = [Place(seat, "official") for seat in fact.affected]
    else:
        queue = [Place(seat, "all") for seat in player_order(state)]
        queue += [Place(seat, "fewest") for seat in fact.affected]
    votes = replace(state.votes, carried=fact.side) if state.votes else None
    return replace(state, phase="event_effects", votes=votes, resolution=Resolution(tuple(queue)))


def _next_place(resolution: Resolution) -> Resolution:
    return Resolution(resolution.queue[1:])


def event_reward_chosen(state: State, fact: f.EventRewardChosen) -> State:
    """The Credits end the winner's part; the effect begins it."""
    resolution = state.resolution
    if resolution is None:
        return state
    if fact.choice == "effect":
        return replace(state, resolution=replace(resolution, chosen=True))
    credits = with_at(state.credits, fact.seat, fact.credits_gained)
    return replace(state, credits=credits, resolution=_next_place(resolution))


def event_effect_applied(state: State, fact: f.EventEffectApplied) -> State:
    """The recorded changes, and on to the next primitive or player."""
    resolution = state.resolution
    if resolution is not None:
        following = replace(resolution, primitive=fact.primitive_index + 1)
        resolution = _next_place(resolution) if fact.last else following
    return apply(state, fact.changes, resolution=resolution)


def event_card_resolved(state: State, fact: f.EventCardResolved) -> State:
    """The card is put aside; after turn 5's the deck is rebuilt (CLN-030)."""
    return replace(
        state,
        current_card=None,
        resolved_cards=(*state.resolved_cards, fact.card),
        resolution=None,
        phase="event_resupply" if state.turn == BOARD.resupply_turn else state.phase,
    )


# --- actions -----------------------------------------------------------------------------------------


def action_phase_started(state: State, fact: f.ActionPhaseStarted) -> State:
    """The first player begins the first round."""
    return replace(state, phase="actions", action_round=1, active=fact.order[0])


def action_done(state: State, **changed: Any) -> State:
    """The next player, the next round, or the upkeep (CLN-088)."""
    order = player_order(state)
    place = order.index(state.active) + 1 if state.active in order else len(order)
    if place < len(order):
        return replace(state, active=order[place], **changed)
    if state.action_round < BOARD.actions:
        return replace(state, active=order[0], action_round=state.action_round + 1, **changed)
    pirates = changed.get("pirates", state.pirates)
    policing = any(any(routes.values()) for routes in pirates.values())
    phase = "upkeep_police" if policing else "upkeep_fulfil"
    return replace(state, active=None, action_round=0, phase=phase, **changed)


def refuge_changes(fact: f.RefugeProvided) -> Changes:
    """What a Community action changes."""
    return Changes(
        stocks=(StockChange(fact.seat, fact.resources_gained),) if fact.resources_gained else (),
        colonists=(ColonistChange(fact.seat, fact.to_stock),) if fact.to_stock else (),
        pirates=removed(fact.removals),
    )


def hunt_changes(fact: f.PiratesHunted) -> Changes:
    """What a Military action changes."""
    paid = [Payment(other, fact.seat, n) for other, n in enumerate(fact.credits_received) if n]
    return Changes(credits=tuple(paid), pirates=removed(fact.removals))


def sale_changes(fact: f.ResourcesSold) -> Changes:
    """What a Commerce action changes."""
    sold: dict[Any, int] = {}
    for sale in fact.sales:
        sold[sale.colour] = sold.get(sale.colour, 0) + 1
    return Changes(
        stocks=(StockChange(fact.seat, negative(sold)),),
        credits=(Payment(None, fact.seat, fact.total),),
        markets=sold,
    )


def agreement_changes(fact: f.TradeAgreementsAdjusted) -> Changes:
    """What an Influence action changes."""
    return fact.changes


def peak_changes(fact: f.ProductionPeaked) -> Changes:
    """What an Industry action changes."""
    return Changes(
        stocks=(StockChange(fact.seat, {fact.colour: fact.resources}),) if fact.resources else (),
        colonists=(ColonistChange(fact.seat, fact.colonists),) if fact.colonists else (),
    )


def upgrade_changes(fact: f.TechnologyUpgraded) -> Changes:
    """What an upgrade changes; bought resources never touch the stock."""
    bought = {purchase.colour: len(purchase.prices) for purchase in fact.bought}
    paid = {c: bought.get(c, 0) - n for c, n in fact.paid_resources.items() if n != bought.get(c, 0)}
    return Changes(
        stocks=(StockChange(fact.seat, paid),) if paid else (),
        credits=(Payment(fact.seat, None, fact.credits_paid),) if fact.credits_paid else (),
        colonists=(ColonistChange(fact.seat, -fact.paid_colonists),) if fact.paid_colonists else (),
        levels=(LevelChange(fact.seat, fact.technology, fact.new_level),),
        markets=bought and negative(bought),
    )


CHANGES: Mapping[type[Fact], Callable[[Any], Changes]] = {
    f.RefugeProvided: refuge_changes,
    f.PiratesHunted: hunt_changes,
    f.ResourcesSold: sale_changes,
    f.TradeAgreementsAdjusted: agreement_changes,
    f.ProductionPeaked: peak_changes,
    f.TechnologyUpgraded: upgrade_changes,
}
"""What the fact of each action changes on the table, be it one of the three actions or a bonus."""


def action_taken(state: State, fact: Fact) -> State:
    """One of the three actions."""
    return action_done(apply(state, CHANGES[type(fact)](fact)))


def action_passed(state: State, fact: f.ActionPassed) -> State:
    """Nothing but the turn moves on."""
    return action_done(state)


# --- upkeep ------------------------------------------------------------------------------------------


def sector_policed(state: State, fact: f.SectorPoliced) -> State:
    """The pirates leave; after the last player's comes the fulfilment."""
    sealed = put(state.sealed, fact.seat, None)
    return replace(
        state,
        pirates=pirates_after(state.pirates, removed(fact.removals)),
        sealed=sealed,
        phase=state.phase if any(sealed) else "upkeep_fulfil",
    )


def trade_agreements_fulfilled(state: State, fact: f.TradeAgreementsFulfilled) -> State:
    """Everybody pays, pirates intercept, and only then the income is handed over (CLN-142)."""
    stocks, payments, pirates = list(state.stocks), [], []
    for delivery in fact.deliveries:
        if delivery.pirates_removed:
            pirates.append(PirateChange(delivery.partner, delivery.payer, -delivery.pirates_removed))
        if delivery.payer in state.planets:
            seat = state.planets.index(delivery.payer)
            given = {delivery.payer: delivery.own_resources, **delivery.substitutes}
            stocks[seat] = minus(stocks[seat], given)
            payments.append(Payment(seat, None, delivery.fees + delivery.compensation))
    for income in fact.income:
        stocks[income.seat] = plus(stocks[income.seat], income.resources)
        payments.append(Payment(None, income.seat, income.credits))
    return replace(
        state,
        stocks=tuple(stocks),
        credits=pay(state.credits, payments),
        pirates=pirates_after(state.pirates, pirates),
        markets=fact.markets_after,
        sealed=unsealed(state),
        phase="upkeep_pirates",
    )


def pirates_placed(state: State, fact: f.PiratesPlaced) -> State:
    """Colonists in the stock become pirates on the routes (CLN-149)."""
    planet = state.planets[fact.seat]
    return replace(
        state,
        colonists=with_at(state.colonists, fact.seat, -fact.colonists_converted),
        pirates={**state.pirates, planet: plus(state.pirates[planet], fact.pirates_added)},
    )


def first_player_advanced(state: State, fact: f.FirstPlayerAdvanced) -> State:
    """The card passes on."""
    return replace(state, first_player=fact.seat)


def game_ended(state: State, fact: f.GameEnded) -> State:
    """The screens are lifted."""
    return replace(state, phase="ended", scores=fact.scores)


FOLD: Mapping[type[Fact], Callable[[State, Any], State]] = {
    f.GameBegan: same,
    f.PlanetsDrawn: planets_drawn,
    f.FingersCommitted: lambda s, x: seal(s, x.seat, ShowFingers(x.count)),
    f.FingersRevealed: fingers_revealed,
    f.FingerRoundRepeated: finger_round_repeated,
    f.FirstPlayerDetermined: first_player_determined,
    f.BoardPrepared: board_prepared,
    f.EventCardsDealt: event_cards_dealt,
    f.DeckCardCommitted: lambda s, x: seal(s, x.seat, ChooseDeckCard(x.card)),
    f.EventDeckBuilt: event_deck_built,
    f.EventCardRevealed: event_card_revealed,
    f.TurnBegan: turn_started,
    f.ResourcesProduced: resources_produced,
    f.ColonistChoiceCommitted: lambda s, x: seal(s, x.seat, AcceptColonists(x.reject, x.citizens)),
    f.ColonistsReceived: colonists_received,
    f.VoteCommitted: lambda s, x: seal(s, x.seat, CastVote(x.side, x.resources)),
    f.VotesRevealed: votes_revealed,
    f.VoteTied: vote_tied,
    f.TiedVoteDecided: same,
    f.MotionCarried: motion_carried,
    f.EventRewardChosen: event_reward_chosen,
    f.EventEffectApplied: event_effect_applied,
    f.EventCardResolved: event_card_resolved,
    f.ActionPhaseStarted: action_phase_started,
    f.RefugeProvided: action_taken,
    f.PiratesHunted: action_taken,
    f.ResourcesSold: action_taken,
    f.TradeAgreementsAdjusted: action_taken,
    f.ProductionPeaked: action_taken,
    f.TechnologyUpgraded: action_taken,
    f.ActionPassed: action_passed,
    f.PoliceCommitted: lambda s, x: seal(s, x.seat, PoliceSector(x.removals)),
    f.SectorPoliced: sector_policed,
    f.FulfilmentCommitted: lambda s, x: seal(s, x.seat, FulfilTradeAgreements(x.substitutes)),
    f.TradeAgreementsFulfilled: trade_agreements_fulfilled,
    f.PiratesPlaced: pirates_placed,
    f.TurnEnded: same,
    f.FirstPlayerAdvanced: first_player_advanced,
    f.GameEnded: game_ended,
}
