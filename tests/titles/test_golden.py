"""Recorded games replay to the same hashes, and every seat sees what it saw."""

import pytest

from events.catalogue import title_ids
from events.verify import verify
from tests.titles import golden
from workers import bots


@pytest.mark.parametrize("title_id", title_ids())
def test_golden_game_verifies(title_id):
    """The rules at hand decide every command as it was decided, and every bot thinks the same."""
    report = verify(golden.bundle_of(title_id), key=golden.SIGNER.verifier, rerun_bot=bots.think)
    assert report.status == "finished"
    assert report.bots > 0


@pytest.mark.parametrize("title_id", title_ids())
def test_playthrough(title_id):
    """Step by step the same commands, decisions, views of every seat, and legal lists."""
    recorded = golden.files(title_id)[1].read_text(encoding="utf-8")
    now = golden.playthrough(title_id)
    for number, (was, is_now) in enumerate(zip(recorded.splitlines(), now.splitlines(), strict=False), 1):
        assert is_now == was, f"line {number}"
    assert now == recorded
