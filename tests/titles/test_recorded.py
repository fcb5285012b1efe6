"""Rules and data are those that were recorded under the version that they name."""

import pytest

from ops.titles import versions
from tests.titles.table import tried_titles


@pytest.mark.parametrize("title_id", tried_titles())
def test_rules_and_data_are_as_recorded(title_id):
    """Each version of a title is what was recorded of it; what is to be done else stands in the failure."""
    problems = versions.find_problems(title_id)
    assert not problems, "\n".join(problems)
