"""Thirty-two clients at one game: writing at once, following it live, and reading what the log says."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from events.verify import verify
from tests.acceptance.client import Answer, Client, Stream
from tests.acceptance.players import Player, begin
from tests.waiting import PATIENCE

pytestmark = pytest.mark.integration
CLIENTS = 32


@pytest.fixture(scope="module")
def nobody(live_server) -> Client:
    return Client(live_server.address)


def hotseat(nobody: Client, seats: int = 4) -> tuple[Client, str]:
    """An account that holds every seat of a game."""
    ada = nobody.account("Ada")
    body = {"title": "colonial_empires", "seats": [{"you": True}] * seats}
    return ada, f"/v1/games/{ada.post('/v1/games', body, status=201)['id']}"


def at_once(client: Client, act: Callable[[int, Client], Any]) -> list[Any]:
    """What each of the clients gets, all of them starting at the same moment."""
    start = threading.Barrier(CLIENTS)

    def one(number: int) -> Any:
        own = client.again()
        own.send("GET", "/healthz")
        start.wait(PATIENCE)
        try:
            return act(number, own)
        finally:
            own.close()

    with ThreadPoolExecutor(CLIENTS) as pool:
        return list(pool.map(one, range(CLIENTS)))


def offered(client: Client, path: str) -> dict[str, Any]:
    move = client.get(f"{path}/decisions")["legal"][0]
    return {**move["command"], "seat": move["seat"]}


def bodies(client: Client, path: str) -> list[Any]:
    copy = client.send("GET", f"{path}/audit").body
    verify(copy.splitlines(keepends=True), partial=True)
    return [json.loads(json.loads(line)["body"]) for line in copy.splitlines()[1:-1]]


@pytest.mark.slow
def test_everybody_gives_commands_and_each_accepted_one_happens_once(nobody):
    ada, path = hotseat(nobody)
    before = ada.get(path)["seq"]

    def play(number: int, own: Client) -> list[Answer]:
        answers = []
        for turn in range(6):
            legal = own.get(f"{path}/decisions")["legal"]
            if not legal:
                break
            move = legal[(number + turn) % len(legal)]
            answers.append(own.send("POST", f"{path}/commands", {**move["command"], "seat": move["seat"]}))
        return answers

    answers = [answer for several in at_once(ada, play) for answer in several]
    accepted = [answer.json for answer in answers if answer.status == 200]
    refused = [answer for answer in answers if answer.status != 200]
    assert len(accepted) > 5
    assert {(answer.status, bool(answer.code)) for answer in refused} <= {(409, True)}
    seqs = [event["seq"] for answer in accepted for event in answer["events"]]
    assert sorted(seqs) == list(range(before + 1, before + 1 + len(seqs))), "no event lost, none twice"
    assert len({body["cmd"] for body in bodies(ada, path) if body["n"] > before}) == len(accepted)


def test_the_same_key_thirty_two_times_is_one_command(nobody):
    ada, path = hotseat(nobody)
    before = ada.get(path)["seq"]
    body = offered(ada, path)
    answers = at_once(
        ada, lambda _, own: own.send("POST", f"{path}/commands", body, Idempotency_Key="the-same")
    )
    assert [answer.status for answer in answers] == [200] * CLIENTS
    assert len({answer.text for answer in answers}) == 1
    assert sum("idempotency-replayed" in answer.headers for answer in answers) == CLIENTS - 1
    assert len({body["cmd"] for body in bodies(ada, path) if body["n"] > before}) == 1


def test_of_those_who_expect_the_same_event_one_wins(nobody):
    ada, path = hotseat(nobody)
    before = ada.get(path)["seq"]
    body = offered(ada, path)
    answers = at_once(ada, lambda _, own: own.send("POST", f"{path}/commands", body, If_Match=f'"{before}"'))
    won = [answer for answer in answers if answer.status == 200]
    lost = [answer for answer in answers if answer.status != 200]
    assert len(won) == 1
    assert {(answer.status, answer.code) for answer in lost} == {(412, "version_conflict")}
    now = won[0].json["seq"]
    assert {answer.headers["etag"] for answer in answers} == {f'"{now}"'}
    assert ada.get(path)["seq"] == now


def test_the_same_game_made_thirty_two_times_is_one_game(nobody):
    ada = nobody.account("Ada")
    body = {"title": "colonial_empires", "seats": [{"you": True}, {"open": True}]}
    answers = at_once(ada, lambda _, own: own.send("POST", "/v1/games", body, Idempotency_Key="one game"[:3]))
    assert {answer.status for answer in answers} == {201}
    assert len({answer.json["id"] for answer in answers}) == 1


def test_of_thirty_two_who_want_the_last_seat_one_gets_it(nobody):
    ada = nobody.account("Ada")
    body = {"title": "colonial_empires", "seats": [{"you": True}, {"open": True}]}
    path = f"/v1/games/{ada.post('/v1/games', body, status=201)['id']}"
    others = [nobody.account(f"Player {number}") for number in range(CLIENTS)]
    answers = at_once(nobody, lambda number, _: others[number].send("POST", f"{path}/join", {}))
    assert sorted(answer.status for answer in answers) == [200] + [409] * (CLIENTS - 1)
    assert {answer.code for answer in answers if answer.status == 409} <= {"seat_taken", "game_not_open"}
    winner = next(n for n, answer in enumerate(answers) if answer.status == 200)
    game = nobody.get(path)
    assert game["status"] == "running"
    assert game["seats"][1]["account"] == others[winner].me["id"]
    assert not any(s["you"] for s in nobody.account("Late").get(path)["seats"])


@pytest.mark.slow
def test_a_seat_is_taken_once_however_often_several_want_it_at_the_same_moment(nobody):
    """Eight at once, again and again: the log seats one, and it is the one who was told so."""
    check_one_seat(nobody, 20)


def check_one_seat(nobody: Client, times: int) -> None:
    """Let eight want the last seat of so many games."""
    ada = nobody.account("Ada")
    others = [nobody.account(f"Player {number}") for number in range(8)]
    wish = {"title": "colonial_empires", "seats": [{"you": True}, {"open": True}]}
    start = threading.Barrier(len(others))

    def join(other: Client, path: str) -> int:
        start.wait(PATIENCE)
        return other.send("POST", f"{path}/join", {}).status

    with ThreadPoolExecutor(len(others)) as threads:
        for _ in range(times):
            path = f"/v1/games/{ada.post('/v1/games', wish, status=201)['id']}"
            told = list(threads.map(join, others, [path] * len(others)))
            assert sorted(told) == [200] + [409] * (len(others) - 1)
            holder = others[told.index(200)].me["id"]
            assert nobody.get(path)["seats"][1]["account"] == holder
            taken = [e for e in nobody.get(f"{path}/events")["events"] if e["type"] == "SeatTaken"]
            assert [e["data"]["seat"] for e in taken] == [0, 1]


def test_thirty_two_follow_one_game_and_all_hear_everything_in_order(nobody):
    title = next(t for t in nobody.get("/v1/titles")["titles"] if t["id"] == "colonial_empires")
    match = begin(nobody, title, people=2, bots=0)
    watchers = [match.viewers[number % 3].again() for number in range(CLIENTS)]
    start = threading.Barrier(CLIENTS + 1)
    end: list[int] = []
    ended = threading.Event()

    def follow(client: Client) -> list[Any]:
        with Stream(client, f"{match.path}/stream?after=0") as stream:
            start.wait(PATIENCE)
            found: list[Any] = []
            for event, identity, data in stream:
                if event == "turn":
                    continue
                assert (event, identity) == ("event", str(data["seq"]))
                found.append(data)
                if ended.is_set() and data["seq"] >= end[0]:
                    break
            return found

    with ThreadPoolExecutor(CLIENTS) as pool:
        heard = [pool.submit(follow, one) for one in watchers]
        start.wait(PATIENCE)
        match.play(25)
        last = match.players[0].api.get(match.path)["seq"]
        end.append(last + 1)
        ended.set()
        while match.nobody.get(match.path)["seq"] <= last:
            assert match.play(1) or True
        now = match.nobody.get(match.path)["seq"]
        for one, future in zip(watchers, heard, strict=True):
            events = future.result(PATIENCE)
            assert [e["seq"] for e in events] == list(range(1, len(events) + 1))
            assert last < len(events) <= now
            assert events == one.get(f"{match.path}/events?limit=1000")["events"][: len(events)]


def test_a_stream_goes_on_where_it_was_cut_off(nobody):
    ada, path = hotseat(nobody, 2)
    player = Player(ada)
    with Stream(ada, f"{path}/stream") as stream:
        first = next(iter(stream))
        assert first[:2] == ("game", None)
        assert first[2] == ada.get(path)
        seen = first[2]["seq"]
        for _ in range(5):
            happened = player.step(first[2]["id"])
            for event in stream.events(happened["seq"]):
                assert event["seq"] == seen + 1
                seen += 1
    for _ in range(5):
        player.step(first[2]["id"])
    last = ada.get(path)["seq"]
    with Stream(ada, f"{path}/stream", Last_Event_ID=str(seen)) as stream:
        assert [e["seq"] for e in stream.events(last)] == list(range(seen + 1, last + 1))
    with Stream(ada, f"{path}/stream?after=2", Last_Event_ID=str(seen)) as stream:
        assert stream.events(seen + 1)[0]["seq"] == seen + 1


def test_events_history_and_pages_tell_the_same(nobody):
    ada, path = hotseat(nobody, 2)
    player = Player(ada)
    for _ in range(30):
        player.step(path.rpartition("/")[2])
    for query in ("", "seat=1&", "seat=spectator&"):
        whole = ada.get(f"{path}/events?{query}limit=1000")
        events, last = whole["events"], whole["seq"]
        assert (whole["next"], len(events)) == (None, last)
        assert [e["seq"] for e in events] == list(range(1, last + 1))
        lines = ada.send("GET", f"{path}/events?{query}limit=1000", Accept="application/x-ndjson").body
        assert [json.loads(line) for line in lines.splitlines()] == events
        for what in ("events", "history"):
            told: list[Any] = []
            page: str | None = f"{path}/{what}?{query}limit=7"
            while page:
                answer = ada.get(page)
                assert 0 < len(answer[what]) <= 7
                told += answer[what]
                page = answer["next"]
            assert [entry["seq"] for entry in told] == list(range(1, last + 1))
            assert told == ada.get(f"{path}/{what}?{query}limit=1000")[what]
        assert all(line["text"].strip().endswith((".", "!")) for line in told), "sentences"
