"""Imports of a source, led to modules of other names: for copies of the program that lie elsewhere."""

import ast
import re
from collections.abc import Callable


def rename_imports(source: str, rename: Callable[[str], str | None]) -> str:
    """Return *source* with the new names of modules in its absolute imports, line for line.

    *rename* returns the new name of a module, or None where it keeps its own.
    """
    lines = source.splitlines(keepends=True)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            modules = [node.module]
        else:
            continue
        for module in modules:
            new = rename(module)
            if new is not None:
                name = re.compile(rf"(?<=[ ,]){re.escape(module)}(?![\w.])")
                lines[node.lineno - 1] = name.sub(new, lines[node.lineno - 1], count=1)
    return "".join(lines)
