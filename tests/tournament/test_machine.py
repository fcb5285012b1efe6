"""Any course of a tournament: commands at random, by anybody, in any order; what must always hold."""

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from events.rules.steps import Rejected
from events.tournament import commands as asks
from events.tournament.facts import (
    Effect,
    EntrantReference,
    GivePoints,
    RoundEntrant,
    SetResult,
    TableReference,
)
from events.tournament.folding import fold
from events.tournament.schedule import due_commands
from events.tournament.scoring import place_values
from events.tournament.standings import compute_closed_standings, points_of, score_table, standings_digest
from events.tournament.state import initial_tournament
from events.verify.tournaments.verification import verify_tournament
from projections.read_models import tournaments
from service.presenters import tournament_presenter
from tests.tournament.recording import MINUTE, SIXTEEN, Recorded

NUMBERS = st.integers(1, 11)
STAGES = st.sampled_from(
    [
        [{"format": "swiss_pods", "rounds": 3, "look_ahead": True}],
        [{"format": "rotation", "rounds": 3}],
        [{"format": "swiss_pods", "rounds": 1}, {"format": "knockout", "cut": 4}],
    ]
)


class Course(RuleBasedStateMachine):
    """A tournament of nine, to whom all kinds of things happen."""

    @initialize(stages=STAGES, seed=st.integers(0, 20), check_in=st.sampled_from([0, 5 * MINUTE]))
    def open_table(self, stages, seed, check_in):
        late = 2 if stages[0]["format"] == "swiss_pods" else 0
        entry = {"check_in_ms": check_in, "late_until_round": late, "most": 9, "reserve": 2}
        self.recorded = Recorded({**SIXTEEN, "stages": stages}, seed, entry=entry)
        self.recorded.give("d1", asks.OpenEntry())
        self.recorded.enter(9)
        self.recorded.give("d1", asks.NameDirector("director"))
        self.recorded.give("d1", asks.CloseEntry())

    @property
    def state(self):
        return self.recorded.state

    def attempt(self, actor, command):
        """Whatever comes of it: refused with a code, and then nothing has changed, or accepted."""
        before = self.state
        try:
            self.recorded.give(actor, command)
        except Rejected:
            assert self.state == before

    @rule(most=st.integers(1, 6))
    def house_works(self, most):
        for _ in range(most):
            steps = due_commands(self.state)
            if steps:
                self.recorded.at = max(self.recorded.at, steps[0][0])
                self.attempt(None, steps[0][1])

    @rule()
    def all_check_in(self):
        for number in range(1, 10):
            self.attempt(f"e{number}", asks.CheckIn())

    @rule()
    def games_end(self):
        if self.state.is_running:
            self.recorded.play()

    @rule(number=NUMBERS, minutes=st.integers(0, 6))
    def checks_in(self, number, minutes):
        self.recorded.wait(minutes * MINUTE)
        self.attempt(f"e{number}", asks.CheckIn())

    @rule(number=NUMBERS)
    def enters(self, number):
        self.attempt(f"e{len(self.state.entrants) + 1}", asks.Enter())

    @rule(number=NUMBERS, back=st.booleans())
    def comes_and_goes(self, number, back):
        command = asks.ReturnEntrant(f"e{number}") if back else asks.WithdrawEntrant(f"e{number}", "other")
        self.attempt("d1", command)

    @rule(one=NUMBERS, other=NUMBERS)
    def may_not_meet(self, one, other):
        self.attempt("d2", asks.ForbidPair((f"e{one}", f"e{other}"), "other"))

    @rule(number=NUMBERS, played=st.integers(1, 4))
    def asks_for_a_bye(self, number, played):
        self.attempt(f"e{number}", asks.AskBye(played))

    @rule(number=NUMBERS, table=st.integers(1, 3))
    def complains(self, number, table):
        self.attempt(f"e{number}", asks.RaiseDispute(table))

    @rule(number=NUMBERS, table=st.integers(1, 3))
    def confirms(self, number, table):
        self.attempt(f"e{number}", asks.ConfirmResult(table))

    @rule(number=NUMBERS, table=st.integers(1, 3), seat=st.integers(0, 3))
    def plays_on(self, number, table, seat):
        self.attempt("d1", asks.NameSubstitute(table, seat, f"e{number}"))

    @rule(number=NUMBERS, table=st.integers(1, 3), kind=st.integers(0, 4), dispute=st.integers(0, 3))
    def director_rules(self, number, table, kind, dispute):
        effect = [
            Effect(points=GivePoints(f"e{number}", 7)),
            Effect(result=SetResult(table, (1, 2, 3))),
            Effect(forfeit=RoundEntrant(f"e{number}", 1)),
            Effect(disqualify=EntrantReference(f"e{number}")),
            Effect(replay=TableReference(table)),
        ][kind]
        self.attempt("d2", asks.Rule("other", (effect,), dispute or None))

    @rule(ruling=st.integers(1, 3), number=NUMBERS)
    def appeals(self, ruling, number):
        self.attempt(f"e{number}", asks.Appeal(ruling))
        self.attempt("d1", asks.Rule("appeal", ruling=ruling))

    @invariant()
    def all_there_once(self):
        """Everybody who was there for a round is in exactly one pod or has exactly one bye."""
        for played in self.state.rounds:
            drawn = [e for pod in played.drawn.pods for e in pod] + list(played.drawn.byes)
            there = [e for table in played.tables for e in table.entrants] + list(played.byes)
            assert len(drawn) == len(set(drawn))
            if not any(table.head for table in played.tables):  # then substitutes may have come
                assert len(there) == len(set(there)) or played.started_at

    @invariant()
    def each_round_is_drawn_once(self):
        """There is one draw for each round that is drawn, even if entrants leave and return."""
        told = [record for record in self.recorded.records if record.type == "RoundPaired"]
        assert len(told) == len(self.state.rounds)

    @invariant()
    def it_can_be_shown(self):
        """A row for lists, every round and the standings can be told of any state."""
        values = dict(zip(tournaments.COLUMNS, tournaments.make_row(self.state), strict=True))
        assert values["seq"] == self.state.seq
        assert all(due.tzinfo is not None for due in values["dues"])
        for played in self.state.rounds:
            tournament_presenter.present_round(self.state, played)
        tournament_presenter.present_standings(self.state, None, {})

    @invariant()
    def points_of_a_table(self):
        """A table gives what its places are worth, unless somebody left it or a ruling says otherwise."""
        settled = self.state.settings
        for played in self.state.rounds:
            for table in played.tables:
                told = score_table(settled, table)
                if told is not None and table.ruled is None and not table.forfeits:
                    values = place_values(len(table.entrants), settled.points)
                    assert sum(values) - len(values) < sum(told.points) <= sum(values)

    @invariant()
    def digests_are_those_of_the_standings(self):
        """The newest digest of each closed round is that of its standings, whatever was ruled since."""
        for played in self.state.rounds:
            if played.closed_at:
                lines = compute_closed_standings(self.state, played.number)
                assert played.standings == standings_digest(lines)
                assert [line["rank"] for line in lines] == sorted(line["rank"] for line in lines)
                points = points_of(self.state, played.number)
                assert all(points[int(line["entrant"][1:])] == line["points"] for line in lines)

    def teardown(self):
        """What was folded on the way is what a fresh fold gives, and the stream verifies."""
        if not hasattr(self, "recorded"):
            return
        assert fold(initial_tournament(self.recorded.id), self.recorded.records) == self.state
        verify_tournament(self.recorded.id, self.recorded.records, "rutter.example/log", partial=True)


@pytest.mark.parametrize("examples", [pytest.param(6, id="few"), pytest.param(25, id="many")])
def test_any_course(examples):
    """Invariants hold in any course of a tournament."""
    checks = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
    run_state_machine_as_test(
        Course,
        settings=settings(
            max_examples=examples, stateful_step_count=25, deadline=None, suppress_health_check=checks
        ),
    )
