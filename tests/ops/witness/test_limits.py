"""How often somebody may ask."""

from __future__ import annotations

from ops.witness import limits
from ops.witness.limits import RateLimiter


class Clock:
    """Seconds that the test sets."""

    now = 0.0

    def __call__(self):
        return self.now


def test_an_allowance_is_used_up_and_comes_back():
    """Three at once, then one each half second; the answer is how long to wait. Others have their own."""
    clock = Clock()
    allowance = RateLimiter(3, 2.0, clock)
    assert [allowance.take("ada") for _ in range(4)] == [0, 0, 0, 0.5]
    assert allowance.take("bob") == 0
    clock.now = 0.5
    assert [allowance.take("ada") for _ in range(2)] == [0, 0.5]
    clock.now = 100
    assert [allowance.take("ada") for _ in range(4)] == [0, 0, 0, 0.5]


def test_many_addresses_do_not_fill_the_memory(monkeypatch):
    monkeypatch.setattr(limits, "MOST_ADDRESSES", 100)
    clock = Clock()
    allowance = RateLimiter(3, 2.0, clock)
    for number in range(1000):
        clock.now += 0.01
        assert allowance.take(f"address {number}") == 0
        assert len(allowance._left) <= 101
