"""How often somebody may ask."""

from __future__ import annotations

from ops.witness import limits
from ops.witness.limits import ConnectionLimiter, RateLimiter, name_subscriber


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


def test_connections_are_counted_by_address_and_in_all():
    """Eight of one address leave room for others; what is closed can be taken again."""
    limiter = ConnectionLimiter(10, 8)
    assert [limiter.take("10.0.0.1") for _ in range(9)] == [True] * 8 + [False]
    assert [limiter.take("10.0.0.2") for _ in range(3)] == [True, True, False]
    limiter.release("10.0.0.1")
    assert limiter.take("10.0.0.2")
    assert not limiter.take("10.0.0.1"), "there are ten"
    for address in ["10.0.0.1"] * 7 + ["10.0.0.2"] * 3:
        limiter.release(address)
    assert not limiter._open
    assert [limiter.take("10.0.0.1") for _ in range(9)] == [True] * 8 + [False]


def test_addresses_of_one_subscriber_are_one():
    """Who has an IPv6 address has a whole network of them."""
    assert name_subscriber("2001:db8::1") == name_subscriber("2001:db8::ffff:1") == "2001:db8::/64"
    assert name_subscriber("2001:db8:0:1::1") != name_subscriber("2001:db8::1")
    assert name_subscriber("fe80::1%eth0") == "fe80::/64"
    assert name_subscriber("::ffff:10.0.0.1") == "10.0.0.1"
    assert name_subscriber("") == ""


def test_many_addresses_do_not_fill_the_memory(monkeypatch):
    monkeypatch.setattr(limits, "MOST_ADDRESSES", 100)
    clock = Clock()
    allowance = RateLimiter(3, 2.0, clock)
    for number in range(1000):
        clock.now += 0.01
        assert allowance.take(f"address {number}") == 0
        assert len(allowance._left) <= 101
