"""A browser that comes back after the server's key was replaced, over a service of its own."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests import installation
from tests.acceptance.client import Client
from tests.acceptance.up import RutterUp
from tests.servers import ready_data
from tests.waiting import until
from tests.web.conftest import Visitor
from tests.web.table import Player, enter, give

pytestmark = [pytest.mark.browser, pytest.mark.integration, pytest.mark.slow]


@pytest.fixture
def rutter(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[RutterUp]:
    """A service of its own."""
    for name in ("DATABASE_URL", "REDIS_URL", "RUTTER_SIGNING_KEY", "RUTTER_ORIGIN", "RUTTER_LOG_STATE"):
        monkeypatch.delenv(name, raising=False)
    running = RutterUp(ready_data(tmp_path_factory.mktemp("keys") / "data"))
    running.start()
    yield running
    running.discard()


def keys(rutter: RutterUp, *words: str) -> str:
    """What `rutter keys` prints, while the service runs or does not."""
    done = subprocess.run(
        installation.rutter("keys", *words, "--data", str(rutter.data)),
        cwd=installation.HOME,
        env={**os.environ, **installation.paths()},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def restart(rutter: RutterUp) -> None:
    rutter.stop()
    rutter.start()


def drop_old_key(rutter: RutterUp) -> None:
    """Leave the newest key alone in the key file."""
    path: Path = rutter.data / "signing.key"
    path.write_text(path.read_text(encoding="ascii").split()[-1] + "\n", encoding="ascii")


def play(page: Page, rutter: RutterUp, player: Player) -> None:
    """Begin another game, and choose an empire in it: the answer has a receipt."""
    game = player.game("colonial_empires", [{"you": True}, {"bot": "random"}])
    page.goto(f"{rutter.address}/g/{game}")
    page.locator(".hand [data-ref^='empire:'][data-lit]").first.click()
    give(page, "[data-part=give]")


def check_kept(page: Page) -> None:
    """The receipt is kept, and nothing is complained of."""
    expect(page.locator(".proof")).to_contain_text("1 receipt")
    expect(page.locator(".notice")).to_have_count(0)


def pinned(page: Page) -> list[str]:
    """The keys that the browser believes."""
    found: list[str] = page.evaluate("() => JSON.parse(localStorage.getItem('rutter.keys')).vkeys")
    return found


def signing(rutter: RutterUp) -> list[str]:
    """The keys that the server says it signs with, each announced to those who know the first."""
    told = Client(rutter.address).get("/v1/keys")["keys"]
    return [key["vkey"] for key in told if key["until"] is None]


def announce(rutter: RutterUp) -> None:
    """Announce another key, wait until the log has it, and let both sign."""
    keys(rutter, "rotate")
    nobody = Client(rutter.address)
    until(lambda: nobody.get("/v1/keys")["keys"][-1]["announced"], "the log has the announcement")
    restart(rutter)


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
    play(page, rutter, anna)
    check_kept(page)
    [second] = pinned(page)
    assert signing(rutter) == [second] != [first]

    announce(rutter)
    keys(rutter, "revoke", second)
    drop_old_key(rutter)
    restart(rutter)
    play(page, rutter, anna)
    check_kept(page)
    [third] = pinned(page)
    assert signing(rutter) == [third] != [second]

    rutter.stop()
    (rutter.data / "signing.key").unlink()
    keys(rutter, "succeed")
    rutter.start()
    play(page, rutter, anna)
    expect(page.locator(".notice.bad")).to_contain_text("signs with another key")
    assert pinned(page) == [third]
    page.get_by_role("button", name="Trust the new key").click()
    expect(page.locator(".notice")).to_contain_text("The new key is kept.")
    assert pinned(page) == signing(rutter)
    play(page, rutter, anna)
    check_kept(page)
