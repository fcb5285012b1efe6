"""However many follow a tournament, or what their accounts are told: what they share is read once."""

from __future__ import annotations

import json
import threading
from collections import Counter
from contextlib import contextmanager
from dataclasses import replace

import psycopg
import pytest

from events.base.timestamps import add_milliseconds
from events.store.stream_writer import utc_now
from ops.server.wsgi import create_app
from service.api import game_stream, tournament_history
from service.api.account import notifications
from service.application.tournament_context import make_tournament_context
from service.presenters import tournament_presenter
from service.stores import seat_claims, stream_visibility, tokens, tournament_people
from service.streaming import event_cache
from service.streaming.hint_cache import HintCache
from service.streaming.stream_hub import StreamListener
from tests.service.client import Api
from tests.service.factories import join_all
from tests.service.organising import Event
from tests.service.streams.test_stream import move
from tests.waiting import PATIENCE, until

pytestmark = pytest.mark.integration

MANY = 50


class Listeners:
    """Streams in a process of their own, which hears of commands by hints; what they ask is noted."""

    def __init__(self, settings, monkeypatch, count):
        for module in (
            stream_visibility,
            tournament_people,
            seat_claims,
        ):  # so that nothing depends on how long a test takes
            monkeypatch.setattr(module, "CACHE_SECONDS", 3600.0)
        monkeypatch.setattr(tokens, "CACHE_SECONDS", 3600.0)
        self.app = create_app(replace(settings, streams=count, heartbeat=3600.0))
        self.here = self.app.extensions["rutter"]
        self.asked, self.askers = [], set()
        self._got = [[] for _ in range(count)]
        self._came = threading.Condition()
        self._threads = []
        self._waits = Counter()
        self._note(monkeypatch)

    def _note(self, monkeypatch):
        plain = psycopg.Cursor.execute

        def execute(cursor, query, *values, **more):
            if threading.current_thread() in self._threads:
                self.asked.append(str(query))
                self.askers.add(threading.current_thread())
            return plain(cursor, query, *values, **more)

        monkeypatch.setattr(psycopg.Cursor, "execute", execute)
        wait = StreamListener.wait

        def waited(listener, seconds):
            with self._came:
                self._waits[listener] += 1
                self._came.notify_all()
            return wait(listener, seconds)

        monkeypatch.setattr(StreamListener, "wait", waited)

    @contextmanager
    def woken(self, word):
        """Within it something is told of *word* once: after it all who follow that have looked what it is."""
        with self._came:
            before = {one: self._waits[one] for one in self.here.stream_hub._listeners_of(word)}
        assert before
        yield
        with self._came:
            looked = self._came.wait_for(lambda: all(self._waits[one] > n for one, n in before.items()), 120)
            assert looked, "somebody was not woken"

    def open(self, people, path):
        """One stream for each place, the *people* (None: nobody) in turn."""
        until(lambda: self.here.hints.hearing, "hints are heard")
        for number, got in enumerate(self._got):
            one = people[number % len(people)]
            api = Api(self.app, one.token, one.me) if one else Api(self.app)
            answer = api.send("GET", path)
            assert answer.status_code == 200, answer.text
            thread = threading.Thread(target=self._read, args=(answer, got))
            self._threads.append(thread)
            thread.start()
        with self._came:  # from here on they wait for hints
            assert self._came.wait_for(lambda: len(self._waits) == len(self._got), 120)

    def _read(self, answer, got):
        for chunk in answer.iter_encoded():
            if chunk.startswith(b"event"):
                with self._came:
                    got.append(message(chunk))
                    self._came.notify_all()

    def wait(self, wanted, which=None):
        """Until each of the streams (or *which* of them) was told something that is *wanted*."""

        def all_told():
            places = range(len(self._got)) if which is None else which
            return all(any(wanted(*one) for one in self._got[place]) for place in places)

        with self._came:
            assert self._came.wait_for(all_told, 120), [len(got) for got in self._got]

    def told(self, place):
        """What one of them was told."""
        return list(self._got[place])

    def forget(self):
        """What was asked up to now is of no interest."""
        self.asked.clear()
        self.askers.clear()

    def have_asked(self):
        """The places of those who asked for anything."""
        return {place for place, thread in enumerate(self._threads) if thread in self.askers}

    def end(self):
        self.here.stream_hub.stop()
        for thread in self._threads:
            thread.join(PATIENCE)
        self.here.close()


def message(chunk):
    """The event, the id and the data of one message."""
    fields = dict(line.split(": ", 1) for line in chunk.decode().strip().split("\n"))
    return fields["event"], fields.get("id"), json.loads(fields["data"])


@pytest.fixture
def listening(settings, monkeypatch):
    """Opens so many streams."""
    made = []

    @contextmanager
    def listen(count, people, path):
        one = Listeners(settings, monkeypatch, count)
        made.append(one)
        one.open(people, path)
        yield one
        one.end()
        made.remove(one)

    yield listen
    for one in made:
        one.end()


def of_seq(seq):
    return lambda event, identity, _data: event == "event" and int(identity) >= seq


def entry(olga, players, **settings):
    """A tournament that people enter."""
    event = Event(olga, players, **settings)
    event.do("open_entry")
    return event


def cost(listening, count, people, event, act):
    """What *count* streams of a tournament ask when *act* changes it; each is told all of it in order."""
    with listening(count, people, f"{event.path}/stream?after=0") as streams:
        streams.wait(of_seq(event.get()["seq"]))
        for _ in range(2):  # what is kept for a while is known after the first
            streams.forget()
            with streams.woken(event.id):
                seq = act()["seq"]
        asked = list(streams.asked)
        told = [[int(one[1]) for one in streams.told(place) if one[0] == "event"] for place in range(count)]
    assert all(seqs == list(range(1, seq + 1)) for seqs in told)
    return asked


@pytest.mark.parametrize("private", [False, True])
def test_a_change_of_a_tournament_is_read_once(api, olga, players, listening, private):
    """By fifty as by six: entrants, those who run it, members of its club, and others where they may look."""
    club = olga.post("/v1/clubs", {"name": "Navigators"}, status=201)["id"]
    event = entry(olga, players, **({"club": club} if private else {}))

    def join(one):
        olga.call("PUT", f"/v1/clubs/{club}/members/{one.me['id']}", {})
        return one

    def enter(one=None):
        return event.do("enter", by=join(one or api.account("Another")))

    for player in players[:3]:
        enter(player)
    people = [olga, *players[:3], join(api.account("Member")), players[3] if private else None]
    join(players[3])
    few = cost(listening, len(people), people, event, enter)
    many = cost(listening, MANY, people, event, enter)
    assert len([text for text in many if "es.event" in text]) == 1, many
    assert sorted(many) == sorted(few)


def test_an_event_is_written_once(olga, players, listening, monkeypatch):
    """Also one with a text, which is looked up for those who are told now; standings follow in time."""
    event = entry(olga, players)
    for player in players[:2]:
        event.do("enter", by=player)
    event.do("close_entry")
    written, plain, giving = [], tournament_presenter.present_event, threading.current_thread()

    def noted(record, texts):
        if threading.current_thread() is not giving:  # the giver of the command is answered apart
            written.append(record.seq)
        return plain(record, texts)

    monkeypatch.setattr(tournament_presenter, "present_event", noted)
    monkeypatch.setattr(event_cache, "TRUST_SECONDS", 3600.0)

    def warn():
        effect = {"warn": {"entrant": "e1"}}
        return event.do("rule", kind="conduct", effects=[effect], text="Late again.")

    asked = cost(listening, MANY, [olga, players[0], None], event, warn)
    assert len([text for text in asked if "es.text" in text]) == 1, asked
    assert sorted(written) == list(range(1, event.get()["seq"] + 1))


def test_standings_are_counted_once(olga, players, process, monkeypatch):
    """For all who see as far, as long as no results come."""
    event = Event(olga, players)
    event.begin()
    counted, plain = [], tournament_presenter.present_standings
    monkeypatch.setattr(
        tournament_presenter, "present_standings", lambda *given: counted.append(1) or plain(*given)
    )
    monkeypatch.setattr(tournament_history, "STANDINGS_SECONDS", 3600.0)
    seen = make_tournament_context(process, event.id, None)
    told = {tournament_history._encode_standings(process, seen) for _ in range(MANY)}
    (one,) = told
    assert message(one)[2] == event.get("/standings")
    assert len(counted) == 2  # and once for the one who asked for a page


def test_who_may_look_no_more_is_told_no_more(api, olga, players, listening):
    """Out of the club: the stream ends, and what happens from then on is not told; others go on."""
    club = olga.post("/v1/clubs", {"name": "Navigators"}, status=201)["id"]
    event = entry(olga, players, club=club)
    members = [api.account("Stays"), api.account("Goes")]
    for one in (*members, players[0]):
        olga.call("PUT", f"/v1/clubs/{club}/members/{one.me['id']}", {})
    with listening(2, members, f"{event.path}/stream?after=0") as streams:
        streams.wait(of_seq(event.get()["seq"]))
        olga.call("DELETE", f"/v1/clubs/{club}/members/{members[1].me['id']}", status=204)
        seq = event.do("enter", by=players[0])["seq"]
        streams.wait(of_seq(seq), [0])
        streams.wait(lambda kind, *_: kind == "closing", [1])
        assert not any(of_seq(seq)(*one) for one in streams.told(1))


def programs(one, count):
    """So many tokens of one account, as its programs have them."""
    wish = {"label": "program", "scopes": ["game:read"]}
    made = [one.post("/v1/me/tokens", wish, status=201)["token"] for _ in range(count)]
    return [Api(one.app, token, one.me) for token in made]


def cost_of_moves(listening, people, players, game_id):
    """What streams of one account ask for each of three commands in its game; all are told the same."""
    with listening(len(people), people, "/v1/me/stream?legal=true") as streams:
        asked = []
        for _ in range(3):
            streams.forget()
            with streams.woken(game_id):
                move(players, game_id)
            asked.append(sorted(streams.asked))
        told = [streams.told(place) for place in range(len(people))]
    assert [kind for kind, *_ in told[0]][:2] == ["turns", "turn"]
    assert all(messages == told[0] for messages in told)
    return asked[1:]  # what is kept for a while is known after the first


def test_a_move_is_read_once_by_the_streams_of_accounts(api, listening, monkeypatch):
    """By fifty as by one; no notices are read for it. What a seat may do is written once for all of them."""
    players = api.account("One"), api.account("Other")
    game_id = join_all(*players)
    players[0].project()
    (mine,) = [one for one in players if one.get("/v1/me/turns")["turns"]][:1]
    people = [mine, *programs(mine, MANY - 1)]
    written, plain, giving = Counter(), game_stream.present_turn, threading.current_thread()

    def noted(game, seat):
        if threading.current_thread() is not giving:
            written[game.seq] += 1
        return plain(game, seat)

    monkeypatch.setattr(game_stream, "present_turn", noted)
    few = cost_of_moves(listening, people[:1], players, game_id)
    written.clear()
    many = cost_of_moves(listening, people, players, game_id)
    assert [len([text for text in asked if "es.event" in text]) for asked in many] == [1, 1], many
    assert many == few
    assert set(written.values()) == {1}


def test_whom_a_hint_does_not_concern_reads_nothing(api, listening):
    """A notice of one account is read for it alone, once for all its streams; a game for who plays it."""
    people = [api.account(f"Reader {number}") for number in range(MANY // 2)]
    one, other = people[:2]
    mine = [0, *range(MANY // 2, MANY)]
    hints = api.app.extensions["rutter"].hints
    with listening(MANY, [*people, *programs(one, MANY // 2)], "/v1/me/stream?legal=true") as streams:
        game_id = join_all(one, other)
        one.project()
        streams.forget()
        with streams.woken(f"notice:{one.me['id']}"):
            hints.publish_notice(one.me["id"])
        streams.wait(lambda kind, _, data: kind == "game.begun" and data["game"] == game_id, mine)
        assert len([text for text in streams.asked if "FROM notice" in text]) == 1, streams.asked
        assert streams.have_asked() <= set(mine)
        streams.forget()
        with streams.woken(game_id):
            move((one, other), game_id)
        assert [text for text in streams.asked if "FROM notice" in text] == []
        assert streams.have_asked() < set(mine)


def test_a_notice_that_could_not_be_read_is_not_forgotten(api, process, monkeypatch):
    """The database is away when it is told: the next hint brings it, whatever that is about."""
    one, other = api.account("One"), api.account("Other")
    account = process.tokens.find(one.token).account
    listener = process.stream_hub.listen(f"notice:{account.id}")
    content = notifications._AccountContent(process, account, listener, None, None, legal=False)
    with listener:
        list(content.first_messages())
        game_id = join_all(one, other)
        one.project()
        process.stream_hub.notify(f"notice:{account.id}")
        asked, plain = [], process.notifications.list_notices

        def away(*given):
            asked.append(given)
            raise psycopg.OperationalError("away")

        monkeypatch.setattr(process.notifications, "list_notices", away)
        assert list(content.new_messages(frozenset({f"notice:{account.id}"}))) == []
        monkeypatch.setattr(
            process.notifications, "list_notices", lambda *given: asked.append(given) or plain(*given)
        )
        found = [message(one)[2]["game"] for one in content.new_messages(frozenset({game_id}))]
        assert set(found) == {game_id}
        assert len(asked) == 2
        assert list(content.new_messages(frozenset({game_id}))) == []
        assert len(asked) == 2


def test_spectators_look_together_how_far_they_see(olga, players, listening, monkeypatch):
    """Results that they may not see yet are kept from all of them, and come when they may; players see on."""
    event = Event(olga, players[:2], delay={"ms": 600_000}, stages=[{"format": "swiss_pods", "rounds": 1}])
    event.begin()
    before = event.get()["seq"]
    with listening(MANY, [players[0], None], f"{event.path}/stream?after=0") as streams:
        streams.wait(of_seq(before))
        streams.forget()
        with monkeypatch.context() as patch:
            patch.setattr(event_cache, "TRUST_SECONDS", 3600.0)
            event.play(event.tables()[0])
            event.house()
            last = event.get()["seq"]
            streams.wait(of_seq(last), range(0, MANY, 2))
            with streams.woken(event.id):
                streams.here.stream_hub.notify(event.id)
            looks = [text for text in streams.asked if "ResultRecorded" in text]
            assert 1 <= len(looks) <= last - before + 1, "at most one for each hint"
        told = [
            data["type"]
            for place in range(1, MANY, 2)
            for kind, _, data in streams.told(place)
            if kind == "event"
        ]
        assert "TableLinked" in told
        assert "ResultRecorded" not in told
        monkeypatch.setattr(streams.here.games, "now", lambda: add_milliseconds(utc_now(), 700_000))
        streams.wait(of_seq(last))


@pytest.mark.parametrize("redis", [None, "redis://127.0.0.1:1/0"])
def test_without_hints_nothing_is_lost(api, olga, players, settings, redis):
    """While Redis is away streams look for themselves: what other processes did comes, in order and whole."""
    app = create_app(replace(settings, redis_url=redis, heartbeat=3600.0))
    event = entry(olga, players)
    account = api.account("Apart")
    listening = {
        path: Api(app, account.token, account.me).send("GET", path).iter_encoded()
        for path in (f"{event.path}/stream?after=0", "/v1/me/stream?legal=true")
    }
    tournament, own = (
        (message(one) for one in chunks if one.startswith(b"event")) for chunks in listening.values()
    )
    last = event.get()["seq"]
    assert [int(next(tournament)[1]) for _ in range(last)] == list(range(1, last + 1))
    assert next(own)[0] == "turns"
    for player in players:
        event.do("enter", by=player)
        last += 1
        assert next(tournament)[1] == str(last)
    game_id = join_all(account, players[0])
    api.project()
    kind, _, data = next(own)
    assert (kind, data["game"]) == ("game.begun", game_id)
    app.extensions["rutter"].close()


def test_what_is_fresh_is_asked_once_for_each_hint():
    """Those whom a hint has woken take no answer of before it; others none older than a moment."""
    told, asked = [0], []
    fresh = HintCache(lambda _word: told[0])

    def get(*, hinted, believed=3600.0):
        return fresh.get(
            "t", "x", lambda before: asked.append(before) or len(asked), hinted=hinted, believed=believed
        )

    assert [get(hinted=True), get(hinted=False), get(hinted=True)] == [1, 1, 1]
    told[0] = 1
    assert [get(hinted=True), get(hinted=True)] == [2, 2]
    assert get(hinted=False, believed=0.0) == 3
    assert asked == [None, 1, 2], "those who ask get what was found the last time"
