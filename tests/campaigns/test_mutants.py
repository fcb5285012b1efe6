"""Thousands of mutants of bundles: none deceives, none takes long, and none is a fault of the verifier."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.events import mutants


@pytest.mark.parametrize(("names", "count"), [(mutants.GAMES, 2000), (mutants.TOURNAMENTS, 1000)])
def test_no_mutant_deceives(
    tmp_path: Path, drawn_seed: int, names: Mapping[str, mutants.Source], count: int
) -> None:
    """Each is refused in one line, for a reason of the format, or says what the true file says."""
    tally = mutants.try_mutants(tmp_path, list(names), str(drawn_seed), count)
    told = f"{tally.made} made, {tally.refused} refused, {tally.unchecked} not checked"
    print(f"{told}, {len(tally.accepted)} accepted with the same verdict")  # noqa: T201 - the result
    assert tally.made == count
    assert tally.faults == []
