"""A seat's copy of a whole game of every title: what was drawn in the open is proved without any secret."""

from __future__ import annotations

from contextlib import suppress
from functools import cache

import pytest

from events.rules import draw_binding
from events.rules.catalogue import find_title, title_ids
from events.verify import BadBundle, Trust, check_bundle, verify
from events.verify.disclosure import write_disclosed
from tests.events.forging import SIGNER, Forgery, Table

TITLES = title_ids()
KEY = SIGNER.verifier
SOME = 4
"""Kinds of rolls that are tried of a title; some have a dozen."""


def seats_of(title_id):
    """As many as its tables mostly have: games of fewer are often longer."""
    seats = find_title(title_id).seats
    return seats[len(seats) // 2]


@cache
def whole(title_id):
    """A whole game of persons who all contributed and moved at random."""
    seats = range(seats_of(title_id))
    table = Table(title_id, [None] * len(seats), commits=seats, reveals=seats).begin().play(5000)
    assert table.game.status == "finished"
    return table


@cache
def copy(title_id, seat):
    """What a seat holds of it."""
    return tuple(write_disclosed(check_bundle(whole(title_id).lines(), Trust(keys=[KEY])), seat, None))


@pytest.mark.parametrize("title_id", TITLES)
def test_a_copy_of_a_whole_game_holds(title_id):
    """Every public draw is recomputed from the chain of event 1 and shown by the facts, without a secret."""
    seats = seats_of(title_id)
    told = verify(copy(title_id, seats - 1), key=KEY, partial=True)
    game = whole(title_id).game
    assert (told.public_draws, told.hidden_draws) == (game.public_draws, game.hidden_draws)
    assert (told.whole, told.status, told.winners) == (False, "finished", game.result.winners)
    assert told.all_parts
    shown = told.public_draws - told.opaque_draws
    assert f"{told.public_draws} public recomputed, {shown} shown in facts" in told.summary()
    assert told.randomness.contributed == list(range(seats))


def rolled(honest):
    """The first batch with public draws: the indices of its events."""
    first = next(n for n, event in enumerate(honest.events) if "public" in event["body"].get("draws", {}))
    cmd = honest.events[first]["body"]["cmd"]
    return [n for n, event in enumerate(honest.events) if event["body"]["cmd"] == cmd]


@pytest.mark.parametrize("title_id", TITLES)
def test_a_draw_that_was_changed_in_a_copy(title_id):
    """Its outcome, its element in the chain, its bounds or its number: each is found out in its batch."""
    honest = Forgery(copy(title_id, 0))
    batch = rolled(honest)
    for member, change in {
        "got": lambda got: [(got[0] + 1) % 2, *got[1:]],
        "s": lambda s: f"{'1' if s[0] == '0' else '0'}{s[1:]}",
        "of": lambda of: [of[0] + 1, *of[1:]],
        "k": lambda k: k + 1,
    }.items():
        forgery = honest.copy()
        draw = forgery.events[batch[0]]["body"]["draws"]["public"][0]
        draw[member] = change(draw[member])
        with pytest.raises(BadBundle) as bad:
            verify(forgery.lines(), key=KEY, partial=True)
        assert bad.value.seq - 1 in batch, member


def shown(title_id, forgery):
    """By fact and field one event whose field shows a public draw, by its index."""
    facts = {kind.__name__: kind.drawn for kind in find_title(title_id).facts}
    found = {}
    rolls = set()
    for index, event in enumerate(forgery.events):
        body = event["body"]
        if "public" in body.get("draws", {}):
            rolls.add(body["cmd"])
        for field, drawing in facts.get(body["t"], {}).items() if body["cmd"] in rolls else ():
            with suppress(draw_binding.WrongDraw):
                draw_binding.check_draws([(body["data"], {field: drawing})], [])
                continue  # it shows none
            found[body["t"], field] = index
    return found


def otherwise(value):
    """Another value of the same kind."""
    if isinstance(value, list):
        turned = [*value[1:], value[0]]
        return turned if turned != value else [otherwise(value[0]), *value[1:]]
    if isinstance(value, dict):
        name = min(value)
        return {**value, name: otherwise(value[name])}
    if isinstance(value, bool):
        return not value
    return value + 1 if isinstance(value, int) else f"{value}x"


def binds(drawing):
    """Whether a field with this drawing is bound to the outcome of its draw, not to there being one."""
    return draw_binding._unwrap(drawing) is not draw_binding.accept_any_draw


@pytest.mark.parametrize("title_id", TITLES)
def test_a_die_that_was_changed_in_a_copy(title_id):
    """A face other than the one that was drawn, or the same in another order: the event is named.

    Where a field tells of hidden options, only that there was a draw is bound before the end.
    """
    honest = Forgery(copy(title_id, 0))
    kinds = {kind.__name__: kind.drawn for kind in find_title(title_id).facts}
    bound = [
        (place, index) for place, index in shown(title_id, honest).items() if binds(kinds[place[0]][place[1]])
    ]
    assert bound, "each title shows something that is drawn in the open"
    for (kind, field), index in bound[:SOME]:
        forgery = honest.copy()
        *parents, last = field.split(".")
        place = forgery.events[index]["body"]["data"]
        for name in parents:
            place = place[name]
        place[last] = otherwise(place[last])
        with pytest.raises(BadBundle, match=f"^event {index + 1}: {kind}: {field} is not what was drawn"):
            verify(forgery.lines(), key=KEY, partial=True)


def test_data_of_another_form_are_blamed_on_their_own_event():
    """Not on the command that led to them: the first bad event is named."""
    forgery = Forgery(copy("example", 0))
    index = next(n for n, event in enumerate(forgery.events) if event["body"]["t"] == "SailsShown")
    forgery.events[index]["body"]["data"] = dict.fromkeys(forgery.events[index]["body"]["data"], "x")
    with pytest.raises(BadBundle, match=f"^event {index + 1}: its data do not fit SailsShown: "):
        verify(forgery.lines(), key=KEY, partial=True)
