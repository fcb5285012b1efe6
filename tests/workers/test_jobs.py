"""Bots and jobs: reproducible, repeatable, harmless when lost or run twice."""

import threading
from dataclasses import replace

import pytest

from events.rules.bot_names import THINKERS
from events.rules.catalogue import find_title, title_ids
from events.rules.fast_chance import FastChance
from events.store.event_log import EventLog
from events.store.games import Games, SeatPlan, StaleVersion
from tests.playing import advance
from workers import bots, connections, jobs
from workers.bots import UnknownBot, choose_move, find_bot

FEW = 6
"""Games that a bot which thinks plays out for a move here: enough to see that it is always the same."""
BOTS = [pytest.param(t, name, id=f"{t}-{name}") for t in title_ids() for name in find_title(t).bots]


@pytest.mark.slow
@pytest.mark.parametrize(("title_id", "name"), BOTS)
def test_same_seed_same_move(title_id, name):
    """The same seed gives the same legal move; the bot sees an imagined state only."""
    bot = find_bot(title_id, name)
    # Where both think as little, one level is like the other.
    moves = 40 if name not in THINKERS else 8 if name == "brisk" else 2
    thinks_the_same_again(find_title(title_id), replace(bot, budget=min(bot.budget, FEW)), moves)


def thinks_the_same_again(title, bot, moves):
    """So many moves of a bot, each thought twice."""
    chance = FastChance(5)
    state = title.open(title.seats[-1], title.Options(), chance).state
    for count in range(moves):
        waiting = title.awaited(state)
        if not waiting:
            break
        decision = waiting[0]
        if decision.seat is None:
            command = title.default(state, decision)
        else:
            seed = f"{count}".encode()
            command = choose_move(title, bot, state, decision.seat, seed)
            assert choose_move(title, bot, state, decision.seat, seed) == command
        state = title.decide(state, decision.seat, command, chance).state


@pytest.mark.parametrize("title_id", title_ids())
def test_bots_play_to_the_end(title_id):
    """A table of steady bots comes to an end by itself."""
    title = find_title(title_id)
    bot, chance = find_bot(title_id, "steady"), FastChance(8)
    state = title.open(title.seats[0], title.Options(), chance).state
    count = 0
    while waiting := title.awaited(state):
        decision, count = waiting[0], count + 1
        if decision.seat is None:
            command = title.default(state, decision)
        else:
            command = choose_move(title, bot, state, decision.seat, f"{count}".encode())
        state = title.decide(state, decision.seat, command, chance).state
        assert count < 20_000
    assert title.outcome(state) is not None


def test_unknown_bot():
    """Another name than the titles' bots is refused."""
    with pytest.raises(UnknownBot):
        find_bot("colonial_empires", "brilliant")


@pytest.mark.integration
class TestJobs:
    """Jobs on a real log."""

    @pytest.fixture(autouse=True)
    def context(self, games, monkeypatch):
        """Jobs use the games of the test."""
        monkeypatch.setattr(connections, "get_games", lambda: games)

    def test_table_of_bots(self, games, new_game):
        """Jobs play a table of bots to the end, a slice each; what is recorded can be thought again."""
        game = new_game(*[SeatPlan(bot="steady")] * 3)
        for _ in range(100):
            if not jobs.play(game.id, game.seq, 0):
                break
        game = games.load(game.id)
        assert game.status == "finished"
        told = [r.envelope().bot for r in games.records(game.id)]
        assert {b["name"] for b in told if b} == {"steady"}

    def test_twice_changes_nothing(self, games, new_game, pool):
        """Two jobs for the same decision at the same time: one move is made, not two."""
        game = new_game(SeatPlan(bot="random"), SeatPlan(bot="random"))
        decision = jobs.find_bot_decision(game)
        barrier = threading.Barrier(2)
        outcomes = []

        def run():
            process = Games(EventLog(pool))
            loaded = process.load(game.id)
            barrier.wait()
            try:
                jobs.make_bot_move(process, loaded, decision)
                outcomes.append("made")
            except StaleVersion:
                outcomes.append("stale")

        threads = [threading.Thread(target=run) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        # The same command id: the second finds the first one's result, or is told that it came too late.
        after = games.load(game.id)
        commands = {r.command_id for r in games.records(game.id, game.seq)}
        assert len(commands) == 1
        assert after.seq > game.seq
        assert "made" in outcomes

    def test_nothing_open_nothing_done(self, games, new_game):
        """A job whose decision is no longer open does nothing."""
        game = advance(games, new_game(), 10)
        assert jobs.play(game.id, 1, 0) == 0
        assert jobs.house(game.id, 1) == 0
        assert games.load(game.id).seq == game.seq

    def test_bot_that_breaks_the_rules(self, games, new_game, monkeypatch):
        """A bot whose move is refused does not stop the game: the default is played for it."""
        game = new_game(SeatPlan(bot="random"), SeatPlan(bot="random"))
        other = find_title("colonial_empires").command_type("end_event_turn")()
        monkeypatch.setattr(bots, "think", lambda *_: other)
        jobs.make_bot_move(games, game, jobs.find_bot_decision(game))
        assert games.load(game.id).seq > game.seq
