"""Engines of others: the same moves as directly, and an answer or a reason whatever such a program does."""

import os
import socket
from dataclasses import replace

import psutil
import pytest

from events.rules.catalogue import find_title, title_ids
from events.rules.fast_chance import FastChance
from tests.waiting import until
from tests.workers.engines import as_reference, listing, script
from tests.workers.test_one_eye import positions
from workers.bot_types import MissingMove
from workers.bots import consider, find_bot
from workers.engines import answer, engine_process
from workers.engines.engine_list import list_engines
from workers.engines.engine_process import EngineProcess

FEW = 4
"""Games that a bot which thinks plays out for a move."""


def compared(title_id, name, budget, count, folder, monkeypatch):
    """In how many positions of a title a bot was asked directly and as an engine: to the same thought."""
    listing(folder, monkeypatch, as_reference(title_id, name, simulations=budget))
    title, bot = find_title(title_id), replace(find_bot(title_id, name), budget=budget)
    asked = 0
    with EngineProcess(list_engines()[0], moves=count) as asked_one:
        for seats in (title.seats[0], title.seats[-1]):
            for number, (state, seat) in enumerate(positions(title_id, seats, count // 2)):
                seed = f"{seats}/{number}".encode()
                known = title.imagine(state, seat, FastChance(seed))
                told = answer(asked_one, title, known, seat, seed, budget)
                direct = consider(title, bot, state, seat, seed)
                assert (told.command, told.simulations) == (direct.command, direct.simulations)
                asked += 1
    return asked


@pytest.mark.slow
@pytest.mark.parametrize(("title_id", "name"), [(each, "brisk") for each in title_ids()])
def test_the_same_moves_behind_the_lines(title_id, name, tmp_path, monkeypatch):
    """Our own search, asked as an engine is: the seed and the imagined position are all that it needs."""
    assert compared(title_id, name, FEW, 6, tmp_path, monkeypatch) == 6


@pytest.mark.slow
def test_whole_thoughts_behind_the_lines(tmp_path, monkeypatch):
    """Some with the whole budget of the level (a thousand of all titles in `tests/campaigns`)."""
    budget = find_bot("example", "brisk").budget
    assert compared("example", "brisk", budget, 10, tmp_path, monkeypatch) == 10


GOOD = """
while True:
    position, go = hear(), hear()
    say(type="best", command=position["legal"][0], simulations=go["simulations"], value=None)
"""
HANGS = "import time\nhear(), hear()\ntime.sleep(3600)\n"
BEFORE = 'say(type="best", command={}, simulations=0, value=None)\n'
BAD = {
    "says_nothing": ("", "ended with status 0"),
    "dies": ("import os\nhear(), hear()\nos.abort()\n", "ended with status -6"),
    "raises": ("hear(), hear()\nraise SystemExit(7)\n", "ended with status 7"),
    "closes": ("import os, time\nos.close(1)\ntime.sleep(3600)\n", "ended with status -9"),
    "rubbish": ('hear(), hear()\nprint("resign!", flush=True)\n', "no best"),
    "not_utf8": (
        'hear(), hear()\nsys.stdout.buffer.write(b"\\xff\\xfe\\n")\nsys.stdout.flush()\nhear()\n',
        "no best",
    ),
    "nested": ('hear(), hear()\nprint("[" * 200000, flush=True)\nhear()\n', "no best"),
    "other_message": ('hear(), hear()\nsay(type="hello")\nhear()\n', "no best"),
    "no_object": ('hear(), hear()\nsay(type="best", command=["a"])\nhear()\n', "no best"),
    "certain": ('hear(), hear()\nsay(type="best", command={}, value=2000000)\nhear()\n', "no best"),
    "illegal": (
        'hear(), hear()\nsay(type="best", command={"type": "nonsense"})\nhear()\n',
        "no command 'nonsense'",
    ),
    "no_type": ('hear(), hear()\nsay(type="best", command={"type": 5})\nhear()\n', "no command 5"),
    "endless": (
        'hear(), hear()\nwhile True: sys.stdout.write("x" * 65536)\n',
        "longer than",
    ),
    "too_soon": (BEFORE + "hear(), hear()\n" + BEFORE + "hear()\n", "before it is asked|no command None"),
    "twice": ("hear(), hear()\nprint('{}\\n{}', flush=True)\nhear()\n", "before it is asked"),
    "thinks_on": ("hear(), hear()\nwhile True: pass\n", "seconds of processor time"),
    "takes_all": ("hear(), hear()\nkept = bytearray(1 << 30)\n", "ended with status 1"),
    "writes": (
        'hear(), hear()\nwith open("notes", "w") as notes: notes.write("it was here")\n',
        "ended with status 1",
    ),
}
"""What an engine may do instead of playing, and what is said of it."""


def opening():
    """A title, an imagined position of it and who is asked."""
    title = find_title("example")
    state, seat = positions("example", title.seats[0], 1)[0]
    return title, title.imagine(state, seat, FastChance(0)), seat


def asked(engine):
    """What an engine comes to in a position."""
    with EngineProcess(engine) as asked_one:
        return answer(asked_one, *opening(), b"seed", engine.entry.simulations)


def test_an_engine_that_plays(tmp_path, monkeypatch):
    """One that takes the first legal command: nothing else is needed."""
    listing(tmp_path, monkeypatch, script(tmp_path, "first", GOOD))
    title, state, seat = opening()
    came = asked(list_engines()[0])
    assert came.command == next(iter(title.legal(state, seat)))
    assert came.simulations == 5


@pytest.mark.slow
@pytest.mark.parametrize("does", BAD)
def test_whatever_it_does_there_is_a_reason(does, tmp_path, monkeypatch):
    """Hanging is tried apart: here each ends by itself, or by its limits."""
    text, why = BAD[does]
    listing(tmp_path, monkeypatch, script(tmp_path, does, text, cpu_seconds=1))
    monkeypatch.setattr(engine_process, "CLOCK_FACTOR", 100)  # the processor may be busy with others
    with pytest.raises(MissingMove, match=why):
        asked(list_engines()[0])


@pytest.mark.parametrize(
    ("changed", "text"), [({"version": 2}, GOOD), ({"simulations": 1, "command": ["./not-there"]}, GOOD)]
)
def test_it_must_be_who_is_listed(changed, text, tmp_path, monkeypatch):
    """Another version, or a program that cannot be begun, plays nothing."""
    listing(tmp_path, monkeypatch, script(tmp_path, "other", text, **changed))
    with pytest.raises(MissingMove, match=r"it says that|status 1"):
        asked(list_engines()[0])


def test_one_that_hangs_is_given_up(tmp_path, monkeypatch):
    """By the clock, for it uses no processor by which it could be known. What it began ends with it."""
    text = "import os\nif os.fork() == 0:\n    os.execvp('sleep', ['sleep', '3600'])\n" + HANGS
    listing(tmp_path, monkeypatch, script(tmp_path, "hangs", text, cpu_seconds=1))
    monkeypatch.setattr(engine_process, "CLOCK_FACTOR", 1)
    with EngineProcess(list_engines()[0]) as asked_one:
        with pytest.raises(MissingMove, match="no answer"):
            answer(asked_one, *opening(), b"seed", 1)
        group = asked_one._process.pid
    until(
        lambda: not any(in_group(process, group) for process in psutil.process_iter(["status"])),
        "what it began has ended",
    )


def in_group(process, group):
    """Whether a process lives and is of that group."""
    try:
        return process.status() != psutil.STATUS_ZOMBIE and os.getpgid(process.pid) == group
    except (psutil.NoSuchProcess, ProcessLookupError):
        return False


def test_it_has_no_network(tmp_path, monkeypatch):
    """Not even this machine's own: a program that listens is not reached."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        text = f"import socket\nsocket.create_connection(('127.0.0.1', {port})).close()\n"
        listing(tmp_path, monkeypatch, script(tmp_path, "calls", text))
        with pytest.raises(MissingMove, match=f"status {1 if engine_process.is_network_refused() else 0}"):
            asked(list_engines()[0])


def test_it_knows_nothing_of_the_service(tmp_path, monkeypatch):
    """Neither addresses nor keys stand in its environment, and that of the worker cannot be read."""
    monkeypatch.setenv("DATABASE_URL", "postgresql://secret")
    text = "import os\nsys.exit(3 if set(os.environ) <= {'PATH', 'LANG', 'LC_CTYPE'} else 4)\n"
    reads = "open(f'/proc/{os.getppid()}/environ').read()\n"
    listing(
        tmp_path,
        monkeypatch,
        script(tmp_path, "environment", text),
        script(tmp_path, "parent", "import os\n" + reads),
    )
    with pytest.raises(MissingMove, match="status 3"):
        asked(list_engines()[0])
    with pytest.raises(MissingMove, match=f"status {1 if engine_process.is_network_refused() else 0}"):
        asked(list_engines()[1])
