"""Whatever people, directors and the house do at a table, in any order: what always holds."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from events import engine
from events.leaving import TableLeave, TableRemove, TableReturn, TableSeat
from events.moments import DAY_MS, later
from events.offers import TableAnswer, TableOffer
from events.rulings import TablePause, TableResume
from events.steps import Command, Rejected
from events.verify import fold_all
from tests.events.seated import Seated

SEATS = st.integers(0, 3)


class AtTable(RuleBasedStateMachine):
    """A table of four: each command is either refused with a code or recorded."""

    def __init__(self) -> None:
        super().__init__()
        self.table = Seated(4, absence={"then": "open"})
        self.whos = [sits.who for sits in self.table.game.seats]

    def try_to(self, actor: int | str | None, command: Command) -> None:
        if self.table.game.ended:
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
        until = later(self.table.at, DAY_MS) if what == "pause" else None
        self.try_to(seat, TableOffer(what, until))  # type: ignore[arg-type]

    @rule(seat=SEATS, yes=st.booleans())
    def answers(self, seat: int, yes: bool) -> None:
        for offer in self.table.game.offers[:1]:
            self.try_to(seat, TableAnswer(offer.offer, yes))

    @rule()
    def is_paused(self) -> None:
        self.try_to("d0", TablePause(later(self.table.at, DAY_MS), "schedule"))

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
        assert game.ended or game.paused or not any(sits.vacant for sits in game.seats)

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
        if game.paused is None or game.ended:
            return
        for decision in game.title.awaited(game.state):
            command = game.title.default(game.state, decision)
            with pytest.raises(Rejected) as refused:
                engine.decide(game, decision.seat, command, self.table.secrets, self.table.chain)
            assert refused.value.code == "game_paused"

    def teardown(self) -> None:
        """The whole log folds to the same game, and what has ended so far verifies."""
        assert fold_all(self.table.game.id, self.table.records) == self.table.game
        partial = not self.table.game.ended
        assert self.table.verdict(partial=partial).events == self.table.game.seq


TestAtTable = AtTable.TestCase
TestAtTable.settings = settings(
    max_examples=12,
    stateful_step_count=25,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)
