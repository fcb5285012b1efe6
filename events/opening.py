"""From the first seat taken to the first move: joining, contributing to the randomness, beginning.

The service records what these functions decide, `rutter verify` decides every batch of the opening again.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from events import table
from events.engine import Batch, drawn_by, finish
from events.fact import Fact, Seat
from events.game import Game
from events.proof import ProvenChance, ReverseChain, Secrets, mix, seat_commitment
from events.record import Record, decode_fact, pseudonym
from events.steps import Rejected

CONTRIBUTION = 32
"""Bytes of a seat's contribution to the randomness."""


def take_seat(game: Game, seat: Seat, commitment: str | None, key: str | None = None) -> Batch:
    """Somebody sits down, with a commitment to a contribution or without.

    With a *key* (hex) the seat's commands must be signed from then on.
    """
    if game.status != "open":
        raise Rejected("game_not_open", "This game has begun. Join one whose status is open.")
    if not 0 <= seat < len(game.seats):
        raise Rejected("unknown_seat", f"This game has the seats 0 to {len(game.seats) - 1}.")
    if game.seats[seat].taken:
        raise Rejected("seat_taken", "Somebody sits there. Choose an open seat.")
    facts: list[Fact] = [table.SeatTaken(seat, None, None, key)]
    if commitment is not None:
        if game.closing:
            raise Rejected(
                "commitments_closed", "A seat has revealed its contribution. Join without a commitment."
            )
        facts.append(table.SeatCommitted(seat, commitment))
    return Batch(facts)


def reveal(game: Game, seat: Seat, contribution: str) -> Batch:
    """A seat opens the contribution (hex) that it committed to."""
    if game.status != "open":
        raise Rejected("game_not_open", "This game has begun; contributions are taken before the start only.")
    if not all(s.taken for s in game.seats):
        raise Rejected(
            "seats_open", "Reveal when all seats are taken, so that nobody can still choose a commitment."
        )
    commitment = game.seats[seat].commitment
    if commitment is None:
        raise Rejected(
            "nothing_committed", "This seat made no commitment when it joined, so it has nothing to reveal."
        )
    if game.seats[seat].contribution is not None:
        raise Rejected("already_answered", "This seat has revealed its contribution.")
    if len(contribution) != 2 * CONTRIBUTION:
        raise Rejected("commitment_mismatch", "A contribution has 32 bytes: 64 hex digits.")
    if seat_commitment(game.key, pseudonym(seat), bytes.fromhex(contribution)).hex() != commitment:
        raise Rejected(
            "commitment_mismatch",
            "The contribution does not fit the commitment. Send the bytes committed to.",
        )
    return Batch([table.SeatRevealed(seat, contribution)])


def begin(game: Game, secrets: Secrets, chain: ReverseChain) -> Batch:
    """All seats are taken: fix the randomness and set up."""
    if game.status != "open":
        raise Rejected("game_not_open", "This game has begun.")
    if not all(s.taken for s in game.seats):
        raise Rejected(
            "seats_open", "Some seats are open. Wait until somebody has joined, or create the game with bots."
        )
    mixed = mixed_randomness(game)
    missing = tuple(n for n, s in enumerate(game.seats) if s.commitment and s.contribution is None)
    facts: list[Fact] = [table.TableBegun(mixed.hex(), missing)]
    title = game.title
    if game.position is not None:
        state = title.from_position(game.position)
        return finish(game, title, Batch(facts, state=state), secrets)
    chance = ProvenChance(secrets, chain, mixed, game.public_draws, game.hidden_draws)
    draft = title.open(len(game.seats), game.typed_options(), chance)
    batch = Batch(facts + draft.facts, drawn_by(game, chance), draft.state)
    return finish(game, title, batch, secrets)


def mixed_randomness(game: Game) -> bytes:
    """U of a game whose seats are all taken. Of one that a seed repeats it depends on nothing else."""
    if game.seeded:
        return mix(game.key, bytes(32), [(name, b"") for name, _ in contributions(game)])
    return mix(game.key, game.closing or game.head, contributions(game))


def contributions(game: Game) -> list[tuple[str, bytes]]:
    """What each seat contributed, in seat order; nothing where it revealed nothing."""
    return [(pseudonym(n), bytes.fromhex(s.contribution or "")) for n, s in enumerate(game.seats)]


def decided_again(game: Game, batch: Sequence[Record], secrets: Secrets, chain: ReverseChain) -> Batch | None:
    """What follows for a recorded batch of the opening, None for a batch that is none.

    The request is read from its facts, whose hidden parts must all be at hand. Raises :class:`Rejected`, and
    msgspec's errors where a fact does not fit its type.
    """
    first, envelope = batch[0], batch[0].envelope()
    match first.type:
        case "SeatTaken":
            taken = decode_fact(first, envelope, table.SeatTaken)
            assert isinstance(taken, table.SeatTaken)  # noqa: S101 - for the type checker
            return take_seat(game, taken.seat, _commitment(batch[1:]), taken.key)
        case "SeatRevealed":
            revealed = decode_fact(first, envelope, table.SeatRevealed)
            assert isinstance(revealed, table.SeatRevealed)  # noqa: S101 - for the type checker
            return reveal(game, revealed.seat, revealed.contribution)
        case "TableBegun":
            return begin(game, secrets, chain)
    return None


def _commitment(rest: Sequence[Record]) -> str | None:
    """The commitment that was made with a seat."""
    if not rest:
        return None
    committed = msgspec.json.decode(rest[0].envelope().data, type=table.SeatCommitted)
    return committed.commitment
