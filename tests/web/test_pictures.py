"""`rutter pictures` draws the boards of games as they stand at a share of their events."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from pathlib import Path

import pytest
from click.testing import CliRunner

from ops.cli import rutter
from ops.cli.dev.pictures import HEIGHTS, Moment, Size, draw
from tests.web.chromium import Chromium
from tests.web.table import Player

pytestmark = [pytest.mark.browser, pytest.mark.integration]

SHARE = 60
SIZES: dict[str, Size] = {f"_{width}": (width, HEIGHTS[width], 1.0) for width in (1440, 390)}
SEEN = """async (picture) => {
  const image = Object.assign(new Image(), { src: picture });
  await image.decode();
  const canvas = new OffscreenCanvas(image.width, image.height), pen = canvas.getContext("2d");
  pen.drawImage(image, 0, 0);
  const { data } = pen.getImageData(0, 0, image.width, image.height), counts = new Map();
  for (let at = 0; at < data.length; at += 4 * 31) {
    const colour = (data[at] >> 4) * 256 + (data[at + 1] >> 4) * 16 + (data[at + 2] >> 4);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const all = [...counts.values()];
  return [image.width, image.height, all.length, Math.max(...all) / all.reduce((one, other) => one + other)];
}"""
"""The size of a picture, the number of its colours, and the share of the commonest."""
FEWEST_COLOURS, LARGEST_SHARE = 24, 0.95


def check_pictures(chromium: Chromium, pictures: Iterable[Path]) -> None:
    """Each picture is as large as its window, and shows more than an empty page."""
    page = chromium.browser.new_page()
    for path in pictures:
        told = f"data:image/jpeg;base64,{base64.b64encode(path.read_bytes()).decode()}"
        width, height, colours, share = page.evaluate(SEEN, told)
        assert (width, height) == (int(path.stem.rpartition("_")[2]), HEIGHTS[width])
        assert colours >= FEWEST_COLOURS, path.name
        assert share <= LARGEST_SHARE, path.name
    chromium.close(page)


def test_pictures_of_a_game_show_its_board(
    chromium: Chromium, ended: tuple[Player, str], tmp_path: Path
) -> None:
    """At two widths, after six tenths of its events; tests/campaigns/web does so with every title."""
    host, game = ended
    moment = Moment(game, host.call("GET", f"/v1/games/{game}")["last"] * SHARE // 100)
    made = list(draw(chromium.browser, host.address, {"example": moment}, tmp_path, SIZES))
    assert [path.name for path in made] == ["example_1440.jpg", "example_390.jpg"]
    check_pictures(chromium, made)


def test_an_empty_page_is_no_picture(chromium: Chromium, tmp_path: Path) -> None:
    """What finds the fault of an empty picture finds it."""
    page = chromium.browser.new_page(viewport={"width": 390, "height": HEIGHTS[390]})
    page.screenshot(path=tmp_path / "none_390.jpg", type="jpeg")
    chromium.close(page)
    with pytest.raises(AssertionError, match="none_390"):
        check_pictures(chromium, [tmp_path / "none_390.jpg"])


def test_the_command_draws_known_widths_only(tmp_path: Path) -> None:
    """A width without a height is refused before any game is made."""
    told = CliRunner().invoke(rutter, ["pictures", str(tmp_path), "--width", "1000"])
    assert told.exit_code == 2
    assert "'390', '768', '1366', '1440'" in told.output
