"""Games as the API shows them."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from events.base.bounded_cache import BoundedCache
from events.rules.fact import Json, Seat
from events.rules.fast_chance import FastChance
from events.rules.kit.offers import choose_evenly
from events.rules.kit.refs import group_by_key, list_drawn_refs, refs_of
from events.rules.steps import Decision
from events.rules.title import Title
from events.table import clock_updates, commit_reveal, lifecycle_facts
from events.table.commands.undo import MAX_UNDOS
from events.table.game import Game
from events.table.record import Record, pseudonym, redact_to_json
from events.table.vacancies import may_be_taken
from service.base.display_names import DELETED_ACCOUNT_NAME
from service.base.people import Account, Holders, Viewer
from service.openapi import response_structs
from service.presenters.bot_turns import find_closing_commands

MAX_LEGAL_COMMANDS = 1000
"""The most legal commands of one answer.

The longest lists that titles give whole fit (the 924 first hands of Colonialism).
"""

_LEGAL_CACHE: BoundedCache[tuple[list[response_structs.Legal], bool]] = BoundedCache(1000)
_VIEW_CACHE: BoundedCache[Json] = BoundedCache(4000)
"""A view depends only on the game, the event and the seat, so one that was computed never changes."""


def present_account(who: Account, reliability: int | UnsetType = UNSET) -> response_structs.Account:
    """Return an account, as everybody may see it."""
    return response_structs.Account(who.id, who.name, who.handle, who.kind, who.owner, reliability)


def present_seat(
    number: int,
    label: str,
    holder: Account | None,
    who: Account | None,
    *,
    bot: str | None,
    bot_version: int | None,
    taken: bool,
    vacant: bool = False,
    tenure: int | UnsetType = UNSET,
    free: bool = False,
    left: bool = False,
    colours: Sequence[str] = (),
) -> response_structs.Seat:
    """Return one seat of a game; *colours*: those of all its seats."""
    person = bot is None and taken and not vacant
    return response_structs.Seat(
        seat=number,
        label=label,
        colour=colours[number] if number < len(colours) else UNSET,
        you=person and holder is not None and who is not None and who.id == holder.id,
        tenure=tenure,
        free=free or UNSET,
        left=left or UNSET,
        bot_version=UNSET if bot_version is None else bot_version,
        **_present_holder(holder, bot=bot, taken=taken, vacant=vacant),
    )


def _present_holder(holder: Account | None, *, bot: str | None, taken: bool, vacant: bool) -> dict[str, Any]:
    """Return the holder of a seat, as members: nobody any more, a bot, nobody yet, or an account."""
    if vacant:
        return {"vacant": True}
    if bot is not None:
        return {"bot": bot}
    if not taken:
        return {"open": True}
    if holder is None:  # the account was erased
        return {"name": DELETED_ACCOUNT_NAME}
    handle = holder.handle or UNSET
    return {"account": holder.id, "name": holder.name, "handle": handle, "kind": holder.kind}


def present_seats(
    game: Game, holders: Holders, who: Account | None, left: Container[Seat] = ()
) -> list[response_structs.Seat]:
    """Return the seats of a game; the account *who* may return to those in *left*."""
    colours = game.list_colours()
    return [
        present_seat(
            n,
            get_seat_label(game, n),
            holders.get(n),
            who,
            bot=s.bot,
            bot_version=s.bot_version,
            taken=s.taken,
            vacant=s.vacant,
            tenure=s.tenure,
            free=may_be_taken(game, n),
            left=n in left,
            colours=colours,
        )
        for n, s in enumerate(game.seats)
    ]


def get_seat_label(game: Game, number: int) -> str:
    """Return the name of a seat."""
    return f"Seat {number}" if game.state is None else game.title.seat_name(game.state, number)


def present_status(recorded: str) -> response_structs.Status:
    """Return the status of a game for clients: one that was abandoned is finished, without an outcome."""
    return "finished" if recorded == "abandoned" else recorded  # type: ignore[return-value]


def present_game(
    then: Game, last: int, holders: Holders, viewer: Viewer, now: str, frozen: int | None = None
) -> response_structs.Game:
    """Return a game after one of its events, through the eyes of *viewer*, looked at *now*.

    *frozen*: of a game in which nothing can follow, the last event that a log covers.
    """
    return response_structs.Game(
        id=then.id,
        title=then.title_id,
        version=then.version,
        status=present_status(then.status),
        options=then.options,
        seats=present_seats(then, holders, viewer.account, viewer.left),
        seq=then.seq,
        last=last,
        analysis=then.analysis,
        origin=then.origin,
        created_at=then.created_at,
        view=get_view(then, viewer.seat),
        outcome=then.outcome(),
        clock=present_clock(then, now),
        absence=then.absence,
        seating=then.terms.seating,
        opening=present_opening(then),
        ended_by=then.ended_by,  # type: ignore[arg-type]
        expires_at=then.expires_at if then.status == "open" else None,
        directors=then.directors,
        tournament=then.tournament,
        delay=then.terms.delay,
        rated=then.terms.rated and not then.analysis,
        paused=response_structs.Paused(then.paused.until, then.paused.by, then.paused.cause)
        if then.paused
        else None,
        offers=[
            response_structs.OpenOffer(
                o.offer, o.what, pseudonym(o.by), o.until, sorted((o.by, *o.yes)), o.to
            )
            for o in then.offers
        ],
        undo=then.terms.undo,
        talk=then.terms.talk,
        frozen=UNSET if frozen is None else frozen,
    )


def present_clock(game: Game, now: str) -> response_structs.Clock | None:
    """Return the clocks of a game; None where no time is counted."""
    if game.clock is None:
        return None
    return response_structs.Clock(
        settings=game.clock,
        seats=[
            response_structs.SeatClock(
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


def present_opening(game: Game) -> response_structs.Opening | None:
    """Return what leads to the beginning of a game; None once it has begun."""
    if game.status != "open":
        return None
    terms = game.terms
    return response_structs.Opening(
        key=game.seeded,
        contributions=terms.contributions,
        director_commitment=terms.director,
        beacon=response_structs.BeaconTerms(terms.beacon.chain, terms.beacon.after) if terms.beacon else None,
        invited=list(terms.invited) if terms.invited else None,
        reveal_by_ms=terms.reveal_by_ms,
        committed=[n for n, s in enumerate(game.seats) if s.commitment],
        revealed=[n for n, s in enumerate(game.seats) if s.contribution],
        closed=game.closed is not None,
        due=commit_reveal.next_due(game),
    )


def get_view(game: Game, seat: Seat | None) -> Json | None:
    """Return the title's view of *game* through *seat* (None: a spectator); None if it has not begun."""
    if game.state is None:
        return None
    key = (game.id, game.seq, seat, game.version)
    seen = _VIEW_CACHE.get(key)
    if seen is None:
        seen = game.title.view_json(game.state, seat)
        _VIEW_CACHE.put(key, seen)
    return seen


def get_panels(game: Game, seat: Seat | None) -> list[dict[str, Any]]:
    """Return the same view, arranged for a page; empty if the game has not begun."""
    seen = get_view(game, seat)
    return [] if seen is None else game.title.page_panels(game.state, seat, seen)


def present_event(
    game: Game, record: Record, seat: Seat | None, text: str | None = None, *, ended: bool | None = None
) -> dict[str, Any]:
    """Return an event as *seat* may see it, with the *text* that a person wrote beside it.

    Once it has *ended* (None: as *game* tells) nothing of a game is hidden from anybody.
    """
    texts = {} if text is None else {record.seq: text}
    return present_events(game, [record], seat, texts, ended=ended)[0]


def present_events(
    game: Game,
    records: Sequence[Record],
    seat: Seat | None,
    texts: Mapping[int, str],
    *,
    ended: bool | None = None,
) -> list[dict[str, Any]]:
    """Return events as :func:`present_event` does, with their *texts* by seq."""
    types = {record.type for record in records}
    kinds = {name: lifecycle_facts.FACTS[name] for name in types & lifecycle_facts.FACTS.keys()}
    for name in types - kinds.keys():
        kind = game.title.fact_type(name)
        if kind is None:
            raise LookupError(f"{game.title_id} has no event of type {name}")
        kinds[name] = kind
    shown = redact_to_json(records, kinds, seat, everything=game.has_ended if ended is None else ended)
    for event in shown if texts else ():
        if event["seq"] in texts:
            event["text"] = texts[event["seq"]]
    return shown


def present_decisions(
    game: Game, seats: Collection[Seat], *, name_seats: bool, replacing: bool = False, refs: bool = False
) -> response_structs.DecisionsPage:
    """Return the decisions that *game* waits for, and the legal commands of *seats*.

    With *name_seats* each command says which seat gives it: a player who holds several can post it as it
    stands. With *replacing* the commands are listed that may replace their covered answers. With *refs* each
    command has what only a page asks for: the drawn things that it names, and if a bot may act after it.
    """
    if game.status != "running" or game.state is None:  # it may run unseen
        return response_structs.DecisionsPage(game.title_id, game.seq, [], [], [], complete=True, undo=[])
    open_now, covered = game.title.decisions(game.state), game.title.replaceable(game.state)
    # While it is paused nobody can do what the game waits for.
    asked = [s for s in seats if game.paused is None and any(d.seat == s for d in open_now)]
    legal: list[response_structs.Legal] = []
    complete = True
    for one in asked:
        most = MAX_LEGAL_COMMANDS // len(asked)
        found, whole = _list_legal(game, one, most, name_seats=name_seats, refs=refs)
        legal += found
        complete = complete and whole
    replacements: list[response_structs.Legal] = []
    answered = [s for s in seats if game.paused is None and any(d.seat == s for d in covered)]
    for one in answered if replacing else ():
        most = MAX_LEGAL_COMMANDS // len(answered)
        found, whole = _list_legal(game, one, most, name_seats=name_seats, replacing=True, refs=refs)
        replacements += found
        complete = complete and whole
    return response_structs.DecisionsPage(
        game.title_id,
        game.seq,
        [_present_decision(game, d, _get_deadline(game, d)) for d in open_now],
        legal,
        [_present_decision(game, d, None) for d in covered],
        complete,
        [one for seat in seats for one in _list_undoable(game, seat)],
        replacements if replacing else UNSET,
    )


def _present_decision(game: Game, decision: Decision, deadline: str | None) -> response_structs.Decision:
    return response_structs.Decision(
        decision.seat,
        decision.kind,
        list(decision.commands),
        deadline,
        decision.free,
        game.title.question(decision.kind),
    )


def _list_undoable(game: Game, seat: Seat) -> Iterator[response_structs.Undoable]:
    """Yield what *seat* can take back, or propose to, the newest first."""
    if not game.seats[seat].person or game.undoable.undos >= MAX_UNDOS:
        return
    for kept in reversed(game.undoable.kept):
        if game.terms.undo == "ask" or kept.seat == seat:
            yield response_structs.Undoable(kept.seq, seat, kept.seat)


def _get_deadline(game: Game, decision: Decision) -> str | None:
    """Return the time by which a decision must be answered; None where no time runs for it."""
    return (
        None if decision.seat is None or decision.free else clock_updates.seat_deadline(game, decision.seat)
    )


def _list_legal(
    game: Game, seat: Seat, most: int, *, name_seats: bool, refs: bool, replacing: bool = False
) -> tuple[list[response_structs.Legal], bool]:
    key = (game.id, game.seq, seat, most, name_seats, replacing, refs)
    known = _LEGAL_CACHE.get(key)
    if known is None:
        title, state = game.title, game.state
        every = tuple(title.replacements(state, seat) if replacing else title.legal(state, seat))
        commands = choose_evenly(every, most, type)
        listed = title.replacements_complete if replacing else title.complete
        whole = len(commands) == len(every) and listed(state, seat)
        shown = list(_present_legal(title, state, seat, commands, name_seats=name_seats))
        if refs:
            shown = list(_add_refs(game, seat, commands, shown, replacing=replacing))
        if replacing:
            shown = _mark_given(game, seat, commands, shown)
        known = (shown, whole)
        _LEGAL_CACHE.put(key, known)
    return known


def _add_refs(
    game: Game,
    seat: Seat,
    commands: Sequence[Any],
    shown: Iterable[response_structs.Legal],
    *,
    replacing: bool,
) -> Iterator[response_structs.Legal]:
    """Yield *shown*, each with the drawn things that it names, and told if a bot may act after it.

    This draws the whole board and tries the commands, which costs more than all the rest.
    """
    drawn = group_by_key(list_drawn_refs(get_panels(game, seat)))
    closing = () if replacing else find_closing_commands(game, seat, commands)
    for place, (command, legal) in enumerate(zip(commands, shown, strict=True)):
        plain = msgspec.to_builtins(command, str_keys=True)
        refs, ordered = refs_of(plain, legal.label, drawn, game.title.pointing.refs, seat)
        bot_next = place in closing or UNSET
        yield replace(legal, refs=refs, ordered=ordered or UNSET, bot_next=bot_next)


def _mark_given(
    game: Game, seat: Seat, commands: Iterable[Any], shown: list[response_structs.Legal]
) -> list[response_structs.Legal]:
    """Return *shown*, the answer marked that lies covered now: given again it changes nothing."""
    for number, command in enumerate(commands):
        if game.title.decide(game.state, seat, command, FastChance(0)).state == game.state:
            return [*shown[:number], replace(shown[number], given=True), *shown[number + 1 :]]
    return shown


def _present_legal(
    title: Title[Any], state: Any, seat: Seat, commands: Iterable[Any], *, name_seats: bool
) -> Iterator[response_structs.Legal]:
    """Yield *commands* as *seat* sees them. All that is the same for a list is looked up once."""
    label, cost, likelihood = title.label, title.cost, title.likelihood
    grave, wars = title.pointing.grave, title.pointing.wars if title.odds is not None else {}
    for command in commands:
        plain = msgspec.to_builtins(command, str_keys=True)
        kind = plain["type"]
        chance = likelihood(state, seat, command)
        against = plain.get(wars[kind]) if kind in wars else None
        yield response_structs.Legal(
            seat,
            label(state, seat, command),
            {**plain, "seat": seat} if name_seats else plain,
            cost=cost(state, seat, command) or UNSET,
            chance=UNSET if chance is None else chance,
            grave=kind in grave or UNSET,
            war=UNSET if against is None else int(against),
        )
