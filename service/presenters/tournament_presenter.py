"""Tournaments as the API shows them: the log's facts, with the names that stand beside it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from msgspec import UNSET

from events.rules.catalogue import RulesMissing
from events.rules.fact import Json
from events.table.record import Record, public_json
from events.tournament import schedule
from events.tournament.folding import FACTS
from events.tournament.scoring import UNIT
from events.tournament.settings import Settings
from events.tournament.standings import lot_key, make_standings, score_table
from events.tournament.state import Entrant, Round, Table, Tournament, entrant_name, entrant_names
from events.tournament.waiting import find_awaited
from service.base.people import Account, Participation, StoredText, get_entrant_label
from service.openapi import tournament_structs
from service.presenters import tie_break_meanings
from service.presenters.spreadsheet import divide, make_cell, make_decimal
from service.presenters.trf16 import Heading

AccountsByName = Mapping[str, Account]
"""The accounts of entrants and directors, by their names in the log."""


def present_summary(state: Tournament, name: str | None, visibility: Any, club: str | None) -> dict[str, Any]:
    """Return the members of a tournament at a glance."""
    settings = state.settings
    return {
        "id": state.id,
        "name": name,
        "title": settings.title,
        "status": state.status,
        "formats": [stage.format for stage in settings.stages],
        "entrants": sum(one.is_playing and not one.reserve for one in state.entrants),
        "most": settings.entry.most,
        "stage": min(state.stage, len(settings.stages)),
        "round": state.next_round - 1,
        "seq": state.seq,
        "created_at": state.created_at,
        "starts_at": settings.schedule.starts_at,
        "visibility": visibility,
        "club": club,
    }


def present_tournament(
    state: Tournament,
    last: int,
    part: Participation,
    accounts: AccountsByName,
    texts: Mapping[str, StoredText],
    now: str,
    **more: Any,
) -> tournament_structs.Tournament:
    """Return a tournament after one of its events, of which *last* is the newest, at the time *now*.

    *more*: further members of a summary.
    """
    settings = state.settings
    window = schedule.next_check_in_window(state) if state.paused is None else None
    return tournament_structs.Tournament(
        **present_summary(state, _get_text(texts, settings.name), more.pop("visibility"), more.pop("club")),
        last=last,
        description=_get_text(texts, settings.description),
        settings=msgspec.to_builtins(settings),
        version=state.title_version,
        data_hash=state.data_hash,
        key=state.key.hex(),
        chance=state.commitments,
        directors=[
            _present_director(number, role, accounts) for number, role in sorted(state.directors.items())
        ],
        paused=state.paused,
        first_round=_present_first_round(settings),
        over=state.over,
        check_in=None if window is None else tournament_structs.Window(state.next_round, *window),
        reveal_until=schedule.reveal_deadline(state) if state.entry_closed_at and not state.mixed else None,
        waits_for=[
            tournament_structs.AwaitedStep(**msgspec.structs.asdict(one)) for one in find_awaited(state, now)
        ],
        you=tournament_structs.MyPart(
            None if part.entrant is None else entrant_name(part.entrant),
            None if part.director is None else f"d{part.director}",
            part.role,
        ),
        **more,
    )


def _get_text(texts: Mapping[str, StoredText], digest: str | None) -> str | None:
    kept = texts.get(digest) if digest else None
    return None if kept is None else kept.text


def _present_first_round(settings: Settings) -> tournament_structs.FirstRound:
    """Return the start of the first round: a director's, unless the settings have a time for it."""
    times, is_ladder = settings.schedule, settings.stages[0].format == "ladder"
    at = times.at[0] if times.round == "fixed" else times.starts_at
    by_hand = not is_ladder and (at is None or times.round == "manual")
    return tournament_structs.FirstRound(
        started_by="director" if by_hand else "server",
        at=None if by_hand else at,
        command="start_round" if by_hand else None,
    )


def _present_director(number: int, role: Any, accounts: AccountsByName) -> tournament_structs.RunBy:
    account = accounts.get(f"d{number}")
    name = f"Director {number}" if account is None else account.name
    return tournament_structs.RunBy(f"d{number}", role, name, None if account is None else account.id)


def present_event(record: Record, texts: Mapping[str, StoredText]) -> dict[str, Any]:
    """Return an event, with the text that a person wrote beside it; all of it is public."""
    shown = public_json(record, FACTS[record.type])
    text = _get_text(texts, shown["data"].get("text"))
    return shown if text is None else {**shown, "text": text}


_LOG_NAME = re.compile(r"\b(Entrant|Director) ([1-9][0-9]{0,3})\b")


def write_sentence(record: Record, accounts: AccountsByName) -> str:
    """Return a sentence on what happened, with the names of those whom it tells of."""
    kind = FACTS[record.type]
    sentence = kind.tell(msgspec.json.decode(record.envelope().data), str)

    def replace_name(found: re.Match[str]) -> str:
        account = accounts.get(f"{found[1][0].lower()}{found[2]}")
        return found[0] if account is None else account.name

    return _LOG_NAME.sub(replace_name, sentence)


def present_entrant(one: Entrant, accounts: AccountsByName) -> tournament_structs.EntrantTold:
    """Return an entrant."""
    account = accounts.get(entrant_name(one.number))
    return tournament_structs.EntrantTold(
        entrant=entrant_name(one.number),
        name=f"Entrant {one.number}" if account is None else account.name,
        account=None if account is None else account.id,
        handle=None if account is None else account.handle,
        kind=None if account is None else account.kind,
        status=_get_entrant_status(one),
        late=one.late,
        checked_in=one.checked,
        warnings=one.warnings,
        ready=one.ready,
        asked_byes=list(one.asked),
        committed=one.commitment is not None,
        revealed=one.contribution is not None,
    )


def _get_entrant_status(one: Entrant) -> Any:
    if one.disqualified:
        return "disqualified"
    if one.withdrawn:
        return "withdrawn"
    if one.accepted is not True:
        return "awaits_admission" if one.accepted is None else "refused"
    return "reserve" if one.reserve else "playing"


def present_round(state: Tournament, one: Round) -> tournament_structs.RoundTold:
    """Return one round; before its start as it would start now, without those who have left."""
    status = "closed" if one.closed_at else "running" if one.started_at else "paired"
    tables, byes = one.tables, one.byes
    if not one.started_at:
        seated, byes = schedule.seat_present(state, one)
        tables = tuple(Table(number, pod) for number, pod in enumerate(seated, 1))
    return tournament_structs.RoundTold(
        stage=one.stage,
        round=one.number,
        status=status,  # type: ignore[arg-type]
        tables=[present_table(state, one, table) for table in tables],
        byes=list(entrant_names(byes)),
        repeats=one.drawn.repeats,
        gap=one.drawn.gap,
        draw=one.draw,
        paired_at=one.paired_at,
        started_at=one.started_at or None,
        closed_at=one.closed_at or None,
        standings=one.standings or None,
    )


def present_table(state: Tournament, one: Round, table: Table) -> tournament_structs.TournamentTable:
    """Return one table of a round."""
    scored = score_table(state.settings, table)
    result = table.result
    return tournament_structs.TournamentTable(
        table=table.number,
        game=table.game or None,
        entrants=list(entrant_names(table.entrants)),
        holders=list(entrant_names(table.holders)),
        status=_get_table_status(state, one, table),
        attempt=table.attempt,
        colours=_list_colours(state, len(table.entrants)),
        places=UNSET if scored is None else list(scored.places),
        points=UNSET if scored is None else list(scored.points),
        points_decimal=UNSET if scored is None else [make_decimal(one) for one in scored.points],
        scores=UNSET if result is None or result.scores is None else list(result.scores),
        confirmed_by=UNSET if result is None else list(entrant_names(table.confirms)),
    )


def _list_colours(state: Tournament, seats: int) -> list[str]:
    """Return the colours of a table of so many *seats*; none if the rules of the title are gone."""
    try:
        title = state.title
    except RulesMissing:
        return []
    return list(title.seat_colours(seats, msgspec.convert(state.settings.options, title.Options)))


def _get_table_status(state: Tournament, one: Round, table: Table) -> Any:
    if not one.started_at:
        return "paired"
    if table.confirmed:
        return "confirmed"
    if table.result is None:
        return "starting" if table.head is None else "playing"
    return "disputed" if schedule.is_disputed(state, one.number, table.number) else "ended"


def present_standings(
    state: Tournament, number: int | None, accounts: AccountsByName
) -> tournament_structs.StandingsPage:
    """Return the standings after round *number*; None: the newest that has started."""
    newest = max(1, state.next_round - 1)
    upto = newest if number is None else number
    found = state.rounds[upto - 1] if upto <= len(state.rounds) else None
    lots = lot_key(state, found.lot) if found is not None else None
    lines = make_standings(state, min(upto, len(state.rounds)), lots)
    return tournament_structs.StandingsPage(
        seq=state.seq,
        stage=found.stage if found is not None else min(state.stage, len(state.settings.stages)),
        round=upto if state.rounds else 0,
        provisional=found is None or not found.closed_at,
        unit=UNIT,
        tie_breaks=[tie_break_meanings.describe(name) for name in state.settings.tie_breaks or ()],
        standings=[
            {**_add_decimals(line), **_present_name(line["entrant"], state, accounts)} for line in lines
        ],
    )


def _add_decimals(line: Json) -> Json:
    """Return a line of the standings with decimals beside its points, tie-breaks and rounds."""
    rounds = [{**one, "points_decimal": make_decimal(one["points"])} for one in line["rounds"]]
    breaks = {
        name: make_cell(line[name] if told.unit == 1 else divide(line[name], told.unit))
        for name, told in tie_break_meanings.MEANINGS.items()
        if name in line
    }
    return {
        **line,
        "points_decimal": make_decimal(line["points"]),
        "tie_breaks_decimal": breaks,
        "rounds": rounds,
    }


def _present_name(name: str, state: Tournament, accounts: AccountsByName) -> Json:
    account = accounts.get(name)
    return {
        "name": get_entrant_label(state, int(name[1:]), accounts),
        "account": None if account is None else account.id,
    }


def make_trf_heading(state: Tournament, accounts: AccountsByName, texts: Mapping[str, StoredText]) -> Heading:
    """Return the names at the head of FIDE's report: the owner is the chief arbiter."""
    name = _get_text(texts, state.settings.name) or f"Tournament {state.id}"
    arbiter, *deputies = (
        _present_director(number, role, accounts).name
        for number, role in sorted(state.directors.items(), key=lambda one: (one[1] != "owner", one[0]))
    )
    return Heading(name, arbiter, tuple(deputies))


def present_disputes(
    state: Tournament, records: Iterable[Record], texts: Mapping[str, StoredText]
) -> tournament_structs.DisputesPage:
    """Return disputes and rulings, as *records* tell of them."""
    raised: list[tournament_structs.DisputeTold] = []
    ruled: list[tournament_structs.RulingTold] = []
    for record in records:
        if record.type not in ("DisputeRaised", "Ruled"):
            continue
        envelope = record.envelope()
        data = msgspec.json.decode(envelope.data)
        text = _get_text(texts, data.pop("text"))
        if record.type == "DisputeRaised":
            is_open = state.disputes[data["dispute"] - 1].open
            raised.append(tournament_structs.DisputeTold(**data, open=is_open, at=envelope.at, text=text))
        else:
            appealed = state.rulings[data["ruling"] - 1].appealed
            ruled.append(tournament_structs.RulingTold(**data, appealed=appealed, at=envelope.at, text=text))
    return tournament_structs.DisputesPage(raised, ruled, state.seq)
