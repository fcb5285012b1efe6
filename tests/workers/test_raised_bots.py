"""A newer version of a bot is installed while its games are played: the server says so before it moves."""

from dataclasses import replace

import msgspec
import pytest

from events.rules.catalogue import find_title
from events.store.games import SeatPlan, StaleVersion
from events.table import bundle
from events.tlog.notes import SigningKey
from events.verify import verify
from projections.health import failed_tasks
from tests.titles.example import bot as example
from workers import bots, connections, jobs
from workers.bots import find_bot

pytestmark = pytest.mark.integration

SIGNER = SigningKey("rutter", b"s" * 32)


@pytest.fixture(autouse=True)
def context(games, monkeypatch):
    """Jobs use the games of the test."""
    monkeypatch.setattr(connections, "get_games", lambda: games)


@pytest.fixture
def install(monkeypatch):
    """Installs the bots of the example title in a version; of older ones those that are kept."""
    first = {name: find_bot("example", name) for name in ("steady", "brisk", "strong")}

    def at_hand(version, *kept, **more):
        made = {n: {name: replace(bot, version=n, **more) for name, bot in first.items()} for n in (1, 2, 3)}
        monkeypatch.setattr(example, "STEADY", made[version]["steady"])
        thinkers = tuple(made[version][name] for name in ("brisk", "strong"))
        monkeypatch.setattr(example, "THINKERS", thinkers, raising=False)
        older = tuple(bot for n in kept for bot in made[n].values())
        monkeypatch.setattr(example, "KEPT", older, raising=False)

    at_hand(1)
    return at_hand


def made(games, *names):
    """A running game of bots."""
    title = find_title("example")
    return games.create(title, title.Options(), [SeatPlan(bot=name) for name in names])


def told(games, game):
    """Who moved in which version, and which bots were raised to which."""
    found = []
    for record in games.records(game.id):
        envelope = record.envelope()
        if envelope.bot:
            found.append((envelope.by, envelope.bot["version"]))
        elif record.type == "BotRaised":
            data = msgspec.json.decode(envelope.data)
            found.append((envelope.by, f"p{data['seat']} {data['version']}"))
    return found


def finish(games, game):
    """All that is left of a game by its jobs; what `rutter verify --bots` says of it."""
    while games.load(game.id).status == "running":
        before = games.load(game.id).seq
        jobs.play(game.id, 0, 0)
        for seat in range(2):
            jobs.think(game.id, 0, seat)
        assert games.load(game.id).seq > before
    game = games.load(game.id)
    lines = bundle.write_lines(game, games.records(game.id), None, SIGNER)
    return verify(lines, key=SIGNER.verifier, rerun_bot=bots.think_again)


def test_a_bot_is_raised_before_its_next_move(games, install):
    """Each seat once, by the server; all of it is thought again."""
    game = made(games, "steady", "random")
    jobs.make_bot_move(games, game, jobs.find_bot_decision(game))
    install(2, 1)
    report = finish(games, game)
    moves = told(games, game)
    assert moves[0] == ("p0", 1)
    assert moves.count(("sys", "p0 2")) == 1
    assert [version for by, version in moves if by == "p0"] == [1] + [2] * (report.bot_seats[0].moves - 1)
    assert [bot.versions for bot in report.bot_seats] == [[1, 2], [1]]
    assert all(bot.is_rethought for bot in report.bot_seats)


def test_a_bot_that_thinks_is_raised(games, install):
    """It thinks about the event at which it was first asked: that lies before the one that raises it."""
    game = made(games, "brisk", "strong")
    first = games.load(game.id)
    install(3, 1)
    jobs.make_thinking_move(games, first, 0)
    newest = [record.envelope() for record in games.records(game.id, game.seq)]
    assert newest[0].t == "BotRaised"
    assert (newest[1].bot["version"], newest[1].bot["thought_at"]) == (3, first.seq)
    assert all(bot.is_rethought for bot in finish(games, game).bot_seats)


def test_a_version_that_is_gone(games, install, pool):
    """The program was set back: the seat's own version plays if it is kept, else the game waits for it."""
    install(2)
    game = made(games, "steady", "random")
    install(1, 2)
    jobs.make_bot_move(games, game, jobs.find_bot_decision(game))
    assert told(games, game) == [("p0", 2)]
    install(1)
    for _ in range(len(failed_tasks.PAUSES) + 2):
        jobs.play(game.id, 0, 0)
    assert {version for by, version in told(games, game) if by == "p0"} == {2}
    (failed,) = [one for one in failed_tasks.list_set_aside(pool) if one.game == game.id]
    assert "no bot 'steady@2'" in failed.error
    install(2)
    assert [bot.is_rethought for bot in finish(games, game).bot_seats] == [True, True]


def test_other_weights_in_one_version(games, install):
    """Nobody noticed that it plays otherwise: it is not the bot that sits there, and does not move."""
    game = made(games, "steady", "random")
    install(1, weights="ab" * 32)
    assert jobs.play(game.id, 0, 0) == 0
    assert games.load(game.id).seq == game.seq


def test_a_move_in_another_version_is_not_recorded(games, install):
    """Somebody raised the bot while it was thinking."""
    game = made(games, "steady", "random")
    run = bots.bot_run(game, 0, games.keys(game)[0])
    command = bots.think(game, 0, run)
    install(2, 1)
    jobs.make_bot_move(games, game, jobs.find_bot_decision(game))
    for other in (run, msgspec.structs.replace(run, name="random")):
        with pytest.raises(StaleVersion):
            games.command(game.id, 0, command, bot=other)
