"""The whole benchmark, in an empty database and in a filled one."""

from __future__ import annotations

import pytest

from tests.ops.test_bench import check_rows

pytestmark = pytest.mark.integration


def test_full_and_empty_side_by_side():
    """All rows; those that need a database show both."""
    check_rows("--quick", "--filled", "3000", beside=True)
