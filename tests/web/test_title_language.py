"""Titles in another language than English: what their catalogues say of all that a game says."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from events.rules.catalogue import find_title
from service.presenters.lessons import load_lesson
from service.presenters.title_guide import load_title_guide
from tests.conftest import LiveServer
from tests.page_catalogue import CATALOGUES, find_holes
from tests.title_texts import find_texts_of
from tests.web.conftest import Visitor
from tests.web.table import Player, enter
from tests.web.test_language import english_on

MOVED = "seen => document.querySelector('.game-page').dataset.last !== seen"
FILES = sorted(CATALOGUES.glob("titles.*.json"))
GAMES = ((2, True), (4, False))
"""Numbers of seats, and if the first hands are dealt."""
SAY = """async ({ base, catalogue, texts }) => {
  const { speaker } = await import(base + "js/base/sayings.js");
  const say = speaker(catalogue);
  return texts.map(say);
}"""
WORDED = """async ({ base, catalogue, answer }) => {
  const { speaker, worded } = await import(base + "js/base/sayings.js");
  return worded(answer, speaker(catalogue));
}"""
ENGLISH = re.compile(
    r"\b(the|and|of|is|are|with|from|to|a|no|by|at|for|has|have|ships?|discs?|cards?|plays|turn|natives|influence"
    r"|draws|places|loses|cubes?|black|brown|yellow|blue|red|green|white|fresh|used|seas?|ocean)\b",
    re.IGNORECASE,
)
"""Words that no German sentence has."""


def read_titles(path: Path) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = json.loads(path.read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_translation_fills_the_same_places(path: Path) -> None:
    for title, catalogue in read_titles(path).items():
        assert title == "table" or find_title(title).id == title
        other = [english for english, told in catalogue.items() if find_holes(english) != find_holes(told)]
        assert other == []


def read_sayings(title: str) -> dict[str, str]:
    """The German of a title, with what the log says of any table."""
    found = read_titles(CATALOGUES / "titles.de.json")
    return {**found["table"], **found[title]}


def find_all_texts() -> list[str]:
    """What a player of Colonialism may read at the table, before it, and in the lesson."""
    title = find_title("colonialism")
    found: set[str] = set()
    for seats, dealt in GAMES:
        found |= find_texts_of(title.id, seats, {"quick_start_hands": dealt}, f"said {seats}")
    words, lesson = load_title_guide(title), load_lesson(title)
    assert words.about is not None
    assert lesson is not None
    found |= {words.about.sentence, *(step.text for step in (*lesson.steps, *lesson.asides))}
    found |= {
        text for each in words.options.values() for text in (each.name, each.effect, *each.values.values())
    }
    found |= {hint.text for hint in title.pointing.guide} | set(title.pointing.measures.values())
    return sorted(found)


@pytest.mark.browser
def test_all_that_a_game_says_is_german(workbench: Page, files: str) -> None:
    """The sentences of whole games, the buttons, the questions, the tables, the options, the lesson."""
    catalogue = read_sayings("colonialism")
    texts = find_all_texts()
    assert len(texts) > 1000
    said = workbench.evaluate(SAY, {"base": files, "catalogue": catalogue, "texts": texts})
    assert [(text, told) for text, told in zip(texts, said, strict=True) if ENGLISH.search(told)] == []


@pytest.mark.browser
def test_what_no_catalogue_has_stays_as_it_is(workbench: Page, files: str) -> None:
    """Parts and sentences of a text are said apart; a longer sentence goes before a shorter one."""
    catalogue = {
        "and": "und", "Army": "Armee", "India": "Indien", "{n} cards": "{n} Karten",
        "{who} draws {what}.": "{who} zieht {what}.",
        "{who} draws {what}: {list}.": "{who} zieht {what}: {list}.",
        "{card} at {where}": "{card} an {where}",
        "the natives": "die Einheimischen", "Unrest at Home": "Unruhen",
    }  # fmt: skip
    texts = {
        "Army draws 2 cards: Army, India and Army.": "Armee zieht 2 Karten: Armee, Indien und Armee.",
        "Unrest at Home at India": "Unruhen an Indien",
        "The natives": "Die Einheimischen",
        "Army and Bob": "Armee und Bob",
        "Bob is here. Army draws Army.": "Bob is here. Armee zieht Armee.",
        "Army (India)": "Army (India)",
        "7": "7",
    }
    given = {"base": files, "catalogue": catalogue, "texts": list(texts)}
    assert workbench.evaluate(SAY, given) == list(texts.values())


@pytest.mark.browser
def test_words_of_people_are_not_translated(workbench: Page, files: str) -> None:
    """A seat keeps its name of the log, a person theirs; of what they say only phrases are translated."""
    seats = [{"seat": 0, "label": "Blue", "name": "Army", "colour": "blue"}]
    card, card_told = ({"key": "army", "ref": "card:army", "name": name} for name in ("Army", "Armee"))
    catalogue = {"Army": "Armee", "Blue": "Blau", "cards": "Karten"}
    answer = {
        "id": "x", "title": "colonialism", "seats": seats,
        "panels": [{"kind": "cards", "title": "Army", "items": [card]}],
        "messages": [{"n": 1, "text": "Army"}, {"n": 2, "text": "Army", "phrase": "army"}],
    }  # fmt: skip
    given = {"base": files, "catalogue": catalogue, "answer": answer}
    assert workbench.evaluate(WORDED, given) == {
        "id": "x", "title": "colonialism",
        "seats": [{"seat": 0, "label": "Blau", "plain": "Blue", "name": "Army", "colour": "blue"}],
        "panels": [{"kind": "cards", "title": "Armee", "items": [card_told]}],
        "messages": [{"n": 1, "text": "Army"}, {"n": 2, "text": "Armee", "phrase": "army"}],
    }  # fmt: skip


@pytest.mark.browser
@pytest.mark.integration
def test_a_first_move_is_german(visitor: Visitor, live_server: LiveServer) -> None:
    """The question, the board, the buttons and the history, before and after a command."""
    anna = Player(live_server.address, "Anna")
    game = anna.game("colonialism", [{"you": True}, {"bot": "steady"}], options={"quick_start_hands": True})
    page = enter(visitor(locale="de-DE"), anna.address, anna, f"g/{game}")
    asked = page.locator(".game-page[data-asked=true]")
    for _ in range(2):
        expect(asked).to_be_visible()
        expect(page.locator("[data-part=line]").first).to_be_visible()
        assert page.evaluate("() => document.querySelectorAll('.panel').length") > 3
        assert english_on(page) == []
        before = page.locator(".game-page").get_attribute("data-last")
        page.locator(".game-page [data-lit]:visible").first.click()
        page.locator("[data-part=give]:enabled:visible, [data-part=candidate]:enabled:visible").first.click()
        page.wait_for_function(MOVED, arg=before)
