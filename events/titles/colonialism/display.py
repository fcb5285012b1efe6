"""The parts that clients show: the static board, and the layout of a view on a page."""

from __future__ import annotations

from typing import Any

import msgspec

from events.rules.data_files import load
from events.rules.fact import Json
from events.rules.kit import panels as p
from events.rules.kit.pointing import Pointing
from events.rules.kit.words import format_count, format_list
from events.titles.colonialism.data import (
    BOARD,
    CARD,
    CARDS,
    COLOR_NAMES,
    COLORS,
    GAME,
    INTERESTS,
    NAMES,
    REGION_IDS,
    RESOURCE_NAMES,
    TILES,
    TRACK,
)
from events.titles.colonialism.steps.scoring import best_score
from events.titles.colonialism.words import (
    CAUSES,
    cubes_named,
    format_names,
    interest_named,
    mercenaries_counted,
    phase_named,
    ship_named,
    tie_break,
)

BOARD_JSON: Json = msgspec.json.decode(
    msgspec.json.encode(
        {
            "regions": BOARD.regions,
            "sea_zones": BOARD.sea_zones,
            "cards": CARDS,
            "tiles": TILES,
            "interests": INTERESTS,
            "game": GAME,
            "charts": {
                "board": {
                    "width": BOARD.width,
                    "height": BOARD.height,
                    "land": "",
                    "areas": {zone.id: zone.path for zone in BOARD.sea_zones}
                    | {region.id: region.path for region in BOARD.regions},
                }
            },
        }
    )
)
"""Regions and sea zones with their adjacency and drawing, cards with texts, tiles, interests, counts."""

POINTING = load(__package__, "page.toml", Pointing)
COLOR_COLUMNS = [color.capitalize() for color in COLORS]
ADJACENT = {
    region.id: f"adjacent to {format_list(NAMES[key] for key in (*region.neighbours, *region.seas))}"
    for region in BOARD.regions
}
REGIONS_NOTE = (
    "In region order; influence is discs + mercenaries. On the board a region shows its number in this order "
    "and its total influence of its limit; squares are cubes, N natives, flags policy cards. Ships in "
    "brackets are used."
)
CUBE_TONES = {"black": "black", "brown": "brown", "yellow": "gold"}
CHOICES = {
    "turn_order_position": "rows of the turn order are chosen",
    "starting_hand": "everybody keeps six of twelve cards",
    "ship_placement": "ships are placed",
    "action": "actions",
    "mercenary_losses": "an owner chooses losses",
    "resource_color": "a collector chooses a colour",
    "card_to_keep": "everybody keeps one card",
    "": "the game has ended",
}


def panels(view: Json, seat: int | None) -> list[Json]:
    """Return the whole table as this view shows it."""
    found = [_map(view), _seats(view), _clock(view)]
    found += [_choice(view)] if view["losses"] or view["collection"] else []
    order = _turn_order_track(view)
    if view["choice"] == "turn_order_position":
        found.append({**order, "role": "hand"})
    if view["collection"]:
        found.append(_show_offered(view["collection"]["offered"]))
    if seat is not None:
        found += _own_cards(view, seat)
    found += [_phase_track(view)] + ([] if view["choice"] == "turn_order_position" else [order])
    found += [_players(view), _regions(view), _ships(view), _policies(view), _discards(view)]
    if view["standings"]:
        found.insert(0, _standings(view))
    return found


def measures(view: Json) -> dict[str, list[int | None]]:
    """Return by key and seat the numbers of a view that a page draws as curves.

    The score is that of the cubes held now; economic interests count at the end only.
    """
    counts = [[player["collected"][color] for color in COLORS] for player in view["players"]]
    final = {each["seat"]: each["score"] for each in view["standings"]}
    return {
        "score": [final.get(seat, best_score(tuple(each))) for seat, each in enumerate(counts)],
        **{color: [each[index] for each in counts] for index, color in enumerate(COLORS)},
        "reserve": [player["reserve"] for player in view["players"]],
    }


def _name_seat(view: Json, seat: int) -> str:
    return COLOR_NAMES[view["colors"][seat]]


def _player(view: Json, seat: int) -> Json:
    return p.cell(_name_seat(view, seat), tone=seat)


def _clock(view: Json) -> Json:
    items: list[tuple[str, p.Cell]] = [
        ("Turn", f"{view['turn']} of {TRACK.turns}, segment {view['segment']} of 2"),
        ("Phase", phase_named(view["phase"])),
        ("Now", CHOICES[view["choice"]]),
    ]
    acting = view["active"] if view["active"] is not None else view["placing"]
    if acting is not None:
        items.append(("Active player", _player(view, acting)))
    if view["colonization"]:
        items.append(("Being colonized", NAMES[view["colonization"]["region"]]))
    if view["action_card"]:
        items.append(("Being carried out", NAMES[view["action_card"]["card"]]))
    items.append(("Region order", ", ".join(NAMES[key] for key in view["region_order"])))
    items.append(("Cubes in the bag", cubes_named(view["bag"])))
    items.append(("Supply", f"{view['native_supply']} natives, {view['mercenary_supply']} mercenaries"))
    return p.facts("The game", items)


def _seats(view: Json) -> Json:
    """Return the table of all players: the smallest count of cubes is the score."""
    items = []
    for seat, player in enumerate(view["players"]):
        facts: list[tuple[str, p.Cell]] = [
            (color, p.cell(player["collected"][color], detail=f"{color} cubes collected")) for color in COLORS
        ]
        facts += [
            ("reserve", p.cell(player["reserve"], detail="discs in the reserve")),
            ("deck", p.cell(player["deck_size"], detail="cards to draw", ref=f"deck:{seat}")),
            ("actions", view["actions_taken"][seat]),
        ]
        score = p.cell(f"hand {player['hand_size']}", detail="cards in hand")
        items.append(p.player(seat, _name_seat(view, seat), score=score, facts=facts))
    return p.seats(items)


def _show_offered(colors: list[str]) -> Json:
    cubes = [
        p.card(
            color.capitalize(),
            kind="cubes",
            text=RESOURCE_NAMES[color],
            tone=CUBE_TONES[color],
            ref=f"cube:{color}",
        )
        for color in colors
    ]
    return p.cards("Colours to choose from", cubes)


def _choice(view: Json) -> Json:
    items: list[tuple[str, p.Cell]] = []
    for loss in view["losses"]:
        what = (
            f"loses {loss['loss']} in {NAMES[loss['region']]} ({CAUSES[loss['cause']]}): "
            f"{loss['fewest_mercenaries']} to {loss['most_mercenaries']} of them mercenaries"
        )
        items.append((_name_seat(view, loss["seat"]), p.cell(what, tone=loss["seat"])))
    collection = view["collection"]
    if collection:
        order = collection["order"]
        now = order[collection["picks"] % len(order)]
        items.append(("Collection in", NAMES[collection["region"]]))
        items.append(("Collectors", ", ".join(_name_seat(view, s) for s in order)))
        items.append(("To choose now", _player(view, now)))
        items.append(("Colours offered", ", ".join(collection["offered"])))
    return p.facts("A choice is due", items)


# --- map ---------------------------------------------------------------------------------------


_LEGEND = (
    p.token("2", tone="black", shape="square", detail="cubes of that colour"),
    p.token("N 3", tone="muted", detail="natives"),
    p.token("4", tone="strong", detail="discs, in their owner's colour and number; + mercenaries"),
    p.token("1", tone="strong", shape="flag", detail="policy cards of their owner"),
    p.token("1", tone="strong", shape="ship", detail="a ship; in brackets when it has been used"),
)


def _map(view: Json) -> Json:
    """Return the map: land stands after the sea, as it is drawn over it; what is adjacent touches."""
    areas = [_sea_area(view, index) for index in range(len(BOARD.sea_zones))]
    areas += [_region_area(view, index) for index in range(len(REGION_IDS))]
    return p.world("The board", BOARD.width, BOARD.height, areas, chart="board", legend=_LEGEND)


def _region_area(view: Json, index: int) -> Json:
    data = BOARD.regions[index]
    at = view["regions"].get(data.id)
    if at is None:
        return p.area(data.id, data.name, data.x, data.y)
    number = view["region_order"].index(data.id) + 1
    lines = [
        f"no. {number} in region order",
        f"value {at['value']}",
        f"influence {_total(at)} of {at['limit']}",
    ]
    tokens = [
        p.token(count, tone=CUBE_TONES[color], shape="square", detail=format_count(count, f"{color} cube"))
        for color, count in at["cubes"].items()
        if count
    ]
    if at["natives"]:
        tokens.append(
            p.token(f"N {at['natives']}", tone="muted", detail=format_count(at["natives"], "native"))
        )
    for seat in range(len(view["colors"])):
        tokens += _seat_tokens(view, at, seat)
    now = view["colonization"] is not None and view["colonization"]["region"] == data.id
    tone = "gold" if now else "land"
    return p.area(
        data.id,
        data.name,
        data.x,
        data.y,
        tone=tone,
        lines=lines,
        tokens=tokens,
        gauge=(_total(at), at["limit"]),
    )


def _total(at: Json) -> int:
    """Return all influence in a region, natives included."""
    return int(at["natives"] + sum(at["discs"]) + sum(at["mercenaries"]))


def _seat_tokens(view: Json, at: Json, seat: int) -> list[Json]:
    name, tokens = _name_seat(view, seat), []
    if at["discs"][seat]:
        tokens.append(
            p.token(at["discs"][seat], tone=seat, detail=f"{name}: {format_count(at['discs'][seat], 'disc')}")
        )
    if at["mercenaries"][seat]:
        text = f"+{at['mercenaries'][seat]}"
        tokens.append(
            p.token(text, tone=seat, detail=f"{name}: {mercenaries_counted(at['mercenaries'][seat])}")
        )
    if at["policy"][seat]:
        cards = ", ".join(_policy_name(policy) for policy in at["policy"][seat])
        tokens.append(p.token(len(at["policy"][seat]), tone=seat, shape="flag", detail=f"{name}: {cards}"))
    return tokens


def _policy_name(policy: Json) -> str:
    if policy["card"] is None:
        return "a face-down card"
    return NAMES[policy["card"]] + ("" if policy["face_up"] else " (face-down)")


def _sea_area(view: Json, index: int) -> Json:
    zone = BOARD.sea_zones[index]
    tokens = []
    for seat, player in enumerate(view["players"]):
        for ship in player["ships"]:
            if ship["sea_zone"] == zone.id:
                number = ship["ship"].rpartition("_")[2]
                status = "fresh" if ship["fresh"] else "used"
                text = number if ship["fresh"] else f"({number})"
                detail = f"{ship_named(ship['ship'])}, {status}"
                ref = f"ship:{ship['ship']}"
                tokens.append(p.token(text, tone=seat, shape="ship", detail=detail, ref=ref))
    return p.area(zone.id, zone.name, zone.x, zone.y, tone="sea", tokens=tokens)


# --- tracks ------------------------------------------------------------------------------------


def _phase_track(view: Json) -> Json:
    spaces = [phase_named(phase) for phase in TRACK.phases]
    token = p.token(view["turn"], tone="strong", shape="square", detail=f"turn {view['turn']}")
    return p.track("Game phase", spaces, [(TRACK.phases.index(view["phase"]), token)])


def _turn_order_track(view: Json) -> Json:
    """Return the track: markers show the actions taken, flags the rows being chosen."""
    markers = []
    for seat in range(len(view["colors"])):
        name = _name_seat(view, seat)
        if view["rows"][seat]:
            taken = view["actions_taken"][seat]
            text = "I" * taken or "–"
            markers.append(
                (
                    view["rows"][seat] - 1,
                    p.token(text, tone=seat, detail=f"{name}: {format_count(taken, 'action')} taken"),
                )
            )
        if view["chosen_rows"][seat]:
            flag = p.token("next", tone=seat, shape="flag", detail=f"{name} has chosen this row")
            markers.append((view["chosen_rows"][seat] - 1, flag))
    spaces = [p.cell(f"Row {row}", ref=f"row:{row}") for row in range(1, TRACK.rows + 1)]
    return p.track("Turn order", spaces, markers)


# --- cards -------------------------------------------------------------------------------------


def _card(key: str, *, tone: p.Tone = None) -> Json:
    card = CARD[key]
    needs = [word for word, needed in (("ship", card.ship), ("seal", card.seal)) if needed]
    kind = f"{card.kind} · {format_list(needs)}" if needs else card.kind
    return p.card(card.name, kind=kind, text=card.text, tone=tone, key=key)


def _own_cards(view: Json, seat: int) -> list[Json]:
    mine = view["players"][seat]
    kept = mine.get("kept") or []
    note = f"You keep {format_names(kept)}; the others choose still." if kept else "Only you see these cards."
    hand = [_card(key, tone="good" if key in kept else None) for key in mine.get("hand", [])]
    interests = [_interest(key) for key in mine.get("interests", [])]
    return [
        p.cards("Your hand", hand, note=note),
        p.cards(
            "Your economic interests",
            interests,
            note="Each pays one cube at the end if you have the most influence in its region.",
        ),
    ]


def _interest(key: str) -> Json:
    color = key.rpartition("_")[2]
    text = f"Pays one {color} cube ({RESOURCE_NAMES[color]})."
    return p.card(interest_named(key), kind="economic interest", text=text, tone=CUBE_TONES[color], key=key)


def _policies(view: Json) -> Json:
    items = []
    for key in view["region_order"] if view["regions"] else ():  # not yet laid out
        for seat, stack in enumerate(view["regions"][key]["policy"]):
            items += [_policy_card(policy, NAMES[key], seat) for policy in stack]
    return p.cards(
        "Policy cards in play",
        items,
        note="In region order; the first card of a player lies face-down.",
        role="table",
    )


def _policy_card(policy: Json, place: str, seat: int) -> Json:
    if policy["card"] is None:
        return p.card("Face-down card", kind=place, text="Revealed when the region is colonized.", tone=seat)
    state = "" if policy["face_up"] else " · face-down"
    return p.card(CARD[policy["card"]].name, kind=place + state, text=CARD[policy["card"]].text, tone=seat)


def _discards(view: Json) -> Json:
    rows: list[list[Any]] = []
    for seat, player in enumerate(view["players"]):
        known = format_names(player["known_held"]) if player["known_held"] else "–"
        pile = format_names(player["discards"]) if player["discards"] else "–"
        rows.append([_player(view, seat), pile, known])
    note = "Known in hand or face-down: cards that were not in the discard pile when it was last reshuffled."
    return p.table("Discard piles", ["Player", "Discard pile", "Known in hand or face-down"], rows, note=note)


# --- tables ------------------------------------------------------------------------------------


def _players(view: Json) -> Json:
    columns = [
        "Player",
        "Row",
        "Actions",
        "Reserve",
        *COLOR_COLUMNS,
        "This turn",
        "Hand",
        "Deck",
        "Interests",
        "Choice",
    ]
    rows: list[list[Any]] = []
    for seat, player in enumerate(view["players"]):
        shown = player.get("interests")
        rows.append(
            [
                _player(view, seat),
                view["rows"][seat] or "–",
                view["actions_taken"][seat],
                player["reserve"],
                *(player["collected"][color] for color in COLORS),
                player["collected_this_turn"],
                player["hand_size"],
                player["deck_size"],
                format_list(map(interest_named, shown)) if shown else player["interest_count"],
                "made" if player["has_chosen"] else "–",
            ]
        )
    return p.table(
        "Players", columns, rows, note="Collected cubes; the score is the smallest count at the end."
    )


def _regions(view: Json) -> Json:
    seats = range(len(view["colors"]))
    columns = [
        "Region",
        "Value",
        "Limit",
        "Total",
        "Natives",
        *(_name_seat(view, seat) for seat in seats),
        *COLOR_COLUMNS,
        "Policy cards",
    ]
    rows: list[list[Any]] = []
    for key in view["region_order"] if view["regions"] else ():  # not yet laid out
        at = view["regions"][key]
        total = _total(at)
        crowded = "bad" if total > at["limit"] else None
        influence = [_influence(at["discs"][seat], at["mercenaries"][seat], seat) for seat in seats]
        cubes = [at["cubes"][color] for color in COLORS]
        policies = sum(len(stack) for stack in at["policy"])
        rows.append(
            [
                p.cell(NAMES[key], detail=ADJACENT[key]),
                at["value"],
                at["limit"],
                p.cell(total, tone=crowded),
                at["natives"],
                *influence,
                *cubes,
                policies,
            ]
        )
    return p.table("Regions", columns, rows, note=REGIONS_NOTE)


def _influence(discs: int, mercenaries: int, seat: int) -> Json:
    text = f"{discs} + {mercenaries}" if mercenaries else str(discs)
    return p.cell(text, tone=seat if discs or mercenaries else "muted")


def _ships(view: Json) -> Json:
    rows: list[list[Any]] = []
    for seat, player in enumerate(view["players"]):
        cells: list[p.Cell] = [
            p.cell(
                NAMES[s["sea_zone"]],
                tone=None if s["fresh"] else "muted",
                detail="fresh" if s["fresh"] else "used",
            )
            for s in player["ships"]
        ]
        cells += ["–"] * (GAME.pieces.ships - len(cells))
        rows.append([_player(view, seat), *cells])
    columns = ["Player", *(f"Ship {number}" for number in range(1, GAME.pieces.ships + 1))]
    return p.table(
        "Ships", columns, rows, note="Used ships are shown muted; all become fresh after the action round."
    )


def _standings(view: Json) -> Json:
    rows = [
        [s["place"], _player(view, s["seat"]), s["score"], s["total"], *(s[color] for color in COLORS)]
        for s in sorted(view["standings"], key=lambda s: s["place"])
    ]
    ties = tie_break([(s["score"], s["total"]) for s in view["standings"]])
    note = f"The score is the smallest of the three colours after conversion. {ties}".strip()
    return p.table("Result", ["Place", "Player", "Score", "Cubes", *COLOR_COLUMNS], rows, note=note)
