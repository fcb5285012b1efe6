"""Notes of drop boxes: form, signature, and what they contradict."""

from __future__ import annotations

import pytest

from events.tlog import drops
from events.tlog.drops import Drop, WitnessedDrop, drop_box
from events.tlog.notes import COSIGNATURE, BadNote, SigningKey, UnsignedNote

GAME = "019a9f00-0000-7000-8000-000000000001"
SEED = bytes(range(32, 64))
WITNESS = SigningKey("organiser.example/w1", SEED, COSIGNATURE)
BOX = SigningKey("organiser.example/w1/drop", SEED)
DROP = Drop("rutter.example/log", GAME, 2, bytes([1]) * 32)


def test_what_was_signed_is_read_again():
    """Text and time come back, under the drop box that the witness's own key names."""
    note = drops.sign(BOX, DROP, 1795201200)
    text = f"rutter/drop@v1\nrutter.example/log\n{GAME}\n2\n{'01' * 32}\n1795201200\n"
    assert note.startswith(f"{text}\n\u2014 organiser.example/w1/drop ")
    assert drop_box(WITNESS.verifier) == BOX.verifier
    assert drops.open_drop(note, [BOX.verifier]) == (WitnessedDrop(DROP, 1795201200), [BOX.verifier])
    assert drops.peek(note).drop == Drop.read(DROP.text()) == DROP


def test_others_and_damaged_notes_are_refused():
    note = drops.sign(BOX, DROP, 1795201200)
    with pytest.raises(UnsignedNote):
        drops.open_drop(note, [WITNESS.verifier, drop_box(SigningKey("w2", bytes(32), COSIGNATURE).verifier)])
    for damaged in (note.replace("1795201200", "1795201199"), note.replace("\n2\n", "\n02\n"), note + "x"):
        with pytest.raises(BadNote):
            drops.open_drop(damaged, [BOX.verifier])
    with pytest.raises(BadNote):  # signed, but no drop
        drops.open_drop(BOX.sign("rutter/drop@v1\n1\n"), [BOX.verifier])
    with pytest.raises(ValueError, match="belongs to a witness"):
        drop_box(BOX.verifier)


@pytest.mark.parametrize(
    ("game", "seat", "since", "after", "withheld"),
    [
        (GAME, 2, 0, 31, True),
        (GAME, 2, 0, 30, False),
        (GAME, 1, 0, 99, False),
        (GAME[:-1] + "2", 2, 0, 99, False),
        (GAME, 2, 0.000001, 99, False),
        (GAME, 2, -3600, 99, True),
    ],
)
def test_it_contradicts_only_its_seat_and_only_if_it_was_in_time(game, seat, since, after, withheld):
    """After the last seat was taken, and half a minute before the missing reveals were fixed: what came later
    was on its way, and what came earlier was none.
    """
    at = 1795201200
    assert WitnessedDrop(DROP, at).contradicts_missing(game, seat, at + since, at + after) == withheld
