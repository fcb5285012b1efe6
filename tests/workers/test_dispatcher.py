"""The dispatcher finds in the lobby what waits, and gives the workers a few tasks at a time."""

import uuid
from collections import Counter
from contextlib import suppress
from itertools import pairwise
from unittest.mock import Mock
from urllib.parse import urlsplit

import psycopg
import pytest
from psycopg_pool import ConnectionPool
from redis import Redis
from redis.exceptions import RedisError
from rq import Queue, SimpleWorker

from events.rules.fast_chance import FastChance
from events.store.event_log import SEQUENCE_BATCH, EventLog, Pool
from events.store.games import Games, SeatPlan
from ops.database.distribution import Distribution
from projections.base.build_id import get_build_id
from projections.health import failed_tasks, process_registry
from projections.messages.hints import HeardHints
from projections.read_models import lobby, work_queue
from tests.cluster_sql import list_asking_all, record_statements
from tests.losing_proxy import LosingProxy, Loss
from tests.playing import advance, with_other_data
from tests.service.proxy import StatementProxy, before_postgres
from workers import connections, jobs
from workers.dispatcher import GATHER_SECONDS, Dispatcher
from workers.job_queues import AI, BOTS, JOB_QUEUES, JobDispatcher
from workers.periodic_tasks import PeriodicTask

pytestmark = pytest.mark.integration

MOST = 12
"""Tasks in Redis for each worker, at the most."""


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
    monkeypatch.setattr(connections, "get_games", lambda: games)
    made = Dispatcher(games.log, redis)
    made.catch_up()  # nothing that an earlier test left comes back into sight
    with pool.connection() as connection:
        connection.execute("UPDATE lobby SET status = 'forgotten' WHERE status = 'running'")
        connection.execute("DELETE FROM es.failed")
        connection.execute("DELETE FROM es.alive")
    return made


def turn(dispatcher):
    dispatcher.catch_up()
    dispatcher.dispatch()


def work(redis, *queues, jobs=None):
    """Do what lies in the queues now (or that many jobs of it), as a worker does: people first."""
    names = queues or (AI, BOTS)
    worker = SimpleWorker(
        [Queue(name, connection=redis, serializer="json") for name in names],
        connection=redis,
        serializer="json",
    )
    worker.work(burst=True, logging_level="CRITICAL", max_jobs=jobs)


def queued(redis, *queues):
    names = queues or (AI, BOTS)
    return [job for name in names for job in Queue(name, connection=redis, serializer="json").job_ids]


def in_redis(redis):
    """How many tasks there are in Redis, waiting or under way."""
    return len(list(redis.scan_iter("rq:job:*")))


def test_bots_play_by_themselves(dispatcher, redis, games, new_game):
    """Dispatching and working in turn plays a table of bots to the end."""
    game = new_game(*[SeatPlan(bot="random")] * 3)
    for _ in range(200):
        turn(dispatcher)
        work(redis)
        if games.load(game.id).status == "finished":
            break
    assert games.load(game.id).status == "finished"


def test_a_task_is_queued_once(dispatcher, redis, games, new_game):
    """However often one looks, a task has one job."""
    game = bot_to_move(games, new_game)
    for _ in range(3):
        turn(dispatcher)
    assert queued(redis) == [f"ai-{game.id}"]


def bot_to_move(games, new_game, **more):
    game = new_game(SeatPlan(bot="random"), SeatPlan(), **more)
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


def test_another_dispatcher_follows_what_the_first_gave_out(dispatcher, redis, games, new_game):
    """Neither beside the first nor after it does a second one queue anything twice."""
    game = bot_to_move(games, new_game)
    turn(dispatcher)
    second = Dispatcher(games.log, redis)
    turn(second)
    assert len(queued(redis)) == 1
    assert [task.game_id for task in second.feed.list_dispatched()] == [game.id]
    work(redis)
    assert games.load(game.id).seq > game.seq


def test_a_job_whose_worker_died_is_given_out_again(dispatcher, redis, games, new_game, pool):
    """A job whose worker no longer says that it is alive; while it does, the job is left to it."""
    game = bot_to_move(games, new_game)
    turn(dispatcher)
    (job_id,) = queued(redis)
    redis.lpop("rq:queue:ai")
    redis.hset(f"rq:job:{job_id}", mapping={"status": "started", "worker_name": "somebody"})
    process_registry.report_alive(pool, "somebody", "ai")
    turn(dispatcher)
    assert queued(redis) == []
    process_registry.report_end(pool, "somebody")
    dispatcher.feed._asked = 0.0
    turn(dispatcher)
    assert queued(redis) == [job_id]
    work(redis)
    assert games.load(game.id).seq > game.seq


def test_a_job_that_its_worker_has_left_is_given_out_again(
    dispatcher, redis, games, new_game, pool, monkeypatch
):
    """A Redis that was killed comes back without what it was told last: then a job counts as begun that has
    long been done, by a worker that lives and is at nothing, or at another. What it says itself counts, after
    a while in which it may be older than the job.
    """
    bot_to_move(games, new_game)
    turn(dispatcher)
    for told in ("", "another"):
        (job_id,) = queued(redis)
        begun_by(redis, job_id, "somebody")
        monkeypatch.setattr("workers.job_queues.LEFT_SECONDS", 7.0)
        process_registry.report_alive(pool, "somebody", "ai", told)
        look_again(dispatcher)
        assert queued(redis) == []
        monkeypatch.setattr("workers.job_queues.LEFT_SECONDS", -1.0)
        for at_it in (job_id, None):  # None: a worker of an earlier program, which does not say
            process_registry.report_alive(pool, "somebody", "ai", at_it)
            look_again(dispatcher)
            assert queued(redis) == []
        process_registry.report_alive(pool, "somebody", "ai", told)
        look_again(dispatcher)
        assert queued(redis) == [job_id]
    assert attempts(pool) == []


def look_again(dispatcher):
    """A turn that asks who lives."""
    dispatcher.feed._asked = 0.0
    turn(dispatcher)


def begun_by(redis, job_id, worker):
    """The job was taken from its queue and begun."""
    redis.lpop("rq:queue:ai")
    redis.hset(f"rq:job:{job_id}", mapping={"status": "started", "worker_name": worker})


def test_a_job_whose_worker_left_it_is_no_fault_of_its_game(dispatcher, redis, games, new_game, pool):
    """A worker that loses Redis in the middle of a job says that it goes: its game is asked for at once,
    however often that happens. One that dies over its job says nothing: that counts.
    """
    bot_to_move(games, new_game)
    turn(dispatcher)
    for _ in range(len(failed_tasks.PAUSES) + 2):
        (job_id,) = queued(redis)
        begun_by(redis, job_id, "somebody")
        process_registry.report_alive(pool, "somebody", "ai")
        process_registry.report_end(pool, "somebody")
        dispatcher.feed._asked = 0.0
        turn(dispatcher)
        assert queued(redis) == [job_id]
    assert attempts(pool) == []
    begun_by(redis, job_id, "somebody else")
    process_registry.report_alive(pool, "somebody else", "ai")
    with pool.connection() as connection:
        connection.execute("UPDATE es.alive SET beat_at = beat_at - interval '1 minute'")
    dispatcher.feed._asked = 0.0
    turn(dispatcher)
    assert attempts(pool) == [(1, "The worker died over it.")]


def test_a_job_that_redis_failed_is_never_set_aside(dispatcher, redis, games, new_game, pool):
    """What goes wrong around a job, where its own errors are caught, is no fault of the game: it is tried
    again for ever, after a pause.
    """
    bot_to_move(games, new_game)
    for _ in range(len(failed_tasks.PAUSES) + 3):
        with pool.connection() as connection:  # the pause is over
            connection.execute("UPDATE es.failed SET again_at = now() WHERE again_at < 'infinity'")
        failed_tasks.release(pool)
        turn(dispatcher)
        (job_id,) = queued(redis)
        redis.lpop("rq:queue:ai")
        redis.hset(f"rq:job:{job_id}", "status", "failed")
        turn(dispatcher)
    assert queued(redis) == [], "it waits"
    assert attempts(pool) == [(len(failed_tasks.PAUSES) + 3, "The job failed.")]
    assert failures(pool) == []


def attempts(pool):
    """How often tasks have failed, and why."""
    with pool.connection() as connection:
        return connection.execute("SELECT attempts, error FROM es.failed ORDER BY game_id").fetchall()


def test_a_job_lost_between_queue_and_worker_is_given_out_again(
    dispatcher, redis, games, new_game, monkeypatch
):
    """Taken from its queue, and begun by nobody: that is no fault of the game, however often it happens."""
    bot_to_move(games, new_game)
    turn(dispatcher)
    for _ in range(len(failed_tasks.PAUSES) + 2):
        monkeypatch.setattr("workers.job_queues.LIMBO_SECONDS", 3.0)
        redis.lpop("rq:queue:ai")
        turn(dispatcher)
        assert queued(redis) == []
        monkeypatch.setattr("workers.job_queues.LIMBO_SECONDS", -1.0)
        turn(dispatcher)
        assert len(queued(redis)) == 1
    assert failures(games.log.pool) == []


@pytest.mark.parametrize("known", [True, False], ids=["the same dispatcher", "the next dispatcher"])
def test_remains_of_a_job_stop_nobody(dispatcher, redis, pool, games, new_game, known):
    """A worker that begins late writes into a job that was given up: neither that game waits nor another."""
    bot_to_move(games, new_game)
    turn(dispatcher)
    (job_id,) = queued(redis)
    redis.flushdb()
    redis.hset(f"rq:job:{job_id}", mapping={"status": "started", "worker_name": "late"})
    if not known:
        dispatcher.feed = JobDispatcher(pool, redis)
    other = bot_to_move(games, new_game)
    for _ in range(3):
        turn(dispatcher)
    assert sorted(queued(redis)) == sorted([job_id, f"{AI}-{other.id}"])


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
    assert failures(games.log.pool) == []


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


def test_a_database_that_is_away_is_no_fault_of_a_game(
    dispatcher, redis, pool, database, new_game, monkeypatch
):
    """Its task comes back when the database does, as often as it takes: nothing is set aside, nor held."""
    parts = urlsplit(database)
    proxy = LosingProxy(lambda: (parts.hostname, parts.port))
    url = parts._replace(
        netloc=f"{parts.netloc.rpartition('@')[0]}@127.0.0.1:{proxy.port}", query="sslmode=disable"
    )
    far: Pool = ConnectionPool(url.geturl(), min_size=1, kwargs={"autocommit": True}, open=True, timeout=0.5)
    with far:
        far.wait()
        monkeypatch.setattr(connections, "get_games", lambda: Games(EventLog(far)))
        game = new_game(*[SeatPlan(bot="random")] * 2)
        turn(dispatcher)
        with proxy.lose_share(1.0, Loss.CUT):
            work(redis, jobs=1)
        turn(dispatcher)
        with pool.connection() as connection:
            assert connection.execute("SELECT count(*) FROM es.failed").fetchone() == (0,)
        assert queued(redis) == [f"bots-{game.id}"], "it was given out again at once"
    proxy.close()


class TestFlood:
    """More games than the workers can serve wait where they are, and each gets its turn."""

    @pytest.fixture
    def owned(self, pool, new_game):
        """Makes games that an account owns, as the API does: its claim names event 1's command."""

        def make(owner, *plans):
            game_id, claim = str(uuid.uuid7() if hasattr(uuid, "uuid7") else uuid.uuid4()), str(uuid.uuid4())
            with pool.connection() as connection:
                connection.execute(
                    "INSERT INTO seat_claim (game_id, claim, seat, account_id) VALUES (%s, %s, -1, %s)",
                    (game_id, claim, owner),
                )
            return new_game(*plans, game_id=game_id, command_id=claim)

        return make

    @pytest.fixture
    def served(self, games, monkeypatch):
        """The games of which bots have moved, move by move."""
        moves = []
        usual = jobs.make_bot_move

        def noted(games, game, decision):
            usual(games, game, decision)
            moves.append(game.id)

        monkeypatch.setattr(jobs, "make_bot_move", noted)
        return moves

    @pytest.mark.slow
    def test_an_ordinary_player_beside_150_bot_games(self, dispatcher, redis, games, owned, served):
        """150 games of bots, and a person who plays with one bot: that bot is the next to move, each time,
        and Redis never holds more than a few tasks.
        """
        crowd, person = str(uuid.uuid4()), str(uuid.uuid4())
        for _ in range(150):
            owned(crowd, *[SeatPlan(bot="random")] * 2)
        game = owned(person, SeatPlan(bot="random"), SeatPlan())
        before_person = []
        while len(before_person) < 5:
            now = games.load(game.id)
            human = next((d.seat for d in now.title.awaited(now.state) if not now.seats[d.seat].bot), None)
            if human is not None:
                move = now.title.sample(now.state, human, FastChance(len(served)))
                games.command(game.id, human, move)
                continue
            turn(dispatcher)
            assert in_redis(redis) <= MOST
            so_far = len(served)
            work(redis, jobs=1)
            before_person.append(served[so_far:].index(game.id))
            work(redis, jobs=3)
        assert before_person == [0] * 5, "moves of the others before the person's bot's"
        assert len(served) > 5 * jobs.SLICE, "the others went on meanwhile"

    def test_bots_stop_for_a_person_after_the_move_under_way(
        self, dispatcher, redis, games, owned, served, monkeypatch
    ):
        """A task of bots among themselves gives way as soon as somebody waits."""
        owned(str(uuid.uuid4()), *[SeatPlan(bot="random")] * 2)
        turn(dispatcher)
        one_move = jobs.make_bot_move

        def somebody_comes(games, game, decision):
            one_move(games, game, decision)
            redis.rpush("rq:queue:ai", "a task of somebody who waits")

        monkeypatch.setattr(jobs, "make_bot_move", somebody_comes)
        work(redis, BOTS)
        assert len(served) == 1

    @pytest.mark.slow
    def test_every_owner_has_a_turn(self, dispatcher, redis, owned, served):
        """One owner's hundred games delay another's one by a turn, not by a hundred."""
        crowd, other = str(uuid.uuid4()), str(uuid.uuid4())
        for _ in range(100):
            owned(crowd, *[SeatPlan(bot="random")] * 3)
        game = owned(other, *[SeatPlan(bot="random")] * 3)
        for _ in range(30):
            turn(dispatcher)
            assert in_redis(redis) <= MOST
            work(redis, jobs=1)
        runs = [i for i, moved in enumerate(served) if moved == game.id]
        gaps = [later - earlier - 1 for earlier, later in pairwise(runs)]
        assert len(runs) >= 5 * jobs.SLICE
        assert runs[0] <= 2 * jobs.SLICE
        assert max(gaps) <= 2 * jobs.SLICE, "moves of the crowd between two of the person's"

    def test_an_owner_s_games_are_served_by_age(self, dispatcher, redis, owned, served):
        """The one that has waited longest comes next; so all of them go on."""
        crowd = str(uuid.uuid4())
        mine = [owned(crowd, *[SeatPlan(bot="random")] * 3).id for _ in range(8)]
        for _ in range(16):
            turn(dispatcher)
            work(redis, jobs=1)
        order = [game for i, game in enumerate(served) if i == 0 or served[i - 1] != game]
        assert order == mine * 2

    def test_each_worker_has_its_share(self, dispatcher, redis, owned, pool):
        """More workers, more tasks in Redis; never more than a few each, and nothing is queued again."""
        for _ in range(40):
            owned(str(uuid.uuid4()), *[SeatPlan(bot="random")] * 2)
            owned(str(uuid.uuid4()), SeatPlan(bot="random"), SeatPlan(bot="random"))
        for _ in range(5):
            dispatcher.catch_up()  # before they say that they live: it takes long on a busy machine
            for number in range(3):
                process_registry.report_alive(pool, f"worker {number}", "ai")
            dispatcher.feed._asked = 0.0
            dispatcher.dispatch()
            share = sum(line.per_worker for line in JOB_QUEUES if line.queue == BOTS)
            assert len(queued(redis)) == 3 * share
            assert in_redis(redis) <= 3 * MOST

    def test_the_limits_of_all_lines_together_are_small(self):
        """What one worker of each duty may find in Redis."""
        for duty in process_registry.WORKERS:
            assert sum(line.per_worker for line in JOB_QUEUES if line.duty == duty) <= MOST

    def test_the_owner_is_known_after_a_rebuild(self, dispatcher, owned, pool):
        """The account stands in no event: the row is made again with the claim that the log names."""
        owner = str(uuid.uuid4())
        game = owned(owner, *[SeatPlan(bot="random")] * 2)
        dispatcher.catch_up()
        with pool.connection() as connection:
            rows = lobby.read_rows(connection, game.id)
            lobby.clear(connection, game.id)
            lobby.write(connection, rows)
            found = connection.execute("SELECT owner::text FROM lobby WHERE game_id = %s", (game.id,))
            assert found.fetchone() == (owner,)


def failures(pool):
    return [(f.game, f.kind) for f in failed_tasks.list_set_aside(pool)]


class TestNumbering:
    """A hint names what is to be numbered; whatever was not named is found soon after."""

    def test_a_hint_names_what_is_numbered(self, dispatcher, games, new_game):
        named, other = new_game(), new_game()
        dispatcher._grown = {named.id}
        assert (dispatcher.number(), dispatcher.number()) == (named.seq, 0)
        assert (dispatcher.look(), dispatcher.look()) == (other.seq, 0)

    def test_what_was_found_is_projected_at_the_next_turn(self, dispatcher, new_game, pool, monkeypatch):
        """Without a hint, and before all lanes are looked at again."""
        monkeypatch.setattr(dispatcher, "_listen", lambda _pause: None)
        dispatcher.turn()
        dispatcher._hinted = False
        monkeypatch.setattr(dispatcher._runner, "is_sweep_due", lambda: False)
        game = new_game()
        dispatcher.look()
        dispatcher.turn()
        with pool.connection() as connection:
            assert len(lobby.read_rows(connection, game.id)) == 1

    def test_what_another_may_have_missed_is_named_again(self, dispatcher, new_game, pool):
        """The other began before its events were there, perhaps."""
        game = new_game()
        dispatcher._grown = {game.id}
        with pool.connection() as other, other.transaction():
            other.execute("SELECT size FROM es.sequencer FOR UPDATE")
            assert (dispatcher.number(), dispatcher.look()) == (-1, 0)
        assert dispatcher.number() == game.seq

    def test_a_hint_that_names_nothing_harms_nobody(self, dispatcher, new_game, monkeypatch):
        """Redis may tell anything."""
        game = new_game()
        heard = HeardHints(frozenset({"nonsense", "", game.id}))
        monkeypatch.setattr(dispatcher._hints, "gather", lambda *_: heard)
        dispatcher._listen(0.0)
        assert dispatcher.number() == game.seq

    def test_without_redis_each_turn_looks(self, dispatcher, new_game, monkeypatch):
        """Nobody tells it anything then; once somebody may, it waits for hints again."""
        game = new_game()
        monkeypatch.setattr("workers.dispatcher.DEAF_SECONDS", 0.0)
        monkeypatch.setattr(dispatcher._hints, "gather", Mock(side_effect=[RedisError, HeardHints()]))
        dispatcher._listen(0.0)
        assert dispatcher.number() == game.seq
        dispatcher._listen(0.0)
        new_game()
        assert dispatcher.number() == 0

    def test_the_machines_of_other_games_are_not_asked(self, dispatcher, redis, games, new_game):
        """Neither by a turn that a hint asks for nor by a bot: on a cluster each costs something."""
        game = bot_to_move(games, new_game)
        dispatcher._grown = {game.id}
        with record_statements() as asked:
            assert dispatcher.number() > 0
            dispatcher.project()
            dispatcher.dispatch()
            work(redis)
        assert games.load(game.id).seq > game.seq
        assert len(asked) > 20
        assert list_asking_all(asked, Distribution.load()) == []


class TestFailing:
    """A task that fails again and again is set aside; its game goes on when it is taken up again."""

    @pytest.fixture
    def broken(self, monkeypatch):
        """The bots are broken, until it is called."""
        usual = jobs.bots.think
        tries = []

        def breaks(game, seat, run):
            tries.append(game.id)
            raise ZeroDivisionError("a state of many secrets " + "x" * 5000)

        monkeypatch.setattr(jobs.bots, "think", breaks)

        def mend():
            monkeypatch.setattr(jobs.bots, "think", usual)

        mend.tries = tries
        return mend

    def fail_for_good(self, dispatcher, redis, pool):
        for _ in range(len(failed_tasks.PAUSES) + 1):
            with pool.connection() as connection:  # the pause is over
                connection.execute("UPDATE es.failed SET again_at = now() WHERE again_at < 'infinity'")
            failed_tasks.release(pool)
            turn(dispatcher)
            work(redis)

    def test_set_aside_and_not_tried_again(self, dispatcher, redis, games, new_game, pool, broken):
        """After a few attempts it is left alone, with its error and without the state; others go on."""
        game = bot_to_move(games, new_game)
        self.fail_for_good(dispatcher, redis, pool)
        (failure,) = failed_tasks.list_set_aside(pool)
        assert (failure.game, failure.seq, failure.kind) == (game.id, game.seq, "bot")
        assert failure.error.startswith("ZeroDivisionError: a state of")
        assert "breaks" in failure.error
        assert len(failure.error) < 600
        tries = len(broken.tries)
        assert tries == len(failed_tasks.PAUSES) + 1
        for _ in range(5):
            failed_tasks.release(pool)
            turn(dispatcher)
            work(redis)
        assert len(broken.tries) == tries
        broken()
        other = bot_to_move(games, new_game)
        turn(dispatcher)
        work(redis)
        assert games.load(other.id).seq > other.seq

    def test_between_attempts_it_waits(self, dispatcher, redis, games, new_game, pool, broken, monkeypatch):
        """The second attempt follows at once, the third not before its pause is over."""
        monkeypatch.setattr(failed_tasks, "PAUSES", (0.0, 3600.0, 3600.0))
        bot_to_move(games, new_game)
        for _ in range(6):
            failed_tasks.release(pool)
            turn(dispatcher)
            work(redis)
        assert len(broken.tries) == 2

    def test_the_operator_has_it_tried_again(self, dispatcher, redis, games, new_game, pool, broken):
        """And it is over, with nothing left to list."""
        game = bot_to_move(games, new_game)
        self.fail_for_good(dispatcher, redis, pool)
        broken()
        assert failed_tasks.retry(pool, str(uuid.uuid4())) == 0
        assert failed_tasks.retry(pool, game.id) == 1
        failed_tasks.release(pool)
        turn(dispatcher)
        work(redis)
        assert games.load(game.id).seq > game.seq
        assert failed_tasks.list_set_aside(pool) == []

    def test_no_lost_answer_holds_a_game_for_ever(
        self, dispatcher, redis, games, new_game, pool, database, monkeypatch
    ):
        """Whichever answer of Postgres is lost when a pause ends, the game is asked for afterwards."""
        monkeypatch.setattr(failed_tasks, "PAUSES", (3600.0,))
        game = bot_to_move(games, new_game)
        dispatcher.catch_up()
        with before_postgres(database, StatementProxy) as (proxy, url):
            for number in range(1, 20):
                failed_tasks.record(pool, game.id, "bot", game.seq, "an error")
                turn(dispatcher)
                assert queued(redis) == []
                with pool.connection() as connection:  # the pause is over
                    connection.execute("UPDATE es.failed SET again_at = now()")
                with ConnectionPool(url, min_size=1, max_size=1, kwargs={"autocommit": True}) as through:
                    through.wait()
                    proxy.lose(number)
                    with suppress(psycopg.OperationalError):
                        failed_tasks.release(through)
                    lost = proxy.forget()
                failed_tasks.release(pool)  # as is done every second
                turn(dispatcher)
                assert len(queued(redis)) == 1, f"without the answer to statement {number}"
                redis.flushdb()
                dispatcher.feed = JobDispatcher(pool, redis)
                failed_tasks.clear(pool, game.id, "bot")
                if not lost:
                    break
        assert number > 2

    def test_another_program_tries_it_again_by_itself(self, dispatcher, redis, games, new_game, pool, broken):
        """After an upgrade nobody has to ask for it."""
        game = bot_to_move(games, new_game)
        self.fail_for_good(dispatcher, redis, pool)
        assert failed_tasks.release(pool) == 0
        broken()
        with pool.connection() as connection:
            connection.execute("UPDATE es.failed SET program = 'the one before'")
        assert failed_tasks.release(pool) == 1
        turn(dispatcher)
        work(redis)
        assert games.load(game.id).seq > game.seq

    def test_missing_rules_run_no_loop(self, dispatcher, redis, games, new_game, pool):
        """A game whose data are missing is set aside at once, and what it lacks is named."""
        game = bot_to_move(games, new_game)
        dispatcher.catch_up()
        with with_other_data(game.title):
            dispatcher.dispatch()
            work(redis)
            (failure,) = failed_tasks.list_set_aside(pool)
            assert failure.error.startswith("RulesMissing")
            assert f"{game.title_id} version {game.version}" in failure.error
            turn(dispatcher)
            assert queued(redis) == []

    def test_the_fingerprint_is_that_of_the_sources(self, tmp_path, monkeypatch):
        """The same sources give the same, a changed one another."""
        first = get_build_id()
        get_build_id.cache_clear()
        assert get_build_id() == first
        (tmp_path / "one.py").write_text("A = 1")
        monkeypatch.setattr("projections.base.build_id._list_folders", lambda: {tmp_path})
        get_build_id.cache_clear()
        second = get_build_id()
        (tmp_path / "one.py").write_text("A = 2")
        get_build_id.cache_clear()
        assert len({first, second, get_build_id()}) == 3
        get_build_id.cache_clear()


def test_a_task_that_fails_harms_no_other():
    """It is tried again after a pause; one whose server is away likewise, without a traceback."""
    done = []
    broken = PeriodicTask("broken", 0, lambda: 1 / 0)
    away = PeriodicTask("away", 0, lambda: (_ for _ in ()).throw(psycopg.OperationalError("gone")))
    good = PeriodicTask("good", 0, lambda: done.append(1) or len(done))
    assert [broken.attempt(), away.attempt(), good.attempt(), good.attempt()] == [None, None, 1, 2]
    assert broken.attempt() is None
    broken._do = lambda: "mended"
    broken._backoff.hold(0.0)
    assert broken.attempt() == "mended"


def test_without_redis_events_are_numbered_and_projected(games, new_game, pool):
    """Only tasks and hints wait for it."""
    dispatcher = Dispatcher(games.log, Redis.from_url("redis://127.0.0.1:1/0"))
    game = new_game()
    for _ in range(2):
        dispatcher.turn()
    with pool.connection() as connection:
        assert lobby.read_rows(connection, game.id)
    assert work_queue.count(pool) is not None


def test_a_beat_tells_who_lives(pool):
    """And a process that leaves in order is gone at once."""
    with pool.connection() as connection:
        connection.execute("DELETE FROM es.alive")
    process_registry.report_alive(pool, "one", "ai")
    process_registry.report_alive(pool, "two", "house")
    assert Counter(process_registry.list_duties(pool).values()) == {"ai": 1, "house": 1}
    with pool.connection() as connection:
        connection.execute("UPDATE es.alive SET beat_at = beat_at - interval '7 s' WHERE name = 'one'")
    assert process_registry.list_duties(pool) == {"two": "house"}
    process_registry.report_end(pool, "two")
    assert process_registry.list_duties(pool) == {}


def test_a_dispatcher_that_does_not_come_round_is_not_alive(games, redis, pool):
    """Its thread that says so is no proof that it works."""
    dispatcher = Dispatcher(games.log, redis)
    dispatcher.beat()
    assert dispatcher.name in process_registry.list_duties(pool)
    process_registry.report_end(pool, dispatcher.name)
    dispatcher._turned -= 60
    dispatcher.beat()
    assert dispatcher.name not in process_registry.list_duties(pool)


def test_a_backlog_longer_than_one_run_waits_for_no_hint(games, redis, monkeypatch):
    """Of what is left over nobody tells again: only the last run is followed by a rest."""
    dispatcher, runs, rests = Dispatcher(games.log, redis), [SEQUENCE_BATCH + 3, SEQUENCE_BATCH, 5, -1], []
    monkeypatch.setattr(games.log, "sequence", lambda: runs.pop(0))
    dispatcher._number = PeriodicTask("number", 0, games.log.sequence)
    monkeypatch.setattr(dispatcher, "_listen", lambda _pause: rests.append(len(runs)))
    for _ in range(4):
        dispatcher.turn()
    assert rests == [1, 0]


def test_hints_gather_after_a_turn_that_had_something_to_do(dispatcher, new_game, monkeypatch):
    """So a busy dispatcher does many games at once. An idle one adds nothing to what lists show."""
    pauses = []

    def gather(_seconds, pause):
        pauses.append(pause)
        return HeardHints()

    monkeypatch.setattr(dispatcher._hints, "gather", gather)
    dispatcher.turn()
    new_game(*[SeatPlan()] * 2)
    dispatcher.look()
    dispatcher.turn()
    dispatcher.turn()
    assert pauses == [0.0, GATHER_SECONDS, 0.0]


def test_on_a_cluster_ended_games_are_looked_for_less_often(dispatcher, new_game, monkeypatch):
    """Each look asks all machines; on one machine each call looks."""
    turn(dispatcher)
    new_game()
    dispatcher.events.sequence()
    for is_one_machine, counts in ((True, True), (False, False)):
        dispatcher._runner.is_one_machine = is_one_machine
        new_game()
        dispatcher.events.sequence()
        assert bool(dispatcher.rate()) == counts
    monkeypatch.setattr("workers.dispatcher.RATE_SECONDS", 0.0)
    assert dispatcher.rate()
