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
