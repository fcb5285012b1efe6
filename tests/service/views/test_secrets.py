"""Nothing that a seat or a spectator is answered holds what another seat keeps secret."""

import base64
import json
import random
import re

import pytest

from events.rules.catalogue import find_title, title_ids
from events.rules.fast_chance import FastChance
from events.tlog.notes import Verifier
from events.verify import check_bundle
from events.verify.trust import Trust
from tests.playing import three_or_so
from tests.service.factories import GameRequest, Open, You, join_all
from tests.service.play.test_play import house

pytestmark = pytest.mark.integration

FORKS = 40
"""Forks among which one shows another hand: that all draw the same is out of the question."""
SEATS = {title_id: three_or_so(title_id) for title_id in title_ids()}


def answers(one, game_id, seat=None):
    """Everything that can be read of a game, by name."""
    query = "" if seat is None else f"seat={seat}"
    base = f"/v1/games/{game_id}"
    found = {
        what: one.send("GET", f"{base}{what}?{query}").text
        for what in ("", "/table", "/decisions", "/events", "/history", "/audit")
    }
    found["ndjson"] = one.send("GET", f"{base}/events?{query}", Accept="application/x-ndjson").text
    last = one.get(f"{base}?{query}")["last"]
    for at in {max(1, last // 3), max(1, last // 2), max(1, last - 1)}:
        found[f"at {at}"] = one.send("GET", f"{base}?at={at}&{query}").text
        found[f"table at {at}"] = one.send("GET", f"{base}/table?at={at}&{query}").text
    found["lobby"] = one.send("GET", "/v1/games").text
    found["me"] = one.send("GET", "/v1/me").text if one.token else ""
    return found


def play_some(people, game_id, commands, seed):
    """Some commands of everybody; the answers to them, by account."""
    rng = random.Random(seed)
    said = {one.me["id"]: [] for one in people}
    for _ in range(commands):
        house(people[0], game_id)
        offers = []
        for one in people:
            now = one.get(f"/v1/games/{game_id}/decisions")
            awaited = {d["seat"] for d in now["decisions"] if not d["free"]}
            offers += [(one, m["command"]) for m in now["legal"] if m["seat"] in awaited]
        if not offers:
            break
        one, command = rng.choice(offers)
        said[one.me["id"]].append(one.send("POST", f"/v1/games/{game_id}/commands", command).text)
    return said


QUICK = ("colonies", "example")
SHOWN = [t if t in QUICK else pytest.param(t, marks=pytest.mark.slow) for t in title_ids()]


@pytest.mark.parametrize("title_id", SHOWN)
def test_no_salt_and_no_sealed_command_reaches_another(api, app, title_id):
    """Each hidden part has a salt of 32 random bytes: those who get the part get its salt."""
    people = [api.account(f"P{n}") for n in range(SEATS[title_id])]
    process = app.extensions["rutter"]
    for commands in (60, 30, 20, 10, 5, 0):
        game_id = join_all(*people, title=title_id)
        said = play_some(people, game_id, commands, seed=3)
        game = process.games.load(game_id)
        if game.status != "finished":  # else it has been disclosed
            break
    assert game.status == "running", "no title ends before a command is given"
    api.project()
    readers = [
        (None, api, answers(api, game_id)),
        (None, people[1], answers(people[1], game_id, "spectator")),
    ]
    readers += [(seat, one, answers(one, game_id)) for seat, one in enumerate(people)]
    everything = {
        n: "".join(found.values()) + "".join(said.get(one.me.get("id"), ()) if seat is not None else ())
        for n, (seat, one, found) in enumerate(readers)
    }
    parts = 0
    for record in process.games.records(game_id):
        for audience, part in record.parts.items():
            salt = base64.b64encode(part.salt).decode()
            for n, (seat, _, _) in enumerate(readers):
                may = seat is not None and f"p{seat}" in audience.split("_")
                assert (salt in everything[n]) == may, (audience, record.seq, seat)
            parts += 1
    assert parts > 3, "there were secrets to look for"


@pytest.mark.parametrize("title_id", SHOWN)
def test_games_that_differ_in_hidden_parts_only_look_the_same(api, app, title_id):
    """A position, and one that seat 1 cannot tell from it: seat 1 gets the same answers to the letter."""
    title, count = find_title(title_id), SEATS[title_id]
    people = [api.account(f"P{n}") for n in range(count)]
    game_id = join_all(*people, title=title_id)
    for step in range(4):
        play_some(people, game_id, 15, seed=step)
        house(api, game_id)
        state = app.extensions["rutter"].games.load(game_id).state
        if title.outcome(state) is not None:
            break
        seen = []
        for variant in (state, title.imagine(state, 1, FastChance(step))):
            request = GameRequest(
                title=title_id,
                seats=[You(), *[Open()] * (count - 1)],
                position=title.position(variant),
                options=json.loads(json.dumps(app.extensions["rutter"].games.load(game_id).options)),
            )
            made = people[0].post("/v1/games", request, status=201)
            for one in people[1:]:
                one.post(f"/v1/games/{made['id']}/join")
            seen.append(_without_chance(answers(people[1], made["id"]), made["id"]))
        assert seen[0] == seen[1]


CHANCE = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"  # ids
    r"|20\d\d-\d\d-\d\dT[0-9:.]+Z|\\n\d{10}(?=\\n)"  # times, those of receipts too
    r"|\b[0-9a-f]{64}\b|[A-Za-z0-9+/]{40,}={0,2}"  # hashes, salts, signatures
)


def _without_chance(found, game_id):
    """Answers without what differs between any two games: ids, times, hashes, keys."""
    cleaned = {}
    for name, text in found.items():
        if name in ("lobby", "me"):
            continue
        cleaned[name] = CHANCE.sub("...", text.replace(game_id, "GAME"))
    return cleaned


def test_sealed_answers_look_alike_to_others(api):
    """Those who did not give a sealed command learn neither its type nor its arguments."""
    people = [api.account(f"P{n}") for n in range(3)]
    game_id = join_all(*people)
    play_some(people, game_id, 40, seed=1)
    for reader, seat in ((people[1], 1), (api, None)):
        for event in reader.get(f"/v1/games/{game_id}/events?limit=1000")["events"]:
            sealed = [name for name in event["hidden"] if name.endswith("_command")]
            if sealed and sealed != [f"p{seat}_command"]:
                assert "command" not in event
            if sealed == [f"p{seat}_command"]:
                assert event["command"]["type"]


def test_an_audit_copy_verifies_and_opens_only_my_own(api):
    people = [api.account(f"P{n}") for n in range(3)]
    game_id = join_all(*people)
    play_some(people, game_id, 40, seed=2)
    key = Verifier.read(api.get("/v1/keys")["keys"][0]["vkey"])
    for seat, one in [(None, api), *enumerate(people)]:
        text = one.send("GET", f"/v1/games/{game_id}/audit").data
        read = check_bundle(text.splitlines(keepends=True), Trust((key,)))
        assert (read.sheet.header.scope, read.sheet.header.seat) == ("seat", seat)
        audiences = {name for record in read.records for name in record.parts}
        assert all(f"p{seat}" in name.split("_") for name in audiences)


def test_a_fork_of_a_running_game_tells_nothing_new(api, app):
    """What a fork shows of other seats is drawn again: over some forks it differs from itself."""
    people = [api.account(f"P{n}") for n in range(3)]
    game_id = join_all(*people)
    for seed in range(10):
        play_some(people, game_id, 4, seed=seed)
        if people[0].get(f"/v1/games/{game_id}?seat=0")["view"]["hand"]:
            break
    else:
        raise AssertionError("the seat never holds a card")
    hands = set()
    for _ in range(FORKS):
        fork = people[1].post(f"/v1/games/{game_id}/forks", status=201)
        hands.add(json.dumps(people[1].get(f"/v1/games/{fork['id']}?seat=0")["view"]["hand"]))
        if len(hands) > 1:
            return
    raise AssertionError(f"{FORKS} forks show the same hand")
