"""What a captain sees of Landfall, what they can imagine of the rest, and how a page shows it."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec.structs import replace

from rutter.events.rules.bounds import BySeat, limit_items, limit_number
from rutter.events.rules.chance import D6, Chance
from rutter.events.rules.fact import Json, Seat
from rutter.events.rules.kit import panels as p
from rutter.events.rules.kit.values import put, remove_each

from .state import DEALT, SAILS, State

Sail = Annotated[int, limit_number(1, max(SAILS))]
BOARD: Json = {"sails": SAILS, "die": D6}


class Captain(msgspec.Struct, frozen=True):
    """One seat, as the viewer sees it."""

    seat: Seat
    points: Annotated[int, limit_number(0, len(SAILS) * max(D6))]
    hand_count: Annotated[int, limit_number(0, DEALT)]
    has_chosen: bool
    hand: Annotated[tuple[Sail, ...], limit_items(DEALT)] | None
    """None unless it is the viewer's own."""
    chosen: Sail | None
    """Likewise."""


class View(msgspec.Struct, frozen=True):
    """A game through one captain's eyes."""

    island: Annotated[int, limit_number(1, max(D6))] | None
    deck_count: Annotated[int, limit_number(0, len(SAILS))]
    shown: Annotated[tuple[Sail, ...], limit_items(len(SAILS))]
    captains: BySeat[Captain]


def view(state: State, seat: Seat | None) -> View:
    """LFL-01 and LFL-03: hands and covered sails are the captains' own."""
    captains = tuple(
        Captain(
            seat=other,
            points=state.points[other],
            hand_count=len(hand),
            has_chosen=state.chosen[other] is not None,
            hand=hand if other == seat else None,
            chosen=state.chosen[other] if other == seat else None,
        )
        for other, hand in enumerate(state.hands)
    )
    return View(state.island, len(state.deck), state.shown, captains)


def imagine(state: State, seat: Seat, chance: Chance) -> State:
    """Other hand, covered sail and deck are drawn again from what this captain has not seen."""
    other = 1 - seat
    unseen = tuple(sorted((*state.hands[other], *state.deck)))
    hand = tuple(sorted(chance.deal(unseen, len(state.hands[other]))))
    chosen = state.chosen[other]
    return replace(
        state,
        hands=put(state.hands, other, hand),
        chosen=put(state.chosen, other, None if chosen is None else chance.pick(hand, hidden=True)),
        deck=remove_each(unseen, hand),
    )


def panels(view: Json, seat: Seat | None) -> list[Json]:
    """The table, and the viewer's hand as cards."""
    rows = [
        [
            p.cell(f"Seat {c['seat']}", tone=c["seat"]),
            c["points"],
            c["hand_count"],
            "chosen" * c["has_chosen"],
        ]
        for c in view["captains"]
    ]
    found = [
        p.facts(
            "Landfall", [("Island", view["island"] or "none"), ("Sails in the deck", view["deck_count"])]
        ),
        p.table("Captains", ("Captain", "Points", "Sails", "This round"), rows),
    ]
    if seat is not None and view["captains"][seat]["hand"]:
        found.append(p.cards("Your hand", [p.card(f"Sail {n}") for n in view["captains"][seat]["hand"]]))
    return found
