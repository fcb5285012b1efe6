"""Reveals in the drop box of a witness: the server collects them before it calls any missing."""

from __future__ import annotations

import json

import pytest

from events.base.timestamps import add_milliseconds, parse_timestamp
from events.proof.randomness import seat_commitment
from events.rules.steps import Rejected
from events.store.event_log import EventLog
from events.store.games import Games, SeatPlan, new_id
from events.table import bundle
from events.table.game import initial_game
from events.tlog.drops import Drop
from events.tlog.policy import Policy
from events.verify import Trust, verify
from projections.tree.drop_boxes import POSTPONED_MS, SILENT_SECONDS, DropBoxes
from tests.core import clock, pool, title
from tests.ops.witness.logs import KEY, ORIGIN, Within, make_witness

__all__ = ["clock", "pool", "title"]

pytestmark = pytest.mark.integration
GIFTS = [bytes([n + 1]) * 32 for n in range(2)]
NOBODY = "http://127.0.0.1:1"
"""Where nothing listens."""


@pytest.fixture
def games(pool, clock):
    """The games of a server of that origin."""
    return Games(EventLog(pool), origin=lambda: ORIGIN, now=clock)


@pytest.fixture
def witness(tmp_path):
    """The key of a witness in that folder."""
    return make_witness(tmp_path / "witness")


@pytest.fixture
def box(tmp_path, witness, clock):
    """Its drop box, at the server's own time."""
    with Within(tmp_path / "witness", KEY.vkey, now=lambda: parse_timestamp(clock()) / 1_000_000) as running:
        yield running


@pytest.fixture
def game(games, title):
    """A full table of two people who committed: one of them revealed."""
    game_id = new_id()
    key = initial_game(game_id).key
    plans = [SeatPlan(commitment=seat_commitment(key, f"p{n}", GIFTS[n]).hex()) for n in range(2)]
    made = games.create(title, title.Options(), plans, game_id=game_id)
    return games.reveal(made.id, 1, GIFTS[1].hex()).game


def drop(box, game, seat, contribution):
    """The note that the drop box answers."""
    status, note, _ = box.post(Drop(ORIGIN, game.id, seat, contribution).text().encode(), "/drop")
    assert status == 200
    return note


def missing(games, game):
    """Which seats the beginning calls missing; None before it."""
    begun = [record for record in games.records(game.id) if record.type == "TableBegun"]
    return json.loads(bytes(begun[0].envelope().data))["missing"] if begun else None


def test_what_was_dropped_nowhere_else_is_no_withheld_reveal(games, game, box, clock, witness):
    """A player posts to the drop box alone: the server takes it in, and nobody can blame it."""
    clock.wait(5)
    note = drop(box, game, 0, GIFTS[0])
    boxes = DropBoxes([box.address])
    assert boxes.advance_opening(games, game) == game, "the time for reveals is not over"
    clock.wait(55)
    begun = boxes.advance_opening(games, game)
    assert (begun.status, missing(games, game)) == ("running", [])
    ended = games.load(game.id)
    lines = bundle.write_lines(ended, [r.redact_for(0) for r in games.records(game.id)], 0, KEY)
    policy = Policy(f"log {KEY.vkey}\nwitness w {witness.vkey}\nquorum none\n")
    told = verify(lines, partial=True, trust=Trust(policy=policy, drops=[note]))
    found = told.randomness
    assert (found.contributed, found.withheld, found.dropped) == ([0, 1], [], {})


FALSE = ["another contribution", "another seat", "another game", "a seat that revealed"]


@pytest.mark.parametrize("false", FALSE)
def test_what_nobody_committed_to_is_left_where_it_is(games, game, box, clock, false):
    """Anybody can drop anything."""
    seat, gift, dropped = 0, GIFTS[0], game
    if false == "another contribution":
        gift = bytes(32)
    elif false == "another game":
        dropped = initial_game(new_id())
    else:
        seat = 7 if false == "another seat" else 1
    drop(box, dropped, seat, GIFTS[1] if seat == 1 else gift)
    clock.wait(61)
    begun = DropBoxes([box.address]).advance_opening(games, game)
    assert (begun.status, missing(games, game)) == ("running", [0])


def test_a_game_waits_for_a_drop_box_that_does_not_answer(games, game, clock):
    """For ten minutes; a box that is away for longer holds nobody up, and is not asked every second."""
    now = [0.0]
    boxes = DropBoxes([NOBODY], lambda: now[0])
    clock.wait(61)
    assert boxes.advance_opening(games, game).status == "open"
    asked = boxes._silent.copy()
    now[0] += SILENT_SECONDS - 1
    assert boxes.advance_opening(games, game).status == "open"
    assert boxes._silent == asked
    with pytest.raises(Rejected, match="reveals_open"):
        boxes.prepare_beginning(games, game)
    clock.go_to(add_milliseconds(game.full_at, 60_000 + POSTPONED_MS))
    boxes.prepare_beginning(games, game)
    assert boxes.advance_opening(games, game).status == "running"
    assert missing(games, game) == [0]


def test_who_begins_early_does_not_leave_out_what_was_dropped(games, game, box, clock):
    """A request for the beginning after a minute has the reveal collected first."""
    drop(box, game, 0, GIFTS[0])
    clock.wait(61)
    DropBoxes([NOBODY, box.address]).collect(games, game)
    assert games.load(game.id).seats[0].contribution == GIFTS[0].hex()
    DropBoxes([NOBODY]).prepare_beginning(games, games.load(game.id))
