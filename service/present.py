"""Games as the API shows them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from events import opening, table
from events.fact import Json, Seat
from events.game import Game
from events.kit.offers import evenly
from events.recent import Recent
from events.record import Record, public_json
from service.accounts import Account
from service.schemas import shapes
from service.seats import Holders, Viewer

MOST_LEGAL = 300
"""Most legal commands of one answer."""

_LEGAL: Recent[tuple[list[shapes.Legal], bool]] = Recent(1000)
_VIEWS: Recent[Json] = Recent(4000)
"""A view depends only on the game, the event and the seat, so one that was computed never changes."""


def account(who: Account) -> shapes.Account:
    """An account, as everybody may see it."""
    return shapes.Account(who.id, who.name)


def seat(
    number: int, label: str, holder: Account | None, who: Account | None, *, bot: str | None, taken: bool
) -> shapes.Seat:
    """One seat of a game."""
    if bot is not None:
        return shapes.Seat(seat=number, label=label, you=False, bot=bot)
    if not taken:
        return shapes.Seat(seat=number, label=label, you=False, open=True)
    if holder is None:  # the account was erased
        return shapes.Seat(seat=number, label=label, you=False)
    you = who is not None and who.id == holder.id
    return shapes.Seat(seat=number, label=label, you=you, account=holder.id, name=holder.name)


def seats(game: Game, holders: Holders, who: Account | None) -> list[shapes.Seat]:
    """The seats of a game."""
    return [
        seat(n, seat_label(game, n), holders.get(n), who, bot=s.bot, taken=s.taken)
        for n, s in enumerate(game.seats)
    ]


def seat_label(game: Game, number: int) -> str:
    """What a seat is called."""
    return f"Seat {number}" if game.state is None else game.title.seat_name(game.state, number)


def game(then: Game, last: int, holders: Holders, viewer: Viewer) -> shapes.Game:
    """A game after one of its events, through the eyes of *viewer*."""
    return shapes.Game(
        id=then.id,
        title=then.title_id,
        version=then.version,
        status=then.status,  # type: ignore[arg-type]
        options=then.options,
        seats=seats(then, holders, viewer.account),
        seq=then.seq,
        last=last,
        analysis=then.analysis,
        origin=then.origin,
        created_at=then.created_at,
        view=view(then, viewer.seat),
        outcome=then.outcome(),
        opening=opening_of(then),
    )


def opening_of(game: Game) -> shapes.Opening | None:
    """What leads to the beginning of a game; None once it has begun."""
    if game.status != "open":
        return None
    terms = game.terms
    return shapes.Opening(
        key=game.seeded,
        contributions=terms.contributions,
        director=terms.director,
        beacon=shapes.BeaconTerms(terms.beacon.chain, terms.beacon.after) if terms.beacon else None,
        invited=list(terms.invited) if terms.invited else None,
        reveal_by_ms=terms.reveal_by_ms,
        committed=[n for n, s in enumerate(game.seats) if s.commitment],
        revealed=[n for n, s in enumerate(game.seats) if s.contribution],
        closed=game.closed is not None,
        due=opening.due(game),
    )


def view(game: Game, seat: Seat | None) -> Json | None:
    """The title's view of *game* through *seat* (None: a spectator); None if it has not begun."""
    if game.state is None:
        return None
    key = (game.id, game.seq, seat, game.version)
    seen = _VIEWS.get(key)
    if seen is None:
        seen = game.title.shown(game.state, seat)
        _VIEWS.put(key, seen)
    return seen


def panels(game: Game, seat: Seat | None) -> list[dict[str, Any]]:
    """The same view, laid out for a page; empty if the game has not begun."""
    seen = view(game, seat)
    return [] if seen is None else game.title.panels(seen, seat)


def event(game: Game, record: Record, seat: Seat | None) -> dict[str, Any]:
    """An event as *seat* may see it."""
    kind = table.FACTS.get(record.type) or game.title.fact_type(record.type)
    if kind is None:
        raise LookupError(f"{game.title_id} knows no event of type {record.type}")
    return public_json(record.seen_by(seat), kind)


def decisions(game: Game, seats: Iterable[Seat], *, name_seats: bool) -> shapes.Decisions:
    """What *game* waits for, and the legal commands of *seats*.

    With *name_seats* each command says which seat gives it: whoever holds several can post it as it stands.
    """
    if game.status != "running":
        return shapes.Decisions(game.seq, [], [], complete=True)
    open_now = game.title.decisions(game.state)
    asked = [s for s in seats if any(d.seat == s for d in open_now)]
    legal: list[shapes.Legal] = []
    complete = True
    for one in asked:
        found, whole = _legal(game, one, MOST_LEGAL // len(asked), name_seats=name_seats)
        legal += found
        complete = complete and whole
    shown = [shapes.Decision(d.seat, d.kind, list(d.commands), None, d.free) for d in open_now]
    return shapes.Decisions(game.seq, shown, legal, complete)


def _legal(game: Game, seat: Seat, most: int, *, name_seats: bool) -> tuple[list[shapes.Legal], bool]:
    key = (game.id, game.seq, seat, most, name_seats)
    known = _LEGAL.get(key)
    if known is None:
        title, state = game.title, game.state
        every = tuple(title.legal(state, seat))
        commands = evenly(every, most, type)
        whole = len(commands) == len(every) and title.complete(state, seat)
        named = {"seat": seat} if name_seats else {}
        known = (
            [
                shapes.Legal(
                    seat, title.label(state, seat, c), {**msgspec.to_builtins(c, str_keys=True), **named}
                )
                for c in commands
            ],
            whole,
        )
        _LEGAL.put(key, known)
    return known
