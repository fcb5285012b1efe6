"""Hints on a real Redis: what is told soon after one another goes together."""

import socket
import threading
import uuid
from urllib.parse import urlsplit

import pytest
from redis import Redis

from projections.messages import hints
from projections.messages.hints import FREE, HeardHints, Hints
from service.streaming.stream_hub import StreamHub
from tests.waiting import PATIENCE, each_look, until


@pytest.fixture
def channel(monkeypatch, redis):
    """A channel of nobody else."""
    monkeypatch.setattr(hints, "CHANNEL", f"test:{uuid.uuid4()}")
    return Hints(redis).channel


@pytest.fixture
def redis(servers):
    with Redis.from_url(servers.redis_url) as client:
        yield client


def all_listen(redis, channel, *listeners):
    """Wait until Redis knows all of them."""
    for listener in listeners:
        assert listener.wait(0.01) is None
    until(lambda: redis.pubsub_numsub(channel)[0][1] >= len(listeners), "Redis knows them")


def stop_listening(listener, before):
    """Stop *listener*; no thread that began after *before* reads from its connection any more."""
    listener.stop()
    listening = [each for each in threading.enumerate() if each.name == "hints" and each not in before]
    until(lambda: not any(each.is_alive() for each in listening), "it reads no more")


def words(told):
    """The words of the next message without who sent it."""
    message = until(lambda: told.get_message(timeout=1), "a message comes")
    return message["data"].decode().split(" ")[1:]


def test_what_is_told_after_a_pause_goes_at_once_and_what_follows_goes_together(redis, channel, monkeypatch):
    """Of each game the newest; a process that stops leaves nothing untold and does not wait for the next
    time.
    """
    monkeypatch.setattr(hints, "GATHER_SECONDS", 600.0)
    teller = Hints(redis)
    with redis.pubsub(ignore_subscribe_messages=True) as told:
        told.subscribe(channel)
        until(lambda: redis.pubsub_numsub(channel)[0][1], "Redis knows the listener")
        teller.tell("first", 1)
        assert words(told) == ["first", "1"]
        for seq in (2, 3):
            for game in ("first", "second", "third"):
                teller.tell(game, seq)
        teller.stop()
        assert teller.untold == 0, "nobody may read from a connection that is closed next"
        assert words(told) == ["first", "3", "second", "3", "third", "3"]


def test_a_bot_does_not_wait_until_more_is_told(redis, channel, monkeypatch):
    """Its game is told of at once, with what was gathered; nothing of that is lost or told twice."""
    monkeypatch.setattr(hints, "GATHER_SECONDS", 600.0)
    teller = Hints(redis)
    with redis.pubsub(ignore_subscribe_messages=True) as told:
        told.subscribe(channel)
        until(lambda: redis.pubsub_numsub(channel)[0][1], "Redis knows the listener")
        teller.tell("first", 1)
        assert words(told) == ["first", "1"]
        teller.tell("second", 2)
        teller.tell("third", 3, prompt=True)
        heard = words(told)
        while "third" not in heard:
            heard += words(told)
        assert heard == ["second", "2", "third", "3!"]
        teller.stop()
        assert teller.untold == 0


def test_each_game_of_a_message_is_heard_and_none_of_ones_own(redis, channel):
    """One after the other, or all at once; a process that tells hears only what others tell."""
    one, other = Hints(redis), Hints(redis)
    all_listen(redis, channel, one, other)
    one._publish([("first", "1"), ("second", "2"), ("third", "3")])
    other.publish("fourth", 4)
    assert [other.wait(PATIENCE) for _ in range(3)] == ["first", "second", "third"]
    assert one.wait(PATIENCE) == "fourth"


def test_what_is_heard_together_is_told_at_once(redis, channel):
    """Several messages, some of several games; what is for other processes is nothing."""
    one, other = Hints(redis), Hints(redis)
    all_listen(redis, channel, other)
    one._publish([("first", "1"), ("second", "2")])
    one.publish("token:fourth", 0)
    one.publish("third", 3)
    heard = set()
    for _ in each_look("three games are heard of"):
        if len(heard) == 3:
            break
        now = other.gather(PATIENCE, 0.1)
        assert not now.prompt
        heard |= now.games
    assert heard == {"first", "second", "third"}


@pytest.mark.parametrize(
    "prompt",
    [lambda one: one.tell("bot's", 4, prompt=True), lambda one: one.publish(FREE, 0)],
    ids=["a bot", "a worker"],
)
def test_nothing_is_gathered_while_a_bot_or_a_worker_waits(redis, channel, prompt):
    """The gathering could have made it wait: it ends at once, with all that was told before."""
    one, other = Hints(redis), Hints(redis)
    all_listen(redis, channel, other)
    one.publish_append("first", 1, prompt=False)
    prompt(one)
    heard = other.gather(PATIENCE, 10 * PATIENCE)
    assert heard.prompt
    assert "first" in heard.games


@pytest.mark.parametrize(("after", "left"), [(0.05, 0.2), (3.0, 0.0)])
def test_hints_gather_until_the_pause_is_over(monkeypatch, after, left):
    """A hint that comes after it waits for no other."""
    clock, waits = [100.0], []
    one = Hints(Redis())
    monkeypatch.setattr(hints.time, "monotonic", lambda: clock[0])

    def read(seconds):
        waits.append(seconds)
        clock[0] += after if len(waits) == 1 else seconds
        return ("first", False) if len(waits) == 1 else None

    monkeypatch.setattr(one, "_read_next", read)
    assert one.gather(5.0, 0.25) == HeardHints(frozenset({"first"}))
    assert waits == pytest.approx([5.0, left])


def test_accounts_that_were_told_something_are_named_once_and_together(redis, channel, monkeypatch):
    """A message has so many names at most: it is heard by every process."""
    monkeypatch.setattr(hints, "MOST_TOLD", 2)
    with redis.pubsub(ignore_subscribe_messages=True) as told:
        told.subscribe(channel)
        until(lambda: redis.pubsub_numsub(channel)[0][1], "Redis knows the listener")
        Hints(redis).publish_notices(["a", "b", "a", "c", "b"])
        assert words(told) == ["notice:a", "0", "notice:b", "0"]
        assert words(told) == ["notice:c", "0"]


def test_a_hint_of_an_earlier_program_is_heard(redis, channel):
    """It says of nobody that they wait."""
    one, other = Hints(redis), Hints(redis)
    all_listen(redis, channel, other)
    redis.publish(channel, "origin first 1 second 2")
    assert other.gather(PATIENCE, 0.1) == HeardHints(frozenset({"first", "second"}))
    assert one.channel == other.channel


def test_two_installations_on_one_server_do_not_hear_one_another(redis, servers, channel):
    """Redis tells all its databases what is said on a channel: so each has a channel of its own."""
    with Redis.from_url(urlsplit(servers.redis_url)._replace(path="/5").geturl()) as elsewhere:
        one, other = Hints(elsewhere), Hints(redis)
        all_listen(redis, channel, other)
        one.publish("theirs", 1)
        redis.publish(channel, "origin ours 1")
        assert other.wait(PATIENCE) == "ours"


def test_a_hint_whose_answer_is_lost_is_told_once_more(redis, channel, monkeypatch):
    """Its answer is read late: a connection that broke meanwhile may have lost the hint, and nobody knew."""
    monkeypatch.setattr(hints, "GATHER_SECONDS", 600.0)
    teller = Hints(redis)
    kept = hints._Outlet.publish

    def publish_and_break(outlet, *message):
        kept(outlet, *message)
        outlet._connection.read_response()  # Redis has it: what breaks now is the answer alone
        outlet._connection._sock.shutdown(socket.SHUT_RDWR)

    monkeypatch.setattr(hints._Outlet, "publish", publish_and_break)
    with redis.pubsub(ignore_subscribe_messages=True) as told:
        told.subscribe(channel)
        until(lambda: redis.pubsub_numsub(channel)[0][1], "Redis knows the listener")
        teller.tell("game", 1)
        assert words(told) == ["game", "1"]
        teller.stop()
        assert words(told) == ["game", "1"]


def test_a_connection_on_which_redis_hung_up_loses_no_hint(redis, servers, channel, monkeypatch):
    """Redis was started again between two hints: the second is told on a new connection."""
    monkeypatch.setattr(hints, "GATHER_SECONDS", 0.0)
    own = Redis.from_url(servers.redis_url, client_name="teller")
    with own, redis.pubsub(ignore_subscribe_messages=True) as told:
        teller = Hints(own)
        told.subscribe(channel)
        until(lambda: redis.pubsub_numsub(channel)[0][1], "Redis knows the listener")
        teller.tell("first", 1)
        assert words(told) == ["first", "1"]
        (mine,) = {one["id"] for one in redis.client_list() if one["name"] == "teller"}
        redis.client_kill_filter(_id=mine)
        teller.tell("second", 2)
        assert words(told) == ["second", "2"]
        teller.stop()


def test_hints_that_come_while_nobody_waits_for_them_are_all_heard(redis, channel, monkeypatch):
    """They are read together after a moment: none may be left in the connection until the next one comes."""
    monkeypatch.setattr(hints, "LISTEN_PAUSE", 0.2)
    one, other, heard = Hints(redis), Hints(redis), []
    before = threading.enumerate()
    other.listen(heard.append, lambda: None, is_prompt=lambda: False)
    until(lambda: redis.pubsub_numsub(channel)[0][1] >= 1, "Redis knows the listener")
    one.publish("first", 1)
    until(lambda: heard == ["first"], "the first is heard at once")
    for game in "abcdef":
        one.publish(game, 2)
    until(lambda: heard == ["first", *"abcdef"], "the others are heard, each once and in their order")
    stop_listening(other, before)


def test_a_stream_that_opens_hears_at_once_what_gathers(redis, channel, monkeypatch):
    """A game's first answer may come right after the stream: it is not kept back for others to gather."""
    monkeypatch.setattr(hints, "LISTEN_PAUSE", 3600.0)
    one, other, heard = Hints(redis), Hints(redis), []
    before = threading.enumerate()
    hub = StreamHub(1, other)
    other.listen(heard.append, lambda: None, is_prompt=lambda: not heard or hub.count > 0)
    until(lambda: redis.pubsub_numsub(channel)[0][1] >= 1, "Redis knows the listener")
    one.publish("first", 1)
    until(lambda: heard == ["first"], "it waits for more from now on")
    one.publish("second", 1)
    with hub.listen("second"):
        until(lambda: heard == ["first", "second"], "the second is heard")
    stop_listening(other, before)
