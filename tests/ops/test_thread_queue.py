"""The queue of the API threads: no task is lost or done twice, and few threads work at a time."""

import threading
from concurrent.futures import ThreadPoolExecutor, wait
from queue import Empty
from types import SimpleNamespace

import psutil
import pytest

from ops.server import thread_queue
from ops.server.thread_queue import MOST_AT_A_TIME, SPAN_SECONDS, IdleMeter, ThreadQueue
from tests.waiting import PATIENCE, until


@pytest.fixture
def idle():
    """The shares of idle time that are measured, one after the other; then it is not known."""
    return []


@pytest.fixture
def queue(idle):
    return ThreadQueue(lambda: idle.pop(0) if idle else None)


@pytest.fixture
def patient(monkeypatch):
    """No task takes long."""
    monkeypatch.setattr(thread_queue, "TURN_SECONDS", 1e6)


@pytest.fixture
def impatient(monkeypatch):
    """Each task takes long at once."""
    monkeypatch.setattr(thread_queue, "TURN_SECONDS", 0.0)


def start(queue, got, name):
    """Start a thread that waits for one item, and return it once it waits."""
    before = len(queue._waiting)
    thread = threading.Thread(target=lambda: got.append((name, queue.get())), daemon=True)
    thread.start()
    until(lambda: len(queue._waiting) > before, f"{name} waits")
    return thread


def test_the_thread_that_began_to_wait_last_gets_the_next_item(queue):
    queue.most, got = 3, []
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
    queue.most = 3
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
    queue.most = 4
    wait([pool.submit(begun.wait, PATIENCE) for _ in range(4)])
    by = set()
    for _ in range(20):
        until(lambda: len(queue._waiting) == 4, "all threads wait again")
        by.add(pool.submit(threading.get_ident).result(PATIENCE))
    assert len(by) == 1
    pool.shutdown(wait=True)


class Work:
    """A pool of four threads with the queue, and tasks in it that last until they are told to end."""

    def __init__(self, queue):
        self.pool = pool_with(queue, 4)
        self.begun, self.threads, self._ends = [], {}, {}

    def submit(self, *names):
        """Submit a task for each name; return their futures."""
        self._ends.update((name, threading.Event()) for name in names)
        return [self.pool.submit(self._do, name) for name in names]

    def _do(self, name):
        self.threads[name] = threading.get_ident()
        self.begun.append(name)
        assert self._ends[name].wait(PATIENCE)

    def until_begun(self, *names):
        """Wait until just these tasks have begun."""
        until(lambda: len(self.begun) >= len(names), f"{names} have begun")
        assert self.begun == list(names)

    def end(self, *names):
        """Let these tasks end."""
        for name in names:
            self._ends[name].set()


@pytest.fixture
def work(queue):
    work = Work(queue)
    yield work
    work.end(*work._ends)
    work.pool.shutdown(wait=True)


def wait_until_free(queue, number):
    until(lambda: len(queue._waiting) == number, f"{number} threads wait")


@pytest.mark.usefixtures("patient")
def test_a_task_waits_for_the_one_before_and_is_done_by_its_thread(queue, work):
    work.submit("a", "b")
    wait_until_free(queue, 1)
    queue.relieve()
    work.until_begun("a")
    assert queue.is_waited_for
    work.end("a")
    work.until_begun("a", "b")
    assert work.threads["a"] == work.threads["b"]
    assert not queue.is_waited_for


@pytest.mark.usefixtures("impatient")
def test_nobody_waits_for_a_task_that_takes_long(queue, work):
    work.submit("a", "b", "c")
    wait_until_free(queue, 2)
    work.until_begun("a")
    queue.relieve()
    work.until_begun("a", "b")
    queue.relieve()
    work.until_begun("a", "b", "c")


@pytest.mark.usefixtures("impatient")
def test_a_task_that_took_long_gives_no_second_turn_when_it_ends(queue, work, monkeypatch):
    first, *_ = work.submit("a", "b", "c")
    wait_until_free(queue, 2)
    queue.relieve()
    work.until_begun("a", "b")
    monkeypatch.setattr(thread_queue, "TURN_SECONDS", 1e6)
    work.end("a")
    first.result(PATIENCE)
    wait_until_free(queue, 2)
    work.until_begun("a", "b")
    work.end("b")
    work.until_begun("a", "b", "c")


@pytest.mark.usefixtures("patient")
def test_where_processors_idle_more_tasks_are_done_at_a_time_and_fewer_where_they_are_busy(queue, work, idle):
    work.submit("a", "b", "c", "d")
    wait_until_free(queue, 3)
    idle += [0.09]
    queue.relieve()
    assert (queue.most, work.begun) == (1, ["a"])
    idle += [0.11]
    queue.relieve()
    until(lambda: len(work.begun) == 2, "the second has begun")
    idle += [0.5]
    queue.relieve()
    until(lambda: len(work.begun) == 4, "all have begun")
    assert queue.most == 4
    work.submit("e")
    idle += [0.02, 0.01, 0.0]
    for most in (2, 1, 1):
        queue.relieve()
        assert queue.most == most
    idle += [1.0] * 10
    for _ in range(10):
        queue.relieve()
    assert queue.most == MOST_AT_A_TIME


@pytest.mark.usefixtures("patient")
def test_nobody_waits_for_a_task_that_steps_aside(queue, work):
    ended = threading.Event()

    def stream():
        queue.step_aside()
        ended.wait(PATIENCE)

    streams = [work.pool.submit(stream) for _ in range(2)]
    work.submit("a", "b")
    work.until_begun("a")
    ended.set()
    for one in streams:
        one.result(PATIENCE)
    wait_until_free(queue, 3)
    work.until_begun("a")


@pytest.mark.usefixtures("patient")
def test_threads_are_told_to_end_though_another_is_at_work(queue, work):
    work.submit("a", "b")
    wait_until_free(queue, 1)
    work.pool.shutdown(wait=False)
    work.end("a", "b")
    work.pool.shutdown(wait=True)
    assert work.begun == ["a", "b"]
    assert not any(thread.is_alive() for thread in work.pool._threads)


def test_idle_time_is_measured_over_whole_spans(monkeypatch):
    """A look long after the last one begins a new span, for what was before tells nothing of now."""
    times = psutil.cpu_times()
    clock = SimpleNamespace(now=1000.0, monotonic=lambda: clock.now)
    monkeypatch.setattr(thread_queue, "time", clock)
    meter, read = IdleMeter(), times

    def measure(seconds, user, idle, iowait=0.0):
        nonlocal read
        clock.now += seconds
        read = read._replace(user=read.user + user, idle=read.idle + idle, iowait=read.iowait + iowait)
        monkeypatch.setattr(psutil, "cpu_times", lambda: read)
        return meter.measure()

    assert measure(0.0, 0.0, 0.0) is None
    assert measure(0.5 * SPAN_SECONDS, 0.05, 0.05) is None
    assert measure(0.6 * SPAN_SECONDS, 0.05, 0.05) == pytest.approx(0.5)
    assert measure(SPAN_SECONDS, 0.15, 0.02, 0.03) == pytest.approx(0.25)
    assert measure(20 * SPAN_SECONDS, 0.0, 10.0) is None
    assert measure(SPAN_SECONDS, 0.2, 0.0) == pytest.approx(0.0)
