"""What Citus refuses of a statement, or answers with an error later, as a parser sees it.

Each rule was met on a cluster: the statement ran on one machine, and never on several.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from sqlglot import exp

from events.store.connection import TimeoutConnection
from ops.database.distribution import Distribution
from tests.statements import LEVELS, LOOKS, WHOLE, Reading, Statement, level_of, name_of

MIGRATIONS = Path(__file__).resolve().parents[1] / "ops" / "database" / "migrations"
FIRST_SPREAD = "0034"
"""The first migration that a database may meet whose tables are spread; earlier ones come before that."""
STEADY = (
    exp.Case,
    exp.If,
    exp.Cast,
    exp.Coalesce,
    exp.Connector,
    exp.Exists,
    exp.Array,
    exp.Greatest,
    exp.Least,
    exp.SubqueryPredicate,
)
"""What the parser takes for functions, and Citus does not: their values follow from the row alone."""


ASKS_ALL = re.compile(r"es\.sequence_events|master_run_on_worker")
"""Functions that ask all machines, whatever they are called with."""


@contextmanager
def record_statements() -> Iterator[list[str]]:
    """Record what this thread asks of Postgres within the block."""
    asked: list[str] = []
    thread = threading.get_ident()
    ways = ((psycopg.Cursor, "execute"), (TimeoutConnection, "write"))
    usual = [getattr(kind, way) for kind, way in ways]

    def recording(way):
        def record(self, query, *values, **settings):
            if threading.get_ident() == thread:
                asked.append(query if isinstance(query, str) else query.as_string(self))
            return way(self, query, *values, **settings)

        return record

    for (kind, way), one in zip(ways, usual, strict=True):
        setattr(kind, way, recording(one))
    try:
        yield asked
    finally:
        for (kind, way), one in zip(ways, usual, strict=True):
            setattr(kind, way, one)


def list_asking_all(asked: list[str], tables: Distribution) -> list[str]:
    """Those of these statements that all machines of a cluster are asked, for they name no game."""
    return [
        text
        for text in dict.fromkeys(asked)
        if ASKS_ALL.search(text) or (LOOKS.search(text) and Reading(Statement("asked", text), tables).stray())
    ]


def read_migrations(first: str = FIRST_SPREAD) -> list[Statement]:
    """The statements of migrations from *first* on that read or change rows; those of functions aside."""
    found = []
    for path in sorted(MIGRATIONS.glob("*.sql")):
        if path.name >= first:
            found += split_script(f"{path.parent.name}/{path.name}", path.read_text(encoding="utf-8"))
    return found


def split_script(where: str, text: str) -> list[Statement]:
    """The statements of a script that read or change rows."""
    text = re.sub(r"--[^\n]*", "", text)
    text = re.sub(r"\$(\w*)\$.*?\$\1\$", "''", text, flags=re.DOTALL)
    parts = [part.strip() for part in text.split(";")]
    return [Statement(where, part) for part in parts if WHOLE.match(part) and not part.startswith("CREATE")]


def find_refusals(statement: Statement, tables: Distribution) -> set[str]:
    """What is refused of a statement, in words; empty where nothing is."""
    reading = Reading(statement, tables)
    tree = statement.parsed
    found = {"a row without columns, which is no truth"} if _is_row_without_columns(statement) else set()
    if reading.known and not reading.distributed:
        return found  # it stays on the coordinator
    if any(_list_functions_of_changes(tree, tables)):
        found.add("a function in DO UPDATE SET, RETURNING or CASE")
    if any(_is_correlated(function) for function in _list_row_functions(tree)):
        found.add("a function of rows in a correlated subquery")
    if any(_is_null_compared(node) for node in tree.find_all(exp.Is, exp.NullSafeEQ, exp.NullSafeNEQ)):
        found.add("NULL for a value that is compared")
    if any(_is_of_outer_cte(column, tree) for column in tree.find_all(exp.Column)):
        found.add("a correlated subquery on a CTE")
    return found


def _is_row_without_columns(statement: Statement) -> bool:
    return re.match(r"\s*SELECT\s+FROM\b", statement.text) is not None


def _list_functions_of_changes(tree: exp.Expression, tables: Distribution) -> Iterator[exp.Expression]:
    for change in tree.find_all(exp.Insert, exp.Update, exp.Delete):
        target = change.this.find(exp.Table)
        if target is None or tables.kind(name_of(target)) != "distributed":
            continue
        conflict = change.args.get("conflict")
        places = [
            *(conflict.expressions if conflict is not None else ()),
            *([change.args["returning"]] if change.args.get("returning") else ()),
            *(case for case in change.find_all(exp.Case) if level_of(case) is change),
        ]
        for place in places:
            for node in place.find_all(exp.Func):
                if not isinstance(node, STEADY):
                    yield node


def _list_row_functions(tree: exp.Expression) -> Iterator[exp.Expression]:
    """The functions that stand where a table would, in queries within others."""
    for select in tree.find_all(exp.Select):
        if select.find_ancestor(exp.Exists, exp.Subquery, exp.In, exp.Any) is None:
            continue
        joins = select.args.get("joins") or ()
        for source in (select.args.get("from_") or select.args.get("from"), *joins):
            if source is None:
                continue
            inner = source.this
            if isinstance(inner, exp.Unnest | exp.Lateral):
                yield inner
            elif isinstance(inner, exp.Table) and isinstance(inner.this, exp.Func):
                yield inner.this


def _is_correlated(function: exp.Expression) -> bool:
    select = function.find_ancestor(exp.Select)
    beside = {
        table.alias_or_name
        for table in select.find_all(exp.Table, exp.Subquery, exp.Unnest)
        if level_of(table) is select and not _is_within(table, function)
    }
    return any(column.table and column.table not in beside for column in function.find_all(exp.Column))


def _is_within(inner: exp.Expression, outer: exp.Expression) -> bool:
    node: exp.Expression | None = inner
    while node is not None:
        if node is outer:
            return True
        node = node.parent
    return False


def _is_null_compared(node: exp.Expression) -> bool:
    sides = [node.this, node.expression]
    if isinstance(node, exp.Is) and not isinstance(node.expression, exp.Null):
        return False
    return any(_is_given(side) for side in sides)


def _is_given(side: exp.Expression) -> bool:
    while isinstance(side, exp.Cast | exp.Paren):
        side = side.this
    return isinstance(side, exp.Placeholder | exp.Parameter)


def _is_of_outer_cte(column: exp.Column, tree: exp.Expression) -> bool:
    inner = {cte.alias for cte in tree.find_all(exp.CTE)}
    here = level = level_of(column)
    while level is not None and column.table:
        for table in level.find_all(exp.Table):
            if level_of(table) is level and table.alias_or_name == column.table:
                return (
                    level is not here and not table.db and table.name in inner and _asks_tables(here, inner)
                )
        level = level_of(level)
    return False


def _asks_tables(level: exp.Expression | None, inner: set[str]) -> bool:
    return isinstance(level, LEVELS) and any(table.name not in inner for table in level.find_all(exp.Table))
