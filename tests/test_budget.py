"""The tests' own tools: budgets, groups, tiers, seeds, waiting."""

from __future__ import annotations

import contextlib
import re
import subprocess
import sys

import pytest

from tests import again, budget, grouping, tiers, waiting

pytest_plugins = "pytester"

BUSY = """
import pytest
def work(seconds):
    import time
    end = time.process_time() + seconds
    while time.process_time() < end: pass
def test_cheap(): pass
def test_over(): work(.15)
def test_far_over(): work(.4)
@pytest.mark.slow
def test_allowed(): work(.4)
@pytest.mark.campaign
def test_unbounded(): work(1)
@pytest.fixture(scope="session")
def servers(): work(.5)
def test_on_servers(servers): pass
@pytest.mark.parametrize("n", range(10))
def test_many(n): pass
"""


@pytest.fixture
def inner(pytester, monkeypatch):
    """Runs pytest with the plugin, on budgets of a tenth of a second and of a whole one.

    Its tests work for a time, not by steps: the speed of the machine says nothing about them.
    """
    monkeypatch.setattr(budget, "measure_slowness", lambda: 1.0)
    monkeypatch.setattr(budget, "BUDGET", 0.1)
    monkeypatch.setattr(budget, "WHOLE", 1.0)
    pytester.makeini("[pytest]\nmarkers =\n    slow: x\n    campaign: x\n    whole: x\n")

    def run(text, *words):
        pytester.makepyfile(text)
        return pytester.runpytest_inprocess("-p", "tests.budget", "-p", "no:randomly", *words)

    return run


@pytest.mark.slow
def test_a_test_fails_for_three_times_its_budget(inner):
    """What it takes above that is named; servers of the session are billed to nobody."""
    done = inner(BUSY)
    done.assert_outcomes(passed=16, errors=1)  # its teardown tells
    done.stdout.fnmatch_lines(["*test_far_over took*CPU s; its tier allows 0*", "over its budget*test_over"])
    assert not any("over its budget" in line and "servers" in line for line in done.outlines)


@pytest.mark.slow
@pytest.mark.parametrize(("slowness", "errors"), [(1.0, 1), (3.0, 0)])
def test_a_slow_machine_is_allowed_more(inner, monkeypatch, slowness, errors):
    """What fails on an ordinary machine is only named on one three times as slow."""
    monkeypatch.setattr(budget, "measure_slowness", lambda: slowness)
    done = inner(BUSY)
    done.assert_outcomes(passed=16, errors=errors)
    assert any("over its budget" in line and "far_over" in line for line in done.outlines)


def test_slowness_is_measured_by_a_piece_of_work(monkeypatch):
    """No machine counts as faster than an ordinary one."""
    monkeypatch.setattr(budget, "ORDINARY", 1e-9)
    assert budget.measure_slowness() > 1000
    monkeypatch.setattr(budget, "ORDINARY", 1e9)
    assert budget.measure_slowness() == 1


@pytest.mark.slow
def test_a_run_ends_itself_at_its_limit(inner):
    done = inner(BUSY, "--cpu-limit", "0.5")
    assert done.ret == 3
    assert any(
        "the tests took more than 0 CPU s" in line or "more than 1 CPU s" in line for line in done.outlines
    )


def test_no_more_than_twelve_are_whole(inner):
    text = (
        "import pytest\n@pytest.mark.whole\n@pytest.mark.parametrize('n', range(%d))\ndef test_it(n): pass\n"
    )
    assert inner(text % 12).ret == 0
    assert inner(text % 13).ret == pytest.ExitCode.USAGE_ERROR


def test_children_are_counted_while_they_run_and_afterwards():
    """Also those that a child has started."""
    before = budget.cpu_seconds()
    work = "import time\nwhile time.process_time() < .2: pass\nprint(flush=True)\ninput()"
    words = [sys.executable, "-c", work]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        child.stdout.readline()
        assert budget.cpu_seconds() - before > 0.15  # in ticks of a hundredth, of three processes
        child.communicate(b"\n")
    assert budget.cpu_seconds() - before > 0.15


def test_what_nobody_collects_is_counted(pytestconfig, monkeypatch):
    """The seconds of the processes of a killed browser vanish from what the system counts."""
    looks = iter([10.0, 14.0, 6.0, 7.0])
    monkeypatch.setattr(budget, "cpu_seconds", lambda: next(looks))
    meter = budget.Meter(pytestconfig)
    assert [meter.look() for _ in range(4)] == [10, 14, 14, 15]


AGAIN = """
import pytest
made = []
@pytest.fixture(scope="session")
def servers(): made.append("servers")
@pytest.fixture(scope="session")
def live_server(): made.append("live")
@pytest.fixture(scope="module")
def database(servers): made.append("database")
def test_on_a_database(database): pass
def test_at_last(database): assert made.count("database") < 6
def test_alive(live_server): pass
def test_what_was_made():
    assert [made.count(name) for name in ("servers", "database", "live")] == [1, 6, 3]
"""


def test_repeated_tests_have_fixtures_of_their_own(inner):
    """Those of the session stay, but where a test uses the live service; a failure ends one test alone."""
    done = inner(AGAIN, "-p", "tests.again", "--times", "3")
    assert done.ret == 1
    done.stdout.fnmatch_lines(
        [
            "passed 3 times,*: *::test_on_a_database",
            "failed at time 3 of 3,*: *::test_at_last",
            "passed 3 times,*: *::test_alive",
            "passed 3 times,*: *::test_what_was_made",
        ]
    )


SHARED = """
import pytest
made = []
@pytest.fixture(scope="session")
def live_server(): made.append("live")
@pytest.fixture(scope="module")
def database():
    made.append("database")
    yield
    made.append("end")
@pytest.fixture
def page(): made.append("page")
def test_shares(database, live_server, page): pass
def test_fails(database): assert made.count("end") == 0
def test_fresh(database): pass
def test_what_was_made():
    counts = [made.count(name) for name in ("live", "database", "end", "page")]
    assert counts == [1, 5, 5, 3]
"""


def test_repeated_tests_share_fixtures_where_nothing_speaks_against_it(inner, monkeypatch, tmp_path):
    """Those of session and module; a test that says in the list why it needs fresh ones gets them."""
    module = "test_repeated_tests_share_fixtures_where_nothing_speaks_against_it.py"
    text = tmp_path / "list.txt"
    text.write_text(f"# a list\n{module}::test_shares\n{module}::test_fresh  # fresh: it fills them\n")
    monkeypatch.setattr(again, "LIST", text)
    done = inner(SHARED, "-p", "tests.again", "--times", "3", "--share-fixtures")
    assert done.ret == 1
    done.stdout.fnmatch_lines(
        [
            "passed 3 times,*: *::test_shares",
            "failed at time 1 of 3,*: *::test_fails",
            "passed 3 times,*: *::test_fresh",
            "passed 3 times,*: *::test_what_was_made",
        ]
    )


@pytest.mark.parametrize(
    ("touched", "found"),
    [
        ("events/titles/colonies/setup.py", "tests/titles/colonies"),
        ("events/tournament/pairing.py", "tests/tournament"),
        ("tests/web/test_page.py", "tests/web"),
        ("README.md", "tests/acceptance/test_readme.py"),
    ],
)
def test_what_is_near(touched, found):
    assert found in tiers.near(touched)


def test_tests_near_to_something_exist():
    """A word of the table that names no test any more chooses nothing, and nobody would notice."""
    for _start, words in tiers.SERVICE:
        for word in words.split():
            assert len([*tiers.ROOT.glob(f"tests/service/*/test_{word}.py")]) == 1, word
    for _start, paths in tiers.NEAR:
        for path in paths:
            assert "{0}" in path or [*tiers.ROOT.glob(path)], path


def test_tests_that_once_failed_exist():
    for name in tiers.once_failed():
        path, *_, test = name.split("::")
        assert re.search(rf"^ *def {test}\(", (tiers.ROOT / path).read_text(), re.MULTILINE), name
    assert len(set(tiers.once_failed())) == len(tiers.once_failed())


def test_each_file_of_the_service_has_tests_near_to_it():
    for path in (tiers.ROOT / "service").rglob("*.py"):
        name = path.relative_to(tiers.ROOT).as_posix()
        assert tiers.near(name) or path.name == "__init__.py", name


def test_a_title_is_tried_alone():
    """Also one whose name is the beginning of others, and beside other folders."""
    touched = [
        "events/titles/colonial/setup.py",
        "events/titles/colonial/cards.py",
        "workers/bots/colonial.py",
    ]
    alone, others = tiers.choose_near(touched)
    assert alone[0] == "tests/titles/colonial"
    assert alone[-2:] == [
        "-k",
        "colonial and not colonial_empires and not colonial_revised and not colonialism",
    ]
    assert others == ["tests/workers/test_thinking.py", "tests/workers/test_arena.py"]
    assert tiers.choose_near(["LICENSE"]) == []


def test_nothing_is_near_to_the_licence():
    assert tiers.near("LICENSE") == []


def test_short_groups_are_forgotten():
    costs = {"a::1": (1.0, 3.0, "a"), "a::2": (1.0, 3.0, "a"), "b::1": (9.0, 4.9, "b")}
    assert grouping.durations(costs) == {"a": 6}


def test_waiting_fails_with_what_was_waited_for(monkeypatch):
    monkeypatch.setattr(waiting, "PATIENCE", 0.01)
    with pytest.raises(AssertionError, match="in vain: the moon is blue"):
        waiting.until(lambda: False, "the moon is blue")
    assert waiting.until(lambda: 7, "it is there") == 7


def test_the_test_clock_goes_forward_and_comes_back_from_ahead(tmp_path):
    clock = waiting.ClockFile(tmp_path / "clock")
    clock.advance(1.5)
    clock.advance(2)
    assert clock.path.read_text() == "3500"
    with contextlib.suppress(KeyError), clock.ahead(600):
        assert clock.path.read_text() == "603500"
        raise KeyError
    assert clock.path.read_text() == "3500"
    assert clock.settings["RUTTER_ENV"] == "test"
