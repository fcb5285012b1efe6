"""`rutter verify --bots` on several processes, and of a sample: the same verdict however it is thought."""

import json

import msgspec
import pytest
from click.testing import CliRunner

from events.table.record import canonical_command
from ops import cli
from tests.events.forging import SIGNER, Forgery, Table

JOBS = (1, 2, 3)


def verdict(file, *words):
    """Exit status and what was said by ``rutter verify``."""
    words = ["verify", str(file), "--key", SIGNER.vkey, "--bots", *map(str, words)]
    result = CliRunner().invoke(cli.rutter, words)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.output


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A game of six bots."""
    file = tmp_path_factory.mktemp("whole") / "game.ndjson"
    file.write_bytes(b"".join(Table("colonial_empires", ("random",) * 4).begin().play().lines()))
    return file


@pytest.fixture
def forged(tmp_path):
    """A file with a game in which some moves of bots, by their number, are changed."""

    def write(change, *numbers):
        seen = []

        def think(table, move):
            seen.append(1)
            return change(table, move) if len(seen) in numbers else move

        file = tmp_path / "forged.ndjson"
        table = Table("colonial_empires", ("random",) * 4, think=think).begin().play()
        file.write_bytes(b"".join(table.lines()))
        return file

    return write


def another(table, move):
    """Another legal command of the same seat, where it has one."""
    seat, command, run = move
    others = (canonical_command(c) for c in table.title.legal(table.game.state, seat))
    return seat, next((c for c in others if c != command), command), run


def test_any_number_of_processes_says_the_same(whole):
    """All moves, or a sample: to the letter."""
    for words in ((), ("--sample", "20%"), ("--sample", "20%", "--json")):
        said = {verdict(whole, *words, "--jobs", jobs) for jobs in JOBS}
        assert len(said) == 1
        assert said.pop()[0] == 0


def test_a_sample_can_be_drawn_again(whole):
    """It follows from the game and a word; what it leaves out is told, and is no proof of all."""

    def seats(*words):
        return json.loads(verdict(whole, "--json", *words)[1])["bot_seats"]

    some = seats("--sample", "20%")
    assert seats("--sample", "20") == some
    assert seats("--sample", "20%", "--sample-seed", "mine") != some
    for seat in some:
        assert seat["thought_again"] + seat["left_out"] + seat["fallbacks"] == seat["moves"]
    moves = sum(seat["moves"] for seat in some)
    assert 0.05 * moves < sum(seat["thought_again"] for seat in some) < 0.4 * moves
    assert not any(seat["left_out"] for seat in seats())
    status, said = verdict(whole, "--sample", "20%")
    assert (status, "not in the sample" in said) == (0, True)
    status, said = verdict(whole, "--sample", "20%", "--require", "bots")
    assert (status, "bots: --sample left moves out" in said) == (3, True)
    assert verdict(whole, "--require", "bots")[0] == 0


@pytest.mark.parametrize("share", ["0", "0%", "101%", "much", "nan", "-5%"])
def test_shares_that_are_none(whole, share):
    """Said in a sentence."""
    status, said = verdict(whole, "--sample", share)
    assert (status, "is not a share" in said) == (2, True)


def test_the_first_bad_move_is_named(forged):
    """Of several, whichever process comes to its own first."""
    file = forged(another, 20, 60)
    said = {verdict(file, "--jobs", jobs) for jobs in JOBS}
    assert len(said) == 1
    status, told = said.pop()
    assert (status, "thinks of another move" in told) == (1, True)
    first = int(told.partition("event ")[2].partition(":")[0])
    alone = verdict(forged(another, 20))
    assert int(alone[1].partition("event ")[2].partition(":")[0]) == first


def test_moves_of_a_bot_that_is_not_at_hand(forged):
    """They are counted on a line of their own, and all others are thought again."""
    file = forged(lambda _table, move: (*move[:2], msgspec.structs.replace(move[2], budget=9)), 5, 9)
    said = {verdict(file, "--jobs", jobs) for jobs in JOBS}
    assert len(said) == 1
    status, told = said.pop()
    assert status == 3
    assert sum(line.count("is not installed here") for line in told.splitlines()) in (1, 2)
    assert verdict(file, "--require", "bots")[0] == 3
    seats = json.loads(verdict(file, "--json")[1])["bot_seats"]
    assert sum(seat["not_at_hand"] for seat in seats) == 2
    assert all(s["thought_again"] + s["not_at_hand"] == s["moves"] for s in seats)


def test_a_seat_s_copy_has_nothing_to_think_about(tmp_path):
    """Its bots' seeds are hidden while the game runs: that is said, and is no failure."""
    file = tmp_path / "copy.ndjson"
    file.write_bytes(b"".join(Table(seats=(None, "random")).begin().play(4).lines(0)))
    status, said = verdict(file, "--partial", "--jobs", 2)
    assert (status, "NOT recomputed" in said) == (0, True)


GREAT = "a position has at most 10,000 values, and 1,000 in one list"


@pytest.mark.parametrize(
    ("hand", "reason"),
    [
        (["event_privateering"] * 9_000, GREAT),
        (["event_privateering"] * 99, "hand: the game has 98 cards"),
    ],
)
def test_no_bot_thinks_about_a_position_that_is_greater_than_any(tmp_path, hand, reason):
    """A hand of so many cards once kept the bots busy for half a minute a move: now its event is named."""
    played = Table("colonial_empires", ("random",) * 2).begin().play(30)
    position = played.title.position(played.game.state)
    lines = Table("colonial_empires", ("random",) * 2, position=position).begin().play().lines()
    honest, file = tmp_path / "honest.ndjson", tmp_path / "great.ndjson"
    honest.write_bytes(b"".join(lines))
    forgery = Forgery(lines)
    great = {**position, "hand": [hand, *position["hand"][1:]]}
    forgery.part(forgery.index("PositionSet"), "house", {"position": great})
    file.write_bytes(b"".join(forgery.lines()))
    assert verdict(honest)[0] == 0
    assert verdict(file) == (1, f"BAD: event 2: its position is not one of Colonial Empires: {reason}\n")
