"""Whatever people, directors and the server do at a table, in any order: what always holds."""

from __future__ import annotations

import contextlib
from itertools import groupby, pairwise
from typing import Any, ClassVar

import msgspec
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from events.base.timestamps import DAY_MS, add_milliseconds
from events.rules.steps import Command, Rejected
from events.table import clock_updates, engine, lifecycle_facts
from events.table.commands.leaving import TableLeave, TableRemove, TableReturn, TableSeat
from events.table.commands.offers import TableAnswer, TableOffer
from events.table.commands.rulings import TableAddTime, TablePause, TableResume
from events.table.commands.time_outs import TableTimeOut
from events.table.commands.undo import TableUndo
from events.table.record import Record
from events.verify import fold_all
from tests.events.seated import Seated

SEATS = st.integers(0, 3)


class AtTable(RuleBasedStateMachine):
    """A table of four: each command is either refused with a code or recorded."""

    clock: dict[str, Any] | None = None

    def __init__(self) -> None:
        super().__init__()
        self.table = Seated(
            4, absence={"then": "open", "misses": 2, "excuses": 1}, clock=self.clock, undo="ask"
        )
        self.whos = [sits.who for sits in self.table.game.seats]

    def try_to(self, actor: int | str | None, command: Command) -> None:
        if self.table.game.has_ended:
            return
        with contextlib.suppress(Rejected):
            self.table.give(actor, command)

    @rule(seat=SEATS)
    def leaves(self, seat: int) -> None:
        self.try_to(seat, TableLeave())

    @rule(seat=SEATS)
    def returns(self, seat: int) -> None:
        self.try_to(seat, TableReturn(self.whos[seat]))

    @rule(seat=SEATS)
    def takes_over(self, seat: int) -> None:
        self.try_to(seat, TableSeat(seat, who=Seated.who(9)))

    @rule(seat=SEATS)
    def is_removed(self, seat: int) -> None:
        self.try_to("d0", TableRemove(seat, "conduct"))

    @rule(seat=SEATS)
    def is_a_bot(self, seat: int) -> None:
        self.try_to("d0", TableSeat(seat, "random"))

    @rule(seat=SEATS, what=st.sampled_from(["pause", "resume"]))
    def proposes(self, seat: int, what: str) -> None:
        until = add_milliseconds(self.table.at, DAY_MS) if what == "pause" else None
        self.try_to(seat, TableOffer(what, until))  # type: ignore[arg-type]

    @rule(seat=SEATS, yes=st.booleans())
    def answers(self, seat: int, yes: bool) -> None:
        for offer in self.table.game.offers[:1]:
            self.try_to(seat, TableAnswer(offer.offer, yes))

    @rule(seat=SEATS, back=st.integers(1, 3))
    def takes_back(self, seat: int, back: int) -> None:
        for kept in self.table.game.undoable.kept[-back:][:1]:
            self.try_to(seat, TableUndo(kept.seq))

    @rule()
    def is_paused(self) -> None:
        self.try_to("d0", TablePause(add_milliseconds(self.table.at, DAY_MS), "schedule"))

    @rule(actor=st.sampled_from([None, "d0"]))
    def goes_on(self, actor: str | None) -> None:
        self.try_to(actor, TableResume())

    @rule()
    @precondition(lambda self: self.table.game.paused is None)
    def is_played(self) -> None:
        self.table.play(3)

    @invariant()
    def each_seat_has_one_holder(self) -> None:
        """A person, a bot or nobody; without anybody the game is paused, or has ended."""
        game = self.table.game
        for sits in game.seats:
            assert [sits.person, sits.bot is not None, sits.vacant].count(True) == 1
        assert game.has_ended or game.paused or not any(sits.vacant for sits in game.seats)

    @invariant()
    def tenures_follow_on_one_another(self) -> None:
        """No holding of a seat begins before the one before it has ended."""
        for seat in range(4):
            held = [r for r in self.table.records if r.type in ("SeatVacated", "SeatGiven")]
            mine = [(r.type, r.seq) for r in held if b'"seat":%d' % seat in r.body]
            assert all(kind != "SeatVacated" or n == 0 or mine[n - 1][0] == "SeatGiven"
                       for n, (kind, _) in enumerate(mine))  # fmt: skip

    @invariant()
    def nobody_plays_while_it_is_paused(self) -> None:
        """Whatever is awaited is refused."""
        game = self.table.game
        if game.paused is None or game.has_ended:
            return
        for decision in game.title.awaited(game.state):
            command = game.title.default(game.state, decision)
            with pytest.raises(Rejected) as refused:
                engine.decide(game, decision.seat, command, self.table.secrets, self.table.chain)
            assert refused.value.code == "game_paused"

    @invariant()
    def time_never_falls(self) -> None:
        """Nor has a batch two times."""
        told = [record.envelope() for record in self.table.records]
        assert all(one.at <= other.at for one, other in pairwise(told))
        assert all(one.at == other.at for one, other in pairwise(told) if one.cmd == other.cmd)

    def teardown(self) -> None:
        """The whole log folds to the same game, and what has ended so far verifies."""
        assert fold_all(self.table.game.id, self.table.records) == self.table.game
        partial = not self.table.game.has_ended
        assert self.table.verdict(partial=partial).events == self.table.game.seq


class InTime(AtTable):
    """The same at a table with a clock, where time passes and runs out."""

    clock: ClassVar = {"kind": "live", "base_ms": 60_000, "increment_ms": 5_000, "cap_ms": 600_000}

    @rule(seconds=st.integers(1, 40))
    def passes(self, seconds: int) -> None:
        """Time does, and for whom it is up they are timed out."""
        self.table.wait(seconds)

    @rule(seat=SEATS)
    def runs_out(self, seat: int) -> None:
        until = clock_updates.seat_deadline(self.table.game, seat)
        if until is not None:
            self.table.clock.go_to(max(until, self.table.at))
            self.try_to(None, TableTimeOut(seat, until))

    @rule(seat=SEATS, add_ms=st.integers(1, 60_000))
    def is_given_time(self, seat: int, add_ms: int) -> None:
        self.try_to("d0", TableAddTime(seat, add_ms))

    def teardown(self) -> None:
        """What each seat has spent and what is left is what it was given, to the millisecond."""
        left: dict[str, int] = {}
        for cmd, batch in groupby(self.table.records, key=lambda record: record.command_id):
            self.settle(left, cmd, list(batch))
        assert [clock.left_ms for clock in self.table.game.clocks] == [left[f"p{n}"] for n in range(4)]
        super().teardown()

    def settle(self, left: dict[str, int], cmd: str, batch: list[Record]) -> None:
        """The account of a batch: what its note says is what its facts give, less what was spent."""
        first = batch[0].envelope()
        note, told = first.clock or {}, {}
        if not left and note:
            left.update(note["left"])
            assert set(left.values()) == {60_000}
            return
        for record in batch:
            data = msgspec.json.decode(record.envelope().data)
            told.setdefault(record.type, []).append(data)
        for name, has in left.items():
            spent = note.get("spent", {}).get(name, 0)
            added = sum(d["add_ms"] for d in told.get("ClockAdjusted", ()) if f"p{d['seat']}" == name)
            # Time that a director adds when the clock stands at zero is spent first on what has passed since.
            assert 0 <= spent <= has + added, cmd
            answered = (
                first.by == name
                and name in note.get("spent", {})
                and not told.keys() & lifecycle_facts.FACTS.keys()
            )
            after = has - spent + added + (5_000 if answered else 0)
            for timed_out in told.get("SeatTimedOut", ()):
                if f"p{timed_out['seat']}" == name:
                    after = max(after, 35_000 if timed_out["excused"] else 10_000)
            for taken in told.get("SeatGiven", ()):
                if f"p{taken['seat']}" == name and taken["bot"] is None:
                    after = max(after, 35_000)
            assert note.get("left", {}).get(name, has) == after, (cmd, name)
            left[name] = after


OFTEN = settings(
    max_examples=12,
    stateful_step_count=25,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)
TestAtTable = AtTable.TestCase
TestAtTable.settings = OFTEN
TestInTime = InTime.TestCase
TestInTime.settings = OFTEN
