"""Imports led to modules of other names."""

from __future__ import annotations

import pytest

from ops.base.import_names import rename_imports

SOURCE = '''"""A text that says
from rules import x
in a docstring says nothing."""

from rules.kit import (
    rules,
)
import os, rules.kit.refs as refs

if True:
    from rules import rules as again
from rulesets import rules
from . import rules
'''


def rename(module):
    return f"copy.{module}" if f"{module}.".startswith("rules.") else None


def test_absolute_imports_are_led_elsewhere_line_for_line():
    """At any depth and over several lines; neither texts, names that are imported, nor other modules."""
    assert rename_imports(SOURCE, rename) == (
        SOURCE.replace("from rules.kit", "from copy.rules.kit")
        .replace("import os, rules.kit.refs", "import os, copy.rules.kit.refs")
        .replace("from rules import rules as", "from copy.rules import rules as")
    )


def test_a_source_that_is_none_is_refused():
    with pytest.raises(SyntaxError):
        rename_imports("from", rename)
