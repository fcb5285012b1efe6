"""Clients that generators make of the description, whatever was proven before; writes down what is proven."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.clients.generated import (
    TITLES,
    InPython,
    by_openapi_generator_in_python,
    by_openapi_generator_in_typescript,
    description,
    in_typescript,
    write_down,
)
from tests.conftest import LiveServer

pytestmark = pytest.mark.integration


def test_clients_of_all_titles(live_server: LiveServer, tmp_path: Path) -> None:
    """Generated whole, typed, compiled; each plays by generated calls only."""
    described = description()
    for name in ("python", "typescript", "other_python", "other_typescript"):
        (tmp_path / name).mkdir()
    in_python = InPython(described, tmp_path / "python")
    in_python.check_that_it_is_whole()
    in_python.check_types()
    for title_id in TITLES:
        in_python.play(live_server.address, title_id)
    in_typescript(described, tmp_path / "typescript", live_server.address)
    by_openapi_generator_in_python(described, tmp_path / "other_python", live_server.address)
    by_openapi_generator_in_typescript(described, tmp_path / "other_typescript", live_server.address)
    write_down(described)
