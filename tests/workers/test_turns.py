"""Whose webhook is called next: in turn by account, within limits for accounts and hosts."""

from __future__ import annotations

from projections.messages.webhook_calls import DueCall
from workers.webhook_delivery import OF_ACCOUNT, OF_HOST, DeliveryWorker


def due(account, number, host="example.org"):
    return DueCall(f"{account}-{number}", number, 0, account, host)


def choose(worker, calls, under_way=(), room=64):
    return [one.webhook for one in worker._choose(calls, under_way, room)]


def test_accounts_take_turns():
    """However many calls of one were due before, each of the others is next after its first."""
    worker = DeliveryWorker(None)
    many = [due("a", n, f"{n}.example") for n in range(50)]
    assert choose(worker, [*many, due("b", 1), due("c", 1)], room=4) == ["a-0", "b-1", "c-1", "a-1"]


def test_who_was_served_longest_ago_is_next():
    worker = DeliveryWorker(None)
    calls = [due(account, 1, f"{account}.example") for account in "abc"]
    served = [choose(worker, calls, room=1)[0] for _ in range(6)]
    assert served == ["a-1", "b-1", "c-1"] * 2


def test_an_account_and_a_host_have_only_so_many_at_once():
    worker = DeliveryWorker(None)
    of_one = [due("a", n, f"{n}.example") for n in range(50)]
    assert len(choose(worker, of_one)) == OF_ACCOUNT
    assert choose(worker, of_one[OF_ACCOUNT:], of_one[:OF_ACCOUNT]) == []
    to_one = [due(f"account-{n}", n) for n in range(50)]
    assert len(choose(worker, to_one)) == OF_HOST
    assert choose(worker, [*to_one[OF_HOST:], due("z", 1, "other.example")], to_one[:OF_HOST]) == ["z-1"]
