"""One plain sentence for every fact."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from events.fact import Who
from events.kit.words import listed
from events.titles.colonial.data import (
    CARDS,
    NATIONS,
    WORLD,
    character_name,
    space_name,
    territory_name,
)

Data = Mapping[str, Any]
Teller = Callable[[Data, Who], str]


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def plain(template: str, *seats: str) -> Teller:
    """A sentence with the seats of these fields named; other fields stand as they are."""

    def teller(data: Data, who: Who) -> str:
        named = {**data, **{field: who(data[field]) for field in seats}}
        return _sentence(template.format(**named, place=_place(data)))

    return teller


def _place(data: Data) -> str:
    if "space" in data:
        return space_name(data["space"])
    return territory_name(data["territory"]) if "territory" in data else ""


def count(amount: int, thing: str) -> str:
    """``1 Squadron``, ``3 Squadrons``."""
    return (
        f"{amount} {thing}"
        if amount == 1 or thing in ("Treasury", "Goods", "Unrest")
        else f"{amount} {thing}s"
    )


def cards(names: Sequence[str]) -> str:
    """The names of cards, in order."""
    return ", ".join(CARDS[name].name for name in names)


def _losses(data: Data, who: Who) -> str:
    held: dict[tuple[int, str], int] = {}
    for loss in data["losses"]:
        key = (loss["owner"], loss["space"])
        held[key] = held.get(key, 0) + 1
    parts = [
        f"{who(owner)} {count(number, 'counter')} on {space_name(space)}"
        for (owner, space), number in held.items()
    ]
    return f"{listed(parts)}"


# --- set-up and turn ---------------------------------------------------------------------------


def _started(data: Data, who: Who) -> str:
    game = {"basic": "the basic game", "nations": "the Nations Variant", "nations_2_3": "the 2-3 player game"}
    return f"{data['seats']} players begin {game[data['variant']]}."


def _nation(data: Data, who: Who) -> str:
    return _sentence(f"{who(data['seat'])} chooses {NATIONS[data['nation']].name}.")


def _extra(verb: str) -> Teller:
    return lambda data, who: _sentence(
        f"{who(data['seat'])} {verb} the extra card {CARDS[data['card']].name}."
    )


def _excluded(data: Data, who: Who) -> str:
    names = listed([territory_name(name) for name in data["territories"]])
    america = " America counts as discovered." if data["america_discovered"] else ""
    return f"Not in this game: {names}.{america}"


def _board(data: Data, who: Who) -> str:
    lies = sum(data["prestige"].values())
    return f"{lies} Prestige lie on the map, {data['discovery_box']} in the Discovery of America box."


def _programmed(data: Data, who: Who) -> str:
    if "row" not in data:
        return _sentence(f"{who(data['seat'])} has programmed a row.")
    return _sentence(
        f"{who(data['seat'])} programmes {cards(data['row'])}; aside: {cards(data['set_aside'])}."
    )


def _revealed(data: Data, who: Who) -> str:
    shown = [f"{who(seat)} {CARDS[card].name}" for seat, card in enumerate(data["cards"])]
    return f"Round {data['round']}: revealed are {', '.join(shown)}."


def _used(data: Data, who: Who) -> str:
    return _sentence(f"{who(data['seat'])} uses the {character_name(data['character'])}.")


def _finished(data: Data, who: Who) -> str:
    return _sentence(f"{who(data['seat'])} is done with the {character_name(data['character'])}.")


_CHOICES = {
    "second_roll": "may roll again for Australia",
    "settle": "may settle there",
    "circumnavigation": "may try to sail around the world",
    "reroll": "may re-roll the sea dice",
    "surrender": "decides whether to surrender",
}


def _offered(data: Data, who: Who) -> str:
    return _sentence(f"{who(data['seat'])} {_CHOICES[data['choice']]}.")


_PHASES = {
    "merchant_fleets": "Merchant Fleets",
    "naval_forces": "Naval Forces",
    "end_of_turn": "the end of the turn",
}


def _phase(verb: str) -> Teller:
    return lambda data, who: _sentence(f"{who(data['seat'])} {verb} in {_PHASES[data['phase']]}.")


def _bought(thing: str) -> Teller:
    def teller(data: Data, who: Who) -> str:
        return _sentence(
            f"{who(data['seat'])} buys {count(data['amount'], thing)} (at most {data['limit']})."
        )

    return teller


def _token(data: Data, who: Who) -> str:
    verb = "keeps" if data["from"] == data["to"] else "takes"
    why = (
        "with the most Monopolies"
        if data["reason"] == "monopolies"
        else "on the left of the former First Player"
    )
    return _sentence(f"{who(data['to'])} {verb} the First Player token, {why}.")


def _interest(data: Data, who: Who) -> str:
    piles = [f"{who(loan['seat'])} owes {loan['size']}" for loan in data["loans"]]
    return _sentence(f"Interest is added to every Loan pile: {', '.join(piles)}.")


def _six(data: Data, who: Who) -> str:
    names = {"tordesillas": "the Treaty of Tordesillas", "extra_card": "the use of the extra card"}
    ended = listed([names[rule] for rule in data["rules_ended"]])
    return _sentence(f"{who(data['seat'])} has reached 6 Prestige; {ended} ends.")


def _limit(data: Data, who: Who) -> str:
    return f"The turn limit is reached after turn {data['turn']}; {who(data['ranking'][0])} leads."


# --- plays -------------------------------------------------------------------------------------


_WHY = {
    "first_player": "as First Player",
    "scientist": "for the Scientist",
    "governor": "for a Booming City",
    "circumnavigation": "for sailing around the world",
    "ambassador": "through the Ambassador",
    "india_china": "for exploring there",
    "monopoly_broken": "for breaking a Monopoly",
    "control_taken": "for taking control",
    "repression": "for repression",
    "war_declared": "for declaring war",
    "slaves_shipped": "for shipping slaves",
    "sovereign": "through the Sovereign",
    "adventurers": "with the adventurers",
    "extremadura": "by Extremadura",
    "pillage": "after pillage",
    "rebel": "by the Rebel",
}


def _discarded(data: Data, who: Who) -> str:
    return _sentence(f"{who(data['seat'])} pays {data['amount']} Treasury {_WHY[data['reason']]}.")


def _diplomacy(data: Data, who: Who) -> str:
    side = "right" if data["to"] > data["from"] else "left"
    steps = abs(data["to"] - data["from"])
    return _sentence(
        f"{who(data['seat'])} moves {steps} {side} on Diplomacy {_WHY[data['reason']]}, to {data['to']}."
    )


def _rolled(data: Data, who: Who) -> str:
    return _sentence(
        f"{who(data['seat'])} sails for {_place(data)}: {_successes(data)} of {data['required']} required."
    )


def _successes(data: Data) -> str:
    return "1 Success" if data["successes"] == 1 else f"{data['successes']} Successes"


def _second(data: Data, who: Who) -> str:
    return _sentence(
        f"{who(data['seat'])} rolls again for Australia: {_successes(data)} of {data['required']} required."
    )


def _explored(data: Data, who: Who) -> str:
    left = f"; {data['prestige_left']} Prestige stays there" if data["prestige_left"] else ""
    return _sentence(
        f"{who(data['seat'])} explores {_place(data)} and gains {data['prestige_taken']} Prestige{left}."
    )


def _sailed(data: Data, who: Who) -> str:
    return _sentence(
        f"{who(data['seat'])} sails around the world: {_successes(data)} of {data['required']} required"
        f" with {count(len(data['continents']), 'continent')}."
    )


def _placed(data: Data, who: Who) -> str:
    source = "a Treasury" if data["from"] == "treasury" else "a Merchant Fleet"
    return _sentence(f"{who(data['seat'])} places {source} on {_place(data)}.")


def _control(data: Data, who: Who) -> str:
    if data["from"] == data["to"]:
        return _sentence(f"{who(data['to'])} keeps control of {_place(data)}, the pile is rearranged.")
    return _sentence(f"{who(data['to'])} takes control of {_place(data)} from {who(data['from'])}.")


def _broken(data: Data, who: Who) -> str:
    name = WORLD.resource_named[data["resource"]].name
    return _sentence(f"{who(data['by'])} breaks the {name} Monopoly of {who(data['victim'])}.")


def _unrest(verb: str) -> Teller:
    def teller(data: Data, who: Who) -> str:
        return _sentence(f"{data['amount']} Unrest is {verb} {_place(data)} {_WHY[data['reason']]}.")

    return teller


def _founded(data: Data, who: Who) -> str:
    gain = data["prestige"] + data["city_prestige"]
    method = " by Extremadura" if data["method"] == "extremadura" else ""
    return _sentence(
        f"{who(data['seat'])} founds a Colony in {_place(data)}{method} and gains {gain} Prestige."
    )


def _colony_lost(data: Data, who: Who) -> str:
    loss = data["prestige_lost"] + data["city_prestige_lost"]
    return _sentence(f"{who(data['seat'])} loses the Colony {_place(data)} and {loss} Prestige.")


def _paid(data: Data, who: Who) -> str:
    paid = [f"{who(seat)} {amount}" for seat, amount in enumerate(data["amounts"]) if amount]
    return f"The Booming City pays its sellers: {', '.join(paid)}."


def _shipment_requested(data: Data, who: Who) -> str:
    asked = [
        f"{who(request['owner'])} for {listed([space_name(space) for space in request['spaces']])}"
        for request in data["requests"]
    ]
    return _sentence(f"{who(data['by'])} asks {'; '.join(asked)}.")


def _shipment_answered(data: Data, who: Who) -> str:
    granted = listed([space_name(space) for space in data["accepted"]])
    refused = listed([space_name(space) for space in data["refused"]])
    return _sentence(f"{who(data['owner'])} grants {granted} and refuses {refused}.")


def _shipped(data: Data, who: Who) -> str:
    paid = f"; {who(data['controller'])} earns 1 Treasury" if data["paid_to_controller"] else ""
    return _sentence(f"{who(data['shipper'])} ships {_place(data)}{paid}.")


def _goods_requested(data: Data, who: Who) -> str:
    asked = [f"{who(seat)} for {amount} Goods" for seat, amount in enumerate(data["amounts"]) if amount]
    return _sentence(f"{who(data['by'])} asks {', '.join(asked)}.")


def _rebellion(data: Data, who: Who) -> str:
    lost = "1 counter is" if data["casualties_due"] == 1 else f"{data['casualties_due']} counters are"
    return _sentence(
        f"{who(data['by'])} sparks a rebellion in {_place(data)}: {_successes(data)} with"
        f" {len(data['dice'])} dice; {lost} lost."
    )


def _counters_lost(data: Data, who: Who) -> str:
    return f"In {_place(data)} fall: {_losses(data, who)}."


def _track(data: Data, who: Who) -> str:
    return _sentence(f"{who(data['seat'])} advances to {data['to']} on {data['track'].capitalize()}.")


# --- war ---------------------------------------------------------------------------------------


def _year(data: Data, who: Who) -> str:
    where = listed([territory_name(name) for name in data["territories"]])
    return f"Year {data['year']} of the war; battles on land: {where}."


def _land(data: Data, who: Who) -> str:
    attacker, defender = sum(data["attacker_dice"]), sum(data["defender_dice"])
    return (
        f"Battle in {_place(data)}: the attacker rolls {attacker} of {len(data['attacker_dice'])},"
        f" the defender {defender} of {len(data['defender_dice'])}."
    )


def _casualties(data: Data, who: Who) -> str:
    return _sentence(f"{who(data['seat'])} has chosen the casualties in {_place(data)}.")


def _sea(data: Data, who: Who) -> str:
    attacker, defender = sum(data["attacker_dice"]), sum(data["defender_dice"])
    return (
        f"Battle at sea: the attacker rolls {attacker} of {len(data['attacker_dice'])},"
        f" the defender {defender} of {len(data['defender_dice'])}."
    )


def _rerolled(data: Data, who: Who) -> str:
    return _sentence(
        f"{who(data['seat'])} re-rolls at sea: {sum(data['new_dice'])} instead of {sum(data['old_dice'])}."
    )


def _sea_losses(data: Data, who: Who) -> str:
    parts = []
    for loss in data["losses"]:
        squadrons, fleets = count(loss["squadrons"], "Squadron"), count(loss["fleets"], "Merchant Fleet")
        parts.append(f"{who(loss['seat'])} {squadrons} and {fleets}")
    return f"Lost at sea: {'; '.join(parts)}."


def _war_ended(data: Data, who: Who) -> str:
    years = count(data["years"], "year")
    if data["result"] == "draw":
        return f"The war ends in a draw after {years}."
    verb = "surrenders" if data["result"] == "surrender" else "is defeated"
    return _sentence(f"{who(data['loser'])} {verb}; {who(data['winner'])} wins the war after {years}.")


TELL: Mapping[str, Teller] = {
    "GameBegan": _started,
    "FirstPlayerDrawn": plain("{seat} is the First Player.", "seat"),
    "NationChosen": _nation,
    "ExtraCardTaken": _extra("takes"),
    "ExtraCardRemoved": _extra("gives back"),
    "TerritoriesExcluded": _excluded,
    "BoardPrepared": _board,
    "TurnBegan": plain("Turn {turn} begins; {first_player} is First Player.", "first_player"),
    "CardsProgrammed": _programmed,
    "ProgrammingClosed": plain("All rows of turn {turn} are fixed."),
    "CardsRevealed": _revealed,
    "RoundBegan": plain("Round {round}: it is the turn of {seat}.", "seat"),
    "RoundEnded": plain("{seat} ends the round.", "seat"),
    "RoundForfeited": plain("{seat} forfeits the round.", "seat"),
    "CharacterUsed": _used,
    "ChoiceOffered": _offered,
    "ActionFinished": _finished,
    "TreasuryGiven": plain("{from} gives {amount} Treasury to {to}.", "from", "to"),
    "TreasuryDiscarded": _discarded,
    "LoanTaken": plain("{seat} takes a Loan of {amount}.", "seat"),
    "LoanRepaid": plain("{seat} repays {amount}; {remaining} of that Loan remain.", "seat"),
    "InterestAdded": _interest,
    "DiplomacyMoved": _diplomacy,
    "ExplorationRolled": _rolled,
    "TerritoryExplored": _explored,
    "AmericaDiscovered": plain("{seat} discovers America and gains {bonus} more Prestige!", "seat"),
    "AustraliaSecondRollTaken": _second,
    "AustraliaSecondRollDeclined": plain("{seat} does not roll again.", "seat"),
    "SettleDeclined": plain("{seat} does not settle.", "seat"),
    "CircumnavigationDeclined": plain("{seat} does not sail around the world.", "seat"),
    "CounterPlaced": _placed,
    "ControlChanged": _control,
    "MonopolyBroken": _broken,
    "CircumnavigationRolled": _sailed,
    "WorldCircumnavigated": plain("{seat} has sailed around the world and gains 1 Prestige!", "seat"),
    "UnrestPlaced": _unrest("placed in"),
    "UnrestRemoved": _unrest("removed from"),
    "UnrestFlipped": plain("{by} turns an Unrest in {place} into a Mission.", "by"),
    "MissionPlaced": plain("{by} places a Mission in {place}.", "by"),
    "MissionDiscarded": plain("{by} discards a Mission in {place}.", "by"),
    "ColonyFounded": _founded,
    "IndependenceEnded": plain("{place} is no Independent State any more."),
    "IndependenceBegan": plain("{place} becomes an Independent State."),
    "CompanyCreated": plain(
        "{seat} creates a Company: a counter on {place} becomes a Merchant Fleet.", "seat"
    ),
    "TerritoryPillaged": plain("{seat} pillages {place} for {amount} Treasury.", "seat"),
    "FleetStolen": plain(
        "{thief} takes {amount} of the Merchant Fleets of {victim} for the plantations.", "thief", "victim"
    ),
    "ColonyLost": _colony_lost,
    "BoomingCityPlaced": plain("{by} founds the Booming City in {place}, with value {value}.", "by"),
    "BoomingCityRemoved": plain("The Booming City in {place}, of value {value}, declines."),
    "BoomingCityPillaged": plain(
        "Pirates pillage the Booming City in {place}: its value falls to {new_value}."
    ),
    "PrestigeGained": plain("{seat} gains {amount} Prestige for the Booming City.", "seat"),
    "PrestigeTaken": plain("{to} takes {amount} Prestige from {from}.", "from", "to"),
    "SellersPaid": _paid,
    "PirateCheckRolled": lambda data, _who: f"Pirates off {_place(data)}: {_successes(data)}.",
    "FleetLostToPirates": plain("{seat} loses a Merchant Fleet to pirates; {place} ships nothing.", "seat"),
    "ShipmentRequested": _shipment_requested,
    "ShipmentAnswered": _shipment_answered,
    "GoodsShipped": _shipped,
    "RequestsWithdrawn": plain("{by} withdraws the open requests.", "by"),
    "GoodsRequested": _goods_requested,
    "GoodsRequestAnswered": plain("{owner} lets {accepted} Goods go and keeps {refused}.", "owner"),
    "OwnGoodsSold": plain("{seat} moves {amount} Goods to the own Treasury.", "seat"),
    "ForeignGoodsSold": plain(
        "{trader} moves {amount} Goods of {owner}; both gain as much Treasury.", "trader", "owner"
    ),
    "RebellionRolled": _rebellion,
    "CountersLost": _counters_lost,
    "TrackAdvanced": _track,
    "SlaveryAbolished": plain("{by} has reached Economy 10: slavery is abolished.", "by"),
    "WarDeclared": plain("{attacker} declares war on {defender}!", "attacker", "defender"),
    "WarYearBegan": _year,
    "LandBattleRolled": _land,
    "WarCasualtiesChosen": _casualties,
    "SeaBattleRolled": _sea,
    "SeaDiceRerolled": _rerolled,
    "SeaRerollDeclined": plain("{seat} keeps the sea dice.", "seat"),
    "SeaLossesTaken": _sea_losses,
    "SurrenderDeclined": plain("{seat} fights on after year {year}.", "seat"),
    "Surrendered": plain("{seat} surrenders after year {year}.", "seat"),
    "WarEnded": _war_ended,
    "PhaseBegan": _phase("decides"),
    "PhaseSkipped": _phase("can buy nothing"),
    "MerchantFleetsBought": _bought("Merchant Fleet"),
    "SquadronsBought": _bought("Squadron"),
    "FirstPlayerMoved": _token,
    "FlamboyancePaid": plain("{seat} pays {amount} Treasury for Flamboyance.", "seat"),
    "FlamboyancePrestigeLost": plain("{seat} loses {amount} Prestige to Flamboyance.", "seat"),
    "SixPrestigeReached": _six,
    "TurnEnded": plain("Turn {turn} is over."),
    "TurnLimitReached": _limit,
    "GameWon": plain("{seat} wins with {prestige} Prestige!", "seat"),
}
"""``{fact type name: (data, who) -> sentence}``."""
