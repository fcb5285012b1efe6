"""Bounds that a view declares of its numbers and lists.

Learning programs scale what they see by them, and the description of the API shows them. They check nothing:
what a command may say is refused by the rules, in their own words.
"""

from __future__ import annotations

from typing import Annotated, Any, TypeVar

import msgspec

T = TypeVar("T")

SEATS = 16
"""No table has more seats."""
OF_TABLE = "of_table"
"""The mark of a number or a list that ends with the seats of the title."""
EACH = "each"
"""The mark of a list in which an item stands several times, but no more often than this."""
SEAT = msgspec.Meta(extra_json_schema={"minimum": 0, "maximum": SEATS - 1}, extra={OF_TABLE: True})
"""The declaration of the number of a seat."""
BY_SEAT = msgspec.Meta(extra_json_schema={"maxItems": SEATS}, extra={OF_TABLE: True})
"""The declaration of a list of seats, or of a value for each seat."""
BySeat = Annotated[tuple[T, ...], BY_SEAT]
"""A value for each seat."""
Seats = BySeat[Annotated[int, SEAT]]
"""Some of the seats, each once."""


def limit_number(least: int, most: int) -> msgspec.Meta:
    """Return the declaration of a number that lies between *least* and *most*."""
    return msgspec.Meta(extra_json_schema={"minimum": least, "maximum": most})


def limit_items(items: int, *, each: int | None = None) -> msgspec.Meta:
    """Return the declaration of a list of at most so many *items*, *each* of them at most so often."""
    schema: dict[str, Any] = {"maxItems": items}
    if each == 1:
        schema["uniqueItems"] = True
    return msgspec.Meta(extra_json_schema=schema, extra=None if each is None else {EACH: each})
