"""The wheel: one name at the top, beside whatever else is installed; the core light, the service whole."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

from events.base.settings import RUTTER_EXTRA_TITLES
from ops.deploy.wheel import UnsupportedImport, nest_imports
from service.presenters import documentation
from tests.conftest import ROOT
from tests.servers import reachable_folder
from tests.settings import RUTTER_INSTALLED

THEIRS = {"ops": "class CharmBase: ...\n", "events": "theirs = True\n"}
"""Packages of others of the same names, as the package index has them."""
LIGHT = (
    "msgspec",
    "cryptography",
    "cffi",
    "_cffi_backend",
    "pycparser",
    "click",
    "yaml",
    "_yaml",
    "structlog",
)
"""All that `pip install` brings without an extra."""


def test_imports_go_one_room_deeper():
    """At any depth, over several lines, of no other package; the lines stay where they are."""
    source = (
        "from {}events.x import (\n a,\n)\nimport ops_too\nif a:\n from {}ops import b\nfrom . import c\n"
    )
    assert nest_imports(source.format("", ""), "x.py") == source.format("rutter.", "rutter.")
    moved = nest_imports("from service.client.core import a\nfrom service.clients import b\n", "x.py")
    assert moved == "from rutter.client.core import a\nfrom rutter.service.clients import b\n"
    with pytest.raises(UnsupportedImport, match=r"x\.py, line 2"):
        nest_imports("a = 1\nimport events.titles\n", "x.py")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The built file."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (found,) = folder.iterdir()
    return found


def install(wheel, folder, *dependencies):
    """A Python with the wheel, the packages of others, and *dependencies*: folders or modules."""
    venv.create(folder, symlinks=True)
    site = Path(sysconfig.get_path("purelib", "venv", {"base": str(folder), "platbase": str(folder)}))
    for name, source in THEIRS.items():
        (site / name).mkdir()
        (site / name / "__init__.py").write_text(source)
    for path in dependencies:
        (site / path.name).symlink_to(path)
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(site)
    return folder / "bin" / "python"


def dependencies():
    """Everything that is installed here; the project itself is not."""
    site = Path(sysconfig.get_path("purelib"))
    ours = ("rutter", "rutter-checkout.pth", "__pycache__")
    return [path for path in site.iterdir() if path.name not in (*THEIRS, *ours)]


@pytest.fixture(scope="module")
def whole(wheel, tmp_path_factory):
    """The wheel with all that it needs."""
    folder = reachable_folder(tmp_path_factory.mktemp("whole") / "python")
    folder.mkdir(exist_ok=True)
    folder.chmod(0o755)  # the servers run as somebody else
    yield install(wheel, folder, *dependencies())
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def light(wheel, tmp_path_factory):
    """The wheel as it is without an extra."""
    wanted = [path for path in dependencies() if path.name.partition(".")[0] in LIGHT]
    return install(wheel, tmp_path_factory.mktemp("light"), *wanted)


def run(python, folder, *words, **settings):
    strange = {"PYTHONPATH", RUTTER_EXTRA_TITLES.name}
    environment = {name: value for name, value in os.environ.items() if name not in strange}
    return subprocess.run(
        [python, *words],
        cwd=folder,
        env={**environment, **settings},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
def test_it_has_one_name_at_the_top(wheel):
    """And what type checkers look for; nothing that is only good in a checkout."""
    with zipfile.ZipFile(wheel) as packed:
        names = set(packed.namelist())
    assert {name.partition("/")[0] for name in names} == {"rutter", "rutter_games-0.1.0.dist-info"}
    assert {"rutter/py.typed", "rutter/client/__init__.py", "rutter/client/py.typed"} <= names
    assert not any(name.startswith("rutter/service/client") for name in names)
    assert "rutter/ops/database/migrations/0001_events.sql" in names
    assert {"rutter/tests/titles/battery.py", "rutter/tests/titles/example/RULES.md"} <= set(names)
    assert not {
        "rutter/tests/conftest.py",
        "rutter/ops/up",
        "rutter/ops/test",
        "rutter/ops/deploy/wheel.py",
    } & set(names)


LINKS = """
import json, re
from service.presenters import documentation
listed = documentation.load_navigation()
pages = documentation.list_pages()
known = {"api", *pages, *listed.download.values(), *(door.id for door in listed.door)}
texts = [documentation.render_page(name).body for name in pages]
links = {link for text in texts for link in re.findall('href="/docs/([^"#]+)', text)}
print(json.dumps([pages, sorted(links - known)]))
"""
"""Prints the pages of the documentation, and the links in them that lead nowhere."""


@pytest.mark.slow
def test_the_documentation_is_whole(whole, tmp_path):
    """It has the pages of the checkout but those of the example, and every link leads to one of them."""
    done = run(whole, tmp_path, "-c", LINKS.replace("from service", "from rutter.service"))
    assert done.returncode == 0, done.stderr
    pages, lost = json.loads(done.stdout)
    wanted = {name for name in documentation.list_pages() if not name.endswith("-example")}
    assert (wanted - set(pages), lost) == (set(), [])


@pytest.mark.slow
def test_the_core_brings_msgspec_alone_and_leaves_others_be(light, tmp_path):
    """All titles are loaded; packages of the same names stay what they were."""
    program = (
        "import sys, ops, events; before = set(sys.modules)\n"
        "from rutter.events.rules.catalogue import find_title, title_ids\n"
        "print(len([find_title(name) for name in title_ids()]), ops.CharmBase.__name__, events.theirs)\n"
        "more = {name.partition('.')[0] for name in set(sys.modules) - before}\n"
        "print(sorted(more - sys.stdlib_module_names))"
    )
    done = run(light, tmp_path, "-c", program)
    assert done.stdout.splitlines() == ["5 CharmBase True", "['msgspec', 'rutter']"], done.stderr


@pytest.mark.slow
def test_without_the_service_proofs_are_checked_and_the_rest_says_what_it_needs(light, tmp_path):
    """`verify`, `vectors`, `compare`, `disclose`, `witness` work; `up` is a sentence."""
    done = run(light, tmp_path, "-m", "rutter", "vectors", str(ROOT / "tests" / "vectors"))
    assert done.returncode == 0, done.stdout + done.stderr
    for command in ("verify", "compare", "disclose", "witness"):
        done = run(light, tmp_path, "-m", "rutter", command, "--help")
        assert done.stdout.startswith("Usage: "), command
    for words, status in ((["up"], 1), (["backup", "--data", "x"], 1), (["audit"], 3)):
        done = run(light, tmp_path, "-m", "rutter", *words)
        assert done.returncode == status
        assert "pip install 'WHEEL_OR_SOURCE[server]'" in done.stderr
        assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_a_title_is_begun_with_it(whole, tmp_path):
    """As the README says: it passes what is asked of it, and a version of it is kept."""
    done = run(whole, tmp_path, "-m", "rutter", "title", "new", "harbour")
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("  rutter up\n")
    without = ("-pno:cacheprovider", "-pno:schemathesis", "-pno:faker")  # they are dear to load
    done = run(whole, tmp_path, "-P", "-m", "pytest", "-q", *without, "harbour")
    assert done.returncode == 0, done.stdout
    assert int(re.findall(r"(\d+) passed", done.stdout)[-1]) > 45
    known = {"PYTHONPATH": str(tmp_path / "harbour"), RUTTER_EXTRA_TITLES.name: "harbour"}
    for words, told in (
        (["keep", "harbour"], "harbour: new games begin under version 2."),
        (["keep", "--record", "harbour"], "harbour: version 2 is recorded."),
        (["keep", "--check"], "colonies: 2, 1\nharbour: 2, 1\n"),
    ):
        done = run(whole, tmp_path, "-m", "rutter", *words, **known)
        assert told in done.stdout, done.stdout + done.stderr
    kit = (tmp_path / "harbour/harbour/kept/v1/facts.py").read_text(encoding="utf-8")
    assert "from harbour.kept.v1.kit.values import put, remove_each\n" in kit


@pytest.mark.slow
def test_a_title_for_a_checkout_alone_hears_what_it_must_say(light, tmp_path):
    """`events` may be anybody's there: it is not lent to us, and the title is not played."""
    (tmp_path / "harbour.py").write_text("from events.rules.title import Title\n", encoding="utf-8")
    program = "from rutter.events.rules.catalogue import list_problems; print(*list_problems())"
    done = run(light, tmp_path, "-c", program, **{RUTTER_EXTRA_TITLES.name: "harbour"})
    assert "Let it say `rutter.events.rules`: that is found everywhere" in done.stdout, done.stderr


SERVED = """
import rutter.workers.preload, rutter.ops.server.api_worker
from rutter.ops.server.wsgi import create_app
from rutter.service.base.settings import Settings
asked = create_app(Settings("", log_requests=False)).test_client()
print([asked.get(path).status_code for path in ("/openapi.json", "/v1/titles", "/", "/docs")])
"""
"""Asks the service for what needs no database."""


@pytest.mark.slow
def test_the_service_answers_on_it(whole, tmp_path):
    """API, workers, pages: all that is preloaded is found. Campaigns play whole games on it."""
    done = run(whole, tmp_path, "-c", SERVED)
    assert done.stdout == "[200, 200, 200, 200]\n", done.stdout + done.stderr


def try_installed(python, *tests):
    """Run these tests against the wheel of that Python."""
    strange = ("PYTEST_", "COV_")  # what belongs to the run that this is a part of
    environment = {name: value for name, value in os.environ.items() if not name.startswith(strange)}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-x", "-n", "0", "-p", "no:cacheprovider", "-m", "", *tests],
        cwd=ROOT,
        env={**environment, RUTTER_EXTRA_TITLES.name: "", RUTTER_INSTALLED.name: str(python)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert " skipped" not in done.stdout
