"""A browser that comes back after the server's key was replaced; all changes of keys in `tests/campaigns`."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.acceptance.up import RutterUp
from tests.web.conftest import Visitor
from tests.web.key_changes import (
    announce,
    check_kept,
    lose_key,
    pinned,
    play,
    running_service,
    signing,
    trust_new_key,
)
from tests.web.table import Player, enter

pytestmark = [pytest.mark.browser, pytest.mark.integration, pytest.mark.slow]


@pytest.fixture
def rutter(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[RutterUp]:
    """A service of its own."""
    with running_service(tmp_path_factory.mktemp("keys") / "data", monkeypatch) as running:
        yield running


def test_a_browser_returns_after_a_change_of_the_key(visitor: Visitor, rutter: RutterUp) -> None:
    """Announced: it goes on by itself. Succeeded after a loss: a sentence, and a button."""
    anna = Player(rutter.address, "Anna")
    page = enter(visitor(), rutter.address, anna)
    play(page, rutter, anna)
    check_kept(page)
    [first] = pinned(page)

    announce(rutter)
    play(page, rutter, anna)
    check_kept(page)
    both = signing(rutter)
    assert sorted(pinned(page)) == sorted(both)
    assert first in both

    lose_key(rutter)
    trust_new_key(page, rutter, anna)
