"""Sentences of set-up, turn sequence, phases 2-7 and the end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from events.fact import Who
from events.titles.colonial_revised import words as w

Data = Mapping[str, Any]
Teller = Callable[[Data, Who], str]

SKIPPED = {
    "play_card": "has no card to play",
    "buy_exploration": "cannot pay for the shortfall",
    "settle_exploration": "can place nothing in the new Territory",
    "confirm_shipment": "was granted no foreign Goods",
    "confirm_trade": "was granted no foreign Goods",
    "attack_merchant": "finds nothing left to attack",
    "avert_losses": "cannot pay to save counters",
    "enter_after_rebellion": "cannot enter the lost Colony",
    "offer_alliance": "has nothing to offer to an Ally",
    "accept_ally": "has no volunteer",
    "send_expedition": "has no target or no Treasury for a military expedition",
    "buy_navy_step": "can buy no Navy step",
    "buy_escalation_squadrons": "can buy no Squadron",
    "build_merchant_fleets": "builds no Merchant Fleet",
    "build_squadrons": "builds no Squadron",
    "commission_privateers": "commissions no Privateers",
}
TIE_BREAKS = {
    "": "",
    "colonies": ", ahead by Colonies",
    "monopolies": ", ahead by Monopolies",
    "resources": ", ahead by Resources",
    "war_victories": ", ahead by war victories",
    "shared": ", and share the victory",
}


def _card_played(d: Data, who: Who) -> str:
    if d["character"] is None:
        return f"{who(d['seat'])} plays {w.card(d['card_id'])}."
    return f"{who(d['seat'])} plays the {w.CHARACTER_NAMES[d['character']]}."


def _action_passed(d: Data, who: Who) -> str:
    forced = ", since nothing is possible" if d["forced"] else ""
    return f"{who(d['seat'])} passes {w.card(d['card_id'])}{forced}."


def _order(d: Data, who: Who) -> str:
    return f"The player order is {w.listed(who(seat) for seat in d['order'])}."


def _tie_rolled(d: Data, who: Who) -> str:
    rolls = (f"{who(seat)} a {roll}" for seat, roll in zip(d["seats"], d["rolls"], strict=True))
    return f"For the tied player order, {w.listed(rolls)} was rolled."


def _maintenance(d: Data, who: Who) -> str:
    lost = d["squadrons_scrapped"]
    scrapped = f" and scraps {w.many(lost, 'Squadron')}" if lost else ""
    return f"{who(d['seat'])} pays {d['amount']} T for maintenance{scrapped}."


def _card_set_aside(d: Data, who: Who) -> str:
    card = w.card(d["card_id"]) if "card_id" in d else "a card"
    return f"{who(d['seat'])} sets aside {card}."


def _cards_revealed(d: Data, who: Who) -> str:
    cards = (f"{who(entry['seat'])} {w.card(entry['card_id'])}" for entry in d["card_by_player"])
    return f"Set aside for the next turn: {w.listed(cards)}."


def _end_roll(d: Data, who: Who) -> str:
    ends = "the game ends" if d["roll"] <= d["threshold"] else "the game goes on"
    return f"The end roll of turn {d['turn']} is {d['roll']} (ends on {d['threshold']} or less): {ends}."


def _game_ended(d: Data, who: Who) -> str:
    reasons = {"ten_points": "10 Prestige Points are reached", "end_roll": "the end roll closes the game"}
    return f"The game ends: {reasons[d['reason']]}."


def _loans_repaid(d: Data, who: Who) -> str:
    paid = [f"{who(seat)} {amount}" for seat, amount in enumerate(d["amount_by_player"]) if amount]
    return f"Loans repaid at the end: {w.listed(paid)}."


def _game_won(d: Data, who: Who) -> str:
    winners = w.listed(who(seat) for seat in d["seats"])
    verb = "wins" if len(d["seats"]) == 1 else "have most"
    points = w.many(d["net_pp"], "net Prestige Point")
    return f"{winners} {verb} with {points}{TIE_BREAKS[d['tie_break']]}."


def _loan_taken(d: Data, who: Who) -> str:
    kind = "an Emergency Loan" if d["emergency"] else "a Loan"
    return f"{who(d['seat'])} takes {kind}: {d['loan']} into Loans, {d['treasury']} T into the Treasury."


TELL: dict[str, Teller] = {
    "GameBegan": lambda d, _who: f"A game for {d['seats']} players begins.",
    "PlayerOrderDealt": _order,
    "PlayerOrderSet": _order,
    "TieRolled": _tie_rolled,
    "TreasuryDiscarded": lambda d, who: f"{who(d['seat'])} discards {d['amount']} T for an early order card.",
    "TurnBegan": lambda d, _who: f"Turn {d['turn']} begins.",
    "PhaseBegan": lambda d, _who: f"Turn {d['turn']}: {w.PHASE_NAMES[d['phase']]}.",
    "RoundBegan": lambda d, _who: f"Round {d['round']} begins.",
    "DecisionSkipped": lambda d, who: f"{who(d['seat'])} {SKIPPED[d['decision']]}.",
    "CardPlayed": _card_played,
    "ActionPassed": _action_passed,
    "ActionCompleted": lambda d, who: f"{who(d['seat'])} has finished the card.",
    "TurnEnded": lambda d, _who: f"Turn {d['turn']} ends.",
    "MerchantFleetsBuilt": lambda d, who: f"{who(d['seat'])} builds {w.many(d['count'], 'Merchant Fleet')}.",
    "MaintenancePaid": _maintenance,
    "SquadronsBuilt": lambda d, who: f"{who(d['seat'])} builds {w.many(d['count'], 'Squadron')}.",
    "PrivateersCommissioned": lambda d, who: (
        f"{who(d['seat'])} sends {w.many(d['count'], 'Privateer')} against {who(d['victim'])}."
    ),
    "PrivateeringCompleted": lambda d, who: f"{who(d['seat'])} has finished privateering.",
    "InterestAdded": lambda d, who: f"{who(d['seat'])} owes {d['amount']} more as interest.",
    "CardSetAside": _card_set_aside,
    "SetAsideCardsRevealed": _cards_revealed,
    "LoanTaken": _loan_taken,
    "LoanRepaid": lambda d, who: f"{who(d['seat'])} repays {d['amount']} of the Loan.",
    "LoansRepaidAtEnd": _loans_repaid,
    "LoanPenaltyApplied": lambda d, who: (
        f"{who(d['seat'])} loses {w.many(d['pp'], 'Prestige Point')} for the Loan."
    ),
    "WarBoxIncreased": lambda d, _who: f"No war was fought: the War box grows to {d['to']} T.",
    "EndRollMade": _end_roll,
    "GameEnded": _game_ended,
    "GameWon": _game_won,
}
