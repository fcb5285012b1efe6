"""The test of truth: a gain that the bot claims is held against the end of the game."""

import json
from dataclasses import replace

import pytest
from click.testing import CliRunner

from events.rules.fast_chance import FastChance
from ops.cli.bots.arena import command
from tests.workers.test_thinking import GUIDE, TITLE, WEIGHTS, WORTH
from workers.bots import UnknownBot
from workers.bots.trials import truth
from workers.bots.trials.arena import Z
from workers.bots.trials.truth import (
    Departure,
    Examination,
    ExaminedGame,
    _play_out,
    examine_game,
    find_search,
    summarize_examined,
)

FEW = Examination("colonial", 2, "brisk", "s", worlds=2)
WORDS = ("colonial", "--truth", "--deals", "2", "--worlds", "2", "--json")


def arena(*words, status=0):
    """What the command prints."""
    done = CliRunner().invoke(command, words, catch_exceptions=False)
    assert done.exit_code == status, done.output
    return done.output


@pytest.fixture
def quick(monkeypatch):
    """The bot thinks shorter, and is asked more often, than usual."""
    find = truth.find_bot
    monkeypatch.setattr(truth, "find_bot", lambda of, name: replace(find(of, name), budget=20))
    monkeypatch.setattr(truth, "POSITIONS", 1)


def test_the_same_deal_gives_the_same_figures(quick):
    """And so does the command, whose figures are those of its games."""
    games = [examine_game(FEW, deal) for deal in range(2)]
    assert examine_game(FEW, 0) == games[0]
    assert all(len(game.departures) <= 1 <= game.asked for game in games)
    told = json.loads(arena(*WORDS, "--seed", "s"))
    expected = summarize_examined(games)
    assert (told["games"], told["asked"], told["departures"]) == (2, expected.asked, expected.departures)
    assert told["end"] == {name: getattr(expected.end, name) for name in ("mean", "low", "high")}


def test_games_go_on_beyond_the_horizon():
    """Judged there it is no victory yet; at the end it is one or none. The same dice give the same."""
    search = find_search("colonial", "brisk")
    state = TITLE.open(2, TITLE.Options(), FastChance(3)).state
    seat = next(d.seat for d in TITLE.awaited(state))
    given = GUIDE(TITLE, state, seat, FastChance(1), 0)
    found = [_play_out(search, TITLE, state, seat, given, f"{n}") for n in (1, 1, 2, 3)]
    assert found[0] == found[1]
    assert {won for _, won in found} <= {0, 500_000, 1_000_000}
    assert any(0 < judged < 1_000_000 for judged, _ in found)
    soon = replace(search, worth=WORTH, weights=WEIGHTS, commands=0)
    assert _play_out(soon, TITLE, state, seat, given, "1")[1] == found[0][1]


def test_positions_of_one_game_hang_together():
    """Ten alike in each of four games say as much as one in each; the mean counts positions."""
    gains = (100_000, 300_000, -100_000, 100_000)
    lone, ten = (
        summarize_examined(
            [ExaminedGame(20, (Departure(1, 0, gain),) * count) for gain in gains] + [ExaminedGame(5, ())]
        )
        for count in (1, 10)
    )
    assert (lone.games, lone.asked, lone.departures, ten.departures) == (5, 85, 4, 40)
    assert lone.end == ten.end
    error = (80_000_000_000 * 4 / 3) ** 0.5 / 4
    assert lone.end.mean == 0.1
    assert lone.end.low == pytest.approx(0.1 - Z * error / 1e6, abs=1e-4)
    with pytest.raises(ValueError, match="no departures"):
        summarize_examined([ExaminedGame(5, ())])


@pytest.mark.parametrize(
    ("words", "status", "says"),
    [
        (["colonial", "--truth", "--bots", "steady,random"], 2, "plays no games out"),
        (["colonial", "--truth", "--sprt", "-20,0"], 2, "Leave them out"),
        (["colonial", "--truth", "--bots", "brilliant,steady"], 2, "no bot"),
    ],
)
def test_wrong_calls(words, status, says):
    """Said in a sentence, before anything is played."""
    assert says in arena(*words, status=status)


def test_a_bot_that_does_not_think_has_no_search():
    """Kept bots have theirs, with the weights of their time."""
    with pytest.raises(UnknownBot):
        find_search("colonial", "steady")
    former, newest = (find_search("colonial_empires", name) for name in ("brisk@1", "brisk"))
    assert former.weights != newest.weights


def test_no_departure_is_said(monkeypatch):
    """A bot that never leaves its rules of thumb has no gain to measure."""
    monkeypatch.setattr("ops.cli.bots.truth.examine_game", lambda wanted, deal: ExaminedGame(9, ()))
    assert "departed from steady in none of 2 games" in arena(*WORDS, status=1)
