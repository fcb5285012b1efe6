"""The browser of the tests themselves."""

from __future__ import annotations

import os
import signal

import pytest

from tests.web import chromium as chromium_module
from tests.web.chromium import Chromium
from tests.web.conftest import Visitor

pytestmark = pytest.mark.browser


def test_a_browser_that_hangs_when_it_is_left_is_replaced(
    chromium: Chromium, visitor: Visitor, files: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That is a warning; the next visitor comes with another browser."""
    monkeypatch.setattr(chromium_module, "PATIENCE", 1.0)
    left, hanging = visitor(), chromium.browser
    os.kill(chromium._pid, signal.SIGSTOP)
    with pytest.warns(UserWarning, match="did not close a page within 1 seconds"):
        chromium.close(left.context)
    monkeypatch.undo()
    assert chromium.browser is not hanging
    page = visitor()
    page.goto(files + "vendor/README.txt")
    assert "preact" in page.locator("body").inner_text()


def test_a_visitor_finds_files_and_nothing_else_of_another(chromium: Chromium, files: str) -> None:
    """What one has stored with any origin is gone; who is there at the same time has a place of their own."""
    one, other = chromium.seat({}), chromium.seat({})
    assert one is not other
    for seat in (one, other):
        page = seat.context.new_page()
        page.goto(files + "vendor/README.txt")
        page.evaluate("() => { localStorage.secret = sessionStorage.secret = document.cookie = 'a=secret'; }")
        page.goto("about:blank")
    chromium.leave(one, other)
    again = chromium.seat({})
    assert again in (one, other)
    page = again.context.new_page()
    page.goto(files + "vendor/README.txt")
    assert page.evaluate("() => [localStorage.length, sessionStorage.length, document.cookie]") == [0, 0, ""]
    chromium.leave(again)
