"""One plays every title by pointing: what commands name is drawn, and nothing that is drawn is a secret."""

from __future__ import annotations

import msgspec
import pytest

from events.rules.catalogue import find_title
from events.rules.kit.panels import ROLES
from events.rules.kit.refs import group_by_key, list_drawn_refs, refs_of
from service.presenters.rulebooks import load_rulebook
from service.presenters.title_guide import load_art
from tests.titles import table
from tests.titles.table import Play, play, tables

TABLES = [
    pytest.param(t, id=t.name)
    for t in {t.title_id: t for t in tables() if t.version is None and not t.options}.values()
]
EVERY = 7
"""Of so many moments of a game one is looked at: neighbours are alike."""
LOOKED = 25
ENOUGH = 0.9


@pytest.fixture(scope="module", params=TABLES)
def drawn_game(request) -> Play:
    """A random game of each title."""
    return play(request.param, seed=11, keep=True)


def moments(drawn_game: Play):
    """States in which somebody is waited for, with their seat."""
    for moment in drawn_game.moments[::EVERY][:LOOKED]:
        for decision in drawn_game.title.awaited(moment.state):
            if decision.seat is not None:
                yield moment.state, decision.seat, decision.kind


def test_what_a_command_names_is_drawn(drawn_game):
    """Nine of ten legal commands can be found by pointing at a panel in sight; each ref is drawn."""
    title, named, every = drawn_game.title, 0, 0
    for state, seat, _ in moments(drawn_game):
        panels = title.page_panels(state, seat)
        seen = set(list_drawn_refs(panel for panel in panels if panel["role"] != "table"))
        drawn = group_by_key(list_drawn_refs(panels))
        for command in title.legal(state, seat):
            told = msgspec.to_builtins(command, str_keys=True)
            refs, _ = refs_of(told, title.label(state, seat, command), drawn, title.pointing.refs, seat)
            assert all(ref in drawn for each in refs for ref in each)
            named += any(ref in seen for each in refs for ref in each)
            every += 1
    assert named >= ENOUGH * every, f"{title.id}: {named} of {every}"


def test_a_ref_betrays_nothing(drawn_game):
    """In a world that a seat cannot tell from the real one the same things are drawn for it."""
    title, chance = drawn_game.title, table.fast(5)
    for state, seat, _ in moments(drawn_game):
        imagined = title.imagine(state, seat, chance)
        assert list(list_drawn_refs(title.page_panels(imagined, seat))) == list(
            list_drawn_refs(title.page_panels(state, seat))
        )


def test_every_panel_has_its_place(drawn_game):
    """A page finds a board, the seats and a role for every panel; no ref is drawn twice in one panel."""
    title = drawn_game.title
    for state, seat, _ in moments(drawn_game):
        for eyes in (seat, None):
            panels = title.page_panels(state, eyes)
            assert {panel["role"] for panel in panels} <= set(ROLES)
            assert {"board", "seats"} <= {panel["role"] for panel in panels}


def test_every_decision_asks_in_words(drawn_game):
    """What a player is to do stands in the title's words, not as a key."""
    for _, _, kind in moments(drawn_game):
        ask = drawn_game.title.question(kind)
        assert ask != kind
        assert "_" not in ask


def cards_in(panels):
    """All cards that are drawn."""
    for panel in panels:
        if panel["kind"] == "cards":
            yield from panel["items"]
        elif panel["kind"] == "mats":
            for mat in panel["items"]:
                yield from mat["items"]


def test_every_card_names_its_clauses(drawn_game):
    """Where ``[clauses]`` in ``page.toml`` says it of one card, it says it of all; each clause exists."""
    title = drawn_game.title
    if not title.pointing.clauses:
        return
    there = {each["id"] for each in msgspec.json.decode(load_rulebook(title).json)["clauses"]}
    assert {clause for told in title.pointing.clauses.values() for clause in told} <= there
    seen = set()
    for state, seat, _ in moments(drawn_game):
        for eyes in (seat, None):
            seen |= {card["ref"] for card in cards_in(title.page_panels(state, eyes))}
    assert seen
    assert [ref for ref in seen if not title.pointing.clauses_of(ref)] == []


def test_every_card_has_a_drawing(drawn_game):
    """Where ``art.toml`` names one for some cards it does for all."""
    art = load_art(drawn_game.title)
    if not art:
        return
    seen = set()
    for state, seat, _ in moments(drawn_game):
        seen |= {card["ref"] for card in cards_in(drawn_game.title.page_panels(state, seat))}
    assert [ref for ref in seen if not any(ref.startswith(begins) for begins in art)] == []


@pytest.mark.parametrize("table", TABLES)
def test_the_hints_for_a_first_turn_are_three_and_rest_on_clauses(table) -> None:
    """Short ones; a title may do without any."""
    title = find_title(table.title_id)
    assert len(title.pointing.guide) in (0, 3)
    rules = load_rulebook(title)
    for hint in title.pointing.guide:
        assert len(hint.text) <= 160, hint
        assert hint.clause in {each["id"] for each in msgspec.json.decode(rules.json)["clauses"]}
