"""The dispatcher finds open decisions in the log and starts jobs; what Redis loses is found again."""

from urllib.parse import urlsplit

import pytest
from redis import Redis
from rq import Queue, SimpleWorker

from events.fast_chance import FastChance
from events.games import SeatPlan
from tests.playing import advance
from workers import connect
from workers.dispatcher import PATIENCE_SECONDS, Dispatcher

pytestmark = pytest.mark.integration


@pytest.fixture
def redis(servers):
    """A Redis database of our own: the live service of other tests works on the first one."""
    client = Redis.from_url(urlsplit(servers.redis_url)._replace(path="/7").geturl())
    client.flushdb()
    yield client
    client.close()


@pytest.fixture
def dispatcher(games, redis, pool, monkeypatch):
    """A dispatcher whose jobs use the games of the test; games of other tests are out of sight."""
    monkeypatch.setattr(connect, "games", lambda: games)
    with pool.connection() as connection:
        connection.execute("UPDATE lobby SET status = 'forgotten' WHERE status = 'running'")
    return Dispatcher(games.log, redis)


def turn(dispatcher):
    dispatcher.catch_up()
    dispatcher.dispatch()


def work(redis, queue="ai"):
    worker = SimpleWorker(
        [Queue(queue, connection=redis, serializer="json")], connection=redis, serializer="json"
    )
    worker.work(burst=True, logging_level="ERROR")


def queued(redis, queue="ai"):
    return Queue(queue, connection=redis, serializer="json").job_ids


def test_bots_play_by_themselves(dispatcher, redis, games, new_game):
    """Dispatching and working in turn plays a table of bots to the end."""
    game = new_game(*[SeatPlan(bot="random")] * 3)
    for _ in range(60):
        turn(dispatcher)
        work(redis)
        if games.load(game.id).status == "finished":
            break
    assert games.load(game.id).status == "finished"


def test_a_task_is_queued_once(dispatcher, redis, new_game):
    """However often one looks, a task has one job."""
    game = new_game(SeatPlan(bot="random"), SeatPlan())
    for _ in range(3):
        turn(dispatcher)
    waiting = dispatcher.open_tasks()
    assert len(waiting) <= 1
    assert len(queued(redis)) == len(waiting)
    assert all(game.id in job_id and ":" not in job_id for job_id in queued(redis))


def bot_to_move(games, new_game):
    game = new_game(SeatPlan(bot="random"), SeatPlan())
    while not game.seats[game.title.awaited(game.state)[0].seat].bot:
        game = advance(games, game, 1)
    return game


def test_lost_jobs_are_found_again(dispatcher, redis, games, new_game):
    """With Redis emptied, the same tasks are queued again."""
    bot_to_move(games, new_game)
    turn(dispatcher)
    assert len(queued(redis)) == 1
    redis.flushdb()
    turn(dispatcher)
    assert len(queued(redis)) == 1


def test_job_that_does_not_answer_is_replaced(dispatcher, redis, games, new_game):
    """A job under way that does not answer gets another one beside it, without a wait for RQ to notice."""
    game = bot_to_move(games, new_game)
    turn(dispatcher)
    (task,) = dispatcher.open_tasks()
    dispatcher.queue(task, PATIENCE_SECONDS + 1)
    assert len(queued(redis)) == 2
    work(redis)
    assert games.load(game.id).seq > game.seq


def test_failed_job_is_started_again(dispatcher, redis, games, new_game, monkeypatch):
    """A job that failed does not block its task."""
    game = bot_to_move(games, new_game)
    turn(dispatcher)
    usual = games.load
    monkeypatch.setattr(games, "load", lambda *_: 1 / 0)
    work(redis)
    monkeypatch.setattr(games, "load", usual)
    assert games.load(game.id).seq == game.seq
    turn(dispatcher)
    work(redis)
    assert games.load(game.id).seq > game.seq


def test_game_that_goes_on_meanwhile_has_one_job_waiting(dispatcher, redis, games, new_game):
    """Each move of a player makes a new task while the bots still think; their one job does it too."""
    game = new_game(*[SeatPlan(bot="random")] * 2, *[SeatPlan()] * 4)
    moves = 0
    while moves < 4:
        turn(dispatcher)
        assert len(queued(redis)) <= 1
        seat = next((d.seat for d in game.title.awaited(game.state) if not game.seats[d.seat].bot), None)
        if seat is None:
            work(redis)
            game = games.load(game.id)
        else:
            game = games.command(game.id, seat, game.title.sample(game.state, seat, FastChance(moves))).game
            moves += 1
    turn(dispatcher)
    work(redis)
    assert not any(game.seats[d.seat].bot for d in game.title.awaited(games.load(game.id).state))
