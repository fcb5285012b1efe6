"""Facts show public draws: several in one field, dealt, nested, counted, or none where players chose."""

from __future__ import annotations

import pytest

from events.rules.draw_binding import (
    WrongDraw,
    accept_any_draw,
    bind_deal,
    bind_each,
    bind_if,
    bind_unless_chosen,
    check_draws,
    dice,
    index,
)

D6 = (1, 2, 3, 4, 5, 6)


def test_dealt_options_are_used_up():
    """Each element is drawn from what the earlier ones left."""
    fact = ({"order": ["b", "c"]}, {"order": bind_deal("abc")})
    assert check_draws([fact], [((3,), (1,)), ((2,), (1,))]) == 0
    with pytest.raises(WrongDraw, match="not what was drawn"):
        check_draws([fact], [((3,), (1,)), ((3,), (2,))])


def test_a_value_that_is_no_option_is_noticed():
    """A forged element is a wrong draw, not a failure."""
    with pytest.raises(WrongDraw, match="not what was drawn"):
        check_draws([({"order": ["x"]}, {"order": bind_deal("abc")})], [((3,), (1,))])


def test_nested_fields_are_taken_apart():
    """Dice of several seats in several rounds: one draw for each seat of each round."""
    fact = (
        {"rounds": [{"0": [1], "1": [1]}, {"0": [6]}]},
        {"rounds": bind_each(bind_each(dice(D6), dict.values))},
    )
    assert check_draws([fact], [((6,), (0,)), ((6,), (0,)), ((6,), (5,))]) == 0
    with pytest.raises(WrongDraw, match="not made"):
        check_draws([fact], [((6,), (0,)), ((6,), (0,))])


def test_a_number_counts_opaque_draws():
    """Cubes from a bag: as many draws as cubes, each of them opaque."""
    kinds = {"black": bind_each(accept_any_draw, range), "brown": bind_each(accept_any_draw, range)}
    assert check_draws([({"black": 2, "brown": 0}, kinds)], [((9,), (1,)), ((8,), (1,))]) == 2


def test_what_players_chose_shows_no_draw():
    """The same field shows draws where the command made some, and none where it made none."""
    fact = ({"discards": ["a"]}, {"discards": bind_unless_chosen(bind_deal("abc"))})
    assert check_draws([fact], []) == 0
    assert check_draws([fact], [((3,), (0,))]) == 0
    with pytest.raises(WrongDraw, match="not what was drawn"):
        check_draws([fact], [((3,), (1,))])
    with pytest.raises(WrongDraw, match="shown by no fact"):
        check_draws([fact], [((3,), (0,)), ((2,), (0,))])


def test_another_field_says_whether_there_was_a_draw():
    """A draw is shown only where another field says so; there it must be, elsewhere it must not."""
    shows = {"seat": bind_if("method", "random", index)}
    drawn, chosen = ({"seat": 2, "method": "random"}, shows), ({"seat": 2, "method": "fingers"}, shows)
    assert check_draws([drawn], [((4,), (2,))]) == 0
    assert check_draws([chosen], []) == 0
    with pytest.raises(WrongDraw, match="not made"):
        check_draws([drawn], [])
    with pytest.raises(WrongDraw, match="shown by no fact"):
        check_draws([chosen], [((4,), (2,))])
