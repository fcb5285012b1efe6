"""Ties are broken by exact keys, in the order settled; who is equal in all of them shares the rank."""

import pytest

from events.tournament.tie_breaks import ScoreSheet, TableScore, rank_entrants

A, B, C, D = 1, 2, 3, 4


def line(number, place, opponents, points=0, *, share=0, score=0, seat=0, table=1):
    """What somebody reached in a round."""
    return TableScore(number, table, seat, place, points, share, score, place == 1, tuple(opponents), False)


def order(lines, keys, *, points=None, rounds=None, lots=None):
    """The ranks by entrant of those who are all equal before any key."""
    sheet = ScoreSheet(
        {entrant: lines.get(entrant, []) for entrant in (A, B, C, D)},
        points or dict.fromkeys((A, B, C, D), 0),
        rounds or {},
        4,
        lots or {},
    )
    return {one.entrant: one.rank for one in rank_entrants([(A, B, C, D)], sheet, keys)}


@pytest.mark.parametrize(
    ("key", "lines", "ranks"),
    [
        ("wins", {B: [line(1, 1, ())], D: [line(1, 1, ()), line(2, 1, ())]}, {D: 1, B: 2, A: 3, C: 3}),
        ("share", {A: [line(1, 1, (), share=5)], C: [line(1, 1, (), share=6)]}, {C: 1, A: 2, B: 3, D: 3}),
        ("score_sum", {B: [line(1, 1, (), score=-3)]}, {A: 1, C: 1, D: 1, B: 4}),
        ("seat", {C: [line(1, 1, (), seat=3), line(2, 1, (), seat=1)]}, {C: 1, A: 2, B: 2, D: 2}),
        ("places", {A: [line(1, 2, ())], B: [line(1, 3, ()), line(2, 3, ())]}, {A: 1, B: 2, C: 3, D: 3}),
    ],
)
def test_sums(key, lines, ranks):
    """Tables won, shares, scores, seats and the count of second and third places."""
    assert order(lines, [key]) == ranks


def test_opponents():
    """The mean of the points of all who were met, each as often as they were met, rounded down."""
    points = {A: 10, B: 20, C: 31, D: 0}
    lines = {A: [line(1, 1, (B, C))], B: [line(1, 2, (A,)), line(2, 1, (A,))], C: [], D: [line(1, 1, (B,))]}
    assert order(lines, ["opponents_average"], points=points) == {A: 1, D: 2, B: 3, C: 4}


def test_head_to_head_counts_only_where_all_have_met():
    """Those who are equal are told apart by their own tables, but only if each met each."""
    met = {
        A: [line(1, 2, (B,), 3), line(2, 1, (C,), 5)],
        B: [line(1, 1, (A,), 5), line(2, 1, (C,), 5, table=2)],
        C: [line(2, 2, (A,), 3), line(2, 2, (B,), 3, table=2)],
    }
    sheet = ScoreSheet(met, dict.fromkeys(met, 0), {}, 4, {})
    found = {one.entrant: one.rank for one in rank_entrants([(A, B, C)], sheet, ["head_to_head"])}
    assert found == {B: 1, A: 2, C: 3}
    del met[C][1]
    assert {one.rank for one in rank_entrants([(A, B, C)], sheet, ["head_to_head"])} == {1}


def test_median():
    """Points without the best and the worst round; with two rounds nothing is left."""
    rounds = {A: [0, 5, 9], B: [4, 4, 4], C: [9, 9], D: [1, 6, 2, 8]}
    assert order({}, ["middle_rounds"], rounds=rounds) == {D: 1, A: 2, B: 3, C: 4}


def test_lot():
    """The first of the drawn order stands best."""
    assert order({}, ["wins", "lot"], lots={D: 1, A: 2, C: 3, B: 4}) == {D: 1, A: 2, C: 3, B: 4}


def test_keys_in_order():
    """A later key decides only between those whom no earlier one tells apart."""
    lines = {A: [line(1, 1, (), score=1)], B: [line(1, 1, (), score=9)], C: [line(1, 2, (), score=99)]}
    assert order(lines, ["wins", "score_sum"]) == {B: 1, A: 2, C: 3, D: 4}
