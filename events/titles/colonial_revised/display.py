"""The static board for clients, and the panels of a page that shows a view."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from events.rules.data_files import load
from events.rules.fact import Json
from events.rules.kit import panels as p
from events.rules.kit.overseas import world_map
from events.rules.kit.overseas.words import character_name
from events.rules.kit.overseas.world import Space, Territory
from events.rules.kit.pointing import Pointing
from events.rules.kit.words import capital, format_count, format_list
from events.titles.colonial_revised import display_progress as progress
from events.titles.colonial_revised import words as w
from events.titles.colonial_revised.data import (
    CONSTANTS,
    DIPLOMACY,
    RULES,
    SPACES,
    TABLES,
    TERRITORIES,
    TRACKS,
    UNUSED,
    WORLD,
)
from events.titles.colonial_revised.words import seat_name

BOARD: Json = {
    "map": world_map.board(WORLD),
    "unused_territories": sorted(UNUSED),
    "cards": [
        {"id": card.id, "name": card.name, "characters": list(card.characters), "text": card.text}
        for card in RULES.cards
    ],
    "tracks": {name: list(values) for name, values in TRACKS.items()},
    "diplomacy_spaces": DIPLOMACY,
    "city_values": list(TABLES.city_values),
    "exploration_prices": list(TABLES.exploration_prices),
    "end_roll_thresholds": list(TABLES.end_roll_thresholds),
    "first_end_roll_turn": CONSTANTS.first_end_roll_turn,
    "win_pp": CONSTANTS.win_pp,
    "double_prestige_colonies": list(RULES.edition.double_prestige_colonies),
    "colours": list(RULES.colours.names),
    "phases": dict(w.PHASE_NAMES),
    "prestige_sources": dict(w.SOURCE_NAMES),
    "charts": world_map.CHARTS,
}
POINTING = load(__package__, "page.toml", Pointing)


def panels(view: Json, seat: int | None) -> list[Json]:
    """Everything that the view holds, the most urgent first."""
    return [
        _map(view, seat),
        _seats(view),
        _game(view),
        *progress.panels(view),
        *_cards(view, seat),
        *_own_tracks(view, seat),
        _players(view),
        _prestige(view),
        _awards(view),
        _economy(view),
        _privateers(view),
        _resources(view),
        *_tracks(view),
    ]


def measures(view: Json) -> dict[str, list[int | None]]:
    """Return by key and seat the numbers of a view that a page draws as curves."""
    players = view["players"]
    return {
        "score": [player["net_prestige"] for player in players],
        "treasury": [player["treasury"] for player in players],
        "loan": [player["loans"] for player in players],
        "resources": [player["resources_controlled"] for player in players],
        "colonies": [len(player["colonies"]) for player in players],
    }


def _game(view: Json) -> Json:
    threshold = view["end_roll_threshold"]
    ends = f"on {threshold} or less" if threshold else f"from turn {CONSTANTS.first_end_roll_turn} on"
    found = view["america_discovered_turn"]
    booming = view["booming_city"]
    phase = w.PHASE_NAMES[view["phase"]]
    if view["phase"] == "endeavour":
        phase += f", round {view['round']}"
    items: list[tuple[str, p.Cell]] = [
        ("Turn", view["turn"]),
        ("Phase", phase),
        ("Player order", format_list(seat_name(seat) for seat in view["player_order"])),
        ("War box", f"{view['war_box']} T"),
        ("War fought this turn", "yes" if view["war_fought_this_turn"] else "no"),
        ("America", "not discovered" if found is None else f"discovered in turn {found}"),
        ("Slavery", "abolished" if view["abolition"] else "not abolished"),
        ("Booming City", "none" if booming is None else f"value {booming} in {_name_booming_place(view)}"),
        ("City markers left", format_list(map(str, view["city_markers_available"]), "none")),
        ("Progress award", progress.player(view["progress_award_holder"])),
        ("Missions award", progress.player(view["missions_award_holder"])),
        ("The end roll ends the game", ends),
    ]
    if view["winners"]:
        items.insert(0, ("Winner", p.cell(format_list(map(seat_name, view["winners"])), tone="good")))
    return p.facts("Colonial Revised", items)


def _name_booming_place(view: Json) -> str:
    value = view["booming_city"]
    return next(
        (w.territory_name(name) for name, land in view["territories"].items() if value in land["cities"]),
        "no Colony",
    )


def _players(view: Json) -> Json:
    columns = (
        "Player",
        "Net PP",
        "PP",
        "Treasury",
        "Loan",
        "Fleets",
        "Squadrons",
        "Goods",
        "Colonies",
        "Monopolies",
    )
    rows: list[list[p.Cell]] = []
    for seat, player in enumerate(view["players"]):
        escrow = f" ({player['escrow']} promised)" if player["escrow"] else ""
        near = "good" if player["net_prestige"] >= CONSTANTS.win_pp - 3 else None
        rows.append(
            [
                progress.player(seat),
                p.cell(player["net_prestige"], tone=near),
                player["prestige_points"],
                f"{player['treasury']} T{escrow}",
                p.cell(player["loans"], detail=f"costs {player['loan_penalty']} PP"),
                player["merchant_fleets"],
                player["squadrons"],
                player["market_goods"],
                p.cell(
                    len(player["colonies"]),
                    detail=format_list(map(w.territory_name, player["colonies"]), "none"),
                ),
                p.cell(
                    len(player["monopolies"]),
                    detail=format_list(map(_monopoly, player["monopolies"]), "none"),
                ),
            ]
        )
    return p.table("Players", columns, rows, note=f"{CONSTANTS.win_pp} net Prestige Points win at once.")


def _seats(view: Json) -> Json:
    """Everybody at a glance; what one buys or sells oneself can be pointed at."""
    return p.seats(
        [
            p.player(
                seat,
                seat_name(seat),
                score=p.cell(f"{player['net_prestige']} PP", detail="Prestige Points less the Loan penalty"),
                facts=[
                    ("T", p.cell(player["treasury"], detail="Treasury", ref=f"stock:treasury.{seat}")),
                    ("loan", p.cell(player["loans"], detail="Loan", ref=f"stock:loan.{seat}")),
                    (
                        "⚓",
                        p.cell(
                            player["merchant_fleets"], detail="Merchant Fleets", ref=f"stock:fleets.{seat}"
                        ),
                    ),
                    ("⚔", p.cell(player["squadrons"], detail="Squadrons", ref=f"stock:squadrons.{seat}")),
                    (
                        "goods",
                        p.cell(
                            player["market_goods"], detail="Goods on the Market", ref=f"stock:goods.{seat}"
                        ),
                    ),
                    (
                        "☠",
                        p.cell(
                            player["privateers_in_box"],
                            detail="Privateers in the box; click them to send your own",
                            ref=f"stock:privateers.{seat}",
                        ),
                    ),
                ],
            )
            for seat, player in enumerate(view["players"])
        ]
    )


def _own_tracks(view: Json, seat: int | None) -> list[Json]:
    """Return the panel of the player's Progress tracks, each with the price of the next space."""
    if seat is None:
        return []
    items: list[tuple[str, p.Cell]] = []
    for track, spaces in TRACKS.items():
        now = view["players"][seat][track]
        further = [space for space in spaces if space > now]
        text = f"{now} → {further[0]} T" if further else f"{now} (end)"
        detail = f"Spaces {format_list(map(str, spaces))}"
        items.append((track.capitalize(), p.cell(text, ref=f"track:{track}", detail=detail)))
    return [p.facts("Progress", items, role="hand")]


def _monopoly(name: str) -> str:
    return w.space_name(name) if "." in name else w.resource_name(name)


# --- map -------------------------------------------------------------------------------------------


def _map(view: Json, seat: int | None) -> Json:
    def area(territory: Territory) -> Json:
        return _area(territory, view, seat)

    return world_map.map_panel("The world", WORLD, area, _LEGEND)


_LEGEND = (
    p.token("Go 2", tone="muted", detail="the counters that control a Resource, with its goods", main=True),
    p.token("2", tone="muted", detail="other counters on the same space"),
    *world_map.PIECES_LEGEND,
    p.token("3", tone="gold", shape="square", detail="a City of that value"),
    *world_map.list_goods(WORLD),
)


def _area(territory: Territory, view: Json, seat: int | None) -> Json:
    land = view["territories"][territory.id]
    slots = [_slot(SPACES[number], land, view) for number in territory.spaces]
    owners = {owner for pile in land["piles"].values() for owner, _ in pile}
    return world_map.territory_area(
        territory,
        tone=world_map.land_tone(land, land["colony_owner"], owners),
        lines=_lines(territory, land, seat),
        slots=slots,
        tokens=_tokens(land, view),
    )


def _slot(space: Space, land: Json, view: Json) -> Callable[[float, float], Json]:
    """Return a Resource space with its pile: the owner of each layer, and the number of their counters."""
    name = w.resource_name(space.resource)
    safe = land["protected"].get(space.resource, [0] * len(view["players"]))
    tokens, told = [], []
    for height, (seat, count) in enumerate(land["piles"][space.resource]):
        what = "controls" if not height else "has counters on"
        shield = f", {safe[seat]} safe this turn" if safe[seat] else ""
        told.append(f"{seat_name(seat)} {what} it with {count}{shield}")
        text = count if height else f"{name[:2]} {count}"
        said = f"{seat_name(seat)} {what} {name}{shield}"
        tokens.append(p.token(text, tone=seat, detail=said, main=not height))
    detail = f"{name}: {'; '.join(told) or 'vacant'}"
    ref = f"space:{space.id}"
    return lambda x, y: p.slot(x, y, name[:2], ref=ref, detail=detail, tokens=tokens)


def _lines(territory: Territory, land: Json, seat: int | None) -> list[str]:
    lines = [f"Native Power {land['native_power']}"]
    if not land["explored"]:
        lines.append(f"Difficulty {territory.difficulty}")
        if seat is not None:
            lines.append(f"You need {max(1, land['exploration_targets'][seat])}+")
    if land["colony_owner"] is not None:
        lines.append(f"Colony of {seat_name(land['colony_owner'])} (holds with {land['colony_minimum']})")
    if land["independent"]:
        lines.append("Independent State")
    if land["unrest"]:
        lines.append(f"Unrest {land['unrest']} ({format_count(land['rebellion_dice'], 'die', 'dice')})")
    if land["rebel_marked_this_turn"]:
        lines.append("marked by a Rebel this turn")
    if land["missions"] or land["explored"]:
        lines.append(f"Missions {land['missions']} of {land['mission_limit']}")
    return lines


def _tokens(land: Json, view: Json) -> list[Json]:
    owner = land["colony_owner"]
    tokens = world_map.pieces(land, owner, "" if owner is None else seat_name(owner))
    for value in land["cities"]:
        kind = "Booming City" if value == view["booming_city"] else "Relevant City"
        tokens.append(p.token(value, tone="gold", shape="square", detail=f"{kind} of value {value}"))
    return tokens


# --- cards, tables and tracks --------------------------------------------------------------------


def _cards(view: Json, seat: int | None) -> list[Json]:
    found: list[Json] = []
    if seat is not None:
        mine = view["players"][seat]
        items = [_card(card.id, mine["cards"][card.id], mine.get("set_aside_choice")) for card in RULES.cards]
        found.append(p.cards("Your cards", items, note="Each turn you play five, one a round."))
    columns = ("Player", *(card.name for card in RULES.cards))
    rows = [
        [progress.player(other), *(_card_cell(player["cards"][card.id]) for card in RULES.cards)]
        for other, player in enumerate(view["players"])
    ]
    found.append(p.table("Cards of all players", columns, rows, note="All hands are public."))
    return found


def _card(name: str, held: Json, aside: str | None) -> Json:
    card = next(card for card in RULES.cards if card.id == name)
    status = _card_status(held) if name != aside else "set aside for the next turn"
    tone = "good" if held["status"] == "available" else "muted"
    return p.card(card.name, kind=status, text=card.text, tone=tone, key=name)


def _card_status(held: Json) -> str:
    if held["status"] == "played":
        when = f"played in round {held['round']}" if held["round"] else "played this turn"
        return when + (f" as {character_name(held['character'])}" if held["character"] else ", passed")
    return "available" if held["status"] == "available" else "barred this turn"


def _card_cell(held: Json) -> p.Cell:
    if held["status"] == "played":
        what = character_name(held["character"]) if held["character"] else "passed"
        return p.cell(what, tone="muted", detail=_card_status(held))
    ready = held["status"] == "available"
    return p.cell("available" if ready else "barred", tone="good" if ready else "bad")


def _prestige(view: Json) -> Json:
    columns = (
        "Player",
        *(capital(name) for name in w.SOURCE_NAMES.values()),
        "Loan penalty",
        "Net",
    )
    rows: list[list[p.Cell]] = []
    for seat, player in enumerate(view["players"]):
        sources = [player["prestige"][source] for source in w.SOURCE_NAMES]
        rows.append([progress.player(seat), *sources, -player["loan_penalty"], player["net_prestige"]])
    note = f"Different Resources: one point for {view['diversity_needed']} types."
    return p.table("Prestige Points by source", columns, rows, note=note)


def _awards(view: Json) -> Json:
    """Return the table of both awards: Missions ever placed by each player, steps of progress bought."""
    holders = view["missions_award_holder"], view["progress_award_holder"]
    rows: list[list[p.Cell]] = []
    for seat, player in enumerate(view["players"]):
        counts = player["missions_placed"], player["steps_bought"]
        held = [
            p.cell(count, tone="gold", detail="holds the award") if holder == seat else count
            for count, holder in zip(counts, holders, strict=True)
        ]
        rows.append([progress.player(seat), *held])
    least = CONSTANTS.missions_award_count, CONSTANTS.progress_award_steps
    note = f"The first with {least[0]} Missions or {least[1]} steps holds the award, until another has more."
    return p.table("Missions and steps of progress", ("Player", "Missions", "Steps"), rows, note=note)


def _economy(view: Json) -> Json:
    columns = (
        "Player",
        "Resources",
        "Fleets in phase 2",
        "Goods on the Market",
        "Trader moves",
        "Loan",
        "Interest next",
        "Maintenance",
        "War victories",
        "May attack",
    )
    rows: list[list[p.Cell]] = [
        [
            progress.player(seat),
            player["resources_controlled"],
            player["fleet_limit"],
            player["market_goods"],
            player["trade_limit"],
            player["loans"],
            player["interest_next"],
            player["maintenance"],
            player["war_victories"],
            format_list(map(seat_name, player["war_targets"]), "nobody"),
        ]
        for seat, player in enumerate(view["players"])
    ]
    return p.table("Market, Loans and limits", columns, rows)


def _privateers(view: Json) -> Json:
    seats = range(len(view["players"]))
    columns = ("In the box of", *(seat_name(seat) for seat in seats), "Together")
    rows: list[list[p.Cell]] = [
        [
            progress.player(victim),
            *(view["players"][owner]["privateers"][victim] for owner in seats),
            view["players"][victim]["privateers_in_box"],
        ]
        for victim in seats
    ]
    most = CONSTANTS.privateers_in_box_max
    return p.table("Privateers", columns, rows, note=f"At most {most} in a box, and {most} of one player.")


def _resources(view: Json) -> Json:
    rows: list[list[p.Cell]] = []
    for resource in WORLD.resources:
        owners: list[int] = []
        parts = []
        for number in WORLD.spaces_of_resource[resource.id]:
            place = TERRITORIES[SPACES[number].territory]
            owner = view["territories"][place.id]["controllers"][resource.id]
            parts.append(f"{place.name}: {'vacant' if owner is None else seat_name(owner)}")
            owners += [] if owner is None else [owner]
        rows.append(
            [resource.name, format_list(parts), _monopoly_cell(owners, each=resource.every_space_a_monopoly)]
        )
    return p.table("Resources", ("Type", "Spaces", "Monopoly"), rows)


def _monopoly_cell(owners: Sequence[int], *, each: bool) -> p.Cell:
    if each:
        return p.cell("each space by itself", tone="gold")
    return progress.player(owners[0]) if len(set(owners)) == 1 else p.cell("nobody", tone="muted")


def _tracks(view: Json) -> list[Json]:
    players = list(enumerate(view["players"]))
    found = [
        p.track(
            "Diplomacy",
            list(range(1, DIPLOMACY + 1)),
            [(player["diplomacy"] - 1, _marker(seat)) for seat, player in players],
        )
    ]
    for name, values in TRACKS.items():
        markers = [(values.index(player[name]), _marker(seat)) for seat, player in players]
        found.append(p.track(name.capitalize(), list(values), markers))
    return found


def _marker(seat: int) -> Json:
    return p.token(seat_name(seat)[0], tone=seat, detail=seat_name(seat))
