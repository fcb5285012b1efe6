"""The outcome of a request to a game: pure functions from a game and its secrets to facts and draws.

The service uses them to record, `rutter verify` to check: both decide by the same lines.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from events.proof.randomness import ProvenChance, ReverseChain, Secrets
from events.rules.bot_names import FindBotVersion, find_no_version
from events.rules.fact import Fact, Seat, type_name
from events.rules.steps import ALREADY_ANSWERED, GAME_NOT_RUNNING, Command, Rejected
from events.rules.title import Outcome, Title
from events.table import lifecycle_facts, terms
from events.table.game import Game
from events.table.record import Draws
from events.table.seated_bots import settle_bot_versions
from events.table.terms import SeatOccupant, Terms
from events.table.tournament_link import Reference

PUBLIC_DRAWS = 4096
"""L: public draws that a new game's reverse chain provides for."""
MAX_REPLACEMENTS = 20
"""Times that a seat may replace its covered answer in one step: each is an event that stays in the log."""


class Batch(msgspec.Struct):
    """The facts of one command, with the draws behind them."""

    facts: list[Fact]
    draws: Draws = Draws()
    state: Any = None
    """The title's state after the facts (None where the title has none yet)."""


def create_game(
    title: Title[Any],
    key: bytes,
    options: Mapping[str, Any],
    seats: Sequence[SeatOccupant | None],
    commitments: Mapping[str, str],
    *,
    service: str,
    wanted: Terms = Terms(),  # noqa: B008 - a value that nobody can change
    position: dict[str, Any] | None = None,
    origin: dict[str, Any] | None = None,
    seeded: bool = False,
    tied: tuple[Reference, bool] | None = None,
    find_bot: FindBotVersion = find_no_version,
) -> Batch:
    """Return the batch that creates a game: the holders of its seats (None: an open seat) and its terms.

    *key* stands for the game in its randomness: its id, or what follows from a seed (*seeded*). *commitments*
    are those of its secrets, for :data:`PUBLIC_DRAWS` public draws. *service* is the origin under which the
    service signs. *tied*: the table of a tournament at which it is played, from which its key derives, and
    True if it is rated. *find_bot* names the version of a bot that takes a seat. Raises :class:`Rejected` for
    terms that are none for these seats, and :class:`events.rules.bot_names.UnknownBot`.
    """
    settled = terms.settle_terms(wanted, seats, title.bots, seeded=seeded)
    analysis = tied is None and (seeded or position is not None or origin is not None)
    facts: list[Fact] = [
        lifecycle_facts.TableOpened(
            title=title.id,
            version=title.version,
            data_hash=title.data_hash,
            options=dict(options),
            seats=len(seats),
            chance=dict(commitments),
            draws=PUBLIC_DRAWS,
            analysis=analysis,
            origin=origin,
            key=key.hex() if seeded or tied else None,
            proto=lifecycle_facts.PROTOCOL,
            service=service,
            contributions=settled.contributions,
            director=settled.director,
            beacon=settled.beacon,
            tournament=None if tied is None else msgspec.to_builtins(tied[0]),
            invited=settled.invited,
            directors=settled.directors,
            clock=None if settled.clock is None else msgspec.to_builtins(settled.clock),
            absence=None if settled.absence is None else msgspec.to_builtins(settled.absence),
            delay=None if settled.delay is None else msgspec.to_builtins(settled.delay),
            expires_at=settled.expires_at,
            reveal_by_ms=settled.reveal_by_ms,
            seating=None if settled.seating is None else msgspec.to_builtins(settled.seating),
            rated=settled.rated and not analysis if tied is None else tied[1],
            undo=settled.undo if title.undo else "none",
            talk=settled.talk,
        )
    ]
    if position is not None:
        facts.append(lifecycle_facts.PositionSet(position))
    for seat, sits in enumerate(seats):
        if sits is not None:
            facts += seat_facts(seat, sits)
    return Batch(settle_bot_versions({}, facts, find_bot))


def seat_facts(seat: Seat, sits: SeatOccupant) -> list[Fact]:
    """Return the facts of a player who takes a seat."""
    taken = lifecycle_facts.SeatTaken(seat, sits.bot, sits.who, sits.key)
    return (
        [taken] if sits.commitment is None else [taken, lifecycle_facts.SeatCommitted(seat, sits.commitment)]
    )


def decide(game: Game, seat: Seat | None, command: Command, secrets: Secrets, chain: ReverseChain) -> Batch:
    """Return the facts that *command* of *seat* (None: the server) leads to. Raises :class:`Rejected`."""
    if game.status != "running":
        raise Rejected(GAME_NOT_RUNNING, _NOT_RUNNING[game.status])
    if game.paused is not None:
        raise PausedGame(game.paused.until)
    title = game.title
    if seat is not None and game.replaced.get(seat, 0) >= MAX_REPLACEMENTS:
        _check_replacements(game, seat, command)
    chance = ProvenChance(secrets, chain, game.mixed, game.public_draws, game.hidden_draws)
    draft = title.decide(game.state, seat, command, chance)
    batch = Batch(list(draft.facts), draws_since(game, chance), draft.state)
    return close_if_ended(game, title, batch, secrets)


def _check_replacements(game: Game, seat: Seat, command: Command) -> None:
    """Raise Rejected if *command* would replace a covered answer that was replaced often enough."""
    name = type_name(type(command))
    if any(one.seat == seat and name in one.commands for one in game.title.replaceable(game.state)):
        raise Rejected(
            ALREADY_ANSWERED,
            f"You have replaced this answer {MAX_REPLACEMENTS} times. Wait for the other players.",
        )


class PausedGame(Rejected):
    """The rejection of a command because the game is paused: nobody plays meanwhile."""

    def __init__(self, until: str) -> None:
        super().__init__(
            "game_paused", f"The game is paused until {until}. Wait until then, or propose to resume it."
        )
        self.until = until


_NOT_RUNNING = {
    "open": "The game has not begun. Wait until all seats are taken and it begins.",
    "finished": "The game has ended. You can still read its history and audit bundle.",
    "abandoned": "The game was abandoned. You can still read its history and audit bundle.",
}


def draws_since(game: Game, chance: ProvenChance) -> Draws:
    """Return the draws that *chance* has made since the newest event of *game*."""
    return Draws(tuple(chance.journal), chance.hidden - game.hidden_draws)


def close_if_ended(game: Game, title: Title[Any], batch: Batch, secrets: Secrets) -> Batch:
    """Close the batch with the result, and disclose the secrets, when the game has ended."""
    outcome = title.outcome(batch.state)
    if outcome is not None:
        batch.facts.append(make_closing_fact(outcome, secrets))
    return batch


def make_closing_fact(outcome: Outcome, secrets: Secrets) -> lifecycle_facts.TableClosed:
    """Return the last fact of a game."""
    return lifecycle_facts.TableClosed(
        winners=outcome.winners,
        places=outcome.places,
        scores=outcome.scores,
        reason=outcome.reason,
        disclosed=disclose_secrets(secrets),
    )


def disclose_secrets(secrets: Secrets) -> dict[str, str]:
    """Return the secrets of a game that has ended, as its last fact tells them."""
    return {
        "anchor": secrets.anchor.hex(),
        "deal": secrets.deal.hex(),
        "hide": secrets.hide.hex(),
        "bot": secrets.bot.hex(),
    }
