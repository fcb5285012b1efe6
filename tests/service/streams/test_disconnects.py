"""Each client that disconnects is noticed, whatever became of those before."""

from __future__ import annotations

import socket
import threading
from selectors import EVENT_READ, SelectorKey

from service.streaming.client_disconnects import DisconnectWatcher
from tests.waiting import PATIENCE


def test_a_connection_that_was_closed_without_a_word_is_in_nobodys_way():
    """Its number may be given to the next one at once."""
    watcher, first, second = DisconnectWatcher(), threading.Event(), threading.Event()
    ours, theirs = socket.socketpair()
    watcher.watch(ours, first.set)
    number = ours.fileno()
    ours.close()
    next_ours, next_theirs = socket.socketpair()
    assert next_ours.fileno() == number
    watcher.watch(next_ours, second.set)
    next_theirs.close()
    assert second.wait(PATIENCE)
    assert not first.is_set()
    for each in (theirs, next_ours):
        each.close()


def test_who_has_left_is_watched_no_more():
    """Their hanging up is nobody's business then."""
    watcher, gone, other = DisconnectWatcher(), threading.Event(), threading.Event()
    pairs = [socket.socketpair() for _ in range(2)]
    watcher.watch(pairs[0][0], gone.set)
    watcher.watch(pairs[1][0], other.set)
    watcher.unwatch(pairs[0][0])
    watcher.unwatch(pairs[0][0])
    for _, theirs in pairs:
        theirs.close()
    assert other.wait(PATIENCE)
    assert not gone.is_set()
    for ours, _ in pairs:
        ours.close()


def test_what_was_heard_of_one_before_is_not_held_against_the_next(monkeypatch):
    """Two threads hear that one has gone; before the second of them looks, its number is another's.

    The other's connection has a time-out, which Python waits for before it reads; nobody waits for that here.
    """
    watcher, gone = DisconnectWatcher(), threading.Event()
    ours, theirs = socket.socketpair()
    ours.settimeout(PATIENCE)
    with monkeypatch.context() as patch:
        patch.setattr(watcher, "_run", lambda: None)
        watcher.watch(ours, gone.set)
    heard = SelectorKey(ours, ours.fileno(), EVENT_READ, None)
    with monkeypatch.context() as patch:
        patch.setattr(watcher._selector, "select", lambda _seconds: [(heard, EVENT_READ)])
        second = threading.Thread(target=watcher.poll)
        second.start()
        second.join(PATIENCE)
        assert not second.is_alive()
    assert not gone.is_set()
    theirs.close()
    watcher.poll(PATIENCE)
    assert gone.is_set()
    ours.close()
