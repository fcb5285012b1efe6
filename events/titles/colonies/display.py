"""The static board for clients, and how a page lays out a view."""

from __future__ import annotations

from typing import Any

from events import panels as p
from events.title import Json, Seat
from events.titles.colonies import words
from events.titles.colonies.data import (
    BOARD,
    CARD_SETS,
    CLOCKWISE,
    COLOURS,
    RESOURCE,
    TECHNOLOGIES,
    TECHNOLOGY,
    EventCard,
    price,
    shelf_of,
)
from events.titles.colonies.primitives import Colour
from events.titles.colonies.view import plain

PHASES = {
    "setup_lots": "Setup: lots",
    "setup_fingers": "Setup: fingers for the first player",
    "setup_deck_choice": "Setup: a card for the event deck",
    "production": "Income: production",
    "income_colonists": "Income: receiving colonists",
    "event_vote": "Event: vote",
    "event_tie": "Event: the first player breaks the tie",
    "event_effects": "Event: effects",
    "event_resupply": "Event: a card for the new deck",
    "actions": "Actions",
    "upkeep_police": "Upkeep: police sector",
    "upkeep_fulfil": "Upkeep: fulfilling trade agreements",
    "upkeep_pirates": "Upkeep: pirates",
    "ended": "The game has ended",
}
_RING: dict[str, tuple[int, int]] = {
    "blue": (400, 70),
    "green": (685, 250),
    "yellow": (580, 520),
    "purple": (220, 520),
    "red": (115, 250),
}
"""Where the planets lie on the page: clockwise on a circle."""


def _card_json(card: EventCard) -> Json:
    texts = {name: words.effect(getattr(card, name)) for name in ("official", "all", "fewest")}
    return {**plain(card), "texts": texts}


def _board() -> Json:
    board: Json = plain(BOARD)
    board["card_sets"] = {name: [_card_json(c) for c in cards.values()] for name, cards in CARD_SETS.items()}
    board["phases"] = PHASES
    board["ring"] = {colour: {"x": x, "y": y} for colour, (x, y) in _RING.items()}
    return board


BOARD_JSON = _board()


# --- panels ------------------------------------------------------------------------------------------


def panels(view: Json, seat: Seat | None) -> list[Json]:
    """The page: where we are, the event, the ring, players, agreements, technologies, markets, own cards."""
    shown = [_situation(view), _turns(view), _event(view)]
    if view["asked"]:
        shown.append(_asked(view))
    shown += [_ring(view), _players(view, seat), _agreements(view), _technologies(view), _markets(view)]
    if view["votes"]:
        shown.append(_votes(view))
    if seat is not None:
        shown += _own(view)
    if view["scores"]:
        shown.insert(0, _scores(view))
    return shown


def _name(view: Json, seat: int) -> str:
    planets = view["planets"]
    return words.planet(planets[seat]) if planets else f"Seat {seat}"


def _player(view: Json, seat: int) -> Json:
    return p.cell(_name(view, seat), tone=seat)


def _tone(view: Json, colour: str) -> int | str:
    planets: list[str] = view["planets"]
    return planets.index(colour) if colour in planets else "muted"


def _situation(view: Json) -> Json:
    items: list[tuple[str, p.Cell]] = [("Phase", PHASES[view["phase"]])]
    if view["phase"] == "setup_fingers":
        items.append(("Round of fingers", view["finger_round"]))
    if view["first_player"] is not None:
        items.append(("First player", _player(view, view["first_player"])))
    order = " → ".join(_name(view, seat) for seat in view["player_order"])
    items.append(("Player order", order))
    if view["active"] is not None:
        items += [("Round of actions", f"{view['action_round']} of {BOARD.actions}")]
        items += [("To act", _player(view, view["active"]))]
    if view["arrivals"] is not None:
        items.append(("Colonists arriving", view["arrivals"]))
    items += [("Cards in the event deck", view["deck_count"]), ("Undealt event cards", view["undealt_count"])]
    return p.facts("Colonies", items)


def _turns(view: Json) -> Json:
    marker = (view["turn"] - 1, p.token("●", tone="gold", shape="flag", detail=f"Turn {view['turn']}"))
    return p.track("Turn", list(range(1, BOARD.turns + 1)), [marker])


def _cards_of(view: Json) -> dict[str, EventCard]:
    return CARD_SETS[view["options"]["event_card_set"]]


def _card(view: Json, card_id: str, *, count_in: str = "") -> Json:
    card = _cards_of(view)[card_id]
    text = "\n".join(
        f"{words.REWARD_WORDS[name]}: {words.effect(getattr(card, name))}"
        for name in ("official", "all", "fewest")
    )
    return p.card(card.title, kind=f"{card.colonists} colonists{count_in}", text=text, key=card_id)


def _event(view: Json) -> Json:
    current = [_card(view, view["current_card"], count_in=" · current")] if view["current_card"] else []
    resolved = [_cards_of(view)[card].title for card in view["resolved_cards"]]
    note = f"Put aside: {words.listed(resolved)}." if resolved else ""
    return p.cards("Event card", current, note=note)


def _asked(view: Json) -> Json:
    asked = view["asked"]
    return p.facts(
        "Effect under way",
        [
            ("Player", _player(view, asked["seat"])),
            ("Part of the card", words.REWARD_WORDS[asked["effect"]]),
            ("Asked for", asked["text"]),
        ],
    )


def _ring(view: Json) -> Json:
    areas = [_planet_area(view, colour) for colour in COLOURS]
    pairs = [(a, b) for i, a in enumerate(COLOURS) for b in COLOURS[i + 1 :]]
    links = [(a, b) for a, b in pairs if b in view["promise"].get(a, {}) or not view["planets"]]
    return p.world("The ring of planets and their trade routes", 800, 620, areas, links=links)


def _planet_area(view: Json, colour: Colour) -> Json:
    x, y = _RING[colour]
    neutral = bool(view["planets"]) and colour not in view["planets"]
    name = f"{words.planet(colour)} (neutral)" if neutral else words.planet(colour)
    tokens = [] if neutral or not view["planets"] else _planet_tokens(view, colour)
    return p.area(
        colour,
        name,
        x,
        y,
        tone=_tone(view, colour),
        lines=[RESOURCE[colour], *_routes(view, colour)],
        tokens=tokens,
    )


def _routes(view: Json, colour: Colour) -> list[str]:
    """What comes to a planet on each route, and the pirates that wait there."""
    lines = []
    for source in reversed(CLOCKWISE[colour]):
        if colour not in view["promise"].get(source, {}):
            continue
        gives, gets = view["promise"][colour][source], view["promise"][source][colour]
        pirates = view["pirates"].get(colour, {}).get(source, 0)
        lines.append(
            f"{words.planet(source)}: gives {gives}, gets {gets}{f' · {pirates} ☠' if pirates else ''}"
        )
    return lines


def _planet_tokens(view: Json, colour: Colour) -> list[Json]:
    seat = view["planets"].index(colour)
    tokens = []
    if view["first_player"] == seat:
        tokens.append(p.token("1st", tone="gold", shape="flag", detail="First player"))
    if view["colonists"][seat]:
        detail = words.some(view["colonists"][seat], "colonist")
        tokens.append(p.token(view["colonists"][seat], tone=seat, detail=detail))
    pirates = sum(view["pirates"][colour].values())
    if pirates:
        tokens.append(p.token(f"☠{pirates}", tone="bad", shape="ship", detail=words.some(pirates, "pirate")))
    return tokens


def _players(view: Json, seat: Seat | None) -> Json:
    columns = [
        "Player",
        *[words.planet(c) for c in COLOURS],
        "Total",
        "Colonists",
        "Credits",
        "Event cards",
        "Ready",
    ]
    rows = [_player_row(view, s, seat) for s in view["player_order"]]
    note = "Resources are public. Sealed votes leave the stock when they are revealed."
    return p.table("Players", columns, rows, note=note)


def _player_row(view: Json, s: int, seat: Seat | None) -> list[p.Cell]:
    stock, own = view["stocks"][s], view["planets"][s] if view["planets"] else ""
    name = f"{_name(view, s)}{' (you)' if s == seat else ''}"
    credits = view["credits"][s]
    cells: list[p.Cell] = [p.cell(name, tone=s)]
    cells += [p.cell(stock[c], tone="strong" if c == own else None, detail=RESOURCE[c]) for c in COLOURS]
    cells += [sum(stock.values()), view["colonists"][s]]
    cells.append(p.cell("hidden", tone="muted") if credits is None else f"{credits} €")
    cells += [view["hand_sizes"][s], p.cell("ready", tone="good") if view["answered"][s] else ""]
    return cells


def _agreements(view: Json) -> Json:
    rows = []
    for payer in COLOURS if view["promise"] else ():
        row: list[p.Cell] = [p.cell(words.planet(payer), tone=_tone(view, payer))]
        row += [_promise(view, payer, to) for to in COLOURS]
        row.append(sum(view["promise"][payer].values()))
        rows.append(row)
    columns = ["Gives ↓ to →", *[words.planet(c) for c in COLOURS], "Each turn"]
    note = "☠ pirates on the route of the receiving planet: they take what is delivered on it."
    return p.table("Trade agreements", columns, rows, note=note)


def _promise(view: Json, payer: Colour, to: Colour) -> p.Cell:
    if to not in view["promise"][payer]:
        return p.cell("–", tone="closed")
    value = view["promise"][payer][to]
    pirates = view["pirates"].get(to, {}).get(payer, 0)
    detail = f"{words.planet(payer)} gives {words.planet(to)} {value} {RESOURCE[payer]}"
    if pirates:
        return p.cell(f"{value} ☠{pirates}", tone="bad", detail=f"{detail}; {words.some(pirates, 'pirate')}")
    return p.cell(value, detail=detail)


def _technologies(view: Json) -> Json:
    columns = [
        "Technology",
        *[_name(view, seat) for seat in view["player_order"]],
        "Upgrade costs",
        "Abilities",
    ]
    rows: list[list[p.Cell]] = []
    for technology in TECHNOLOGIES:
        data = TECHNOLOGY[technology]
        row: list[p.Cell] = [technology.capitalize()]
        row += [_level(view["levels"][seat][technology], seat) for seat in view["player_order"]]
        row.append(" + ".join(RESOURCE[c] for c in data.cost))
        row.append(p.cell(data.action, detail=f"{data.passive} ({data.when})"))
        rows.append(row)
    rows.append(["Points", *[view["technology_points"][seat] for seat in view["player_order"]], "", ""])
    note = "Reaching level n costs n of each resource and n colonists."
    return p.table("Technologies", columns, rows, note=note)


def _level(level: int, seat: int) -> Json:
    return p.cell(level, tone=seat, detail=f"{BOARD.levels[level - 1].points} points")


def _markets(view: Json) -> Json:
    rows: list[list[p.Cell]] = []
    for colour in COLOURS:
        count = view["markets"][colour]
        bought = f"{price(count)} €" if count else "–"
        sold = p.cell(f"{price(count + 1)} €", detail=f"{shelf_of(count + 1).name} shelf")
        rows.append(
            [p.cell(words.planet(colour), tone=_tone(view, colour)), RESOURCE[colour], count, sold, bought]
        )
    columns = ["Market", "Resource", "On it", "Next sale brings", "Next purchase costs"]
    return p.table("Markets", columns, rows, note="Purchases are part of an upgrade only.")


def _votes(view: Json) -> Json:
    rows: list[list[p.Cell]] = [
        [
            _player(view, vote["seat"]),
            p.cell(vote["side"], tone="good" if vote["side"] == "yes" else "bad"),
            vote["votes"],
            words.resources(vote["resources"]),
        ]
        for vote in view["votes"]["cast"]
    ]
    note = f"Yes {view['votes']['yes']}, no {view['votes']['no']}."
    return p.table("The vote of this turn", ["Player", "Side", "Votes", "Resources spent"], rows, note=note)


def _own(view: Json) -> list[Json]:
    given = [_cards_of(view)[card].title for card in view["deck_cards"]]
    note = f"You put into the event decks: {words.listed(given)}." if given else ""
    shown = [p.cards("Your event cards", [_card(view, card) for card in view["hand"]], note=note)]
    if view["sealed"]:
        shown.append(p.facts("Your covered answer", _sealed(view["sealed"])))
    return shown


def _sealed(answer: dict[str, Any]) -> list[tuple[str, p.Cell]]:
    kind = answer["type"]
    if kind == "show_fingers":
        return [("Fingers", answer["count"])]
    if kind == "choose_deck_card":
        return [("Card for the deck", words.card(answer["card_id"]))]
    if kind == "accept_colonists":
        return [("Rejected", answer["reject"]), ("Citizens", answer["citizens"])]
    if kind == "cast_vote":
        return [("Side", answer["side"]), ("Resources", words.resources(answer["resources"]))]
    if kind == "police_sector":
        return [("Pirates removed", words.removals(answer["removals"]))]
    return [
        (f"Substitutes for {words.planet(partner)}", words.resources(given))
        for partner, given in answer["substitutes"].items()
    ]


def _scores(view: Json) -> Json:
    ranked = sorted(view["scores"], key=lambda score: score["rank"])
    rows: list[list[p.Cell]] = [
        [
            s["rank"],
            _player(view, s["seat"]),
            s["technology_points"],
            s["credits"],
            s["total"],
            s["resources"],
        ]
        for s in ranked
    ]
    columns = ["Rank", "Player", "Technologies", "Credits", "Points", "Resources left"]
    return p.table("Final scores", columns, rows)
