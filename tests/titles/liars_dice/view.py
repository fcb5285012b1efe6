"""What a player sees of Liar's dice, what they can imagine of the rest, and how a page shows it."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec.structs import replace

from rutter.events.rules.bounds import BySeat
from rutter.events.rules.chance import D6, Chance
from rutter.events.rules.fact import Json, Seat
from rutter.events.rules.kit import panels as p

from .state import DICE, MOST, SEATS, Bid, Dice, Face, State

BOARD: Json = {"dice": DICE, "faces": D6}
SeatNumber = Annotated[int, msgspec.Meta(ge=0, lt=max(SEATS))]


class Player(msgspec.Struct, frozen=True):
    """One seat, as the viewer sees it."""

    seat: SeatNumber
    dice_count: Annotated[int, msgspec.Meta(ge=0, le=DICE)]
    dice: Annotated[tuple[Face, ...], msgspec.Meta(max_length=DICE)] | None
    """None unless they are the viewer's own."""


class View(msgspec.Struct, frozen=True):
    """A game through the eyes of one player."""

    turn: SeatNumber
    bid: Bid | None
    bidder: SeatNumber | None
    dice_count: Annotated[int, msgspec.Meta(ge=0, le=MOST)]
    players: BySeat[Player]


def view(state: State, seat: Seat | None) -> View:
    """LDI-02: you see the faces under your own cup, and how many dice all others have."""
    players = tuple(
        Player(seat=other, dice_count=len(cup), dice=cup if other == seat else None)
        for other, cup in enumerate(state.cups)
    )
    return View(state.turn, state.bid, state.bidder, sum(map(len, state.cups)), players)


def imagine(state: State, seat: Seat, chance: Chance) -> State:
    """All other dice are rolled again: a bid proves nothing."""
    return replace(
        state, cups=tuple(_roll_again(cup, other == seat, chance) for other, cup in enumerate(state.cups))
    )


def _roll_again(cup: Dice, is_own: bool, chance: Chance) -> Dice:
    return cup if is_own else tuple(sorted(chance.pick(D6, hidden=True) for _ in cup))


def panels(view: Json, seat: Seat | None) -> list[Json]:
    """The bid and the faces that can be bid, the players, and the viewer's dice as cards."""
    bid = view["bid"]
    said = f"{bid['count']} × face {bid['face']}" if bid else "No bid yet"
    rows = [
        [
            p.cell(f"Seat {each['seat']}", tone=each["seat"]),
            each["dice_count"],
            "bid" * (each["seat"] == view["bidder"]),
        ]
        for each in view["players"]
    ]
    found = [
        p.cards("The bid", [p.card(said, ref="bid:latest")], role="board"),
        p.cards("Faces to bid", [p.card(f"Face {face}", ref=f"face:{face}") for face in D6], role="board"),
        p.facts("Liar's dice", [("Dice under all cups", view["dice_count"])]),
        p.table("Players", ("Player", "Dice", "This round"), rows),
    ]
    if seat is not None and view["players"][seat]["dice"]:
        found.append(
            p.cards("Your dice", [p.card(f"Die {face}", ref="") for face in view["players"][seat]["dice"]])
        )
    return found
