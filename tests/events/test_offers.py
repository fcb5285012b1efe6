"""What a list shows where there are more choices than it has room for."""

from dataclasses import dataclass

from events.rules.kit.offers import choose_evenly, spread
from events.rules.steps import Command, Move


def first(name: str) -> str:
    """The target of a choice."""
    return name[0]


def test_all_are_shown_where_they_fit():
    """Nothing is left out, and nothing changes its place."""
    assert choose_evenly(["b1", "a1", "b2"], 3, first) == ("b1", "a1", "b2")
    assert spread("abc", 3) == ["a", "b", "c"]


def test_no_target_is_hidden():
    """Each target keeps its share, the large ones what the small ones leave, in the order of the list."""
    choices = [f"{name}{number}" for name, count in (("a", 9), ("b", 1), ("c", 9)) for number in range(count)]
    shown = choose_evenly(choices, 9, first)
    assert shown == ("a0", "a2", "a4", "a6", "b0", "c0", "c2", "c4", "c6")
    assert choose_evenly(choices, 9, first) == shown


def test_targets_themselves_are_spread_where_even_they_are_too_many():
    """With less room than targets each second, third, ... has one."""
    assert choose_evenly([f"{name}{n}" for name in "abcdef" for n in "12"], 3, first) == ("a1", "c1", "e1")


class Send(Command, frozen=True):
    """A command with a target."""

    to: str


@dataclass(frozen=True)
class Nowhere:
    """A state of one seat."""

    seats: int = 1


def sendings(_state, _seat):
    return (Send(name + number) for name in "abc" for number in "1234")


def test_a_move_lists_evenly_over_its_targets():
    """A cut list shows every target and says that it is cut."""
    move = Move(
        command=Send, take=lambda *_: None, legal=sendings, most=6, target=lambda c: c.to[0], label=""
    )
    assert [command.to for command in move.list_legal(Nowhere(), 0)] == ["a1", "a3", "b1", "b3", "c1", "c3"]
    assert not move.is_listed_whole(Nowhere(), 0)
