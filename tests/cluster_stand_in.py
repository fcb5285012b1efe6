"""What the server asks of Citus, as plain tables and functions: there is no cluster here.

Two machines, `one` and `two`, hold seven shards of each table: two the first and five the second. A machine
with the name `dead` refuses, and one with the name `silent` does not answer.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg

from events.table.game import Game

SHARDS = 7
_SHARD = "1 + get_byte(uuid_send({id}), 15) % 7"
_MAKE = f"""
CREATE TABLE public.pg_dist_node (nodeid int, groupid int, nodename text, nodeport int, noderole text,
  isactive boolean, shouldhaveshards boolean);
CREATE TABLE public.pg_dist_placement (placementid bigint, shardid bigint, shardstate int, groupid int);
CREATE TABLE public.pg_dist_shard (logicalrelid regclass, shardid bigint);
CREATE TABLE public.pg_dist_node_metadata (metadata jsonb);
INSERT INTO public.pg_dist_node_metadata VALUES ('{{"server_id": "this"}}');
CREATE FUNCTION public.citus_check_connection_to_node(nodename text, nodeport int DEFAULT 5432)
  RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
    IF nodename = 'silent' THEN PERFORM pg_sleep(600); END IF;
    RETURN nodename <> 'dead';
  END $$;
CREATE FUNCTION public.get_shard_id_for_distribution_column(name regclass, id uuid)
  RETURNS bigint LANGUAGE sql AS $$ SELECT {_SHARD.format(id="id")} $$;
CREATE FUNCTION public.shard_name(name regclass, shardid bigint)
  RETURNS text LANGUAGE sql AS $$ SELECT format('%s_%s', name, shardid) $$;
CREATE FUNCTION public.master_run_on_worker(names text[], ports int[], commands text[], parallel boolean)
  RETURNS TABLE (node_name text, node_port int, success boolean, result text) LANGUAGE plpgsql AS $$
  DECLARE told text;
  BEGIN
    FOR n IN 1 .. cardinality(names) LOOP
      IF names[n] = 'silent' THEN PERFORM pg_sleep(600); END IF;
      IF names[n] = 'dead' THEN
        RETURN QUERY VALUES (names[n], ports[n], false, 'connection refused');
      ELSE
        EXECUTE commands[n] INTO told;
        RETURN QUERY VALUES (names[n], ports[n], true, coalesce(told, ''));
      END IF;
    END LOOP;
  END $$;
INSERT INTO public.pg_dist_node VALUES (1, 0, 'coordinator', 5432, 'primary', true, false),
  (2, 1, 'one', 5432, 'primary', true, true), (3, 2, 'two', 5433, 'primary', true, true),
  (4, 2, 'dead', 5434, 'secondary', true, true);
INSERT INTO public.pg_dist_shard SELECT 'es.event'::regclass, n FROM generate_series(1, 7) n;
INSERT INTO public.pg_dist_shard SELECT 'es.secret'::regclass, n FROM generate_series(8, 14) n;
INSERT INTO public.pg_dist_shard SELECT 'es.fresh'::regclass, n FROM generate_series(15, 21) n;
INSERT INTO public.pg_dist_placement SELECT n, n, 1, CASE WHEN n % 7 IN (1, 2) THEN 1 ELSE 2 END
  FROM generate_series(1, 21) n;
GRANT SELECT ON public.pg_dist_node, public.pg_dist_placement, public.pg_dist_shard TO PUBLIC;
GRANT SELECT ON public.pg_dist_node_metadata TO PUBLIC;
"""
_MAKE_SHARD = f"""
CREATE VIEW es.fresh_{{n}} AS SELECT * FROM es.fresh WHERE {_SHARD.format(id="game_id")} = {{n}} - 14;
GRANT SELECT ON es.fresh_{{n}} TO PUBLIC;
"""
_DROP = """
DROP TABLE public.pg_dist_node, public.pg_dist_placement, public.pg_dist_shard;
DROP TABLE public.pg_dist_node_metadata;
DROP FUNCTION public.citus_check_connection_to_node, public.get_shard_id_for_distribution_column,
  public.shard_name, public.master_run_on_worker;
"""
_PLACES = range(2 * SHARDS + 1, 3 * SHARDS + 1)
"""The numbers of the shards of the outbox."""


@contextmanager
def standing_in(owner: str) -> Iterator[psycopg.Connection[Any]]:
    """The owner's connection to a database that seems to be the coordinator of two machines."""
    with psycopg.connect(owner, autocommit=True) as connection:
        connection.execute(_MAKE)
        for n in _PLACES:
            connection.execute(_MAKE_SHARD.format(n=n))
        yield connection
        for n in _PLACES:
            connection.execute(f"DROP VIEW es.fresh_{n}")
        connection.execute(_DROP)


def rename(connection: psycopg.Connection[Any], machine: str, name: str) -> None:
    """Let a machine be `dead` or `silent`, or itself again."""
    connection.execute(
        "UPDATE pg_dist_node SET nodename = %s WHERE nodename = %s AND noderole = 'primary'", (name, machine)
    )


def move(connection: psycopg.Connection[Any], machine: str, host: str, port: int) -> None:
    """Let a machine have another address."""
    connection.execute(
        "UPDATE pg_dist_node SET nodename = %s, nodeport = %s WHERE nodename = %s AND noderole = 'primary'",
        (host, port, machine),
    )


def make_on_both(new_game: Callable[[], Game]) -> tuple[Game, Game]:
    """Make games until one lies on the machine `one` and one on `two`; return these."""
    games = iter(new_game, None)
    first = next(game for game in games if _is_on_first(game.id))
    return first, next(game for game in games if not _is_on_first(game.id))


def _is_on_first(game_id: str) -> bool:
    """Return True if a game lies on the machine `one`."""
    return int(game_id[-2:], 16) % SHARDS in (0, 1)
