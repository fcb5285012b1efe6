"""Games as the API shows them."""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from events.base.lru_cache import LruCache
from events.rules.fact import Json, Seat
from events.rules.kit.offers import evenly
from events.rules.kit.refs import Drawn, by_key, drawn_refs, refs_of
from events.rules.steps import Decision
from events.table import clock_updates, commit_reveal, lifecycle_facts
from events.table.game import Game
from events.table.record import Record, pseudonym, public_json
from events.table.vacancies import may_be_taken
from service.accounts import Account
from service.names import SOMEONE_WHO_LEFT
from service.schemas import shapes
from service.seats import Holders, Viewer

MOST_LEGAL = 1000
"""Most legal commands of one answer: the longest lists that titles give whole fit (the 924 first hands of
Colonialism)."""

_LEGAL: LruCache[tuple[list[shapes.Legal], bool]] = LruCache(1000)
_VIEWS: LruCache[Json] = LruCache(4000)
"""A view depends only on the game, the event and the seat, so one that was computed never changes."""


def account(who: Account, reliability: int | UnsetType = UNSET) -> shapes.Account:
    """An account, as everybody may see it."""
    return shapes.Account(who.id, who.name, who.handle, who.kind, who.owner, reliability)


def seat(
    number: int,
    label: str,
    holder: Account | None,
    who: Account | None,
    *,
    bot: str | None,
    taken: bool,
    vacant: bool = False,
    tenure: int | UnsetType = UNSET,
    free: bool = False,
    left: bool = False,
) -> shapes.Seat:
    """One seat of a game."""
    person = bot is None and taken and not vacant
    return shapes.Seat(
        seat=number,
        label=label,
        you=person and holder is not None and who is not None and who.id == holder.id,
        tenure=tenure,
        free=free or UNSET,
        left=left or UNSET,
        **_sitting(holder, bot=bot, taken=taken, vacant=vacant),
    )


def _sitting(holder: Account | None, *, bot: str | None, taken: bool, vacant: bool) -> dict[str, Any]:
    """Who has a seat: nobody any more, a bot, nobody yet, or somebody."""
    if vacant:
        return {"vacant": True}
    if bot is not None:
        return {"bot": bot}
    if not taken:
        return {"open": True}
    if holder is None:  # the account was erased
        return {"name": SOMEONE_WHO_LEFT}
    handle = holder.handle or UNSET
    return {"account": holder.id, "name": holder.name, "handle": handle, "kind": holder.kind}


def seats(game: Game, holders: Holders, who: Account | None, left: Container[Seat] = ()) -> list[shapes.Seat]:
    """The seats of a game; *who* may return to those that he has *left*."""
    return [
        seat(
            n,
            seat_label(game, n),
            holders.get(n),
            who,
            bot=s.bot,
            taken=s.taken,
            vacant=s.vacant,
            tenure=s.tenure,
            free=may_be_taken(game, n),
            left=n in left,
        )
        for n, s in enumerate(game.seats)
    ]


def seat_label(game: Game, number: int) -> str:
    """What a seat is called."""
    return f"Seat {number}" if game.state is None else game.title.seat_name(game.state, number)


def status(recorded: str) -> shapes.Status:
    """What clients are told of a status of a game: one that was abandoned is finished, without an outcome."""
    return "finished" if recorded == "abandoned" else recorded  # type: ignore[return-value]


def game(
    then: Game, last: int, holders: Holders, viewer: Viewer, now: str, frozen: int | None = None
) -> shapes.Game:
    """A game after one of its events, through the eyes of *viewer*, looked at *now*.

    *frozen*: of a game in which nothing can follow, the last event that a log vouches for.
    """
    return shapes.Game(
        id=then.id,
        title=then.title_id,
        version=then.version,
        status=status(then.status),
        options=then.options,
        seats=seats(then, holders, viewer.account, viewer.left),
        seq=then.seq,
        last=last,
        analysis=then.analysis,
        origin=then.origin,
        created_at=then.created_at,
        view=view(then, viewer.seat),
        outcome=then.outcome(),
        clock=clock_of(then, now),
        absence=then.absence,
        seating=then.terms.seating,
        opening=opening_of(then),
        ended_by=then.ended_by,  # type: ignore[arg-type]
        expires_at=then.expires_at if then.status == "open" else None,
        directors=then.directors,
        tournament=then.tournament,
        delay=then.terms.delay,
        rated=then.terms.rated and not then.analysis,
        paused=shapes.Paused(then.paused.until, then.paused.by, then.paused.cause) if then.paused else None,
        offers=[
            shapes.OpenOffer(o.offer, o.what, pseudonym(o.by), o.until, sorted((o.by, *o.yes)))
            for o in then.offers
        ],
        frozen=UNSET if frozen is None else frozen,
    )


def clock_of(game: Game, now: str) -> shapes.Clock | None:
    """The clocks of a game; None where no time is counted."""
    if game.clock is None:
        return None
    return shapes.Clock(
        settings=game.clock,
        seats=[
            shapes.SeatClock(
                seat=seat,
                on=clock.since is not None,
                left_ms=clock.left_ms,
                deadline=clock_updates.seat_deadline(game, seat),
            )
            for seat, clock in enumerate(game.clocks)
            if game.seats[seat].person
        ],
        now=now,
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
        due=commit_reveal.next_due(game),
    )


def view(game: Game, seat: Seat | None) -> Json | None:
    """The title's view of *game* through *seat* (None: a spectator); None if it has not begun."""
    if game.state is None:
        return None
    key = (game.id, game.seq, seat, game.version)
    seen = _VIEWS.get(key)
    if seen is None:
        seen = game.title.view_json(game.state, seat)
        _VIEWS.put(key, seen)
    return seen


def panels(game: Game, seat: Seat | None) -> list[dict[str, Any]]:
    """The same view, laid out for a page; empty if the game has not begun."""
    seen = view(game, seat)
    return [] if seen is None else game.title.page_panels(game.state, seat, seen)


def event(
    game: Game, record: Record, seat: Seat | None, text: str | None = None, *, ended: bool | None = None
) -> dict[str, Any]:
    """An event as *seat* may see it, with the *text* that somebody wrote beside it.

    Once it has *ended* (None: as *game* tells) nothing of a game is hidden from anybody.
    """
    kind = lifecycle_facts.FACTS.get(record.type) or game.title.fact_type(record.type)
    if kind is None:
        raise LookupError(f"{game.title_id} knows no event of type {record.type}")
    shown = public_json(
        record.redacted_for(seat, everything=game.has_ended if ended is None else ended), kind
    )
    return shown if text is None else {**shown, "text": text}


def decisions(game: Game, seats: Iterable[Seat], *, name_seats: bool) -> shapes.DecisionsPage:
    """What *game* waits for, and the legal commands of *seats*.

    With *name_seats* each command says which seat gives it: whoever holds several can post it as it stands.
    """
    if game.status != "running" or game.state is None:  # it may run unseen
        return shapes.DecisionsPage(game.title_id, game.seq, [], [], complete=True)
    open_now = game.title.decisions(game.state)
    # While it is paused nobody can do what the game waits for.
    asked = [s for s in seats if game.paused is None and any(d.seat == s for d in open_now)]
    legal: list[shapes.Legal] = []
    complete = True
    for one in asked:
        found, whole = _legal(game, one, MOST_LEGAL // len(asked), name_seats=name_seats)
        legal += found
        complete = complete and whole
    shown = [
        shapes.Decision(
            d.seat, d.kind, list(d.commands), _deadline(game, d), d.free, game.title.question(d.kind)
        )
        for d in open_now
    ]
    return shapes.DecisionsPage(game.title_id, game.seq, shown, legal, complete)


def _deadline(game: Game, decision: Decision) -> str | None:
    """Until when a decision must be answered; None where no time runs for it."""
    return (
        None if decision.seat is None or decision.free else clock_updates.seat_deadline(game, decision.seat)
    )


def _legal(game: Game, seat: Seat, most: int, *, name_seats: bool) -> tuple[list[shapes.Legal], bool]:
    key = (game.id, game.seq, seat, most, name_seats)
    known = _LEGAL.get(key)
    if known is None:
        title, state = game.title, game.state
        every = tuple(title.legal(state, seat))
        commands = evenly(every, most, type)
        whole = len(commands) == len(every) and title.complete(state, seat)
        drawn = by_key(drawn_refs(panels(game, seat)))
        known = ([_one_legal(game, seat, c, drawn, name_seats=name_seats) for c in commands], whole)
        _LEGAL.put(key, known)
    return known


def _one_legal(game: Game, seat: Seat, command: Any, drawn: Drawn, *, name_seats: bool) -> shapes.Legal:
    title, state = game.title, game.state
    label = title.label(state, seat, command)
    told = msgspec.to_builtins(command, str_keys=True)
    refs, ordered = refs_of(told, label, drawn, title.pointing.refs, seat)
    chance = title.likelihood(state, seat, command)
    return shapes.Legal(
        seat,
        label,
        {**told, **({"seat": seat} if name_seats else {})},
        refs,
        ordered or UNSET,
        title.cost(state, seat, command) or UNSET,
        UNSET if chance is None else chance,
        told["type"] in title.pointing.grave or UNSET,
        _war(game, told),
    )


def _war(game: Game, command: Json) -> int | UnsetType:
    """Against whom *command* begins a war."""
    target = command.get(game.title.pointing.wars.get(command["type"], ""))
    return UNSET if target is None or game.title.odds is None else int(target)
