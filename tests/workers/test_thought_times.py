"""How long bots are waited for and think, as figures."""

import pytest
from prometheus_client.parser import text_string_to_metric_families
from redis import Redis

from projections.messages import thinking_times
from projections.messages.thinking_times import BOUNDS, THOUGHT, WAITED, ThinkingTimes
from tests.workers.test_dispatcher import redis
from tests.workers.test_thinkers_at_tables import made
from workers import connections, jobs

__all__ = ["redis"]
pytestmark = pytest.mark.integration


@pytest.fixture
def clean(redis):
    redis.delete(thinking_times.KEY)
    return redis


def test_each_time_stands_in_its_range(clean):
    """Counted up to each bound, as Prometheus wants it; kinds and bots apart."""
    times = ThinkingTimes(clean)
    times.note("strong", 0.0, 2.5)
    times.note("strong", 40.0, 3.0)
    times.note("steady", 1000.0, 0.001)
    told = thinking_times.read_times(clean)
    assert set(told) == {(kind, bot) for kind in (WAITED, THOUGHT) for bot in ("steady", "strong")}
    buckets, total = told[THOUGHT, "strong"]
    assert total == 5.5
    assert buckets == [(bound, 2.0 if float(bound) >= 3 else 0.0) for bound in BOUNDS]
    buckets, total = told[WAITED, "strong"]
    assert dict(buckets)["0.03"] == 1
    assert dict(buckets)["30"] == 1
    assert dict(buckets)["100"] == dict(buckets)["+Inf"] == 2
    assert dict(told[WAITED, "steady"][0])["300"] == 0


def test_without_redis_nothing_is_noted_and_nobody_hindered():
    """Neither where there is none, nor where it does not answer."""
    ThinkingTimes(None).note("steady", 1, 1)
    ThinkingTimes(Redis.from_url("redis://127.0.0.1:1/0")).note("steady", 1, 1)


def test_workers_note_every_thought(clean, games, monkeypatch):
    """One that thinks and one that answers at once, each under its name."""
    monkeypatch.setattr(connections, "get_games", lambda: games)
    monkeypatch.setattr(connections, "get_thinking_times", lambda: ThinkingTimes(clean))
    game = made(games, "colonies", "brisk", "steady", "steady")
    while not any(decision.seat == 0 for decision in game.title.awaited(game.state)):
        assert jobs._play_once(games, game)
        game = games.load(game.id)
    assert jobs.think(game.id, game.seq, 0) >= 1
    told = thinking_times.read_times(clean)
    assert told[THOUGHT, "brisk"][0][-1][1] >= 1
    assert told[THOUGHT, "brisk"][1] > 0
    assert told[WAITED, "brisk"][0][-1] == told[THOUGHT, "brisk"][0][-1]


def test_metrics_tell_them(app, clean, settings):
    """As histograms by bot, in `/metrics`."""
    with Redis.from_url(settings.redis_url) as shown:
        shown.delete(thinking_times.KEY)
        ThinkingTimes(shown).note("strong", 2.0, 4.0)
        text = app.test_client().get("/metrics").get_data(as_text=True)
        shown.delete(thinking_times.KEY)
    families = {family.name: family for family in text_string_to_metric_families(text)}
    for name, seconds in (("rutter_bot_waited_seconds", 2.0), ("rutter_bot_thought_seconds", 4.0)):
        assert families[name].type == "histogram"
        samples = {s.name: s.value for s in families[name].samples if "le" not in s.labels}
        assert samples == {f"{name}_count": 1.0, f"{name}_sum": seconds}
        below = {s.labels["le"]: s.value for s in families[name].samples if "le" in s.labels}
        assert below["1.0" if "1.0" in below else "1"] == 0
        assert below["+Inf"] == 1
