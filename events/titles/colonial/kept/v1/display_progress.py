"""The panel of what is in progress: a Character's play, or a war."""

from __future__ import annotations

from typing import Any

from events.titles.colonial.kept.v1.kit import panels as p
from events.titles.colonial.kept.v1.kit.overseas.words import character_name
from events.titles.colonial.kept.v1.kit.words import capital, format_list
from events.titles.colonial.kept.v1.data import space_name, territory_name

Json = dict[str, Any]


def player(view: Json, seat: int) -> p.Cell:
    """Return the name of a player in the colour of the seat."""
    return p.cell(capital(view["players"][seat]["name"]), tone=seat)


def panels(view: Json) -> list[Json]:
    """Return the panels of a play or a war that is in progress, and no others."""
    if view["war"]:
        return [_war(view, view["war"])]
    action = view["action"]
    if not action or view["active"] is None:
        return []
    items: list[tuple[str, p.Cell]] = [("Player", player(view, view["active"]))]
    if action.get("territory"):
        items.append(("Territory", territory_name(action["territory"])))
    if action["character"] == "merchant":
        items.append(("Shipments left", action["shipments_left"]))
        items.append(("Shipped", format_list([space_name(name) for name in action["shipped"]])))
        items += [
            (
                f"Asked: {view['players'][ask['owner']]['name']}",
                format_list([space_name(n) for n in ask["spaces"]]),
            )
            for ask in action["requests"]
        ]
    if action["character"] == "trader":
        items.append(("Capacity left", action["capacity_left"]))
        items += [
            (f"Asked: {view['players'][other]['name']}", f"{amount} Goods")
            for other, amount in enumerate(action["asked"])
            if amount
        ]
    if "casualties_due" in action:
        items.append(("Casualties due", action["casualties_due"]))
    return [p.facts(character_name(action["character"]), items)]


def _war(view: Json, war: Json) -> Json:
    items: list[tuple[str, p.Cell]] = [
        ("Attacker", player(view, war["attacker"])),
        ("Defender", player(view, war["defender"])),
        ("Year", war["year"]),
    ]
    if war["battle"]:
        battle = war["battle"]
        items.append(("Battle", territory_name(battle["territory"])))
        items.append(("The attacker inflicts", battle["due"][0]))
        items.append(("The defender inflicts", battle["due"][1]))
    if war["sea"]:
        attacker, defender = war["sea"]
        items.append(("Sea: attacker", f"{sum(attacker)} of {len(attacker)}"))
        items.append(("Sea: defender", f"{sum(defender)} of {len(defender)}"))
    if war["deciding"] is not None:
        items.append(("Surrender?", player(view, war["deciding"])))
    return p.facts("War", items)
