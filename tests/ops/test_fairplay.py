"""`rutter fairplay`: decisions of people beside the first choice of a bot."""

import json
from itertools import pairwise

import pytest
from click.testing import CliRunner

from events.table.record import seat_of
from events.verify import Trust, check_bundle
from ops import cli
from ops.verify.fair_play import WARNING, Judgement, summarize, wilson
from tests.events.forging import Table
from tests.tournament.event_files import PlayedEvent


def fairplay(file, *words, status=0):
    result = CliRunner().invoke(cli.rutter, ["fairplay", str(file), "--bot", "brisk", *words])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert result.exit_code == status, result.output
    return result.output


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A game of a person, who plays at random, and a bot."""
    file = tmp_path_factory.mktemp("fairplay") / "game.ndjson"
    file.write_bytes(b"".join(Table("example", (None, "random")).begin().play().lines()))
    return file


def test_each_decision_is_compared_with_the_first_choice(whole, tmp_path):
    """Of people alone; each as `rutter explain` tells whether there was a choice."""
    out = tmp_path / "judged.ndjson"
    told = json.loads(fairplay(whole, "--json", "--out", str(out)))
    judged = [json.loads(line) for line in out.read_bytes().splitlines()]
    found = check_bundle(whole.read_bytes().splitlines(keepends=True), Trust())
    by = {first + 1: found.records[first].envelope() for first, _ in pairwise([0, *found.ends])}
    assert judged
    assert {seat_of(by[one["seq"]].by) for one in judged} == {0}
    assert not any(by[one["seq"]].bot for one in judged)
    [player] = told["players"]
    mine = [one for one in judged if one["choice"]]
    assert (player["player"], player["decisions"]) == ("seat 0", len(mine))
    assert player["first"] == sum(one["first"] for one in mine)
    assert player["low"] <= player["first"] / max(1, len(mine)) <= player["high"]
    assert told["warning"] == WARNING


def test_it_goes_on_after_an_interruption(whole, tmp_path):
    """Half a line is cut off; the whole is as of one run, and nothing is judged twice."""
    one, two = tmp_path / "one.ndjson", tmp_path / "two.ndjson"
    at_once = fairplay(whole, "--out", str(one))
    assert WARNING in at_once
    lines = one.read_bytes().splitlines(keepends=True)
    two.write_bytes(lines[0] + lines[1][:9])
    assert fairplay(whole, "--out", str(two)) == at_once
    assert two.read_bytes() == one.read_bytes()
    few = json.loads(fairplay(whole, "--decisions", "1", "--json"))
    assert few["players"][0]["decisions"] <= 1


@pytest.mark.parametrize("text", ["hello\n", "hello", '{"player": 1}\n'])
def test_the_file_of_another_run_must_be_one(whole, tmp_path, text):
    out = tmp_path / "notes.txt"
    out.write_text(text)
    result = CliRunner().invoke(cli.rutter, ["fairplay", str(whole), "--out", str(out)])
    assert "Name another file" in str(result.exception)
    assert out.read_text() == text


def test_a_tournament_is_judged_by_entrant(tmp_path):
    """Over all of its games."""
    file = tmp_path / "event.ndjson"
    file.write_bytes(b"".join(PlayedEvent().whole(4, ()).lines()))
    told = json.loads(fairplay(file, "--json", "--decisions", "2"))
    assert [one["player"] for one in told["players"]] == ["e1", "e2", "e3", "e4"]


def test_a_running_game_is_refused(tmp_path):
    file = tmp_path / "copy.ndjson"
    file.write_bytes(b"".join(Table("example", (None, "random")).begin().play(4).lines(0)))
    result = CliRunner().invoke(cli.rutter, ["fairplay", str(file)])
    assert result.exit_code == 1
    assert "when the game has ended" in result.output


def test_intervals():
    """Known values of Wilson's interval, and a player with a clock."""
    assert [round(end, 4) for end in wilson(0, 20)] == [0.0, 0.1611]
    assert [round(end, 4) for end in wilson(45, 50)] == [0.7864, 0.9565]
    assert wilson(0, 0) == (0.0, 1.0)
    judged = [Judgement("e1", "g", n, "brisk", "s", True, n % 2 == 0, 1000 * n) for n in range(1, 6)]
    easy = [Judgement("e1", "g", 9, "brisk", "s", False, True, 50)]
    [one] = summarize(judged + easy)
    assert (one.decisions, one.first, one.median_ms) == (5, 2, 3000)
