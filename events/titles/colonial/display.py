"""Static data for clients, and the panels of a page that shows a view."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from typing import Any

import msgspec

from events.rules.data_files import load
from events.rules.kit import panels as p
from events.rules.kit.overseas import world_map
from events.rules.kit.overseas.words import character_name
from events.rules.kit.overseas.world import Territory
from events.rules.kit.pointing import Pointing
from events.rules.kit.words import capital, format_list
from events.titles.colonial import display_progress as progress
from events.titles.colonial.data import (
    CARDS,
    NATIONS,
    RULES,
    WORLD,
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
    "charts": world_map.CHARTS,
}
POINTING = load(__package__, "page.toml", Pointing)

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


def panels(view: Json, seat: int | None) -> list[Json]:
    """The panels of a page, from the view alone."""
    built = [_map(view), _seats(view, seat), _game(view), *progress.panels(view)]
    if view["phase"] == "nation_choice":
        built.append(_free_nations(view))
    elif seat is not None:
        own_row = view["own"] and view["own"]["row"]
        built += [_row(view) if own_row else _characters(view, seat), _own_tracks(view, seat)]
    built += [
        _players(view),
        _tracks(view),
        _diplomacy(view),
        _prestige(view),
        _resources(view),
        _rounds(view),
    ]
    if seat is None:
        built.append({**_characters(view, seat), "role": "table"})
    if view["variant"] != "basic":
        built.append(_nations(view))
    return built


def measures(view: Json) -> dict[str, list[int | None]]:
    """Return by key and seat the numbers of a view that a page draws as curves."""
    players = view["players"]
    return {
        "score": [player["prestige"] for player in players],
        "treasury": [player["treasury"] for player in players],
        "debt": [player["debt"] for player in players],
        "monopolies": [player["monopoly_count"] for player in players],
        "colonies": [player["colonies"] for player in players],
    }


def _seats(view: Json, seat: int | None) -> Json:
    """Everybody at a glance; what one buys or sells oneself can be pointed at."""
    return p.seats(
        [
            p.player(
                player["seat"],
                capital(player["name"]),
                score=p.cell(f"★ {player['prestige']}", detail="Prestige; 10 without any Loan win at once"),
                facts=[
                    ("T", p.cell(player["treasury"], detail="Treasury", ref=_stock("treasury", player))),
                    (
                        "debt",
                        p.cell(
                            player["debt"],
                            tone="bad" if player["debt"] else None,
                            detail="Loans",
                            ref=_stock("debt", player),
                        ),
                    ),
                    ("⚓", p.cell(player["fleets"], detail="Merchant Fleets", ref=_stock("fleets", player))),
                    ("⚔", p.cell(player["squadrons"], detail="Squadrons", ref=_stock("squadrons", player))),
                    (
                        "goods",
                        p.cell(player["market"], detail="Goods on the Market", ref=_stock("goods", player)),
                    ),
                    ("⚑", p.cell(player["colonies"], detail="Colonies")),
                ],
                state=""
                if player["programme_submitted"] or view["phase"] != "programming"
                else "programming",
            )
            for player in view["players"]
        ]
    )


def _stock(what: str, player: Json) -> str:
    return f"stock:{what}.{player['seat']}"


def _own_tracks(view: Json, seat: int) -> Json:
    """Return the panel of the player's Progress tracks, each with the price of the next space."""
    player = view["players"][seat]
    items: list[tuple[str, p.Cell]] = []
    for track, spaces in RULES.tracks.items():
        further = [space for space in spaces if space > player[track]]
        text = f"{player[track]} → {further[0]} T" if further else f"{player[track]} (end)"
        items.append(
            (
                track.capitalize(),
                p.cell(text, ref=f"track:{track}", detail=f"Spaces {format_list(map(str, spaces))}"),
            )
        )
    return p.facts("Progress", items, role="hand")


def _free_nations(view: Json) -> Json:
    taken = {player["nation"] for player in view["players"]}
    return p.cards(
        "Nations to choose from",
        [
            p.card(
                capital(nation.name),
                kind=extra_card(nation),
                text=nation_rules(nation),
                key=name,
                ref=f"nation:{name}",
            )
            for name, nation in NATIONS.items()
            if name not in taken
        ],
    )


def _game(view: Json) -> Json:
    items: list[tuple[str, p.Cell]] = [
        ("Turn", view["turn"]),
        ("Phase", _PHASES[view["phase"]]),
        ("First Player", progress.player(view, view["first_player"])),
    ]
    if view["phase"] == "endeavour":
        items.insert(2, ("Round", view["round"]))
    if view["active"] is not None:
        items.append(("To act", progress.player(view, view["active"])))
    if view["winner"] is not None:
        items.append(("Winner", progress.player(view, view["winner"])))
    city = view["booming_city"]
    items += [
        ("Booming City", f"{territory_name(city['territory'])}, value {city['value']}" if city else "none"),
        (
            "Discovery of America",
            f"{view['discovery_box']} Prestige" if not view["america_discovered"] else "made",
        ),
        ("Circumnavigation", _circumnavigation(view)),
        ("Slavery", "abolished" if view["abolition"] else "not abolished"),
    ]
    return p.facts("Game", items)


def _circumnavigation(view: Json) -> str:
    if view["circumnavigation_open"]:
        return f"open: {view['circumnavigation_box']} Prestige"
    return "open from the next round" if view["circumnavigation_box"] else "not open"


def _players(view: Json) -> Json:
    rows: list[list[p.Cell]] = []
    for player in view["players"]:
        piles = ", ".join(str(loan["size"]) for loan in player["loans"])
        rows.append(
            [
                progress.player(view, player["seat"]),
                p.cell(player["prestige"], tone="strong"),
                player["treasury"],
                p.cell(
                    player["debt"],
                    tone="bad" if player["debt"] else "muted",
                    detail=f"Loans: {piles or 'none'}",
                ),
                player["market"],
                player["fleets"],
                player["squadrons"],
                p.cell(
                    player["monopoly_count"],
                    detail=format_list([_monopoly(name) for name in player["monopolies"]]),
                ),
                player["colonies"],
                p.cell(
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
    return p.table("Players", columns, rows, note="10 Prestige without any Loan wins at once.")


def _monopoly(name: str) -> str:
    return space_name(name) if "." in name else resource_name(name)


def _map(view: Json) -> Json:
    lands = {land["id"]: land for land in view["territories"]}
    city = view["booming_city"]

    def area(territory: Territory) -> Json | None:
        land = lands[territory.id]
        return None if land["excluded"] else _area(view, territory, land, city)

    return world_map.map_panel("World", WORLD, area, _LEGEND)


_LEGEND = (
    p.token("Go 2", tone="muted", detail="the counters that control a Resource, with its goods", main=True),
    p.token("2", tone="muted", detail="other counters on the same space, those further right lie higher"),
    *world_map.PIECES_LEGEND,
    p.token("3", tone="gold", shape="square", detail="the Booming City"),
    *world_map.list_goods(WORLD),
)


def _area(view: Json, territory: Territory, land: Json, city: Json | None) -> Json:
    owners = {owner for space in land["spaces"] for owner in space["pile"]}
    return world_map.territory_area(
        territory,
        tone=world_map.land_tone(land, land["colony"], owners),
        lines=_lines(view, territory, land),
        slots=[_slot(view, space) for space in land["spaces"]],
        tokens=_tokens(view, territory, land, city),
    )


def _slot(view: Json, space: Json) -> Callable[[float, float], Json]:
    name = resource_name(space["resource"])
    owners = [view["players"][owner]["name"] for owner in space["pile"]]
    detail = f"{name}: {format_list(owners, 'free')}"
    pile = []
    for height, (owner, run) in enumerate(groupby(space["pile"])):
        count = len(list(run))
        code = name[:2] if count == 1 else f"{name[:2]} {count}"
        said = (
            f"{view['players'][owner]['name']} {'has counters on' if height else 'controls'} {name}: {count}"
        )
        pile.append(p.token(count if height else code, tone=owner, detail=said, main=not height))
    return lambda x, y: p.slot(x, y, name[:2], ref=f"space:{space['id']}", detail=detail, tokens=pile)


def _lines(view: Json, territory: Territory, land: Json) -> list[str]:
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
    return lines


def _tokens(view: Json, territory: Territory, land: Json, city: Json | None) -> list[Json]:
    owner = land["colony"]
    tokens = world_map.pieces(land, owner, "" if owner is None else view["players"][owner]["name"])
    if city and city["territory"] == territory.id:
        tokens.append(p.token(city["value"], tone="gold", shape="square", detail="Booming City"))
    return tokens


def _row(view: Json) -> Json:
    done = view["round"]
    items = [
        p.card(
            CARDS[card].name,
            kind=f"Round {number}",
            text=" / ".join(RULES.characters[character] for character in CARDS[card].characters),
            tone="strong" if number == done else "muted" if number < done else None,
            key=card,
        )
        for number, card in enumerate(view["own"]["row"], 1)
    ]
    aside = format_list([CARDS[card].name for card in view["own"]["set_aside"]])
    return p.cards("Your row", items, note=f"Set aside: {aside}.")


def _tracks(view: Json) -> Json:
    columns = ("Player", *(track.capitalize() for track in RULES.tracks), "Trader moves")
    rows = [
        [
            progress.player(view, player["seat"]),
            *(player[track] for track in RULES.tracks),
            player["trader_capacity"],
        ]
        for player in view["players"]
    ]
    spaces = ", ".join(f"{track.capitalize()} {'-'.join(map(str, at))}" for track, at in RULES.tracks.items())
    return p.table("Progress", columns, rows, note=f"Spaces, each also its price: {spaces}.")


def _diplomacy(view: Json) -> Json:
    markers = [(player["diplomacy"] - 1, _marker(player)) for player in view["players"]]
    return p.track(
        "Diplomacy (no war on players further right)", list(range(1, WORLD.diplomacy_length + 1)), markers
    )


def _prestige(view: Json) -> Json:
    most = max(RULES.win_prestige, *(player["prestige"] for player in view["players"]))
    markers = [(player["prestige"], _marker(player)) for player in view["players"]]
    return p.track("Prestige", list(range(most + 1)), markers)


def _marker(player: Json) -> Json:
    return p.token(player["name"][:1].upper(), tone=player["seat"], detail=player["name"])


def _resources(view: Json) -> Json:
    """Control by type of Resource."""
    held: dict[str, list[Json]] = {}
    for land in view["territories"]:
        for space in land["spaces"] if not land["excluded"] else ():
            held.setdefault(space["resource"], []).append(space)
    rows: list[list[p.Cell]] = []
    for resource in WORLD.resources:
        spaces = held.get(resource.id, [])
        taken = [
            f"{territory_name(space['id'].split('.')[0])}: {view['players'][space['controller']]['name']}"
            for space in spaces
            if space["controller"] is not None
        ]
        rows.append(
            [p.cell(resource.name, detail=resource.colour), len(spaces), "; ".join(taken) or "nobody"]
        )
    return p.table("Resources", ("Type", "Spaces", "Controlled"), rows)


def _rounds(view: Json) -> Json:
    """The cards that everybody has shown this turn."""
    columns = ("Player", *(f"Round {number}" for number in range(1, RULES.rounds + 1)), "Used")
    rows: list[list[p.Cell]] = []
    for player in view["players"]:
        shown: list[p.Cell] = [CARDS[card].name for card in player["revealed"]]
        hidden: list[p.Cell] = [p.cell("?", tone="muted")] * (RULES.rounds - len(shown))
        used = format_list([character_name(character) for character in player["used_characters"]])
        rows.append([progress.player(view, player["seat"]), *shown, *hidden, used])
    return p.table("Revealed cards", columns, rows)


def _characters(view: Json, seat: int | None) -> Json:
    hand = view["players"][seat]["cards"] if seat is not None else list(CARDS)
    items = [
        p.card(
            card.name,
            kind="Character card",
            text=" / ".join(RULES.characters[character] for character in card.characters),
            count=hand.count(card.id),
            key=card.id,
        )
        for card in CARDS.values()
    ]
    return p.cards("Characters", items)


def _nations(view: Json) -> Json:
    """The cards of the Nations that play; while they are chosen, those that are still free as well."""
    taken = {player["nation"]: player for player in view["players"]}
    free = [nation for nation in NATIONS if view["phase"] == "nation_choice" and nation not in taken]
    rows: list[list[p.Cell]] = []
    for name in (*(nation for nation in taken if nation), *free):
        nation, player = NATIONS[name], taken.get(name)
        ended = ", ** ended" if player is not None and player["reached_six"] else ""
        rows.append(
            [
                p.cell(f"{capital(nation.name)} (free)", tone="muted")
                if player is None
                else progress.player(view, player["seat"]),
                extra_card(nation),
                nation_rules(nation) + ended,
                nation_goals(nation),
            ]
        )
    note = "Rules marked ** end when their Nation first reaches 6 Prestige."
    return p.table("Nations", ("Nation", "Extra card", "Rules", "Historical goals"), rows, note=note)
