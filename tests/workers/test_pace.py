"""A dispatcher gathers only where much happens."""

import pytest

from workers.pace import EARNED_SECONDS, GATHER_SECONDS, PROMPT_TURNS, Pace


def test_after_a_quiet_time_nobody_waits():
    """Creation, command, answer: one turn each, at once. However long it was quiet, they are not more."""
    pace = Pace(0.0)
    for now in (1000.0, 2000.0):
        assert [pace.pause(now, now) for _ in range(int(PROMPT_TURNS))] == [0.0] * int(PROMPT_TURNS)
        assert pace.pause(now, now) == pytest.approx(GATHER_SECONDS)


def test_where_much_happens_it_is_done_together():
    """Of ten seconds of turns without end nearly all gather, each no longer than from its beginning."""
    pace, now, pauses = Pace(0.0), 0.0, []
    while now < 10:
        turned, now = now, now + 0.005
        pauses.append(pace.pause(turned, now))
        now += pauses[-1]
    assert sum(pause == 0 for pause in pauses) <= PROMPT_TURNS + 10 / EARNED_SECONDS + 1
    assert pauses[-2:].count(0.0) <= 1
    assert max(pauses) == pytest.approx(GATHER_SECONDS - 0.005)


def test_a_long_turn_has_gathered_enough():
    """What came meanwhile waits no longer."""
    pace = Pace(0.0)
    for _ in range(int(PROMPT_TURNS)):
        pace.pause(0.0, 0.0)
    assert pace.pause(0.0, GATHER_SECONDS * 2) == 0.0
