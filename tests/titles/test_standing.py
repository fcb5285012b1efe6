"""Answers that players may choose ahead: each means one command that is asked for, and none that is grave."""

from __future__ import annotations

import msgspec
import pytest

from events.rules.catalogue import find_title
from service.presenters.title_guide import load_title_guide
from tests.titles.table import Table, play, tried_titles


@pytest.mark.parametrize("title_id", tried_titles())
def test_answers_ahead_name_one_command(title_id: str) -> None:
    """In a random game no two legal commands fit one answer, unless it is given to every one that fits."""
    title = find_title(title_id)
    offered = load_title_guide(title).standing
    for one in offered:
        assert len(one.text) <= 80, one.key
        for answer in one.answers:
            assert title.command_type(answer["type"]), one.key
            assert answer["type"] not in title.pointing.grave, one.key
    if not offered:
        return
    game = play(Table(title_id, title.seats[len(title.seats) // 2]), seed=3, keep=True)
    seen: set[str] = set()
    for moment in game.some_moments(120):
        for seat in {each.seat for each in title.decisions(moment.state) if each.seat is not None}:
            legal = msgspec.json.decode(msgspec.json.encode(list(title.legal(moment.state, seat))))
            for one in offered:
                for answer in one.answers:
                    fit = [told for told in legal if answer == {name: told.get(name) for name in answer}]
                    assert one.every or len(fit) <= 1, (one.key, fit)
                    seen |= {answer["type"]} if fit else set()
    assert seen, "no answer fits anything in a whole game"
