"""Files that say more than any game: what is wrong is found before anything is computed from it.

The budget of CPU that each test has is the bound that is tried here.
"""

from __future__ import annotations

import pytest

from events.rules.catalogue import find_title
from events.verify import BadBundle, verify
from events.verify.form import read_proofs
from tests.events.forging import SIGNER, Forgery, Table, line

KEY = SIGNER.verifier


def positioned(title_id="colonial_empires", **changes):
    """A game from a position, whose hidden part a forger changes."""
    seats = find_title(title_id).seats[0]
    played = Table(title_id, [None] * seats).begin().play(30)
    position = played.title.position(played.game.state)
    forgery = Forgery(Table(title_id, [None] * seats, position=position).begin().play(5000).lines())
    index = forgery.index("PositionSet")
    if changes:
        forgery.part(index, "house", {"position": {**position, **changes}})
    return forgery.lines()


def test_the_honest_file_is_accepted():
    assert verify(positioned(), key=KEY).whole


@pytest.mark.parametrize(
    "changes",
    [
        {"hand": [["event_privateering"] * 25_000, []]},
        {"discard_pile": ["event_privateering"] * 900},
        {"known": [[{"card": "event_privateering", "seats": [1]}] * 900, []]},
        {"offers": [{"offer_id": n} for n in range(900)]},
        {"more": [[0] * 900] * 30},
    ],
    ids=min,
)
def test_a_position_of_great_size(changes):
    """The event that holds it is named, and nothing is computed from it."""
    with pytest.raises(BadBundle, match=r"^event 2: its position is not one of Colonial Empires: "):
        verify(positioned(**changes), key=KEY)


def changed_body(value, where="data"):
    """A whole game with another value in a body."""
    forgery = Forgery(Table(seats=(None, None)).begin().play().lines())
    forgery.events[10]["body"][where] = value
    return forgery.lines()


NESTED = [[[[[[[[[[1]]]]]]]]]]


@pytest.mark.parametrize(
    "value",
    [
        {f"a{n}": n for n in range(15_000)},
        {"a": [[] for _ in range(80_000)]},
        {"a": [NESTED] * 8_000},
        {"a": '\n\u0001"' * 20_000},
        {"a": "x" * 200_000},
        {"a": list(range(30_000))},
    ],
    ids=["wide", "lists", "nested", "escapes", "a text", "numbers"],
)
def test_a_body_of_great_size(value):
    """A quarter of a megabyte of anything in one event."""
    with pytest.raises(BadBundle, match=r"^event (11|12):"):
        verify(changed_body(value), key=KEY)


def test_draws_of_great_number():
    """As many outcomes as an event may hold, each of as many as there may be."""
    forgery = Forgery(Table().begin().play(4).lines(0))
    index = next(n for n, event in enumerate(forgery.events) if "public" in event["body"].get("draws", {}))
    draw = forgery.events[index]["body"]["draws"]["public"][0]
    forgery.events[index]["body"]["draws"]["public"] = [
        {**draw, "of": [2**32] * 100, "got": [0] * 100, "k": k} for k in range(1, 100)
    ]
    with pytest.raises(BadBundle):
        verify(forgery.lines(), key=KEY, partial=True)


def test_timestamps_of_great_number():
    """Each is looked up among the proofs at once, not one after the other."""
    many = range(1, 40_000)
    lines = [line({"kind": "proof", "n": n, "proof": "x"}) for n in many]
    lines += [line({"kind": "timestamp", "n": n, "token": "AAAA"}) for n in many]
    proofs, stamps = read_proofs(lines, 1, len(many))
    assert len(proofs) == len(stamps) == len(many)
