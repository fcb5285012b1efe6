"""Static data for clients, and how a page lays out a view."""

from __future__ import annotations

from typing import Any

import msgspec

from events.kit import panels
from events.kit.overseas import world_map
from events.kit.overseas.world import Territory
from events.kit.words import capital, listed
from events.titles.colonial.data import (
    CARDS,
    NATIONS,
    RULES,
    WORLD,
    character_name,
    resource_name,
    space_name,
    territory_name,
)
from events.titles.colonial.words import extra_card, nation_goals, nation_rules

Json = dict[str, Any]

BOARD: Json = {
    **world_map.board(WORLD),
    "characters": [
        {"id": character, "name": character_name(character), "text": text}
        for character, text in RULES.characters.items()
    ],
    "cards": [
        {"id": card.id, "name": card.name, "characters": list(card.characters)} for card in CARDS.values()
    ],
    "tracks": {track: list(spaces) for track, spaces in RULES.tracks.items()},
    "nations": [msgspec.to_builtins(nation) for nation in NATIONS.values()],
    "win_prestige": RULES.win_prestige,
}

_PHASES = {
    "setup": "Set-up",
    "nation_choice": "Choice of Nations",
    "programming": "Programming",
    "endeavour": "Endeavour",
    "merchant_fleets": "Merchant Fleets",
    "first_player": "First Player",
    "naval_forces": "Naval Forces",
    "loan_interest": "Loan Interest",
    "end_of_turn": "End of the turn",
}


def build_panels(view: Json, seat: int | None) -> list[Json]:
    """The panels of a page, from the view alone."""
    built = [_status(view), _play(view), _players(view), _map(view)]
    if view["own"] and view["own"]["row"]:
        built.append(_row(view))
    built += [
        _tracks(view),
        _diplomacy(view),
        _prestige(view),
        _spaces(view),
        _rounds(view),
        _characters(view, seat),
    ]
    if view["variant"] != "basic":
        built.append(_nations(view))
    return [panel for panel in built if panel is not None]


def _name(view: Json, seat: int) -> panels.Cell:
    name = view["players"][seat]["name"]
    return panels.cell(capital(name), tone=seat)


def _status(view: Json) -> Json:
    items: list[tuple[str, panels.Cell]] = [
        ("Turn", view["turn"]),
        ("Phase", _PHASES[view["phase"]]),
        ("First Player", _name(view, view["first_player"])),
    ]
    if view["phase"] == "endeavour":
        items.insert(2, ("Round", view["round"]))
    if view["active"] is not None:
        items.append(("To act", _name(view, view["active"])))
    if view["winner"] is not None:
        items.append(("Winner", _name(view, view["winner"])))
    city = view["booming_city"]
    items += [
        ("Booming City", f"{territory_name(city['territory'])}, value {city['value']}" if city else "none"),
        (
            "Discovery of America",
            f"{view['discovery_box']} Prestige" if not view["america_discovered"] else "made",
        ),
        ("Circumnavigation", "open: 1 Prestige" if view["circumnavigation_open"] else "not open"),
        ("Slavery", "abolished" if view["abolition"] else "not abolished"),
    ]
    return panels.facts("Game", items)


def _play(view: Json) -> Json | None:
    """The Character play or the war in progress."""
    if view["war"]:
        return _war(view, view["war"])
    action = view["action"]
    if not action or view["active"] is None:
        return None
    items: list[tuple[str, panels.Cell]] = [("Player", _name(view, view["active"]))]
    if action.get("territory"):
        items.append(("Territory", territory_name(action["territory"])))
    if action["character"] == "merchant":
        items.append(("Shipments left", action["shipments_left"]))
        items.append(("Shipped", listed([space_name(name) for name in action["shipped"]])))
        items += [
            (
                f"Asked: {view['players'][ask['owner']]['name']}",
                listed([space_name(n) for n in ask["spaces"]]),
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
    return panels.facts(character_name(action["character"]), items)


def _war(view: Json, war: Json) -> Json:
    items: list[tuple[str, panels.Cell]] = [
        ("Attacker", _name(view, war["attacker"])),
        ("Defender", _name(view, war["defender"])),
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
        items.append(("Surrender?", _name(view, war["deciding"])))
    return panels.facts("War", items)


def _players(view: Json) -> Json:
    rows: list[list[panels.Cell]] = []
    for player in view["players"]:
        piles = ", ".join(str(loan["size"]) for loan in player["loans"])
        rows.append(
            [
                _name(view, player["seat"]),
                panels.cell(player["prestige"], tone="strong"),
                player["treasury"],
                panels.cell(
                    player["debt"],
                    tone="bad" if player["debt"] else "muted",
                    detail=f"Loans: {piles or 'none'}",
                ),
                player["market"],
                player["fleets"],
                player["squadrons"],
                panels.cell(
                    player["monopoly_count"],
                    detail=listed([_monopoly(name) for name in player["monopolies"]]),
                ),
                player["colonies"],
                panels.cell(
                    "ready" if player["programme_submitted"] else "programming",
                    tone="good" if player["programme_submitted"] else "muted",
                ),
            ]
        )
    columns = (
        "Player",
        "Prestige",
        "Treasury",
        "Debt",
        "Goods",
        "Fleets",
        "Squadrons",
        "Monopolies",
        "Colonies",
        "Row",
    )
    return panels.table("Players", columns, rows, note="10 Prestige without any Loan wins at once.")


def _monopoly(name: str) -> str:
    return space_name(name) if "." in name else resource_name(name)


def _map(view: Json) -> Json:
    lands = {land["id"]: land for land in view["territories"]}
    city = view["booming_city"]

    def area(territory: Territory) -> Json | None:
        land = lands[territory.id]
        return None if land["excluded"] else _area(view, territory, land, city)

    return world_map.map_panel("World", WORLD, area)


def _area(view: Json, territory: Territory, land: Json, city: Json | None) -> Json:
    lines = []
    if not land["explored"]:
        lines.append(f"Difficulty {territory.difficulty}, {land['prestige']} Prestige")
        if land["required"] is not None:
            lines.append(f"You need {max(0, land['required'])} Successes")
    lines.append(f"Native Power {land['native_power']}" + (" (independent)" if land["independent"] else ""))
    for space in land["spaces"]:
        owners = [view["players"][owner]["name"] for owner in space["pile"]]
        name = resource_name(space["resource"])
        lines.append(f"{name}: {', '.join(owners) if owners else 'free'}")
    tokens = [
        panels.token(resource_name(space["resource"])[:2], tone=owner, detail=space_name(space["id"]))
        for space in land["spaces"]
        for owner in space["pile"]
    ]
    if land["colony"] is not None:
        owner = land["colony"]
        tokens.append(
            panels.token("C", tone=owner, shape="flag", detail=f"Colony of {view['players'][owner]['name']}")
        )
    if land["independent"]:
        tokens.append(panels.token("I", tone="muted", shape="flag", detail="Independent State"))
    if land["unrest"]:
        tokens.append(panels.token(land["unrest"], tone="bad", shape="square", detail="Unrest"))
    if land["missions"]:
        tokens.append(panels.token(land["missions"], tone="good", shape="square", detail="Missions"))
    if city and city["territory"] == territory.id:
        tokens.append(panels.token(city["value"], tone="gold", shape="square", detail="Booming City"))
    tone = "land" if land["explored"] else "closed"
    return world_map.territory_area(territory, tone=tone, lines=lines, tokens=tokens)


def _row(view: Json) -> Json:
    done = view["round"]
    items = [
        panels.card(
            CARDS[card].name,
            kind=f"Round {number}",
            text=" / ".join(RULES.characters[character] for character in CARDS[card].characters),
            tone="strong" if number == done else "muted" if number < done else None,
            key=card,
        )
        for number, card in enumerate(view["own"]["row"], 1)
    ]
    aside = listed([CARDS[card].name for card in view["own"]["set_aside"]])
    return panels.cards("Your row", items, note=f"Set aside: {aside}.")


def _tracks(view: Json) -> Json:
    columns = ("Player", *(track.capitalize() for track in RULES.tracks), "Trader moves")
    rows = [
        [_name(view, p["seat"]), *(p[track] for track in RULES.tracks), p["trader_capacity"]]
        for p in view["players"]
    ]
    spaces = ", ".join(f"{track.capitalize()} {'-'.join(map(str, at))}" for track, at in RULES.tracks.items())
    return panels.table("Progress", columns, rows, note=f"Spaces, each also its price: {spaces}.")


def _diplomacy(view: Json) -> Json:
    markers = [
        (p["diplomacy"] - 1, panels.token(p["name"][:1].upper(), tone=p["seat"], detail=p["name"]))
        for p in view["players"]
    ]
    return panels.track(
        "Diplomacy (no war on players further right)", list(range(1, WORLD.diplomacy_length + 1)), markers
    )


def _prestige(view: Json) -> Json:
    most = max(RULES.win_prestige, *(player["prestige"] for player in view["players"]))
    markers = [
        (p["prestige"], panels.token(p["name"][:1].upper(), tone=p["seat"], detail=p["name"]))
        for p in view["players"]
    ]
    return panels.track("Prestige", list(range(most + 1)), markers)


def _spaces(view: Json) -> Json:
    """Control by type of Resource."""
    held: dict[str, list[Json]] = {}
    for land in view["territories"]:
        for space in land["spaces"] if not land["excluded"] else ():
            held.setdefault(space["resource"], []).append(space)
    rows: list[list[panels.Cell]] = []
    for resource in WORLD.resources:
        spaces = held.get(resource.id, [])
        taken = [
            f"{territory_name(space['id'].split('.')[0])}: {view['players'][space['controller']]['name']}"
            for space in spaces
            if space["controller"] is not None
        ]
        rows.append(
            [panels.cell(resource.name, detail=resource.colour), len(spaces), "; ".join(taken) or "nobody"]
        )
    return panels.table("Resources", ("Type", "Spaces", "Controlled"), rows)


def _rounds(view: Json) -> Json:
    """The cards that everybody has shown this turn."""
    columns = ("Player", *(f"Round {number}" for number in range(1, RULES.rounds + 1)), "Used")
    rows: list[list[panels.Cell]] = []
    for player in view["players"]:
        shown: list[panels.Cell] = [CARDS[card].name for card in player["revealed"]]
        hidden: list[panels.Cell] = [panels.cell("?", tone="muted")] * (RULES.rounds - len(shown))
        used = listed([character_name(character) for character in player["used_characters"]])
        rows.append([_name(view, player["seat"]), *shown, *hidden, used])
    return panels.table("Revealed cards", columns, rows)


def _characters(view: Json, seat: int | None) -> Json:
    hand = view["players"][seat]["cards"] if seat is not None else list(CARDS)
    items = [
        panels.card(
            card.name,
            kind="Character card",
            text=" / ".join(RULES.characters[character] for character in card.characters),
            count=hand.count(card.id),
            key=card.id,
        )
        for card in CARDS.values()
    ]
    return panels.cards("Characters", items)


def _nations(view: Json) -> Json:
    """The cards of the Nations that play; while they are chosen, those that are still free as well."""
    taken = {player["nation"]: player for player in view["players"]}
    free = [nation for nation in NATIONS if view["phase"] == "nation_choice" and nation not in taken]
    rows: list[list[panels.Cell]] = []
    for name in (*(nation for nation in taken if nation), *free):
        nation, player = NATIONS[name], taken.get(name)
        ended = ", ** ended" if player is not None and player["reached_six"] else ""
        rows.append(
            [
                panels.cell(f"{capital(nation.name)} (free)", tone="muted")
                if player is None
                else _name(view, player["seat"]),
                extra_card(nation),
                nation_rules(nation) + ended,
                nation_goals(nation),
            ]
        )
    note = "Rules marked ** end when their Nation first reaches 6 Prestige."
    return panels.table("Nations", ("Nation", "Extra card", "Rules", "Historical goals"), rows, note=note)
