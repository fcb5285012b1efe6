"""The package `rutter` of a checkout, where `rutter.events` and `events` are the very same module.

A wheel holds the packages in `rutter`; in a checkout they lie at its top. What says `rutter.events`, as
titles do, runs in both. `rutter.client` is `service.client`. `python -m rutter` is the command `rutter`.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

PACKAGES = ("events", "projections", "service", "workers", "ops", "tests")
MOVED = {"client": "service.client"}
"""Packages that lie elsewhere in a checkout."""
ROOT = Path(__file__).resolve().parents[3]
PREFIX = "rutter."
__path__: list[str] = []
"""That there is one makes this module a package; nothing is looked for in it."""


class SameModule(Loader):
    """Loads a module of the checkout under a second name: no copy, the module itself."""

    def __init__(self, name: str, real: ModuleSpec) -> None:
        self._name, self._real = name, real

    def create_module(self, spec: ModuleSpec) -> None:
        """Let the import system make a module, which the real one will replace."""

    def exec_module(self, module: ModuleType) -> None:
        """Put the real module in the place of the one that was made."""
        sys.modules[self._name] = import_module(self._real.name)

    def get_code(self, name: str) -> CodeType | None:
        """Return the code of the module, for `python -m`."""
        loader: Any = self._real.loader
        found: CodeType | None = loader.get_code(self._real.name)
        return found


class CheckoutFinder:
    """Finds `rutter.events.rules` where `events.rules` is."""

    @staticmethod
    def find_spec(name: str, _path: Sequence[str] | None = None, _target: Any = None) -> ModuleSpec | None:
        """Return what leads to the module; None for a name that is none of the checkout's.

        Raises:
            ImportError: the package of that name belongs to others.
        """
        first, *rest = name.removeprefix(PREFIX).split(".")
        if not name.startswith(PREFIX) or first not in (*PACKAGES, *MOVED):
            return None
        real_name = ".".join([MOVED.get(first, first), *rest])
        real = find_spec(real_name)
        if real is None:
            return None
        _require_own(real)
        spec = ModuleSpec(name, SameModule(name, real), origin=real.origin)
        spec.submodule_search_locations = real.submodule_search_locations
        spec.has_location = real.has_location
        return spec


def _require_own(real: ModuleSpec) -> None:
    if real.origin is None or not Path(real.origin).resolve().is_relative_to(ROOT):
        raise ImportError(
            f"`{real.name}` is {real.origin}, not Rutter's own. Put {ROOT} first in PYTHONPATH."
        )


sys.meta_path.insert(0, CheckoutFinder)

if __name__ == "__main__":
    from ops.cli import main

    main()
