"""Facts that show a public draw."""

import pytest

from events import drawn
from events.chance import D6

DIE = ((6,), (2,))


def show(data, how):
    return drawn.check([(data, how)], [DIE])


def test_a_die_is_what_was_drawn():
    """The face that the fact tells is the one drawn; any other is refused."""
    assert show({"roll": 3}, {"roll": drawn.die(D6)}) == 0
    with pytest.raises(drawn.WrongDraw, match="roll"):
        show({"roll": 4}, {"roll": drawn.die(D6)})


def test_dice_of_one_throw():
    """Several dice are one draw."""
    draws = [((6, 6), (0, 5))]
    assert drawn.check([({"dice": [1, 6]}, {"dice": drawn.dice(D6)})], draws) == 0
    with pytest.raises(drawn.WrongDraw):
        drawn.check([({"dice": [6, 1]}, {"dice": drawn.dice(D6)})], draws)


def test_no_dice_no_draw():
    """An empty throw, or none, uses no draw; so a draw is left over."""
    for empty in ([], None):
        assert drawn.check([({"dice": empty}, {"dice": drawn.dice(D6)})], []) == 0
        with pytest.raises(drawn.WrongDraw, match="no fact"):
            show({"dice": empty}, {"dice": drawn.dice(D6)})


def test_an_index_and_an_opaque_draw():
    """A seat among all seats is the integer itself; an opaque field binds only that there was a draw."""
    assert drawn.check([({"seat": 2}, {"seat": drawn.index})], [((4,), (2,))]) == 0
    assert show({"tile": "x"}, {"tile": drawn.opaque}) == 1
    with pytest.raises(drawn.WrongDraw, match="not made"):
        drawn.check([({"tile": "x"}, {"tile": drawn.opaque})], [])


def test_a_draw_for_each_element():
    """A tuple of throws uses as many draws, in order; fields inside objects have dotted names."""
    how = {"fight.rolls": drawn.each(drawn.die(D6))}
    draws = [((6,), (0,)), ((6,), (4,))]
    assert drawn.check([({"fight": {"rolls": [1, 5]}}, how)], draws) == 0
    with pytest.raises(drawn.WrongDraw):
        drawn.check([({"fight": {"rolls": [5, 1]}}, how)], draws)
