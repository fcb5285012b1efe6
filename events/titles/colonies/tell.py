"""One plain sentence for every event."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from events.fact import Who
from events.kit.words import counted, listed
from events.titles.colonies import words
from events.titles.colonies.data import RESOURCE

Data = Mapping[str, Any]
MOTION = {"yes": "official", "no": "alternative"}


def _names(seats: list[int], who: Who) -> str:
    return listed([who(seat) for seat in seats])


# --- set-up ------------------------------------------------------------------------------------------


def _created(d: Data, _who: Who) -> str:
    return f"A game of Colonies for {d['player_count']} players is created."


def _planets(d: Data, who: Who) -> str:
    taken = listed([f"{who(seat)} gets {words.planet(c)}" for seat, c in enumerate(d["planets"])])
    neutral = [words.planet(c) for c in d["neutral_planets"]]
    rest = f" {listed(neutral)} {'is' if len(neutral) == 1 else 'are'} neutral." if neutral else ""
    return f"Planets are drawn by lot: {taken}.{rest}"


def _fingers_shown(d: Data, who: Who) -> str:
    shown = listed([f"{who(seat)} {count}" for seat, count in enumerate(d["counts"])])
    return f"Round {d['round']} of fingers: {shown}."


def _first_player(d: Data, who: Who) -> str:
    how = "by fingers" if d["method"] == "fingers" else "by lot"
    return f"{who(d['seat'])} becomes the first player {how}."


def _prepared(d: Data, _who: Who) -> str:
    return f"The board is prepared; everybody starts with {d['credits']} €."


def _fingers(d: Data, who: Who) -> str:
    what = counted(d["count"], "finger") if "count" in d else "fingers, covered"
    return f"{who(d['seat'])} shows {what}."


def _dealt(d: Data, who: Who) -> str:
    cards = ": " + listed([words.card(c) for c in d["cards"]]) if "cards" in d else ""
    return f"{who(d['seat'])} is dealt {d['hand_size']} event cards{cards}."


def _deck_card(d: Data, who: Who) -> str:
    card = words.card(d["card"]) if "card" in d else "a covered card"
    return f"{who(d['seat'])} puts {card} into the event deck."


def _deck(d: Data, _who: Who) -> str:
    count = d["filler_count"]
    fillers = f", {count} of them added at random" if count else ""
    return f"The event deck is built of {d['size']} cards{fillers}."


def _card(d: Data, _who: Who) -> str:
    return f"{words.card(d['card'])} becomes the event card of turn {d['for_turn']}."


# --- income and event --------------------------------------------------------------------------------


def _turn_started(d: Data, who: Who) -> str:
    return f"Turn {d['turn']} begins; {who(d['first_player'])} is the first player."


def _produced(d: Data, who: Who) -> str:
    parts = [f"{who(p['seat'])} {p['amount']} {RESOURCE[p['colour']]}" for p in d["production"]]
    return f"The planets produce: {listed(parts)}."


def _colonist_choice(d: Data, who: Who) -> str:
    if "reject" not in d:
        return f"{who(d['seat'])} has decided on the arriving colonists."
    citizens = counted(d["citizens"], "citizen")
    return f"{who(d['seat'])} will reject {counted(d['reject'], 'colonist')} and make {citizens}."


def _received(d: Data, who: Who) -> str:
    credits = f" and {d['credits_gained']} € for new citizens" if d["credits_gained"] else ""
    rejected = f", rejecting {d['rejected']}" if d["rejected"] else ""
    return f"{who(d['seat'])} receives {counted(d['colonists_gained'], 'colonist')}{credits}{rejected}."


def _vote(d: Data, who: Who) -> str:
    if "side" not in d:
        return f"{who(d['seat'])} has voted."
    return f"{who(d['seat'])} votes {d['side']}, spending {words.resources(d['resources'])}."


def _votes(d: Data, who: Who) -> str:
    parts = []
    for vote in d["votes"]:
        spent = f" ({words.resources(vote['resources'])})" if vote["resources"] else ""
        parts.append(f"{who(vote['seat'])} {vote['side']} with {vote['votes']}{spent}")
    return f"The votes: {listed(parts)}. Yes {d['yes_sum']}, no {d['no_sum']}."


def _tie_decided(d: Data, who: Who) -> str:
    return f"{who(d['seat'])} breaks the tie: {d['side']}."


def _carried(d: Data, who: Who) -> str:
    which = "Most yes votes" if d["side"] == "yes" else "Fewest votes"
    return f"The {MOTION[d['side']]} proposal is carried. {which}: {_names(d['affected'], who)}."


def _reward(d: Data, who: Who) -> str:
    if d["choice"] == "credits":
        return f"{who(d['seat'])} takes {d['credits_gained']} € instead of the effect."
    return f"{who(d['seat'])} takes the effect."


def _effect(d: Data, who: Who) -> str:
    if d["choice"] and d["choice"].get("decline"):
        return f"{who(d['seat'])} declines."
    parts = _changes(d["changes"], d["seat"], who)
    return f"{who(d['seat'])}: {listed(parts) if parts else 'nothing changes'}."


def _changes(changes: Data, seat: int, who: Who) -> list[str]:
    parts: list[str] = []
    for stock in changes.get("stocks", ()):
        gained = {c: n for c, n in stock["resources"].items() if n > 0}
        given = {c: -n for c, n in stock["resources"].items() if n < 0}
        parts += [f"takes {words.resources(gained)}"] if gained else []
        parts += [f"gives {words.resources(given)}"] if given else []
    parts += [_payment(payment, seat, who) for payment in changes.get("credits", ())]
    for change in changes.get("colonists", ()):
        verb = "takes" if change["count"] > 0 else "returns"
        parts.append(f"{verb} {counted(abs(change['count']), 'colonist')}")
    for change in changes.get("pirates", ()):
        verb = "gets" if change["count"] > 0 else "loses"
        route = f"{words.planet(change['owner'])}'s {words.planet(change['source'])} route"
        parts.append(f"{route} {verb} {counted(abs(change['count']), 'pirate')}")
    parts += [
        f"{c['technology'].capitalize()} is now at level {c['level']}" for c in changes.get("levels", ())
    ]
    for marker in changes.get("markers", ()):
        giver, taker = words.planet(marker["from"]), words.planet(marker["to"])
        parts.append(f"{giver} now promises {taker} {marker['value']}")
    markets = {c: n for c, n in changes.get("markets", {}).items() if n > 0}
    return [*parts, f"the markets get {words.resources(markets)}"] if markets else parts


def _payment(payment: Data, seat: int, who: Who) -> str:
    if payment["to"] == seat:
        giver = "the bank" if payment["from"] is None else who(payment["from"])
        return f"receives {payment['amount']} € from {giver}"
    taker = "the bank" if payment["to"] is None else who(payment["to"])
    return f"pays {payment['amount']} € to {taker}"


# --- actions -----------------------------------------------------------------------------------------


def _refuge(d: Data, who: Who) -> str:
    gained = f", gaining {words.resources(d['resources_gained'])}" if d["resources_gained"] else ""
    return (
        f"{who(d['seat'])} provides refuge to pirates: {words.removals(d['removals'])}{gained}; "
        f"{d['to_stock']} become colonists."
    )


def _hunt(d: Data, who: Who) -> str:
    paid = [f"{who(seat)} pays {n} €" for seat, n in enumerate(d["credits_received"]) if n]
    return (
        f"{who(d['seat'])} hunts pirates: {words.removals(d['removals'])}{''.join('; ' + p for p in paid)}."
    )


def _sold(d: Data, who: Who) -> str:
    sold: dict[str, int] = {}
    for sale in d["sales"]:
        sold[sale["colour"]] = sold.get(sale["colour"], 0) + 1
    return f"{who(d['seat'])} sells {words.resources(sold)} for {d['total']} €."


def _adjusted(d: Data, who: Who) -> str:
    parts = [f"{words.step(s)} (now {s['export_after']} out, {s['import_after']} in)" for s in d["steps"]]
    fees = sum(s["fee"] for s in d["steps"])
    paid = f"; fees {fees} €" if fees else ""
    return f"{who(d['seat'])} negotiates: {'; '.join(parts)}{paid}."


def _peaked(d: Data, who: Who) -> str:
    made = words.produced(d["resources"], d["colour"], d["colonists"])
    return f"{who(d['seat'])} has a production peak: {made}."


def _upgraded(d: Data, who: Who) -> str:
    bought = {p["colour"]: len(p["prices"]) for p in d["bought"]}
    purchase = f", buying {words.resources(bought)} for {d['credits_paid']} €" if bought else ""
    return f"{who(d['seat'])} upgrades {d['technology'].capitalize()} to level {d['new_level']}{purchase}."


# --- upkeep ------------------------------------------------------------------------------------------


def _police_sealed(d: Data, who: Who) -> str:
    if "removals" not in d:
        return f"{who(d['seat'])} has decided how to police the sector."
    return f"{who(d['seat'])} will police: {words.removals(d['removals'])}."


def _policed(d: Data, who: Who) -> str:
    if not d["removals"]:
        return f"{who(d['seat'])} polices nothing."
    return f"{who(d['seat'])} removes pirates: {words.removals(d['removals'])}."


def _fulfilment_sealed(d: Data, who: Who) -> str:
    if "substitutes" not in d:
        return f"{who(d['seat'])} has decided on substitutes."
    parts = [f"{words.resources(given)} to {words.planet(p)}" for p, given in d["substitutes"].items()]
    return f"{who(d['seat'])} will substitute {listed(parts)}."


def _fulfilled(d: Data, who: Who) -> str:
    parts = []
    for income in d["income"]:
        credits = f" and {income['credits']} €" if income["credits"] else ""
        parts.append(f"{who(income['seat'])} receives {words.resources(income['resources'])}{credits}")
    paid = [
        f"{words.planet(x['payer'])} pays {words.planet(x['partner'])} {x['fees'] + x['compensation']} €"
        for x in d["deliveries"]
        if x["fees"] + x["compensation"]
    ]
    lost = sum(x["intercepted"] for x in d["deliveries"])
    fined = f" {listed(paid)}." if paid else ""
    caught = f" Pirates intercept {counted(lost, 'delivery', 'deliveries')}." if lost else ""
    return f"Trade agreements are fulfilled: {'; '.join(parts)}.{fined}{caught}"


def _placed(d: Data, who: Who) -> str:
    routes = listed([f"{n} on the {words.planet(c)} route" for c, n in d["pirates_added"].items()])
    return f"{who(d['seat'])}'s {counted(d['colonists_converted'], 'colonist')} turn pirates: {routes}."


def _ended(d: Data, who: Who) -> str:
    totals = listed([f"{who(s['seat'])} {s['total']}" for s in d["scores"]])
    verb = "wins" if len(d["winners"]) == 1 else "share the victory"
    return f"The game ends: {totals} points. {_names(d['winners'], who)} {verb}."


TELL: Mapping[str, Callable[[Data, Who], str]] = {
    "GameBegan": _created,
    "PlanetsDrawn": _planets,
    "FingersCommitted": _fingers,
    "FingersRevealed": _fingers_shown,
    "FingerRoundRepeated": lambda d, _who: (
        f"No number was shown only once; round {d['round']} of fingers begins."
    ),
    "FirstPlayerDetermined": _first_player,
    "BoardPrepared": _prepared,
    "EventCardsDealt": _dealt,
    "DeckCardCommitted": _deck_card,
    "EventDeckBuilt": _deck,
    "EventCardRevealed": _card,
    "TurnBegan": _turn_started,
    "ResourcesProduced": _produced,
    "ColonistChoiceCommitted": _colonist_choice,
    "ColonistsReceived": _received,
    "VoteCommitted": _vote,
    "VotesRevealed": _votes,
    "VoteTied": lambda d, who: f"The vote is tied; {who(d['seat'])} decides as the first player.",
    "TiedVoteDecided": _tie_decided,
    "MotionCarried": _carried,
    "EventRewardChosen": _reward,
    "EventEffectApplied": _effect,
    "EventCardResolved": lambda d, _who: f"{words.card(d['card'])} is put aside.",
    "ActionPhaseStarted": lambda d, who: f"The actions of turn {d['turn']} begin with {who(d['order'][0])}.",
    "RefugeProvided": _refuge,
    "PiratesHunted": _hunt,
    "ResourcesSold": _sold,
    "TradeAgreementsAdjusted": _adjusted,
    "ProductionPeaked": _peaked,
    "TechnologyUpgraded": _upgraded,
    "ActionPassed": lambda d, who: f"{who(d['seat'])} passes an action.",
    "PoliceCommitted": _police_sealed,
    "SectorPoliced": _policed,
    "FulfilmentCommitted": _fulfilment_sealed,
    "TradeAgreementsFulfilled": _fulfilled,
    "PiratesPlaced": _placed,
    "TurnEnded": lambda d, _who: f"Turn {d['turn']} ends.",
    "FirstPlayerAdvanced": lambda d, who: f"The first-player card passes to {who(d['seat'])}.",
    "GameEnded": _ended,
}
