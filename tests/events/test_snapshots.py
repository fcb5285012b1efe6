"""Snapshots are a cache: one that does not belong to the log is thrown away, told, and written again."""

from itertools import pairwise

import msgspec
import pytest
from psycopg_pool import ConnectionPool
from structlog.testing import capture_logs

from events.store.event_log import (
    RECENT_SNAPSHOTS,
    SNAPSHOT_EVERY,
    SPARSE_SNAPSHOTS,
    EventLog,
    encode_game,
    snapshot_retention,
)
from events.store.games import Games, rules_key
from tests.playing import advance

pytestmark = pytest.mark.integration


@pytest.fixture
def played(games, new_game, pool):
    """A game with a snapshot."""
    game = new_game()
    while game.seq < SNAPSHOT_EVERY + 10:
        game = advance(games, game, 10)
    assert Games(EventLog(pool)).load(game.id) == game  # folds all of it, and leaves a snapshot behind
    assert stored(pool, game) is not None
    return game


def stored(pool, game):
    with pool.connection() as connection:
        return connection.execute(
            "SELECT hash, state FROM es.snapshot WHERE game_id = %s AND seq = %s", (game.id, SNAPSHOT_EVERY)
        ).fetchone()


def replace(pool, game, digest, state):
    with pool.connection() as connection:
        connection.execute("DELETE FROM es.snapshot WHERE game_id = %s", [game.id])
        connection.execute(
            "INSERT INTO es.snapshot (game_id, rules, seq, hash, state) VALUES (%s,%s,%s,%s,%s)",
            (game.id, rules_key(game), SNAPSHOT_EVERY, digest, state),
        )


@pytest.mark.parametrize("fault", ["another hash", "no game", "another game", "cut off"])
def test_a_wrong_snapshot_is_ignored_told_and_written_again(games, played, pool, new_game, fault):
    """Its hash comes from the chain: stored under another, or holding another game, it is no part of it."""
    digest, state = stored(pool, played)
    wrong = {
        "another hash": (bytes(32), state),
        "no game": (digest, b"no game"),
        "another game": (digest, encode_game(new_game())),
        "cut off": (digest, state[: len(state) // 2]),
    }[fault]
    replace(pool, played, *wrong)
    with capture_logs() as told:
        assert Games(EventLog(pool)).load(played.id) == played
    (line,) = [one for one in told if one["event"] == "snapshot_refused"]
    assert line == {
        "event": "snapshot_refused",
        "game": played.id,
        "log_level": "warning",
        "rules": rules_key(played),
        "seq": SNAPSHOT_EVERY,
    }, "and nothing of the state"
    assert stored(pool, played) == (digest, state)
    with capture_logs() as told:
        assert Games(EventLog(pool)).load(played.id) == played
    assert told == []


def kept(pool, game):
    with pool.connection() as connection:
        rows = connection.execute(
            "SELECT seq FROM es.snapshot WHERE game_id = %s ORDER BY seq", (game.id,)
        ).fetchall()
    return [seq for (seq,) in rows]


def test_their_number_does_not_grow_with_the_game(pool, games, new_game):
    """Few are kept of a game of any length, the newest among them, and none is far from any event."""
    log, game = EventLog(pool), new_game()
    for number in range(1, 400):
        last = number * SNAPSHOT_EVERY
        log.save_snapshot(msgspec.structs.replace(game, seq=last), rules_key(game))
        found = kept(pool, game)
        assert len(found) <= SPARSE_SNAPSHOTS + RECENT_SNAPSHOTS
        assert found[-RECENT_SNAPSHOTS:] == [
            seq
            for seq in range(last - (RECENT_SNAPSHOTS - 1) * SNAPSHOT_EVERY, last + 1, SNAPSHOT_EVERY)
            if seq > 0
        ]
        assert max(after - before for before, after in pairwise([0, *found])) <= max(
            SNAPSHOT_EVERY, 2 * last // SPARSE_SNAPSHOTS
        )
    before = kept(pool, game)
    log.save_snapshot(msgspec.structs.replace(game, seq=SNAPSHOT_EVERY), rules_key(game))
    assert kept(pool, game) == before, "who looks at the past leaves nothing behind"
    assert snapshot_retention(last)[1] > SNAPSHOT_EVERY


def test_a_read_writes_nothing_where_it_may_not(database, played, pool):
    """On a replica games are read as anywhere, with a good snapshot, with a bad one, and with none."""
    with pool.connection() as connection:
        connection.execute("DELETE FROM es.snapshot WHERE game_id = %s", [played.id])
    replica = ConnectionPool(
        database,
        min_size=1,
        kwargs={"autocommit": True, "options": "-c default_transaction_read_only=on"},
        open=True,
    )
    with replica:
        assert Games(EventLog(replica)).load(played.id) == played
        assert stored(pool, played) is None
        assert Games(EventLog(pool)).load(played.id) == played
        _, state = stored(pool, played)
        assert Games(EventLog(replica)).load(played.id) == played
        replace(pool, played, bytes(32), state)
        assert Games(EventLog(replica)).load(played.id) == played
        assert stored(pool, played) == (bytes(32), state)
