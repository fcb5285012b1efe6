"""The ladder's sums and strengths: those of the arena's games, and honest about what few games tell."""

import msgspec
import pytest

from events.rules.catalogue import find_title, title_ids
from workers.bots import find_bot
from workers.bots.trials.arena import Match, play, summarize_games
from workers.bots.trials.ladder import (
    ANCHOR,
    FIRST,
    Deal,
    Pair,
    Player,
    Table,
    Tally,
    is_current,
    levels,
    list_pairs,
    play_deal,
    result,
    rungs,
)

NAMES = ("random", "steady@1", "steady")


def player(name, version=1):
    return Player(name, version, 0, None)


def pair(challenger, other, beaten, deals=50):
    """Games of two in which each deal gives the challenger *beaten* of its two games."""
    each = tally_of(beaten)
    return Pair(player(challenger), player(other), "s", sum([each] * (deals - 1), each))


def tally_of(beaten):
    won = int(2520 * beaten)
    return Tally(1, 2, won, won * won, int(2 * beaten), int(2 * beaten) ** 2, 20, 0)


def test_who_challenges_whom(monkeypatch):
    """Each those just below, weakest first; the first steady player only where there is a newer one."""
    assert levels("colonial") == ("random", FIRST, "steady", "brisk", "strong")
    with monkeypatch.context() as patched:
        newest = find_bot("colonial", "steady")
        patched.setattr("workers.bots.trials.ladder.find_bot", lambda *_: newest)  # the newest is the first
        assert levels("colonial") == ("random", "steady", "brisk", "strong")
    pairs = [(pair.challenger.full, pair.other.full) for pair in list_pairs("colonial")]
    assert pairs == [
        ("steady@1", "random@1"),
        ("steady@4", "steady@1"),
        ("steady@4", "random@1"),
        (Player.from_bot(find_bot("colonial", "brisk")).full, "steady@4"),
        (Player.from_bot(find_bot("colonial", "brisk")).full, "steady@1"),
        (
            Player.from_bot(find_bot("colonial", "strong")).full,
            Player.from_bot(find_bot("colonial", "brisk")).full,
        ),
        (Player.from_bot(find_bot("colonial", "strong")).full, "steady@4"),
    ]
    assert list_pairs("colonial", NAMES) == list_pairs("colonial")[:3]
    assert all(list_pairs(title_id)[0].other.name == ANCHOR for title_id in title_ids())


@pytest.mark.parametrize("seats", [2, 3])
def test_a_pair_says_what_the_arena_says(seats):
    """The same games, the same figures, the same intervals."""
    asked = list_pairs("colonial", NAMES)[2]
    games = [
        play(Match("colonial", seats, ("steady@4", "random@1"), asked.seed), deal, seat)
        for deal in range(6)
        for seat in range(seats)
    ]
    whole = Tally()
    for deal in range(6):
        own = Deal("colonial", seats, asked, deal).play()
        assert own == play_deal(game for game in games if game.deal == deal)
        whole += own
    told, expected = result(msgspec.structs.replace(asked, tally=whole), seats), summarize_games(games)
    assert (told.deals, told.games, told.rejected) == (6, 6 * seats, expected.rejected)
    for name in ("share", "low", "high", "luck", "beaten"):
        assert getattr(told, name) == pytest.approx(getattr(expected, name), abs=1e-4), name
    for name in ("elo", "elo_low", "elo_high"):
        assert getattr(told, name) == pytest.approx(getattr(expected, name), abs=0.5), name


def test_strength_by_hand():
    """Ten to one is 400 points, and points of a chain add up."""
    chain = (
        Pair(player("steady"), player("random"), "s", _share(10, 11)),
        Pair(player("brisk"), player("steady"), "s", _share(10, 11)),
    )
    found = {rung.name: rung for rung in rungs(Table(2, 1, chain))}
    assert found["random"].elo == found["random"].low == found["random"].high == 0
    assert found["steady"].elo == pytest.approx(400, abs=8)
    assert found["brisk"].elo == pytest.approx(800, abs=16)
    width = {name: rung.high - rung.low for name, rung in found.items()}
    assert width["brisk"] == pytest.approx(2**0.5 * width["steady"], rel=0.01)
    assert found["steady"].score == pytest.approx((10 / 11 + 1 / 11) / 2, abs=1e-3)


def _share(won, of, times=10):
    """So many games of two won, each deal one of them from both seats."""
    deals = [tally_of(2)] * won + [tally_of(0)] * (of - won)
    return sum(deals * times, Tally())


def test_nobody_is_endlessly_stronger():
    """A bot that never lost has a bound below and a finite strength; fewer games give a wider interval."""
    few, many = (rungs(Table(2, 1, (pair("steady", "random", 2, deals),)))[1] for deals in (3, 100))
    assert 0 < few.elo < many.elo < 2000
    assert few.high - few.low > 2 * (few.elo - 0) > 0
    assert many.low > 300
    assert many.low > few.low


def test_deals_count_and_not_games():
    """Where both games of a deal end alike, half as many tell anything."""
    alike = Pair(player("steady"), player("random"), "s", _share(6, 10))
    apart = pair("steady", "random", 1, 100)
    mixed = msgspec.structs.replace(apart, tally=sum([tally_of(1)] * 80 + [tally_of(2)] * 20, Tally()))
    one, other = (rungs(Table(2, 1, (each,)))[1] for each in (alike, mixed))
    assert one.elo == pytest.approx(other.elo, abs=3)
    assert one.high - one.low > 1.3 * (other.high - other.low)


@pytest.mark.parametrize(
    ("name", "won", "missed"),
    [
        ("brisk", 8, ""),
        ("brisk", 5, " Not shown to be stronger than steady at this table."),
        ("strong", 9, ""),
        ("strong", 7, " Not shown to be strong at this table."),
    ],
)
def test_a_level_says_whether_it_deserves_its_name(name, won, missed):
    """Its games against steady, and a warning where the lower bound of its share is below the bar."""
    chain = (
        Pair(player("steady"), player("random"), "s", _share(10, 11)),
        Pair(player(name), player("steady"), "s", _share(won, 10)),
    )
    told = {rung.name: rung.sentence for rung in rungs(Table(2, 1, chain))}
    assert told == {
        "random": "Plays at random.",
        "steady": "Won 200 of 220 games against random@1; an equal one would win 110.",
        name: f"Won {20 * won} of 200 games against steady@1; an equal one would win 100.{missed}",
    }


def test_the_bar_is_lower_where_more_play():
    """Three of five games won are enough among three and four, not among two."""
    missed = {}
    for seats in (2, 3, 4):
        deal = Tally(
            1, seats, 2520 * seats * 6 // 10, 0, seats * (seats - 1), (seats * (seats - 1)) ** 2, 9, 0
        )
        deal = msgspec.structs.replace(deal, won_squares=deal.won**2)
        chain = [Pair(player("strong"), player("steady"), "s", sum([deal] * 60, Tally()))]
        chain.append(Pair(player("steady"), player("random"), "s", sum([deal] * 60, Tally())))
        missed[seats] = "Not shown" in rungs(Table(seats, 1, tuple(chain)))[-1].sentence
    assert missed == {2: True, 3: False, 4: False}


def test_a_level_that_was_not_measured_against_steady_says_so():
    """However well it did against others."""
    chain = (
        Pair(player("steady"), player("random"), "s", _share(10, 11)),
        Pair(player("brisk"), player("steady"), "s", _share(9, 10)),
        Pair(player("strong"), player("brisk"), "s", _share(9, 10)),
    )
    *_, strong = rungs(Table(2, 1, chain))
    assert strong.sentence == "Not measured against steady. Not shown to be strong at this table."


def test_without_games_against_the_anchor_there_is_no_strength():
    """Points above `random` need a way to it."""
    assert rungs(Table(2, 1, (pair("strong", "brisk", 2),))) == []
    assert rungs(Table(2, 1, ())) == []


def test_what_is_of_older_bots_or_rules():
    """Another budget, other weights, another version of the title: none is the present one."""
    asked, rules = list_pairs("colonial")[-1], find_title("colonial").version
    changed = msgspec.structs.replace
    assert is_current("colonial", Table(2, rules, ()), asked)
    assert is_current("colonial", Table(2, rules, ()), list_pairs("colonial", NAMES)[0])
    assert not is_current("colonial", Table(2, 99, ()), asked)
    for name, value in (("budget", 1), ("weights", "0" * 64), ("version", 99)):
        other = changed(asked, challenger=changed(asked.challenger, **{name: value}))
        assert not is_current("colonial", Table(2, rules, ()), other)
