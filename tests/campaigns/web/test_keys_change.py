"""A browser that comes back after each change of the server's key."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.acceptance.up import RutterUp
from tests.waiting import until
from tests.web.conftest import Visitor
from tests.web.key_changes import (
    announce,
    check_kept,
    drop_old_key,
    keys,
    lose_key,
    pinned,
    play,
    restart,
    running_service,
    signing,
    trust_new_key,
)
from tests.web.table import Player, enter

pytestmark = [pytest.mark.browser, pytest.mark.integration]


@pytest.fixture
def rutter(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[RutterUp]:
    """A service of its own."""
    with running_service(tmp_path_factory.mktemp("keys") / "data", monkeypatch) as running:
        yield running


def test_a_browser_returns_after_each_change_of_the_key(visitor: Visitor, rutter: RutterUp) -> None:
    """Rotated, finished, revoked: it goes on by itself. Succeeded after a loss: a sentence, and a button."""
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

    keys(rutter, "rotate", "--finish", "--early")
    drop_old_key(rutter)
    restart(rutter)
    until(lambda: len(signing(rutter)) == 1, "the log has the end of the first key")
    play(page, rutter, anna)
    check_kept(page)
    [second] = pinned(page)
    assert signing(rutter) == [second] != [first]

    announce(rutter)
    keys(rutter, "revoke", second)
    drop_old_key(rutter)
    restart(rutter)
    until(lambda: len(signing(rutter)) == 1, "the log has the revocation")
    play(page, rutter, anna)
    check_kept(page)
    [third] = pinned(page)
    assert signing(rutter) == [third] != [second]

    lose_key(rutter)
    trust_new_key(page, rutter, anna)
