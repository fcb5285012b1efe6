"""`rutter pictures FOLDER`: every board as a browser shows it, from games of bots on a running server."""

from __future__ import annotations

import contextlib
import os
import shutil
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click

from events.base.installation import install_command
from ops.base.errors import OpsError
from ops.clients.api import ApiClient

Size = tuple[int, int, float]
"""Width and height of a window, and the scale of its picture."""
SIZES: Mapping[str, Size] = {"_1366": (1366, 768, 1.0), "_390": (390, 844, 1.0), "": (1366, 768, 0.5)}
"""By the end of a picture's name: those that the lobby and the rules show."""
HEIGHTS = {390: 844, 768: 1024, 1366: 768, 1440: 900}
"""By the width of a window, its height."""
TITLES = ("colonial", "colonial_revised", "colonialism", "colonies", "colonial_empires")
SEATS, BOT = 4, "random"
EVENTS = 160
"""The number of events of a game before its picture is taken."""
LONGEST_WAIT = 120.0  # seconds for a game to get there
QUALITY = 70
BROWSERS = ("chromium", "chromium-headless-shell", "chromium-browser", "google-chrome")


class Moment(NamedTuple):
    """An event of a game."""

    game: str
    event: int


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--address", default="http://127.0.0.1:8000", show_default=True, help="The address of the server."
)
@click.option(
    "--title", "titles", multiple=True, type=click.Choice(TITLES), help="Only this title; can be repeated."
)
@click.option(
    "--width",
    "widths",
    multiple=True,
    type=click.Choice([str(each) for each in HEIGHTS]),
    help="A window of this width, in place of the usual sizes; can be repeated.",
)
@click.option(
    "--share",
    type=click.IntRange(1, 100),
    help="Play each game to its end, and draw it after this percentage of its events.",
)
@click.option("--dark", is_flag=True, help="Draw the page as it looks by night.")
def command(
    folder: Path, address: str, titles: Sequence[str], widths: Sequence[str], share: int | None, *, dark: bool
) -> None:
    """Make pictures of all boards in FOLDER, at two widths and in a small size.

    The server must be running. You need playwright and a Chromium: set CHROMIUM to its path if it is not
    found.
    """
    folder.mkdir(parents=True, exist_ok=True)
    host = ApiClient(address)
    player = host.as_account(host.post("/v1/accounts", {"name": "Painter"})["token"])
    moments = {title: play_game(player, title, share) for title in titles or TITLES}
    sizes = {f"_{width}": (int(width), HEIGHTS[int(width)], 1.0) for width in widths} or SIZES
    with _open_browser() as browser:
        for path in draw(browser, address, moments, folder, sizes, dark=dark):
            click.echo(path)


def play_game(host: ApiClient, title: str, share: int | None = None) -> Moment:
    """Return a moment of a new game of bots: after EVENTS events, or after a *share* of them in percent."""
    game: str = host.post("/v1/games", {"title": title, "options": {}, "seats": [{"bot": BOT}] * SEATS})["id"]
    until = time.monotonic() + LONGEST_WAIT
    while time.monotonic() < until:
        now = host.get(f"/v1/games/{game}?seat=spectator")
        if now["status"] == "finished":
            last: int = now["last"]
            return Moment(game, min(EVENTS, last) if share is None else max(1, last * share // 100))
        if share is None and now["seq"] >= EVENTS:
            return Moment(game, EVENTS)
        time.sleep(0.5)
    goal = "the end of their game" if share else f"event {EVENTS}"
    raise OpsError(
        f"{title}: the bots did not reach {goal} in {LONGEST_WAIT:.0f} seconds. "
        "Check that the workers run, then try again."
    )


@contextlib.contextmanager
def _open_browser() -> Iterator[Any]:
    try:
        from playwright.sync_api import sync_playwright
    except ModuleNotFoundError:
        raise OpsError(f"Playwright is missing. Install it with `{install_command('dev')}`.") from None
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=_find_browser(), args=["--no-sandbox", "--disable-gpu"]
        )
        yield browser
        browser.close()


def _find_browser() -> str | None:
    found = [os.environ.get("CHROMIUM"), *map(shutil.which, BROWSERS)]
    return next((path for path in found if path), None)


def draw(
    browser: Any,
    address: str,
    moments: Mapping[str, Moment],
    folder: Path,
    sizes: Mapping[str, Size] = SIZES,
    *,
    dark: bool = False,
) -> Iterator[Path]:
    """Draw a picture of each moment in each size with a *browser* of playwright; yield their paths."""
    for title, moment in moments.items():
        for name, size in sizes.items():
            path = folder / f"{title}{name}.jpg"
            _draw_picture(browser, f"{address}/g/{moment.game}?at={moment.event}", size, path, dark=dark)
            yield path


def _draw_picture(browser: Any, address: str, size: Size, path: Path, *, dark: bool) -> None:
    width, height, scale = size
    page = browser.new_page(
        viewport={"width": width, "height": height},
        device_scale_factor=scale,
        color_scheme="dark" if dark else "light",
        reduced_motion="reduce",
    )
    page.goto(address)
    page.locator("[data-role=board]").first.wait_for()
    page.locator(".stage[aria-busy=false]").wait_for()
    page.locator("[data-part=line], [data-part=group]").first.wait_for(state="attached")
    page.locator(".is-connecting").wait_for(state="detached")
    page.wait_for_load_state("load")
    page.screenshot(path=path, type="jpeg", quality=QUALITY)
    page.close()
