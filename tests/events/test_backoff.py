"""Pauses after failures."""

from __future__ import annotations

from events.base.backoff import Backoff


class Clock:
    """A clock that stands still until it is set."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_pauses_double_up_to_the_longest_until_a_success():
    backoff = Backoff(0.5, 3.0, Clock())
    assert [backoff.fail() for _ in range(5)] == [0.5, 1.0, 2.0, 3.0, 3.0]
    backoff.reset()
    assert not backoff.is_pausing()
    assert backoff.fail() == 0.5


def test_without_a_longest_all_are_as_long_as_the_first():
    backoff = Backoff(2.0, clock=Clock())
    assert [backoff.fail() for _ in range(3)] == [2.0, 2.0, 2.0]


def test_the_first_is_no_longer_than_the_longest():
    assert Backoff(1.0, 0.25, Clock()).fail() == 0.25


def test_a_pause_ends_in_time():
    clock = Clock()
    backoff = Backoff(2.0, 8.0, clock)
    assert (backoff.is_pausing(), backoff.seconds_left()) == (False, 0.0)
    backoff.fail()
    assert (backoff.is_pausing(), backoff.seconds_left()) == (True, 2.0)
    clock.now = 101.5
    assert (backoff.is_pausing(), backoff.seconds_left()) == (True, 0.5)
    clock.now = 102.0
    assert (backoff.is_pausing(), backoff.seconds_left()) == (False, 0.0)


def test_a_pause_of_another_length_does_not_grow_the_next():
    backoff = Backoff(1.0, 8.0, Clock())
    backoff.hold(0.5)
    assert backoff.seconds_left() == 0.5
    assert backoff.fail() == 1.0
