"""`rutter explain FILE SEQ`: what a decision of a game that has ended was worth."""

import json

import pytest
from click.testing import CliRunner

from events.table.record import seat_of
from events.verify import Trust, check_bundle
from ops import cli
from tests.events.forging import Table


def explain(file, seq, *words, status=0):
    """What is said of the decision that led to event *seq*."""
    result = CliRunner().invoke(cli.rutter, ["explain", str(file), str(seq), "--bot", "brisk", *words])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert result.exit_code == status, result.output
    return result.output


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A game of two bots."""
    file = tmp_path_factory.mktemp("whole") / "game.ndjson"
    file.write_bytes(b"".join(Table("example", ("random", "steady")).begin().play().lines()))
    return file


def commands(file):
    """The numbers of the events with which a command of a seat begins, and the command."""
    records = check_bundle(file.read_bytes().splitlines(keepends=True), Trust()).records
    told = [(record, record.envelope()) for record in records]
    moves = [(r, e) for r, e in told if seat_of(e.by) is not None and e.bot]
    return [
        (r.seq, seat_of(e.by), e.command or json.loads(r.parts[f"{e.by}_command"].body)) for r, e in moves
    ]


def test_every_decision_can_be_explained(whole):
    """The likeliest candidates, with what was done among them, whatever that was; by what its seat knew."""
    for seq, seat, given in commands(whole)[:6]:
        told = json.loads(explain(whole, seq, "--json"))
        assert (told["seat"], told["bot"]) == (seat, "brisk")
        assert told["seq"] < seq
        assert [row["command"] for row in told["candidates"] if row["given"]] in ([given], [])
        assert any(row["given"] for row in told["candidates"]) or not told["candidates"]
        assert all(0 <= row["chance"] <= 1_000_000 and row["games"] > 0 for row in told["candidates"])
        assert sum(row["chosen"] for row in told["candidates"]) <= 1


def test_it_is_said_in_lines(whole):
    """For people; the same seed says the same."""
    seq = commands(whole)[0][0]
    said = explain(whole, seq)
    assert " games simulated by brisk:" in said
    assert "given" in said
    assert said == explain(whole, seq)


def test_events_that_nobody_decided(whole):
    """The creation, the set-up, and what is behind the end: wrong usage, in a sentence."""
    assert "no player's decision" in explain(whole, 1, status=2)
    assert "events" in explain(whole, 99_999, status=2)


def test_a_game_that_runs_is_not_explained(tmp_path):
    """A copy of a running game gets no advice."""
    file = tmp_path / "copy.ndjson"
    file.write_bytes(b"".join(Table(seats=(None, "random")).begin().play(4).lines(0)))
    assert "when the game has ended" in explain(file, 9, status=1)
