"""Every answer that a second seat and a spectator can get, searched for the first seat's secrets.

In games of one title; of all in `tests/campaigns`, and of all without a server in
`tests/service/views/test_secrets.py`.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.acceptance.client import Client, Stream
from tests.acceptance.players import LIVE, Match, Player, begin

pytestmark = [pytest.mark.integration, pytest.mark.slow]
READINGS = ("", "/table", "/decisions", "/events?limit=1000", "/history?limit=1000", "/audit", "/messages")
PAST = ("", "/table")
LASTING = ("colonial_empires", "colonialism", "colonies")
"""Titles in which something stays hidden from turn to turn; in others only sealed answers are."""
KNOWN_DRAWS = f"Ag.{'00' * 16}"
"""Seed and salt of a game in which, in each of these titles, much that no other seat has seen is hidden when
it is forked. With draws left to chance hands may be empty by then, or known from trades to the last card, and
two forks of such a game have nothing to differ in.
"""


@pytest.fixture(scope="module", params=LIVE[:1])
def match(request, live_server) -> Match:
    """A running game of some length that waits for its players only."""
    return running(live_server.address, request.param)


@pytest.fixture(scope="module", params=LIVE[:1])
def repeated(request, live_server) -> Match:
    """A running game that is the same in every run: its draws follow from a seed."""
    return running_again(live_server.address, request.param)


def running(address: str, title_id: str) -> Match:
    """A game that waits for its players only."""
    nobody = Client(address)
    title = next(t for t in nobody.get("/v1/titles")["titles"] if t["id"] == title_id)
    match = begin(nobody, title, bots=0, seed=7)
    match.play(45)
    assert not match.finished
    match.wait_for_the_house()
    return match


def running_again(address: str, title_id: str) -> Match:
    """The same game each time."""
    nobody = Client(address)
    title = next(t for t in nobody.get("/v1/titles")["titles"] if t["id"] == title_id)
    match = begin(nobody, title, bots=0, seed=7, repeat=KNOWN_DRAWS)
    match.play_in_order(45)
    match.wait_for_the_house()
    return match


def answers(one: Client, path: str, query: str = "") -> Iterator[tuple[str, str]]:
    """Everything that *one* can read of a game: name and text, headers included."""

    def text(what: str, **headers: str) -> str:
        mark = "&" if "?" in what else "?"
        got = one.send("GET", path + what + (mark + query if query else ""), **headers)
        assert got.status == 200, (what, got.text[:300])
        return json.dumps(got.headers) + got.text

    for what in READINGS:
        yield what, text(what)
    yield "ndjson", text("/events?limit=1000", Accept="application/x-ndjson")
    last = one.get(path)["last"]
    for at in {1, last // 4, last // 2, last - 1, last} - {0}:
        for what in PAST:
            yield f"{what} at {at}", text(f"{what}?at={at}")
    with Stream(one, f"{path}/stream?after=0{'&' + query if query else ''}") as stream:
        stream.events(last)
        yield "stream", stream.text
    with Stream(one, f"{path}/stream{'?' + query if query else ''}") as stream:
        next(iter(stream))
        yield "game in the stream", stream.text
    yield "lobby", one.send("GET", "/v1/games?limit=1000").text
    if one.token:
        yield "me", one.send("GET", "/v1/me").text


def secrets_of(one: Client, path: str) -> dict[str, str]:
    """Salts of all that *one* may know and not everybody: to show a hidden part is to show its salt."""
    found = {}
    for event in one.get(f"{path}/events?limit=1000")["events"]:
        for audience, hidden in event["hidden"].items():
            if "salt" in hidden:
                found[hidden["salt"]] = audience
    return found


def test_no_hidden_part_reaches_anybody_else(match):
    players = [player.api for player in match.players]
    known = {number: secrets_of(one, match.path) for number, one in enumerate(players)}
    assert any(known.values()), "there are secrets to look for"
    readers = [(None, match.nobody, ""), (None, players[0], "seat=spectator")]
    readers += [(number, one, "") for number, one in enumerate(players)]
    for seat, one, query in readers:
        for what, text in answers(one, match.path, query):
            for number, salts in known.items():
                for salt, audience in salts.items():
                    may = number == seat or (seat is not None and f"p{seat}" in audience.split("_"))
                    assert may or json.dumps(salt)[1:-1] not in text, (what, seat, audience)


def test_what_a_seat_asks_for_others_is_refused(match):
    for number, one in enumerate([player.api for player in match.players]):
        for other in range(len(match.players) + 1):
            for what in READINGS:
                mark = "&" if "?" in what else "?"
                answer = one.send("GET", f"{match.path}{what}{mark}seat={other}")
                assert (answer.status == 200) == (other == number)
                assert other == number or answer.code == "not_your_seat"


def twins(player: Player, match: Match) -> tuple[list[str], list[Client]]:
    """Two forks of a running game by one who sits there, what they may not know drawn again in each; and
    those who sit at the other seats of both.
    """
    game = player.api.get(match.path)
    seats = [{"you": True} if seat["you"] else {"open": True} for seat in game["seats"]]
    made = [player.api.post(f"{match.path}/forks", {"seats": seats}, status=201)["id"] for _ in range(2)]
    guests = [match.nobody.account(f"Guest {number}") for number in range(len(seats) - 1)]
    for guest in guests:
        for game_id in made:
            guest.post(f"/v1/games/{game_id}/join", {})
    return [f"/v1/games/{game_id}" for game_id in made], guests


def test_what_a_seat_may_not_know_changes_nothing_that_it_is_told(repeated):
    """Every answer in one fork is that in the other, to the letter: views, legal commands, refusals."""
    lasting = repeated.nobody.get(repeated.path)["title"] in LASTING
    for number, player in enumerate(repeated.players):
        forks, guests = twins(player, repeated)
        one = player.api
        assert one.get(forks[0])["view"] == one.get(repeated.path)["view"], "a fork begins with what I saw"
        told = [{what: _plain(text, path) for what, text in answers(one, path)} for path in forks]
        for what in told[0].keys() - {"lobby", "me"}:
            assert told[0][what] == told[1][what], (number, what)
        differences = sum(guest.get(forks[0])["view"] != guest.get(forks[1])["view"] for guest in guests)
        assert differences or not lasting, (number, "hidden parts were drawn again")
        for body in wrong_commands(one, forks[0], random.Random(number)):
            first, second = (one.send("POST", f"{path}/commands", body) for path in forks)
            assert first.status == second.status, (body, first.text, second.text)
            if first.status == 200:
                break  # from here on the two may differ
            assert _plain(first.text, forks[0]) == _plain(second.text, forks[1]), body


def wrong_commands(one: Client, path: str, rng: random.Random) -> Iterator[dict[str, Any]]:
    """Commands of every type, most of them illegal: what is refused, and how, may tell something."""
    game = one.get(path)
    schemas = one.get(f"/v1/titles/{game['title']}")["commands"]
    words = sorted(set(re.findall(r'"([a-z][a-z0-9_]{2,30})"', json.dumps(game["view"]))))
    legal = one.get(f"{path}/decisions")["legal"]
    for _ in range(6):
        for kind, schema in schemas.items():
            yield {
                "type": kind,
                **{n: _word(s, words, rng) for n, s in schema["properties"].items() if n != "type"},
            }
        for move in rng.sample(legal, min(6, len(legal))):
            name = rng.choice(sorted(move["command"]))
            if name not in ("type", "seat"):
                schema = schemas[move["command"]["type"]]["properties"][name]
                yield {**move["command"], name: _word(schema, words, rng)}


def _word(schema: dict[str, Any], words: list[str], rng: random.Random) -> Any:
    """Something that may fit *schema*."""
    for several in ("anyOf", "oneOf"):
        if several in schema:
            return _word(rng.choice(schema[several]), words, rng)
    if "enum" in schema:
        return rng.choice(schema["enum"])
    match schema.get("type"):
        case "integer":
            return rng.randrange(schema.get("minimum", 0), min(schema.get("maximum", 5), 12) + 1)
        case "boolean":
            return rng.random() < 0.5
        case "array":
            inner = schema.get("items", {})
            return (
                [_word(inner, words, rng) for _ in range(rng.randrange(3))] if isinstance(inner, dict) else []
            )
        case "object":
            return {rng.choice(words): rng.randrange(1, 3)} if rng.random() < 0.7 else {}
        case "null":
            return None
        case _:
            return rng.choice(words)


def _plain(text: str, path: str) -> str:
    """*text* without what differs between any two games: ids, times, hashes, keys."""
    text = text.replace(path.rpartition("/")[2], "GAME")
    text = re.sub(r"\b[0-9a-f]{64}\b", "HASH", text)
    text = re.sub(r"\b[0-9a-f]{32}\b", "ID", text)
    text = re.sub(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "UUID", text)
    text = re.sub(r"20\d\d-\d\d-\d\dT[0-9:.]+Z|\w{3}, \d\d \w{3} 20\d\d [0-9:]+ GMT", "TIME", text)
    text = re.sub(r"\\n\d{10}(?=\\n)", "TIME", text)  # in receipts
    text = re.sub(r'(\d+)-[0-9a-f]{24}(?=\\")', r"\1-DIGEST", text)  # of the answer, in its ETag
    return re.sub(r"[A-Za-z0-9+/]{40,}={0,2}", "BASE64", text)
