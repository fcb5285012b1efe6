"""Tournaments from entry to the final standings: what each command does, and what it is refused with."""

import pytest

from events.base.timestamps import add_milliseconds
from events.rules.catalogue import find_title
from events.rules.steps import Rejected
from events.tournament import commands as asks
from events.tournament import schedule
from events.tournament import settings as terms
from events.tournament.facts import (
    Effect,
    EntrantReference,
    GivePoints,
    RoundEntrant,
    SetResult,
    TableReference,
)
from events.tournament.schedule import due_commands
from events.tournament.standings import compute_closed_standings, make_standings, points_of
from events.tournament.state import entrant_name
from events.verify.tournaments.verification import verify_tournament
from tests.tournament.recording import BEGAN, MINUTE, SIXTEEN, Recorded, contribution

SERVICE = "rutter.example/log"
EIGHT = {**SIXTEEN, "stages": [{"format": "swiss_pods", "rounds": 2}]}


def code(recorded, actor, command):
    """How *command* is refused."""
    with pytest.raises(Rejected) as refused:
        recorded.give(actor, command)
    return refused.value.code


def types(recorded):
    """The types of all events so far."""
    return [record.type for record in recorded.records]


def holds(recorded, *, partial=False):
    """The stream verifies."""
    return verify_tournament(recorded.id, recorded.records, SERVICE, partial=partial)


def between(settings=None, entrants=8, **changes):
    """A tournament whose first round is played and closed, the second not yet paired."""
    recorded = Recorded(settings or EIGHT, **changes)
    recorded.begin(entrants)
    recorded.play()
    recorded.house(asks.PairRound)
    return recorded


@pytest.mark.parametrize("entrants", [5, 7, 9, 16, 17])
def test_swiss_pods(entrants):
    """A whole event runs to its end and verifies; everybody there is in one pod or has one bye a round."""
    recorded = Recorded(stages=[{"format": "swiss_pods", "rounds": 3}]).whole(entrants)
    assert recorded.state.status == "finished"
    for played in recorded.state.rounds:
        there = [e for table in played.tables for e in table.entrants] + list(played.byes)
        assert sorted(there) == list(range(1, entrants + 1))
    assert holds(recorded).whole


@pytest.mark.parametrize(
    ("stages", "entrants", "rounds"),
    [
        ([{"format": "rotation", "rounds": 5}], 16, 5),
        ([{"format": "round_robin"}], 16, 5),
        ([{"format": "knockout"}], 16, 2),
        ([{"format": "swiss_pods", "rounds": 2}, {"format": "knockout", "cut": 4, "advance": 0}], 9, 3),
        ([{"format": "swiss_pods", "rounds": 1}, {"format": "swiss_pods", "rounds": 1, "cut": 8}], 12, 2),
    ],
)
def test_formats(stages, entrants, rounds):
    """Rotations, round robins, knockouts and stages that follow on each other end and verify."""
    recorded = Recorded(stages=stages).whole(entrants)
    assert len(recorded.state.rounds) == rounds
    assert holds(recorded).whole


def test_all_rounds_at_once():
    """The rounds of a rotation can be played in parallel."""
    recorded = Recorded(
        stages=[{"format": "rotation", "rounds": 3}], schedule={"round": "parallel", "starts_at": BEGAN}
    )
    recorded.begin(16)
    assert [one.is_running for one in recorded.state.rounds] == [True] * 3
    recorded.play()
    assert recorded.house().status == "finished"
    assert holds(recorded).whole


def test_ladder():
    """A ladder pairs those who are ready by rating, period by period, and its season ends."""
    hour = 60 * MINUTE
    recorded = Recorded(
        stages=[{"format": "ladder", "period_ms": hour, "ends_at": add_milliseconds(BEGAN, 3 * hour)}],
        schedule={},
    )
    recorded.begin(9, until=asks.CloseStage)
    assert code(recorded, None, asks.PairByRatings()) == "not_due"
    for number in range(1, 9):
        recorded.give(f"e{number}", asks.Ready())
    recorded.wait(hour)
    ratings = {f"e{number}": 1000 + 200 * number for number in range(1, 9)}
    assert code(recorded, "d1", asks.PairRound()) == "not_allowed"
    assert code(recorded, "d1", asks.PairByRatings(7, ratings)) == "not_a_director"
    assert code(recorded, None, asks.PairByRatings(7, {**ratings, "e9": 1500})) == "unknown_entrant"
    recorded.give(None, asks.PairByRatings(7, ratings))
    assert b'"position":7' in recorded.records[-1].body
    assert sorted(map(sorted, recorded.state.rounds[0].drawn.pods)) == [[1, 2, 3, 4], [5, 6, 7, 8]]
    recorded.house(asks.CloseStage)
    assert code(recorded, "e1", asks.Ready()) == "round_open"
    recorded.play()
    assert recorded.house().status == "finished"
    assert [origin.position for origin in holds(recorded).pairings] == [7]


def test_a_ladder_whose_season_ends_before_it_begins():
    """A director ends it while contributions are still waited for: they are fixed, then it is over."""
    stages = [{"format": "ladder", "period_ms": 60 * MINUTE}]
    for entry in ({}, {"check_in_ms": MINUTE}):
        recorded = Recorded(stages=stages, schedule={}, entry=entry)
        recorded.give("d1", asks.OpenEntry())
        recorded.enter(4, contributing=(1,))
        recorded.give("d1", asks.CloseEntry())
        recorded.give("d1", asks.CloseStage())
        assert code(recorded, "e1", asks.CheckIn()) == "check_in_closed"
        assert recorded.house().status == "finished"
        assert holds(recorded).whole


def test_only_a_ladder_is_paired_by_ratings():
    """The server cannot bring ratings into another format."""
    recorded = between()
    assert code(recorded, None, asks.PairByRatings(1, {})) == "not_due"


def test_the_winner_of_the_final_is_first():
    """The places of the last table of a knockout are the ranking; who came further stands higher."""
    stages = [{"format": "knockout", "cut": 16, "advance": 1, "seating": "choice"}]
    recorded = Recorded(stages=stages)
    recorded.begin(16)
    recorded.play()
    recorded.house(asks.StartRound)
    final = recorded.state.rounds[1]
    seeds = [seed for seed in recorded.state.seeds if seed in final.players]
    assert code(recorded, f"e{seeds[1]}", asks.ChooseSeat(1, 0)) == "not_your_decision"
    recorded.give(f"e{seeds[0]}", asks.ChooseSeat(1, 3))
    assert code(recorded, f"e{seeds[1]}", asks.ChooseSeat(1, 3)) == "seat_taken"
    recorded.house()
    assert recorded.state.rounds[1].tables[0].entrants[3] == seeds[0]
    recorded.play(places={(2, 1): (4, 3, 2, 1)})
    recorded.house()
    ranking = [line["entrant"] for line in compute_closed_standings(recorded.state, 2)]
    assert ranking[0] == f"e{seeds[0]}"
    assert {int(name[1:]) for name in ranking[:4]} == final.players
    assert holds(recorded).whole


# --- entry ---------------------------------------------------------------------------------------------


def test_entry():
    """Who enters, waits, is admitted or refused, and with which codes."""
    recorded = Recorded(entry={"most": 8, "reserve": 1, "approval": True, "least": 4})
    assert code(recorded, "e1", asks.Enter()) == "entry_closed"
    assert code(recorded, "e1", asks.OpenEntry()) == "not_a_director"
    recorded.give("d1", asks.OpenEntry())
    recorded.enter(9)
    assert recorded.state.entrants[8].reserve
    assert code(recorded, "e10", asks.Enter()) == "full"
    assert code(recorded, "e9", asks.Enter()) == "not_your_decision"
    assert code(recorded, "e10", asks.Enter(entrant="e9")) == "version_conflict"
    assert code(recorded, "d1", asks.CloseEntry()) == "too_few_entrants"
    for number in range(1, 10):
        recorded.give("d1", asks.Admit(f"e{number}", number != 2))
    assert code(recorded, "d1", asks.Admit("e2", True)) == "already_answered"
    assert code(recorded, "d1", asks.Admit("e20", True)) == "unknown_entrant"
    recorded.give("d1", asks.CloseEntry())
    assert not recorded.state.entrants[8].reserve  # one was not admitted, so there was a place


def test_contributions():
    """What is shown must fit what was committed to; who keeps it back is named, and others still count."""
    recorded = Recorded(EIGHT)
    recorded.give("d1", asks.OpenEntry())
    recorded.enter(8, contributing=(1, 2))
    assert code(recorded, "e1", asks.Reveal(contribution(1).hex())) == "check_in_closed"
    recorded.give("d1", asks.CloseEntry())
    assert code(recorded, "e1", asks.Reveal(contribution(2).hex())) == "commitment_mismatch"
    recorded.give("e1", asks.Reveal(contribution(1).hex()))
    assert code(recorded, "e1", asks.Reveal(contribution(1).hex())) == "already_answered"
    assert code(recorded, None, asks.FixRandomness()) == "not_due"
    recorded.house()
    fixed = next(record for record in recorded.records if record.type == "RandomnessFixed")
    assert b'"missing":["e2"]' in fixed.body
    assert code(recorded, "e2", asks.Reveal(contribution(2).hex())) == "check_in_closed"


def test_check_in():
    """Only who checked in is paired; contributions are shown at the first check-in."""
    recorded = Recorded(
        EIGHT, entry={"check_in_ms": 15 * MINUTE}, schedule={"starts_at": add_milliseconds(BEGAN, 3600_000)}
    )
    recorded.give("d1", asks.OpenEntry())
    recorded.enter(8, contributing=(1,))
    recorded.give("d1", asks.CloseEntry())
    assert code(recorded, "e1", asks.CheckIn()) == "check_in_closed"
    recorded.wait(50 * MINUTE)
    recorded.give("e1", asks.CheckIn(contribution(1).hex()))
    assert code(recorded, "e1", asks.CheckIn()) == "already_answered"
    for number in range(2, 8):
        recorded.give(f"e{number}", asks.CheckIn())
    recorded.house()
    assert recorded.state.rounds[0].players == frozenset(range(1, 8))
    assert code(recorded, "e8", asks.CheckIn()) == "check_in_closed"
    assert holds(recorded, partial=True).contributed == 1


def test_late_entry():
    """Who enters late is paired with nothing, and what was contributed is not mixed again."""
    recorded = between(entry={"late_until_round": 2, "late_points": 0})
    mixed = recorded.state.mixed
    recorded.give("e9", asks.Enter("ab" * 32))
    assert recorded.state.entrants[8].late == 2
    assert recorded.state.entrants[8].commitment is None
    recorded.house()
    assert 9 in recorded.state.rounds[1].players | set(recorded.state.rounds[1].byes)
    assert points_of(recorded.state, 1)[9] == 0
    assert recorded.state.mixed == mixed
    assert code(recorded, "e10", asks.Enter()) == "entry_closed"
    recorded.play()
    recorded.house()
    assert holds(recorded).whole


def test_withdrawal_and_return():
    """Who withdraws before round 2 and is back for round 4 has no points and no bye for 2 and 3."""
    recorded = Recorded(stages=[{"format": "swiss_pods", "rounds": 4}])
    recorded.begin(9)
    recorded.play()
    recorded.house(asks.PairRound)
    recorded.give("e5", asks.Withdraw())
    assert code(recorded, "e5", asks.Withdraw()) == "not_entered"
    for _ in range(2):
        recorded.house()
        recorded.play()
        recorded.house(asks.PairRound)
    recorded.give("d1", asks.ReturnEntrant("e5"))
    assert code(recorded, "d1", asks.ReturnEntrant("e5")) == "not_withdrawn"
    recorded.house()
    recorded.play()
    recorded.house()
    line = next(line for line in compute_closed_standings(recorded.state, 4) if line["entrant"] == "e5")
    assert [one["round"] for one in line["rounds"]] == [1, 4]
    assert line["byes"] == 0
    assert line["points"] == sum(one["points"] for one in line["rounds"])
    assert holds(recorded).whole


def test_a_bye_that_was_asked_for():
    """It is worth half, once."""
    recorded = between()
    before = points_of(recorded.state)[3]
    recorded.give("e3", asks.AskBye(2))
    assert code(recorded, "e3", asks.AskBye(2)) == "bye_used"
    recorded.house()
    assert 3 in recorded.state.rounds[1].byes
    recorded.play()
    assert points_of(recorded.house())[3] == before + 3 * 2520 // 2
    assert holds(recorded).whole


def paired(entrants=8, **changes):
    """A tournament whose first round is drawn and has not started."""
    later = add_milliseconds(BEGAN, 10 * MINUTE)
    recorded = Recorded({**EIGHT, **changes}, schedule={"starts_at": later})
    recorded.begin(entrants, until=asks.StartRound)
    return recorded


def test_each_round_is_drawn_once():
    """An entrant who leaves between pairing and start is struck. Nobody else moves or is drawn again."""
    recorded = paired()
    drawn = recorded.state.rounds[0].drawn.pods
    leaver = drawn[0][1]
    assert code(recorded, "d1", asks.PairRound()) == "round_open"
    recorded.give(f"e{leaver}", asks.Withdraw())
    assert code(recorded, "d1", asks.PairRound()) == "round_open"
    recorded.house()
    assert types(recorded).count("RoundPaired") == 1
    left = tuple(number for number in drawn[0] if number != leaver)
    assert [table.entrants for table in recorded.state.rounds[0].tables] == [left, drawn[1]]
    recorded.play()
    recorded.house()
    recorded.play()
    recorded.house()
    assert types(recorded).count("RoundPaired") == 2
    assert holds(recorded).whole


def test_puppets_who_leave_and_return_change_nothing_but_their_own_seat():
    """Who returns before the start waits for the next round, however often it is tried."""
    recorded = paired()
    drawn = recorded.state.rounds[0].drawn.pods
    puppets = (drawn[0][0], drawn[1][3])
    for _ in range(5):
        for puppet in puppets:
            recorded.give(f"e{puppet}", asks.Withdraw())
            recorded.give("d1", asks.ReturnEntrant(f"e{puppet}"))
            assert code(recorded, "d1", asks.PairRound()) == "round_open"
    recorded.house()
    expected = [tuple(number for number in pod if number not in puppets) for pod in drawn]
    assert [table.entrants for table in recorded.state.rounds[0].tables] == expected
    assert recorded.state.rounds[0].byes == ()
    recorded.play()
    recorded.house(asks.StartRound)
    assert set(puppets) <= recorded.state.rounds[1].players
    recorded.house()
    assert types(recorded).count("RoundPaired") == 2
    assert holds(recorded, partial=True)


def test_a_table_that_is_too_small_is_dissolved():
    """Its members fill tables with room in the order of the draw; where there is none they have a bye."""
    recorded = paired(7)
    four, three = recorded.state.rounds[0].drawn.pods
    recorded.give(f"e{three[1]}", asks.Withdraw())
    recorded.give(f"e{four[2]}", asks.Withdraw())
    recorded.house()
    started = recorded.state.rounds[0]
    kept = (*(number for number in four if number != four[2]), three[0])
    assert [table.entrants for table in started.tables] == [kept]
    assert started.byes == (three[2],)
    assert points_of(recorded.state)[three[2]] == 3 * 2520
    recorded.play()
    recorded.house()
    line = next(one for one in make_standings(recorded.state) if one["entrant"] == f"e{three[2]}")
    assert line["byes"] == 1
    assert types(recorded).count("RoundPaired") == 2
    assert holds(recorded, partial=True)


def test_a_round_without_a_table_is_over_at_once():
    """Where too few are left for a table everybody has a bye, and the event goes on."""
    recorded = paired(4)
    (pod,) = recorded.state.rounds[0].drawn.pods
    for number in pod[:2]:
        recorded.give(f"e{number}", asks.Withdraw())
    recorded.house(asks.PairRound)
    assert recorded.state.rounds[0].tables == ()
    assert recorded.state.rounds[0].closed_at
    assert recorded.state.rounds[0].byes == tuple(sorted(pod[2:]))
    assert holds(recorded, partial=True)


def test_rounds_that_are_drawn_at_once_lose_who_is_gone():
    """Of a rotation each round is struck by itself: who returns plays the round after the coming one."""
    recorded = Recorded(stages=[{"format": "rotation", "rounds": 3}])
    recorded.begin(16)
    recorded.give("e5", asks.Withdraw())
    recorded.play()
    recorded.house(asks.StartRound)
    recorded.give("d1", asks.ReturnEntrant("e5"))
    recorded.house()
    assert 5 not in {number for table in recorded.state.rounds[1].tables for number in table.entrants}
    recorded.play()
    recorded.house()
    assert 5 in {number for table in recorded.state.rounds[2].tables for number in table.entrants}
    recorded.play()
    recorded.house()
    assert types(recorded).count("RoundPaired") == 3
    assert holds(recorded).whole


def test_who_leaves_a_final_in_which_seats_are_chosen():
    """The others choose among the seats that are left, and keep their order."""
    recorded = Recorded(stages=[{"format": "knockout", "cut": 16, "advance": 1, "seating": "choice"}])
    recorded.begin(16)
    recorded.play()
    recorded.house(asks.StartRound)
    seeds = [seed for seed in recorded.state.seeds if seed in recorded.state.rounds[1].players]
    recorded.give(f"e{seeds[0]}", asks.ChooseSeat(1, 3))
    recorded.give(f"e{seeds[1]}", asks.Withdraw())
    assert code(recorded, f"e{seeds[1]}", asks.ChooseSeat(1, 0)) == "not_your_decision"
    assert code(recorded, f"e{seeds[2]}", asks.ChooseSeat(1, 3)) == "unknown_seat"
    recorded.give(f"e{seeds[2]}", asks.ChooseSeat(1, 1))
    recorded.house()
    assert recorded.state.rounds[1].tables[0].entrants == (seeds[3], seeds[2], seeds[0])
    recorded.play()
    assert recorded.house().status == "finished"
    assert holds(recorded).whole


def ranked(recorded, number=None):
    """The entrants whom the standings list."""
    return {line["entrant"] for line in make_standings(recorded.state, number)}


def test_who_withdrew_before_the_start_is_not_ranked():
    """Neither before nor after the pairing of the first round; who returns is listed from then on."""
    recorded = paired()
    recorded.give("e7", asks.Withdraw())
    recorded.give("d1", asks.WithdrawEntrant("e8", "absence"))
    recorded.house()
    recorded.play()
    recorded.house(asks.PairRound)
    assert ranked(recorded) == {f"e{number}" for number in range(1, 7)}
    before = recorded.state.rounds[0].standings
    recorded.give("d1", asks.ReturnEntrant("e7"))
    recorded.give("e1", asks.Withdraw())
    assert ranked(recorded, 1) == {f"e{number}" for number in range(1, 7)}
    recorded.house()
    recorded.play()
    recorded.house()
    assert ranked(recorded) == {f"e{number}" for number in range(1, 8)}
    assert recorded.state.rounds[0].standings == before
    assert types(recorded).count("RoundClosed") == 2
    assert holds(recorded).whole


def test_who_withdraws_and_returns_before_the_start_is_ranked():
    """As if nothing had been, where the round was not drawn yet."""
    recorded = Recorded(EIGHT)
    recorded.give("d1", asks.OpenEntry())
    recorded.enter(8)
    recorded.give("e3", asks.Withdraw())
    recorded.give("d1", asks.CloseEntry())
    recorded.give("d1", asks.ReturnEntrant("e3"))
    recorded.house()
    assert 3 in recorded.state.rounds[0].players
    assert "e3" in ranked(recorded)


def test_a_late_entrant_who_never_came_is_not_ranked():
    """They left before their first round."""
    recorded = between(entry={"late_until_round": 2})
    recorded.give("e9", asks.Enter())
    recorded.give("e9", asks.Withdraw())
    recorded.house()
    recorded.play()
    recorded.house()
    assert "e9" not in ranked(recorded)
    assert holds(recorded).whole


def test_pairing_by_hand():
    """A director's pairing names everybody who is there once, and no forbidden pair."""
    recorded = between()
    recorded.give("d1", asks.ForbidPair(("e1", "e2"), "conduct"))
    pods = (("e1", "e3", "e4", "e5"), ("e2", "e6", "e7", "e8"))
    lacking = (pods[0][:3], pods[1])
    assert code(recorded, "d1", asks.SetPairing(lacking, (), "error")) == "not_a_partition"
    both = (("e1", "e2", "e4", "e5"), ("e3", "e6", "e7", "e8"))
    assert code(recorded, "d1", asks.SetPairing(both, (), "error")) == "forbidden_pair"
    recorded.give("d1", asks.SetPairing(pods, (), "error"))
    recorded.house()
    assert recorded.state.rounds[1].draw is None
    assert recorded.state.rounds[1].tables[0].entrants == (1, 3, 4, 5)
    recorded.play()
    recorded.house()
    assert holds(recorded).whole


def test_at_most_five_forbidden():
    """Nobody can avoid more than five others."""
    recorded = between()
    for other in range(2, 7):
        recorded.give("d1", asks.ForbidPair(("e1", f"e{other}"), "other"))
    assert code(recorded, "d1", asks.ForbidPair(("e7", "e1"), "other")) == "too_many"


def test_substitute():
    """Before a game is there a substitute takes the place, later they only play on."""
    recorded = Recorded(EIGHT, entry={"most": 8, "reserve": 2}, forfeit="substitute")
    recorded.begin(10)
    first = recorded.state.rounds[0].tables[0].entrants
    assert code(recorded, "d1", asks.NameSubstitute(1, 0, "e1")) == "not_in_reserve"
    recorded.give("d1", asks.NameSubstitute(1, 0, "e9"))
    assert recorded.state.rounds[0].tables[0].entrants == (9, *first[1:])
    recorded.link(1, 2)
    out = recorded.state.rounds[0].tables[1].entrants[2]
    recorded.give("d1", asks.NameSubstitute(2, 2, "e10"))
    recorded.end(1, 2, (2, 3, 1, 4), left={(1, 2): (None, None, 44, None)})
    worth = points_of(recorded.state)
    assert (worth[out], worth[10]) == (0, 5 * 2520 // 2)


def test_rounds_that_are_drawn_at_once_are_checked_in_for_one_by_one():
    """A rotation draws all rounds before the first; one checks in for each when the one before has ended."""
    stages = [{"format": "rotation", "rounds": 2}]
    recorded = Recorded(stages=stages, entry={"check_in_ms": 5 * MINUTE})
    recorded.give("d1", asks.OpenEntry())
    recorded.enter(8)
    recorded.give("d1", asks.CloseEntry())
    for number in range(1, 9):
        recorded.give(f"e{number}", asks.CheckIn())
    recorded.house()
    assert [one.number for one in recorded.state.rounds] == [1, 2]
    recorded.play()
    recorded.house(asks.CloseRound)
    recorded.give(None, asks.CloseRound(1))
    for number in range(1, 8):
        recorded.give(f"e{number}", asks.CheckIn())
    assert recorded.state.entrants[0].checked == 2
    ends = add_milliseconds(recorded.at, 5 * MINUTE)
    recorded.house()
    assert recorded.state.rounds[1].started_at == ends
    playing = {number for table in recorded.state.rounds[1].tables for number in table.entrants}
    assert playing == set(range(1, 8))
    assert types(recorded).count("RoundPaired") == 2
    assert holds(recorded, partial=True)


def test_the_first_of_the_reserve_plays_on_for_who_leaves():
    """The server names them by itself, and nobody else: it has no say. Without enough people nobody is."""
    recorded = Recorded(EIGHT, entry={"most": 8, "reserve": 2})
    recorded.begin(10)
    recorded.link(1, 1)
    recorded.link(1, 2)
    pod = recorded.state.rounds[0].tables[1].entrants
    wanted = asks.NameSubstitute(2, 1, "e9", 1)
    assert code(recorded, None, wanted) == "not_due"
    recorded.give(entrant_name(pod[1]), asks.Withdraw())
    assert code(recorded, None, asks.NameSubstitute(2, 1, "e10", 1)) == "not_due"
    assert wanted in [command for _, command in due_commands(recorded.state)]
    recorded.give(None, wanted)
    assert recorded.state.rounds[0].tables[1].holders == (pod[0], 9, *pod[2:])
    for number in recorded.state.rounds[0].tables[0].entrants[:3]:
        recorded.give(entrant_name(number), asks.Withdraw())
    assert not [one for _, one in due_commands(recorded.state) if isinstance(one, asks.NameSubstitute)]
    assert holds(recorded, partial=True)


# --- results and rulings -------------------------------------------------------------------------------


def test_a_leaver_is_last_whatever_their_substitute_reaches():
    """The seat of an entrant who left is last, though the bot that followed won; the others are 1, 2, 3."""
    recorded = Recorded(EIGHT)
    recorded.begin(8)
    recorded.end(1, 1, (1, 2, 3, 4), left={(1, 1): (77, None, None, None)})
    table = recorded.state.rounds[0].tables[0]
    lines = {line["entrant"]: line for line in make_standings(recorded.state)}
    assert [lines[f"e{number}"]["rounds"][0]["place"] for number in table.entrants] == [4, 1, 2, 3]
    assert sum(lines[f"e{number}"]["points"] for number in table.entrants) == 11 * 2520
    assert lines[f"e{table.entrants[0]}"]["forfeits"] == 1


def test_results_are_those_of_the_table():
    """Wrong games, second results and places that cannot be are refused."""
    recorded = Recorded(EIGHT)
    recorded.begin(8)
    table = recorded.state.rounds[0].tables[0]
    result = asks.RecordResult(1, table.game, 9, "ab" * 32, (1, 2, 3, 4), (4, 3, 2, 1), (None,) * 4, 1)
    assert code(recorded, None, result) == "wrong_game"
    recorded.link(1, 1)
    assert code(recorded, "d1", result) == "not_a_director"
    other = asks.RecordResult(1, table.game, 9, "ab" * 32, (1, 1, 2, 4), (4, 3, 2, 1), (None,) * 4, 1)
    assert code(recorded, None, other) == "invalid_parameters"
    recorded.give(None, result)
    assert code(recorded, None, result) == "result_known"
    assert code(recorded, None, asks.LinkTable(7, table.game, "ab" * 32)) == "unknown_table"


def test_everybody_confirms():
    """A result stands when all at the table have confirmed it, or when nobody disputed it in time."""
    recorded = Recorded(EIGHT)
    recorded.begin(8)
    recorded.end(1, 1)
    one, *others = recorded.state.rounds[0].tables[0].entrants
    outsider = recorded.state.rounds[0].tables[1].entrants[0]
    assert code(recorded, f"e{outsider}", asks.ConfirmResult(1)) == "not_your_decision"
    recorded.give(f"e{one}", asks.ConfirmResult(1))
    recorded.give(f"e{one}", asks.RaiseDispute(1))
    assert code(recorded, f"e{others[0]}", asks.ConfirmResult(1)) == "dispute_open"
    recorded.give("d1", asks.Rule("result", dispute=1))
    assert code(recorded, "d1", asks.Rule("result", dispute=1)) == "unknown_dispute"
    for number in others:
        recorded.give(f"e{number}", asks.ConfirmResult(1))
    assert recorded.state.rounds[0].tables[0].confirmed
    assert code(recorded, f"e{one}", asks.RaiseDispute(1)) == "too_late"
    assert code(recorded, None, asks.CloseRound(1)) == "not_due"


def test_a_ruling_opens_a_closed_round_again():
    """Places ruled after the close give a new digest; the old one stays, the next pairing counts again."""
    recorded = between()
    table = recorded.state.rounds[0].tables[1]
    before = recorded.state.rounds[0].standings
    effects = (Effect(result=SetResult(2, tuple(reversed(table.result.places)))),)
    recorded.give("d1", asks.Rule("result", effects))
    after = recorded.state.rounds[0]
    assert after.standings != before
    assert types(recorded)[-2:] == ["Ruled", "RoundClosed"]
    assert after.lot == recorded.state.rounds[0].lot
    recorded.house()
    recorded.play()
    recorded.house()
    assert holds(recorded).whole


def test_rulings():
    """Points, warnings, forfeits, disqualifications and replays do what they say; assistants may little."""
    recorded = between()
    recorded.give("d1", asks.NameDirector("assistant"))
    disqualify = asks.Rule("conduct", (Effect(disqualify=EntrantReference("e1")),))
    assert code(recorded, "d2", disqualify) == "not_a_director"
    recorded.give("d2", asks.Rule("conduct", (Effect(warn=EntrantReference("e1")),)))
    assert recorded.state.entrants[0].warnings == 1
    before = points_of(recorded.state)[1]
    recorded.give("d1", asks.Rule("conduct", (Effect(points=GivePoints("e1", -100)),)))
    assert points_of(recorded.state)[1] == before - 100
    recorded.give("d1", asks.Rule("conduct", (Effect(disqualify=EntrantReference("e2")),)))
    assert compute_closed_standings(recorded.state, 1)[-1]["entrant"] == "e2"
    assert code(recorded, "d1", asks.Rule("x", (Effect(),))) == "invalid_parameters"
    assert code(recorded, "d1", asks.Rule("x", (Effect(forfeit=RoundEntrant("e3", 2)),))) == "unknown_table"
    assert code(recorded, "d1", asks.Rule("x", (Effect(replay=TableReference(1, 1)),))) == "too_late"
    recorded.house()
    assert 2 not in recorded.state.rounds[1].players
    recorded.end(2, 1)
    recorded.give("d1", asks.Rule("error", (Effect(replay=TableReference(1)),)))
    table = recorded.state.rounds[1].tables[0]
    assert (table.attempt, table.result, len(table.games)) == (1, None, 1)
    recorded.play()
    recorded.house()
    assert holds(recorded).whole


def test_a_game_without_result_waits_for_a_ruling():
    """A table whose game the rules did not end waits for a ruling; who forfeits by it is last."""
    recorded = Recorded(EIGHT)
    recorded.begin(8)
    recorded.link(1, 1)
    table = recorded.state.rounds[0].tables[0]
    recorded.give(None, asks.RecordResult(1, table.game, 50, "cd" * 32, None, None, (None,) * 4, 1))
    recorded.end(1, 2)
    recorded.house()
    assert not recorded.state.rounds[0].closed_at
    assert code(recorded, f"e{table.entrants[0]}", asks.ConfirmResult(1)) == "results_missing"
    lazy = f"e{table.entrants[2]}"
    recorded.give("d1", asks.Rule("absence", (Effect(forfeit=RoundEntrant(lazy, 1)),)))
    recorded.house(asks.PairRound)
    assert recorded.state.rounds[0].closed_at
    lines = {line["entrant"]: line for line in compute_closed_standings(recorded.state, 1)}
    assert [lines[f"e{number}"]["rounds"][0]["place"] for number in table.entrants] == [1, 1, 4, 1]


def test_those_still_there_share():
    """Where it was settled so, a game that goes beyond the limit is ended, and its places are shared."""
    recorded = Recorded(EIGHT, schedule={"starts_at": BEGAN, "most_ms": 60 * MINUTE, "at_limit": "shared"})
    recorded.begin(8)
    recorded.link(1, 1)
    recorded.wait(61 * MINUTE)
    table = recorded.state.rounds[0].tables[0]
    recorded.give(None, asks.RecordResult(1, table.game, 50, "cd" * 32, None, None, (None, 3, None, None), 1))
    lines = {line["entrant"]: line for line in make_standings(recorded.state)}
    assert [lines[f"e{number}"]["rounds"][0]["place"] for number in table.entrants] == [1, 4, 1, 1]


def test_appeals():
    """An appeal is decided once, by the owner or another director than the one who ruled."""
    recorded = between()
    for _ in range(2):
        recorded.give("d1", asks.NameDirector("director"))
    recorded.give("d2", asks.Rule("conduct", (Effect(warn=EntrantReference("e1")),)))
    recorded.give("e1", asks.Appeal(1))
    assert code(recorded, "e1", asks.Appeal(1)) == "already_appealed"
    assert code(recorded, "d2", asks.Rule("appeal", ruling=1)) == "not_a_director"
    recorded.give("d3", asks.Rule("appeal", ruling=1))
    assert code(recorded, "d1", asks.Rule("appeal", ruling=1)) == "already_appealed"
    recorded.wait(2 * MINUTE)
    assert code(recorded, "e1", asks.Appeal(2)) == "too_late"


def test_nothing_is_paired_or_started_after_the_last_stage():
    """While an appeal keeps the tournament open, its directors are told that no round is left."""
    recorded = Recorded(EIGHT, stages=[{"format": "swiss_pods", "rounds": 1}])
    recorded.begin(8)
    recorded.play()
    recorded.give("d1", asks.Rule("conduct", (Effect(warn=EntrantReference("e1")),)))
    recorded.give("e1", asks.Appeal(1))
    recorded.house()
    assert (recorded.state.stage, recorded.state.over) == (2, False)
    assert code(recorded, "d1", asks.PairRound()) == "round_open"
    assert code(recorded, "d1", asks.SetPairing((("e1", "e2"),), (), "error")) == "round_open"
    assert code(recorded, "d1", asks.StartRound()) == "not_paired"


def test_directors():
    """Somebody always owns it."""
    recorded = Recorded()
    assert code(recorded, "d1", asks.DropDirector("d1")) == "last_owner"
    assert code(recorded, "d2", asks.OpenEntry()) == "not_a_director"
    recorded.give("d1", asks.NameDirector("owner"))
    recorded.give("d1", asks.DropDirector("d1"))
    assert code(recorded, "d1", asks.OpenEntry()) == "not_a_director"
    recorded.give("d2", asks.OpenEntry())


def test_pause():
    """While it is paused the server does nothing; at the end of the pause it goes on."""
    recorded = between()
    assert code(recorded, "d1", asks.ResumeTournament()) == "not_paused"
    until = add_milliseconds(recorded.at, 60 * MINUTE)
    recorded.give("d1", asks.PauseTournament(until, "schedule"))
    assert code(recorded, "d1", asks.PairRound()) == "tournament_paused"
    assert due_commands(recorded.state) == ((until, asks.ResumeTournament()),)
    recorded.house()
    assert recorded.state.paused is None
    assert recorded.state.rounds[1].started_at >= until


def test_cancelled():
    """A cancelled tournament discloses its secrets only when all its games have ended."""
    recorded = Recorded(EIGHT)
    recorded.begin(8)
    recorded.link(1, 1)
    recorded.give("d1", asks.CancelTournament("technical"))
    assert due_commands(recorded.state) == ()
    assert code(recorded, "e1", asks.Withdraw()) == "tournament_over"
    recorded.end(1, 1)
    recorded.house()
    assert (recorded.state.status, recorded.state.over) == ("cancelled", True)
    assert holds(recorded).whole


# --- settings ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"title": 5}, "title"),
        ({"table": {"size": 4, "least": 5}}, "table.least"),
        ({"table": {"size": 40, "least": 3}}, "table.size"),
        ({"table": {"size": 12, "least": 3}}, "table"),
        ({"options": {"no_such": 1}}, "options"),
        ({"stages": []}, "stages"),
        ({"stages": [{"format": "swiss_pods"}]}, "stages[0].rounds"),
        ({"stages": [{"format": "knockout", "cut": 5}]}, "stages[0].cut"),
        ({"stages": [{"format": "knockout"}, {"format": "rotation", "rounds": 2}]}, "stages[0].format"),
        ({"points": {"4": [1, 2, 3, 4]}}, "points.4"),
        ({"points": {"4": [1]}}, "points.4"),
        ({"tie_breaks": ["wins", "wins"]}, "tie_breaks"),
        ({"tie_breaks": ["beauty"]}, "tie_breaks[0]"),
        ({"schedule": {"starts_at": "tomorrow"}}, "schedule.starts_at"),
        ({"schedule": {"round": "parallel"}}, "schedule.round"),
        ({"schedule": {"round": "fixed"}}, "schedule.at"),
        (
            {"stages": [{"format": "ladder", "period_ms": MINUTE}], "schedule": {"round": "manual"}},
            "schedule.round",
        ),
        ({"tie_breaks": ["opponents"]}, "tie_breaks[0]"),
        ({"tie_breaks": ["median"]}, "tie_breaks[0]"),
        ({"entry": {"least": 9, "most": 8}}, "entry.most"),
        ({"clock": {"kind": "live", "base_ms": 1}}, "clock.base_ms"),
        ({"nonsense": 1}, "settings"),
        ({"directors": [{"role": "assistant"}]}, "directors"),
    ],
)
def test_settings_that_cannot_be(changes, field):
    """Each is refused with the field that is wrong."""
    with pytest.raises(terms.InvalidSettings) as refused:
        terms.check_settings(terms.parse_settings({**SIXTEEN, **changes}), find_title("colonial_empires"))
    assert list(refused.value.errors) == [field]


def test_changes_of_settings():
    """Before the close nearly all may be changed, afterwards the schedule and the texts."""
    recorded = Recorded(EIGHT)
    recorded.give("d1", asks.ChangeSettings({"bye_points": 2}))
    assert recorded.state.settings.bye_points == 2
    with pytest.raises(terms.InvalidSettings):
        recorded.give("d1", asks.ChangeSettings({"directors": [{"role": "owner"}]}))
    with pytest.raises(terms.InvalidSettings):
        recorded.give("d1", asks.ChangeSettings({"table": {"size": 3, "least": 4}}))
    recorded.begin(8)
    assert code(recorded, "d1", asks.ChangeSettings({"bye_points": 1})) == "entry_closed"
    recorded.give("d1", asks.ChangeSettings({"schedule": {"round": "manual"}}))
    recorded.play()
    recorded.house()
    assert len(recorded.state.rounds) == 1
    recorded.give("d1", asks.PairRound())
    recorded.give("d1", asks.StartRound())
    recorded.play()
    recorded.house()
    assert holds(recorded).whole


# --- what the server does in games ----------------------------------------------------------------------


def test_what_is_to_be_done_in_games():
    """Which games are to be created, awaited, left and ended follows from the tournament alone."""
    recorded = Recorded(EIGHT, schedule={"starts_at": BEGAN, "most_ms": 60 * MINUTE})
    recorded.begin(8)
    tables = recorded.state.rounds[0].tables

    def named(found):
        return [table.number for _, table, *_ in found]

    assert named(schedule.list_unlinked_tables(recorded.state)) == [1, 2]
    recorded.link(1, 1)
    assert named(schedule.list_unlinked_tables(recorded.state)) == [2]
    assert named(schedule.tables_in_play(recorded.state)) == [1]
    assert schedule.find_leavers(recorded.state) == schedule.tables_to_end(recorded.state) == []
    recorded.give(f"e{tables[0].entrants[2]}", asks.Withdraw())
    assert [seat for *_, seat in schedule.find_leavers(recorded.state)] == [2]
    recorded.give("d1", asks.Rule("absence", (Effect(result=SetResult(1, (1, 2, 4, 3))),)))
    assert named(schedule.tables_to_end(recorded.state)) == [1]
    assert schedule.overdue_rounds(recorded.state, recorded.at) == []
    recorded.wait(61 * MINUTE)
    recorded.give("d1", asks.CancelTournament("error"))
    assert schedule.overdue_rounds(recorded.state, recorded.at) == [recorded.state.rounds[0]]
    assert schedule.list_unlinked_tables(recorded.state) == []
    assert named(schedule.tables_to_end(recorded.state)) == [1]
