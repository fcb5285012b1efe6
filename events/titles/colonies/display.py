"""The static board for clients, and how a page lays out a view."""

from __future__ import annotations

from typing import Any

from events.rules.data_files import load
from events.rules.fact import Json, Seat
from events.rules.kit import panels as p
from events.rules.kit.pointing import Pointing
from events.rules.kit.values import plain
from events.rules.kit.words import format_count, format_list
from events.titles.colonies import display_trade as trade
from events.titles.colonies import words
from events.titles.colonies.data import (
    BOARD,
    CARD_SETS,
    COLOURS,
    RESOURCE,
    TECHNOLOGIES,
    TECHNOLOGY,
    TOP_LEVEL,
    EventCard,
    is_supplied,
)
from events.titles.colonies.derived import card_turn
from events.titles.colonies.display_trade import name_of, player_cell
from events.titles.colonies.primitives import Technology
from events.titles.colonies.steps.order import SEALINGS

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
_MORE_COLONISTS = max(card.colonists for cards in CARD_SETS.values() for card in cards.values())
_SUPPLIED = "The card's text is supplied by this service: the rulebook does not print its cards."
_POINTS = f"Levels 1 to {TOP_LEVEL} score {', '.join(str(level.points) for level in BOARD.levels)} points."


def _card_json(card: EventCard, *, supplied: bool) -> Json:
    texts = {name: words.effect(getattr(card, name)) for name in ("official", "all", "fewest")}
    return {**plain(card), "texts": texts, "supplied": supplied}


def _board() -> Json:
    board: Json = plain(BOARD)
    board["card_sets"] = {
        name: [_card_json(card, supplied=is_supplied(name)) for card in cards.values()]
        for name, cards in CARD_SETS.items()
    }
    board["phases"] = PHASES
    board["ring"] = {colour: {"x": x, "y": y} for colour, (x, y) in trade.RING.items()}
    return board


BOARD_JSON = _board()
POINTING = load(__package__, "page.toml", Pointing)


# --- panels ------------------------------------------------------------------------------------------


def panels(view: Json, seat: Seat | None) -> list[Json]:
    """The page: where we are, the event, the ring, players, routes, technologies, markets, own cards."""
    shown = [trade.ring(view), _seats(view), _situation(view)]
    if view["current_card"]:
        shown += [_event(view)] if view["phase"] == "actions" else [_event(view), _proposals(view)]
    if view["asked"]:
        shown.append(_show_asked(view))
    own = _own(view) if seat is not None else []
    wares = [_upgrades(view, seat), trade.shelves(view)]
    shown += [*wares, *own] if view["phase"] == "actions" else [*own, *wares]
    if view["votes"]:
        shown.append(_votes(view))
    shown += [_turns(view), _players(view, seat)]
    if view["promise"]:
        shown += [trade.own_routes(view, seat)] if seat is not None else []
        shown.append(trade.agreements(view))
    shown += [_technologies(view, seat), trade.markets(view)]
    if view["scores"]:
        shown.insert(0, _scores(view))
    return shown


def measures(view: Json) -> dict[str, list[int | None]]:
    """Return by key and seat the numbers of a view that a page draws as curves."""
    points, credits = view["technology_points"], view["credits"]
    return {
        "score": [
            None if money is None else point + money for point, money in zip(points, credits, strict=True)
        ],
        "technology": points,
        "credits": credits,
        "resources": [sum(stock.values()) for stock in view["stocks"]],
    }


def _situation(view: Json) -> Json:
    items: list[tuple[str, p.Cell]] = [
        ("Turn", f"{view['turn']} of {BOARD.turns}"),
        ("Phase", PHASES[view["phase"]]),
    ]
    if view["phase"] == "setup_fingers":
        items.append(("Round of fingers", view["finger_round"]))
    if view["first_player"] is not None:
        items.append(("First player", player_cell(view, view["first_player"])))
    order = " → ".join(name_of(view, seat) for seat in view["player_order"])
    items.append(("Player order", order))
    if view["active"] is not None:
        items += [("Round of actions", f"{view['action_round']} of {BOARD.actions}")]
        items += [("To act", player_cell(view, view["active"]))]
    items += [("Cards in the event deck", view["deck_count"]), ("Undealt event cards", view["undealt_count"])]
    return p.facts("Colonies", items)


def _turns(view: Json) -> Json:
    marker = (view["turn"] - 1, p.token("●", tone="gold", shape="flag", detail=f"Turn {view['turn']}"))
    spaces = [p.cell(turn, detail=_format_arriving(turn)) for turn in range(1, BOARD.turns + 1)]
    return p.track("Turn", spaces, [marker])


def _format_arriving(turn: int) -> str:
    """Return the colonists of a turn, by the number on its event card."""
    colonists = format_count(turn, "colonist")
    return f"{colonists} for everybody; {turn + _MORE_COLONISTS} if the event card shows some"


def _cards_of(view: Json) -> dict[str, EventCard]:
    return CARD_SETS[view["options"]["event_card_set"]]


def _card(view: Json, card_id: str) -> Json:
    card = _cards_of(view)[card_id]
    text = "\n".join(
        f"{words.REWARD_WORDS[name]}: {words.effect(getattr(card, name))}"
        for name in ("official", "all", "fewest")
    )
    supplied = " · supplied" if is_supplied(view["options"]["event_card_set"]) else ""
    return p.card(
        card.title, kind=f"{format_count(card.colonists, 'colonist')}{supplied}", text=text, key=card_id
    )


def _event(view: Json) -> Json:
    card = _cards_of(view)[view["current_card"]]
    rows: list[list[p.Cell]] = [
        [proposal, who, _effect_text(card, name)]
        for proposal, who, name in (
            (p.cell("Official", tone="good"), "Most yes votes", "official"),
            (p.cell("Alternative", tone="bad"), "Everybody", "all"),
            (p.cell("Alternative", tone="bad"), "Fewest votes", "fewest"),
        )
    ]
    turn = card_turn(view["phase"], view["turn"])
    resolved = [_cards_of(view)[resolved].title for resolved in view["resolved_cards"]]
    aside = f" Put aside: {format_list(resolved)}." if resolved else ""
    supplied = f" {_SUPPLIED}" if is_supplied(view["options"]["event_card_set"]) else ""
    note = f"{format_count(view['arrivals'], 'colonist')} for everybody in turn {turn}.{aside}{supplied}"
    return p.table(f"Event of turn {turn}: {card.title}", ["Proposal", "For", "Effect"], rows, note=note)


def _effect_text(card: EventCard, name: str) -> str:
    text = words.effect(getattr(card, name))
    return f"{text} Or {BOARD.reward_credits} € instead." if name == "official" else text


def _show_asked(view: Json) -> Json:
    asked = view["asked"]
    return p.facts(
        "Effect under way",
        [
            ("Player", player_cell(view, asked["seat"])),
            ("Part of the card", words.REWARD_WORDS[asked["effect"]]),
            ("Asked for", asked["text"]),
        ],
    )


def _seats(view: Json) -> Json:
    """Return the table of all players; what one produces or receives oneself can be pointed at."""
    items = []
    for seat in view["player_order"]:
        stock, credits = view["stocks"][seat], view["credits"][seat]
        facts: list[tuple[str, p.Cell]] = [
            ("€", "?" if credits is None else credits),
            (
                "colonists",
                p.cell(view["colonists"][seat], detail="colonists in stock", ref=f"stock:colonists.{seat}"),
            ),
            (
                "goods",
                p.cell(sum(stock.values()), detail=words.resources(stock), ref=f"stock:goods.{seat}"),
            ),
        ]
        facts += [(c, p.cell(stock[c], detail=RESOURCE[c])) for c in COLOURS if stock[c]]
        score = p.cell(f"{view['technology_points'][seat]} pts", detail="points for technologies")
        ready = "ready" if view["phase"] in SEALINGS and view["answered"][seat] else ""
        items.append(p.player(seat, name_of(view, seat), score=score, facts=facts, state=ready))
    return p.seats(items)


def _proposals(view: Json) -> Json:
    """Return the two sides of the vote, as cards that one can point at."""
    card = _cards_of(view)[view["current_card"]]
    official = p.card(
        "Yes: official", kind="most yes votes", text=_effect_text(card, "official"), ref="vote:yes"
    )
    other = "\n".join(
        f"{who}: {_effect_text(card, name)}"
        for who, name in (("Everybody", "all"), ("Fewest votes", "fewest"))
    )
    return p.cards(
        f"Event: {card.title}", [official, p.card("No: alternative", kind="else", text=other, ref="vote:no")]
    )


def _upgrades(view: Json, seat: Seat | None) -> Json:
    """Return the technologies as cards: one's own level, and what the next one takes."""
    items = []
    for technology in TECHNOLOGIES:
        levels = ", ".join(
            f"{name_of(view, s)} {view['levels'][s][technology]}" for s in view["player_order"]
        )
        price = _price(view, seat, technology)
        ready = isinstance(price, dict) and price["tone"] == "good"
        level = view["levels"][seat][technology] if seat is not None else ""
        items.append(
            p.card(
                f"{technology.capitalize()} {level}".strip(),
                kind=levels,
                text=price["text"] if isinstance(price, dict) else str(price),
                tone="good" if ready else None,
                ref=f"track:{technology}",
            )
        )
    return p.cards("Technologies", items)


def _players(view: Json, seat: Seat | None) -> Json:
    ready = ["Ready"] if view["phase"] in SEALINGS else []
    goods = [words.planet(c) for c in COLOURS]
    columns = ["Player", *goods, "Total", "Colonists", "Credits", "Event cards", *ready]
    rows = [_player_row(view, s, seat)[: len(columns)] for s in view["player_order"]]
    note = "Resources are public. Sealed votes leave the stock when they are revealed."
    return p.table("Players", columns, rows, note=note)


def _player_row(view: Json, s: int, seat: Seat | None) -> list[p.Cell]:
    stock, own = view["stocks"][s], view["planets"][s] if view["planets"] else ""
    name = f"{name_of(view, s)}{' (you)' if s == seat else ''}"
    credits = view["credits"][s]
    cells: list[p.Cell] = [p.cell(name, tone=s)]
    cells += [p.cell(stock[c], tone="strong" if c == own else None, detail=RESOURCE[c]) for c in COLOURS]
    cells += [sum(stock.values()), view["colonists"][s]]
    cells.append(p.cell("hidden", tone="muted") if credits is None else f"{credits} €")
    cells += [view["hand_sizes"][s], p.cell("ready", tone="good") if view["answered"][s] else "–"]
    return cells


def _technologies(view: Json, seat: Seat | None) -> Json:
    """Return the table of everybody's levels and points, and for a player the cost of their next levels."""
    order = view["player_order"]
    last = "Your next level takes" if seat is not None else "Each level takes"
    columns = ["Technology", *[name_of(view, s) for s in order], last, "Action", "Ability"]
    rows: list[list[p.Cell]] = []
    for technology in TECHNOLOGIES:
        data = TECHNOLOGY[technology]
        row: list[p.Cell] = [technology.capitalize()]
        row += [_level(view["levels"][s][technology], s) for s in order]
        row.append(_price(view, seat, technology))
        row.append(p.cell(data.action, detail=data.action_text))
        row.append(p.cell(data.passive, detail=f"{data.when}: {data.passive_text}"))
        rows.append(row)
    rows.append(["Points", *[p.cell(view["technology_points"][s], tone="strong") for s in order], "", "", ""])
    return p.table("Technologies", columns, rows, note=_POINTS)


def _level(level: int, seat: int) -> Json:
    return p.cell(level, tone=seat, detail=f"{BOARD.levels[level - 1].points} points")


def _price(view: Json, seat: Seat | None, technology: Technology) -> p.Cell:
    """Return the cost of the next level of one's own technology; good when all of it lies in the stock."""
    one, other = TECHNOLOGY[technology].cost
    if seat is None:
        return f"{one} + {other} + colonists"
    level = view["levels"][seat][technology]
    if level == TOP_LEVEL:
        return p.cell("highest level", tone="gold")
    cost, stock = BOARD.levels[level].cost, view["stocks"][seat]
    short = {c: max(0, cost - stock[c]) for c in (one, other)}
    missing = [f"{n} {c}" for c, n in short.items() if n]
    if view["colonists"][seat] < cost:
        missing.append(format_count(cost - view["colonists"][seat], "colonist"))
    text = f"{cost} {one} + {cost} {other} + {cost} colonists"
    detail = f"you lack {format_list(missing)}" if missing else "all of it is in your stock"
    return p.cell(text, tone="muted" if missing else "good", detail=detail)


def _votes(view: Json) -> Json:
    rows: list[list[p.Cell]] = [
        [
            player_cell(view, vote["seat"]),
            p.cell(vote["side"], tone="good" if vote["side"] == "yes" else "bad"),
            vote["votes"],
            words.resources(vote["resources"]),
        ]
        for vote in view["votes"]["cast"]
    ]
    note = f"Yes {view['votes']['yes_sum']}, no {view['votes']['no_sum']}."
    return p.table("The vote of this turn", ["Player", "Side", "Votes", "Resources spent"], rows, note=note)


def _own(view: Json) -> list[Json]:
    given = [_cards_of(view)[card].title for card in view["deck_cards"]]
    note = f"You put into the event decks: {format_list(given)}." if given else ""
    shown = [p.cards("Your event cards", [_card(view, card) for card in view["hand"]], note=note)]
    if view["sealed"]:
        shown.append(p.facts("Your covered answer", _list_sealed(view["sealed"])))
    return shown


def _list_sealed(answer: dict[str, Any]) -> list[tuple[str, p.Cell]]:
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
            player_cell(view, s["seat"]),
            s["technology_points"],
            s["credits"],
            s["total"],
            s["resources_in_stock"],
        ]
        for s in ranked
    ]
    columns = ["Rank", "Player", "Technologies", "Credits", "Points", "Resources left"]
    return p.table("Final scores", columns, rows)
