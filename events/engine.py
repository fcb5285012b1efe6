"""What a request to a game leads to: pure functions from a game and its secrets to facts and draws.

The service uses them to record, `rutter verify` to check: both decide by the same lines.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from events import table
from events.fact import Fact, Seat
from events.game import Game
from events.proof import ProvenChance, ReverseChain, Secrets, mix, seat_commitment
from events.record import Draws, pseudonym
from events.steps import GAME_NOT_RUNNING, Command, Rejected
from events.title import Outcome, Title

DRAWS = 4096
"""L: public draws that a new game's reverse chain provides for."""
CONTRIBUTION = 32
"""Bytes of a seat's contribution to the randomness."""


class Batch(msgspec.Struct):
    """The facts of one command, with the draws behind them."""

    facts: list[Fact]
    draws: Draws = Draws()
    state: Any = None
    """The title's state after the facts (None where the title has none yet)."""


def create(
    title: Title[Any],
    key: bytes,
    options: Mapping[str, Any],
    bots: Sequence[str | None],
    taken: Sequence[bool],
    secrets: Secrets,
    *,
    service: str,
    position: dict[str, Any] | None = None,
    origin: dict[str, Any] | None = None,
    seeded: bool = False,
) -> Batch:
    """A new game: ``bots[seat]`` names the bot of a seat, ``taken[seat]`` tells whether anyone sits there.

    *key* stands for the game in its randomness: its id, or what follows from a seed (*seeded*). *service* is
    the origin under which the service signs.
    """
    analysis = seeded or position is not None or origin is not None
    facts: list[Fact] = [
        table.TableOpened(
            title=title.id,
            version=title.version,
            data_hash=title.data_hash,
            options=dict(options),
            seats=len(taken),
            chance=secrets.commitments(key, DRAWS),
            draws=DRAWS,
            analysis=analysis,
            origin=origin,
            key=key.hex() if seeded else None,
            proto=table.PROTOCOL,
            service=service,
            contributions="open",
            director=None,
            beacon=None,
            tournament=None,
            invited=None,
            directors=None,
            clock=None,
            absence=None,
            delay=None,
            expires_at=None,
            reveal_by_ms=None,
            seating=None,
            rated=not analysis,
        )
    ]
    if position is not None:
        facts.append(table.PositionSet(position))
    facts += [table.SeatTaken(seat, bots[seat], None, None) for seat, sits in enumerate(taken) if sits]
    return Batch(facts)


def take_seat(game: Game, seat: Seat, commitment: str | None) -> Batch:
    """Somebody sits down, with a commitment to a contribution or without."""
    if game.status != "open":
        raise Rejected("game_not_open", "This game has begun. Join one whose status is open.")
    if not 0 <= seat < len(game.seats):
        raise Rejected("unknown_seat", f"This game has the seats 0 to {len(game.seats) - 1}.")
    if game.seats[seat].taken:
        raise Rejected("seat_taken", "Somebody sits there. Choose an open seat.")
    facts: list[Fact] = [table.SeatTaken(seat, None, None, None)]
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
        return _finish(game, title, Batch(facts, state=state), secrets)
    chance = ProvenChance(secrets, chain, mixed, game.public_draws, game.hidden_draws)
    draft = title.open(len(game.seats), game.typed_options(), chance)
    batch = Batch(facts + draft.facts, _draws(game, chance), draft.state)
    return _finish(game, title, batch, secrets)


def mixed_randomness(game: Game) -> bytes:
    """U of a game whose seats are all taken. Of one that a seed repeats it depends on nothing else."""
    if game.seeded:
        return mix(game.key, bytes(32), [(name, b"") for name, _ in contributions(game)])
    return mix(game.key, game.closing or game.head, contributions(game))


def contributions(game: Game) -> list[tuple[str, bytes]]:
    """What each seat contributed, in seat order; nothing where it revealed nothing."""
    return [(pseudonym(n), bytes.fromhex(s.contribution or "")) for n, s in enumerate(game.seats)]


def decide(game: Game, seat: Seat | None, command: Command, secrets: Secrets, chain: ReverseChain) -> Batch:
    """The facts that *command* of *seat* (None: the house) leads to. Raises :class:`Rejected`."""
    if game.status != "running":
        raise Rejected(GAME_NOT_RUNNING, _NOT_RUNNING[game.status])
    title = game.title
    if title.data_hash != game.data_hash:
        raise Rejected(
            "rules_changed", "The data of this title have changed since the game began; begin a new game."
        )
    chance = ProvenChance(secrets, chain, game.mixed, game.public_draws, game.hidden_draws)
    draft = title.decide(game.state, seat, command, chance)
    batch = Batch(list(draft.facts), _draws(game, chance), draft.state)
    return _finish(game, title, batch, secrets)


_NOT_RUNNING = {
    "open": "The game has not begun. Wait until all seats are taken and it has been started.",
    "finished": "The game has ended. Its history and audit bundle can still be read.",
}


def _draws(game: Game, chance: ProvenChance) -> Draws:
    return Draws(tuple(chance.journal), chance.hidden - game.hidden_draws)


def _finish(game: Game, title: Title[Any], batch: Batch, secrets: Secrets) -> Batch:
    """Close the batch with the result, and disclose the secrets, when the game has ended."""
    outcome = title.outcome(batch.state)
    if outcome is not None:
        batch.facts.append(finished(outcome, secrets))
    return batch


def finished(outcome: Outcome, secrets: Secrets) -> table.TableClosed:
    """The last fact of a game."""
    return table.TableClosed(
        winners=outcome.winners,
        places=outcome.places,
        scores=outcome.scores,
        reason=outcome.reason,
        disclosed={
            "anchor": secrets.anchor.hex(),
            "deal": secrets.deal.hex(),
            "hide": secrets.hide.hex(),
            "bot": secrets.bot.hex(),
        },
    )
