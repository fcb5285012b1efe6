"""Words for people: resources, routes, and what an event effect does."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from events.rules.fact import Who
from events.rules.kit.words import capital, format_count, format_list, sentences
from events.titles.colonies import primitives as p
from events.titles.colonies.data import BOARD, CARD_TITLE, COLOURS, TECHNOLOGY, points

Data = Mapping[str, Any]
"""The material of a sentence: a fact, or a part of one, as JSON."""


def resources(counts: Mapping[Any, int]) -> str:
    """Return a text such as ``2 blue and 1 red``."""
    return format_list([f"{counts[c]} {c}" for c in COLOURS if counts.get(c)])


def format_produced(count: int, colour: str, colonists: int) -> str:
    """Return a text such as ``2 red and 1 colonist``, without what is none."""
    return format_list(
        [
            *([f"{count} {colour}"] if count else []),
            *([format_count(colonists, "colonist")] if colonists else []),
        ]
    )


def number(count: int, noun: str) -> str:
    """Return a text such as ``no colonists``, ``1 colonist``, ``2 colonists``."""
    return format_count(count, noun) if count else f"no {noun}s"


def planet(colour: str) -> str:
    """Return a planet's name."""
    return colour.capitalize()


def tie(scores: Iterable[Mapping[str, Any]]) -> str:
    """Return what decided where the best have equal points, with the numbers (CLN-168, CLN-169).

    Empty where one alone is best.
    """
    best = max(score["total"] for score in scores)
    level = [score for score in scores if score["total"] == best]
    if len(level) < 2:
        return ""
    for key, what in (("technology_points", "points for technologies"), ("resources_in_stock", "resources")):
        values = sorted((score[key] for score in level), reverse=True)
        if values[0] > values[1]:
            return f" by more {what} ({' to '.join(map(str, values))})"
    return ", equal in points, technologies and resources"


def upgrade(technology: str, level: int) -> str:
    """Return a text such as ``Military to level 3 (+3 points)``."""
    gained = points(level) - points(level - 1)
    return f"{technology.capitalize()} to level {level} ({gained:+} points)"


def price(given: Mapping[Any, int], colonists: int) -> str:
    """Return a text such as ``2 yellow, 2 purple and 2 colonists``."""
    parts = [f"{given[c]} {c}" for c in COLOURS if given.get(c)]
    return format_list([*parts, *([format_count(colonists, "colonist")] if colonists else [])])


def format_becoming(count: int) -> str:
    """Return the words for how many pirates become colonists: ``1 becomes a colonist``."""
    if count == 0:
        return "none becomes a colonist"
    return "1 becomes a colonist" if count == 1 else f"{count} become colonists"


def removals(items: Iterable[Mapping[str, Any]]) -> str:
    """Return a text such as ``2 pirates from Blue's Red route and 1 from Green's Blue route``."""
    parts = [
        f"{r['count']} from {planet(r['route']['owner'])}'s {planet(r['route']['source'])} route"
        for r in items
    ]
    return format_list(parts)


def card(card_id: str) -> str:
    """Return a card's title in quotation marks."""
    return f"“{CARD_TITLE.get(card_id, card_id)}”"


def routes(counts: Mapping[str, int]) -> str:
    """Return a text such as ``2 on the Red route and 1 on the Blue route``."""
    return format_list(f"{n} on the {planet(source)} route" for source, n in counts.items())


def substitutes(plan: Mapping[Any, Mapping[Any, int]]) -> str:
    """Return a text such as ``1 green to Red and 2 blue to Green``, by partner."""
    return format_list(f"{resources(given)} to {planet(partner)}" for partner, given in plan.items())


STEP_SIGN = {
    "bilateral_advancement": "+",
    "bilateral_decrement": "−",
    "unilateral_advancement": "+",
    "unilateral_decrement": "−",
}


def step(item: Mapping[str, Any], times: int = 1) -> str:
    """Return a text such as ``Red: export +1``."""
    sign = STEP_SIGN[item["kind"]]
    return f"{planet(item['partner'])}: {item.get('marker') or 'both'} {sign}{times}"


# --- sentences ---------------------------------------------------------------------------------------

says = sentences(
    card=card,
    colonists=lambda n: format_count(n, "colonist"),
    fingers=lambda n: number(n, "finger"),
    method={"fingers": "with the highest number that nobody else shows", "random": "by lot"}.__getitem__,
    routes=routes,
)


def changes(made: Data, seat: int, who: Who) -> list[str]:
    """Return the changes of an effect to that seat in words, change by change."""
    parts: list[str] = []
    for stock in made.get("stocks", ()):
        gained = {c: n for c, n in stock["resources"].items() if n > 0}
        given = {c: -n for c, n in stock["resources"].items() if n < 0}
        parts += [f"takes {resources(gained)}"] if gained else []
        parts += [f"gives {resources(given)}"] if given else []
    parts += [_payment(payment, seat, who) for payment in made.get("credits", ())]
    for change in made.get("colonists", ()):
        verb = "takes" if change["count"] > 0 else "returns"
        parts.append(f"{verb} {format_count(abs(change['count']), 'colonist')}")
    parts += [_pirates(change) for change in made.get("pirates", ())]
    parts += [f"{c['technology'].capitalize()} is now at level {c['level']}" for c in made.get("levels", ())]
    for marker in made.get("markers", ()):
        parts.append(f"{planet(marker['from'])} now promises {planet(marker['to'])} {marker['value']}")
    markets = {c: n for c, n in made.get("markets", {}).items() if n > 0}
    return [*parts, f"the markets get {resources(markets)}"] if markets else parts


def _payment(payment: Data, seat: int, who: Who) -> str:
    if payment["to"] == seat:
        giver = "the bank" if payment["from"] is None else who(payment["from"])
        return f"receives {payment['amount']} € from {giver}"
    taker = "the bank" if payment["to"] is None else who(payment["to"])
    return f"pays {payment['amount']} € to {taker}"


def _pirates(change: Data) -> str:
    verb = "gets" if change["count"] > 0 else "loses"
    route = f"{planet(change['owner'])}'s {planet(change['source'])} route"
    return f"{route} {verb} {format_count(abs(change['count']), 'pirate')}"


# --- event effects -----------------------------------------------------------------------------------


Levels = Mapping[Any, int]
"""A player's levels by technology, where an effect is told to that player."""


def _n(n: int | p.Quantity) -> str:
    if isinstance(n, int):
        return str(n)
    if n.own_pirates:
        return "1 for each pirate on your own routes"
    return f"{n.base} plus your {str(n.level).capitalize()} level" if n.level else str(n.base)


def _kind(kind: str) -> str:
    return {
        "own": "of your own colour",
        "other": "of other colours than your own",
        "any": "of any colours",
    }.get(kind, kind)


def _credits(verb: str, n: int | p.Quantity) -> str:
    return f"{verb} {n} €" if isinstance(n, int) else f"{verb} Credits: {_n(n)}"


def _things(verb: str, n: int | p.Quantity, thing: str) -> str:
    return f"{verb} {format_count(n, thing)}" if isinstance(n, int) else f"{verb} {thing}s: {_n(n)}"


def _gain_resource(e: p.GainResource) -> str:
    if e.kind in COLOURS:
        return f"take {_n(e.n)} {e.kind}"
    return f"{_things('take', e.n, 'resource')} {_kind(e.kind)}"


def _pay_resource(e: p.PayResource) -> str:
    where = "to the supply" if e.to == "supply" else "to their markets"
    if e.kind in COLOURS:
        return f"give {_n(e.n)} {e.kind} {where}"
    return f"{_things('give', e.n, 'resource')} {_kind(e.kind)} {where}"


def _shift(e: p.ShiftAgreement) -> str:
    most, change = ("up to ", "raise") if e.direction > 0 else ("", "lower")
    return f"{change} both markers of {most}{_n(e.n)} of your agreements with other players by 1"


def _downgrade(e: p.Downgrade) -> str:
    what = "one of your technologies" if e.technology == "any" else e.technology.capitalize()
    return f"lower {what} by one level"


def _bonus(e: p.BonusAction) -> str:
    action = TECHNOLOGY[e.kind].action
    return f"carry out “{action}” at once at your {e.kind.capitalize()} level + {e.plus}"


_TEXT: Mapping[type[p.Primitive], Callable[[Any], str]] = {
    p.GainCredits: lambda e: _credits("receive", e.n),
    p.PayCredits: lambda e: _credits("pay", e.n),
    p.CollectCredits: lambda e: f"receive {_n(e.n)} € from every other player",
    p.GainResource: _gain_resource,
    p.PayResource: _pay_resource,
    p.GainColonists: lambda e: _things("take", e.n, "colonist"),
    p.LoseColonists: lambda e: _things("return up to" if e.may else "return", e.n, "colonist"),
    p.PlacePirates: lambda e: f"{_things('place', e.n, 'pirate')} on your own routes",
    p.RemovePirates: lambda e: f"{_things('remove', e.n, 'pirate')} from your own routes",
    p.Downgrade: _downgrade,
    p.ShiftAgreement: _shift,
    p.FloodMarket: lambda e: f"{_things('put', e.n, 'resource')} of your own colour on its market",
    p.BonusAction: _bonus,
    p.Upgrade: lambda e: f"upgrade a technology at once, each part of the price lowered by {e.discount}",
}


def primitive(item: p.Primitive, levels: Levels | None = None) -> str:
    """Return what a primitive tells the affected player to do.

    With the player's *levels* also the level of the technology that it names.
    """
    text = _TEXT[type(item)](item)
    technology = p.level_of(item)
    return f"{text} (yours is {levels[technology]})" if levels and technology else text


def effect(items: Iterable[p.Primitive], levels: Levels | None = None) -> str:
    """Return a whole effect as a sentence."""
    return f"{capital(format_effect(items, levels))}."


def format_effect(items: Iterable[p.Primitive], levels: Levels | None = None) -> str:
    """Return a whole effect within a sentence."""
    return ", then ".join(primitive(item, levels) for item in items)


REWARD_WORDS = {
    "official": f"Most yes votes (or {BOARD.reward_credits} € instead)",
    "all": "Everybody",
    "fewest": "Fewest votes, in addition",
}
