"""Positions that are greater than any game: refused before anything is computed from them, by every title."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest

from events.proof import canonical
from events.rules.catalogue import find_title, title_ids
from events.rules.fast_chance import FastChance
from events.rules.title import MOST_TOGETHER, MOST_VALUES, InvalidPosition

Path = tuple[Any, ...]
TITLES = [title_id for title_id in title_ids() if title_id != "example"]  # which has the common bound alone


def positions(title_id: str) -> Iterator[dict[str, Any]]:
    """Positions of a game by lot, with as many seats as there may be."""
    title, chance = find_title(title_id), FastChance(1)
    draft = title.open(title.seats[-1], title.Options(), chance)
    for number in range(241):
        decisions = title.awaited(draft.state)
        if not decisions or title.outcome(draft.state) is not None:
            return
        if number % 40 == 0:
            yield json.loads(canonical.encode(title.position(draft.state)))
        seat = decisions[0].seat
        command = (
            title.default(draft.state, decisions[0])
            if seat is None
            else title.sample(draft.state, seat, chance)
        )
        draft = title.decide(draft.state, seat, command, chance)


def lists_of(value: Any, path: Path = ()) -> Iterator[Path]:
    """Where the lists of a position stand that hold anything."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    if isinstance(value, list) and value:
        yield path
    for name, one in inside:
        yield from lists_of(one, (*path, name))


def with_list(position: dict[str, Any], path: Path, count: int) -> dict[str, Any]:
    """The position with a list of its own values that is so long."""
    changed = copy.deepcopy(position)
    place: Any = changed
    for name in path[:-1]:
        place = place[name]
    held = place[path[-1]]
    place[path[-1]] = (held * (count // len(held) + 1))[:count]
    return changed


@pytest.mark.parametrize("count", [400, MOST_TOGETHER, 30_000])
@pytest.mark.parametrize("title_id", TITLES)
def test_a_list_that_is_longer_than_any_of_a_game_is_refused(title_id, count):
    """Cards, pieces, loans, answers: by what the title's own data have, and above all by a common bound."""
    title, tried = find_title(title_id), set()
    for position in positions(title_id):
        assert title.position(title.from_position(position)) is not None
        for path in lists_of(position):
            what = tuple(name for name in path if isinstance(name, str))
            if what in tried or what == ("hand_count",):  # which is shown, and never read
                continue
            tried.add(what)
            with pytest.raises(InvalidPosition):
                title.from_position(with_list(position, path, count))
    assert tried


@pytest.mark.parametrize("title_id", title_ids())
def test_a_position_with_more_values_than_any_is_refused(title_id):
    """Whatever they are, and however they are spread."""
    title = find_title(title_id)
    position = next(positions(title_id))
    spread = [[0] * 100] * (MOST_VALUES // 100)
    for great in (spread, [[[]] * 900] * 900, dict.fromkeys(map(str, range(MOST_TOGETHER + 1)), 0)):
        with pytest.raises(InvalidPosition, match="at most 10,000 values"):
            title.from_position({**position, "more": great})


def test_a_hand_of_thirty_thousand_cards():
    """The answer names the part, and so does that to a hand with one card too many."""
    title = find_title("colonial_empires")
    position = next(positions("colonial_empires"))
    for cards, said in (
        (["event_privateering"] * 30_000, "at most 10,000 values"),
        (["event_privateering"] * 99, "hand: the game has 98 cards"),
        (["no_such_card"], "hand: 'no_such_card' is no card"),
    ):
        with pytest.raises(InvalidPosition, match=said):
            title.from_position({**position, "hand": [cards, *position["hand"][1:]]})
