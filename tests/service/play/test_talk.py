"""Talk at a table: who may say what to whom, who reads it, and what stays when it is erased."""

import base64
import json
import re
import uuid

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from events.proof import canonical
from events.rules.catalogue import find_title, title_ids
from events.talk import phrases
from events.talk.content import make_signed_message
from events.talk.state import talk_id
from events.tlog.notes import peek_receipt
from events.verify import BadBundle, Trust, check_bundle
from events.verify.talk import verify_talk
from ops.cli.accounts import bans, reports
from projections.tree.grower import Grower
from projections.tree.log_state import LogState
from tests.clock import Clock
from tests.playing import play_to_the_end
from tests.service.addresses import walk
from tests.service.factories import Bot, GameRequest, Open, You, join_all
from tests.service.streams.test_feeds import Feed
from tests.service.streams.test_stream import Stream

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


def say(one, table, text="Peace?", key=None, **more):
    headers = {} if key is None else {"Idempotency_Key": key}
    return one.post(f"{table}/messages", {"text": text, **more}, status=201, **headers)


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


def test_a_repeated_request_is_said_once(ada, table):
    key = str(uuid.uuid4())
    first = say(ada, table, "Once", key)
    again = ada.send("POST", f"{table}/messages", {"text": "Once"}, Idempotency_Key=key)
    assert again.status_code == 201
    assert again.headers["Idempotency-Replayed"] == "true"
    assert again.get_json() == first
    other = ada.refused("POST", f"{table}/messages", {"text": "Twice"}, Idempotency_Key=key)
    assert other == (409, "idempotency_key_reused")
    assert len(read(ada, table)) == 1


def test_what_is_erased_stays_erased(ada, bob, table):
    key = str(uuid.uuid4())
    n = say(ada, table, "Secret", key)["message"]["n"]
    assert bob.refused("DELETE", f"{table}/messages/{n}") == (403, "not_your_message")
    ada.call("DELETE", f"{table}/messages/{n}", status=204)
    say(ada, table, "Secret", key)
    for one in (ada, bob):
        (shown,) = read(one, table)
        assert (shown["text"], shown["hidden"]) == (None, "erased")
    assert ada.refused("DELETE", f"{table}/messages/99") == (404, "no_such_message")


def test_what_is_erased_goes_from_the_streams_of_its_readers(api, ada, bob, cyn, table):
    """It comes again without its words; to others nothing tells that a whisper was erased."""
    game = table.rpartition("/")[2]
    aloud, whispered = (
        say(ada, table, text, **more)["message"]["n"] for text, more in (("Peace", {}), ("War", {"to": [1]}))
    )
    streams = [Stream(one, game, f"?after={ada.get(table)['seq']}") for one in (bob, cyn, api)]
    for n in (whispered, aloud):
        ada.call("DELETE", f"{table}/messages/{n}", status=204)
    last = say(ada, table, "The end")["message"]["n"]
    for stream, more in zip(streams, ({(whispered, "erased")}, set(), set()), strict=True):
        expected = {(aloud, "erased"), (last, None), *more}
        told = [stream.next() for _ in expected]
        assert {(kind, said["n"], said.get("hidden")) for kind, _, said in told} == {
            ("message", *one) for one in expected
        }
        stream.close()


def test_nobody_but_those_who_sit_there_writes(api, ada, bob, table):
    stranger = api.account("Eve")
    assert stranger.refused("POST", f"{table}/messages", {"text": "Hi"}) == (403, "not_a_player")
    assert api.refused("POST", f"{table}/messages", {"text": "Hi"}) == (401, "unauthenticated")
    assert ada.refused("POST", f"{table}/messages", {"text": "Hi", "seat": 1}) == (403, "not_your_seat")
    assert ada.refused("POST", f"{table}/messages", {"text": "Hi", "to": [0]}) == (422, "invalid_parameters")
    assert ada.refused("POST", f"{table}/messages", {"text": "Hi", "to": [7]}) == (409, "nobody_there")
    for wrong in ({}, {"text": "x" * 501}, {"text": "a\nb"}, {"text": "a", "phrase": "greet"}, {"text": ""}):
        assert ada.refused("POST", f"{table}/messages", wrong) == (422, "invalid_parameters")


def make(ada, *seats, **more):
    request = {**GameRequest(seats=list(seats)), **more}
    return f"/v1/games/{ada.post('/v1/games', request, status=201)['id']}"


def test_bots_hear_no_whispers(ada):
    table = make(ada, You(), Bot(), Bot())
    assert ada.refused("POST", f"{table}/messages", {"text": "Hi", "to": [1]}) == (409, "nobody_there")
    say(ada, table, "Is anybody there?")


@pytest.mark.parametrize(
    ("way", "aloud", "whispered", "phrase"),
    [
        ("none", "no_talk", "no_talk", "no_talk"),
        ("public", None, "no_whispers", None),
        ("phrases", "phrases_only", "phrases_only", None),
    ],
)
def test_a_table_settles_how_its_players_talk(ada, bob, way, aloud, whispered, phrase):
    table = make(ada, You(), Open(), talk=way)
    bob.post(f"{table}/join", {})
    sent = ({"text": "Hi"}, {"text": "Hi", "to": [1]}, {"phrase": "greet"})
    for body, code in zip(sent, (aloud, whispered, phrase), strict=True):
        answer = ada.send("POST", f"{table}/messages", body)
        assert (answer.status_code, answer.get_json().get("code")) == (409 if code else 201, code)
    assert bob.get(f"{table}/messages")["talk"] == way


def test_a_phrase_has_slots_for_seats_and_areas(ada, table):
    offered = ada.get("/v1/titles/colonial_empires/phrases")
    area, name = next(iter(offered["areas"].items()))
    body = {"phrase": "stay_out", "slots": {"area": area}}
    said = ada.post(f"{table}/messages", body, status=201)["message"]
    assert said["text"] == f"I will stay out of {name}."
    assert (said["phrase"], said["slots"]) == ("stay_out", {"area": area})
    for slots in ({}, {"area": "atlantis"}, {"seat": 1}):
        body = {"phrase": "stay_out", "slots": slots}
        assert ada.refused("POST", f"{table}/messages", body) == (422, "invalid_parameters")


def test_who_takes_a_seat_over_reads_no_earlier_whispers(api, ada, bob):
    table = make(ada, You(), Open(), Open())
    bob.post(f"{table}/join", {})
    say(ada, table, "To Bob", to=[1])
    say(ada, table, "To all")
    bob.post(f"{table}/commands", {"type": "table_leave"})
    dan = api.account("Dan")
    dan.post(f"{table}/join", {"seat": 1})
    say(ada, table, "To Dan", to=[1])
    assert [one["text"] for one in read(dan, table)] == [None, "To all", "To Dan"]
    assert [one["text"] for one in read(bob, table)] == ["To Bob", "To all", None]


def test_a_muted_account_is_not_read(ada, bob, table):
    say(bob, table, "Fool")
    ada.call("PUT", f"/v1/me/mutes/{bob.me['id']}", status=204)
    assert ada.get("/v1/me/mutes") == {"mutes": [{"account": bob.me["id"]}]}
    (shown,) = read(ada, table)
    assert (shown["text"], shown["hidden"]) == (None, "muted")
    ada.call("DELETE", f"/v1/me/mutes/{bob.me['id']}", status=204)
    assert read(ada, table)[0]["text"] == "Fool"
    assert ada.refused("PUT", f"/v1/me/mutes/{uuid.uuid4()}") == (404, "unknown_account")


def test_only_what_one_reads_can_be_reported(ada, bob, cyn, table, process):
    n = say(ada, table, "Fool", to=[1])["message"]["n"]
    assert cyn.refused("POST", f"{table}/messages/{n}/report", {}) == (403, "not_your_message")
    bob.call("POST", f"{table}/messages/{n}/report", {"reason": "Rude"}, status=204)
    with process.pool.connection() as connection:
        rows = connection.execute(
            "SELECT n, reason FROM message_report WHERE game_id = %s", (table.rpartition("/")[2],)
        ).fetchall()
    assert rows == [(n, "Rude")]


def test_the_operator_reads_reports_erases_and_bans(api, ada, operator):
    eve = api.account("Eve")
    table = make(ada, You(), Open(), Open())
    eve.post(f"{table}/join", {})
    n = say(eve, table, "You fool", to=[0])["message"]["n"]
    ada.call("POST", f"{table}/messages/{n}/report", {"reason": "Rude"}, status=204)
    game = table.rpartition("/")[2]
    told = operator(reports.command, game)
    assert "by Ada: Rude" in told
    assert f'Eve ({eve.me["id"]}): "You fool"' in told
    assert "erased" in operator(reports.command, game, "--message", str(n), "--erase")
    assert read(ada, table)[0]["hidden"] == "erased"
    assert "You fool" not in operator(reports.command)
    operator(bans.ban, eve.me["id"])
    assert eve.refused("POST", f"{table}/messages", {"text": "Again"}) == (403, "banned")


def test_with_an_account_go_its_words(api, ada):
    eve = api.account("Eve")
    table = make(ada, You(), Open(), Open())
    eve.post(f"{table}/join", {})
    say(eve, table, "I was here")
    assert [text["field"] for text in eve.get("/v1/me/export")["texts"]] == ["said"]
    eve.call("DELETE", "/v1/me", {"confirm": "Eve"}, status=204)
    (shown,) = read(ada, table)
    assert (shown["seat"], shown["hidden"]) == (1, "erased")


@pytest.fixture
def clock(games, monkeypatch):
    made = Clock()
    monkeypatch.setattr(games, "now", made)
    return made


def test_spectators_hear_later(api, ada, bob, clock):
    table = make(ada, You(), Open(), delay={"ms": 600_000})
    bob.post(f"{table}/join", {})
    clock.wait(3600)
    said = say(ada, table, "Now", to=[1])["message"]["n"]
    stream = Stream(api, table.rpartition("/")[2])
    assert stream.next()[0] == "game"
    assert read(api, table) == []
    assert api.refused("GET", f"{table}/messages/audit") == (404, "no_such_message")
    assert read(bob, table)[0]["text"] == "Now"
    clock.wait(601)
    assert [one["n"] for one in read(api, table)] == [said]
    kind, _, shown = stream.next()
    assert (kind, shown["n"], shown["text"]) == ("message", said, None)
    stream.close()


def test_it_closes_seven_days_after_the_game(ada, games, clock):
    table = make(ada, You(), You(), title="example")
    play_to_the_end(games, games.load(table.rpartition("/")[2]))
    assert ada.get(f"{table}/messages")["open"]
    say(ada, table, "Well played", seat=0)
    clock.wait(7 * 86_400 + 1)
    page = ada.get(f"{table}/messages")
    assert (page["open"], len(page["messages"])) == (False, 1)
    assert ada.refused("POST", f"{table}/messages", {"text": "Hi", "seat": 0}) == (409, "talk_closed")


# --- secrets -------------------------------------------------------------------------------------------

VARYING = re.compile(
    r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{64}|[A-Za-z0-9+/]{42,}={0,2}"
    r"|2[0-9]{3}-[0-9-]+T[0-9:.]+Z|(?<=\\n)[0-9]{10}(?=\\n)"
)
"""Ids, hashes, digests, signatures and times, which differ between any two games."""


def told(one, table):
    """All that an account is told of a talk, without what differs between any two games."""
    stream, feed = Stream(one, table.rpartition("/")[2]), Feed(one) if one.token else None
    stream.next()
    found = [one.send("GET", f"{table}/messages{query}").text for query in ("", "/audit", "?seat=spectator")]
    found += [one.send("GET", f"{table}/table").text, one.send("GET", f"{table}/history").text]
    if feed:
        found.append(json.dumps(feed.next()))
        feed.close()
    stream.close()
    return [VARYING.sub("*", text) for text in found]


def open_alike(ada, bob, cyn, api):
    """Two games that a third player and a spectator cannot tell apart before anything is said in them."""
    seen = {}
    while True:
        table = f"/v1/games/{join_all(ada, bob, cyn)}"
        looks = str([told(one, table) for one in (cyn, api)])
        if looks in seen:
            return seen[looks], table
        seen[looks] = table


def test_a_whisper_changes_nothing_that_others_are_told(api, ada, bob, cyn, process):
    """In two worlds that differ in a whisper alone, a third player and a spectator are told the same."""
    worlds, words = [], ("Attack Cyn at dawn", "Peace with all of you for ever")
    alike = open_alike(ada, bob, cyn, api)
    for text, table in zip(words, alike, strict=True):
        streams = [Stream(one, table.rpartition("/")[2]) for one in (cyn, api)]
        for stream in streams:
            stream.next()
        said = say(ada, table, text, to=[1])["message"]["n"]
        live = [stream.next() for stream in streams]
        worlds.append([*(told(one, table) for one in (cyn, api)), VARYING.sub("*", json.dumps(live))])
        stored = process.messages.find(talk_id(table.rpartition("/")[2]), _commands(process, table))
        (kept,) = stored.values()
        for one in (cyn, api):
            for answer in walk(one, table.rpartition("/")[2]).values():
                assert text.encode() not in answer[1]
                assert base64.b64encode(kept.salt) not in answer[1]
        assert said == 2
        for stream in streams:
            stream.close()
    assert worlds[0] == worlds[1]


def _commands(process, table):
    return [record.command_id for record in process.talks.records(talk_id(table.rpartition("/")[2]), 1)]


# --- proof ---------------------------------------------------------------------------------------------


@pytest.fixture
def publish(api, process, settings):
    """Number, grow and sign what there is."""

    def run():
        api.project()
        Grower(process.pool, process.keyring, LogState.locate(None, settings.data)).run()

    return run


def lines_of(one, address):
    return one.send("GET", address).data.splitlines(keepends=True)


def move(one, table):
    legal = one.get(f"{table}/decisions")["legal"][0]
    one.post(f"{table}/commands", {**legal["command"], "seat": legal["seat"]})


def test_a_promise_is_proven_with_the_events_around_it(ada, bob, cyn, table, publish, process):
    """The copy of who heard it shows who promised what to whom, after which event and before which."""
    trust = Trust(keys=[process.keyring.signer.verifier])
    at_event = say(ada, table, "I will not attack you.", to=[1])["message"]["at_event"]
    publish()
    move(next(one for one in (ada, bob, cyn) if one.get(f"{table}/decisions")["legal"]), table)
    last = ada.get(table)["seq"]
    publish()
    game = check_bundle(lines_of(bob, f"{table}/audit"), trust)
    report = verify_talk(lines_of(bob, f"{table}/messages/audit"), trust, game)
    assert report.is_complete, report.unchecked
    (promise,) = report.messages
    assert (promise.seat, promise.to, promise.at_event, promise.before) == (0, (1,), at_event, last)
    assert promise.content.text == "I will not attack you."
    assert "as the server recorded it" in report.summary()
    other = verify_talk(lines_of(cyn, f"{table}/messages/audit"), trust, game)
    assert other.messages[0].content is None
    assert "words not in this file" in other.summary()


def test_a_seat_with_a_key_signs_what_it_says(ada, bob):
    table = make(ada, You(), Open())
    key = Ed25519PrivateKey.generate()
    bob.post(f"{table}/join", {"key": key.public_key().public_bytes_raw().hex()})
    game, cmd = table.rpartition("/")[2], str(uuid.uuid4())
    assert bob.refused("POST", f"{table}/messages", {"text": "Hi"}) == (403, "signature_required")
    event = bob.get(f"{table}/events?limit=1")["events"][0]

    def sign(text):
        raw = key.sign(make_signed_message(cmd, game, event["hash"], 1, 1, [0], {"text": text}))
        return {"Idempotency_Key": cmd, "Rutter_Signature": f"1 {base64.b64encode(raw).decode()}"}

    body = {"text": "I owe you", "to": [0]}
    assert bob.refused("POST", f"{table}/messages", body, **sign("I owe")) == (403, "signature_invalid")
    assert bob.post(f"{table}/messages", body, status=201, **sign("I owe you"))["message"]["signed"]
    lines = lines_of(ada, f"{table}/messages/audit")
    (message,) = verify_talk(lines, Trust()).messages
    assert "signed by the key of the seat" in message.text()
    with pytest.raises(BadBundle, match="not those of its digest"):
        verify_talk(change(lines, 2, said=lambda said: said["content"].pop("sig")), Trust())


def change(lines, n, said=None, body=None):
    """The lines of a talk when event *n* says something else, all of it chained again."""
    header, *rest = [json.loads(line) for line in lines]
    made, head = [header], canonical.genesis(header["talk"])
    for event in rest[: header["events"]]:
        if event["n"] == n:
            told = json.loads(event["body"])
            if body:
                body(told)
            if said:
                said(event["said"])
            event["body"] = canonical.encode(told).decode()
        head = canonical.link(head, event["body"].encode())
        made.append({**event, "hash": head.hex()})
    note = rest[header["events"]]["note"]
    was = base64.b64encode(peek_receipt(note).hash).decode()
    made.append({"kind": "receipt", "note": note.replace(was, base64.b64encode(head).decode())})
    return [canonical.encode(line) + b"\n" for line in made]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (lambda b: b["data"].update(seat=2), "is not the seat that spoke"),
        (lambda b: b.update(by="p2", data={**b["data"], "seat": 2}), "to is not a list of other seats"),
        (lambda b: b["data"].update(digest=base64.b64encode(bytes(32)).decode()), "not those of its digest"),
        (lambda b: b["data"].update(at_event=0), "at_event"),
        (lambda b: b["data"].update(head="00" * 32), "another hash of event"),
        (lambda b: b["data"].update(key="11" * 32), "did not sign"),
        (lambda b: b["data"].update(more=1), "not in the form"),
        (lambda b: b.update(at="2026-01-01T00:00:00.000000Z"), "runs backwards"),
    ],
)
def test_a_forged_message_is_refused(ada, bob, table, body, reason):
    say(ada, table, "Peace", to=[1, 2])
    game = check_bundle(lines_of(bob, f"{table}/audit"), Trust())
    lines = lines_of(bob, f"{table}/messages/audit")
    verify_talk(change(lines, 2), Trust(), game)
    with pytest.raises(BadBundle, match=reason):
        verify_talk(change(lines, 2, body=body), Trust(), game)


def test_a_text_that_is_not_that_of_its_digest_is_refused(ada, bob, table):
    say(ada, table, "Peace")
    lines = lines_of(bob, f"{table}/messages/audit")
    wrong = change(lines, 2, said=lambda said: said["content"].update(text="War"))
    with pytest.raises(BadBundle, match="not those of its digest"):
        verify_talk(wrong, Trust())


def test_the_talk_of_a_game_is_a_stream_whose_id_follows_from_the_games(ada, table):
    say(ada, table, "Peace")
    header = msgspec.json.decode(lines_of(ada, f"{table}/messages/audit")[0])
    assert header["talk"] == talk_id(table.rpartition("/")[2])
    assert uuid.UUID(header["talk"]).version == 8


@pytest.mark.parametrize("title", title_ids())
def test_each_title_has_phrases_that_can_be_filled(api, title):
    """Each slot can be filled with a seat or an area that the title has, and no phrase stands twice."""
    known = phrases.load_phrases(title)
    if not known.phrases:
        assert title == "example"
        return
    areas = phrases.list_areas(find_title(title), known)
    assert len({one.id for one in known.phrases}) == len(known.phrases)
    for one in known.phrases:
        slots = {name: 1 if kind == "seat" else next(iter(areas)) for name, kind in one.slots.items()}
        text = phrases.fill(one, slots, range(2), areas, lambda seat: f"Seat {seat}")
        assert "{" not in text
    assert len(api.get(f"/v1/titles/{title}/phrases")["phrases"]) == len(known.phrases)
