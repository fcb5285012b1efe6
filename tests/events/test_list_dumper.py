"""Lists that statements are given: Postgres reads what psycopg itself would have written."""

from __future__ import annotations

import psycopg
import pytest
from psycopg import DataError
from psycopg.adapt import PyFormat, Transformer
from psycopg.types.array import ListDumper

from events.store import connection as connections
from events.store.list_dumper import PlainListDumper

TEXTS = ["a", "", "NULL", "null", 'say "no"', "a\\b\\", "{1,2}", " é € '%s' ", "two\nlines\t", "🂡", ","]
LISTS = [TEXTS, ["alone"], [""], [1, -2, 2**40, 2**70, 0], [7], [], [None, "a"], [1, None]]


def make_literal(kind: type[ListDumper], items: list) -> tuple[int, bytes]:
    dumper = kind(list, Transformer(psycopg.adapters)).upgrade(items, PyFormat.TEXT)
    return dumper.oid, bytes(dumper.dump(items))


@pytest.mark.parametrize("items", LISTS, ids=repr)
def test_a_list_has_the_type_that_psycopg_gives_it(items):
    assert make_literal(PlainListDumper, items)[0] == make_literal(ListDumper, items)[0]


@pytest.mark.integration
@pytest.mark.parametrize("items", LISTS, ids=repr)
def test_postgres_reads_the_items_of_a_list(database, items):
    kind = "numeric" if any(type(one) is int for one in items) else "text"
    with connections.connect(database) as connection:
        assert isinstance(Transformer(connection).get_dumper(items, PyFormat.AUTO), PlainListDumper)
        for literal in (make_literal(PlainListDumper, items), make_literal(ListDumper, items)):
            query = f"SELECT array_agg(v::text ORDER BY n) FROM unnest(%s::{kind}[]) WITH ORDINALITY t (v, n)"
            given = connection.execute(query, (items,)).fetchone()[0]
            assert given == connection.execute(query, (literal[1].decode(),)).fetchone()[0]
    assert (given or []) == [one if one is None else str(one) for one in items]


@pytest.mark.parametrize("items", [["a\0b"], ["a", "b\0"], ["\0"], ["", "\0", ""]], ids=repr)
def test_a_text_that_postgres_does_not_take_is_refused(items):
    with pytest.raises(DataError):
        make_literal(PlainListDumper, items)
