"""Who meets whom: the worked examples, the quality that is promised, the same result everywhere."""

import os
import random
import subprocess
import sys
from itertools import combinations, pairwise
from pathlib import Path

import pytest
from msgspec.structs import replace

from events.proof.randomness import UniformStream, sha
from events.tournament import pairing
from events.tournament.pairing import MissingDesign, PairingField, RoundDraw, pairs_of
from events.tournament.scoring import UNIT, move_up_stayers, place_values, score_shares, share_points
from events.tournament.seating import order_seats
from tests.tournament.vectors import digest_of, field_of, read

V = read()
POINTS = {"4": [5, 3, 2, 1], "3": [5, 3, 1]}


def named(cases):
    """*cases* by their ids."""
    return pytest.mark.parametrize("case", cases, ids=[str(case["id"]) for case in cases])


def event(entrants, rounds, seed, *, look_ahead):
    """How many meetings of an event of fours are repeated, its results drawn from *seed*."""
    chance, points, repeats = random.Random(seed), {}, 0
    field = PairingField(entrants=tuple(range(1, entrants + 1)), size=4, least=3)
    for number in range(rounds):
        left = rounds - number - 1 if look_ahead else 0
        drawn = pairing.pair_swiss(
            replace(field, points=dict(points)), UniformStream(sha(b"%d %d" % (seed, number))), left
        )
        assert sorted([e for pod in drawn.pods for e in pod] + list(drawn.byes)) == list(field.entrants)
        repeats += drawn.repeats
        for pod in drawn.pods:
            order = list(pod)
            chance.shuffle(order)
            for entrant, gets in zip(order, place_values(len(order), POINTS), strict=True):
                points[entrant] = points.get(entrant, 0) + gets
        field = pairing.record_meetings(field, drawn.pods, drawn.byes)
    return repeats


@named(V["swiss"])
def test_vector_of_swiss_pods(case):
    """Pods, byes and digest of 5, 7, 16, 17 and 64 entrants are those listed."""
    drawn = pairing.pair_swiss(
        field_of(case), UniformStream(bytes.fromhex(case["key"])), case.get("rounds_left", 0)
    )
    told = {
        "pods": [list(pod) for pod in drawn.pods],
        "byes": list(drawn.byes),
        "repeats": drawn.repeats,
        "gap": drawn.gap,
        "attempts": drawn.attempts,
        "digest": digest_of(drawn),
    }
    assert told == case["then"]


@named(V["plans"])
def test_vector_of_plans(case):
    """All rounds of a rotation or a round robin are those listed, and nobody meets anybody twice."""
    field = PairingField(
        entrants=tuple(range(1, case["entrants"] + 1)), size=case["size"], least=case["size"]
    )
    stream = UniformStream(bytes.fromhex(case["key"]))
    plan = (
        pairing.pair_round_robin(field, stream)
        if case["format"] == "round_robin"
        else pairing.pair_rotation(field, stream, case["rounds"])
    )
    assert [{"pods": [list(pod) for pod in one.pods], "byes": list(one.byes)} for one in plan] == case["then"]
    met = [two for one in plan for pod in one.pods for two in pairs_of(pod)]
    assert len(met) == len(set(met))
    if case["format"] == "round_robin":
        assert len(met) == case["entrants"] * (case["entrants"] - 1) // 2


def test_vectors_of_tables_seats_and_points():
    """Sizes of tables, seats, points, forfeits and shares are those listed."""
    for case in V["sizes"]:
        assert list(pairing.table_sizes(case["entrants"], case["size"], case["least"])) == case["then"]
    for case in V["knockout"]:
        field = PairingField(entrants=tuple(range(1, case["seeds"] + 1)), size=4, least=3)
        assert [list(pod) for pod in pairing.pair_knockout(field, field.entrants).pods] == case["then"]
    for case in V["seats"]:
        had = {(entrant, seat): times for entrant, seat, times in case["had"]}
        before = {(one, other): times for one, other, times in case["before"]}
        assert list(order_seats(case["pod"], had, before)) == case["then"]
    for case in V["points"]:
        values = [n * UNIT for n in case["worth"]] if case["worth"] else place_values(len(case["places"]), {})
        assert list(share_points(case["places"], values)) == case["then"]
    for case in V["forfeits"]:
        assert list(move_up_stayers(case["places"], case["left"])) == case["then"]
    for case in V["shares"]:
        assert list(score_shares(case["scores"])) == case["then"]


def test_seventeen_and_five():
    """17 entrants play at tables of 4, 4, 3, 3, 3 without a bye; of 5 one has a bye."""
    assert pairing.table_sizes(17, 4, 3) == (4, 4, 3, 3, 3)
    assert sum(pairing.table_sizes(5, 4, 3)) == 4


def test_no_second_bye_before_all_had_one():
    """In five rounds of five entrants everybody has one bye."""
    field = PairingField(entrants=(1, 2, 3, 4, 5), size=4, least=3)
    for number in range(5):
        drawn = pairing.pair_swiss(field, UniformStream(sha(b"%d" % number)))
        field = pairing.record_meetings(field, drawn.pods, drawn.byes)
    assert field.byes == dict.fromkeys(range(1, 6), 1)


def test_places_share_what_they_cover():
    """Places 1, 2, 2, 4 at 5, 3, 2, 1 give 5, 2.5, 2.5 and 1 points; four firsts 2.75 each."""
    values = place_values(4, POINTS)
    assert share_points([1, 2, 2, 4], values) == (12600, 6300, 6300, 2520)
    assert share_points([1, 1, 1, 1], values) == (6930,) * 4


def test_shares_of_what_was_scored():
    """Scores 0, 0, 0, 0 share alike; -2, 0, 4 are lifted by what the lowest lacks."""
    assert score_shares([0, 0, 0, 0]) == (250000,) * 4
    assert score_shares([-2, 0, 4]) == (0, 250000, 750000)


def test_repeats_are_rare_when_rounds_ahead_are_looked_at():
    """Of 20 events of 16 entrants over 4 rounds at most 8 have repeated meetings, none more than 4."""
    repeats = [event(16, 4, seed, look_ahead=True) for seed in range(1, 21)]
    assert sum(found > 0 for found in repeats) <= 8
    assert max(repeats) <= 4


@pytest.mark.parametrize(("entrants", "rounds"), [(20, 4), (24, 5), (32, 5), (64, 5)])
def test_larger_events_hardly_repeat(entrants, rounds):
    """Where there is room nobody meets anybody twice."""
    assert all(event(entrants, rounds, seed, look_ahead=True) == 0 for seed in (1, 2))


def test_forbidden_pairs_never_meet():
    """Two who are not to meet do not, whatever is drawn: 200 seeds."""
    field = PairingField(entrants=tuple(range(1, 17)), size=4, least=3, forbidden=frozenset({(3, 9)}))
    for seed in range(200):
        drawn = pairing.pair_swiss(field, UniformStream(sha(b"%d" % seed)))
        assert not any({3, 9} <= set(pod) for pod in drawn.pods)


def test_no_design():
    """Where no plan lets everybody meet once, none is made up."""
    for entrants, size in ((6, 3), (10, 4), (12, 4)):
        with pytest.raises(MissingDesign):
            pairing.pair_round_robin(
                PairingField(entrants=tuple(range(1, entrants + 1)), size=size, least=size),
                UniformStream(bytes(32)),
            )


def test_circle_method():
    """At tables of two everybody meets everybody once, and with an odd number has one bye."""
    plan = pairing.pair_round_robin(
        PairingField(entrants=tuple(range(1, 8)), size=2, least=2), UniformStream(bytes(32))
    )
    assert sorted(two for one in plan for pod in one.pods for two in pairs_of(pod)) == [
        (a, b) for a in range(1, 8) for b in range(a + 1, 8)
    ]
    assert sorted(bye for one in plan for bye in one.byes) == list(range(1, 8))


def repeats_of(entrants, size, least, seed):
    """How many meetings are repeated in four rounds, in which points follow from *seed*."""
    chance, points, found = random.Random(seed), {}, 0
    field = PairingField(entrants=tuple(range(1, entrants + 1)), size=size, least=least)
    for number in range(4):
        stream = UniformStream(sha(b"%d %d" % (seed, number)))
        drawn = pairing.pair_swiss(replace(field, points=dict(points)), stream)
        assert [len(pod) for pod in drawn.pods] == list(pairing.table_sizes(entrants, size, least))
        if drawn.repeats:
            playing = sorted(entrant for pod in drawn.pods for entrant in pod)
            assert not is_partition(playing, [len(pod) for pod in drawn.pods], field.met)
        found += drawn.repeats
        for pod in drawn.pods:
            for entrant, gets in zip(
                chance.sample(pod, len(pod)), place_values(len(pod), POINTS), strict=True
            ):
                points[entrant] = points.get(entrant, 0) + gets
        field = pairing.record_meetings(field, drawn.pods, drawn.byes)
    return found


def is_partition(entrants, sizes, met):
    """Whether any tables of these sizes let nobody meet anybody again, by trying them all."""
    if not entrants:
        return True
    head, *rest = entrants
    for size in set(sizes):
        others = [*sizes]
        others.remove(size)
        for companions in combinations(rest, size - 1):
            pod = (head, *companions)
            left = [entrant for entrant in rest if entrant not in companions]
            if not any(met.get(two, 0) for two in pairs_of(pod)) and is_partition(left, others, met):
                return True
    return False


@pytest.mark.parametrize(("entrants", "size", "least"), [(7, 3, 2), (8, 3, 2), (9, 4, 2), (10, 4, 3)])
def test_tables_of_different_sizes_repeat_only_what_they_must(entrants, size, least):
    """Nobody meets anybody again while any tables of these sizes avoid it: 20 events, all ways tried."""
    found = [repeats_of(entrants, size, least, seed) for seed in range(20)]
    if entrants in (8, 9):
        assert not any(found)


def test_forbidden_pairs_are_kept_apart_where_repeats_are_not():
    """Where somebody has to meet again, at least nobody meets whom they may not."""
    everybody = range(1, 9)
    met = {(one, other): 1 for one in everybody for other in everybody if one < other}
    forbidden = frozenset({(1, other) for other in range(2, 6)})
    field = PairingField(entrants=tuple(everybody), size=4, least=4, met=met, forbidden=forbidden)
    for seed in range(10):
        drawn = pairing.pair_swiss(field, UniformStream(sha(b"%d" % seed)))
        assert {1, 6, 7, 8} in map(set, drawn.pods)


@named(V["strikes"])
def test_vector_of_who_leaves_before_the_start(case):
    """Nobody else moves, but the members of a table that is too small."""
    drawn = RoundDraw(tuple(map(tuple, case["pods"])), tuple(case["byes"]), 0, 0, 1)
    forbidden = frozenset(map(tuple, case.get("forbidden", [])))
    pods, byes = pairing.strike(drawn, case["gone"], (case["size"], case["least"]), forbidden)
    assert {"pods": [list(pod) for pod in pods], "byes": list(byes)} == case["then"]


def test_seats_are_balanced():
    """Over four rounds of the same four everybody sits in every seat once."""
    had, before = {}, {}
    for _ in range(4):
        order = order_seats((1, 2, 3, 4), had, before)
        for seat, entrant in enumerate(order):
            had[entrant, seat] = had.get((entrant, seat), 0) + 1
        for one, other in pairwise(order):
            before[one, other] = before.get((one, other), 0) + 1
    assert set(had.values()) == {1}
    assert len(had) == 16


def test_large_tables_are_seated_by_exchanges():
    """A table of eight is seated too, everybody once."""
    had = {(entrant, 0): 3 for entrant in range(1, 5)}
    order = order_seats(range(1, 9), had, {})
    assert sorted(order) == list(range(1, 9))
    assert order[0] > 4


PROGRAM = """
import random
random.seed(99)
from events.proof.randomness import UniformStream
from events.tournament import pairing
from tests.tournament.vectors import digest_of, field_of, read
for case in read()["swiss"]:
    random.random()
    left = case.get("rounds_left", 0)
    print(digest_of(pairing.pair_swiss(field_of(case), UniformStream(bytes.fromhex(case["key"])), left)))
"""


@pytest.mark.parametrize("seed", ["0", "1"])
def test_the_same_digest_in_another_process(seed):
    """Nothing but its inputs decides a pairing: hash seeds, disturbed generators, processes do not."""
    root = Path(__file__).parents[2]
    told = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(root)},
        cwd=root,
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout.split() == [case["then"]["digest"] for case in V["swiss"]]
