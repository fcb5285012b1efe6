"""The reference and the guides beside it: kept parts unchanged, every example run as it stands."""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

from service.api.pages import GUIDES, read_guide
from service.openapi import problem_codes
from tests.conftest import LiveServer
from tests.installation import ROOT
from tests.waiting import PATIENCE

ADDRESS = "http://127.0.0.1:8000"
VENDOR = ROOT / "service/docs/vendor"


def blocks(name: str, language: str) -> list[str]:
    """The examples of a guide in one language, in order."""
    return re.findall(rf"^```{language}\n(.*?)^```$", read_guide(name), re.DOTALL | re.MULTILINE)


def run(*words: str) -> str:
    """What a program says; it must go well."""
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=PATIENCE, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_viewer_is_the_one_that_was_published():
    listed = re.findall(
        r"^(\S+) +swagger-ui-dist .* ([0-9a-f]{64})$", (VENDOR / "README.txt").read_text(), re.MULTILINE
    )
    assert {name for name, _ in listed} == {"swagger-ui-bundle.js", "swagger-ui.css"}
    for name, digest in listed:
        assert hashlib.sha256((VENDOR / name).read_bytes()).hexdigest() == digest


@pytest.mark.integration
def test_guides_are_pages_that_ask_nobody_else(api):
    for name in GUIDES:
        answer = api.send("GET", f"/docs/{name}")
        assert answer.status_code == 200
        assert "<script" not in answer.text
        assert not re.search(r'(src|style)="', answer.text)
    assert api.send("GET", "/docs/guides/errors.md").status_code == 404
    assert api.send("GET", "/docs/nothing").status_code == 404


@pytest.mark.integration
def test_every_code_stands_in_the_docs(api):
    page = api.send("GET", "/docs/errors").text
    assert all(f"<code>{code}</code>" in page for code in problem_codes.get_all_codes())


def test_canonical_form_and_bundles_stand_in_the_docs():
    """All that a verifier in another language needs, with values to test against."""
    text = read_guide("bundle")
    assert "## 1. Canonical form" in text
    assert "tests/vectors/bundle.ndjson" in text
    assert (ROOT / "tests/vectors/bundle.ndjson").exists()


@pytest.mark.integration
@pytest.mark.parametrize("name", [name for name in GUIDES if name != "bundle" and blocks(name, "python")])
def test_examples_in_python_run(live_server: LiveServer, tmp_path: Path, name):
    """All blocks of a guide, one after the other, in one program."""
    program = tmp_path / f"{name}.py"
    program.write_text("\n".join(blocks(name, "python")).replace(ADDRESS, live_server.address))
    run(sys.executable, str(program))


@pytest.mark.integration
@pytest.mark.parametrize("name", [name for name in GUIDES if name != "bundle" and blocks(name, "sh")])
def test_examples_in_the_shell_run(live_server: LiveServer, name):
    for block in blocks(name, "sh"):
        assert run("bash", "-e", "-o", "pipefail", "-c", block.replace(ADDRESS, live_server.address))
