"""The keys of a service of its own, replaced, and what a browser keeps of them."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests import installation
from tests.acceptance.client import Client
from tests.acceptance.up import OWN_TITLES, RutterUp
from tests.conftest import LiveServer
from tests.servers import ready_data
from tests.waiting import until
from tests.web.table import Player, give


@contextmanager
def running_service(data: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[RutterUp]:
    """Run a service whose data lies in the folder *data*, and nothing that others know of it."""
    for name in ("DATABASE_URL", "REDIS_URL", "RUTTER_SIGNING_KEY", "RUTTER_ORIGIN", "RUTTER_LOG_STATE"):
        monkeypatch.delenv(name, raising=False)
    running = RutterUp(ready_data(data), settings=OWN_TITLES)
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


def play(page: Page, rutter: RutterUp | LiveServer, player: Player) -> None:
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


def signing(rutter: RutterUp | LiveServer) -> list[str]:
    """The keys that the server says it signs with, each announced to those who know the first."""
    told = Client(rutter.address).get("/v1/keys")["keys"]
    return [key["vkey"] for key in told if key["until"] is None]


def announce(rutter: RutterUp) -> None:
    """Announce another key, wait until the log has it, and let both sign."""
    nobody = Client(rutter.address)
    before = nobody.get("/v1/keys")["keys"]
    keys(rutter, "rotate")

    def is_announced() -> bool:
        told = nobody.get("/v1/keys")["keys"]
        return len(told) > len(before) and told[-1]["announced"] is not None

    until(is_announced, "the log has the announcement")
    restart(rutter)


def lose_key(rutter: RutterUp) -> None:
    """Begin again with a key that no other one announces, since the old one is lost."""
    rutter.stop()
    (rutter.data / "signing.key").unlink()
    keys(rutter, "succeed")
    rutter.start()


def trust_new_key(page: Page, rutter: RutterUp | LiveServer, player: Player) -> None:
    """Play; the page says that the key is another one, and keeps it at the press of a button."""
    before = pinned(page)
    play(page, rutter, player)
    expect(page.locator(".notice.bad")).to_contain_text("signs with another key")
    assert pinned(page) == before
    page.get_by_role("button", name="Trust the new key").click()
    expect(page.locator(".notice").filter(has_text="The new key is kept.")).to_be_visible()
    assert pinned(page) == signing(rutter)
    play(page, rutter, player)
    check_kept(page)
