"""Cards, sums and seats as words, for sentences, buttons and panels."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from events.rules.fact import Seat, Told, Who
from events.rules.kit.words import format_list, plural, sentences
from events.titles.colonial_empires.data import CARD_NAMES, EMPIRES, EVENTS, INDUSTRIES, REGIONS, RESOURCES
from events.titles.colonial_empires.state import State

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
    return format_list(parts, "")


def explain_order(order: Data, who: Who) -> str:
    """Return why players come in an order: the least Fortunes first, then clockwise (CEM-303, CEM-502).

    Empty where the Fortunes are not known.
    """
    if "fortunes" not in order:
        return ""
    ahead = order.get("ahead", ())
    rest = [seat for seat in order["order"] if seat not in ahead]
    always = [f"{who(seat)} always" for seat in ahead]
    least = [f"{who(seat)} with the least Fortunes ({order['fortunes'][seat]})" for seat in rest[:1]]
    return f": {', then '.join([*always, *least])}, then clockwise"


def terms_text(terms: Data) -> str:
    """Return one side of an open offer in words, such as ``5 Fortunes and any 2 hand cards``; or nothing."""
    parts = []
    if terms.get("fortunes"):
        parts.append(fortunes(terms["fortunes"]))
    if terms.get("in_play_cards"):
        parts.append(f"{card_names(terms['in_play_cards'])} in play")
    if terms.get("hand_cards"):
        parts.append(f"{card_names(terms['hand_cards'])} from the hand")
    if terms.get("hand_card_count"):
        parts.append(_format_number(terms["hand_card_count"], "unnamed hand card"))
    return format_list(parts, "")


def offer_text(offer: Data) -> str:
    """Return what an offer gives and asks in words, such as ``5 Fortunes for China Tea in play``."""
    give, ask = terms_text(offer["give"]), terms_text(offer["ask"])
    if not ask:
        return f"{give} as a gift"
    return f"{give} for {ask}" if give else f"to take {ask} as a gift"


def agree(text: str) -> str:
    """Return *text* with each ``[one|many]`` as the name before it asks: ``the Dutch [plays|play]``.

    >>> agree("the Dutch (seat 1) [plays|play], Seat 2 [plays|play]")
    'the Dutch (seat 1) play, Seat 2 plays'
    """
    parts = _VERB.split(text)
    said = parts[0]
    for one, many, after in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
        said += (many if _MANY.search(said) else one) + after
    return said


_VERB = re.compile(r"\[([^\[\]|]*)\|([^\[\]|]*)\]")
_PEOPLES = "|".join(empire.name for empire in EMPIRES.values() if empire.plural)
_MANY = re.compile(rf"\b(?i:the) (?:{_PEOPLES})(?: \([^()]*\))? $")
"""The end of a text that names a people in the plural, such as ``the Dutch`` but not ``the Russian``."""


_says = sentences(
    aside=lambda card: f", {CARD_NAMES[card]},",
    card=CARD_NAMES.__getitem__,
    cards=card_names,
    empire=lambda empire: EMPIRES[empire].name,
    fortunes=fortunes,
    number=number_of_cards,
    phase=str.title,
    power={"discovery": "by Discovery", "italian": "by the Italian power"}.__getitem__,
    which=lambda cards: f": {card_names(cards)}" if cards else "",
    with_more=lambda additional: " with the additional empires" if additional else "",
)


def says(template: str) -> Told:
    """Return the sentence of a fact from a template whose verbs agree: ``{seat:who} [draws|draw] ...``."""
    tell = _says(template)
    return staticmethod(lambda data, who: agree(tell(data, who)))
