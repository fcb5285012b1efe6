"""Games may be spread over several machines: the statements of the whole project keep to what that allows.

Without such a cluster at hand: `ops/database/distribution.toml` says where the tables would be, and all SQL
is read.
"""

import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from ops.base.errors import OpsError
from ops.cli import rutter as command
from ops.database.distribution import SHARDS, Distribution, distribute
from tests.statements import Reading, Statement, statements

TABLES = Distribution.load()
ALL_SHARDS = {
    where: group["why"]
    for group in tomllib.loads(Path(__file__).with_name("all_shards.toml").read_text(encoding="utf-8"))[
        "statements"
    ]
    for where in group["where"]
}


def reading(text):
    return Reading(Statement("here", text), TABLES)


@pytest.fixture(scope="module")
def readings():
    found = [(one.where, Reading(one, TABLES)) for one in statements()]
    assert len(found) > 300, "the search for SQL has found little; does it still know how it is written?"
    return found


@pytest.mark.parametrize(
    ("text", "stray"),
    [
        ("SELECT body FROM es.event WHERE game_id = %s AND seq > %s", []),
        ("SELECT body FROM es.event WHERE seq > %s", ["es.event"]),
        ("SELECT 1 FROM es.event e JOIN es.secret s ON s.game_id = e.game_id WHERE e.game_id = %s", []),
        ("SELECT 1 FROM es.event e JOIN es.secret s ON s.seq = e.seq WHERE e.game_id = %s", ["es.secret"]),
        ("SELECT 1 FROM es.event JOIN es.secret USING (game_id) WHERE event.game_id = %(game)s::uuid", []),
        (
            "SELECT 1 FROM invitation i JOIN es.event e ON e.game_id = i.subject WHERE i.subject = ANY (%s)",
            [],
        ),
        ("DELETE FROM lobby WHERE game_id = %s", []),
        ("DELETE FROM lobby WHERE game_id = seq", ["lobby"]),
        ("UPDATE lobby SET held = true WHERE seq = %s", ["lobby"]),
        ("INSERT INTO history (game_id, seq) VALUES (%s, %s)", []),
        ("INSERT INTO history (game_id, seq) SELECT game_id, seq FROM es.event", ["es.event"]),
        ("WITH one AS (SELECT game_id FROM lobby) SELECT 1 FROM one WHERE game_id = %s", ["lobby"]),
        ("EXISTS (SELECT FROM turn t WHERE t.game_id = l.game_id)", []),
        ("EXISTS (SELECT FROM turn t WHERE t.seq = l.seq)", ["turn"]),
        ("SELECT position FROM es.log WHERE position > %s", []),
    ],
)
def test_a_statement_that_keeps_to_one_game_is_told_from_others(text, stray):
    """What the checks below rest on."""
    assert reading(text).stray() == stray


@pytest.mark.parametrize(
    ("text", "mixed"),
    [
        ("SELECT 1 FROM es.log l JOIN es.event e ON e.game_id = l.game_id", {("es.event", "es.log")}),
        ("SELECT 1 FROM (SELECT game_id FROM es.log) l JOIN es.event e ON e.game_id = l.game_id", set()),
        ("SELECT 1 FROM lobby l WHERE EXISTS (SELECT FROM club c WHERE c.id = l.owner)", {("lobby", "club")}),
        ("SELECT 1 FROM club c WHERE EXISTS (SELECT FROM lobby l WHERE c.id = l.owner)", {("lobby", "club")}),
        ("SELECT 1 FROM lobby l WHERE l.owner IN (SELECT id FROM account WHERE name = %s)", set()),
        ("SELECT 1 FROM lobby l WHERE EXISTS (SELECT FROM es.frozen f WHERE f.game_id = l.game_id)", set()),
        (
            "SELECT 1 FROM es.frozen f WHERE EXISTS (SELECT FROM lobby l WHERE f.game_id = l.game_id)",
            {("lobby", "es.frozen")},
        ),
    ],
)
def test_a_join_over_machines_is_told_from_others(text, mixed):
    """Also one that is hidden in a condition of an inner query."""
    assert reading(text).mixed() == mixed


def test_tables_that_are_joined_by_something_else_than_the_game():
    """Their rows may be on different machines."""
    assert reading("SELECT 1 FROM turn t JOIN lobby l ON l.seq = t.seq").apart()
    assert reading("SELECT 1 FROM turn t JOIN lobby l ON l.game_id = t.game_id").apart() == set()


def test_every_table_that_is_asked_has_a_place(readings):
    """So that none escapes the checks below."""
    assert {where: found.unknown for where, found in readings if found.unknown} == {}


def test_every_statement_names_its_game(readings):
    """Or stands in the list of those that may ask every machine, which has nothing superfluous."""
    stray = {where: found.stray() for where, found in readings if found.stray()}
    assert {where: tables for where, tables in stray.items() if where not in ALL_SHARDS} == {}
    assert set(ALL_SHARDS) - set(stray) == set()


def test_no_statement_joins_over_machines(readings):
    """What is on several machines is joined with nothing that is on one, and by the game alone."""
    assert {where: found.mixed() for where, found in readings if found.mixed()} == {}
    assert {where: found.apart() for where, found in readings if found.apart()} == {}


def test_the_statements_that_spread_the_games():
    """All tables lie by the log, whose number of parts is the one that was asked for; copies come last."""
    told = CliRunner().invoke(command, ["distribute", "--dry-run", "--shards", "64"])
    assert told.exit_code == 0, told.output
    unsafe, first, *rest = told.output.splitlines()
    assert unsafe == "SET citus.enable_unsafe_triggers = on;"
    assert first == (
        "SELECT create_distributed_table('es.event', 'game_id', shard_count => 64, colocate_with => 'none');"
    )
    assert rest == [
        *(
            f"SELECT create_distributed_table('{name}', '{column}', colocate_with => 'es.event');"
            for name, column in TABLES.distributed.items()
            if name != "es.event"
        ),
        "SELECT create_reference_table('es.frozen');",
    ]


def test_what_is_done_is_not_done_again():
    """After an interruption the rest, after a migration the new tables, at last nothing."""
    everything = TABLES.plan(SHARDS)
    half = frozenset(list(TABLES.distributed)[:9])
    assert TABLES.plan(SHARDS, half) == [everything[0], *everything[10:]]
    assert TABLES.plan(SHARDS, frozenset(TABLES.distributed)) == everything[-1:]
    assert TABLES.plan(SHARDS, frozenset([*TABLES.distributed, *TABLES.copied])) == []


@pytest.mark.integration
def test_without_the_extension_it_says_so(owner):
    """And does nothing."""
    told = []
    with pytest.raises(OpsError, match=r"has no Citus.*shared_preload_libraries"):
        distribute(owner, SHARDS, told.append)
    assert told == []
