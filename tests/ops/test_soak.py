"""`rutter soak`: everything that can happen to a service, and honest about what it finds."""

import ast
import json
import random
from types import SimpleNamespace

import pytest

from ops.runtime.servers import ServerAddresses
from projections.base.redis_client import redis_client
from tests.acceptance.client import Client as Http
from tests.servers import reachable_folder
from tests.soak import campaign, load
from tests.soak.campaign import find_broken_figures
from tests.soak.notes import Notes, Phase, Promises, compare, read_stored_events
from tests.soak.players import Client, get_verifiers
from tests.soak.stuck_games import describe_stuck_games
from tests.soak.troubles import TROUBLES

pytestmark = pytest.mark.integration

GOOD = {
    "start_seconds": 4.0,
    "acknowledged": 10,
    "lost": 0,
    "doubled": 0,
    "errors": 0,
    "stuck": 0,
    "longest_wait_calm_seconds": 0.5,
    "longest_wait_neighbour_seconds": 1.9,
    "longest_call_beside_neighbour_seconds": 1.9,
    "longest_wait_loaded_seconds": 9.9,
    "longest_wait_troubled_seconds": 59.0,
    "most_tasks_per_worker": 12,
    "endless_header_seconds": 21.0,
    "ready_after_full_disk_seconds": 3.0,
    "restored_plays_after_seconds": 19.0,
    "wrong": [],
}


SHORT = ("kill api", "kill redis")


@pytest.mark.campaign
def test_a_short_one_loses_nothing_and_doubles_nothing(tmp_path, monkeypatch):
    """All titles, a few games of bots, two troubles: by its counts. A campaign runs whole ones."""
    troubles = tuple(trouble for trouble in TROUBLES if trouble.name in SHORT)
    monkeypatch.setattr(campaign, "TROUBLES", troubles)
    monkeypatch.setattr(campaign, "PAUSE", 0.0)
    monkeypatch.setattr(load, "GAMES_EACH", 1)
    monkeypatch.setattr(load, "SLOW_CLIENTS", 0)  # the worker's own test has them
    monkeypatch.setenv("RUTTER_RESTART_PAUSE", "0.1")
    folder = reachable_folder(tmp_path / "soak")
    folder.mkdir(exist_ok=True)
    folder.chmod(0o711)
    figures = campaign.run_soak(folder, disk_is_small=False, seconds=0.0, chance=random.Random(7))
    everything = json.dumps(figures, indent=1)
    assert [figures[name] for name in ("lost", "doubled", "errors", "stuck")] == [0, 0, 0, 0], everything
    assert figures["acknowledged"] > 0, everything
    assert figures["bot_games"] == load.MAKERS
    assert figures["troubles"] == dict.fromkeys(SHORT, 1)
    assert figures["wrong"] == [], everything


def test_figures_that_hold():
    """Ten seconds under load are twenty times half a second; a full disk may have been left out."""
    assert find_broken_figures(GOOD) == []
    assert find_broken_figures({**GOOD, "ready_after_full_disk_seconds": None}) == []


def test_a_machine_that_starts_slowly_has_more_time():
    """What waits for processes to start is measured by a start of the same service in the same run."""
    slow = {
        "longest_wait_troubled_seconds": 90,
        "ready_after_full_disk_seconds": 90,
        "restored_plays_after_seconds": 90,
    }
    assert find_broken_figures({**GOOD, **slow}) == list(slow)
    assert find_broken_figures({**GOOD, **slow, "start_seconds": 25.0}) == []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("lost", 1),
        ("doubled", 1),
        ("errors", 1),
        ("stuck", 1),
        ("longest_wait_neighbour_seconds", 2.1),
        ("longest_call_beside_neighbour_seconds", 2.1),
        ("longest_wait_loaded_seconds", 10.1),
        ("longest_wait_troubled_seconds", 61),
        ("most_tasks_per_worker", 13),
        ("endless_header_seconds", 61),
        ("ready_after_full_disk_seconds", 61),
        ("restored_plays_after_seconds", 21),
        ("wrong", ["kill api: The service is not ready after 60 s."]),
        ("acknowledged", 0),
    ],
)
def test_a_figure_that_does_not_hold_is_named(name, value):
    """One is enough for the verdict."""
    assert find_broken_figures({**GOOD, name: value}) == [name]


def test_what_goes_wrong_is_counted():
    """A wait in its phase and under its trouble; a 503 that says when to come again is none of our errors."""
    notes = Notes()
    notes.note_wait(0.5)
    notes.phase, notes.trouble = Phase.TROUBLED, "flood"
    notes.note_wait(2.0)
    notes.note_wait(1.0)
    assert (notes.longest_wait[Phase.CALM], notes.longest_wait[Phase.TROUBLED]) == (0.5, 2.0)
    assert notes.longest_wait_in == {"flood": 2.0}
    client = Client(SimpleNamespace(address=""), notes)
    client.note_failure("GET /", 503, {"Retry-After": "2"}, b"")
    assert (notes.errors, notes.put_off) == (0, 1)
    client.note_failure("GET /", 503, {}, b"")
    client.note_failure("GET /", 500, {"Retry-After": "2"}, b"")
    assert notes.errors == 2
    assert "500" in notes.wrong[1]


@pytest.fixture(scope="module")
def played(live_server):
    """The bundle of a real game with what was promised to its player, and that player's seats."""
    ada = Http(live_server.address).account("Ada")
    game = ada.post("/v1/games", {"title": "colonial_empires", "seats": [{"you": True}] * 2}, status=201)[
        "id"
    ]
    notes, promised = Notes(), Promises()
    client = Client(SimpleNamespace(address=live_server.address), notes, ada.token)
    keys = get_verifiers(client)
    for _ in range(6):
        offered = client.insist("GET", f"/v1/games/{game}/decisions")["legal"][0]
        body = {**offered["command"], "seat": offered["seat"]}
        promised.note(client.insist("POST", f"/v1/games/{game}/commands", body), keys)
    return client.insist("GET", f"/v1/games/{game}/audit", lines=True), promised


def test_why_a_game_stands_still_is_told(played, live_server, tmp_path):
    """What it waits for, what failed of it, which lines of the logs name it, who works, and at what."""
    bundle, _ = played
    game = json.loads(bundle[0])["game"]
    (tmp_path / "worker.log").write_text(f"of another game\nsomething of {game}\n")
    servers = ServerAddresses(live_server.database_url, "", live_server.redis_url)
    row, workers, _ = describe_stuck_games(servers, tmp_path, [game])
    assert '"status":"running"' in row
    assert '"failed":[]' in row
    assert row.endswith(f"the logs end ['something of {game}']")
    assert "'ai'" in workers
    assert "'think'" in workers
    with redis_client(live_server.redis_url) as redis:
        redis.hset("rq:job:left", mapping={"status": "started", "worker_name": "somebody"})
        *_, jobs = describe_stuck_games(servers, tmp_path, [])
        redis.delete("rq:job:left")
    # The service plays other games meanwhile, with jobs of their own.
    left = {"job": "left", "queued": False, "status": "started", "worker_name": "somebody"}
    assert left in ast.literal_eval(jobs.removeprefix("jobs: "))


MINE = frozenset({"p0", "p1"})


def test_a_log_that_holds_what_was_promised(played):
    """Nothing is lost, nothing doubled; also where some of it was promised by another service."""
    bundle, promised = played
    events = read_stored_events(bundle)
    assert compare(events, MINE, promised) == (0, 0)
    first = min(promised.commands)
    early = Promises({first: promised.commands[first]}, {first: promised.commands[first]})
    assert compare(events, MINE, early, promised) == (0, 0)


def test_a_command_that_is_not_in_the_log_is_lost(played):
    """The log ends before it, or holds another event in its place."""
    bundle, promised = played
    events = read_stored_events(bundle)
    last = max(promised.commands)
    cut = {n: event for n, event in events.items() if n < last}
    assert compare(cut, MINE, promised)[0] >= 1
    other = {**events, last: {**events[last], "hash": "00" * 32}}
    assert compare(other, MINE, promised)[0] == 1


def test_a_command_that_nobody_was_told_of_was_doubled(played):
    """Unless its player gave up waiting for the answer: then it may be there or not."""
    bundle, promised = played
    events = read_stored_events(bundle)
    last = max(promised.commands)
    again = {**events[last], "n": last + 1, "cmd": "11111111-1111-4111-8111-111111111111", "hash": "11" * 32}
    doubled = {**events, last + 1: again}
    assert compare(doubled, MINE, promised) == (0, 1)
    gave_up = promised.copy()
    gave_up.unanswered = 1
    assert compare(doubled, MINE, gave_up) == (0, 0)


def test_an_answer_whose_receipt_does_not_hold_is_no_promise(played):
    """It must be signed by the service, and be for the last event that the answer tells of."""
    promised = Promises()
    with pytest.raises(ValueError, match="note"):
        promised.note({"events": [{"seq": 5, "hash": "00" * 32}], "receipt": "nothing"}, [])
    assert not promised.receipts
