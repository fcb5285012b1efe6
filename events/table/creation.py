"""The creation of a game: the batch of its first events, and the facts of those who sit down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from events.rules.bot_names import FindBotVersion, find_no_version
from events.rules.fact import Fact, Seat
from events.rules.title import Title
from events.table import lifecycle_facts, terms
from events.table.engine import Batch
from events.table.seated_bots import settle_bot_versions
from events.table.terms import SeatOccupant, Terms
from events.table.tournament_link import Reference

PUBLIC_DRAWS = 4096
"""L: public draws that a new game's reverse chain provides for."""


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
