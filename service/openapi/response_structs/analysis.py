"""The answers about odds, advice and reviews."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from service.openapi.response_structs.fields import Given, Object, SeatNumber, Seq, Uuid, component_meta


class OddsPending(Struct, frozen=True):
    """A running simulation. Ask again after `Retry-After` seconds."""

    status: Literal["pending"]
    """Always `pending`."""


class Judged(Struct, frozen=True):
    """A command that a bot has considered."""

    command: Given
    """The command that the bot considered."""
    label: str
    """The command as a button shows it."""
    games: Annotated[int, Meta(ge=0, description="The number of simulated games with this command.")]
    chance: Annotated[
        Annotated[float, Meta(ge=0, le=1)] | None,
        Meta(description="The share of these games that the seat won, or null without simulations."),
    ]
    chosen: Annotated[bool, Meta(description="True if the bot would choose this command.")]


class Advice(Struct, frozen=True):
    """The commands that a bot has considered, the most likely to win first."""

    status: Literal["ready"]
    """Always `ready`."""
    seq: Seq
    """The event number after which this holds."""
    seat: SeatNumber
    """The seat that was advised."""
    bot: str
    """The bot that gave the advice, with its version."""
    simulations: Annotated[int, Meta(ge=0, description="The total number of games that the bot simulated.")]
    candidates: list[Judged]
    """The commands that the bot has considered, best first."""


Chance = Annotated[Annotated[float, Meta(ge=0, le=1)] | None, Meta(description="The chance to win, or null.")]


class ReviewedMove(Struct, frozen=True):
    """A move of the reviewed seat, beside the commands that a bot has considered in its place."""

    seq: Seq
    """The number of the first event of the move."""
    label: str
    """The given command as a button shows it."""
    chance: Chance
    """The chance to win with the given command. It is null where the bot does not simulate games."""
    lost: Annotated[
        Annotated[float, Meta(ge=0, le=1)] | None,
        Meta(description="The chance to win that the bot's choice has more, or null without simulations."),
    ]
    chosen: Annotated[bool, Meta(description="True if the bot would give the same command.")]
    simulations: Annotated[int, Meta(ge=0)]
    """The number of games that the bot simulated."""
    candidates: list[Judged]
    """The first three commands that the bot considered, best first."""


class TurningPoint(Struct, frozen=True):
    """A move by which the chance to win differs much from that of the move before."""

    seq: Seq
    """The number of the first event of the move."""
    before: Annotated[float, Meta(ge=0, le=1)]
    """The chance to win with the move before."""
    after: Annotated[float, Meta(ge=0, le=1)]
    """The chance to win with this move."""


class Review(Struct, frozen=True):
    """The moves of one seat in a finished game, beside what a bot would do."""

    status: Literal["pending", "ready"]
    """`ready` when all moves are reviewed."""
    game: Uuid
    """The id of the game."""
    seat: SeatNumber
    """The seat that is reviewed."""
    bot: str
    """The bot that thinks."""
    reviewed: Annotated[int, Meta(ge=0)]
    """The number of moves that are reviewed so far."""
    total: Annotated[int | None, Meta(description="The number of moves, or null as long as it is unknown.")]
    moves: list[ReviewedMove]
    """The moves that are reviewed so far, in order."""
    turning_points: Annotated[
        list[TurningPoint],
        Meta(description="The three greatest changes of the chance to win, the greatest first."),
    ]


class WarEnds(Struct, frozen=True, kw_only=True):
    """The outcomes of a simulated war: the number of each, and the losses of both sides."""

    attacker: SeatNumber
    """The seat that attacks."""
    defender: SeatNumber
    """The seat that defends."""
    allowed: Annotated[bool, Meta(description="True if Diplomacy permits the declaration.")]
    shared_territories: list[str]
    """The territories in which both sides have counters."""
    simulations: int
    """The number of simulations."""
    victory: int
    """The number of simulations that the attacker won."""
    defeat: int
    """The number of simulations that the attacker lost."""
    draw: int
    """The number of simulations without a winner."""
    years: Annotated[
        dict[str, int], Meta(description="The number of simulations for each length of the war, in years.")
    ]
    losses: Annotated[
        dict[str, int], Meta(description="The losses of both sides, in all simulations together.")
    ]


class WarOdds(Struct, frozen=True):
    """The odds of a war, from what the asking seat may know."""

    status: Literal["ready"]
    """Always `ready`."""
    seq: Seq
    """The event number after which this holds."""
    seat: SeatNumber
    """The seat that would attack."""
    target: SeatNumber
    """The seat that would be attacked."""
    odds: Annotated[Object, component_meta("WarEnds")]
    """The outcomes of the simulations."""
