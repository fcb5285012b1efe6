"""The layout of trade on a page: the ring with its routes, the agreements, and the markets."""

from __future__ import annotations

from math import cos, pi, sin

from events.rules.fact import Json, Seat
from events.titles.colonies.kept.v1.kit import panels as p
from events.titles.colonies.kept.v1.kit.words import format_count, format_list
from events.titles.colonies.kept.v1 import words
from events.titles.colonies.kept.v1.data import BOARD, CLOCKWISE, COLOURS, COUNTER_CLOCKWISE, RESOURCE, price
from events.titles.colonies.kept.v1.primitives import Colour

WIDTH, HEIGHT = 1000, 560
_ACROSS, _DOWN = 390, 200
_RADIUS = 46
RING: dict[Colour, tuple[int, int]] = {
    colour: (
        round(WIDTH / 2 + _ACROSS * sin(2 * pi * i / len(COLOURS))),
        round(HEIGHT / 2 + 22 - _DOWN * cos(2 * pi * i / len(COLOURS))),
    )
    for i, colour in enumerate(COLOURS)
}
"""The places of the planets on the page: clockwise on an ellipse, blue at the top."""
_SHOWN_PRICES = 3


def name_of(view: Json, seat: int) -> str:
    """Return the name of a player: their planet, or the seat number before planets are drawn."""
    planets = view["planets"]
    return words.planet(planets[seat]) if planets else f"Seat {seat}"


def player_cell(view: Json, seat: int) -> Json:
    """Return a cell with a player's name in their colour."""
    return p.cell(name_of(view, seat), tone=seat)


def tone_of(view: Json, colour: str) -> int | str:
    """Return the colour of the seat that has the planet; a neutral planet is pale."""
    planets: list[str] = view["planets"]
    return planets.index(colour) if colour in planets else "muted"


def _count_promised(view: Json, payer: Colour, to: Colour) -> int:
    """Return the resources that one planet owes another each turn; 0 between neutral ones (CLN-161)."""
    return int(view["promise"].get(payer, {}).get(to, 0))


def _pirates(view: Json, owner: Colour, source: Colour) -> int:
    return int(view["pirates"].get(owner, {}).get(source, 0))


# --- the ring ----------------------------------------------------------------------------------------


def ring(view: Json) -> Json:
    """Return the picture of the planets in a circle, and between two what each gives the other."""
    areas = [_planet(view, colour) for colour in COLOURS]
    pairs = [(a, b) for i, a in enumerate(COLOURS) for b in COLOURS[i + 1 :]]
    traded = [(a, b) for a, b in pairs if _count_promised(view, a, b)]
    return p.world(
        "The ring: in a planet's colour what it gives each turn, ☠ the pirates that wait for it",
        WIDTH,
        HEIGHT,
        areas,
        links=[] if view["planets"] else pairs,
        routes=[_route(view, a, b) for a, b in traded],
        scene="space",
        legend=_LEGEND,
    )


_LEGEND = (
    p.token("3", tone="muted", detail="at each end of a route what its planet gives the other each turn"),
    p.token("☠1", tone="strong", detail="pirates that wait for a delivery"),
    p.token("1st", tone="gold", shape="flag", detail="the first player"),
    p.token("5", tone="strong", detail="colonists of the planet"),
)


def _planet(view: Json, colour: Colour) -> Json:
    x, y = RING[colour]
    owned = colour in view["planets"]
    neutral = bool(view["planets"]) and not owned
    lines = [RESOURCE[colour]]
    if view["promise"]:
        owed = sum(view["promise"][colour].values())
        stock = view["stocks"][view["planets"].index(colour)][colour] if owned else None
        lines.append(f"neutral, gives {owed}" if neutral else f"has {stock}, gives {owed}")
    return p.area(
        colour,
        words.planet(colour),
        x,
        y,
        tone=tone_of(view, colour),
        lines=lines,
        tokens=_planet_tokens(view, colour) if owned else [],
        radius=_RADIUS,
    )


def _planet_tokens(view: Json, colour: Colour) -> list[Json]:
    seat = view["planets"].index(colour)
    tokens = []
    if view["first_player"] == seat:
        tokens.append(p.token("1st", tone="gold", shape="flag", detail="First player"))
    if view["colonists"][seat]:
        detail = format_count(view["colonists"][seat], "colonist")
        tokens.append(p.token(view["colonists"][seat], tone=seat, detail=detail))
    return tokens


def _route(view: Json, one: Colour, other: Colour) -> Json:
    """Return the route of two planets: their mutual promises, and the pirates that wait for deliveries."""
    ends = ((one, other), (other, one))
    given = "; ".join(
        f"{words.planet(payer)} gives {_count_promised(view, payer, to)} {RESOURCE[payer]}"
        for payer, to in ends
    )
    return p.route(
        (one, other),
        (_count_promised(view, one, other), _count_promised(view, other, one)),
        tones=(tone_of(view, one), tone_of(view, other)),
        ref=f"route:{one}.{other}",
        detail=f"{words.planet(one)} – {words.planet(other)}: {given}",
        tokens=[token for payer, to in ends for token in _pirate_tokens(view, payer, to)],
    )


def _pirate_tokens(view: Json, payer: Colour, to: Colour) -> list[Json]:
    pirates = _pirates(view, to, payer)
    if not pirates:
        return []
    waiting = f"{format_count(pirates, 'pirate')} on {words.planet(to)}'s {words.planet(payer)} route"
    return [p.token(f"☠{pirates}", tone="strong", detail=waiting, ref=f"pirates:{to}.{payer}")]


# --- the agreements ----------------------------------------------------------------------------------


def own_routes(view: Json, seat: Seat) -> Json:
    """Return the table of a player's four agreements in the order in which they pay (CLN-133)."""
    planet: Colour = view["planets"][seat]
    rows = [_own_route(view, planet, partner) for partner in CLOCKWISE[planet]]
    owed, held = sum(view["promise"][planet].values()), view["stocks"][seat][planet]
    rows.append(["Together", owed, sum(_count_promised(view, c, planet) for c in CLOCKWISE[planet]), "", ""])
    lacking = f" {owed - held} would be missing." if held < owed else ""
    note = f"You pay in this order and have {held} {RESOURCE[planet]} for {owed}.{lacking}"
    columns = ["Partner", "You give", "You get", "Pirates take what you get", "Pirates take what you give"]
    return p.table("Your trade routes", columns, rows, note=note)


def _own_route(view: Json, planet: Colour, partner: Colour) -> list[p.Cell]:
    return [
        p.cell(words.planet(partner), tone=tone_of(view, partner), detail=RESOURCE[partner]),
        _count_promised(view, planet, partner),
        _count_promised(view, partner, planet),
        _skulls(_pirates(view, planet, partner)),
        _skulls(_pirates(view, partner, planet)),
    ]


def _skulls(pirates: int) -> p.Cell:
    return p.cell(pirates, tone="bad") if pirates else "–"


def agreements(view: Json) -> Json:
    """Return the table of everybody's promises, and of the pirates on everybody's own routes."""
    rows = []
    for payer in COLOURS:
        row: list[p.Cell] = [p.cell(words.planet(payer), tone=tone_of(view, payer))]
        row += [_promise(view, payer, to) for to in COLOURS]
        row += [sum(view["promise"][payer].values()), _own_pirates(view, payer)]
        rows.append(row)
    columns = ["Gives ↓ to →", *[words.planet(c) for c in COLOURS], "Each turn", "Pirates on its own routes"]
    note = "Red: pirates wait for this delivery; it comes to the market instead."
    return p.table("Trade agreements", columns, rows, note=note)


def _promise(view: Json, payer: Colour, to: Colour) -> p.Cell:
    value, pirates = _count_promised(view, payer, to), _pirates(view, to, payer)
    if not value:
        return p.cell("–", tone="closed")
    detail = f"{words.planet(payer)} gives {words.planet(to)} {value} {RESOURCE[payer]}"
    if pirates:
        return p.cell(value, tone="bad", detail=f"{detail}; {format_count(pirates, 'pirate')} wait for it")
    return p.cell(value, detail=detail)


def _own_pirates(view: Json, owner: Colour) -> str:
    found = [
        f"{n} from {words.planet(source)}"
        for source in COUNTER_CLOCKWISE[owner]
        if (n := _pirates(view, owner, source))
    ]
    return format_list(found, "–")


# --- the markets -------------------------------------------------------------------------------------


def markets(view: Json) -> Json:
    """Return the table of markets by shelf, and what the next sales bring and purchases cost."""
    shelves = [f"{shelf.name.capitalize()} shelf, {shelf.price} €" for shelf in BOARD.shelves]
    columns = ["Market", "Resources", *shelves, "Selling brings", "Buying costs"]
    rows: list[list[p.Cell]] = []
    for colour in COLOURS:
        count = view["markets"][colour]
        row: list[p.Cell] = [
            p.cell(words.planet(colour), tone=tone_of(view, colour), detail=RESOURCE[colour]),
            count,
        ]
        row += _shelves(count)
        row.append(_prices([price(count + i) for i in range(1, _SHOWN_PRICES + 1)]))
        row.append(_prices([price(count - i) for i in range(min(count, _SHOWN_PRICES))]))
        rows.append(row)
    note = "Prices are for the first, second and third resource. Purchases are part of an upgrade only."
    return p.table("Markets", columns, rows, note=note)


def _shelves(count: int) -> list[p.Cell]:
    """Return a cell for each shelf: full and free spaces, or a number where they are unlimited."""
    cells: list[p.Cell] = []
    for shelf in BOARD.shelves:
        lying = min(count, shelf.spaces) if shelf.spaces else count
        cells.append("●" * lying + "○" * (shelf.spaces - lying) if shelf.spaces else str(lying or "–"))
        count -= lying
    return cells


def _prices(prices: list[int]) -> str:
    """Return a text such as ``3, 2, 2 €``; a dash where nothing can be bought."""
    return f"{', '.join(map(str, prices))} €" if prices else "–"


def shelves(view: Json) -> Json:
    """Return the markets as cards: what lies there, and the price of the next sale and purchase."""
    items = []
    for colour in COLOURS:
        count = view["markets"][colour]
        buying = _prices([price(count)]) if count else "–"
        text = f"sells for {_prices([price(count + 1)])}, costs {buying}"
        items.append(
            p.card(
                words.planet(colour),
                kind=f"{count} {RESOURCE[colour]}",
                text=text,
                ref=f"market:{colour}",
                tone=tone_of(view, colour),
            )
        )
    return p.cards("Markets", items)
