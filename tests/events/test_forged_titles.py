"""Whole games of every title in the hands of the operator, who chains and signs again what they changed."""

import hashlib

import pytest

from events.rules.catalogue import find_title, title_ids
from events.verify import BadBundle, verify
from tests.events.forging import SIGNER, Forgery, Table


@pytest.fixture(scope="module", params=title_ids())
def played(request):
    """A whole game of persons who contributed, and a bot in the last seat."""
    least = find_title(request.param).seats[0]
    persons = range(max(1, least - 1))
    table = Table(request.param, (*[None] * len(persons), "random"), commits=persons, reveals=persons)
    return table.begin().play(5000).lines()


def judged(forgery):
    return verify(forgery.lines(), key=SIGNER.verifier)


def another_winner(forged):
    closed = forged.first("TableClosed")["data"]
    closed["winners"] = [1] if closed["winners"] == [0] else [0]


def all_in_the_creation(forged):
    for event in forged.events:
        event["body"]["cmd"] = forged.events[0]["body"]["cmd"]


def another_u(forged):
    forged.first("TableBegun")["data"]["mix"] = hashlib.sha256(b"chosen").hexdigest()


def another_outcome(forged):
    """Of the first public draw that has two."""
    drawn = [one for body in forged.batches() for one in body.get("draws", {}).get("public", [])]
    draw = next(one for one in drawn if one["of"][0] > 1)
    draw["got"][0] = (draw["got"][0] + 1) % draw["of"][0]


def another_seed_of_a_bot(forged):
    index = next(n for n, event in enumerate(forged.events) if _bot(event))
    forged.part(index, _bot(forged.events[index]), {"seed": "11" * 32})


def _bot(event):
    return next((name for name in event["parts"] if name.endswith("_bot")), "")


def cards_in_another_order(forged):
    """In the first hidden part that shows some."""
    for index, event in enumerate(forged.events):
        for name, part in event["parts"].items():
            for member, value in part["body"].items():
                if isinstance(value, list) and value != value[::-1]:
                    forged.part(index, name, {**part["body"], member: value[::-1]})
                    return
    raise AssertionError("no title hides nothing")


def test_what_the_operator_leaves_alone_is_accepted(played):
    assert judged(Forgery(played)).whole


@pytest.mark.parametrize(
    "change",
    [
        another_winner,
        all_in_the_creation,
        another_u,
        another_outcome,
        another_seed_of_a_bot,
        cards_in_another_order,
    ],
)
def test_what_the_operator_changes_is_refused(played, change):
    """The holder of the key can sign anything, and prove nothing that the rules and secrets do not give."""
    forged = Forgery(played)
    change(forged)
    with pytest.raises(BadBundle) as refused:
        judged(forged)
    assert refused.value.seq is not None, refused.value
