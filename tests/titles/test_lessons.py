"""Guided first turns: each command is legal where it is asked for, whatever the rival's bot does."""

from __future__ import annotations

import msgspec
import pytest

from events.rules.catalogue import find_title, packages
from events.rules.kit.values import plain
from service.presenters.lessons import find_meant, has_lesson, load_lesson
from service.presenters.rulebooks import load_rulebook
from tests.titles.golden import PROJECT
from tests.titles.table import fast, tried_titles
from workers import bots

TITLES = [name for name, place in packages().items() if place.startswith(PROJECT)]
WITH = [name for name in tried_titles() if has_lesson(find_title(name))]
LONGEST = 60
"""No guided turn takes more commands, of all players."""
DEALS = range(4)


def spelled(command):
    """A command as JSON."""
    return plain(command)


@pytest.mark.parametrize("title_id", WITH)
@pytest.mark.parametrize("deal", DEALS)
def test_every_step_is_legal_in_its_turn_and_leads_on(title_id, deal):
    """Five steps from the position; what is asked in between has an answer of its own."""
    title, chance = find_title(title_id), fast(deal)
    lesson, bot = load_lesson(title), bots.find_bot(title_id, "steady", title)
    state, at = title.from_position(lesson.position), 0
    for n in range(LONGEST):
        decisions = title.awaited(state)
        assert decisions, "the game is over before the fifth step"
        owed = next((each for each in decisions if each.seat == 0), None)
        if owed is not None:
            legal = list(title.legal(state, 0))
            told = [each for each in map(spelled, legal) if each["type"] in types_of(title, decisions)]
            tried = [lesson.steps[at], *lesson.asides]
            step, meant = next(
                ((one, found) for one in tried if (found := find_meant(one, told))), (None, None)
            )
            assert meant is not None, (lesson.steps[at].text, owed.kind, told[:4])
            seat, command = 0, legal[[spelled(each) for each in legal].index(meant)]
            at += step is lesson.steps[at]
        else:
            seat = decisions[0].seat
            seed = bytes([deal, n]) * 16
            if seat is None:
                command = title.default(state, decisions[0])
            else:
                command = bots.choose_move(title, bot, state, seat, seed)
        state = title.decide(state, seat, command, chance).state
        if at == len(lesson.steps):
            return
    raise AssertionError(lesson.steps[at].text)


def types_of(title, decisions):
    """The kinds of command that answer what seat 0 is asked."""
    return {kind for each in decisions if each.seat == 0 for kind in each.commands}


@pytest.mark.parametrize("title_id", TITLES)
def test_each_title_of_the_project_teaches_five_steps_in_short_sentences(title_id):
    """Each step rests on a clause that there is."""
    title = find_title(title_id)
    assert has_lesson(title)
    lesson = load_lesson(title)
    assert len(lesson.steps) == 5
    there = {each["id"] for each in msgspec.json.decode(load_rulebook(title).json)["clauses"]}
    assert {step.clause for step in lesson.steps} <= there
    for step in [*lesson.steps, *lesson.asides]:
        assert len(step.text) <= 160, step.text
