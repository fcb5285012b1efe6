"""Sentences of wars, alliances and Escalations."""

from __future__ import annotations

from events.fact import Who
from events.titles.colonial_revised import words as w
from events.titles.colonial_revised.tell.deals import by_seat
from events.titles.colonial_revised.tell.sequence import Data, Teller

SIDES = {"attacker": "the Attacker", "defender": "the Defender", "none": "nobody"}
REASONS = {
    "surrender": "surrender",
    "forced": "no Squadron left",
    "both_without_squadrons": "no Squadrons left on either side",
    "four_years": "four years have passed",
}


def _chosen(d: Data, who: Who) -> str:
    if "choice" not in d:
        return f"{who(d['seat'])} has chosen in secret."
    return f"{who(d['seat'])} chooses to help {SIDES[d['choice']]}."


def _revealed(d: Data, who: Who) -> str:
    parts = (f"{who(e['seat'])} helps {SIDES[e['choice']]}" for e in d["choices"])
    return f"The choices are open: {w.listed(parts)}."


def _losses(d: Data, who: Who) -> str:
    return w.listed(f"{who(e['seat'])} {e['count']} ({w.short_space(e['space'])})" for e in d["losses"])


def _dice(d: Data) -> str:
    hits, ours, theirs = d["successes"], len(d["dice"]["attacker"]), len(d["dice"]["defender"])
    return (
        f"Attacker {hits['attacker']} of {w.many(ours, 'die', 'dice')}, "
        f"Defender {hits['defender']} of {w.many(theirs, 'die', 'dice')}"
    )


def _land_battle(d: Data, who: Who) -> str:
    return f"Battle in {w.territory(d['territory'])}: {_dice(d)}. Losses: {_losses(d, who)}."


def _naval_battle(d: Data, who: Who) -> str:
    sunk, fleets = by_seat(d["squadrons_lost"], who), d["merchant_fleets_lost"]
    also = f" Merchant Fleets lost: {by_seat(fleets, who)}." if fleets else ""
    return f"Battle at sea: {_dice(d)}. Squadrons lost: {sunk}.{also}"


def _expedition(d: Data, who: Who) -> str:
    where = w.territory(d["territory"])
    return f"{who(d['seat'])} sends a military expedition to {where}: {w.placements(d['placements'])}."


def _war_ended(d: Data, who: Who) -> str:
    if d["winner"] is None or d["loser"] is None:
        return f"The war ends undecided: {REASONS[d['reason']]}."
    tally = f"{d['winner_pp']:+d} for the winner, {d['loser_pp']:+d} for the loser"
    return f"{who(d['winner'])} wins the war against {who(d['loser'])} ({REASONS[d['reason']]}): {tally}."


def _privateer_round(d: Data, who: Who) -> str:
    sunk = by_seat(d["sunk_by_owner"], who)
    lost = f", {w.many(d['squadrons_lost'], 'Squadron')} lost" if d["squadrons_lost"] else ""
    return f"{who(d['seat'])} fights the Privateers, round {d['round']}: sunk {sunk}{lost}."


def _bought(d: Data, who: Who) -> str:
    return f"{who(d['seat'])} buys {w.many(d['count'], 'Squadron')} for {d['price']} T."


def _released(d: Data, who: Who) -> str:
    return f"{who(d['seat'])} has no Ally and keeps the {d['amount']} T offered."


TELL: dict[str, Teller] = {
    "PrivateerWarRoundFought": _privateer_round,
    "WarDeclared": lambda d, who: f"{who(d['attacker'])} declares war on {who(d['defender'])}.",
    "WarBoxTaken": lambda d, who: f"{who(d['seat'])} takes {d['amount']} T from the War box.",
    "AllianceOffered": lambda d, who: f"{who(d['seat'])} offers {d['amount']} T to an Ally.",
    "AllianceChosen": _chosen,
    "AllianceChoicesRevealed": _revealed,
    "AllyAccepted": lambda d, who: f"{who(d['seat'])} is accepted as the Ally of {SIDES[d['side']]}.",
    "AllyDeclined": lambda d, _who: f"{SIDES[d['side']].capitalize()} accepts no Ally.",
    "EscrowReleased": _released,
    "WarYearBegan": lambda d, _who: f"Year {d['year']} of the war begins.",
    "LandBattleFought": _land_battle,
    "NavalBattleFought": _naval_battle,
    "ExpeditionSent": _expedition,
    "ExpeditionDeclined": lambda d, who: f"{who(d['seat'])} sends no military expedition.",
    "ExpeditionBattleFought": _land_battle,
    "YearOfWarEnded": lambda d, _who: f"Year {d['year']} of the war is over.",
    "AllyLeftWar": lambda d, who: f"{who(d['seat'])} gives up and leaves the war.",
    "WarContinued": lambda d, who: f"{who(d['seat'])} goes on with the war.",
    "WarSurrendered": lambda d, who: f"{who(d['seat'])} surrenders.",
    "WarEnded": _war_ended,
    "AllianceSumPaid": lambda d, who: f"{who(d['from'])} pays {d['amount']} T to the Ally {who(d['to'])}.",
    "CountersReturned": lambda d, who: (
        f"{w.many(d['count'], 'counter')} of {who(d['seat'])} return from {w.territory(d['territory'])}."
    ),
    "EscalationStarted": lambda _d, _who: "An Escalation follows the war: everybody may buy a Navy step.",
    "EscalationPartStarted": lambda _d, _who: "Escalation: everybody may buy Squadrons.",
    "EscalationPassed": lambda d, who: (
        f"{who(d['seat'])} buys nothing in part {d['part']} of the Escalation."
    ),
    "SquadronsBought": _bought,
}
