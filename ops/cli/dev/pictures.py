"""`rutter pictures FOLDER`: every board as a browser shows it, from games of bots on a running server."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path
from typing import Any

import click

from events.base.installation import install_command
from ops.base.errors import OpsError
from ops.clients.api import ApiClient

SIZES = {"_1366": (1366, 768, 1.0), "_390": (390, 844, 1.0), "": (1366, 768, 0.5)}
"""By the end of a picture's name: width and height of the window, and the scale of the picture."""
TITLES = ("colonial", "colonial_revised", "colonialism", "colonies", "colonial_empires")
SEATS, BOT = 4, "random"
EVENTS = 160
"""The number of events of a game before its picture is taken."""
LONGEST_WAIT = 120.0  # seconds for a game to get there
QUALITY = 70
BROWSERS = ("chromium", "chromium-headless-shell", "chromium-browser", "google-chrome")


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--address", default="http://127.0.0.1:8000", show_default=True, help="The address of the server."
)
def command(folder: Path, address: str) -> None:
    """Make pictures of all boards in FOLDER, at two widths and in a small size.

    The server must be running. You need playwright and a Chromium: set CHROMIUM to its path if it is not
    found.
    """
    folder.mkdir(parents=True, exist_ok=True)
    host = ApiClient(address)
    token = host.post("/v1/accounts", {"name": "Painter"})["token"]
    games = {title: _play_game(host.as_account(token), title) for title in TITLES}
    for path in draw(address, games, folder):
        click.echo(path)


def _play_game(host: ApiClient, title: str) -> str:
    """Return the id of a game of bots that has come far enough."""
    game: str = host.post("/v1/games", {"title": title, "options": {}, "seats": [{"bot": BOT}] * SEATS})["id"]
    until = time.monotonic() + LONGEST_WAIT
    while time.monotonic() < until:
        now = host.get(f"/v1/games/{game}?seat=spectator")
        if now["seq"] >= EVENTS or now["status"] == "finished":
            return game
        time.sleep(0.5)
    raise OpsError(
        f"{title}: the bots did not reach event {EVENTS} in {LONGEST_WAIT:.0f} seconds. "
        "Check that the workers run, then try again."
    )


def draw(address: str, games: dict[str, str], folder: Path) -> list[Path]:
    """Draw a picture of each game at each size, and return their paths."""
    try:
        from playwright.sync_api import sync_playwright
    except ModuleNotFoundError:
        raise OpsError(f"Playwright is missing. Install it with `{install_command('dev')}`.") from None
    made: list[Path] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=_browser(), args=["--no-sandbox", "--disable-gpu"]
        )
        for title, game in games.items():
            for name, size in SIZES.items():
                path = folder / f"{title}{name}.jpg"
                _picture(browser, f"{address}/g/{game}?at={EVENTS}", size, path)
                made.append(path)
        browser.close()
    return made


def _browser() -> str | None:
    found = [os.environ.get("CHROMIUM"), *map(shutil.which, BROWSERS)]
    return next((path for path in found if path), None)


def _picture(browser: Any, address: str, size: tuple[int, int, float], path: Path) -> None:
    width, height, scale = size
    page = browser.new_page(viewport={"width": width, "height": height}, device_scale_factor=scale)
    page.goto(address)
    page.locator("[data-role=board]").first.wait_for()
    page.locator(".stage[aria-busy=false]").wait_for()
    page.wait_for_load_state("load")
    page.screenshot(path=path, type="jpeg", quality=QUALITY)
    page.close()
