"""The ways in which a fact shows a public draw, so that dice can be checked against the event.

A fact declares ``drawn = {"roll": dice(D6), "lead_seat": index}``: for each public field, in the order of
drawing, how its value follows from one public draw: ``of`` are the bounds that were asked for, ``got`` the
integers that came. A field that is None or an empty tuple shows no draw: no dice were thrown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

Drawing = Callable[[Any, Sequence[int], Sequence[int]], bool]
"""``(value, of, got)``: whether the value of the field is what the draw gave."""
Parts = Callable[[Any], Iterable[Any]]
"""The parts of a field that show one draw each, in order."""


def die(faces: Sequence[Any]) -> Drawing:
    """One die with these *faces*: the field holds the face.

    >>> die(("red", "blue"))("blue", (2,), (1,))
    True
    """

    def shows(value: Any, of: Sequence[int], got: Sequence[int]) -> bool:
        return list(of) == [len(faces)] and faces[got[0]] == value

    return shows


def dice(faces: Sequence[Any]) -> Drawing:
    """Several dice thrown as one draw: the field holds their faces in order.

    >>> dice(range(1, 7))((3, 6), (6, 6), (2, 5))
    True
    """

    def shows(value: Any, of: Sequence[int], got: Sequence[int]) -> bool:
        return list(of) == [len(faces)] * len(value) and [faces[g] for g in got] == list(value)

    return shows


def index(value: Any, of: Sequence[int], got: Sequence[int]) -> bool:
    """The field holds the integer drawn: one of 0 .. *of* - 1, such as a seat among all seats."""
    return len(of) == 1 and list(got) == [value]


def accept_any_draw(value: Any, of: Sequence[int], got: Sequence[int]) -> bool:
    """The options depended on hidden or long state: only that there was a draw is bound until the end."""
    return True


def bind_each(drawing: Drawing, parts: Parts = tuple) -> Drawing:
    """The field is a tuple, and each of its elements shows a draw of its own, in order.

    *parts* takes the field apart where it is something else: ``range`` for a number that counts opaque draws,
    ``dict.values`` for a mapping. For tuples in a tuple *drawing* is an :func:`bind_each` itself.
    """
    return _Each(drawing, parts)


def bind_deal(options: Sequence[Any] | None = None) -> Drawing:
    """The field is a tuple of some of *options*, each drawn from those that the earlier ones left.

    Without *options* it is an order of all the numbers below its length, such as the seats of a table.
    """

    def shows(part: tuple[Sequence[Any], Any], of: Sequence[int], got: Sequence[int]) -> bool:
        left, value = part
        return list(of) == [len(left)] and left[got[0]] == value

    def parts(values: Sequence[Any]) -> Iterator[tuple[Sequence[Any], Any]]:
        left = list(range(len(values)) if options is None else options)
        for value in values:
            yield tuple(left), value
            if value in left:
                left.remove(value)

    return bind_each(shows, parts)


def bind_unless_chosen(drawing: Drawing) -> Drawing:
    """The field shows draws in some games; where the command makes none, players chose what it tells."""
    return _UnlessChosen(drawing, lambda value: (value,))


def bind_if(field: str, value: Any, drawing: Drawing) -> Drawing:
    """The field shows a draw only where the *field* of the fact is *value*: by lot, not by choice."""
    return _OnlyIf(field, value, drawing)


class _Each:
    """A drawing that uses as many draws as the field has parts."""

    def __init__(self, drawing: Drawing, parts: Parts) -> None:
        self.drawing = drawing
        self._parts = parts

    def __call__(self, value: Any, of: Sequence[int], got: Sequence[int]) -> bool:
        return self.drawing(value, of, got)

    def values(self, value: Any) -> Iterator[Any]:
        """The parts of the field that show one draw each."""
        for part in self._parts(value):
            yield from _list_shown_values(part, self.drawing)


class _UnlessChosen(_Each):
    """A drawing that uses no draw where none is left."""


class _OnlyIf(_Each):
    """A drawing that uses no draw unless another field has the value that says so."""

    def __init__(self, field: str, value: Any, drawing: Drawing) -> None:
        super().__init__(drawing, lambda shown: (shown,))
        self._field = field
        self._value = value

    def holds(self, data: Mapping[str, Any]) -> bool:
        """Return True if this fact shows a draw."""
        return bool(_value_at(data, self._field) == self._value)


class WrongDraw(ValueError):
    """A fact does not show what was drawn; *fact* is its index in the command, *field* what is wrong."""

    def __init__(self, fact: int, field: str, problem: str) -> None:
        super().__init__(problem)
        self.fact = fact
        self.field = field


Draw = tuple[Sequence[int], Sequence[int]]
"""``(of, got)`` of one public draw."""


def check_draws(
    facts: Sequence[tuple[Mapping[str, Any], Mapping[str, Drawing]]], draws: Sequence[Draw]
) -> int:
    """The public *draws* of a command against its facts, each given as its JSON data and its ``drawn``.

    Answers how many draws are shown opaquely. Raises :class:`WrongDraw` where a draw is lacking, left over,
    or shown otherwise than it came.
    """
    left = list(draws)
    hidden = 0
    for number, (data, drawn) in enumerate(facts):
        for field, drawing in drawn.items():
            if not left and isinstance(drawing, _UnlessChosen):
                continue
            if isinstance(drawing, _OnlyIf) and not drawing.holds(data):
                continue
            for value in _list_shown_values(_value_at(data, field), drawing):
                if not left:
                    raise WrongDraw(number, field, f"{field} shows a draw that was not made")
                of, got = left.pop(0)
                if not drawing(value, of, got):
                    raise WrongDraw(number, field, f"{field} is not what was drawn")
                hidden += _unwrap(drawing) is accept_any_draw
    if left:
        raise WrongDraw(len(facts) - 1, "", f"{len(left)} draws are shown by no fact")
    return hidden


def _value_at(data: Mapping[str, Any], path: str) -> Any:
    value: Any = data
    for key in path.split("."):
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def _list_shown_values(value: Any, drawing: Drawing) -> Iterable[Any]:
    if value is None or value in ((), []):
        return ()
    return drawing.values(value) if isinstance(drawing, _Each) else (value,)


def _unwrap(drawing: Drawing) -> Drawing:
    while isinstance(drawing, _Each):
        drawing = drawing.drawing
    return drawing
