"""What a command computes in microseconds keeps Python's lock: a busy process gives its turn away rarely."""

import os
import subprocess
import sys
import threading
from collections.abc import Callable

import pytest

from events.proof.canonical import derive_salt
from events.proof.randomness import mac
from events.store import stream_writer
from events.store.stream_writer import DRAWN, new_command_id


def lets_others_run(work: Callable[[], object], times: int) -> bool:
    """Return True if a thread that can run did so while *work* was done so many times."""
    ran: list[bool] = []
    gate = threading.Lock()
    gate.acquire()
    other = threading.Thread(target=lambda: (gate.acquire(), ran.append(True)))
    usual = sys.getswitchinterval()
    sys.setswitchinterval(60)  # nobody has to give their turn away
    try:
        other.start()  # returns once the other waits at the gate, for until then it keeps its turn
        gate.release()
        for _ in range(times):
            work()
            if ran:
                return True
        return False
    finally:
        sys.setswitchinterval(usual)
        other.join()


@pytest.mark.parametrize(
    ("work", "times"),
    [
        (lambda: mac(b"key", b"text"), 20_000),
        (lambda: derive_salt(b"key", 2, "p1"), 20_000),
        (new_command_id, DRAWN // 2),
    ],
    ids=["mac", "salt", "command id"],
)
def test_others_wait_for_their_turn(work, times):
    while len(stream_writer._drawn) < DRAWN // 2:
        new_command_id()
    assert not lets_others_run(work, times)


def test_others_run_during_a_draw_of_the_system():
    assert lets_others_run(lambda: os.urandom(16), 2_000_000)


def test_no_two_ids_are_equal_in_a_process_and_its_forks():
    program = """
import os
from events.store.stream_writer import DRAWN, new_command_id
ids = [new_command_id() for _ in range(3)]
reader, writer = os.pipe()
if os.fork() == 0:
    os.write(writer, " ".join(new_command_id() for _ in range(DRAWN + 3)).encode())
    os._exit(0)
os.wait()
theirs = os.read(reader, 65536).decode().split()
ids += [*theirs, *(new_command_id() for _ in range(DRAWN + 3))]
print(len(ids), len(set(ids)))
"""
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert said.stdout.split() == [str(3 + 2 * (DRAWN + 3))] * 2
