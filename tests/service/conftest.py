"""The people of these tests."""

import pytest


@pytest.fixture(scope="module")
def ada(api):
    """An account of this module."""
    return api.account("Ada")


@pytest.fixture(scope="module")
def bob(api):
    """Another."""
    return api.account("Bob")
