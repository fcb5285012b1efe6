"""Panels and sentences: a person can play from them."""

import msgspec
import pytest

from events.title import type_name
from events.titles.colonies.data import TECHNOLOGIES
from tests.titles.table import Table, play

from .at_table import TITLE, give, table

COLOURS = ["Blue", "Green", "Yellow", "Purple", "Red"]


def panel(state, seat, title):
    """The panel of that title."""
    return next(p for p in TITLE.panels(TITLE.view(state, seat), seat) if p["title"].startswith(title))


def test_ring_panel():
    """The five planets lie on a circle, joined by their trade routes; neutral ones are marked."""
    ring = panel(table(3), 0, "The ring")
    assert [a["key"] for a in ring["areas"]] == [c.lower() for c in COLOURS]
    assert ["green", "purple"] not in ring["links"]
    assert len(ring["links"]) == 9
    assert ring["areas"][1]["name"] == "Green (neutral)"


def test_agreements_panel():
    """The matrix of promises shows the pirates that wait on a route."""
    state = table(promise={"red": {"blue": 3}}, pirates={"blue": {"red": 2}})
    row = panel(state, None, "Trade agreements")["rows"][4]
    assert row[1]["text"] == "3 ☠2"
    assert row[-1] == 6


def test_markets_panel():
    """What the next sale brings and the next purchase costs."""
    rows = panel(table(markets={"blue": 0, "red": 4}), 0, "Markets")["rows"]
    assert (rows[0][3]["text"], rows[0][4]) == ("3 €", "–")
    assert (rows[4][3]["text"], rows[4][4]) == ("1 €", "2 €")


def test_technologies_panel():
    """A row for each technology and one for the points."""
    assert len(panel(table(), 1, "Technologies")["rows"]) == len(TECHNOLOGIES) + 1


def test_own_cards_and_covered_answer():
    """One's hand and one's covered answer are shown to oneself only."""
    state = give(table(phase="event_vote"), 0, "cast_vote", side="yes", resources={"red": 1}).state
    assert len(panel(state, 0, "Your event cards")["items"]) == 4
    assert panel(state, 0, "Your covered answer")["items"][0]["value"] == "yes"
    titles = [p["title"] for p in TITLE.panels(TITLE.view(state, 1), 1)]
    assert "Your covered answer" not in titles


@pytest.mark.parametrize("seats", [3, 5])
def test_sentences_have_no_bare_keys(seats):
    """Sentences use names, not the keys of the data."""
    game = play(Table("colonies", seats), seed=3)
    for fact in game.facts:
        data = msgspec.to_builtins(fact, str_keys=True)
        sentence = TITLE.tell[type_name(type(fact))](data, lambda seat: f"P{seat}")
        assert "_" not in sentence
        assert "ev0" not in sentence
        assert "{" not in sentence


def test_effect_sentence():
    """An effect is told with what it changed."""
    place = {"queue": [{"seat": 2, "effect": "official"}], "primitive": 0, "chosen": False}
    state = table(phase="event_effects", current_card="ev15", resolution=place, credits=[5, 0, 50, 10, 1])
    fact = give(state, 2, "choose_event_reward", choice="effect").facts[1]
    data = msgspec.to_builtins(fact, str_keys=True)
    told = TITLE.tell["EventEffectApplied"](data, lambda seat: COLOURS[seat])
    assert told == "Yellow: receives 2 € from Purple, receives 1 € from Red and receives 2 € from Blue."
