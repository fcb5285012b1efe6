"""Snapshots are a cache: one that does not belong to the log is thrown away, told, and written anew."""

import pytest
from structlog.testing import capture_logs

from events.games import Games
from events.log import EventLog, encode_game
from events.replay import SNAPSHOT_EVERY, rules_of
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
            (game.id, rules_of(game), SNAPSHOT_EVERY, digest, state),
        )


@pytest.mark.parametrize("fault", ["another hash", "no game", "another game", "cut off"])
def test_a_wrong_snapshot_is_ignored_told_and_written_anew(games, played, pool, new_game, fault):
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
        "rules": rules_of(played),
        "seq": SNAPSHOT_EVERY,
    }, "and nothing of the state"
    assert stored(pool, played) == (digest, state)
    with capture_logs() as told:
        assert Games(EventLog(pool)).load(played.id) == played
    assert told == []
