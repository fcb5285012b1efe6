"""Recorded games replay to the same hashes, and every seat sees what it saw."""

import pytest

from events.rules.catalogue import versions
from events.verify import verify
from tests.titles import golden
from tests.titles.table import tried_titles
from workers import bots

VERSIONS = [
    pytest.param(title_id, title.version, id=title_id if newest == title else f"{title_id}_v{title.version}")
    for title_id in tried_titles()
    for newest in versions(title_id)[:1]
    for title in versions(title_id)
]


@pytest.mark.parametrize(("title_id", "version"), VERSIONS)
def test_golden_game_verifies(title_id, version):
    """The present rules decide every command as it was decided, and every bot thinks the same."""
    report = verify(golden.bundle_of(title_id, version), key=golden.SIGNER.verifier, rerun_bot=bots.think)
    assert report.status == "finished"
    assert report.bots > 0
    again = f"the next version needs a game of its own: python -m rutter.tests.titles.golden {title_id}"
    assert report.title == f"{title_id} {version}", again


@pytest.mark.parametrize(("title_id", "version"), VERSIONS)
def test_playthrough(title_id, version):
    """Step by step the same commands, decisions, views of every seat, and legal lists."""
    recorded = golden.files(title_id, version)[1].read_text(encoding="utf-8")
    now = golden.playthrough(title_id, version)
    again = f"reads otherwise. If that is meant, record it: python -m rutter.tests.titles.golden {title_id}"
    for number, (was, is_now) in enumerate(zip(recorded.splitlines(), now.splitlines(), strict=False), 1):
        assert is_now == was, f"line {number} {again}"
    assert now == recorded, f"the end {again}"
