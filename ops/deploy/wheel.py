"""The contents of the wheel: the packages of the checkout, one level deeper, in `rutter`.

`ops`, `events` and the others are names of other people's packages too: installed beside those, Rutter must
not lie at the top. Of the tests there is what is asked of every title, for those who write one, and the
examples that `rutter title new` copies. In the copies every import of the project's own says `rutter.` before
the name. What is named by a text is named by `events.base.installation.qualify_name`, here as there.
"""

import ast
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # the builder knows this file alone

from ops.base.import_names import rename_imports

PACKAGES = ("events", "projections", "service", "workers", "ops")
TESTS = (
    "tests/__init__.py",
    "tests/batches.py",
    "tests/titles/__init__.py",
    "tests/titles/battery.py",
    "tests/titles/example",
    "tests/titles/golden.py",
    "tests/titles/liars_dice",
    "tests/titles/table.py",
    "tests/titles/test_battery.py",
    "tests/titles/test_clauses.py",
    "tests/titles/test_golden.py",
    "tests/titles/test_options.py",
    "tests/titles/test_pointing.py",
    "tests/titles/test_recorded.py",
    "tests/titles/test_standing.py",
    "tests/vectors/README.md",
    "tests/vectors/__init__.py",
    "tests/vectors/test_vectors.py",
)
"""The battery, which is asked of every title, and the files that it needs."""
PAGES = ("ops/deploy/README.md",)
"""Pages of the documentation that stand in folders which are for checkouts."""
MOVED = {"service/client": "client"}
"""Folders that lie elsewhere in the wheel: what `rutter.client` names in a checkout as well."""
NAME = "rutter"
EXCLUDED = (
    "__pycache__",
    "*.pyc",
    "checkout",
    "deploy",
    "environment.sh",
    "install",
    "lock",
    "rutter",
    "test",
    "up",
)
"""Compiled files, and what is for checkouts."""
IGNORED = shutil.ignore_patterns(*EXCLUDED)
INIT = '"""Rutter: a board-game service in which every action is recorded, and every game can be proved."""\n'
MAIN = (
    '"""`python -m rutter ...` is the command `rutter ...`."""\n\nfrom rutter.ops.cli import main\n\nmain()\n'
)


class UnsupportedImport(SyntaxError):
    """An import binds the bare name of a package: it has no equivalent one room deeper."""


def nest_imports(source: str, where: str) -> str:
    """Return the *source* of a module with `rutter.` before the project's own packages, line for line.

    Raises:
        UnsupportedImport: it says `import events.x` rather than `from events import x`.
    """
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import) and any(_is_own(alias.name) for alias in node.names):
            raise UnsupportedImport(f"{where}, line {node.lineno}: say `from package import module`")
    return rename_imports(source, lambda module: f"{NAME}.{_move(module)}" if _is_own(module) else None)


def write_package(checkout: Path, folder: Path) -> None:
    """Write the package `rutter` of *checkout* into *folder*, which is made."""
    folder.mkdir()
    for package in PACKAGES:
        shutil.copytree(checkout / package, folder / package, ignore=IGNORED)
    for source, target in MOVED.items():
        (folder / source).rename(folder / target)
    for name in (*TESTS, *PAGES):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        if (checkout / name).is_dir():
            shutil.copytree(checkout / name, folder / name, ignore=IGNORED)
        else:
            shutil.copy(checkout / name, folder / name)
    for path in sorted(folder.rglob("*.py")):
        path.write_text(nest_imports(path.read_text(encoding="utf-8"), str(path)), encoding="utf-8")
    (folder / "__init__.py").write_text(INIT, encoding="utf-8")
    (folder / "__main__.py").write_text(MAIN, encoding="utf-8")
    (folder / "py.typed").touch()


def _move(module: str) -> str:
    for source, target in MOVED.items():
        if f"{module}.".startswith(source.replace("/", ".") + "."):
            return target + module[len(source) :]
    return module


def _is_own(module: str) -> bool:
    return module.partition(".")[0] in (*PACKAGES, "tests")


class Wheel(BuildHookInterface[Any]):
    """Gives the builder the package in place of the checkout's folders."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Prepare the building of a wheel; an editable one leads to the checkout itself."""
        if version == "editable":
            return
        self._place = tempfile.TemporaryDirectory(prefix="rutter-wheel-")
        folder = Path(self._place.name) / NAME
        write_package(Path(self.root), folder)
        build_data["force_include"][str(folder)] = NAME

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Called when it is built."""
        if version != "editable":
            self._place.cleanup()
