"""How long bots think: the positions that are chosen, the figures, and what the command says."""

import json
import re
from dataclasses import replace

import pytest
from click.testing import CliRunner

from ops.cli.bots.arena import command
from workers.bots import consider, find_worth
from workers.bots.trials import thought_times
from workers.bots.trials.thought_times import TimedThought, TimedThoughts, summarize_times, time_thought

WANTED = TimedThoughts("colonies", 3, "brisk@1", "s", 4)


def arena(*words, status=0):
    """What the command prints."""
    done = CliRunner().invoke(command, words, catch_exceptions=False)
    assert done.exit_code == status, done.output
    return done.output


def test_the_later_the_deal_the_later_in_the_game(monkeypatch):
    """Each quarter of the decisions gives one position, in which the seat that is asked decides."""
    asked = []

    def watch(title, bot, state, seat, seed):
        asked.append((find_worth(title)[0].progress(state), seat in {d.seat for d in title.awaited(state)}))
        return consider(title, replace(bot, budget=8), state, seat, seed)

    monkeypatch.setattr(thought_times, "consider", watch)
    thoughts = [time_thought(WANTED, deal) for deal in range(4)]
    assert all(thought.seconds > 0 for thought in thoughts)
    assert any(thought.simulations for thought in thoughts)
    progress, decides = zip(*asked, strict=True)
    assert all(decides)
    assert progress[0] < 250 < progress[1] < 500 < progress[2] < 750 < progress[3]


def test_figures_leave_out_five_of_a_hundred():
    """Of twenty the nineteenth; of ten the longest, so that few thoughts never look short."""
    told = summarize_times([TimedThought(float(second), 2 * second) for second in range(20, 0, -1)])
    assert (told.median, told.nearly_all, told.longest, told.simulations) == (10.5, 19, 20, 21)
    assert summarize_times([TimedThought(float(second), 0) for second in range(10)]).nearly_all == 9


def test_the_command_prints_them(monkeypatch):
    """By default of `strong`; other bots can be named. As text, and as JSON."""
    told = json.loads(arena("colonies", "--time", "--deals", "1", "--json", "--bots", "steady,random"))
    assert (told["bot"], told["thoughts"], told["simulations"]) == ("steady@2", 1, 0)
    assert 0 < told["median"] == told["longest"]
    monkeypatch.setattr(
        thought_times, "consider", lambda title, bot, *rest: consider(title, replace(bot, budget=8), *rest)
    )
    said = arena("colonies", "--time", "--deals", "1")
    assert re.match(r"strong@\d+: colonies, 3 seats\n", said)
    assert "1, from the first decisions" in said
    assert "0.00 s at most" not in said


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--truth"], "Give one of them"),
        (["--sprt", "-20,0"], "Leave them out"),
    ],
)
def test_wrong_calls(words, says):
    """Said in a sentence, before anything is played."""
    assert says in arena("colonies", "--time", *words, status=2)
