"""The queue of the API threads: no task is lost or done twice, and few threads are woken."""

import threading
from concurrent.futures import ThreadPoolExecutor, wait
from queue import Empty

import pytest

from ops.server.thread_queue import LastWaiterQueue
from tests.waiting import PATIENCE, until


@pytest.fixture
def queue():
    return LastWaiterQueue()


def start(queue, got, name):
    """Start a thread that waits for one item, and return it once it waits."""
    before = len(queue._waiting)
    thread = threading.Thread(target=lambda: got.append((name, queue.get())), daemon=True)
    thread.start()
    until(lambda: len(queue._waiting) > before, f"{name} waits")
    return thread


def test_the_thread_that_began_to_wait_last_gets_the_next_item(queue):
    got = []
    threads = [start(queue, got, name) for name in ("first", "second", "third")]
    for item, thread in zip((1, 2, 3), reversed(threads), strict=True):
        queue.put(item)
        thread.join(PATIENCE)
    assert got == [("third", 1), ("second", 2), ("first", 3)]


def test_items_that_nobody_waits_for_are_got_in_their_order(queue):
    for item in (1, None, 2):
        queue.put(item)
    assert [queue.get(), queue.get_nowait(), queue.get(block=True)] == [1, None, 2]
    with pytest.raises(Empty):
        queue.get_nowait()


def pool_with(queue, threads):
    pool = ThreadPoolExecutor(threads)
    pool._work_queue = queue
    return pool


def test_a_pool_with_it_does_each_task_once_and_all_its_threads_end(queue):
    """More tasks than threads, put by several: a task that was lost would be waited for in vain."""
    pool, done = pool_with(queue, 4), []
    putters = [
        threading.Thread(target=lambda n=n: [pool.submit(done.append, (n, k)) for k in range(200)])
        for n in range(3)
    ]
    for putter in putters:
        putter.start()
    for putter in putters:
        putter.join(PATIENCE)
    pool.shutdown(wait=True)
    assert sorted(done) == [(n, k) for n in range(3) for k in range(200)]
    assert not any(thread.is_alive() for thread in pool._threads)


def test_one_task_at_a_time_is_done_by_one_thread_of_many(queue):
    """The others sleep, though all were needed before."""
    pool, begun = pool_with(queue, 4), threading.Barrier(4)
    wait([pool.submit(begun.wait, PATIENCE) for _ in range(4)])
    by = set()
    for _ in range(20):
        until(lambda: len(queue._waiting) == 4, "all threads wait again")
        by.add(pool.submit(threading.get_ident).result(PATIENCE))
    assert len(by) == 1
    pool.shutdown(wait=True)
