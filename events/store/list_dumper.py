"""Lists as the values of a statement: those of texts and of integers are written in one piece.

psycopg writes one item after the other, and looks at each for what has to be quoted. For the lists of a batch
that takes ten times as long.
"""

from __future__ import annotations

from typing import Any

import psycopg
from psycopg.abc import Buffer
from psycopg.types.array import ListDumper


class PlainListDumper(ListDumper):
    """A dumper of lists as psycopg's own, of the same types; only the form of what it writes may differ."""

    def dump(self, obj: list[Any]) -> Buffer | None:
        """Return the literal of an array of these items."""
        kinds = set(map(type, obj))
        if kinds == {int}:
            return f"{{{','.join(map(str, obj))}}}".encode()
        if kinds == {str} and self.sub_dumper is not None:
            text = _GAP.join(obj)
            if text.count(_GAP) == len(obj) - 1:
                escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace(_GAP, '","')
                return self.sub_dumper.dump(f'{{"{escaped}"}}')
        return super().dump(obj)


_GAP = "\0"
"""Stands between texts, in which Postgres takes no NUL."""


def register() -> None:
    """Write the lists of all connections so that are made from now on."""
    psycopg.adapters.register_dumper(list, PlainListDumper)
