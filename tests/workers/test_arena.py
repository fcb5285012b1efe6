"""The arena: every deal from every seat, the same results for ever, honest intervals."""

import json

import pytest
from click.testing import CliRunner

from events.rules.fast_chance import FastChance
from ops.cli.bots.arena import command
from workers.bots import UnknownBot, find_bot
from workers.bots.trials.arena import (
    SURE,
    Match,
    PlayedGame,
    compute_expected_score,
    elo,
    likelihood,
    play,
    summarize_games,
)

THREE = Match("colonial", 3, ("steady", "random"), "s")


def arena(*words, status=0):
    """What the command prints."""
    done = CliRunner().invoke(command, list(map(str, words)), catch_exceptions=False)
    assert done.exit_code == status, done.output
    return done.output


def game(deal, seat, *places):
    """A game with these places."""
    winners = tuple(n for n, place in enumerate(places) if place == 1)
    scores = tuple(10 - place for place in places)
    names = ("steady@1",) * len(places)
    return PlayedGame("example", len(places), "s", deal, seat, names, winners, places, scores, "", 10, 0)


def test_each_sits_everywhere():
    """The challenger once at each seat, the others in turn at the rest."""
    match = Match("colonial", 4, ("a", "b", "c"), "s")
    assert [match.table(seat) for seat in range(4)] == [
        ("a", "b", "c", "b"),
        ("b", "a", "b", "c"),
        ("c", "b", "a", "b"),
        ("b", "c", "b", "a"),
    ]


def test_the_same_game_again():
    """The same deal from the same seat is the same game; another deal is another."""
    assert play(THREE, 0, 1) == play(THREE, 0, 1)
    assert play(THREE, 0, 1).bots == ("random@1", "steady@4", "random@1")
    assert len({play(THREE, deal, 1).scores for deal in range(6)}) > 1


def test_the_table_of_results():
    """Victories, ties and those left behind, by hand."""
    games = [game(0, 0, 1, 2, 3), game(0, 1, 1, 1, 3), game(0, 2, 1, 2, 3)]
    games += [game(1, seat, 1, 2, 2) for seat in range(3)]
    told = summarize_games(games)
    assert (told.deals, told.games, told.won) == (2, 6, 2.5)
    assert told.share == pytest.approx(2.5 / 6)
    assert told.beaten == pytest.approx((1 + 0.75 + 0 + 1 + 0.25 + 0.25) / 6)
    assert told.low < told.share < told.high
    assert told.luck == pytest.approx(1 / 3)


def test_deals_count_and_not_games():
    """Where all games of a deal end alike, the interval is that of the deals alone, Wilson's."""
    games = [game(deal, seat, 1, 2) for deal in range(40) for seat in (0, 1)]
    alike = [
        game(deal, seat, *((1, 2) if (deal % 2 == 0) == (seat == 0) else (2, 1)))
        for deal in range(40)
        for seat in (0, 1)
    ]
    even, clustered = summarize_games(games), summarize_games(alike)
    assert even.share == clustered.share == 0.5
    assert (clustered.low, clustered.high) == pytest.approx((0.3520, 0.6480), abs=1e-3)
    assert even.high - even.low < clustered.high - clustered.low


def test_a_deal_that_is_not_whole_counts_nothing():
    """It would favour a seat."""
    assert summarize_games([game(0, 0, 1, 2), game(0, 1, 2, 1), game(1, 0, 1, 2)]).games == 2
    with pytest.raises(ValueError, match="no games"):
        summarize_games([game(0, 0, 1, 2)])


def test_points():
    """400 points: ten to one."""
    assert elo(10 / 11) == pytest.approx(400)
    assert elo(0.5) == 0
    assert compute_expected_score(elo(0.7)) == pytest.approx(0.7)


def test_a_sequential_test_decides_for_what_is_true():
    """Likelier the better one is, the more often it wins."""
    won = [[game(deal, 0, 1, 2), game(deal, 1, *((2, 1) if deal % 3 else (1, 2)))] for deal in range(60)]
    lost = [[game(deal, 0, 2, 1), game(deal, 1, *((1, 2) if deal % 3 else (2, 1)))] for deal in range(60)]
    assert likelihood(won, -20, 20) > 0 > likelihood(lost, -20, 20)
    assert likelihood(won[:1], -20, 20) == 0


def test_few_deals_that_end_alike_prove_nothing():
    """Each of them won by both once: that says little before there are many."""
    alike = [[game(deal, 0, 1, 2), game(deal, 1, 1, 2)] for deal in range(100)]
    assert abs(likelihood(alike[:2], -40, 10)) < 0.1
    assert abs(likelihood(alike[:20], -40, 10)) < 1
    assert likelihood(alike, -40, 10) > SURE


def test_a_sequential_test_is_seldom_wrong():
    """Of a hundred tests of somebody who is as much worse as is asked, few call them better."""
    chance, wrong = FastChance(5), 0
    for _ in range(100):
        deals = []
        for deal in range(200):
            won = [chance.draw_below(1000) < 1000 * compute_expected_score(-60) for _ in (0, 1)]
            deals.append(
                [game(deal, seat, *((1, 2) if won[seat] == (seat == 0) else (2, 1))) for seat in (0, 1)]
            )
            if deal % 10 == 1 and abs(found := likelihood(deals, -60, 60)) > SURE:
                wrong += found > 0
                break
    assert wrong <= 8


def _places(seat, *, won):
    """Of two, the one at *seat* has won, or the other."""
    return (1, 2) if won == (seat == 0) else (2, 1)


def test_any_number_of_processes_tells_the_same(tmp_path):
    """The file, byte for byte, and the table; also after a kill in the middle of a line."""
    words = ["colonial", "--seats", 3, "--deals", 8, "--json"]
    one, two, cut = (tmp_path / name for name in ("one", "two", "cut"))
    told = arena(*words, "--out", one)
    assert arena(*words, "--out", two, "--jobs", 2) == told
    assert one.read_bytes() == two.read_bytes()
    assert json.loads(told)["games"] == 24
    cut.write_bytes(one.read_bytes()[:1000])
    assert arena(*words, "--out", cut) == told
    assert cut.read_bytes() == one.read_bytes()


def test_it_stops_when_it_knows(tmp_path):
    """With a sequential test the same number of deals for any number of processes."""
    words = ["colonial", "--bots", "steady,random", "--deals", 200, "--sprt", "0,200", "--json"]
    told = json.loads(arena(*words))
    assert told["verdict"] == "better"
    assert told["deals"] < 200
    assert json.loads(arena(*words, "--jobs", 2)) == told


def test_files_of_other_matches_are_refused(tmp_path):
    """Nothing is mixed."""
    out = tmp_path / "games"
    arena("colonial", "--deals", 1, "--out", out)
    assert "other games" in arena("colonial", "--deals", 1, "--seed", "other", "--out", out, status=1)
    out.write_text("what\n")
    assert "is not a file of `rutter arena`" in arena("colonial", "--deals", 1, "--out", out, status=1)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["colonial", "--seats", "9"], "2, 3, 4, 5, 6"),
        (["colonial", "--bots", "steady"], "at least two bots"),
        (["colonial", "--bots", "steady,brilliant"], "no bot"),
        (["colonial", "--bots", "steady@99,random"], "no bot"),
        (["colonial", "--options", "{"], "--options: "),
        (["colonial", "--options", '{"wind": 3}'], "wind"),
        (["colonial", "--sprt", "3"], "two numbers"),
        (["colonial", "--sprt", "3,1"], "smaller"),
    ],
)
def test_wrong_calls(words, says):
    """Said in a sentence."""
    assert says in arena(*words, status=2)


def test_old_versions_are_kept():
    """What played in recorded games can be asked again, by name and version."""
    assert find_bot("colonial", "steady").version == 4
    assert [find_bot("colonial", f"steady@{number}").version for number in (1, 2, 3)] == [1, 2, 3]
    with pytest.raises(UnknownBot):
        find_bot("colonial", "steady@5")


BOTH = ("steady@3", "steady@2")


@pytest.mark.parametrize("seats", [2, 3])
def test_the_second_steady_of_colonial_beats_the_first_among_few(seats):
    """No two copies of a card, counters before the open sea: beyond what luck explains."""
    beats_the_one_before(seats, ("steady@2", "steady@1"), 8)


def beats_the_one_before(seats, names, deals):
    """At small tables, one version wins of another more than luck explains."""
    told = summarize_games(
        play(Match("colonial", seats, names, "third"), deal, seat)
        for deal in range(deals)
        for seat in range(seats)
    )
    assert told.low > told.luck


def test_the_third_steady_of_colonial_plays_as_the_second_among_many():
    """Where land is scarce nothing better was found."""
    for seat in range(4):
        third, second = (play(Match("colonial", 4, (name, "random"), "m"), 1, seat) for name in BOTH)
        assert (third.scores, third.commands) == (second.scores, second.commands)


def fourth_fades(seats):
    """Compare the fourth with the third, each against random play.

    Where somebody is always strong enough for a war it loses less often than the third.
    """
    fourth, third = (
        summarize_games(
            play(Match("colonial", seats, (name, "random"), "many"), deal, seat)
            for deal in range(40)
            for seat in range(seats)
        )
        for name in ("steady@4", "steady@3")
    )
    assert fourth.share >= 0.95
    assert fourth.share > third.share


def test_an_empty_treasury_is_no_end():
    """The second player forfeits every round from the twelfth on and loses 0 to 19; the third plays on."""
    third, second = (play(Match("colonial", 2, (name, "random"), "lost"), 35, 0) for name in BOTH)
    assert (second.scores, second.reason) == ((0, 19), "turn_limit")
    assert third.winners == (0,)
