"""Panels of what is in progress: exploration, deals, Rebellions, wars, Escalations."""

from __future__ import annotations

from collections.abc import Callable

from events.rules.fact import Json
from events.rules.kit import panels as p
from events.rules.kit.overseas.words import character_name
from events.rules.kit.words import format_count, format_list
from events.titles.colonial_revised import words as w
from events.titles.colonial_revised.words import seat_name

Items = list[tuple[str, p.Cell]]

WAR_STEPS = {
    "offer_attacker": "the Attacker offers to an Ally",
    "offer_defender": "the Defender offers to an Ally",
    "choice": "the others choose in secret",
    "pick_attacker": "the Attacker accepts an Ally",
    "pick_defender": "the Defender accepts an Ally",
    "fight": "the year is fought",
    "battles": "the battles of the year are fought",
    "casualties": "casualties are chosen",
    "expedition": "a military expedition may be sent",
    "expedition_battle": "the expedition fights",
    "check": "the fighting is over",
    "attacker_ally": "the Attacker's Ally decides",
    "attacker": "the Attacker decides",
    "defender_ally": "the Defender's Ally decides",
    "defender": "the Defender decides",
    "over": "the war is over",
}
CHOICES = {"attacker": "helps the Attacker", "defender": "helps the Defender", "none": "stays out"}


def panels(view: Json) -> list[Json]:
    """Only what is really in progress."""
    found: list[Json] = []
    if view["action"]:
        found.append(p.facts("In progress", _action(view)))
    for key, (title, items) in _KINDS.items():
        if view[key]:
            found.append(p.facts(title, items(view, view[key])))
    return found


def player(seat: int | None) -> p.Cell:
    """Return the name of a player in the colour of the seat."""
    return p.cell("nobody", tone="muted") if seat is None else p.cell(seat_name(seat), tone=seat)


def _action(view: Json) -> Items:
    action = view["action"]
    what = character_name(action["character"]) if action["character"] else "passed"
    items: Items = [
        ("Player", player(action["seat"])),
        ("Card", w.card_name(action["card_id"])),
        ("Character", what),
    ]
    for markers in view["unrest_left"]:
        items.append(
            ("Unrest still to place", f"{markers['count']} in {w.territory_name(markers['territory'])}")
        )
    return items


def _exploration(view: Json, held: Json) -> Items:
    items: Items = [("Territory", w.territory_name(held["territory"]))]
    if held["step"] == "buy":
        price = "not for sale" if held["price"] is None else f"{held['price']} T"
        return [*items, ("Short by", held["shortfall"]), ("Price", price)]
    return [*items, ("Explored", "trading post and Adventurers may follow")]


def _answer(answer: object, waiting: bool, text: str) -> p.Cell:
    if answer is None:
        return p.cell("is asked", tone="strong") if waiting else p.cell("has answered", tone="muted")
    return p.cell(text, tone="good")


def _shipment(view: Json, deal: Json) -> Items:
    items: Items = [("Own Goods", w.space_names(deal["own_spaces"]))]
    for entry in deal["requests"]:
        seat, answer = entry["seat"], deal["answers"][entry["seat"]]
        waiting = deal["step"] == "answer" and seat in deal["awaiting"]
        granted = f"grants {w.space_names(answer or ())}"
        items.append(
            (f"{seat_name(seat)}: {w.space_names(entry['spaces'])}", _answer(answer, waiting, granted))
        )
    if deal["booming_spaces"]:
        items.append(("Booming City first", w.space_names(deal["booming_spaces"])))
    if deal["step"] in {"attack", "reply"}:
        items.append(("Counters on the way to the Market", deal["market_counters"]))
        items.append(("Privateers of", format_list(map(seat_name, deal["awaiting"]), "nobody")))
    if deal["attack"]:
        items.append(("Has attacked", player(deal["attack"]["seat"])))
    return items


def _trade(view: Json, deal: Json) -> Items:
    items: Items = [("Own Goods", deal["own"])]
    for entry in deal["requests"]:
        seat, answer = entry["seat"], deal["answers"][entry["seat"]]
        waiting = deal["step"] == "answer" and seat in deal["awaiting"]
        label = f"{seat_name(seat)}: {format_count(entry['count'], 'Good')}"
        items.append((label, _answer(answer, waiting, f"grants {answer}")))
    return items


def _rebellion(view: Json, held: Json) -> Items:
    items: Items = [
        ("Territory", w.territory_name(held["territory"])),
        ("Kind", {"colony": "in a Colony", "territory": "in a Territory"}.get(held["kind"], "automatic")),
        ("Losses", held["losses"]),
    ]
    for loss in held["allotment"]:
        items.append(
            (f"{seat_name(loss['seat'])} loses", f"{loss['count']} on {w.short_space(loss['space'])}")
        )
    if held["awaiting"]:
        items.append(("May pay 2 T a counter", format_list(map(seat_name, held["awaiting"]))))
    return items


def _war(view: Json, war: Json) -> Items:
    items: Items = [
        ("Attacker", player(war["attacker"])),
        ("Defender", player(war["defender"])),
        ("Attacker's Ally", _ally(war, "attacker_ally")),
        ("Defender's Ally", _ally(war, "defender_ally")),
        ("Offers", f"Attacker {war['attacker_offer']} T, Defender {war['defender_offer']} T"),
        ("Year", war["year"] or "not begun"),
        ("Now", WAR_STEPS[war["step"]]),
    ]
    for seat, choice in enumerate(war["choices"]):
        if choice is not None:
            items.append((seat_name(seat), CHOICES[choice]))
    if war["awaiting"] and war["step"] == "choice":
        items.append(("Still choosing", format_list(map(seat_name, war["awaiting"]))))
    if war["battle"]:
        items.append(("Battle in", w.territory_name(war["battle"]["territory"])))
        for entry in war["battle"]["due"]:
            items.append((f"{seat_name(entry['seat'])} loses", w.counters(entry["count"])))
    if war["year"]:
        lost = f"Attacker {war['attacker_naval_losses']}, Defender {war['defender_naval_losses']}"
        items.append(("Lost at sea this year", lost))
    return items


def _ally(war: Json, key: str) -> p.Cell:
    ally = war[key]
    if ally is not None and ally in war["left"]:
        return p.cell(f"{seat_name(ally)} (gave up)", tone="muted")
    return "nobody" if ally is None else player(ally)


def _escalation(view: Json, held: Json) -> Items:
    part = "Navy steps" if held["part"] == "A" else "Squadrons"
    return [
        ("Part", f"{held['part']}: {part}"),
        ("Still to buy", format_list(map(seat_name, held["queue"]), "nobody")),
        ("In the war", format_list(map(seat_name, held["belligerents"]))),
        ("Emergency Loans taken", format_list(map(seat_name, held["loans_used"]), "none")),
    ]


def _privateer_war(view: Json, held: Json) -> Items:
    return [
        ("Player", player(held["seat"])),
        ("Round", held["round"]),
        ("To be sunk", w.privateers(held["hits"])),
    ]


_KINDS: dict[str, tuple[str, Callable[[Json, Json], Items]]] = {
    "exploration": ("Exploration", _exploration),
    "shipment": ("Shipment", _shipment),
    "trade": ("Trade", _trade),
    "rebellion": ("Rebellion", _rebellion),
    "war": ("War", _war),
    "privateer_war": ("War against Privateers", _privateer_war),
    "escalation": ("Escalation", _escalation),
}
