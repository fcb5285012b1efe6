"""All that a title says in games of random commands: sentences, questions, buttons, panels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from events.rules.catalogue import find_title
from events.rules.fast_chance import FastChance
from events.rules.title import Title

TEXTS = {"title", "name", "text", "detail", "label", "note", "kind", "state"}
"""Members of panels that are read; `kind` is one where it is no panel's."""
BUTTONS = 5
"""Of each kind of command, at each decision."""
EVERY = 9
"""Decisions from one look at the table to the next."""


def find_texts_of(title_id: str, seats: int, options: dict[str, Any], seed: str) -> set[str]:
    """The texts of one game to its end."""
    title: Title[Any] = find_title(title_id)
    chance = FastChance(seed)
    draft = title.open(seats, title.Options(**options), chance)
    found: set[str] = set()
    count = 0
    while True:
        state = draft.state

        def who(seat: int, state: Any = state) -> str:
            return title.seat_name(state, seat)

        for fact in draft.facts:
            data = msgspec.to_builtins(fact, str_keys=True)
            found.add(title.tell[type(fact).__name__](data, who))
        awaited = title.awaited(state)
        if not awaited or count % EVERY == 0:
            found.update(_list_texts(title.page_panels(state, None)))
            found.update(_list_texts(title.page_panels(state, 0)))
        if not awaited:
            return found
        decision = chance.pick(awaited)
        found.add(title.question(decision.kind))
        if decision.seat is None:
            command = title.default(state, decision)
        else:
            found.update(_list_buttons(title, state, decision.seat))
            command = title.sample(state, decision.seat, chance)
        draft = title.decide(state, decision.seat, command, chance)
        count += 1


def _list_buttons(title: Title[Any], state: Any, seat: int) -> Iterator[str]:
    counted: dict[type, int] = {}
    for command in title.legal(state, seat):
        counted[type(command)] = counted.get(type(command), 0) + 1
        if counted[type(command)] <= BUTTONS:
            yield title.label(state, seat, command)


def _list_texts(value: Any, *, is_text: bool = True) -> Iterator[str]:
    if isinstance(value, str):
        if is_text:
            yield value
    elif isinstance(value, dict):
        panel = "title" in value
        for key, inner in value.items():
            if isinstance(inner, str):
                yield from _list_texts(inner, is_text=key in TEXTS and not (panel and key == "kind"))
            elif key not in {"key", "ref", "tone", "values"}:
                yield from _list_texts(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _list_texts(inner)
