"""All SQL of the project, as its modules hold it: found by reading them, understood by a parser.

A text is a string constant, or several put together; names that stand for constants are filled in. What is
only known while the program runs becomes a word, or nothing, so that the text can be parsed.
"""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from ops.database.distribution import Distribution

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("events", "projections", "service", "workers", "ops")
LOOKS = re.compile(
    r"\bSELECT\b.*\bFROM +[a-z{]|\b(INSERT INTO|DELETE FROM|JOIN) +[a-z{]|^ *UPDATE +[a-z{]", re.DOTALL
)
"""What a text must have to be looked at."""
NOT_KNOWN = " ON COMMIT DROP"
"""What the parser does not know, and nothing here depends on."""
HOLE = "composed"
WHOLE = re.compile(r"\s*(SELECT|WITH|INSERT|UPDATE|DELETE|CREATE)\b")
"""How what is no part of another statement begins. A part is about rows that stand outside it."""
FRAMES = (
    "{}",
    "{} (1)",  # VALUES of so many rows
    "{} NOTHING",
    "SELECT 1 WHERE {}",
    "SELECT {}",
    "SELECT 1 {}",
    "WITH one AS (SELECT 1){} SELECT 1",
    "{} SELECT 1",
)
"""What a part of a statement is completed to, so that it can be parsed."""
ELSEWHERE = frozenset({"kept", "bare", "citus_tables"})
"""Tables that a command made for itself, or that the extension has."""
LEVELS = (exp.Select, exp.Insert, exp.Update, exp.Delete)


@dataclass(frozen=True)
class Statement:
    """One text."""

    where: str
    """The file and the constant, function or method in it."""
    text: str

    @property
    def parsed(self) -> exp.Expression:
        """As a tree. Raises ValueError where it is none."""
        found = _parse(self.text)
        if found is None:
            raise ValueError(f"{self.where}: {self.text}")
        return found


@cache
def statements() -> tuple[Statement, ...]:
    """Every text with SQL."""
    files = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.py"))]
    aside = {"kept", "examples"}  # copies of old rules; programs of others, with databases of their own
    return tuple(found for path in files if not aside.intersection(path.parts) for found in _of_file(path))


def _of_file(path: Path) -> Iterator[Statement]:
    text = path.read_text(encoding="utf-8")
    if not LOOKS.search(text):
        return
    file = path.relative_to(ROOT)
    names = vars(importlib.import_module(".".join(file.with_suffix("").parts).removesuffix(".__init__")))
    for place, node in _strings(ast.parse(text), ""):
        told = _told(node, names)
        if told and LOOKS.search(told):
            yield Statement(f"{file} {place}", told)


def _strings(node: ast.AST, place: str) -> Iterator[tuple[str, ast.expr]]:
    """The outermost strings below *node*, no docstrings, each with the name that it belongs to."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant):
            continue
        if isinstance(child, ast.Constant | ast.JoinedStr | ast.BinOp):
            yield place, child
        else:
            yield from _strings(child, _place(child, place))


def _place(node: ast.AST, place: str) -> str:
    if isinstance(node, ast.ClassDef | ast.FunctionDef):
        return f"{place}.{node.name}" if place else node.name
    if isinstance(node, ast.Assign | ast.AnnAssign) and not place:
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
        return ast.unparse(target)
    return place


def _told(node: ast.expr, names: dict[str, object]) -> str | None:
    """The text of an expression, with `composed` where it is only known at run time; None: it is no text."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(_told(part, names) or HOLE for part in parts)
        case ast.FormattedValue(value=inner):
            return _told(inner, names)
        case ast.Name(id=name):
            value = names.get(name)
            return value if isinstance(value, str) else None
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            both = _told(left, names), _told(right, names)
            return None if both == (None, None) else "".join(part or HOLE for part in both)
    return None


@cache
def _parse(text: str) -> exp.Expression | None:
    bare = text.replace("{}", HOLE).replace(NOT_KNOWN, "")
    for body in (bare, re.sub(rf" *{HOLE}\)", " (1))", bare), bare.replace(HOLE, "")):
        for frame in FRAMES:
            try:
                found = sqlglot.parse_one(frame.format(body) if frame != "{}" else body, dialect="postgres")
            except SqlglotError:
                continue
            if not isinstance(found, exp.Command | exp.Column):
                return found
    return None


class Reading:
    """What a statement asks of which tables, by where those are."""

    def __init__(self, statement: Statement, tables: Distribution) -> None:
        tree = statement.parsed
        self._tables = tables
        self._is_part = WHOLE.match(statement.text) is None
        self._inner = {cte.alias: cte.this for cte in tree.find_all(exp.CTE)}
        self._tree = tree
        self.known = [table for table in tree.find_all(exp.Table) if self._is_ours(table)]

    def _is_ours(self, table: exp.Table) -> bool:
        if table.find_ancestor(exp.Lock):
            return False  # FOR UPDATE OF one that is named before
        return bool(table.name) and (bool(table.db) or table.name not in self._inner)

    def kind(self, table: exp.Table) -> str | None:
        """`distributed`, `local`, or None for what is no table of ours (a CTE, a function)."""
        return self._tables.kind(name_of(table)) if self._is_ours(table) else None

    @property
    def distributed(self) -> list[exp.Table]:
        """The tables that are spread by stream."""
        return [table for table in self.known if self.kind(table) == "distributed"]

    @property
    def unknown(self) -> set[str]:
        """Tables that are nowhere listed, those of Postgres itself aside."""
        return {
            name_of(table)
            for table in self.known
            if self.kind(table) is None
            and table.name not in {HOLE, *ELSEWHERE}
            and not table.name.startswith("pg_")
            and isinstance(table.this, exp.Identifier)
        }

    def mixed(self) -> set[tuple[str, str]]:
        """Pairs of a distributed and a local table that are joined at one level, or one level by another."""
        found = set()
        for here in self.known:
            for other in self._together(here):
                if (self.kind(here), self.kind(other)) == ("distributed", "local"):
                    found.add((name_of(here), name_of(other)))
                if (self.kind(other), self.kind(here)) == ("distributed", "local"):
                    found.add((name_of(other), name_of(here)))
        return found

    def _together(self, table: exp.Table) -> Iterator[exp.Table]:
        """The tables at its level, and those of outer levels that its level refers to."""
        level = level_of(table)
        if isinstance(level, exp.Insert):
            return  # what it takes from elsewhere is fetched first
        yield from (other for other in self.known if level_of(other) is level)
        for column in level.find_all(exp.Column) if level else ():
            if level_of(column) is level:
                owner, tables = self._resolve(column)
                yield from tables if owner is not level else ()

    def apart(self) -> set[tuple[str, str]]:
        """Pairs of distributed tables that are joined by something else than the stream."""
        given, found = self._tied(), set()
        for here in self.distributed:
            beside = [other for other in self._together(here) if self.kind(other) == "distributed"]
            free = [other for other in beside if other is not here and id(other) not in given]
            joined = self._tied({id(here)}) if free else set()
            found |= {(name_of(here), name_of(other)) for other in free if id(other) not in joined}
        return found

    def stray(self) -> list[str]:
        """The distributed tables of which the statement does not name the stream that it is about."""
        tied = self._tied()
        return sorted({name_of(table) for table in self.distributed if id(table) not in tied})

    def _tied(self, base: AbstractSet[int] | None = None) -> set[int]:
        """Tables that are joined on the stream with *base*; without it, with what is given."""
        tied = set(base or ())
        if base is None:
            tied |= {id(table) for table in self.distributed if isinstance(level_of(table), exp.Insert)}
        pairs: list[tuple[set[int], set[int]]] = []
        for equal in self._tree.find_all(exp.EQ):
            for left, right in _columns(equal):
                mine, theirs = self._streams(left), self._streams(right)
                if base is None:
                    tied |= mine if self._is_given(right) else set()
                    tied |= theirs if self._is_given(left) else set()
                if mine and theirs:
                    pairs.append((mine, theirs))
        streams = set(self._tables.distributed.values())
        for join in self._tree.find_all(exp.Join):
            if any(column.name in streams for column in join.args.get("using") or ()):
                level = level_of(join)
                same = {id(table) for table in self.distributed if level_of(table) is level}
                pairs.append((same, same))
        grown = True
        while grown:
            before = len(tied)
            for mine, theirs in pairs:
                if (mine | theirs) & tied:
                    tied |= mine | theirs
            grown = len(tied) > before
        return tied

    def _is_given(self, side: exp.Expression) -> bool:
        """Whether the caller says it: a parameter, a list of them, or what is put in before it runs."""
        while isinstance(side, exp.Cast | exp.Paren | exp.Any | exp.Anonymous):
            inner = side.expressions if isinstance(side, exp.Anonymous) else None
            side = inner[0] if inner else side.this
        if isinstance(side, exp.Column):
            return side.name == HOLE or (self._is_part and bool(side.table) and not self._resolve(side)[1])
        return isinstance(side, exp.Placeholder | exp.Parameter | exp.Literal)

    def _streams(self, side: exp.Expression) -> set[int]:
        """The distributed tables whose stream the column *side* is; empty: it is no such column."""
        column = side.this if isinstance(side, exp.Cast) else side
        if not isinstance(column, exp.Column):
            return set()
        return {
            id(table)
            for table in self._resolve(column)[1]
            if self.kind(table) == "distributed" and self._tables.distributed[name_of(table)] == column.name
        }

    def _resolve(self, column: exp.Column) -> tuple[exp.Expression | None, list[exp.Table]]:
        """The tables that a column may be of, and at which level: by the name before it, else the nearest."""
        level = level_of(column)
        while level is not None:
            here = [table for table in self.known if level_of(table) is level]
            named = [table for table in here if table.alias_or_name == column.table]
            if named:
                return level, named
            for derived in self._derived(level, column.table):
                return level, [table for table in self.known if _is_within(table, derived)]
            if not column.table and here:
                return level, here
            level = level_of(level)
        return None, []

    def _derived(self, level: exp.Expression, alias: str) -> Iterator[exp.Expression]:
        """The query at *level* that is called *alias*."""
        for query in level.find_all(exp.Subquery):
            if alias and query.alias == alias and level_of(query) is level:
                yield query.this
        for table in level.find_all(exp.Table):
            if (
                alias
                and table.alias_or_name == alias
                and table.name in self._inner
                and level_of(table) is level
            ):
                yield self._inner[table.name]


def name_of(table: exp.Table) -> str:
    return f"{table.db}.{table.name}" if table.db else table.name


def level_of(node: exp.Expression) -> exp.Expression | None:
    """The query that *node* stands in."""
    return node.find_ancestor(*LEVELS)


def _is_within(inner: exp.Expression, outer: exp.Expression) -> bool:
    node = inner.parent
    while node is not None and node is not outer:
        node = node.parent
    return node is not None


def _columns(equal: exp.EQ) -> Iterator[tuple[exp.Expression, exp.Expression]]:
    """The pairs that are compared: also those of (a, b) = (c, d)."""
    left, right = equal.left, equal.right
    if isinstance(left, exp.Tuple) and isinstance(right, exp.Tuple):
        yield from zip(left.expressions, right.expressions, strict=True)
    else:
        yield left, right
