"""Engines sit at tables: asked by the workers that think, recorded, thought again, never in the way."""

import pytest

from events.base.settings import RUTTER_ENGINES
from events.rules.bot_names import ENGINE
from events.table.bundle import BadBundle
from events.verify import verify
from projections.health import failed_tasks
from tests.workers.engines import as_reference, listing, script, with_moves
from tests.workers.test_dispatcher import dispatcher, redis, turn, work
from tests.workers.test_engines import GOOD
from tests.workers.test_thinkers_at_tables import SIGNER, context, made, play, runs, whole
from workers import bots, jobs
from workers.bot_types import MissingMove
from workers.bots.trials import arena
from workers.job_queues import AI, BOTS, PONDER, THINK

__all__ = ["context", "dispatcher", "redis"]
pytestmark = pytest.mark.integration

FALTERS = """
position, go = hear(), hear()
if int(go["seed"], 16) % 2:
    sys.exit(1)
say(type="best", command=position["legal"][0], simulations=0, value=None)
"""
MOODY = """
position, go = hear(), hear()
mood = int(open({path!r}).read())
say(type="best", command=position["legal"][mood % len(position["legal"])], simulations=0)
"""
"""Takes the first legal command in one mood, and the last in the other: its mood stands in a file."""
FIRST, LAST = "0", "-1"


def verdict(games, game):
    """What `rutter verify --bots` finds."""
    return verify(whole(games, game), key=SIGNER.verifier, rerun_bot=bots.think_again)


@pytest.mark.slow
def test_a_whole_game_with_an_engine(dispatcher, redis, games, tmp_path, monkeypatch):
    """The workers that think ask it; all who have its files think its moves again."""
    engine = as_reference("example", "brisk", **with_moves("its"))
    file = listing(tmp_path, monkeypatch, engine)
    game = made(games, "example", f"{ENGINE}reference", "steady")
    while games.load(game.id).status != "finished":
        turn(dispatcher)
        work(redis, AI, BOTS, THINK, PONDER)
    told = [bot for _, by, bot in runs(games, game) if by == "p0"]
    assert {bot["name"] for bot in told} == {f"{ENGINE}reference"}
    assert max(bot["simulations"] for bot in told) > 10
    assert not any("fallback" in bot for bot in told)
    report = verdict(games, game)
    assert report.bots == len(runs(games, game))
    assert failed_tasks.count(games.log.pool) == (0, 0)
    file.unlink()
    monkeypatch.delenv(RUTTER_ENGINES.name)
    without = verdict(games, game)
    assert without.bots == len(runs(games, game)) - len(told)
    assert f"{len(told)} moves of seat 0: engine:reference 1" in without.unchecked[0]


def test_one_that_fails_now_and_then(games, context, tmp_path, monkeypatch):
    """The default is played for it, the log says so, and the game goes on to its end."""
    listing(tmp_path, monkeypatch, script(tmp_path, "falters", FALTERS, **with_moves("its")))
    seen = set()
    while seen != {True, False}:
        game = made(games, "example", f"{ENGINE}falters", "random")
        play(games, game)
        seen |= {"fallback" in bot for _, by, bot in runs(games, game) if by == "p0"}
        report = verdict(games, game)
        assert not any(bot.not_at_hand for bot in report.bot_seats)
    assert failed_tasks.count(games.log.pool) == (0, 0)


def test_who_makes_it_fail_is_not_confirmed(games, context, tmp_path, monkeypatch):
    """A default where the engine answers well here: it may have been slow there, so it is unchecked."""
    listing(tmp_path, monkeypatch, script(tmp_path, "first", GOOD, **with_moves("its")))
    game = made(games, "example", f"{ENGINE}first", "random")

    usual = bots.think_through

    def fails(known, seat, run):
        if seat == 0:
            raise MissingMove("the operator says so")
        return usual(known, seat, run)

    with monkeypatch.context() as patch:
        patch.setattr(jobs.bots, "think_through", fails)
        play(games, game)
    (own, _) = verdict(games, game).bot_seats
    assert own.fallbacks == own.not_at_hand == own.moves > 0
    assert not own.is_rethought


def test_another_move_is_found_out(games, context, tmp_path, monkeypatch):
    """One that promised the same move for the same seed, and breaks it."""
    mood = in_mood(tmp_path, FIRST)
    promised = script(tmp_path, "moody", MOODY.format(path=str(mood)), **with_moves("its"))
    listing(tmp_path, monkeypatch, promised)
    game = made(games, "example", f"{ENGINE}moody", "random")
    play(games, game)
    assert verdict(games, game).bot_seats[0].moves > 0
    in_mood(tmp_path, LAST)
    with pytest.raises(BadBundle, match="engine:moody thinks of another move"):
        verdict(games, game)


def in_mood(folder, mood):
    """Where its mood stands, which is this one now."""
    path = folder / "mood"
    path.write_text(mood)
    return path


def test_who_promises_nothing_is_not_thought_again(games, context, tmp_path, monkeypatch):
    """Its moves are told as not available, whatever it would answer."""
    mood = in_mood(tmp_path, FIRST)
    listing(tmp_path, monkeypatch, script(tmp_path, "moody", MOODY.format(path=str(mood))))
    game = made(games, "example", f"{ENGINE}moody", "random")
    play(games, game)
    in_mood(tmp_path, LAST)
    report = verdict(games, game)
    assert report.bot_seats[0].not_at_hand == report.bot_seats[0].moves > 0


def test_no_engine_plays_for_ever(games, context, tmp_path, monkeypatch):
    """After so many commands as no game takes it is not asked any more; defaults lead to the end."""
    listing(tmp_path, monkeypatch, script(tmp_path, "first", GOOD, **with_moves("its")))
    monkeypatch.setattr(jobs, "MOST_OF_ENGINE", 3)
    game = made(games, "example", f"{ENGINE}first", "random")
    play(games, game)
    given = ["fallback" in bot for _, by, bot in runs(games, game) if by == "p0"]
    assert len(given) > 3
    assert given == [number >= 3 for number in range(len(given))]


def test_older_versions_are_thought_again(games, context, tmp_path, monkeypatch):
    """As long as they are listed; files that are others by now are not available."""
    first = script(tmp_path, "first", GOOD, **with_moves("its"))
    listing(tmp_path, monkeypatch, first)
    game = made(games, "example", f"{ENGINE}first", "random")
    play(games, game)
    folder = tmp_path / "later"
    folder.mkdir()
    newer = script(folder, "first", GOOD, version=2, **with_moves("new"))
    listing(folder, monkeypatch, newer, first)
    assert bots.find_bot("example", f"{ENGINE}first").version == 2
    own = verdict(games, game).bot_seats[0]
    assert (own.versions, own.thought_again) == ([1], own.moves)
    (tmp_path / "first.py").write_text("print('other')")
    own = verdict(games, game).bot_seats[0]
    assert own.not_at_hand == own.moves > 0


def test_in_the_arena(tmp_path, monkeypatch):
    """How strong an engine is, is measured like any bot's; where it gives no move the default counts as one
    refused.
    """
    fails = script(tmp_path, "fails", "")
    listing(tmp_path, monkeypatch, script(tmp_path, "first", GOOD), fails)
    played = arena.play(arena.Match("example", 2, (f"{ENGINE}first", "steady"), "s"), 0, 1)
    assert played.bots == ("steady@1", f"{ENGINE}first@1")
    assert played.rejected == 0
    assert arena.play(arena.Match("example", 2, (f"{ENGINE}fails", "steady"), "s"), 0, 0).rejected > 3
