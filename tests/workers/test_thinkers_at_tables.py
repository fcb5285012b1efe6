"""Bots that think sit at tables: workers of their own, a task for each seat, answers that none can delay."""

import threading

import pytest

from events.rules.bot_names import BotMismatch
from events.rules.catalogue import find_title
from events.store.event_log import EventLog
from events.store.games import Games, SeatPlan, StaleVersion
from events.table import bundle
from events.table.bundle import BadBundle
from events.titles.colonial.commands import TransferTreasury
from events.tlog.notes import SigningKey
from events.verify import verify
from projections.health import failed_tasks, process_registry
from tests.waiting import PATIENCE
from tests.workers.test_dispatcher import dispatcher, queued, redis, turn, work
from workers import bots, connections, jobs
from workers.bot_types import Thought
from workers.job_queues import AI, BOTS, PONDER, THINK

__all__ = ["dispatcher", "redis"]
pytestmark = pytest.mark.integration

SIGNER = SigningKey("rutter", b"s" * 32)


@pytest.fixture
def context(games, monkeypatch):
    """Jobs use the games of the test."""
    monkeypatch.setattr(connections, "get_games", lambda: games)


def made(games, title_id, *names):
    """A running game of bots of these names; None stands for a person."""
    title = find_title(title_id)
    return games.create(title, title.Options(), [SeatPlan(bot=name) for name in names])


def programming(games, *names):
    """A game of Colonial in which all program their cards at the same time."""
    game = made(games, "colonial", *names)
    while game.title.awaited(game.state)[0].kind != "program_cards":
        decision = game.title.awaited(game.state)[0]
        run = None if names[decision.seat] is None else played(games, game, decision.seat)
        default = game.title.default(game.state, decision)
        game = games.command(game.id, decision.seat, default, bot=run).game
    return game


def played(games, game, seat):
    """What would be recorded of the bot of *seat* now."""
    return bots.bot_run(game, seat, games.keys(game)[0])


def runs(games, game):
    """What is recorded of the thoughts of a game, with the number of the event."""
    told = [(record.seq, record.envelope()) for record in games.records(game.id)]
    return [(seq, envelope.by, envelope.bot) for seq, envelope in told if envelope.bot]


def whole(games, game):
    """The bundle of a game that has ended."""
    game = games.load(game.id)
    return list(bundle.write_lines(game, games.records(game.id), None, SIGNER))


def test_a_steady_game_never_waits_behind_strong_ones(dispatcher, redis, games):
    """Each has its workers: one ends while not a thought of the other has begun; then that goes on, too."""
    thinking = [made(games, "colonial", "strong", "strong") for _ in range(3)]
    steady = made(games, "example", "steady", "random")
    for _ in range(100):
        turn(dispatcher)
        work(redis, AI, BOTS)
        if games.load(steady.id).status == "finished":
            break
    assert games.load(steady.id).status == "finished"
    assert len(queued(redis, PONDER)) == 1, "few tasks a worker: the first to come is served next"
    assert all(games.load(game.id).seq == game.seq for game in thinking)
    work(redis, THINK, PONDER, jobs=1)
    assert sum(games.load(game.id).seq > game.seq for game in thinking) == 1


def test_a_person_s_opponents_think_first(dispatcher, redis, games):
    """Where a person waits the task is in the other queue, which is emptied first."""
    programming(games, "brisk", "brisk")
    game = programming(games, "brisk", None)
    turn(dispatcher)
    assert queued(redis, THINK) == [f"think-{game.id}-0"]
    assert len(queued(redis, PONDER)) == 1


def test_a_whole_game_of_all_levels(dispatcher, redis, games):
    """Quick bots and thinking ones take turns; all that is recorded of them is thought again."""
    game = made(games, "example", "brisk", "strong")
    for _ in range(400):
        turn(dispatcher)
        work(redis, AI, BOTS, THINK, PONDER)
        if games.load(game.id).status == "finished":
            break
    told = runs(games, game)
    assert {(by, bot["name"]) for _, by, bot in told} == {("p0", "brisk"), ("p1", "strong")}
    assert max(bot["simulations"] for *_, bot in told) > 60
    assert not any("fallback" in bot for *_, bot in told)
    report = verify(whole(games, game), key=SIGNER.verifier, rerun_bot=bots.think_again)
    assert report.bots == len(told)
    assert failed_tasks.count(games.log.pool) == (0, 0)


def test_who_tells_of_other_simulations_is_found_out(games, context, monkeypatch):
    """How many games were played out is thought again like the move."""
    usual = bots.think_through

    def boasts(game, seat, run):
        found = usual(game, seat, run)
        return Thought(found.command, found.simulations + 1)

    game = made(games, "example", "brisk", "steady")
    with monkeypatch.context() as patch:
        patch.setattr(jobs.bots, "think_through", boasts)
        play(games, game)
    with pytest.raises(BadBundle, match="plays out"):
        verify(whole(games, game), key=SIGNER.verifier, rerun_bot=bots.think_again)


def play(games, game):
    """All of a game by its jobs."""
    for _ in range(200):
        seats = [seat for seat, sits in enumerate(game.seats) if jobs.bots.find_bot(game.title_id, sits.bot)]
        jobs.play(game.id, 0, 0)
        for seat in seats:
            jobs.think(game.id, 0, seat)
        if games.load(game.id).status == "finished":
            return
    raise AssertionError("it does not end")


class TestOvertaken:
    """Somebody else is quicker than a thought."""

    @pytest.fixture
    def game(self, games, context):
        """A bot that thinks, and a person who pays coins whenever they like."""
        return programming(games, "brisk", None)

    @pytest.fixture
    def interrupted(self, games, game, monkeypatch):
        """Thoughts that are interrupted: a function is called in each, after it is done."""
        usual = bots.think_through
        about = []

        def during(interrupt):
            def thinks(known, seat, run):
                about.append(run.thought_at)
                found = usual(known, seat, run)
                return interrupt(len(about), found) or found

            monkeypatch.setattr(jobs.bots, "think_through", thinks)
            return about

        return during

    def test_free_commands_do_not_throw_a_thought_away(self, games, game, interrupted):
        """However many there are: it thinks once about each of its decisions, and the proof of it holds."""
        first, before = games.load(game.id).seq, len(runs(games, game))

        def interrupt(_number, _found):
            games.command(game.id, 1, TransferTreasury(0, 1))
            games.command(game.id, 1, TransferTreasury(0, 1))

        about = interrupted(interrupt)
        jobs.make_thinking_move(games, games.load(game.id), 0)
        assert about == [first]
        seq, by, bot = runs(games, game)[-1]
        assert len(runs(games, game)) == before + 1
        assert (by, bot["thought_at"]) == ("p0", first)
        assert seq > first + 2

    def test_what_is_refused_by_now_is_thought_again_once(self, games, game, interrupted):
        """About the newest event; nothing is given up."""
        illegal = find_title("colonial").command_type("end_round")

        def interrupt(number, _found):
            if number == 1:
                games.command(game.id, 1, TransferTreasury(0, 1))
                return Thought(illegal())
            return None

        first = games.load(game.id).seq
        about = interrupted(interrupt)
        jobs.make_thinking_move(games, games.load(game.id), 0)
        assert about == [first, first + 1]
        *_, bot = runs(games, game)[-1]
        assert bot["thought_at"] == first + 1
        assert "fallback" not in bot

    def test_nobody_can_keep_it_thinking(self, games, game, interrupted):
        """Two thoughts at the most; then the default is given, of what it thought first."""
        illegal = find_title("colonial").command_type("end_round")

        def interrupt(_number, _found):
            games.command(game.id, 1, TransferTreasury(0, 1))
            return Thought(illegal())

        first = games.load(game.id).seq
        about = interrupted(interrupt)
        jobs.make_thinking_move(games, games.load(game.id), 0)
        assert len(about) == 2
        *_, bot = runs(games, game)[-1]
        assert (bot["thought_at"], bot["fallback"]) == (first, True)

    def test_another_decision_is_another_thought(self, games, game, interrupted):
        """What it was asked was answered meanwhile: nothing is recorded of the late thought."""
        decision = next(d for d in game.title.awaited(game.state) if d.seat == 0)

        def interrupt(_number, _found):
            games.command(game.id, 0, game.title.default(game.state, decision), bot=played(games, game, 0))

        interrupted(interrupt)
        with pytest.raises(StaleVersion):
            jobs.make_thinking_move(games, games.load(game.id), 0)
        assert runs(games, game)[-1][2]["simulations"] == 0


def test_sealed_seats_think_at_the_same_time(dispatcher, redis, games, pool, monkeypatch):
    """Each is a task of its own, all are under way at once, and about the event that asked them all."""
    game = programming(games, *["brisk"] * 3)
    for number in range(3):
        process_registry.report_alive(pool, f"thinker {number}", THINK)
    dispatcher.feed._asked = 0.0
    turn(dispatcher)
    assert sorted(queued(redis, PONDER)) == [f"ponder-{game.id}-{seat}" for seat in range(3)]
    usual, together = bots.think_through, threading.Barrier(3, timeout=PATIENCE)

    def thinks(known, seat, run):
        together.wait()  # the third would never come if they waited for one another
        return usual(known, seat, run)

    monkeypatch.setattr(jobs.bots, "think_through", thinks)

    def run(seat):
        process = Games(EventLog(pool))
        jobs.make_thinking_move(process, process.load(game.id), seat)

    threads = [threading.Thread(target=run, args=(seat,)) for seat in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    told = runs(games, game)[-3:]
    assert sorted(by for _, by, _ in told) == ["p0", "p1", "p2"]
    assert {bot["thought_at"] for *_, bot in told} == {game.seq}


def test_a_bot_that_fails_holds_its_game_by_its_own_name(games, context, monkeypatch, pool):
    """Seats fail apart, so that one that goes well does not make another's failure undone."""

    def breaks(game, seat, run):
        raise BotMismatch("broken")

    game = programming(games, "brisk", "brisk")  # both are asked
    monkeypatch.setattr(jobs.bots, "think_through", breaks)
    for _ in range(len(failed_tasks.PAUSES) + 1):
        assert jobs.think(game.id, game.seq, 1) == 0
    assert [(f.game, f.kind) for f in failed_tasks.list_set_aside(pool) if f.game == game.id] == [
        (game.id, "think 1")
    ]
