"""Steps: whom they ask is found out once for each state."""

from events.rules.steps import Step


class Count:
    """A state that knows how often it was looked at."""

    def __init__(self) -> None:
        self.looks = 0


def asks(state: Count):
    """Seats, one by one."""
    state.looks += 1
    yield from (2, 0)


def test_whom_a_step_asks_is_remembered_for_the_latest_state():
    """Asked about the same state again it answers from memory; about another one it looks."""
    step = Step(kind="wait", asked=asks, moves=(), default=lambda *_: None)
    one, other = Count(), Count()
    assert [tuple(step.asked(one)) for _ in range(3)] == [(2, 0)] * 3
    assert tuple(step.asked(other)) == (2, 0)
    assert (one.looks, other.looks) == (1, 1)
    assert tuple(step.asked(one)) == (2, 0)
    assert one.looks == 2
