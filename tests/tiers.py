"""The tiers of the tests; `ops/test` runs this.

ops/test              all gates, and the tests that are not slow
ops/test --gates      the gates alone: ruff, import rules, mypy
ops/test --near       the gates, what failed last, and the tests of the folders that were touched
ops/test --all        all gates, and all tests but campaigns; `.ci/run` calls it
ops/test --campaigns  the campaigns, one after the other, with printed seeds
ops/test --again N PATH ...   these tests N times, each time in a session of its own, beside two busy loops
ops/test --again N --together PATH ...   the same in one session, with fixtures made again each time
ops/test --again N --once-failed   so each test of tests/once_failed.txt, which says who shares fixtures
ops/test PATH ...     pytest alone, with these arguments

A session of its own is the whole truth, and takes two to five CPU seconds before the test begins. Together
(tests/again.py) a repetition takes what the test takes: databases, Redis, applications and pages are new each
time, and the live service too where a test uses it. Only imported modules stay, one Postgres and one Redis,
as between two files of an ordinary run. A test that fails ends its own repetitions, and the next one comes.
A line for each tells how often it passed. With `--share-fixtures` those of session and module stay as well.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from tests.again import read_once_failed
from tests.grouping import DURATIONS, durations
from tests.settings import RUTTER_CAMPAIGN_SEED, RUTTER_TEST_PROCESSES

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
PROCESSES = RUTTER_TEST_PROCESSES.read()
"""Of pytest: four keep two cores busy, as a third of the time is waiting."""
PLENTY = 12 * 2**30
"""Bytes of free memory from which tests write into it."""
CPU_LIMIT, WALL_LIMIT = 3600, 4500  # seconds, of `ops/test --all`
BUSY = "import os; parent = os.getppid()\nwhile os.getppid() == parent: pass"
QUICK = "not slow and not campaign"
NO_CAMPAIGNS = ("--ignore", "tests/campaigns")
"""For runs of all the rest: what runs none of them need not read them either."""

TITLES = "events/titles/"
TITLE = f"{TITLES}*/"
"""The folders of titles: of the tests near to one, those of other titles are left out."""
OF_ALL_TITLES = (
    "tests/titles/test_battery.py", "tests/titles/test_corpus.py", "tests/titles/test_golden.py",
    "tests/vectors/test_vectors.py",
)  # fmt: skip
SERVICE: Sequence[tuple[str, str]] = (
    ("service/api/account/", "accounts claims feeds narrow_tokens token_form tokens vacation webhooks"),
    ("service/api/analysis/", "advice engines odds positions reviews secrets"),
    ("service/api/club", "clubs"),
    ("service/api/docs_pages", "docs words"),
    ("service/api/export", "exports archived"),
    ("service/api/history", "past_views replaced_answers"),
    ("service/api/invitation", "invitations"),
    ("service/api/note", "notes"),
    ("service/api/rating", "ratings"),
    ("service/api/talk", "talk"),
    ("service/api/tournament", "tournament_rules tournament_stream tournament_waits tournaments cross_table"),
    ("service/api/transparency_log", "tree two_processes"),
    ("service/api/", "games live_streams narrow_tokens one_call_a_move opening seats stream undo visibility"),
    ("service/application/live_streams", "disconnects feeds live_streams shared_streams stream"),
    ("service/application/queries/", "exports games list_order ratings game_counts visibility"),
    ("service/application/schemas/", "games requests signed_moves strict_json"),
    ("service/application/", "claims commitment games opening receipts seat_changes seats talk visibility"),
    ("service/base/", "http limits names plain_text silent_servers visibility"),
    ("service/docs/", "docs words examples"),
    ("service/health/", "readiness http"),
    ("service/http/", "http response_headers strict_json unchanged"),
    ("service/openapi/", "examples narrow_tokens openapi requests schemas words"),
    ("service/presenters/", "at_table cross_table display refs ladder past_views rules"),
    ("service/stores/", "accounts claims clubs feeds invitations notes ratings seats talk tokens visibility"),
    ("service/streaming/", "disconnects feeds live_streams lost_hints shared_streams stream stream_dispatch"),
    ("service/app.py", "http games response_headers"),
)
"""By a folder of `service`, or the beginning of a file, the words of `tests/service/*/test_WORD.py`."""

NEAR: Sequence[tuple[str, Sequence[str]]] = (
    ("events/rules/catalogue", ["tests/titles/test_others.py", "tests/titles/test_battery.py"]),
    ("ops/titles/", ["tests/titles/test_new_title.py", "tests/titles/test_versions.py"]),
    *((f"{folder}README.md", ["tests/test_readmes.py", "tests/acceptance/test_readme.py"])
      for folder in ("", "events/", "events/titles/", "workers/bots/", "ops/", "ops/deploy/")),
    (".github/", ["tests/test_readmes.py", "tests/test_contributing.py"]),
    ("CHANGELOG.md", ["tests/test_readmes.py"]),
    (TITLE, ["tests/titles/{0}", *OF_ALL_TITLES]),
    ("events/tournament/", ["tests/tournament"]),
    ("events/verify/tournament", ["tests/tournament"]),
    ("events/tlog/", ["tests/events/test_tlog.py", "tests/tree"]),
    ("events/verify/", ["tests/events", "tests/ops/test_verify.py"]),
    ("events/rules/kit/", ["tests/titles"]),
    ("events/", ["tests/events", "tests/titles/test_battery.py"]),
    ("projections/tree/", ["tests/tree"]),
    ("projections/", ["tests/projections", "tests/service/seats/test_games.py"]),
    ("workers/bots/", ["tests/workers/test_thinking.py", "tests/workers/test_arena.py"]),
    ("workers/", ["tests/workers", "tests/ops/test_supervisor.py"]),
    ("service/static/client/", ["tests/clients/test_javascript.py", "tests/web/test_proof.py",
                                "tests/web/test_modules.py"]),
    ("service/static/", ["tests/web", "tests/test_page_words.py"]),
    ("service/client/", ["tests/clients/test_library.py", "tests/ops/test_receipt_keeper.py"]),
    *((start, [f"tests/service/*/test_{word}.py" for word in words.split()]) for start, words in SERVICE),
    ("ops/base/checkout/", ["tests/ops/test_checkout.py"]),
    ("ops/deploy/", ["tests/ops/test_deploy.py"]),
    ("ops/database/migrations/", ["tests/ops/test_schema.py", "tests/ops/test_migrate.py"]),
    ("ops/witness/", ["tests/ops/witness"]),
    ("ops/runtime/", ["tests/ops/test_servers.py", "tests/ops/test_up.py", "tests/ops/test_supervisor.py",
                      "tests/ops/test_fork_server.py", "tests/ops/test_ports.py"]),
    ("ops/verify/", ["tests/ops/test_verify.py", "tests/tournament/test_verify.py"]),
    ("ops/", ["tests/ops"]),
    ("tests/*/", ["tests/{0}"]),
    ("tests/", ["tests/events"]),
)  # fmt: skip
"""Which tests are near to a file that begins so; the first row that fits holds. ``*`` is one folder."""


def main(words: Sequence[str]) -> int:
    """Run the tier that *words* name; the exit status is 0 only if all holds."""
    match list(words):
        case []:
            return _gates_and(lambda: _tests(["-m", QUICK, *NO_CAMPAIGNS]))
        case ["--gates"]:
            return _gates_and(None)
        case ["--all"]:
            return _gates_and(_all)
        case ["--near"]:
            return _gates_and(_near)
        case ["--campaigns", *paths]:
            return _campaigns(paths)
        case ["--record"]:
            return _record()
        case ["--again", times, "--once-failed"] if times.isdigit():
            return _together(int(times), ["--share-fixtures", *once_failed()])
        case ["--again", times, "--together", *paths] if times.isdigit() and paths:
            return _together(int(times), paths)
        case ["--again", times, *paths] if times.isdigit() and paths:
            return _again(int(times), paths)
        case ["--help" | "-h"]:
            print(__doc__)
            return 0
        case _:
            return _pytest(*words)


def _gates_and(tests: Callable[[], int] | None) -> int:
    """Run the gates, types beside the tests, and *tests*, if there are any; report all that failed."""
    failed = []
    mypy = _begin(BIN / "mypy", "--strict")
    for name, *command in (
        ("ruff check", BIN / "ruff", "check", "."),
        ("ruff format", BIN / "ruff", "format", "--check", "."),
        ("import rules", BIN / "lint-imports", *_no_cache()),
    ):
        if _gate(name, subprocess.call(command, cwd=ROOT)):
            failed.append(name)
    if failed:  # a typing error shows in seconds; nobody waits for all tests to hear of it
        mypy.kill()
        mypy.communicate()
        return _told(failed)
    if tests is not None and _gate("tests", tests()):
        failed.append("tests")
    told, _ = mypy.communicate()
    print(told, end="")
    if _gate("mypy --strict", mypy.returncode):
        failed.append("mypy --strict")
    return _told(failed)


def _all() -> int:
    """Run all tests but campaigns, until three have failed."""
    limits = ["--maxfail", "3", "--cpu-limit", str(CPU_LIMIT), "--wall-limit", str(WALL_LIMIT)]
    return _tests(["-m", "not campaign", *NO_CAMPAIGNS, *limits])


def _near() -> int:
    """Run what failed last, and the tests near to what was touched since the last commit."""
    touched = _git("diff", "--name-only", "HEAD") + _git("ls-files", "--others", "--exclude-standard")
    failed = 0
    if _failed_last():  # else all tests would be collected to find none
        failed = _pytest("-q", "--last-failed", "--last-failed-no-failures", "none", "-m", "not campaign")
    if failed not in (0, 5):
        return failed
    for words in choose_near(touched):
        print(f"near to what was touched: {' '.join(words)}", flush=True)
        if failed := _tests(["-m", QUICK, *words], processes="2"):
            return failed
    return 0


def _failed_last() -> bool:
    """Return True if pytest knows of tests that failed in its last run."""
    known = ROOT / ".pytest_cache" / "v" / "cache" / "lastfailed"
    return known.exists() and bool(json.loads(known.read_text(encoding="utf-8")))


def choose_near(touched: Sequence[str]) -> list[list[str]]:
    """Return the words of the runs of pytest near to *touched* files: one a title, one for the rest."""
    titles: dict[str, list[str]] = {}
    others: list[str] = []
    for name in touched:
        title = name.removeprefix(TITLES).partition("/")
        if name.startswith(TITLES) and title[1] and near(name):
            titles[title[0]] = near(name)
        else:
            others += near(name)
    runs = [[*paths, "-k", select_title(title)] for title, paths in titles.items()]
    return [*runs, list(dict.fromkeys(others))] if others else runs


def select_title(title: str) -> str:
    """Return the expression for pytest that selects the tests of a title, of those of all titles."""
    folders = sorted(path.parent.name for path in (ROOT / TITLES).glob("*/__init__.py"))
    longer = [name for name in folders if title in name and name != title]
    return " and not ".join([title, *longer])


def near(name: str) -> list[str]:
    """Return the tests near to the file of this *name* below the checkout."""
    for start, paths in NEAR:
        folder, star, _ = start.partition("*")
        if not name.startswith(folder):
            continue
        rest = name.removeprefix(folder).partition("/")
        if star and not rest[1]:
            continue
        found = [match for path in paths for match in sorted(ROOT.glob(path.format(rest[0])))]
        return [match.relative_to(ROOT).as_posix() for match in found]
    return []


def _campaigns(paths: Sequence[str]) -> int:
    """Run the campaigns on a drawn seed, and the tests with made-up examples on new examples."""
    seed = os.environ.setdefault(RUTTER_CAMPAIGN_SEED.name, str(secrets.randbits(32)))
    print(f"RUTTER_CAMPAIGN_SEED={seed} ops/test --campaigns {' '.join(paths)}", flush=True)
    status = _pytest("-m", "campaign", "-s", *(paths or ["tests"]))
    if paths:
        return status
    examples = ["-m", "hypothesis and not campaign", "--hypothesis-seed", seed, "tests"]
    return _pytest("-q", *examples) or status


def _again(times: int, paths: Sequence[str]) -> int:
    """Run tests so many times, beside two busy loops, until they fail; print what a run that failed printed.

    Each time is a session: a hundred repetitions in one would find the traces of those before.
    """
    command = [sys.executable, "-m", "pytest", "-q", "-x", *paths]
    with _busy_loops(2), _quick_folder() as folder:
        surroundings = {**os.environ, "TMPDIR": folder} if folder else None
        for number in range(1, times + 1):
            done = subprocess.run(
                command, check=False, cwd=ROOT, stdin=subprocess.DEVNULL, env=surroundings,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            )  # fmt: skip
            if done.returncode:
                print(f"{done.stdout}\nfailed in run {number} of {times}")
                return done.returncode
            print(".", end="" if number % 50 else f" {number}\n", flush=True)
    print(f"\npassed {times} times")
    return 0


def once_failed() -> list[str]:
    """Return the ids of the tests that once failed without a fault."""
    return list(read_once_failed())


def _together(times: int, paths: Sequence[str]) -> int:
    """Run each of these tests so many times in one session, beside two busy loops, whichever others fail."""
    with _busy_loops(2), _quick_folder() as folder:
        return _pytest("-q", "--times", str(times), *paths, folder=folder)


def _record() -> int:
    """Run everything but campaigns, and write how long each group took."""
    costs = ROOT / ".pytest_cache" / "costs.json"
    costs.parent.mkdir(exist_ok=True)
    status = _tests(["-m", "not campaign", *NO_CAMPAIGNS, "--record-costs", str(costs)])
    DURATIONS.write_text(json.dumps(durations(json.loads(costs.read_text())), indent=0) + "\n")
    return status


def _tests(words: Sequence[str], processes: str = PROCESSES) -> int:
    with _quick_folder() as folder:
        return _pytest("-q", "-rs", "-n", processes, "--dist", "loadgroup", *words, folder=folder)


def _pytest(*words: str, folder: str | None = None) -> int:
    """Run pytest; what it and its servers write goes to *folder*, where one is named."""
    surroundings = {**os.environ, "TMPDIR": folder} if folder else None
    command = [sys.executable, "-m", "pytest", *words]
    return subprocess.call(command, cwd=ROOT, stdin=subprocess.DEVNULL, env=surroundings)


@contextlib.contextmanager
def _quick_folder() -> Iterator[str | None]:
    """Make a temporary folder in memory, as servers of tests write much; None where memory is short."""
    shared = Path("/dev/shm")  # noqa: S108 # a folder of our own is made in it
    if "TMPDIR" in os.environ or not shared.is_mount():
        yield None
        return
    room = os.statvfs(shared)
    if room.f_flag & os.ST_NOEXEC or min(room.f_bavail * room.f_frsize, _memory()) < PLENTY:
        yield None
        return
    with tempfile.TemporaryDirectory(
        dir=shared, prefix="rutter-tests-", ignore_cleanup_errors=True
    ) as folder:
        Path(folder).chmod(0o755)  # servers run as another user
        yield folder


def _memory() -> int:
    """Return how many bytes of memory can be had."""
    lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:"))


def _begin(*command: str | Path) -> subprocess.Popen[str]:
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def _gate(name: str, status: int | None) -> bool:
    """Tell how a gate ended; return True if it failed."""
    print(f"== {name}: {'failed' if status else 'holds'}", flush=True)
    return bool(status)


def _told(failed: Sequence[str]) -> int:
    print(f"== failed: {', '.join(failed)}" if failed else "== all gates hold", flush=True)
    return 1 if failed else 0


def _no_cache() -> list[str]:
    return [] if os.access(ROOT, os.W_OK) else ["--no-cache"]


def _git(*words: str) -> list[str]:
    return subprocess.check_output(["git", *words], cwd=ROOT, text=True).split("\n")[:-1]


@contextlib.contextmanager
def _busy_loops(number: int) -> Iterator[None]:
    loops = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(number)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
