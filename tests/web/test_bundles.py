"""The joined files of the page: the same code as its modules, in few requests."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from service.api.pages import GAME_PAGE, STATIC, load_bundles
from service.presenters.page_bundles import UnknownModuleForm, join_page
from tests.http_server import serving_files
from tests.web.chromium import Chromium

pytestmark = pytest.mark.browser

INDEX = '<head>\n  <script type="module" src="/static/js/main.js"></script>\n</head>'
SAME = r"""async ({ base, modules }) => {
  const COMMENTS = /^[ \t]*(\/\/.*|\/\*[^]*?\*\/)$|(?<=[;,{(\[}])[ \t]+\/\/ .*$/gm;
  const LATE = /import\([^)]*\)(\.then\(\(bundle\) => bundle\.m\d+\))?/g;
  const PLACE = /new URL\("\.\.\/[^"]*", import\.meta\.url\)\.href/g;
  const code = (text) => text.replace(COMMENTS, "").replace(/\s+/g, " ").replace(PLACE, "import.meta.url")
    .replace(LATE, "import()").replace(/(?<=[{(\[,]) | (?=[})\]])/g, "");
  const tell = (value) => {
    if (typeof value === "function") return code(value.toString());
    if (value && typeof value.peek === "function") return "signal";
    return JSON.stringify(value instanceof Map || value instanceof Set ? [...value] : value) ?? String(value);
  };
  const different = [];
  for (const [module, bundle, member] of modules) {
    const [alone, joined] = [await import(base + module), (await import(base + bundle))[member]];
    const names = Object.keys(alone);
    if (names.join() !== Object.keys(joined).sort().join()) different.push([module, names]);
    for (const name of names)
      if (tell(alone[name]) !== tell(joined[name])) different.push([module, name, tell(joined[name])]);
  }
  return different;
}"""
RULES = """(text) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  return [...sheet.cssRules].map((rule) => rule.cssText.replace(/,\\s+/g, ","));
}"""
FOR_PROGRAMS = {"client/index.js", "client/files.js"}
"""Modules of the package for clients that the page itself has no use for."""
ALONE = {"worker.js"}
"""Scripts that a browser runs beside the page: they import nothing and are served as they are."""
ROUND = 'import { b } from "./b.js";\nexport const a = 1;\n'


@pytest.fixture
def served(tmp_path: Path) -> Iterator[str]:
    """The address of a server of the modules and of what they are joined to."""
    (tmp_path / "js").symlink_to(STATIC / "js")
    (tmp_path / "client").symlink_to(STATIC / "client")
    (tmp_path / "vendor").symlink_to(STATIC / "vendor")
    (tmp_path / "bundle").mkdir()
    for name, text in load_bundles().files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "index.html").write_text(
        '<link rel="icon" href="/icon.svg"><div id="app"></div>', encoding="utf-8"
    )
    with serving_files(tmp_path) as address:
        yield f"{address}/"


def test_bundles_and_modules_are_the_same_code(chromium: Chromium, served: str) -> None:
    """Every module exports from its bundle what it exports alone: the same names, functions and values.

    So each module loads by itself, and all that it imports is there.
    """
    bundles = load_bundles()
    modules = [(name, bundles.bundle_of[name], bundles.member_of[name]) for name in bundles.bundle_of]
    there = {path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*.js")}
    there -= FOR_PROGRAMS | ALONE
    assert {name for name, *_ in modules} == there
    page: Page = chromium.browser.new_page()
    page.goto(f"{served}index.html")
    different: list[Any] = page.evaluate(SAME, {"base": served, "modules": modules})
    chromium.close(page)
    assert different == []


def test_the_joined_style_sheet_says_the_same(workbench: Page) -> None:
    """A browser reads the same rules from it as from the sheets that it is made of."""
    names = re.findall(r'rel="stylesheet" href="/static/([^"]+)"', (STATIC / "index.html").read_text())
    whole = "\n".join((STATIC / name).read_text() for name in names)
    alone, joined = (
        workbench.evaluate(RULES, text) for text in (whole, load_bundles().files["bundle/page.css"])
    )
    assert len(joined) > 500
    assert joined == alone


def test_a_game_needs_four_scripts() -> None:
    """They come at once, and each module is in one of them only."""
    bundles = load_bundles()
    assert len(bundles.needs[GAME_PAGE]) == 4
    assert all(f'href="/static/{name}"' in bundles.preload(GAME_PAGE) for name in bundles.needs[GAME_PAGE])
    for module, member in bundles.member_of.items():
        holders = [name for name, text in bundles.files.items() if f"const {member} = (() =>" in text]
        assert holders == [bundles.bundle_of[module]]


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("export let changing = 1;", "a form that cannot be joined"),
        ('export * from "./b.js";', "a form that cannot be joined"),
        ('import * as b from "./b.js";', "a form that cannot be joined"),
        ('import { c } from "./b.js";', r"js/main\.js imports c, which js/b\.js does not export"),
        ('export { c as d } from "./b.js";', r"js/main\.js imports c"),
        (ROUND, "imports itself"),
    ],
)
def test_what_cannot_be_joined_is_refused(text: str, refused: str) -> None:
    """A form that would mean something else in a bundle, and modules that import each other."""
    other = (
        'import { a } from "./main.js";\nexport const b = 2;\n' if text == ROUND else "export const b = 2;\n"
    )
    with pytest.raises(UnknownModuleForm, match=refused):
        join_page({"index.html": INDEX, "js/main.js": text, "js/b.js": other})


def test_a_cyclic_import_is_told_by_name() -> None:
    """The message names the module that closes the circle."""
    with pytest.raises(UnknownModuleForm, match=r"js/main\.js"):
        join_page({"index.html": INDEX, "js/main.js": 'import { main } from "./main.js";\n'})
