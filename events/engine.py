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
from events.proof import ProvenChance, ReverseChain, Secrets
from events.record import Draws
from events.steps import GAME_NOT_RUNNING, Command, Rejected
from events.title import Outcome, Title

DRAWS = 4096
"""L: public draws that a new game's reverse chain provides for."""


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
    batch = Batch(list(draft.facts), drawn_by(game, chance), draft.state)
    return finish(game, title, batch, secrets)


_NOT_RUNNING = {
    "open": "The game has not begun. Wait until all seats are taken and it has been started.",
    "finished": "The game has ended. Its history and audit bundle can still be read.",
}


def drawn_by(game: Game, chance: ProvenChance) -> Draws:
    """The draws that *chance* has made since the newest event of *game*."""
    return Draws(tuple(chance.journal), chance.hidden - game.hidden_draws)


def finish(game: Game, title: Title[Any], batch: Batch, secrets: Secrets) -> Batch:
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
