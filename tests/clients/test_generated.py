"""Clients that generators make of the description: they compile, and play whole games by generated calls.

This is dear, and holds for exactly one description: where that and the generators are those that it was
proven with (`proven.json`), all but the first test is skipped. `ops/test tests/campaigns/test_generated.py`
proves all of it whatever stands there, and writes the digests down; so does this file once all of it passed.

The generators stand in a folder of their own, which `.ci/run` makes (tests/clients/install); elsewhere
RUTTER_GENERATORS names it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.clients.generated import (
    TITLES,
    InPython,
    by_openapi_generator_in_python,
    by_openapi_generator_in_typescript,
    description,
    digests,
    in_typescript,
    is_proven,
    write_down,
)
from tests.conftest import LiveServer

pytestmark = [pytest.mark.integration, pytest.mark.slow]
PARTS = 6
"""In which the client's thousands of modules are checked."""


@pytest.fixture(scope="module")
def described() -> bytes:
    """The description."""
    return description()


@pytest.fixture(scope="module")
def passed(described: bytes) -> Iterator[set[str]]:
    """The names of the proofs that were made in this run; with all of them the digests are written down."""
    if is_proven(described):
        pytest.skip("proven for exactly this description and these generators (tests/clients/proven.json)")
    made: set[str] = set()
    yield made
    others = {"openapi-generator python", "openapi-generator typescript-fetch"}
    if made == {"whole", "typescript", *others, *TITLES, *(f"typed {part}" for part in range(PARTS))}:
        write_down(described)


@pytest.fixture(scope="module")
def in_python(passed: set[str], described: bytes, tmp_path_factory: pytest.TempPathFactory) -> InPython:
    """A client in Python."""
    return InPython(described, tmp_path_factory.mktemp("python"))


def test_what_was_proven_is_told_by_the_description_and_all_pins(described: bytes) -> None:
    """A byte of any of them makes all of it to be proven again."""
    assert set(digests(described).values()).isdisjoint({""})
    assert digests(described + b"\n")["description"] != digests(described)["description"]
    assert not is_proven(described + b"\n")


def test_a_client_in_python_is_generated_whole(in_python: InPython, passed: set[str]) -> None:
    """It warns of nothing but answers that are lines of JSON alone, which it knows no type for."""
    in_python.check_that_it_is_whole()
    passed.add("whole")


@pytest.mark.parametrize("part", range(PARTS))
def test_a_client_in_python_is_typed(in_python: InPython, passed: set[str], part: int) -> None:
    """mypy --strict finds nothing in it, nor in a program that uses it."""
    in_python.check_types(part, PARTS)
    passed.add(f"typed {part}")


@pytest.mark.parametrize("title_id", TITLES)
def test_a_client_in_python_plays(
    in_python: InPython, passed: set[str], live_server: LiveServer, title_id: str
) -> None:
    """A whole game of each title, by generated calls only."""
    in_python.play(live_server.address, title_id)
    passed.add(title_id)


def test_a_client_in_typescript_compiles_and_plays(
    described: bytes, passed: set[str], live_server: LiveServer, tmp_path: Path
) -> None:
    """Strictly, without a cast; a whole game."""
    in_typescript(described, tmp_path, live_server.address)
    passed.add("typescript")


def test_openapi_generator_makes_a_client_in_python(
    described: bytes, passed: set[str], live_server: LiveServer, tmp_path: Path
) -> None:
    """All of it can be imported; it plays a whole game."""
    by_openapi_generator_in_python(described, tmp_path, live_server.address)
    passed.add("openapi-generator python")


def test_openapi_generator_makes_a_client_in_typescript(
    described: bytes, passed: set[str], live_server: LiveServer, tmp_path: Path
) -> None:
    """It compiles strictly, without a cast, and plays a whole game."""
    by_openapi_generator_in_typescript(described, tmp_path, live_server.address)
    passed.add("openapi-generator typescript-fetch")
