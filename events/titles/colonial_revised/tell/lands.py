"""Sentences of what happens on the map."""

from __future__ import annotations

from events.fact import Who
from events.titles.colonial_revised import words as w
from events.titles.colonial_revised.tell.sequence import Data, Teller

REASONS = {
    "ambassador": "by the Ambassador",
    "war_declared": "for declaring war",
    "ally_of_the_attacker": "for helping the Attacker",
    "war_lost": "after losing the war",
    "monopoly_broken": "for breaking a Monopoly",
    "space_taken_over": "for taking over a space",
    "slaves_shipped": "for shipping Slaves",
    "rebel_entered": "for entering after the Rebellion",
    "adventurers": "for the Adventurers",
    "viceroy": "for the Viceroy's counters",
    "rebel": "by the Rebel",
    "expedition": "for the military expedition",
    "conqueror": "after the Conquest",
    "rebellion": "after the Rebellion",
}
AWARDS = {"progress_award": "the Progress award", "missions_award": "the Missions award"}


def _moved(d: Data, who: Who) -> str:
    way = "right" if d["to"] > d["from"] else "left"
    return f"{who(d['seat'])} moves {way} on Diplomacy to space {d['to']} {REASONS[d['reason']]}."


def _control(d: Data, who: Who) -> str:
    place = w.space(d["space"])
    if d["to"] is None:
        return f"Nobody controls {place} any more."
    before = "" if d["from"] is None else f", before him {who(d['from'])}"
    return f"{who(d['to'])} now controls {place}{before}."


def _monopoly(d: Data, who: Who) -> str:
    return w.space(d["space"]) if d["space"] else w.resource(d["resource"])


def _prestige(d: Data, who: Who) -> str:
    verb = "gains" if d["delta"] > 0 else "loses"
    points = w.many(abs(d["delta"]), "Prestige Point")
    return f"{who(d['seat'])} {verb} {points} for {w.SOURCE_NAMES[d['source']]} (total {d['total']})."


def _award(d: Data, who: Who) -> str:
    before = "" if d["from"] is None else f" from {who(d['from'])}"
    return f"{who(d['to'])} takes {AWARDS[d['award']]}{before}."


def _colony_lost(d: Data, who: Who) -> str:
    cities = f" and {w.many(len(d['cities']), 'City', 'Cities')} in it" if d["cities"] else ""
    return f"{who(d['seat'])} loses the Colony of {w.territory(d['territory'])}{cities}."


def _removed(d: Data, who: Who) -> str:
    place = w.territory(d["territory"])
    if d["to"] == "merchant_fleet":
        return (
            f"{who(d['seat'])}'s counter in {place} ({w.per_space(d['by_space'])}) becomes a Merchant Fleet."
        )
    return f"{who(d['seat'])} removes counters in {place}: {w.per_space(d['by_space'])}."


def _rolled(d: Data, who: Who) -> str:
    how = "and succeeds" if not d["shortfall"] else f"and falls short by {d['shortfall']}"
    return (
        f"{who(d['seat'])} explores {w.territory(d['territory'])}: "
        f"needs {d['target']}, rolls {d['roll']} {how}."
    )


def _explored(d: Data, who: Who) -> str:
    how = " by paying" if d["paid"] else ""
    return f"{w.territory(d['territory'])} is explored by {who(d['seat'])}{how}."


def _advanced(d: Data, who: Who) -> str:
    where = " in the Escalation" if d["by"] == "escalation" else ""
    return f"{who(d['seat'])} advances {w.TRACK_NAMES[d['track']]} to {d['to']} for {d['price']} T{where}."


def _dice(d: Data) -> str:
    missions = f", {w.many(d['missions'], 'Mission')}" if d["missions"] else ""
    hits = w.many(d["successes"], "Success", "Successes")
    return f"{w.many(d['dice'], 'die', 'dice')}, {hits}{missions}: {w.many(d['losses'], 'loss', 'losses')}"


def _allotted(d: Data, who: Who) -> str:
    parts = (f"{who(e['seat'])} {e['count']} ({w.short_space(e['space'])})" for e in d["losses"])
    return f"Losses in {w.territory(d['territory'])}: {w.listed(parts)}."


def _averted(d: Data, who: Who) -> str:
    if not d["saved"]:
        return f"{who(d['victim'])} saves nothing in {w.territory(d['territory'])}."
    saved = w.many(sum(e["count"] for e in d["saved"]), "counter")
    return f"{who(d['victim'])} pays {d['paid']} T and saves {saved} in {w.territory(d['territory'])}."


def _lost(d: Data, who: Who) -> str:
    return f"{who(d['seat'])} loses counters in {w.territory(d['territory'])}: {w.per_space(d['by_space'])}."


def _unrest(d: Data, who: Who) -> str:
    return f"{d['count']} Unrest is placed in {w.territory(d['territory'])} {REASONS[d['reason']]}."


def _sent(what: str) -> Teller:
    return lambda d, who: (
        f"{who(d['seat'])} sends {what} to {w.territory(d['territory'])}: {w.placements(d['placements'])}."
    )


TELL: dict[str, Teller] = {
    "DiplomacyMoved": _moved,
    "UnrestPlaced": _unrest,
    "UnrestLapsed": lambda d, _who: (
        f"{d['count']} Unrest meant for {w.territory(d['territory'])} is not placed any more."
    ),
    "UnrestRemoved": lambda d, _who: (
        f"{d['count']} Unrest is removed in {w.territory(d['territory'])} {REASONS[d['reason']]}."
    ),
    "RebelMarked": lambda d, _who: (
        f"No Rebel may place more Unrest in {w.territory(d['territory'])} this turn."
    ),
    "ControlChanged": _control,
    "MonopolyGained": lambda d, who: f"{who(d['seat'])} gains a Monopoly: {_monopoly(d, who)}.",
    "MonopolyLost": lambda d, who: f"{who(d['seat'])} loses a Monopoly: {_monopoly(d, who)}.",
    "PrestigeChanged": _prestige,
    "AwardTransferred": _award,
    "EmpireAchieved": lambda d, who: f"{who(d['seat'])} has built an Empire of adjacent Colonies.",
    "ColonyLost": _colony_lost,
    "TerritoryBecameIndependent": lambda d, _who: (
        f"{w.territory(d['territory'])} becomes an Independent State."
    ),
    "CountersRemoved": _removed,
    "ColonyFounded": lambda d, who: (
        f"{who(d['seat'])} founds a Colony in {w.territory(d['territory'])} ({d['pp']} PP)."
    ),
    "IndependenceEnded": lambda d, _who: f"{w.territory(d['territory'])} is independent no more.",
    "ProtectionLifted": lambda d, _who: (
        f"The counters in {w.territory(d['territory'])} are open to Rebellions again."
    ),
    "ExplorationRolled": _rolled,
    "ExplorationBought": lambda d, who: f"{who(d['seat'])} pays {d['price']} T for the shortfall.",
    "ExplorationFailed": lambda d, _who: f"{w.territory(d['territory'])} stays unexplored.",
    "ExplorationSettled": lambda d, who: f"{who(d['seat'])} places nothing in {w.territory(d['territory'])}.",
    "TerritoryExplored": _explored,
    "AmericaDiscovered": lambda d, who: f"{who(d['seat'])} discovers America in turn {d['turn']}!",
    "AmericaPenaltyLifted": lambda d, who: (
        f"{who(d['seat'])} explores the Americas without penalty from now on."
    ),
    "TradingPostEstablished": lambda d, who: (
        f"{who(d['seat'])} turns a Merchant Fleet into a trading post: {w.space(d['space'])}."
    ),
    "AdventurersSent": _sent("Adventurers"),
    "BoomingCityFounded": lambda d, who: (
        f"{who(d['seat'])} founds the Booming City of value {d['value']} in {w.territory(d['territory'])}."
    ),
    "CityBecameRelevant": lambda d, _who: (
        f"The City of value {d['value']} in {w.territory(d['territory'])} is now a Relevant City."
    ),
    "MissionPlaced": lambda d, who: (
        f"{who(d['seat'])} places a Mission in {w.territory(d['territory'])} (number {d['placed_total']})."
    ),
    "ProgressAdvanced": _advanced,
    "SlaveryAbolished": lambda d, who: f"{who(d['seat'])} reaches Economy 10: slavery is abolished.",
    "CountersSent": _sent("counters"),
    "CountersRecalled": lambda d, who: (
        f"{who(d['seat'])} takes back from {w.territory(d['territory'])}: {w.per_space(d['removals'])}."
    ),
    "RebellionPricePaid": lambda d, who: f"{who(d['seat'])} pays {d['amount']} T for the Rebellion.",
    "RebellionRolled": lambda d, who: (
        f"{who(d['seat'])} sparks a Rebellion in {w.territory(d['territory'])}: {_dice(d)}."
    ),
    "AutomaticRebellionBrokeOut": lambda d, _who: (
        f"A Rebellion breaks out in {w.territory(d['territory'])}: {_dice(d)}."
    ),
    "LossesAllotted": _allotted,
    "LossesAverted": _averted,
    "CountersLost": _lost,
    "CountersProtected": lambda d, _who: (
        f"The survivors in {w.territory(d['territory'])} are safe from Rebellions this turn."
    ),
    "RebelEntered": lambda d, who: f"{who(d['seat'])} enters with 1 T: {w.space(d['space'])}.",
    "RebelStayedOut": lambda d, who: f"{who(d['seat'])} does not enter {w.territory(d['territory'])}.",
    "RebellionEnded": lambda d, _who: f"The Rebellion in {w.territory(d['territory'])} is over.",
}
