"""Rows within a command go without their hash, and nobody who reads them notices."""

from itertools import pairwise, product
from urllib.parse import quote

import psycopg
import pytest
from structlog.testing import capture_logs

from events.proof import canonical
from events.store.connection import TimeoutPool
from events.store.event_log import SNAPSHOT_EVERY, EventLog, is_complete
from events.store.games import Games, new_id, rules_key
from tests.batches import append
from tests.playing import advance

pytestmark = pytest.mark.integration


def list_stored(pool, game_id):
    """Return the numbers of the events whose rows have a hash."""
    with pool.connection() as connection:
        rows = connection.execute(
            "SELECT seq FROM es.event WHERE game_id = %s AND hash IS NOT NULL ORDER BY seq", (game_id,)
        ).fetchall()
    return [seq for (seq,) in rows]


def test_rows_within_a_command_go_without_their_hash(pool):
    """Whatever is read, from wherever: the hashes are those of the chain."""
    log, game_id = EventLog(pool), new_id()
    ends = [append(log, game_id, count) for count in (3, 1, 150, 60)]
    assert list_stored(pool, game_id) == [3, 4, 154, SNAPSHOT_EVERY, 214]
    whole, head = log.read(game_id), canonical.genesis(game_id)
    assert [record.seq for record in whole] == list(range(1, 215))
    for record in whole:
        head = canonical.link(head, record.body)
        assert record.hash == head
    assert ends == [(n, whole[n - 1].hash) for n in (3, 4, 154, 214)]
    for after, limit in product((1, 2, 3, 4, 5, 80, 153, 154, 199, 200, 212, 214, 300), (1, 3, None)):
        expected = whole[after : None if limit is None else after + limit]
        assert EventLog(pool).read(game_id, after, limit) == expected, (after, limit)


def test_rows_have_their_hash_where_an_earlier_version_may_read_them(pool, owner):
    """It could not read the others. Games that have rows of both kinds are read like any."""
    game_id, other = new_id(), new_id()
    append(EventLog(pool), game_id, 3)
    with psycopg.connect(owner, autocommit=True) as connection:
        connection.execute(
            "INSERT INTO es.service (claim_key) VALUES (%s) ON CONFLICT DO NOTHING", (bytes(32),)
        )
        connection.execute("UPDATE es.service SET omits_hashes = false")
        earlier = EventLog(pool)
        append(earlier, game_id, 3)
        append(earlier, other, 2)
        connection.execute("UPDATE es.service SET omits_hashes = true")
    append(EventLog(pool), game_id, 3)
    assert list_stored(pool, game_id) == [3, 4, 5, 6, 9]
    assert list_stored(pool, other) == [1, 2]
    whole = earlier.read(game_id)
    assert [canonical.link(a.hash, b.body) for a, b in pairwise(whole)] == [one.hash for one in whole[1:]]
    assert [EventLog(pool).read(game_id, n, 1) for n in range(9)] == [[record] for record in whole]


def test_a_snapshot_within_a_command_is_used(games, new_game, pool, owner):
    """Its hash is compared with the one that follows from the events before."""
    game = new_game()
    while game.seq < 30:
        game = advance(games, game, 5)
    within = next(n for n in range(20, game.seq) if n not in list_stored(pool, game.id))
    past, log = games.load(game.id, within), EventLog(pool)
    log.save_snapshot(past, rules_key(past))
    with capture_logs() as told:
        assert log.newest_snapshot(game.id, rules_key(past), within) == past
        assert Games(log).load(game.id) == game
        with psycopg.connect(owner) as connection:
            connection.execute("UPDATE es.snapshot SET hash = %s WHERE game_id = %s", (bytes(32), game.id))
        assert log.newest_snapshot(game.id, rules_key(past), within) is None
    assert [line["event"] for line in told] == ["snapshot_refused"]


PLANS = ("indexscan", "bitmapscan", "seqscan")


def test_hidden_parts_come_in_one_order_whatever_the_plan(games, new_game, database, owner):
    """A bundle holds them as they are read, and the same game is to give the same file."""
    game = new_game()
    while len(max((one.parts for one in games.records(game.id)), key=len)) < 2:
        game = advance(games, game, 1)
    with psycopg.connect(owner) as connection:  # the first one of each event is moved behind the others
        connection.execute("ALTER TABLE es.secret DISABLE TRIGGER USER")
        connection.execute(
            "UPDATE es.secret s SET salt = salt WHERE game_id = %s AND audience ="
            " (SELECT min(o.audience) FROM es.secret o WHERE (o.game_id, o.seq) = (s.game_id, s.seq))",
            (game.id,),
        )
        connection.execute("ALTER TABLE es.secret ENABLE TRIGGER USER")
    found = []
    for plan in PLANS:
        others = "".join(f" -c enable_{one}=off" for one in PLANS if one != plan)
        with TimeoutPool(f"{database}?options={quote(others)}", "test", max_size=1) as pool:
            found.append([list(one.parts) for one in EventLog(pool).read(game.id)])
    assert max(map(len, found[0])) > 1
    assert found == [[sorted(parts) for parts in found[0]]] * len(PLANS)


class ArchivedMeanwhile(EventLog):
    """A log of which all events of a game but two go into a bundle between two looks."""

    looks = 0

    def _select_events(self, connection, game_id, first, limit):
        rows = super()._select_events(connection, game_id, first, None)
        self.looks += 1
        return rows[:limit] if self.looks == 1 else [row for row in rows if row[0] in (1, 90)][:limit]


def test_rows_that_are_archived_between_two_looks_are_not_taken_for_whole(pool):
    """Events would follow on a wrong hash: the rows before them are there no more when they are read."""
    game_id = new_id()
    append(EventLog(pool), game_id, 90)
    log = ArchivedMeanwhile(pool)
    found = log._read_rows(game_id, 80, 5)
    assert log.looks > 1
    assert not is_complete(found, 80)
