"""Checks of resources that several commands share."""

from __future__ import annotations

from collections.abc import Mapping

from events.steps import Rejected
from events.titles.colonies.data import COLOURS
from events.titles.colonies.primitives import Colour


def in_ring_order(resources: Mapping[Colour, int]) -> dict[Colour, int]:
    """The same counts with colours in ring order and without zeros."""
    return {c: resources[c] for c in COLOURS if resources.get(c)}


def check_stock(stock: Mapping[Colour, int], resources: Mapping[Colour, int]) -> None:
    """A player gives only what lies in his stock."""
    if any(stock[colour] < count for colour, count in resources.items()):
        raise Rejected("insufficient_resources", "Use no more resources of a colour than lie in your stock.")
