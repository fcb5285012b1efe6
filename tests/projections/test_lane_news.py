"""A runner that looks only where it knows of news misses nothing, whatever happens beside it."""

from dataclasses import replace

import pytest

from events.base.timestamps import add_milliseconds
from events.clocks.clock import DAY, LiveClock
from events.store.event_log import EventLog
from events.store.games import Games, SeatPlan
from events.table.commands.rulings import TablePause
from events.table.terms import Terms
from projections import lane_news, runner
from projections.base.lanes import lane_of
from projections.lane_news import LaneNews
from projections.read_models import lobby, turns
from projections.read_models.catalogue import PROJECTIONS, READ_MODELS
from projections.runner import Runner, read_position
from tests.cluster_sql import record_statements
from tests.playing import advance

pytestmark = pytest.mark.integration


class ClockStub:
    """A clock that stands still until it is moved."""

    seconds = 1000.0

    def __call__(self):
        return self.seconds


@pytest.fixture
def clock():
    return ClockStub()


@pytest.fixture
def follower(games, clock):
    """A runner that has looked at all lanes, and does so again only when the clock is moved."""
    made = Runner(games.log)
    games.log.sequence()
    while made.step():
        pass
    made._news = LaneNews(made._news._names, clock)
    assert made.step() == 0
    return made


def told(pool, game):
    """The newest event of a game that the lobby knows; 0 without one."""
    with pool.connection() as connection:
        rows = lobby.read_rows(connection, game.id)
    return rows[0][lobby.COLUMNS.index("seq")] if rows else 0


def get_positions(pool, lane, *names):
    """The checkpoints of these projections in a lane."""
    with pool.connection() as connection:
        return [read_position(connection, name, lane) for name in names]


def test_what_is_numbered_is_told_of_by_a_look_at_its_lane_alone(
    games, new_game, pool, follower, monkeypatch
):
    """Nobody looks at all lanes meanwhile, and where nothing is new no lane is looked at."""
    monkeypatch.setattr(lane_news, "BEHIND", "SELECT 1/0")
    game = new_game()
    assert follower.step() == 0, "it has no position yet"
    for _ in range(3):
        game = advance(games, game, 1)
        games.log.sequence()
        assert follower.step() > 0
        assert told(pool, game) == game.seq
        monkeypatch.setattr(lane_news, "BEHIND_NEWS", "SELECT 1/0")
        assert follower.step() == 0
        monkeypatch.undo()
        monkeypatch.setattr(lane_news, "BEHIND", "SELECT 1/0")


def test_news_that_comes_while_a_lane_is_looked_at_is_told_of(games, new_game, pool, follower, monkeypatch):
    """It could be lost as seen before and not told of: what is numbered at any moment of a step."""
    game = new_game()
    games.log.sequence()

    def numbering(plain):
        def call(*words):
            nonlocal game
            game = advance(games, game, 1)
            games.log.sequence()
            found = plain(*words)
            game = advance(games, game, 1)
            games.log.sequence()
            return found

        return call

    for name in ("look", "hold", "settle"):
        with monkeypatch.context() as patch:
            patch.setattr(follower._news, name, numbering(getattr(follower._news, name)))
            follower.step()
        while follower.step():
            pass
        assert told(pool, game) == game.seq, name


def test_a_lane_that_another_holds_is_not_forgotten(games, new_game, pool, follower):
    """The other may die over it: its transaction ends, and nothing is told of."""
    game = new_game()
    games.log.sequence()
    with pool.connection() as connection, connection.transaction(force_rollback=True):
        held = connection.execute(
            "SELECT FROM es.projection WHERE lane = %s FOR UPDATE", (lane_of(game.id),)
        ).rowcount
        assert held
        assert follower.step() == 0
        assert follower.step() == 0
        assert told(pool, game) == 0
    assert follower.step() == game.seq
    assert told(pool, game) == game.seq


def test_no_notice_comes_before_the_turns(games, new_game, pool, follower):
    """Another runner holds the turns of the lane, and nothing else; what waits for it is told afterwards."""
    game = new_game()
    games.log.sequence()
    lane = lane_of(game.id)
    before = get_positions(pool, lane, "turn", "notice")
    with pool.connection() as connection, connection.transaction(force_rollback=True):
        connection.execute("SELECT FROM es.projection WHERE lane = %s AND name = 'turn' FOR UPDATE", (lane,))
        assert follower.step()
        assert told(pool, game) == game.seq, "others wait for nobody"
        assert get_positions(pool, lane, "turn", "notice") == before
    while follower.step():
        pass
    turn, notice, all_else = get_positions(pool, lane, "turn", "notice", "lobby")
    assert turn == notice == all_else > max(before)


def test_a_lane_that_another_has_told_of_is_forgotten(games, new_game, pool, follower):
    """It costs no look from then on."""
    new_game()
    games.log.sequence()
    other = Runner(EventLog(pool))
    while other.step():
        pass
    assert follower.step() == 0
    assert follower._news._dirty == {}


def test_what_another_left_is_found_by_the_look_at_all_lanes(games, new_game, pool, follower, clock):
    """A checkpoint before what was seen long ago: a lane of which no news comes any more."""
    game = new_game()
    games.log.sequence()
    assert follower.step() == game.seq
    with pool.connection() as connection:
        connection.execute("UPDATE es.projection SET position = 0 WHERE lane = %s", (lane_of(game.id),))
        lobby.clear(connection, game.id)
    assert follower.step() == 0
    clock.seconds += lane_news.SWEEP_SECONDS
    while follower.step():
        pass
    assert told(pool, game) == game.seq


def test_a_database_that_was_set_back_is_followed(games, new_game, pool, follower, clock):
    """Its positions come again: those that were seen are of another log."""
    game = new_game()
    games.log.sequence()
    follower._news._seen = 2**40
    follower._news._dirty = {lane_of(game.id): 2**40}
    clock.seconds += lane_news.SWEEP_SECONDS
    follower.step()
    assert told(pool, game) == game.seq
    game = advance(games, game, 1)
    games.log.sequence()
    assert follower.step() > 0
    assert told(pool, game) == game.seq
    assert follower._news._dirty == {}


def test_an_error_leaves_nothing_behind(games, new_game, pool, follower, monkeypatch):
    """A step that fails is made again whole: its lane is still known to have news."""
    game = new_game()
    games.log.sequence()
    with monkeypatch.context() as patch:
        patch.setattr(follower, "_project_streams", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            follower.step()
    assert follower.step() == game.seq
    assert told(pool, game) == game.seq


def test_a_runner_far_behind_comes_to_the_end(games, new_game, pool, follower, monkeypatch):
    """More lanes than it holds at once, and more in one lane than it tells of at once."""
    monkeypatch.setattr(runner, "BATCH", 50)
    monkeypatch.setattr(runner, "CHECKPOINTS_AT_ONCE", 6)
    made = [advance(games, new_game(), 50 if n == 0 else 5) for n in range(9)]
    games.log.sequence()
    while follower.step():
        assert follower.more or all(told(pool, game) == game.seq for game in made)
    assert [told(pool, game) for game in made] == [game.seq for game in made]
    for game in made:
        rows = Runner(games.log).project_whole(READ_MODELS, game.id, games.records(game.id))
        with pool.connection() as connection:
            for name, model in READ_MODELS.items():
                assert model.read_rows(connection, game.id) == rows[name], name


def test_rows_of_turns_are_the_same_whichever_events_are_told_of_together(games, new_game, pool):
    """A row is written where it changed alone: what a runner does not know it could leave out, or spoil.

    Each command is told of by a runner that knows nothing of those before, and at last all by one.
    """
    game = new_game(terms=Terms(clock=LiveClock(base_ms=DAY)))
    for turn in range(25):
        game = advance(games, game, 1, seed=turn)
        games.log.sequence()
        made = Runner(EventLog(pool))
        while made.step():
            pass
    games.table_command(game.id, "d0", TablePause(add_milliseconds(game.at, DAY), "schedule"))
    catch_up = Runner(EventLog(pool))
    games.log.sequence()
    while catch_up.step():
        pass
    rows = Runner(games.log).project_whole(READ_MODELS, game.id, games.records(game.id))["turn"]
    with pool.connection() as connection:
        assert turns.read_rows(connection, game.id) == rows
    assert {row[-1] for row in rows} == {True}
    assert len(rows) == len(game.persons)


def test_a_move_that_changes_no_turn_writes_no_row_of_turns(games, new_game, pool, monkeypatch):
    """Nor one of a seat whose turn stays."""
    game = advance(games, new_game(), 3)
    catch_up = Runner(games.log)
    games.log.sequence()
    while catch_up.step():
        pass
    written = []
    monkeypatch.setitem(
        PROJECTIONS, "turn", replace(PROJECTIONS["turn"], write=lambda _, rows: written.extend(rows))
    )
    before = turns.make_first_turns(game)
    for _ in range(10):
        after = advance(games, game, 1)
        games.log.sequence()
        while catch_up.step():
            pass
        now = turns.make_first_turns(after)
        changed = {seat for seat in range(len(game.seats)) if before.get(seat) != now.get(seat)}
        assert {row[1] for row in written} == changed
        game, before = after, now
        written.clear()


def test_a_hint_says_whether_a_bot_or_the_server_is_awaited(games, new_game, pool):
    """As the lobby tells it, by which they are found: else the gathering could make a bot wait."""
    told = []
    teller = Games(games.log, appended=lambda _game, seq, awaits: told.append((seq, awaits)))
    game = new_game(SeatPlan(bot="random"), SeatPlan())
    for _ in range(30):
        game = advance(teller, game, 1)
        assert told[-1] == (game.seq, lobby.is_waiting(lobby.make_row(game)))
    assert {awaits for _, awaits in told} == {True, False}


def test_lanes_of_one_step_are_told_of_together_and_each_to_its_own_end(games, new_game, pool, monkeypatch):
    """Some projections are behind others in the same lane, and one lane has nothing: none of it is mixed up.

    What could be lost: a batch of one lane counted for another, or a checkpoint moved past what was told.
    """
    monkeypatch.setattr(runner, "BATCH", 20)
    made = [advance(games, new_game(), 3 + 6 * n) for n in range(4)]
    games.log.sequence()
    follower = Runner(games.log)
    while follower.step():
        pass
    with pool.connection() as connection:
        for game in made[:2]:
            lane = lane_of(game.id)
            for name in ("history", "lobby"):
                READ_MODELS[name].clear(connection, game.id)
                connection.execute(
                    "UPDATE es.projection SET position = 0 WHERE lane = %s AND name = %s", (lane, name)
                )
    made = [advance(games, game, 4) for game in made]
    games.log.sequence()
    follower = Runner(games.log)
    while follower.step() or follower.more:
        pass
    for game in made:
        rows = Runner(games.log).project_whole(READ_MODELS, game.id, games.records(game.id))
        with pool.connection() as connection:
            positions = connection.execute(
                "SELECT DISTINCT p.position = (SELECT max(position) FROM es.log l WHERE l.lane = p.lane)"
                " FROM es.projection p WHERE p.lane = %s",
                (lane_of(game.id),),
            ).fetchall()
            assert positions == [(True,)]
            for name, model in READ_MODELS.items():
                assert model.read_rows(connection, game.id) == rows[name], name


def test_a_look_at_all_lanes_that_finds_nothing_asks_twice(follower, clock):
    """For the newest position, and for any lane behind: in no transaction, without a lock."""
    clock.seconds += lane_news.SWEEP_SECONDS
    with record_statements() as asked:
        assert follower.step() == 0
    assert asked == [lane_news.NEWEST, lane_news.ANY_BEHIND]
    with record_statements() as asked:
        assert follower.step() == 0
    assert asked == [lane_news.NEWS]
