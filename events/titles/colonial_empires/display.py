"""The board for clients, and how a page lays out a view."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from events.rules.data_files import load
from events.rules.fact import Json, Seat
from events.rules.kit import panels as p
from events.rules.kit.pointing import Pointing
from events.rules.kit.values import plain
from events.rules.kit.words import format_list
from events.titles.colonial_empires.data import (
    CARD_NAMES,
    CARDS,
    EMPIRES,
    INCOME,
    INDUSTRIES,
    REGION_SIZE,
    REGIONS,
    RESOURCES,
)
from events.titles.colonial_empires.words import card_kind, card_names, card_text, empire_name, terms_text

BOARD: Json = plain(
    {
        "regions": [
            {"key": region.key, "name": region.name, "cards": REGION_SIZE[region.key]}
            for region in REGIONS.values()
        ],
        "empires": [
            {"key": empire.key, "name": empire.name, "set": empire.set, "power": empire.power}
            for empire in EMPIRES.values()
        ],
        "resources": CARDS.resource,
        "industries": CARDS.industry,
        "events": CARDS.event,
        "event_copies": CARDS.event_copies,
    }
)

POINTING = load(__package__, "page.toml", Pointing)

_STEPS = {
    "choose_empires": "choosing empires",
    "fate_extra": "buying extra cards",
    "event_turn": "an event turn",
    "italian_discard": "the Italian discards",
    "build": "building, sealed",
    "trading": "trading",
    "hand_limit": "discarding above the hand limit",
}


def panels(view: Json, seat: Seat | None) -> list[Json]:
    """Return the page: game, players, own hand, offers, regions, cards in play, discard pile."""
    shown = [_mats(view), _seats(view), _game(view)]
    if view["step"] == "choose_empires":
        shown.append(_free_empires(view))
    if view["offers"]:
        shown.append(_open_offers(view, seat))
    if seat is not None:
        shown += _show_private(view, seat)
    shown.append(_players(view, seat))
    if view["offers"]:
        shown.append(_offers(view))
    shown.append(_regions(view))
    shown.append(_cards("Discard pile", view["discard_pile"], role="table"))
    return shown


def measures(view: Json) -> dict[str, list[int | None]]:
    """Return by key and seat the numbers of a view that a page draws as curves."""
    return {
        "score": view["treasury"],
        "resources": [sum(card in RESOURCES for card in cards) for cards in view["in_play"]],
        "industries": [sum(card in INDUSTRIES for card in cards) for cards in view["in_play"]],
    }


def _mats(view: Json) -> Json:
    """Return everybody's cards in play, by region, with the progress of each set."""
    return p.mats("In play", [_mat(view, seat) for seat in range(view["seats"])])


def _mat(view: Json, seat: Seat) -> Json:
    cards: list[str] = sorted(view["in_play"][seat], key=lambda card: (card in INDUSTRIES, _region(card)))
    held = Counter(_region(card) for card in cards if _region(card))
    sets = ", ".join(
        f"{REGIONS[key].name} {n} of {REGION_SIZE[key]}" for key, n in held.most_common(2) if n > 1
    )
    income = sum(INCOME[card] for card in cards)
    note = f"{sets} · income {income}" if sets else f"income {income}"
    counts = Counter(cards)
    return p.mat(seat, _title(view, seat), [_card(card, count) for card, count in counts.items()], note=note)


def _seats(view: Json) -> Json:
    items = []
    for seat in range(view["seats"]):
        cards = view["in_play"][seat]
        empire = EMPIRES.get(view["empire"][seat] or "")
        facts: list[tuple[str, p.Cell]] = [
            ("hand", _hand(view, seat)),
            ("resources", sum(card in RESOURCES for card in cards)),
            ("industry", sum(card in INDUSTRIES for card in cards)),
            *([("revenue", _revenue(view, seat))] if any(view["revenue_forecast"]) else []),
        ]
        score = p.cell(f"{view['treasury'][seat]} F", detail=empire.power if empire else "Fortunes")
        state = _status(view, seat)
        text = state["text"] if isinstance(state, dict) else str(state)
        items.append(p.player(seat, _title(view, seat), score=score, facts=facts, state=text))
    return p.seats(items)


def _free_empires(view: Json) -> Json:
    taken = set(view["empire"])
    items = [
        p.card(empire.name, kind=f"set {empire.set}", text=empire.power, ref=f"empire:{key}")
        for key, empire in EMPIRES.items()
        if key not in taken
    ]
    return p.cards("Empires to choose from", items)


def _open_offers(view: Json, seat: Seat | None) -> Json:
    """Return the offers as cards that one can point at."""
    items = []
    for offer in view["offers"]:
        gives, asks = (cell["text"] if isinstance(cell, dict) else str(cell) for cell in _contents(offer))
        mine = offer["to"] is None or seat in (offer["from"], offer["to"])
        items.append(
            p.card(
                f"{_title(view, offer['from'])} → {_recipient(view, offer)}",
                kind=f"offer {offer['offer_id']}",
                text=f"gives {gives} for {asks}",
                tone=offer["from"] if mine else "muted",
                ref=f"offer:{offer['offer_id']}",
            )
        )
    return p.cards("Offers", items)


def _title(view: Json, seat: Seat) -> str:
    """Return the name of a seat without an article, as headings have it."""
    return empire_name(view["empire"][seat], seat).removeprefix("the ")


def _recipient(view: Json, offer: Json) -> str:
    """Return to whom an offer is made, with the number of those who have declined it."""
    if offer["to"] is not None:
        return _title(view, offer["to"])
    declined = len(offer["declined_by"])
    return f"everybody ({declined} declined)" if declined else "everybody"


def _game(view: Json) -> Json:
    items: list[tuple[str, p.Cell]] = [
        ("Turn", view["turn"]),
        ("Phase", "Game over" if view["phase"] == "ended" else view["phase"].title()),
    ]
    if view["step"]:
        items.append(("Now", _STEPS[view["step"]]))
    if view["event_turn"] is not None:
        items.append(("Event turn", _seat_cell(view, view["event_turn"])))
    items.append(("Lead seat", _seat_cell(view, view["lead_seat"])))
    items.append(
        ("Deck", p.cell(view["deck_count"], tone="bad" if view["final_turn"] else None, detail=_deck(view)))
    )
    if view["final_turn"]:
        items.append(
            ("End", p.cell("final turn", tone="bad", detail="The game ends when this turn is over."))
        )
    if view["result"]:
        winners = format_list([_title(view, winner) for winner in view["result"]["winners"]])
        items.append(("Winner", p.cell(winners, tone="good")))
    return p.facts("Game", items)


def _deck(view: Json) -> str:
    return (
        "The last card has been drawn."
        if view["final_turn"]
        else "The game ends with the turn that empties the deck."
    )


def _seat_cell(view: Json, seat: Seat) -> Json:
    return p.cell(_title(view, seat), tone=seat, detail=f"Seat {seat}")


def _players(view: Json, you: Seat | None) -> Json:
    rows = []
    to_come = any(view["revenue_forecast"])
    for seat in range(view["seats"]):
        cards = view["in_play"][seat]
        empire = EMPIRES.get(view["empire"][seat] or "")
        name = _title(view, seat) + (" (you)" if seat == you else "")
        rows.append(
            [
                p.cell(name, tone=seat, detail=empire.power if empire else "No empire chosen yet."),
                p.cell(view["treasury"][seat], tone="gold"),
                _hand(view, seat),
                sum(card in RESOURCES for card in cards),
                sum(card in INDUSTRIES for card in cards),
                *([_revenue(view, seat)] if to_come else []),
                _status(view, seat),
            ]
        )
    revenue = ["Next revenue"] if to_come else []
    columns = ["Empire", "Fortunes", "Hand / limit", "Resources", "Industry", *revenue, "Now"]
    return p.table("Players", columns, rows, note="Most Fortunes win; cards count nothing at the end.")


def _hand(view: Json, seat: Seat) -> p.Cell:
    """Return the cards of a hand and how many may be kept (CEM-717, CEM-718)."""
    count: int = view["hand_count"][seat]
    empire = EMPIRES.get(view["empire"][seat] or "")
    if empire is None:
        return count
    limit = empire.hand_limit
    detail = f"Hand limit {limit}: the excess is discarded at the end of the Trade Phase."
    return p.cell(f"{count} / {limit}", tone="bad" if count > limit else None, detail=detail)


def _revenue(view: Json, seat: Seat) -> Json:
    return p.cell(f"+{view['revenue_forecast'][seat]}", detail="Revenue for the cards that lie in play now.")


def _status(view: Json, seat: Seat) -> p.Cell:
    """Return a cell with what this seat has done in the current step."""
    step = view["step"]
    if step == "fate_extra":
        if seat not in view["fate_in"]:
            return p.cell("buys no more", tone="muted")
        return _answer_cell(answered=view["fate_answered"][seat])
    if step == "build":
        return _answer_cell(answered=view["build_submitted"][seat])
    if step == "trading":
        return p.cell("finished", tone="muted") if view["trade_finished"][seat] else "trading"
    if step == "hand_limit" and view["discards_due"][seat]:
        return _answer_cell(answered=view["discard_submitted"][seat])
    if step in {"event_turn", "italian_discard"}:
        return _event_status(view, seat)
    if view["result"]:
        return p.cell(
            f"place {view['result']['places'][seat]}",
            tone="good" if seat in view["result"]["winners"] else None,
        )
    return ""


def _answer_cell(*, answered: bool) -> Json:
    return p.cell("answered", tone="muted") if answered else p.cell("is asked", tone="strong")


def _event_status(view: Json, seat: Seat) -> p.Cell:
    if seat == view["event_turn"]:
        return p.cell("event turn", tone="strong")
    waiting = view["event_order"][view["event_index"] :]
    return (
        p.cell("to come", detail=f"{waiting.index(seat)} before")
        if seat in waiting
        else p.cell("done", tone="muted")
    )


def _cards(title: str, keys: Iterable[str], *, note: str = "", role: str = "hand") -> Json:
    """Return equal cards together, in the order in which they first come."""
    counts = Counter(keys)
    return p.cards(title, [_card(card, count) for card, count in counts.items()], note=note, role=role)


def _card(card: str, count: int = 1) -> Json:
    tone = "land" if card in RESOURCES else "strong" if card in INDUSTRIES else "bad"
    region = RESOURCES[card].region if card in RESOURCES else ""
    return p.card(
        CARD_NAMES[card],
        kind=card_kind(card),
        text=card_text(card),
        count=count,
        tone=tone,
        key=card,
        band=_BANDS.get(region, _INDUSTRY if card in INDUSTRIES else _EVENT),
        coin=INCOME.get(card),
    )


_BANDS = {
    "middle_east": "#8a6a1f",
    "north_africa": "#94700f",
    "sub_sahara_africa": "#7a4f2b",
    "india": "#b3590f",
    "china": "#b5332a",
    "east_indies": "#23755c",
    "central_america": "#3f7a30",
    "north_america": "#3a6ea5",
    "south_america": "#4a7d2c",
    "west_indies": "#1f7a70",
}
"""A colour for each region; the name stands on it, so it is not told by the colour alone."""
_INDUSTRY, _EVENT = "#5b6270", "#7d2f3c"


def _show_private(view: Json, seat: Seat) -> list[Json]:
    """Return what this seat alone sees: its hand, its sealed answers, the cards it saw pass."""
    shown = [_cards("Your hand", view["hand"])]
    sealed: list[tuple[str, p.Cell]] = []
    if view["fate_answer"] is not None:
        sealed.append(("Extra card", "you buy one" if view["fate_answer"] else "you stop buying"))
    for key, what in (("build_plan", "Build list"), ("discard_choice", "Discard")):
        if view[key] is not None:
            sealed.append((what, format_list([CARD_NAMES[card] for card in view[key]]) or "no cards"))
    if sealed:
        shown.append(p.facts("Your sealed answer", sealed))
    if view["known"]:
        rows = [
            [
                CARD_NAMES[entry["card"]],
                format_list([_title(view, other) for other in entry["seats"]]).replace(" and ", " or "),
            ]
            for entry in view["known"]
        ]
        shown.append(p.table("Cards that you saw pass", ["Card", "In the hand of"], rows))
    return shown


def _offers(view: Json) -> Json:
    rows = [
        [
            offer["offer_id"],
            _seat_cell(view, offer["from"]),
            "everybody" if offer["to"] is None else _seat_cell(view, offer["to"]),
            *_contents(offer),
        ]
        for offer in view["offers"]
    ]
    return p.table("Open offers", ["No.", "From", "To", "Gives", "Asks"], rows)


def _contents(offer: Json) -> list[p.Cell]:
    if "give" not in offer:
        secret = p.cell("secret", tone="muted", detail="Known to the two of them only.")
        return [secret, secret]
    give, ask = terms_text(offer["give"]), terms_text(offer["ask"])
    cards = offer.get("unnamed_cards")
    return [f"{give} ({card_names(cards)})" if cards else give or "nothing", ask or "nothing"]


def _regions(view: Json) -> Json:
    """Return the table of Resource cards that each empire controls, by region; bonuses are marked."""
    seats = range(view["seats"])
    columns = ["Region", "Cards", *(_title(view, seat) for seat in seats), "Lost"]
    rows = []
    for key, region in REGIONS.items():
        held = [[card for card in view["in_play"][seat] if _region(card) == key] for seat in seats]
        lost = sum(_region(card) == key for card in view["discard_pile"])
        rows.append([region.name, REGION_SIZE[key], *(_share(held, seat, key) for seat in seats), lost or ""])
    note = (
        "Bold: the most cards of a region (+2). Green: all of them (+5). Lost cards lie in the discard pile."
    )
    return p.table("Regions", columns, rows, note=note)


def _region(card: str) -> str:
    return RESOURCES[card].region if card in RESOURCES else ""


def _share(held: list[list[str]], seat: Seat, region: str) -> p.Cell:
    cards = held[seat]
    if not cards:
        return ""
    tone: str | None = None
    if len(cards) == REGION_SIZE[region]:
        tone = "good"
    elif all(len(cards) > len(other) for rival, other in enumerate(held) if rival != seat):
        tone = "strong"
    return p.cell(len(cards), tone=tone, detail=", ".join(CARD_NAMES[card] for card in cards))
