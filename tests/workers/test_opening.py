"""Games that wait for their reveals are begun or abandoned by the dispatcher, whatever dies meanwhile."""

from __future__ import annotations

import hashlib

import msgspec
import pytest

from events.proof import beacon
from events.proof.randomness import seat_commitment
from events.store.games import SeatPlan, new_id
from events.table.terms import Beacon, Terms
from events.tlog import drops
from events.tlog.drops import Drop
from events.tlog.notes import SigningKey
from projections.read_models import timers
from projections.tree.drop_boxes import DropBoxes
from tests.http_server import QuietHandler, serving
from tests.workers.test_dispatcher import redis, turn
from workers import connections
from workers.dispatcher import Dispatcher
from workers.drand import fetch_round

__all__ = ["redis"]
pytestmark = pytest.mark.integration

GIFT = b"\x07" * 32
CHAIN = beacon.CHAINS[beacon.QUICKNET]
ROUND = 657413
SIGNATURE = "b713718a38ae728dfd477991af2822e08d2f305e47718cef9f7848ce4050e7be41076862b98fad56e91a6b85b89cd97b"
RANDOMNESS = "fc1873a13f3545aeade8401532ef5519920652eee6b0d2b19ca12643b87b3587"


@pytest.fixture
def dispatcher(timed, clock, redis, pool, monkeypatch):
    """A dispatcher, and jobs, at the time of the test; games of other tests are out of sight."""
    monkeypatch.setattr(connections, "get_games", lambda: timed)
    with pool.connection() as connection:
        connection.execute("UPDATE lobby SET status = 'forgotten', due = NULL")
    return Dispatcher(timed.log, redis, now=clock)


@pytest.fixture
def waiting(timed, title):
    """Makes a game whose maker committed and has not revealed; the other seat is a bot's."""

    def make(**terms):
        game_id = new_id()
        commitment = seat_commitment(bytes.fromhex(game_id.replace("-", "")), "p0", GIFT).hex()
        seats = [SeatPlan(commitment=commitment), SeatPlan(bot="random")]
        return timed.create(title, title.Options(), seats, game_id=game_id, terms=Terms(**terms))

    return make


@pytest.fixture
def relay(monkeypatch):
    """A relay of drand that knows what it is told, one round at first."""
    answers = {ROUND: {"round": ROUND, "signature": SIGNATURE, "randomness": RANDOMNESS}}

    class Handler(QuietHandler):
        def do_GET(self):
            chain, _, number = self.path.strip("/").split("/")
            body = answers.get(int(number)) if chain == beacon.QUICKNET else None
            self.send_response(200 if body else 404)
            self.end_headers()
            self.wfile.write(msgspec.json.encode(body))

    with serving(Handler) as address:
        monkeypatch.setenv("RUTTER_DRAND_URL", f"{address}/")
        yield answers


def house(redis, dispatcher):
    """Look once, and do what is to be done."""
    turn(dispatcher)
    dispatcher.run_timers()


def types(games, game):
    return [record.type for record in games.records(game.id)]


def test_a_maker_who_never_reveals_does_not_hold_the_game_up(dispatcher, redis, timed, clock, waiting):
    """When the time settled is up, and not before, it begins without them."""
    game = waiting(reveal_by_ms=90_000)
    house(redis, dispatcher)
    clock.wait(89.9)
    house(redis, dispatcher)
    assert timed.load(game.id).status == "open"
    clock.wait(0.1)
    house(redis, dispatcher)
    assert timed.load(game.id).status == "running"
    begun = next(r for r in timed.records(game.id) if r.type == "TableBegun")
    assert b'"missing":[0]' in begun.body


def test_what_a_drop_box_has_is_collected_before_a_game_is_begun(
    dispatcher, redis, timed, clock, waiting, monkeypatch
):
    """The reveal that a witness keeps is the maker's, and nobody is called missing."""
    game = waiting()
    asked = []

    class Box(QuietHandler):
        def do_GET(self):
            asked.append(self.path)
            self.send_response(200)
            self.end_headers()
            note = drops.sign(SigningKey("witness/drop", bytes(32)), Drop(game.service, game.id, 0, GIFT), 1)
            self.wfile.write(msgspec.json.encode({"kind": "drop", "note": note}) + b"\n")

    with serving(Box) as address:
        boxes = DropBoxes([address])
        monkeypatch.setattr(connections, "get_drop_boxes", lambda: boxes)
        house(redis, dispatcher)
        assert asked == [], "the time for reveals is not over"
        clock.wait(60)
        house(redis, dispatcher)
    origin = hashlib.sha256(game.service.encode()).hexdigest()
    assert asked == [f"/drops/{origin}/{game.id}"]
    begun = next(r for r in timed.records(game.id) if r.type == "TableBegun")
    assert b'"missing":[]' in begun.body


def test_a_dispatcher_that_died_is_replaced_by_one_that_finds_the_game(
    dispatcher, redis, timed, clock, waiting
):
    """Though all of Redis is lost, and the first dispatcher never saw that the time was up."""
    game = waiting()
    turn(dispatcher)
    clock.wait(60)
    redis.flushdb()
    house(redis, Dispatcher(timed.log, redis, now=clock))
    assert timed.load(game.id).status == "running"


def test_a_game_whose_last_reveal_killed_the_service_begins(dispatcher, redis, timed, waiting):
    """The reveal stands in the log; who died before the beginning is not missed."""
    game = waiting()
    timed.reveal(game.id, 0, GIFT.hex())
    assert timed.load(game.id).status == "open"
    house(redis, dispatcher)
    assert types(timed, game)[4:6] == ["SeatRevealed", "TableBegun"]


def test_a_game_that_cannot_begin_is_abandoned(dispatcher, redis, timed, clock, waiting):
    """A contribution that is required and missing, or a silent director: by itself, after its time."""
    required = waiting(contributions="required")
    directed = waiting(director="ab" * 32)
    clock.wait(60)
    house(redis, dispatcher)
    assert timed.load(required.id).status == "abandoned"
    assert types(timed, directed)[-1] == "RevealsClosed"
    clock.wait(60)
    house(redis, dispatcher)
    assert timed.load(directed.id).status == "abandoned"
    house(redis, dispatcher)
    assert types(timed, required)[-1] == types(timed, directed)[-1] == "TableAbandoned"
    assert not {one.game_id for one in timers.find_due_games(timed.log.pool, clock())} & {
        required.id,
        directed.id,
    }


@pytest.fixture
def closing(clock, waiting, timed):
    """A game whose reveals are closed half a minute before the recorded round."""
    clock.at = "2023-01-01T00:00:00.000000Z"
    game = waiting(beacon=Beacon(beacon.QUICKNET, 30))
    timed.reveal(game.id, 0, GIFT.hex())
    clock.go_to(CHAIN.round_time(ROUND - 10))
    return timed.advance_opening(timed.load(game.id))


def test_the_beacon_is_fetched_when_its_round_is_due(dispatcher, redis, timed, clock, closing, relay):
    """The round of the close, from the relay that is configured; then the game begins."""
    assert closing.closed.round == ROUND
    house(redis, dispatcher)
    assert timed.load(closing.id).status == "open"
    clock.go_to(CHAIN.round_time(ROUND))
    house(redis, dispatcher)
    assert timed.load(closing.id).status == "running"
    assert types(timed, closing)[5:8] == ["RevealsClosed", "BeaconDrawn", "TableBegun"]


def test_a_relay_that_is_away_is_asked_again(dispatcher, redis, timed, clock, closing, relay):
    """Until it answers; after an hour the game is abandoned, for another source would be a choice."""
    round_, relay[ROUND] = relay[ROUND], None
    clock.go_to(CHAIN.round_time(ROUND))
    house(redis, dispatcher)
    assert timed.load(closing.id).status == "open"
    relay[ROUND] = round_
    house(redis, dispatcher)
    assert timed.load(closing.id).status == "running"


def test_a_silent_beacon_ends_the_game(dispatcher, redis, timed, clock, closing, relay):
    """An hour after its round."""
    relay.clear()
    clock.go_to(CHAIN.round_time(ROUND))
    clock.wait(3600)
    house(redis, dispatcher)
    assert timed.load(closing.id).status == "abandoned"


@pytest.mark.parametrize(
    "wrong",
    [
        {"round": ROUND + 1},
        {"randomness": "00" * 32},
        {"signature": "zz" * 48},
        {"signature": SIGNATURE[2:]},
        {"signature": 7},
    ],
)
def test_what_a_relay_answers_is_checked(relay, wrong):
    """Another round, another form, a randomness that is not the signature's hash: as if it were away."""
    relay[ROUND] |= wrong
    assert fetch_round(connections.get_beacon_url(), beacon.QUICKNET, ROUND) is None


def test_without_a_relay_nothing_is_fetched():
    """Nor from an address where nobody answers."""
    assert fetch_round(None, beacon.QUICKNET, ROUND) is None
    assert fetch_round("http://127.0.0.1:9", beacon.QUICKNET, ROUND) is None
