"""Cards, sums and seats as words, for sentences, buttons and panels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from events.rules.fact import Seat
from events.titles.colonial_empires.kept.v1.kit.words import format_list, plural, sentences
from events.titles.colonial_empires.kept.v1.data import CARD_NAMES, EMPIRES, EVENTS, INDUSTRIES, REGIONS, RESOURCES
from events.titles.colonial_empires.kept.v1.state import State

Data = Mapping[str, Any]
"""A fact as JSON, without what the reader may not know."""


def seat_name(state: State, seat: Seat) -> str:
    """Return the empire of a seat, or its number until it has chosen one."""
    return empire_name(state.empire[seat], seat)


def empire_name(empire: str | None, seat: Seat) -> str:
    """Do as :func:`seat_name`, from a view."""
    return f"the {EMPIRES[empire].name}" if empire else f"Seat {seat}"


def fortunes(amount: int) -> str:
    """Return a text such as ``5 Fortunes``."""
    return _format_number(amount, "Fortune")


def number_of_cards(count: int) -> str:
    """Return a text such as ``1 card`` or ``no cards``."""
    return _format_number(count, "card")


def _format_number(count: int, noun: str) -> str:
    return f"{count or 'no'} {plural(count, noun)}"


def card_names(cards: Iterable[str]) -> str:
    """Return a text such as ``China Tea and 2 Intrigue``."""
    counts = Counter(cards)
    return format_list(
        f"{number} {CARD_NAMES[card]}" if number > 1 else CARD_NAMES[card] for card, number in counts.items()
    )


def card_kind(card: str) -> str:
    """Return the small print of a card: its region, or its type; its income stands on its coin."""
    if card in RESOURCES:
        return REGIONS[RESOURCES[card].region].name
    return "Industry" if card in INDUSTRIES else "Event"


def card_text(card: str) -> str:
    """Return the text of an Event card; empty for other cards."""
    return EVENTS[card].text if card in EVENTS else ""


def side_text(side: Data) -> str:
    """Return one side of an offer or trade in words; hand cards that the reader may not know are counted."""
    parts = []
    if side.get("fortunes"):
        parts.append(fortunes(side["fortunes"]))
    if side.get("in_play_cards"):
        parts.append(f"{card_names(side['in_play_cards'])} in play")
    if side.get("hand_cards"):
        parts.append(f"{card_names(side['hand_cards'])} from the hand")
    elif side.get("hand_card_count"):
        parts.append(_format_number(side["hand_card_count"], "hand card"))
    return format_list(parts)


says = sentences(
    aside=lambda card: f", {CARD_NAMES[card]},",
    card=CARD_NAMES.__getitem__,
    cards=card_names,
    empire=lambda empire: EMPIRES[empire].name,
    fortunes=fortunes,
    number=number_of_cards,
    phase=str.title,
    power={"discovery": "by Discovery", "italian": "by the Italian power"}.__getitem__,
    side=side_text,
    which=lambda cards: f": {card_names(cards)}" if cards else "",
    with_more=lambda additional: " with the additional empires" if additional else "",
)
