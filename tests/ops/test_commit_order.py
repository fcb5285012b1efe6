"""Transactions that change tables of workers and of the coordinator alike, each with what a kill leaves.

Citus commits on a worker first, and then on the coordinator, unless it prepares both: which it does where two
machines change that it knows. A coordinator that is killed between the two leaves the worker's half alone.
So each such transaction stands in `commit_order.toml`. Without a cluster: the code is read.
"""

import ast
import importlib
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType

import pytest
from sqlglot import exp

from ops.database.distribution import Distribution
from tests.statements import FOLDERS, HOLE, ROOT, Statement, name_of, statements

TABLES = Distribution.load()
LISTED = {
    where: group["why"]
    for group in tomllib.loads(Path(__file__).with_name("commit_order.toml").read_text(encoding="utf-8"))[
        "transactions"
    ]
    for where in group["where"]
}
HANDED_ON = {"connection", "cursor"}
"""What a function is given that works within the transaction of another."""
ASIDE = {"kept", "examples", "benchmark"}
KNOWN = {*TABLES.distributed, *TABLES.local, *TABLES.managed}
SIGNS = (".execute(", "connection: Connection")
"""What a file has that asks the database, or hands a connection on."""
CHANGES = re.compile(r"INSERT INTO|UPDATE|DELETE FROM")
Function = ast.FunctionDef


def list_changed(statement: Statement) -> set[str]:
    """The tables whose rows a statement changes."""
    if not CHANGES.search(statement.text):
        return set()
    changes = statement.parsed.find_all(exp.Insert, exp.Update, exp.Delete)
    found = [
        change.this if isinstance(change.this, exp.Table) else change.this.find(exp.Table)
        for change in changes
    ]
    return {name_of(table) for table in found if table is not None}


@cache
def changed_by_place() -> dict[str, set[str]]:
    """The tables that are changed by the SQL of each constant, function or method."""
    found: dict[str, set[str]] = {}
    for one in statements():
        found.setdefault(one.where, set()).update(list_changed(one))
    return found


@cache
def functions() -> dict[str, Function]:
    """Every function and method, by its file and name."""
    files = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.py"))]
    found = {}
    for path in files:
        text = path.read_text(encoding="utf-8")
        if not ASIDE.intersection(path.parts) and any(sign in text for sign in SIGNS):
            for name, node in list_functions(ast.parse(text)):
                found[f"{path.relative_to(ROOT)} {name}"] = node
    return found


def list_functions(node: ast.AST, inside: str = "") -> Iterator[tuple[str, Function]]:
    """The functions below *node*, with their names."""
    for child in ast.iter_child_nodes(node):
        name = f"{inside}{child.name}" if isinstance(child, Function | ast.ClassDef) else ""
        if isinstance(child, Function):
            yield name, child
        yield from list_functions(child, f"{name}." if name else inside)


def module_of(file: str) -> ModuleType:
    return importlib.import_module(file.removesuffix(".py").removesuffix("/__init__").replace("/", "."))


def find_called(where: str, call: ast.Call) -> list[str]:
    """The functions of ours that a call within *where* may mean."""
    file, _, _ = where.partition(" ")
    known = vars(module_of(file))
    match call.func:
        case ast.Name(id=called):
            target = known.get(called)
        case ast.Attribute(value=ast.Name(id=owner), attr=called):
            target = getattr(known[owner], called, None) if isinstance(known.get(owner), ModuleType) else None
        case ast.Attribute(attr=called):
            target = None
        case _:
            return []
    if isinstance(target, FunctionType):
        target = getattr(target, "__wrapped__", target)
        return [f"{target.__module__.replace('.', '/')}.py {target.__qualname__}"]
    named = [one for one in functions() if one.endswith(f".{called}")]
    return [one for one in named if HANDED_ON & {given.arg for given in functions()[one].args.args}]


def find_changed(where: str, seen: frozenset[str] = frozenset()) -> set[str]:
    """The tables that a function changes, itself or by what it hands its connection on to."""
    file, node = where.partition(" ")[0], functions().get(where)
    if node is None or where in seen:
        return set()
    places = changed_by_place()
    found = set(places.get(where, ()))
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name):
            found |= places.get(f"{file} {inner.id}", set())
        if isinstance(inner, ast.Call) and is_handed_on(inner):
            told = {one.value for one in inner.args if isinstance(one, ast.Constant)}
            for called in find_called(where, inner):
                changed = find_changed(called, seen | {where})
                found |= changed - {HOLE} | (told & KNOWN if HOLE in changed else set())
    return found


def is_handed_on(call: ast.Call) -> bool:
    """Whether a call works within the transaction of its caller."""
    return any(isinstance(one, ast.Name) and one.id in HANDED_ON for one in call.args)


def has_transaction(node: Function) -> bool:
    return any(isinstance(one, ast.Attribute) and one.attr == "transaction" for one in ast.walk(node))


def sides(tables: set[str]) -> set[str | None]:
    """Where these tables are: on workers, or on the coordinator."""
    return {TABLES.kind(name) for name in tables} - {None}


def test_no_single_statement_changes_both():
    """It would be such a transaction by itself. Numbering is a function of the database."""
    places = changed_by_place()
    assert len(places) > 150, "the search for SQL has found little; does it still know how it is written?"
    both = [one.where for one in statements() if {"distributed", "local"} <= sides(list_changed(one))]
    assert both == []


@pytest.fixture(scope="module")
def spanning():
    """The functions with a transaction that changes tables of both."""
    found = {where: find_changed(where) for where, node in functions().items() if has_transaction(node)}
    assert len(found) > 30, "the search for transactions has found few; are they still written so?"
    return {where: tables for where, tables in found.items() if {"distributed", "local"} <= sides(tables)}


def test_each_transaction_over_workers_and_the_coordinator_is_listed(spanning):
    """With what is left after a kill between both commits; the list has nothing superfluous."""
    assert {where: sorted(tables) for where, tables in spanning.items() if where not in LISTED} == {}
    assert set(LISTED) - set(spanning) == set()


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("INSERT INTO history (game_id) VALUES (%s) ON CONFLICT DO NOTHING", {"history"}),
        (
            "WITH gone AS (DELETE FROM es.fresh RETURNING game_id) INSERT INTO es.log SELECT 1 FROM gone",
            {"es.fresh", "es.log"},
        ),
        ("UPDATE lobby SET held = true WHERE game_id IN (SELECT game_id FROM history)", {"lobby"}),
        ("SELECT 1 FROM lobby FOR UPDATE", set()),
    ],
)
def test_what_a_statement_changes_is_told_from_what_it_reads(text, changed):
    """What the checks above rest on."""
    assert list_changed(Statement("here", text)) == changed


def test_calls_that_work_in_the_same_transaction_are_followed():
    """By their names, their modules, and within methods."""
    assert "invitation_use" in find_changed("service/stores/clubs.py Clubs.join")
    assert "invitation" in find_changed("service/application/account_deletion.py _delete_rows")
    assert "shown_once" in find_changed("service/stores/invitations.py Invitations._make")
