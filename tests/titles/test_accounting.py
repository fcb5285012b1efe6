"""The helper that adds up what sentences tell."""

from __future__ import annotations

from tests.titles.accounting import reads


def test_a_reading_adds_up_and_sets():
    """A pattern is read as often as it occurs; entries change numbers by what was read, or name an owner."""
    pays = reads("{a} pays {n} Treasury to {b}", "a treasury -n", "b treasury +n", "a gifts +1")
    assert list(pays.read("Seat 1 pays 4 Treasury to Seat 0; Seat 2 pays 1 Treasury to Seat 0.")) == [
        (("treasury", 1), "+", -4),
        (("treasury", 0), "+", 4),
        (("gifts", 1), "+", 1),
        (("treasury", 2), "+", -1),
        (("treasury", 0), "+", 1),
        (("gifts", 2), "+", 1),
    ]
    takes = reads("{a} takes {place} from", "place owner =a")
    assert list(takes.read("Seat 3 takes Gold in Peru from Seat 1.")) == [(("owner", "Gold in Peru"), "=", 3)]
    assert list(reads("{place} is lost", "place owner =").read("Peru is lost.")) == [
        (("owner", "Peru"), "=", None)
    ]
