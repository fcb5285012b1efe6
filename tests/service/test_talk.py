"""Talk at a table: who may say what to whom, who reads it, and what stays when it is erased."""

import pytest

from tests.service.factories import join_all
from tests.service.test_feeds import Feed
from tests.service.test_stream import Stream

pytestmark = pytest.mark.integration


@pytest.fixture
def ada(api):
    return api.account("Ada")


@pytest.fixture
def bob(api):
    return api.account("Bob")


@pytest.fixture
def cyn(api):
    return api.account("Cyn")


@pytest.fixture
def table(ada, bob, cyn):
    """The address of a running game of three."""
    return f"/v1/games/{join_all(ada, bob, cyn)}"


def say(one, table, text="Peace?", status=201, **more):
    return one.post(f"{table}/messages", {"text": text, **more}, status=status)


def read(one, table, query=""):
    return one.get(f"{table}/messages{query}")["messages"]


def test_everybody_reads_what_is_said_aloud(api, ada, bob, table):
    said = say(ada, table, "Peace until turn five.")
    assert said["message"]["n"] == 2
    assert said["message"]["you"]
    assert said["receipt"].startswith("rutter/receipt@v1")
    for one in (api, bob):
        (shown,) = read(one, table)
        assert (shown["seat"], shown["to"], shown["text"]) == (0, None, "Peace until turn five.")
        assert shown["at_event"] == ada.get(table)["seq"]
        assert not shown["you"]


def test_only_those_to_whom_it_is_whispered_read_it(api, ada, bob, cyn, table):
    say(ada, table, "Against Cyn?", to=[1])
    for one, text in ((ada, "Against Cyn?"), (bob, "Against Cyn?"), (cyn, None), (api, None)):
        (shown,) = read(one, table)
        assert (shown["to"], shown["text"]) == ([1], text)
        assert shown.get("hidden") == (None if text else "whisper")
    assert read(ada, table, "?seat=spectator")[0]["text"] is None


def test_it_comes_on_the_streams_of_the_game_without_an_id(api, ada, bob, table):
    game = table.rpartition("/")[2]
    streams = {one: Stream(one, game, "?after=1") for one in (bob, api)}
    for stream in streams.values():
        stream.events(ada.get(table)["seq"])
    say(ada, table, "Aloud")
    say(ada, table, "Bob alone", to=[1])
    for one, words in ((bob, ["Aloud", "Bob alone"]), (api, ["Aloud", None])):
        found = [streams[one].next() for _ in words]
        assert [(kind, seq, said["text"]) for kind, seq, said in found] == [
            ("message", None, text) for text in words
        ]
        streams[one].close()


def test_it_comes_on_the_stream_of_each_account_at_the_table(ada, bob, cyn, table):
    feeds = {one: Feed(one) for one in (bob, cyn)}
    for feed in feeds.values():
        assert feed.next()[0] == "turns"
    say(ada, table, "Bob alone", to=[1])
    for one, text in ((bob, "Bob alone"), (cyn, None)):
        kind, seq, said = feeds[one].next()
        assert (kind, seq, said["text"], said["game"]) == ("message", None, text, table.rpartition("/")[2])
        feeds[one].close()
