"""Weights that are learned from games of thinking bots, generation by generation."""

import math
from dataclasses import replace

import msgspec
import pytest
from click.testing import CliRunner

from ops.cli.bots.fit import command
from workers.bots import find_bot
from workers.bots.search import get_search
from workers.bots.trials import fit
from workers.bots.trials.fit import SWEEPS, TRACE, Sample, aim, learn, loss, play_generation
from workers.bots.worth import Weights, load_weights

KNOWN = Weights(("lead",), (1000,), (1000,))
BLANK = Weights(("lead",), (0,), (0,))


def position(lead, won, progress=500):
    """A position of two seats, of which the first leads."""
    return Sample([(lead,), (0,)], progress, won)


def test_a_position_aims_at_the_next_one_and_at_the_end():
    """The last one aims at who won, the others at the lambda return."""
    won = [0.0, 1.0]
    game = aim([position(3, won), position(2, won), position(1, won)], KNOWN)
    assert game[2].won == won
    last = 1 / (1 + math.exp(-1))
    assert game[1].won == pytest.approx([(1 - TRACE) * last, (1 - TRACE) * (1 - last) + TRACE])
    middle = 1 / (1 + math.exp(-2))
    assert game[0].won[0] == pytest.approx((1 - TRACE) * middle + TRACE * game[1].won[0])
    assert [each.rows for each in game] == [[(lead,), (0,)] for lead in (3, 2, 1)]
    assert all(sum(each.won) == pytest.approx(1) for each in game)


def test_what_wins_is_learned_from_nothing():
    """Weights that know nothing learn that who leads usually wins, and then say so of another game."""
    games = [
        [position(lead, won, progress) for progress in (100, 500, 900)]
        for lead, won in ([(4, [1.0, 0.0])] * 4 + [(-3, [0.0, 1.0])] * 4 + [(2, [0.0, 1.0])])
    ]
    steps = []
    learned = learn(games, BLANK, steps.append)
    assert sum(steps) == SWEEPS * fit.ROUNDS
    assert learned.early[0] > 0
    assert learned.late[0] > 0
    assert loss(learned, [position(5, [1.0, 0.0])]) < 0.5
    assert learn(games, BLANK, steps.append) == learned


def test_learning_begins_with_what_is_known():
    """Games that end as often as was foreseen leave the weights nearly as they are."""
    sure = 1 / (1 + math.exp(-1))
    games = [[position(lead, won)] for lead, won in ((1, [sure, 1 - sure]), (-1, [1 - sure, sure]))]
    learned = learn(games, KNOWN, lambda _: None)
    assert learned.early[0] == pytest.approx(1000, abs=20)
    assert learned.late[0] == pytest.approx(1000, abs=20)


def hurry(monkeypatch):
    """Let `brisk` play out two games of one other command for a move, which is quick."""
    monkeypatch.setattr(fit, "find_bot", lambda title_id, name: replace(find_bot(title_id, name), budget=2))
    monkeypatch.setattr(fit, "get_search", lambda bot: replace(get_search(bot), candidates=2))
    monkeypatch.setattr(fit, "ROUNDS", 5)


@pytest.mark.slow
def test_a_generation_plays_with_its_weights(monkeypatch, tmp_path):
    """The games of a generation follow from seed and weights; the command learns from them."""
    hurry(monkeypatch)
    weights, _ = load_weights("colonialism")
    first = play_generation("colonialism", weights, [2], "s", 0)
    assert first == play_generation("colonialism", weights, [2], "s", 0)
    against = msgspec.structs.replace(weights, early=tuple(-each for each in weights.early))
    assert first != play_generation("colonialism", against, [2], "s", 0)
    out = tmp_path / "weights.toml"
    words = ["colonialism", "--games", "10", "--generations", "1", "--thoughtful", "5", "--out", str(out)]
    done = CliRunner().invoke(command, words)
    assert done.exit_code == 0, done.output
    made, known, *_ = out.read_text().splitlines()
    assert made == "# rutter fit colonialism --games 10 --seed fit --generations 1 --thoughtful 5"
    assert f"after 1, {known.removeprefix('# ')}" in done.output
    assert known.startswith("# held-back games: ")


def test_only_bots_that_search_have_a_search():
    """The rules of thumb have no weights that could be learned."""
    assert get_search(find_bot("colonies", "brisk")).weights == load_weights("colonies")[0]
    with pytest.raises(TypeError, match="steady"):
        get_search(find_bot("colonies", "steady"))
