"""What a drop box keeps: before it signs, no more than so much, and for as long as it may be collected."""

from __future__ import annotations

import json

import pytest

from events.tlog import drops
from events.tlog.drops import Drop
from events.tlog.notes import SigningKey
from ops.witness import drop_store
from ops.witness.drop_store import DropStore, FullDropBox

ORIGIN = "rutter.example/log"
GAME = "019a9f00-0000-7000-8000-000000000001"
BOX = SigningKey("organiser.example/w1/drop", bytes(range(32, 64)))
TIME = 1_800_000_000


def drop(number, game=GAME, origin=ORIGIN):
    """A drop for one of sixteen seats."""
    return Drop(origin, game, number % 16, number.to_bytes(32, "big"))


@pytest.fixture
def path(tmp_path):
    return tmp_path / "drops.ndjson"


def test_a_note_is_given_for_what_is_kept(path):
    """The file has the line before the note is given away, and another process reads it."""
    store = DropStore(path, BOX)
    notes = [store.add(drop(n), TIME + n) for n in range(3)]
    assert [json.loads(line)["note"] for line in path.read_text().splitlines()] == notes
    assert drops.open_drop(notes[1], [BOX.verifier])[0].time == TIME + 1
    assert store.add(drop(1), TIME + 99) == notes[1], "the first time holds"
    again = DropStore(path, BOX)
    assert again.list_notes(ORIGIN, GAME) == store.list_notes(ORIGIN, GAME) == notes
    assert again.list_notes("other/log", GAME) == []
    assert path.stat().st_mode & 0o777 == 0o600


def test_what_was_half_written_is_cut_off(path):
    """A process that was killed, a line that is no note, a note of another box: what holds is read."""
    store = DropStore(path, BOX)
    note = store.add(drop(1), TIME)
    false = drops.sign(SigningKey(BOX.name, bytes(32)), drop(2), TIME)
    with path.open("ab") as file:
        file.write(
            json.dumps({"kind": "drop", "note": false}).encode() + b"\n[]\nnull\n{}\n" + b'{"kind":"dr'
        )
    again = DropStore(path, BOX)
    assert again.list_notes(ORIGIN, GAME) == [note]
    second = again.add(drop(3), TIME)
    assert DropStore(path, BOX).list_notes(ORIGIN, GAME) == [note, second]


def test_one_game_has_so_many_drops(path, monkeypatch):
    """A full box signs nothing, so nobody can hold a note of which the server could not know."""
    monkeypatch.setattr(drop_store, "MOST_OF_GAME", 3)
    store = DropStore(path, BOX)
    for n in range(3):
        store.add(drop(n), TIME)
    with pytest.raises(FullDropBox):
        store.add(drop(3), TIME)
    assert store.add(drop(2), TIME + 5) == store.list_notes(ORIGIN, GAME)[2]
    store.add(drop(3, GAME[:-1] + "2"), TIME)
    assert len(path.read_text().splitlines()) == 4


def test_old_drops_make_room(path, monkeypatch):
    """What is older than any table waits is forgotten when there is no room; before that nothing is."""
    monkeypatch.setattr(drop_store, "MOST", 4)
    store = DropStore(path, BOX)
    for n in range(4):
        store.add(drop(n), TIME + n)
    with pytest.raises(FullDropBox):
        store.add(drop(4), TIME + drop_store.KEPT_SECONDS)
    new = store.add(drop(5), TIME + 2 + drop_store.KEPT_SECONDS)
    assert len(store.list_notes(ORIGIN, GAME)) == 3
    assert DropStore(path, BOX).list_notes(ORIGIN, GAME)[-1] == new
