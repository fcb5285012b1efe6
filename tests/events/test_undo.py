"""Commands are taken back: what a barrier is, what comes back, what stays, and what a verifier says of it."""

from __future__ import annotations

import dataclasses
import uuid

import msgspec
import pytest

from events.base.timestamps import DAY_MS, add_milliseconds
from events.clocks import clock as clocks
from events.rules.catalogue import find_title
from events.rules.fact import type_name
from events.store.event_log import decode_game, encode_game
from events.table import clock_updates, creation, engine, lifecycle_facts
from events.table.commands.offers import TableAnswer, TableOffer
from events.table.commands.undo import MAX_UNDOS, TableUndo
from events.table.conduct_facts import CommandUndone
from events.table.decision_origin import find_decision_origin
from events.table.engine import MAX_BATCHES_BACK, Batch, begin_batch, fold
from events.table.game import UndoStack, initial_game
from events.table.record import Draws, canonical_command, seat_of
from events.table.terms import SeatOccupant, Terms
from events.verify.errors import BadBundle
from tests.events.seated import Seated, refused

LIVE = {"kind": "live", "base_ms": 600_000, "increment_ms": 5_000, "lag_ms": 0}
SLOW = {"kind": "correspondence", "per_decision_ms": DAY_MS, "bank_ms": 2 * DAY_MS, "bank_add_ms": 3_600_000}


def until_undoable(table, least=1):
    """Play on until so many batches can be taken back, and somebody is awaited."""
    while len(table.game.undoable.kept) < least:
        table.play(1)
    return table.game.undoable.kept


def move(table, seat, command):
    """A command of the title, recorded like one from outside."""
    command = canonical_command(command)
    batch = engine.decide(table.game, seat, command, table.secrets, table.chain)
    note = clock_updates.make_clock_note(table.game, seat, command, batch, table.at)
    table.forge(*batch.facts, by=seat, draws=batch.draws, command=command, clock=note)
    return batch


@pytest.fixture
def table():
    return Seated(3, title="colonies", undo="own")


def test_a_seat_takes_back_its_own_command(table):
    """The state is what it was; the log keeps everything; the game goes on to an end that verifies."""
    before = until_undoable(table)[-1]
    states = {record.seq: None for record in table.records}
    after = table.game
    table.give(before.seat, TableUndo(before.seq))
    game = table.game
    assert game.state == before.state != after.state
    assert table.data(-1) == {"to": before.seq}
    assert game.taken_back == ((before.seq + 1, after.seq),)
    assert [game.is_taken_back(seq) for seq in (before.seq, after.seq, game.seq)] == [False, True, False]
    assert game.seats[before.seat].commands == after.seats[before.seat].commands + 1, "counts stay"
    assert len(table.records) == len(states) + 1
    table.play(30)
    assert table.verdict(partial=True).status == "running"
    for seat in (0, 1):
        assert table.verdict(seat, partial=True).status == "running"
    table.play()
    assert table.verdict().status == "finished"


def test_another_seat_and_other_events_are_not_taken_back(table):
    """Own commands only, by their exact beginning; never two batches of somebody else."""
    before = until_undoable(table)[-1]
    other = (before.seat + 1) % 3
    assert refused(table, other, TableUndo(before.seq)) == "cannot_undo"
    assert refused(table, before.seat, TableUndo(before.seq + 1)) == "cannot_undo"
    assert refused(table, before.seat, TableUndo(1)) == "cannot_undo"
    seat = before.seat
    while table.game.undoable.seat == seat:
        table.play(1)
    assert refused(table, seat, TableUndo(before.seq)) == "cannot_undo"


def test_where_nothing_is_taken_back():
    """`none` keeps no states and refuses; so does a title that does not say what its facts disclose."""
    table = Seated(3, title="colonies")
    table.play(30)
    assert table.game.undoable.kept == ()
    assert refused(table, 0, TableUndo(3)) == "undo_not_allowed"
    silent = dataclasses.replace(find_title("colonial"), undo=False)
    for title, settled in ((silent, "none"), (find_title("colonial"), "own")):
        seats = [SeatOccupant(), SeatOccupant()]
        opened = creation.create_game(
            title, bytes(16), {}, seats, {}, service="rutter", wanted=Terms(undo="own")
        )
        assert opened.facts[0].undo == settled


def test_barriers(table):
    """No state before a draw, a disclosure, a sealed command or a batch of the server is kept."""
    kinds = {"draw": 0, "sealed": 0, "disclosed": 0, "server": 0, "play": 0}
    while table.game.status == "running":
        table.play(1)
        batch = table.newest()
        first = batch[0].envelope()
        facts = [table.title.fact_type(record.type) for record in batch]
        barrier = next(
            (
                name
                for name, holds in {
                    "server": first.by == "sys",
                    "sealed": first.command is None,
                    "draw": first.draws is not None,
                    "disclosed": any(kind is not None and kind.discloses for kind in facts),
                }.items()
                if holds
            ),
            "play",
        )
        kinds[barrier] += 1
        assert bool(table.game.undoable.kept) == (barrier == "play"), barrier
    assert min(kinds["draw"], kinds["sealed"], kinds["play"]) > 0


def test_a_draw_is_a_barrier_whatever_its_facts_disclose(table):
    """A hidden one too: the seat that took it back would know what comes."""
    until_undoable(table)
    again = msgspec.structs.replace(table.newest()[0].envelope(), cmd=str(uuid.UUID(int=7)))
    assert again.draws is None
    assert begin_batch(table.game, again, seat_of(again.by)).undoable.kept
    drawn = msgspec.structs.replace(again, draws=Draws(hidden=1))
    assert begin_batch(table.game, drawn, seat_of(drawn.by)).undoable.kept == ()


def test_facts_that_disclose_are_barriers():
    """In Colonial a played card brings the next round's cards to light: nothing goes back over that."""
    table = Seated(2, title="colonial", undo="ask")
    while not any(record.type == "CardsRevealed" for record in table.newest()) or (
        table.newest()[0].envelope().command is None
    ):
        table.play(1)
    assert table.game.undoable.kept == ()
    assert until_undoable(table)


def test_commands_of_the_table_are_barriers(table):
    """What the others were asked meanwhile has been answered on the table as it stood."""
    before = until_undoable(table)[-1]
    table.give(before.seat, TableOffer("pause", add_milliseconds(table.at, DAY_MS)))
    assert refused(table, before.seat, TableUndo(before.seq)) == "cannot_undo"


def test_no_more_than_so_many(table):
    """At most sixteen batches back, and ten times between two barriers."""
    table = Seated(2, title="colonial", undo="ask")
    longest = 0
    while table.game.status == "running":
        table.play(1)
        longest = max(longest, len(table.game.undoable.kept))
    assert 1 < longest <= MAX_BATCHES_BACK
    table = Seated(3, title="colonies", undo="own")
    for _ in range(MAX_UNDOS):
        before = until_undoable(table)[-1]
        table.give(before.seat, TableUndo(before.seq))
        command = next(table.title.legal(table.game.state, before.seat))
        move(table, before.seat, command)
        if not table.game.undoable.kept:
            pytest.fail("the same command is no barrier the second time")
    kept = table.game.undoable.kept[-1]
    assert refused(table, kept.seat, TableUndo(kept.seq)) == "too_many_undos"


@pytest.mark.parametrize("settings", [LIVE, SLOW], ids=["live", "days"])
def test_clocks_are_those_that_ran(settings):
    """The increment is gone, the deadline is the old one; over that deadline nothing is taken back."""
    table = Seated(3, title="colonies", undo="own", clock=settings)
    before = until_undoable(table)[-1]
    seat = before.seat
    due = clocks.deadline(table.game.clock, before.clocks[seat])
    assert table.game.clocks != before.clocks
    table.give(seat, TableUndo(before.seq))
    assert table.game.clocks == before.clocks
    assert clocks.deadline(table.game.clock, table.game.clocks[seat]) == due
    command = next(table.title.legal(table.game.state, seat))
    move(table, seat, command)
    kept = table.game.undoable.kept[-1]
    assert table.verdict(partial=True).status == "running"
    assert table.verdict((seat + 1) % 3, partial=True).status == "running"
    table.wait(20 * DAY_MS / 1000)
    assert refused(table, seat, TableUndo(kept.seq)) == "too_late"


def test_all_agree():
    """With `ask` the offer is a fact of its own; the last yes takes back whatever seats did since."""
    table = Seated(3, bots=1, title="colonial", undo="ask")
    kept = until_undoable(table, 3)
    first, state = kept[0], kept[0].state
    assert len({before.seat for before in kept}) > 1
    table.give(0, TableUndo(first.seq))
    assert [record.type for record in table.newest()] == ["UndoOffered"]
    assert table.data(-1) == {"offer": 1, "by": "p0", "to": first.seq}
    assert refused(table, 0, TableUndo(first.seq)) == "already_offered"
    table.give(1, TableAnswer(1, True))
    table.give(2, TableAnswer(1, True))
    assert [record.type for record in table.newest()] == ["OfferAnswered", "CommandUndone"]
    assert table.game.state == state
    assert table.game.offers == ()
    for seat in range(4):
        if table.title.awaited(table.game.state) and table.game.seats[seat].bot:
            found = find_decision_origin(
                [table.game, fold(initial_game(table.game.id), table.records[:-2])], seat
            )
            assert found in (None, table.game), "a bot thinks about what stands now"
    table.play(12)
    assert table.verdict(partial=True).status == "running"
    assert table.verdict(0, partial=True).status == "running"


def test_an_offer_to_take_back_lapses_with_the_next_move():
    """It names what was done till then; a no closes it, and is no barrier."""
    table = Seated(2, title="colonial", undo="ask")
    before = until_undoable(table)[-1]
    table.give(0, TableUndo(before.seq))
    table.give(1, TableAnswer(1, False))
    assert table.game.offers == ()
    assert table.game.undoable.kept[-1] == before
    table.give(1, TableUndo(before.seq))
    table.play(1)
    assert table.game.offers == ()
    assert refused(table, 0, TableAnswer(2, True)) == "unknown_offer"


def test_a_snapshot_holds_the_kept_states():
    """A game that comes back from its stored form takes back the same."""
    table = Seated(2, title="colonial", undo="ask")
    kept = until_undoable(table, 2)
    again = decode_game(encode_game(table.game))
    assert again == table.game
    assert again.undoable.kept == kept


def test_a_forged_undo_is_found(table):
    """Over a draw, of another seat, or after an event that none began: the verifier names the event."""
    before = until_undoable(table)[-1]
    forged = before.seq
    while table.game.undoable.kept:
        table.play(1)
    seat = before.seat
    stand = msgspec.structs.replace(table.game, undoable=before_undoable(before))
    batch = Batch([CommandUndone(forged)])
    table.game = stand
    table.do(batch, seat, TableUndo(forged))
    for viewer in (None, 0, 1):
        with pytest.raises(BadBundle) as found:
            table.verdict(viewer, partial=True)
        assert "cannot_undo" in str(found.value)


def before_undoable(before):
    """What a server would pretend could be taken back."""
    return UndoStack((before,), 0, before.seat)


def test_undo_has_a_place_of_its_own():
    """The facts are the platform's, and no title may use their names."""
    assert {type_name(CommandUndone), "UndoOffered"} <= set(lifecycle_facts.RESERVED)
