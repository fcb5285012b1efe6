"""Commands of the table in a seat's copy: decided like in a whole bundle, without the state of the title."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from events.base.timestamps import DAY_MS, add_milliseconds
from events.clocks.clock import HOUR, MINUTE
from events.rules.steps import Command, Rejected
from events.table import bundle, clock_updates
from events.table.commands import command_rules
from events.table.commands.expiry import IDLE_MS, TableExpire, TableWarn
from events.table.commands.leaving import TableLeave, TableRemove, TableReturn, TableSeat, TableSwap
from events.table.commands.offers import TableAnswer, TableOffer
from events.table.commands.outages import TableOutage
from events.table.commands.rulings import TableAddTime, TableEnd, TablePause, TableResume
from events.table.commands.time_outs import TableTimeOut
from events.table.commands.vacations import TableVacation
from events.table.conduct_facts import (
    OfferAnswered,
    SeatOnVacation,
    SeatsSwapped,
    TableOffered,
    TablePaused,
    TableResumed,
    TableWarned,
)
from events.table.engine import Batch
from events.table.lifecycle_facts import ClockAdjusted, SeatGiven, SeatVacated
from events.table.record import Draws
from events.table.vacancies import abandon_game
from events.verify import BadBundle, Trust, check_bundle, verify
from events.verify.disclosure import write_disclosed
from tests.events.forging import Forgery
from tests.events.seated import Seated
from tests.recorded_table import SIGNER

KEY = SIGNER.verifier
LIVE = {"kind": "live", "base_ms": 60_000, "increment_ms": 5_000, "cap_ms": 600_000}
QUIET = {"from_min": 22 * 60, "to_min": 7 * 60, "offset_min": 60, "days": [7]}
DAYS = {
    "kind": "correspondence",
    "per_decision_ms": DAY_MS,
    "bank_ms": 2 * DAY_MS,
    "bank_add_ms": HOUR,
    "first_ms": 600_000,
    "vacation_ms": 3 * DAY_MS,
    "quiet": QUIET,
}
CLOCKS = {"none": None, "live": LIVE, "days": DAYS, "days without quiet": {**DAYS, "quiet": None}}


GAME = "019a9f00-0000-7000-8000-000000000001"


class Wanderer:
    """Does whatever can be done at a table, by lot; what is refused is left out.

    *until_end*: also what may end the game.
    """

    def __init__(self, clock: str, seed: int, *, until_end: bool = False) -> None:
        self.lot = random.Random(seed)
        then = self.lot.choice(["open", "bot:random", "defaults"])
        absence = {"then": then, "misses": 2, "excuses": 1, "least_people": 0, "fill_ms": HOUR}
        directors = self.lot.choice([None, 2])
        self.table = Seated(4, absence=absence, clock=CLOCKS[clock], directors=directors, game_id=GAME)
        self.whos = [sits.who for sits in self.table.game.seats]
        self.until_end = until_end

    def walk(self, steps: int) -> Seated:
        for _ in range(steps):
            if self.table.game.has_ended:
                break
            with contextlib.suppress(Rejected):
                self.step()
        return self.table

    def step(self) -> None:
        table, game, lot = self.table, self.table.game, self.lot
        seat, at = lot.randrange(4), table.at
        director = "d0" if game.directors is None else lot.choice(["d1", "d2"])
        choice = lot.randrange(16)
        table.wait(lot.choice([1, 20, 3600, 50_000]))
        if choice < 4:
            table.play(2)
        elif choice < 7:
            due = [(until, n) for n in game.persons if (until := clock_updates.seat_deadline(game, n))]
            if due:
                until, who = min(due)
                table.clock.go_to(max(until, table.at))
                table.rule(None, TableTimeOut(who, until))
        else:
            commands: list[tuple[Any, Command]] = [
                (seat, TableLeave()),
                (seat, TableReturn(self.whos[seat])),
                (seat, TableSeat(seat, who=Seated.who(9))),
                (director, TableRemove(seat, "conduct")),
                (director, TableSeat(seat, "random")),
                (seat, TableOffer("pause", add_milliseconds(table.at, 20 * MINUTE))),
                (seat, TableOffer("more_time")),
                (seat, TableOffer("resume")),
                *[
                    (n, TableAnswer(offer.offer, lot.random() < 0.9))
                    for offer in game.offers
                    for n in range(4)
                ],
                (director, TablePause(add_milliseconds(table.at, DAY_MS), "schedule")),
                (lot.choice([None, director]), TableResume()),
                (director, TableAddTime(seat, lot.randrange(1, 60_000))),
                ((seat + 1) % 4, TableAddTime(seat, lot.randrange(1, 60_000))),
                (None, TableVacation(seat, add_milliseconds(table.at, lot.choice([-1000, DAY_MS])))),
                (None, TableOutage(add_milliseconds(at, 500), table.at)),
                (None, TableWarn()),
                (director, TableEnd("error")),
            ]
            for actor, command in lot.sample(commands[: None if self.until_end else -1], 6):
                with contextlib.suppress(Rejected):
                    table.rule(actor, command)
                    break


def copies(table: Seated) -> list[tuple[int | None, list[bytes]]]:
    """What each seat, and a spectator, holds of a game."""
    lines = list(bundle.write_lines(table.game, table.records, None, SIGNER))
    if table.game.has_ended:
        found = check_bundle(lines, Trust(keys=[KEY]))
        return [(seat, list(write_disclosed(found, seat, None))) for seat in range(4)]
    return [
        (seat, list(bundle.write_lines(table.game, table.records, seat, SIGNER))) for seat in (None, 0, 3)
    ]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("clock", CLOCKS)
def test_whatever_is_done_at_a_table_holds_in_copies(clock, seed):
    """By lot: leaving, returning, pauses, time-outs, gifts, vacations, outages, rulings, moves."""
    table = Wanderer(clock, seed, until_end=seed % 2 == 1).walk(60)
    for _, lines in copies(table):
        told = verify(lines, key=KEY, partial=True)
        assert told.events == table.game.seq
    types = {record.type for record in table.records}
    assert "GameBegan" in types


def test_an_open_table_holds_in_copies():
    """Before the game begins: leaving, removing, bots, places that are changed, the end."""
    table = Seated(4, open_seats=[1, 2], directors=1, expires_at="2026-03-01T00:00:00.000000Z")
    table.give("d1", TableSwap((0, 1)))
    table.give("d0", TableRemove(3, "other"))
    table.give("d1", TableSeat(3, "random"))
    table.sit(0)
    table.give(1, TableLeave())
    for seat in (None, 0):
        lines = list(bundle.write_lines(table.game, table.records, seat, SIGNER))
        assert verify(lines, key=KEY, partial=True).events == table.game.seq


def test_a_copy_says_the_result_and_that_it_is_not_checked():
    """Who won follows from what is hidden; a copy of the ended game repeats what its last event says."""
    table = Seated(2, bots=1)
    table.play()
    said = verify(copies(table)[0][1], key=KEY, partial=True)
    assert f"  {'result':<14} said, not checked: won by seat" in said.summary()
    assert said.to_json()["result_checked"] is False
    left = Seated(2)
    left.give(0, TableLeave())
    lines = list(bundle.write_lines(left.game, left.records, None, SIGNER))
    found = check_bundle(lines, Trust(keys=[KEY]))
    said = verify(write_disclosed(found, 1, None), key=KEY, partial=True)
    assert f"  {'result':<14} said, not checked: abandoned (deserted)" in said.summary()
    whole = verify(lines, key=KEY)
    assert f"  {'result':<14} abandoned (deserted)" in whole.summary()
    assert whole.to_json()["result_checked"] is True


# --- forged --------------------------------------------------------------------------------------------


def forged(table: Seated, actor: Any, command: Command, *facts: Any, **cause: Any) -> None:
    """Record a command that the rules refuse, or with other facts than theirs."""
    table.wait(1)
    table.forge(*facts, by=actor, command=command, **cause)


def decided(table: Seated, actor: Any, command: Command) -> tuple[Any, ...]:
    """The facts that the rules give."""
    keys = (table.secrets, table.chain)
    return tuple(command_rules.decide(table.game, actor, command, table.at, keys, table.find_bot).facts)


def noted(table: Seated, actor: Any, command: Command, *facts: Any) -> dict[str, Any] | None:
    return clock_updates.make_clock_note(table.game, actor, command, Batch(list(facts)), table.at)


def removal_by_no_director(table: Seated) -> None:
    command = TableRemove(1, "conduct")
    forged(table, "d3", command, *decided(table, "d1", command))


def removal_by_a_seat(table: Seated) -> None:
    command = TableRemove(1, "conduct")
    forged(table, 0, command, *decided(table, "d1", command))


def removal_of_another(table: Seated) -> None:
    forged(table, "d1", TableRemove(1, "conduct"), *decided(table, "d1", TableRemove(2, "conduct")))


def removal_of_a_bot(table: Seated) -> None:
    forged(table, "d1", TableRemove(3, "conduct"), SeatVacated(3, "removed"))


def time_to_another_seat(table: Seated) -> None:
    facts = decided(table, "d1", TableAddTime(2, 9_000))
    command = TableAddTime(1, 9_000)
    forged(table, "d1", command, *facts, clock=noted(table, "d1", command, *facts))


def time_to_oneself(table: Seated) -> None:
    command = TableAddTime(1, 9_000)
    facts = decided(table, 0, command)
    forged(table, 1, command, *facts, clock=noted(table, 1, command, *facts))


def more_time_than_was_given(table: Seated) -> None:
    facts = decided(table, "d1", TableAddTime(1, 90_000))
    command = TableAddTime(1, 9_000)
    forged(table, "d1", command, *facts, clock=noted(table, "d1", command, *facts))


def time_beside_the_fact(table: Seated) -> None:
    command = TableAddTime(1, 9_000)
    facts = decided(table, "d1", command)
    note = noted(table, "d1", command, *facts)
    assert note is not None
    note["left"]["p1"] += 60_000
    forged(table, "d1", command, *facts, clock=note)


def time_without_a_note(table: Seated) -> None:
    command = TableAddTime(1, 9_000)
    forged(table, "d1", command, *decided(table, "d1", command))


def time_for_nothing(table: Seated) -> None:
    """A note of a command that changes no clock."""
    left = table.game.clocks[2].left_ms + 60_000
    forged(table, 0, TableOffer("end"), *decided(table, 0, TableOffer("end")), clock={"left": {"p2": left}})


def a_pause_of_years(table: Seated) -> None:
    until = add_milliseconds(table.at, 900 * DAY_MS)
    facts = [TablePaused(until, "d1", "schedule")]
    forged(
        table, "d1", TablePause(until, "schedule"), *facts, clock=noted(table, "d1", TableResume(), *facts)
    )


def a_pause_until_another_time(table: Seated) -> None:
    command = TablePause(add_milliseconds(table.at, DAY_MS), "schedule")
    facts = decided(table, "d1", TablePause(add_milliseconds(table.at, 2 * DAY_MS), "schedule"))
    forged(table, "d1", command, *facts, clock=noted(table, "d1", command, *facts))


def a_pause_by_agreement_of_one(table: Seated) -> None:
    until = add_milliseconds(table.at, 10 * MINUTE)
    facts = [TableOffered(1, "pause", "p0", until), TablePaused(until, "p0", "agreement")]
    command = TableOffer("pause", until)
    forged(table, 0, command, *facts, clock=noted(table, 0, command, *facts))


def a_resume_without_a_pause(table: Seated) -> None:
    forged(table, "d1", TableResume(), TableResumed())


def a_resume_before_its_time(table: Seated) -> None:
    table.give("d1", TablePause(add_milliseconds(table.at, DAY_MS), "schedule"))
    facts = [TableResumed()]
    forged(table, None, TableResume(), *facts, clock=noted(table, None, TableResume(), *facts))


def on_the_clock(table: Seated) -> tuple[int, str]:
    """A seat whose time runs, and until when."""
    found = ((n, clock_updates.seat_deadline(table.game, n)) for n in table.game.persons)
    return next((seat, until) for seat, until in found if until is not None)


def a_time_out_before_its_deadline(table: Seated) -> None:
    seat, until = on_the_clock(table)
    command = TableTimeOut(seat, until)
    at, table.clock.at = table.at, until
    facts = decided(table, None, command)
    table.clock.at = at
    forged(table, None, command, *facts, clock=noted(table, None, command, *facts))


def a_time_out_of_another_deadline(table: Seated) -> None:
    seat, until = on_the_clock(table)
    at, table.clock.at = table.at, until
    facts = decided(table, None, TableTimeOut(seat, until))
    table.clock.at = at
    early = table.at
    facts = (replace(facts[0], deadline=early), *facts[1:])
    forged(table, None, TableTimeOut(seat, early), *facts, clock=noted(table, None, TableResume(), *facts))


def time_out(table: Seated, change: Callable[[Any], Any]) -> None:
    seat, until = on_the_clock(table)
    table.clock.go_to(until)
    command = TableTimeOut(seat, until)
    facts = [change(decided(table, None, command)[0])]
    table.forge(*facts, command=command, clock=noted(table, None, command, *facts))


def a_time_out_with_an_excuse_more(table: Seated) -> None:
    time_out(table, lambda fact: fact)
    time_out(table, lambda fact: replace(fact, excused=True, misses=0))


def a_time_out_without_what_it_leads_to(table: Seated) -> None:
    time_out(table, lambda fact: fact)
    time_out(table, lambda fact: fact)


def a_time_out_for_nothing_that_was_awaited(table: Seated) -> None:
    time_out(table, lambda fact: replace(fact, kinds=()))


def a_time_out_for_what_there_is_not(table: Seated) -> None:
    time_out(table, lambda fact: replace(fact, kinds=("no_such_kind",)))


def swapped_seats(table: Seated) -> None:
    forged(table, "d1", TableSwap((0, 1)), SeatsSwapped((0, 1)))


def a_seat_that_is_taken_over(table: Seated) -> None:
    command = TableSeat(1, who=Seated.who(9))
    facts = [SeatGiven(1, None, 2, Seated.who(9), None)]
    forged(table, 1, command, *facts, clock=noted(table, 1, command, *facts))


def a_return_after_a_removal(table: Seated) -> None:
    table.give("d1", TableRemove(1, "conduct"))
    command = TableReturn(Seated.who(1))
    facts = [SeatGiven(1, None, 3, Seated.who(1), None)]
    forged(table, 1, command, *facts, clock=noted(table, 1, command, *facts))


def an_answer_to_another_offer(table: Seated) -> None:
    table.give(0, TableOffer("end"))
    forged(table, 1, TableAnswer(5, yes=True), OfferAnswered(1, 1, yes=True))


def a_vacation_without_end(table: Seated) -> None:
    until = add_milliseconds(table.at, 900 * DAY_MS)
    facts = [SeatOnVacation(0, until)]
    command = TableVacation(0, until)
    forged(table, None, command, *facts, clock=noted(table, None, command, *facts))


def an_outage_in_which_something_happened(table: Seated) -> None:
    table.give(0, TableOffer("end"))
    command = TableOutage(add_milliseconds(table.at, -20_000), table.at)
    facts = [ClockAdjusted(0, 20_000, "outage")]
    forged(table, None, command, *facts, clock=noted(table, None, command, *facts))


def an_end_by_no_director(table: Seated) -> None:
    forged(table, "d3", TableEnd("error"), *decided(table, "d1", TableEnd("error")))


def an_expiry_without_a_warning(table: Seated) -> None:
    forged(table, None, TableExpire(), abandon_game("deserted", "sys", (table.secrets, table.chain)))


def a_warning_too_early(table: Seated) -> None:
    forged(table, None, TableWarn(), TableWarned(add_milliseconds(table.at, 30 * DAY_MS)))


def draws_for_a_command_of_the_table(table: Seated) -> None:
    command = TableOffer("end")
    forged(table, 0, command, *decided(table, 0, command), draws=Draws(hidden=3))


def a_fact_more(table: Seated) -> None:
    command = TableOffer("end")
    forged(table, 0, command, *decided(table, 0, command), TableResumed())


def a_move_in_a_pause(table: Seated) -> None:
    pause = TablePause(add_milliseconds(table.at, DAY_MS), "schedule")
    before = table.game
    table.give("d1", pause)
    paused = table.game
    table.game = replace(paused, paused=None)
    seat = before.title.awaited(before.state)[0].seat
    command = before.title.legal(before.state, seat)
    batch = table.decided(seat, next(iter(command)))
    table.game = paused
    table.forge(
        *batch.facts, by=seat, draws=batch.draws, command=next(iter(before.title.legal(before.state, seat)))
    )


FORGERIES = [
    removal_by_no_director,
    removal_by_a_seat,
    removal_of_another,
    removal_of_a_bot,
    time_to_another_seat,
    time_to_oneself,
    more_time_than_was_given,
    time_beside_the_fact,
    time_without_a_note,
    time_for_nothing,
    a_pause_of_years,
    a_pause_until_another_time,
    a_pause_by_agreement_of_one,
    a_resume_without_a_pause,
    a_resume_before_its_time,
    a_time_out_before_its_deadline,
    a_time_out_of_another_deadline,
    a_time_out_with_an_excuse_more,
    a_time_out_without_what_it_leads_to,
    a_time_out_for_nothing_that_was_awaited,
    a_time_out_for_what_there_is_not,
    swapped_seats,
    a_seat_that_is_taken_over,
    a_return_after_a_removal,
    an_answer_to_another_offer,
    a_vacation_without_end,
    an_outage_in_which_something_happened,
    an_end_by_no_director,
    an_expiry_without_a_warning,
    a_warning_too_early,
    draws_for_a_command_of_the_table,
    a_fact_more,
    a_move_in_a_pause,
]


def seated(forgery: Any) -> Seated:
    """A game of three people and a bot, with two directors."""
    clock = {a_vacation_without_end: DAYS, a_warning_too_early: None}.get(forgery, LIVE)
    absence = {"excuses": 1, "misses": 3, "may_return": True, "then": "bot:random"}
    table = Seated(3, bots=1, directors=2, clock=clock, absence=absence, game_id=GAME)
    while clock is not None and not any(one.since for one in table.game.clocks):
        table.play(1)  # the bot's turn
    return table


@pytest.mark.parametrize("forgery", FORGERIES, ids=lambda one: one.__name__)
def test_what_the_rules_do_not_give_is_bad_in_a_copy(forgery):
    """A writer with all keys is found out at that event, by every seat and by spectators."""
    table = seated(forgery)
    table.wait(2)
    honest = list(bundle.write_lines(table.game, table.records, 2, SIGNER))
    assert verify(honest, key=KEY, partial=True).events == table.game.seq
    forgery(table)
    for seat, lines in copies(table):
        with pytest.raises(BadBundle) as bad:
            verify(lines, key=KEY, partial=True)
        begun = next(r.seq for r in table.records if r.command_id == table.records[-1].command_id)
        assert bad.value.seq is not None, (seat, bad.value)
        assert begun <= bad.value.seq <= table.game.seq + 1, (seat, bad.value)
        assert "cannot be checked" not in str(bad.value)


def test_the_idle_time_is_over_after_half_a_year():
    """The control of what is forged above: the warning, and what follows on it, hold when they are due."""
    table = seated(a_warning_too_early)
    table.wait(IDLE_MS / 1000)
    table.rule(None, TableWarn())
    table.wait(31 * DAY_MS / 1000)
    lines = list(bundle.write_lines(table.game, table.records, 0, SIGNER))
    assert verify(lines, key=KEY, partial=True).events == table.game.seq
    table.rule(None, TableExpire())
    for _, copy in copies(table):
        assert "abandoned (deserted)" in verify(copy, key=KEY, partial=True).summary()


# --- every member of every table command -----------------------------------------------------------------


def others(value: Any) -> list[Any]:
    """Values of the same kind that are not *value*."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1, 0 if value else 7]
    if isinstance(value, str) and value[:2] == "20" and value.endswith("Z"):
        return [add_milliseconds(value, 1), add_milliseconds(value, -DAY_MS)]
    if isinstance(value, dict):
        return [{**value, name: other} for name, one in value.items() for other in others(one)]
    if isinstance(value, list):
        return [[*value, *value[:1]], value[1:]] if value else []
    return [None] if value is not None else ["random"]


DEPENDS_ON_WHAT_IS_HIDDEN = {("SeatTimedOut", "kinds")}


@pytest.mark.parametrize("clock", CLOCKS)
def test_every_member_of_a_table_command_is_bound(clock):
    """Each fact of the platform, each note about a clock, each actor changed: the copy is bad.

    What people write beside a ruling is kept elsewhere, and only the title's state tells what was awaited.
    """
    table = Wanderer(clock, 11).walk(70)
    honest = Forgery(list(bundle.write_lines(table.game, table.records, 0, SIGNER)))
    assert verify(honest.lines(SIGNER), key=KEY, partial=True).events == table.game.seq
    tried = set()
    for index, event in enumerate(honest.events):
        body = event["body"]
        if not body.get("command", {}).get("type", "").startswith("table_"):
            continue
        for place, name, other in changes_of(body):
            what = body["t"], place, name
            if what in tried or (body["t"], name) in DEPENDS_ON_WHAT_IS_HIDDEN:
                continue
            tried.add(what)
            forgery = honest.copy()
            changed = forgery.events[index]["body"]
            if place == "by":
                for follower in forgery.events:
                    if follower["body"]["cmd"] == body["cmd"]:
                        follower["body"]["by"] = other
            else:
                changed[place][name] = other
            with pytest.raises(BadBundle) as bad:
                verify(forgery.lines(SIGNER), key=KEY, partial=True)
            assert "cannot be checked" not in str(bad.value), (body, place, name, other)
    assert len(tried) > 10


def changes_of(body: dict[str, Any]) -> Iterator[tuple[str, str, Any]]:
    """Where something of an event is changed, its name, and another value for it."""
    for name, one in body["data"].items():
        yield from (("data", name, other) for other in others(one))
    for name, one in body.get("clock", {}).items():
        yield from (("clock", name, other) for other in others(one))
    yield "by", "", "d9"
