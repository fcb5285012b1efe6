"""The two locks: complete, checked by hash, of one mind; and which script installs which."""

import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from events.base.installation import install_command

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS = PROJECT["optional-dependencies"]
SERVICE, WHOLE = "requirements.lock", "requirements-dev.lock"
WANTED = {
    SERVICE: [*PROJECT["dependencies"], *EXTRAS["server"], *EXTRAS["archive"]],
    WHOLE: [
        *PROJECT["dependencies"],
        *EXTRAS["server"],
        *EXTRAS["archive"],
        *EXTRAS["research"],
        *(one for one in EXTRAS["mcp"] if one not in EXTRAS["server"]),
        *EXTRAS["dev"],
    ],
}
LOCKS = {name: (ROOT / name).read_text() for name in WANTED}


def pins(name: str) -> list[Requirement]:
    lines = [line.removesuffix("\\") for line in LOCKS[name].splitlines() if re.match(r"\w", line)]
    return [Requirement(line) for line in lines]


def blocks(name: str) -> dict[str, str]:
    """Each pin with its hashes."""
    parts = re.split(r"\n(?=\w)", LOCKS[name])[1:]
    return {part.splitlines()[0]: part.strip() for part in parts}


@pytest.mark.parametrize(
    ("name", "wanted"),
    [(name, Requirement(text)) for name, texts in WANTED.items() for text in texts],
    ids=str,
)
def test_each_dependency_is_locked_within_its_bounds(name, wanted):
    """Run `ops/lock` after a change of the dependencies."""
    found = [pin for pin in pins(name) if canonicalize_name(pin.name) == canonicalize_name(wanted.name)]
    assert found
    versions = [next(iter(pin.specifier)).version for pin in found]
    assert all(wanted.specifier.contains(version) for version in versions)


@pytest.mark.parametrize("name", LOCKS)
def test_each_pin_is_exact_and_carries_hashes(name):
    assert all(str(pin.specifier).startswith("==") for pin in pins(name))
    assert [pin for pin, block in blocks(name).items() if "--hash=sha256:" not in block] == []


@pytest.mark.parametrize("name", LOCKS)
def test_the_lock_names_no_host_and_no_folder(name):
    assert not re.search(r"://|--(extra-)?index|--find-links|file:| @ |(^|\s)/", LOCKS[name])


def test_the_service_has_the_same_versions_with_the_same_hashes_in_both():
    """So an environment that has all that tests need serves as well, unchanged."""
    service, whole = ({canonicalize_name(pin.name): pin for pin in pins(name)} for name in (SERVICE, WHOLE))
    assert {name: str(pin.specifier) for name, pin in service.items()} == {
        name: str(pin.specifier) for name, pin in whole.items() if name in service
    }
    hashes = [
        {
            re.split(r"[ =]", pin)[0]: set(re.findall(r"sha256:\w+", block))
            for pin, block in blocks(name).items()
        }
        for name in (SERVICE, WHOLE)
    ]
    assert {name: found for name, found in hashes[0].items() if hashes[1].get(name) != found} == {}


def test_the_service_needs_nothing_of_what_only_tests_and_research_need():
    names = {canonicalize_name(pin.name) for pin in pins(SERVICE)}
    others = {canonicalize_name(Requirement(text).name) for text in (*EXTRAS["dev"], *EXTRAS["research"])}
    assert names & others == set()


def test_the_container_is_filled_from_the_lock_of_the_service():
    text = (ROOT / "ops" / "deploy" / "Containerfile").read_text()
    assert f"COPY {SERVICE} " in text
    assert f"!{SERVICE}" in (ROOT / ".dockerignore").read_text().splitlines()


STUB = """#!/bin/sh
echo "$*" >>"${0%/bin/python}/calls"
case "$*" in
    *"pip install"*)
        [ ! -e "${0%/bin/python}/broken" ] || { echo "ERROR: no route to the index"; exit 1; }
        for each in 1 2 3 4 5 6 7 8 9 10 11 12; do echo "Collecting number-$each"; done
        echo "Installing collected packages: all"
        case "$*" in *uv.txt) cp "${0%/python}/uv-of-the-lock" "${0%/python}/uv" 2>/dev/null ;; esac ;;
esac
exit 0
"""
UV = """#!/bin/sh
echo "uv $*" >>"${0%/bin/uv}/calls"
[ ! -e "${0%/bin/uv}/unreachable" ]
"""


class Checkout:
    """The scripts and locks alone, and an environment whose Python notes what is asked of it."""

    def __init__(self, folder: Path) -> None:
        self.ops, self.venv = folder / "ops", folder / ".venv"
        self.ops.mkdir()
        for name in ("environment.sh", "rutter", "test", "install", "up"):
            shutil.copy2(ROOT / "ops" / name, self.ops / name)
        for name in (*LOCKS, "pyproject.toml"):
            shutil.copy2(ROOT / name, folder / name)
        (self.venv / "bin").mkdir(parents=True)
        (self.venv / "bin" / "python").write_text(STUB)
        (self.venv / "bin" / "uv-of-the-lock").write_text(UV)
        for path in (self.venv / "bin").iterdir():
            path.chmod(0o755)

    def run(self, script: str, *words: str) -> subprocess.CompletedProcess[str]:
        """Run a script on a machine without `uv`."""
        without = {name: value for name, value in os.environ.items() if name != "RUTTER_VENV"}
        return subprocess.run(
            [self.ops / script, *words],
            env={**without, "PATH": "/usr/bin:/bin"},
            capture_output=True,
            text=True,
            check=False,
        )

    def installed(self) -> list[str]:
        """The locks that were installed since the last call, in order, by whatever installs them."""
        return [name for _, name in self.installers() if name in LOCKS]

    def installers(self) -> list[tuple[str, str]]:
        """What was installed since the last call, in order: by pip or uv, and from which file."""
        calls = self.venv / "calls"
        found = [line for line in calls.read_text().splitlines() if "pip install" in line]
        calls.unlink()
        return [
            ("uv" if line.startswith("uv ") else "pip", Path(line.split(" -r ")[-1]).name) for line in found
        ]


@pytest.fixture
def checkout(tmp_path) -> Checkout:
    return Checkout(tmp_path)


def test_the_first_start_says_what_it_does_and_how_far_it_is(checkout):
    said = checkout.run("up").stderr.splitlines()
    assert said[0].endswith("/.venv from requirements.lock, only the first time")
    assert re.search(r"MB to fetch, .* on disk, about a minute$", said[1])
    assert re.fullmatch(r"rutter: \d+ of about \d+ are fetched", said[2])
    assert said[-1] == "rutter: installing them"
    assert checkout.installed() == [SERVICE]


def test_the_service_is_installed_once_and_the_tests_on_top_of_it(checkout):
    for _ in range(2):
        checkout.run("rutter", "--help")
    assert checkout.installed() == [SERVICE]
    for _ in range(2):
        checkout.run("test")
    assert checkout.installed() == [WHOLE]


def test_what_tests_need_is_installed_by_the_uv_of_their_lock(checkout):
    """It takes a third of the time of pip, which fetches it first, checked by its hashes."""
    checkout.run("test")
    assert checkout.installers() == [("pip", "uv.txt"), ("uv", WHOLE)]
    fetched = (checkout.venv / "uv.txt").read_text()
    assert fetched.startswith("uv==")
    assert set(fetched.split()) <= set(LOCKS[WHOLE].split())
    assert fetched.count("--hash=") > 1
    assert fetched.count("==") == 1


def test_where_uv_can_fetch_nothing_pip_installs(checkout):
    """Settings of pip, as for an index of one's own, are none of uv's."""
    (checkout.venv / "unreachable").touch()
    assert checkout.run("test").returncode == 0
    assert checkout.installers() == [("pip", "uv.txt"), ("uv", WHOLE), ("pip", WHOLE)]


def test_what_the_service_needs_is_installed_by_pip_alone(checkout):
    """To fetch uv would take longer than what it spares."""
    checkout.run("up")
    assert checkout.installers() == [("pip", SERVICE)]


def test_an_environment_with_everything_is_left_alone_by_the_service(checkout):
    checkout.run("install", "research")
    assert checkout.installed() == [WHOLE]
    assert checkout.run("up").stderr == ""
    assert checkout.installed() == []


@pytest.mark.parametrize(("script", "lock"), [("up", SERVICE), ("test", WHOLE)])
def test_a_lock_that_has_changed_is_installed(checkout, script, lock):
    checkout.run("test")
    checkout.installed()
    for name in LOCKS:
        with (checkout.ops.parent / name).open("a") as file:
            file.write("# newer\n")
    checkout.run(script)
    assert checkout.installed() == [lock]


def test_what_cannot_be_installed_is_told_and_tried_again(checkout):
    (checkout.venv / "broken").touch()
    done = checkout.run("up")
    assert done.returncode == 1
    assert "ERROR: no route to the index" in done.stderr
    assert done.stderr.endswith("rutter: could not install requirements.lock\n")
    (checkout.venv / "broken").unlink()
    checkout.installed()
    assert checkout.run("up").returncode == 0
    assert checkout.installed() == [SERVICE]


def test_an_extra_that_is_none_is_a_usage_error(checkout):
    done = checkout.run("install", "everything")
    assert (done.returncode, done.stderr) == (
        2,
        "usage: ops/install server|archive|beacon|clients|research|mcp|dev\n",
    )


def test_every_extra_can_be_installed_in_a_checkout(checkout):
    """So the line that a command names where it lacks a library is one that works."""
    usage = checkout.run("install").stderr.removeprefix("usage: ops/install ").strip()
    assert set(usage.split("|")) == set(EXTRAS)
    assert {install_command(extra).removeprefix("ops/install ") for extra in EXTRAS} == set(EXTRAS)
