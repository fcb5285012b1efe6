"""Games may be spread over several machines: the statements of the whole project keep to what that allows.

Without such a cluster: `ops/database/distribution.toml` says where the tables would be, and all SQL
is read.
"""

import tomllib
from pathlib import Path

import psycopg
import pytest
from click.testing import CliRunner
from psycopg.errors import ConnectionFailure, InsufficientPrivilege, ProtocolViolation, QueryCanceled
from psycopg_pool import PoolTimeout

from events.store.connection import NodeAway, is_machine_away
from ops.base.errors import OpsError
from ops.cli import rutter as command
from ops.database.distribution import (
    SETTINGS,
    SHARDS,
    Distribution,
    choose_shards,
    distribute,
    find_settings,
    is_spread,
)
from ops.database.migrate import explain_unknown_roles
from service.base import database
from tests.cluster_sql import find_refusals, read_migrations
from tests.statements import Reading, Statement, statements

TABLES = Distribution.load()
ALL_SHARDS = {
    where: group["why"]
    for group in tomllib.loads(Path(__file__).with_name("all_shards.toml").read_text(encoding="utf-8"))[
        "statements"
    ]
    for where in group["where"]
}


EXAMPLES = Distribution(
    {"es.event": "game_id", "es.secret": "game_id", "es.failed": "game_id", "history": "game_id"}
    | {"lobby": "game_id", "turn": "game_id", "note": "game_id", "invitation": "subject"},
    ("es.log", "es.frozen", "account", "club", "handle"),
)
"""Places of tables for the examples of statements."""


def reading(text):
    return Reading(Statement("here", text), EXAMPLES)


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


CHANGE = "a function in DO UPDATE SET, RETURNING or CASE"
CORRELATED = "a function of rows in a correlated subquery"
NULL = "NULL for a value that is compared"
OUTER = "a correlated subquery on a CTE"
PAGE = "WITH page AS (SELECT game_id FROM note) SELECT 1 FROM page p"
TRUTH = "a row without columns, which is no truth"


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("INSERT INTO note (game_id) VALUES (%s) ON CONFLICT (game_id) DO UPDATE SET at = now()", {CHANGE}),
        (
            "INSERT INTO note (game_id) VALUES (%s) ON CONFLICT (game_id) DO UPDATE SET at = EXCLUDED.at",
            set(),
        ),
        ("INSERT INTO handle (handle) VALUES (%s) ON CONFLICT (handle) DO UPDATE SET since = now()", set()),
        ("UPDATE es.failed SET seq = %s WHERE game_id = %s RETURNING again_at > now()", {CHANGE}),
        ("UPDATE lobby SET due = CASE WHEN held THEN now() END WHERE game_id = %s", {CHANGE}),
        ("UPDATE lobby SET due = CASE WHEN held THEN coalesce(due, since) END WHERE game_id = %s", set()),
        ("SELECT 1 FROM lobby l WHERE EXISTS (SELECT FROM json_array_elements(l.seats) s)", {CORRELATED}),
        ("EXISTS (SELECT FROM json_array_elements(lobby.seats) s WHERE s->>'claim' = %s)", {CORRELATED}),
        ("SELECT asked FROM lobby, unnest(thinking) AS asked WHERE lobby.game_id = %s", set()),
        ("SELECT 1 FROM lobby WHERE game_id = ANY (SELECT unnest(%s::uuid[]))", set()),
        ("UPDATE es.failed SET seq = 1 WHERE %s::uuid IS NULL OR game_id = %s", {NULL}),
        ("lobby.owner IS NOT DISTINCT FROM %(who)s", {NULL}),
        ("SELECT 1 FROM lobby WHERE game_id = %s AND due IS NULL", set()),
        (f"{PAGE} WHERE NOT EXISTS (SELECT FROM es.event e WHERE e.game_id = p.game_id)", {OUTER}),
        (f"{PAGE} WHERE EXISTS (SELECT FROM page)", set()),
        ("SELECT FROM pg_extension WHERE extname = 'citus'", {TRUTH}),
    ],
)
def test_what_a_cluster_refuses_is_told_from_what_it_does(text, refused):
    """Each was met on several machines, where the statement had never run."""
    assert find_refusals(Statement("here", text), EXAMPLES) == refused


def test_no_statement_is_one_that_a_cluster_refuses():
    """Nor one of a migration that may meet a database whose tables are spread."""
    found = [(one.where, find_refusals(one, TABLES)) for one in [*statements(), *read_migrations()]]
    assert [(where, refused) for where, refused in found if refused] == []


def test_an_early_migration_would_be_refused():
    """It runs before any table is spread: from it the reader is known to read migrations."""
    early = [one for one in read_migrations("0006") if one.where.endswith("0006_tasks.sql")]
    assert [CORRELATED in refused for one in early if (refused := find_refusals(one, EXAMPLES))] == [True]


def test_the_statements_that_spread_the_games():
    """All tables lie by the log, whose number of parts is the one that was asked for."""
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
        "SELECT citus_add_local_table_to_metadata('es.handover');",
        *(
            f"DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET {name} = ''{value}''', current_database());"
            " END $$;"
            for name, value in SETTINGS.items()
        ),
    ]


def test_what_is_done_is_not_done_again():
    """After an interruption the rest, after a migration the new tables, at last nothing."""
    everything = TABLES.plan(SHARDS)
    half, settings = frozenset(list(TABLES.distributed)[:5]), len(SETTINGS)
    assert TABLES.plan(SHARDS, half) == [everything[0], *everything[6:]]
    assert TABLES.plan(SHARDS, frozenset(TABLES.distributed)) == everything[-1 - settings :]
    done = frozenset([*TABLES.distributed, *TABLES.managed])
    assert TABLES.plan(SHARDS, done) == everything[-settings:]
    assert TABLES.plan(SHARDS, done | SETTINGS.keys()) == []


def test_what_each_machine_had_a_copy_of_comes_back():
    """Former versions made copies, which are dear: each statement that joins one is planned again."""
    done = frozenset([*TABLES.distributed, *TABLES.managed, *SETTINGS, "es.frozen"])
    assert TABLES.plan(SHARDS, done, ["es.frozen"]) == ["SELECT undistribute_table('es.frozen')"]
    assert not any("create_reference_table" in statement for statement in TABLES.plan(SHARDS))


@pytest.mark.integration
def test_the_owner_may_set_limits_of_the_network(owner):
    """They hold for sessions that begin later, so that none waits for hours for a machine that is cut off."""
    limits = [name for name in SETTINGS if name.startswith("tcp_")]
    assert {"tcp_keepalives_idle", "tcp_user_timeout"} <= {*limits}
    with psycopg.connect(owner) as connection:
        before = find_settings(connection)
        for statement in TABLES.plan(SHARDS, frozenset(TABLES.distributed))[-len(limits) :]:
            connection.execute(statement.encode())
        assert find_settings(connection) - before == {*limits}
        connection.rollback()


@pytest.mark.parametrize(
    ("there", "wanted", "parts"), [(None, None, SHARDS), (None, 8, 8), (8, None, 8), (8, 8, 8)]
)
def test_the_number_of_parts_is_that_of_the_first_call(there, wanted, parts):
    """Another one is refused: nothing would be done, and nobody would know."""
    assert choose_shards(there, wanted) == parts
    with pytest.raises(OpsError, match=r"into 8 parts already.*into 16 now"):
        choose_shards(8, 16)


ASKED_OVER_ALL_GAMES = ("lobby", "turn", "tournament", "es.failed", "es.parked", "game_end", "seat_claim")


@pytest.mark.parametrize("table", ASKED_OVER_ALL_GAMES)
def test_what_is_asked_over_all_games_is_on_one_machine(table):
    """Else one machine that is away would keep bots, timers and lists of all games waiting."""
    assert TABLES.kind(table) == "local"


def test_a_machine_that_is_away_is_told_from_a_database_that_is():
    away = [ConnectionFailure("connection to the remote node failed"), NodeAway("marked as essential")]
    assert all(map(is_machine_away, away))
    others = [psycopg.OperationalError("gone"), QueryCanceled("slow"), PoolTimeout("none"), OSError("reset")]
    assert not any(map(is_machine_away, others))
    assert not is_machine_away(ProtocolViolation("no more connections allowed")), "so a pooler says it"


@pytest.mark.parametrize(
    ("error", "times"), [(ConnectionFailure("remote"), 2), (psycopg.OperationalError("gone"), 5)]
)
def test_a_machine_that_is_away_is_asked_once_more_and_a_database_for_longer(monkeypatch, error, times):
    """Each attempt holds a thread, which the games of other machines need."""
    monkeypatch.setattr(database, "RETRY_PAUSES", (0.0,) * 4)
    asked = []

    @database.retry_on_disconnect
    def ask():
        asked.append(1)
        raise error

    with pytest.raises(type(error)):
        ask()
    assert len(asked) == times


@pytest.mark.parametrize(("column", "spread"), [("game_id", True), ("<none>", False), (None, False)])
def test_a_divided_table_is_told_from_others_of_the_cluster(column, spread):
    assert is_spread(column) == spread


def test_roles_that_a_cluster_does_not_know_are_explained():
    """By what a superuser runs once; any other refusal is not about roles."""
    with (
        pytest.raises(OpsError, match=r'OWNER TO "rutter";.*create_reference_table'),
        explain_unknown_roles("rutter"),
    ):
        raise InsufficientPrivilege("permission denied to alter role")
    with pytest.raises(InsufficientPrivilege), explain_unknown_roles("rutter"):
        raise InsufficientPrivilege("permission denied for table lobby")


@pytest.mark.integration
def test_without_the_extension_it_says_so(owner):
    """And does nothing."""
    told = []
    with pytest.raises(OpsError, match=r"has no Citus.*shared_preload_libraries"):
        distribute(owner, SHARDS, told.append)
    assert told == []
