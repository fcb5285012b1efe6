"""The pages of the documentation: their blocks run as they stand, and their lists are those of the source."""

from __future__ import annotations

import base64
import json
import re
import sys
import tomllib
from datetime import UTC, datetime, timedelta
from email.message import Message
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from standardwebhooks import Webhook

from tests.installation import ROOT
from tests.service import page_blocks
from tests.service.page_blocks import PAGES, BlockFailed, find_pages, read_blocks, run_page
from tests.tools import need

SCRIPTS = ROOT / "service" / "static" / "js"
KEYS = {
    "ArrowLeft": "←",
    "ArrowRight": "→",
    "ArrowUp": "↑",
    "ArrowDown": "↓",
    "Escape": "Esc",
    " ": "Space",
    "l": "L",
    "m": "M",
    "z": "Z",
}
"""How the page of keys writes those that it does not write as browsers do."""
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
OF_THE_BROWSER = {"Tab", "Shift", "Ctrl"}
DEAR = {"organise/after"}
"""Pages whose blocks play a whole tournament."""


NOT_RUN = {
    (
        "build/clients",
        "pip install openapi-python-client",
    ): "fetches a generator; tests/clients runs the lines",
    ("build/clients", "from rutter_client import"): "needs what the generator writes; see tests/clients",
    ("build/clients", "npm install openapi-fetch"): "fetches packages of npm; tests/clients runs the lines",
    ("build/clients", 'import createClient from "openapi-fetch"'): "is TypeScript; see tests/clients",
    ("build/clients", "pip install openapi-generator-cli"): "fetches a generator; see tests/clients/install",
    (
        "build/clients",
        "openapi-generator-cli generate",
    ): "takes a minute; see tests/clients",
    ("build/clients", "from rutter_api import"): "needs what the generator writes; see tests/clients",
    ("build/clients", "import { AccountsApi"): "is TypeScript; see tests/clients",
    (
        "build/library",
        "import random",
    ): "plays a whole game, as the bot of README.md does; see test_readme.py",
    ("build/library", "python3 -m pip wheel"): "fetches packages; tests/ops/test_wheel.py installs",
    ("build/library", "npm pack"): "needs a project of npm; tests/clients/test_javascript.py packs",
    (
        "build/library",
        'import { Client } from "rutter-client"',
    ): "needs the package; tests/clients/test_javascript.py runs it",
    ("build/library", "npx tsc --strict"): "needs the package; tests/clients/test_javascript.py compiles",
    ("audit/witnesses", "rutter witness follow"): "needs a log that accepts the witness; tests/ops/witness",
    (
        "organise/quickstart",
        ".venv/bin/python ops/examples/organiser.py",
    ): "plays for minutes; see organise/after",
    ("audit/quickstart", "python3 -m venv audit-env"): "fetches packages; tests/ops/test_wheel.py installs",
    ("analyse/quickstart", "python ops/examples/analyst.py"): "needs finished games; see test_exports.py",
    ("analyse/research", "ops/install research"): "fetches packages; the environment of tests has them",
    ("analyse/research", "export RUTTER_EXTRA_TITLES"): "takes a minute; campaigns/test_research.py",
}
"""Program text that is shown and not run, by the page and its beginning, and why."""
PROGRAM = re.compile(
    r"^(?:\$ )?(?:\.venv/bin/)?"
    r"(?:curl|rutter|ops|pip|npm|npx|openapi-\S+|python3?|git|docker|kubectl|sudo|export|import|from\s\S+)\b"
)


def find_shown_programs() -> list[tuple[str, str]]:
    """The pages and texts of blocks that hold a program and do not run."""
    return [
        (path.relative_to(PAGES).with_suffix("").as_posix(), block.text)
        for path in sorted(PAGES.rglob("*.md"))
        if path.parent.name in page_blocks.DOORS
        for block in read_blocks(path)
        if block.language == "text" and PROGRAM.match(block.text)
    ]


def test_programs_run_unless_there_is_a_reason():
    found = find_shown_programs()
    known = [key for page, text in found for key in NOT_RUN if key[0] == page and text.startswith(key[1])]
    assert len(found) == len(known), "a program in a block of text: run it, or say why not"
    assert set(known) == set(NOT_RUN), "take it from the list"


@pytest.mark.slow
@pytest.mark.integration
@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.slow) if name in DEAR else name for name in find_pages()],
)
def test_the_blocks_of_a_page_run_in_order(live_server, tmp_path: Path, name: str):
    need("curl")
    if any(block.language == "js" for block in read_blocks(PAGES / f"{name}.md")):
        need("node")
    assert run_page(name, live_server.address, tmp_path)


@pytest.mark.parametrize(
    ("blocks", "why"),
    [
        (["```sh\nfalse\n```"], "failed"),
        (["```sh\nset -- one\n```", '```sh\ntest "$1" = two\n```'], "failed"),
        (["```python\none = 1\n```", "```python\nassert one == 2\n```"], "assert one == 2"),
        (['```sh\necho \'{"status":404,"code":"unknown_game"}\'\n```'], "unexpected refusal"),
        (
            ['```python title="a.txt"\nsome words\n```', '```sh\ntest "$(cat a.txt)" = others\n```'],
            "failed",
        ),
        (["```sh\npip install no-such-package-at-all\n```"], "no-such-package"),
    ],
)
def test_a_block_that_does_not_do_what_its_page_says_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, blocks: list[str], why: str
):
    """Also where only a later block can tell."""
    pages, folder = tmp_path / "pages", tmp_path / "folder"
    pages.mkdir()
    folder.mkdir()
    monkeypatch.setattr(page_blocks, "PAGES", pages)
    (pages / "bad.md").write_text("\n\n".join([*blocks, ""]))
    with pytest.raises(BlockFailed, match=re.escape(why)):
        run_page("bad", "http://127.0.0.1:1", folder)


def test_every_block_has_a_language_that_is_known():
    """Also those that are shown only, so that none is forgotten by a slip."""
    shown = {"text", "console", "json", "html"}
    for path in (*(PAGES / "play").glob("*.md"), *(PAGES / "build").glob("*.md")):
        text = path.read_text(encoding="utf-8")
        assert len(re.findall("^```", text, re.MULTILINE)) == 2 * len(read_blocks(path)), path
        assert {one.language for one in read_blocks(path)} <= {*page_blocks.LANGUAGES, *shown}, path


def test_modules_that_pages_run_are_there():
    """For readers who installed what the page says: no module of the tools that build and test."""
    pages = [ROOT / "README.md", ROOT / "ops/README.md", *sorted(PAGES.rglob("*.md"))]
    named = {
        name for path in pages for name in re.findall(r"python3? -m (\w+)", path.read_text(encoding="utf-8"))
    }
    assert {"venv", "pip", "rutter"} <= named
    assert named - sys.stdlib_module_names - {"pip", "rutter"} == set()


def keys_of_the_source() -> set[str]:
    """Every key that a script of the page asks for, by its name in browsers."""
    found: set[str] = set()
    for path in SCRIPTS.rglob("*.js"):
        text = path.read_text(encoding="utf-8")
        found |= set(re.findall(r'event\.key [!=]== "([^"]+)"', text))
        tables = re.findall(r"\{([^{}]*)\}\s*\[\s*event\.key", text)
        for name in set(re.findall(r"(?<![.\w])(keys|WAYS)\[(?:event\.)?key\]", text)):
            tables += re.findall(rf"const {name} = \{{([^{{}}]*)\}}", text)
        for table in tables:
            members = re.findall(r'(?:^|,)\s*(?:"([^"]+)"|(\w+)):', table)
            found |= {quoted or plain for quoted, plain in members}
    return found


def test_the_page_of_keys_has_every_key_of_the_source():
    """And no other: those of the browser itself apart."""
    page = (PAGES / "play" / "keys.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`.*?) \|", page, re.MULTILINE)
    told = {key for row in rows for key in re.findall("`([^`]+)`", row)}
    source = keys_of_the_source()
    assert {" ", "ArrowUp", "Escape", "Home", "?", "0", "/", "m", "l"} <= source
    assert told - OF_THE_BROWSER == {KEYS.get(key, key) for key in source}


def receiver() -> dict[str, Any]:
    """The names of the page's receiver of webhooks, without the server that it starts."""
    (block,) = [one for one in read_blocks(PAGES / "build" / "webhooks.md") if one.title == "receiver.py"]
    assert len(block.text.splitlines()) <= 40
    names: dict[str, Any] = {}
    exec(block.text.partition("\nHTTPServer(")[0], names)  # noqa: S102 - that is what readers do
    names["time"] = SimpleNamespace(time=NOW.timestamp)
    return names


def test_the_receiver_of_the_page_takes_what_the_server_signs(monkeypatch: pytest.MonkeyPatch):
    """And nothing else: another body, another secret, an old call, no signature at all."""
    secret = base64.b64encode(bytes(range(32))).decode()
    monkeypatch.setenv("SECRET", f"whsec_{secret}")
    is_genuine = receiver()["is_genuine"]
    body = json.dumps({"type": "webhook.test", "data": {}})

    def call(key: str, ago: int = 0) -> Message:
        at, headers = NOW - timedelta(seconds=ago), Message()
        headers["webhook-id"] = "ntc_1_a"
        headers["webhook-timestamp"] = str(int(at.timestamp()))
        headers["webhook-signature"] = f"v1,AAAA {Webhook(key).sign('ntc_1_a', at, body)}"
        return headers

    assert is_genuine(call(secret, ago=200), body.encode())
    assert not is_genuine(call(secret), b"{}")
    assert not is_genuine(call(base64.b64encode(bytes(32)).decode()), body.encode())
    assert not is_genuine(call(secret, ago=400), body.encode())
    assert not is_genuine(Message(), body.encode())


def test_the_page_of_generated_clients_names_what_is_tested():
    """The versions of the generators, and calls that the tested programs make."""
    page = (PAGES / "build" / "clients.md").read_text(encoding="utf-8")
    clients = ROOT / "tests" / "clients"
    pins = (clients / "python" / "requirements.txt").read_text(encoding="utf-8").split()
    packages = json.loads((clients / "typescript" / "package.json").read_text(encoding="utf-8"))
    (named,) = re.findall(r"openapi-python-client==\S+", page)
    assert named in pins
    for name, version in re.findall(r"(openapi-\w+)@(\S+)", page):
        assert packages["devDependencies"][name] == version
    tested = "".join(one.read_text(encoding="utf-8") for one in clients.rglob("player.*"))
    imports = re.findall(r"^(?:from|import) .*$", page, re.MULTILINE)
    assert len(imports) == 10
    assert all(line.replace("./rutter_api/", "./") in tested for line in imports)
    (other,) = re.findall(r"openapi-generator-cli==\S+", page)
    assert other in (clients / "install").read_text(encoding="utf-8").split()


def test_the_page_of_limits_has_the_usual_ones():
    limits = tomllib.loads((ROOT / "service" / "base" / "limits.toml").read_text(encoding="utf-8"))
    page = (PAGES / "build" / "pagination.md").read_text(encoding="utf-8")
    rates = [limits[name]["rate"] for name in ("read", "write", "commands", "create")]
    for rate in "; ".join([*rates, limits["accounts"]["anonymous"]]).split("; "):
        number, _, span = rate.partition("/")
        assert re.search(rf"\b{number} an? {span}\b", page), rate
    assert f"{limits['read']['anonymous'].partition('/')[0]} without a token" in page
    assert f"| {limits['streams']['account']}; five without a token |" in page
    assert limits["streams"]["anonymous"] == 5
    assert f"{limits['request']['bytes'] // 1024} KiB" in page
