"""What statements cost where much has happened: they are noted as they run, then planned and run again."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from psycopg import Connection, Cursor, sql
from psycopg._queries import PostgresQuery
from psycopg.adapt import Transformer

from events.store.connection import TimeoutConnection

LARGE = 8_000
"""A table with as many rows is not to be read as a whole."""
MOST_ROWS = 3_000
"""A statement that runs for a command, a delivery or a page touches no more rows than these."""
CALLS = 7
"""From its sixth call on a connection may take a plan that knows no values; those before are alike."""
_PLANNED = ("SELECT", "WITH", "INSERT", "UPDATE", "DELETE")

Statements = dict[str, Any]
"""By its text the values of a statement when it ran first."""


@contextmanager
def noted() -> Iterator[Statements]:
    """Within it whatever statement is run by anybody in this process is noted."""
    found: Statements = {}
    kept = Cursor.execute, Cursor.executemany
    kept_write = TimeoutConnection.write

    @functools.wraps(kept[0])
    def execute(self: Any, query: Any, params: Any = None, **more: Any) -> Any:
        _note(found, query, params)
        return kept[0](self, query, params, **more)

    @functools.wraps(kept[1])
    def executemany(self: Any, query: Any, params_seq: Any, **more: Any) -> Any:
        several = list(params_seq)
        for params in several[:1]:
            _note(found, query, params)
        return kept[1](self, query, several, **more)

    @functools.wraps(kept_write)
    def write(self: Any, statement: str, values: Any) -> None:
        _note(found, statement, values)
        kept_write(self, statement, values)

    Cursor.execute, Cursor.executemany = execute, executemany  # type: ignore[assignment, method-assign]
    TimeoutConnection.write = write  # type: ignore[method-assign]
    try:
        yield found
    finally:
        Cursor.execute, Cursor.executemany = kept  # type: ignore[method-assign]
        TimeoutConnection.write = kept_write  # type: ignore[method-assign]


def _note(found: Statements, query: Any, params: Any) -> None:
    text = query.as_string() if isinstance(query, sql.Composable) else query
    text = text.decode() if isinstance(text, bytes) else text
    if text.lstrip().upper().startswith(_PLANNED):
        found.setdefault(text, params)


class Cost:
    """What a statement costs: the worst of several calls, as its plan tells it."""

    def __init__(self, plans: list[dict[str, Any]]) -> None:
        self.plans = plans

    @property
    def rows(self) -> int:
        """Rows of tables that were looked at, whether they were wanted or not."""
        return max(sum(_looked_at(node) for node in _nodes(plan)) for plan in self.plans)

    def whole(self, large: frozenset[str]) -> list[str]:
        """Large tables that were read from end to end."""
        return sorted(
            {
                f"{node['Node Type']} of {node['Relation Name']}"
                for plan in self.plans
                for node in _nodes(plan)
                if node["Node Type"] == "Seq Scan"
                and node["Relation Name"] in large
                and node.get("Actual Loops", 1)
            }
        )

    def sorted_rows(self) -> int:
        """The most rows that were put in order at once."""
        sorts = [
            below.get("Actual Rows", 0)
            for plan in self.plans
            for node in _nodes(plan)
            if node["Node Type"] == "Sort"
            for below in node["Plans"]
        ]
        return max(sorts, default=0)


def _nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for below in plan.get("Plans", ()):
        yield from _nodes(below)


def _looked_at(node: dict[str, Any]) -> int:
    if "Relation Name" not in node or node["Node Type"] == "ModifyTable":
        return 0
    removed = sum(value for name, value in node.items() if name.startswith("Rows Removed by"))
    return int((node.get("Actual Rows", 0) + removed) * node.get("Actual Loops", 1))


def cost(connection: Connection[Any], statement: str, values: Any) -> Cost:
    """Let *statement* be planned and run as a connection does that has prepared it; nothing of it stays."""
    query = PostgresQuery(Transformer(connection))
    query.convert(statement, values)
    given = _in_order(query, values)
    types = ", ".join(_type(connection, oid) for oid in query.types)
    literals = sql.SQL(", ").join(map(sql.Literal, given))
    plans = []
    connection.execute("DEALLOCATE ALL")
    head = b"PREPARE noted" + (b" (%s)" % types.encode() if types else b"")
    connection.execute(head + b" AS " + query.query, prepare=False)
    arguments = sql.SQL("({})").format(literals) if given else sql.SQL("")
    for call in range(CALLS):
        if 0 < call < CALLS - 1:
            connection.execute(sql.SQL("EXPLAIN EXECUTE noted{}").format(arguments), prepare=False)
            continue
        try:
            with connection.transaction(force_rollback=True):
                plans.append(_explained(connection, "ANALYZE, FORMAT JSON", arguments))
        except (
            psycopg.IntegrityError
        ):  # it is done already: what it is planned like is to be had all the same
            plans.append(_explained(connection, "FORMAT JSON", arguments))
    return Cost(plans)


def _explained(connection: Connection[Any], how: str, arguments: sql.Composable) -> dict[str, Any]:
    call = sql.SQL("EXPLAIN ({}) EXECUTE noted{}").format(sql.SQL(how), arguments)
    (found,) = connection.execute(call, prepare=False).fetchone()
    plan: dict[str, Any] = found[0]["Plan"]
    return plan


def _in_order(query: PostgresQuery, values: Any) -> list[Any]:
    if values is None:
        return []
    return [values[name] for name in query._order] if isinstance(values, dict) else list(values)


def _type(connection: Connection[Any], oid: int) -> str:
    if not oid:
        return "unknown"
    (name,) = connection.execute("SELECT format_type(%s::oid, NULL)", (oid,)).fetchone()
    return str(name)


def large_tables(connection: Connection[Any]) -> frozenset[str]:
    """The names of tables that are not to be read as a whole."""
    rows = connection.execute(
        "SELECT relname FROM pg_class WHERE relkind = 'r' AND reltuples >= %s", (LARGE,)
    )
    return frozenset(name for (name,) in rows)


def faults(connection: Connection[Any], statements: Statements, excused: frozenset[str]) -> list[str]:
    """Of *statements* those that cost more the more has happened, each with what is wrong.

    *excused* are words of those that may.
    """
    large, found = large_tables(connection), []
    for text, values in statements.items():
        if any(words in text for words in excused):
            continue
        try:
            spent = cost(connection, text, values)
        except psycopg.Error as error:
            raise AssertionError(f"{text}\n{values}") from error
        wrong = spent.whole(large)
        if spent.rows > MOST_ROWS:
            wrong.append(f"{spent.rows:,} rows looked at")
        if spent.sorted_rows() > MOST_ROWS:
            wrong.append(f"{spent.sorted_rows():,} rows sorted")
        if wrong:
            found.append(f"{', '.join(wrong)}: {text}\n    {values}")
    return found
