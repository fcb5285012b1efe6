"""Panels and sentences: a person can play from them."""

import msgspec
import pytest

from events.fact import type_name
from events.titles.colonies.data import TECHNOLOGIES
from tests.titles.table import Table, play

from .at_table import TITLE, acting, give, table

COLOURS = ["Blue", "Green", "Yellow", "Purple", "Red"]


def panel(state, seat, title):
    """The panel of that title."""
    return next(p for p in TITLE.panels(TITLE.shown(state, seat), seat) if p["title"].startswith(title))


def test_ring_panel():
    """The five planets lie on a circle, joined by their trade routes; neutral ones are marked."""
    ring = panel(table(3), 0, "The ring")
    assert [a["key"] for a in ring["areas"][:5]] == [c.lower() for c in COLOURS]
    assert ["green", "purple"] not in ring["links"]
    assert len(ring["links"]) == 9
    assert ring["areas"][1]["name"] == "Green (neutral)"


def test_routes_on_the_ring():
    """Between two planets lies what each gives the other, and behind it the pirates that wait for it."""
    state = table(promise={"red": {"blue": 3}}, pirates={"blue": {"red": 2}})
    areas = {a["key"]: a for a in panel(state, 0, "The ring")["areas"]}
    tokens = [(t["text"], t["tone"]) for t in areas["blue_red"]["tokens"]]
    assert tokens == [("1", 0), ("3", 4), ("☠2", "bad")]
    assert areas["blue_red"]["tokens"][2]["detail"] == "2 pirates on Blue's Red route"


def test_agreements_panel():
    """The matrix of promises marks the deliveries that pirates wait for."""
    state = table(promise={"red": {"blue": 3}}, pirates={"blue": {"red": 2}})
    rows = panel(state, None, "Trade agreements")["rows"]
    assert (rows[4][1]["text"], rows[4][1]["tone"], rows[4][6]) == ("3", "bad", 6)
    assert (rows[0][1]["text"], rows[0][7]) == ("–", "2 from Red")


def test_own_routes_panel():
    """One's partners in the order of paying, and what would be missing."""
    state = table(promise={"blue": {"green": 4}}, pirates={"blue": {"red": 2}, "yellow": {"blue": 1}})
    routes = panel(state, 0, "Your trade routes")
    assert [row[0]["text"] for row in routes["rows"][:4]] == ["Green", "Yellow", "Purple", "Red"]
    assert routes["rows"][1][4]["text"] == "1"
    assert routes["rows"][3][3]["text"] == "2"
    assert routes["note"].endswith("2 would be missing.")


def test_markets_panel():
    """Every shelf, and what the next sales bring and purchases cost."""
    rows = panel(table(markets={"blue": 0, "green": 6, "red": 3}), 0, "Markets")["rows"]
    assert rows[0][1:] == [0, "○", "○○○", "–", "3, 2, 2 €", "–"]
    assert rows[1][1:] == [6, "●", "●●●", "2", "1, 1, 1 €", "1, 1, 2 €"]
    assert rows[4][1:] == [3, "●", "●●○", "–", "2, 1, 1 €", "2, 2, 3 €"]


def test_event_panel():
    """CLN-028, CLN-029: the open card is this turn's, and from the actions on the next turn's."""
    state = table(turn=3, current_card="ev02")
    assert panel(state, 0, "Event of turn 3")["note"].startswith("8 colonists")
    state = acting(turn=3, current_card="ev02")
    event = panel(state, 0, "Event of turn 4")
    assert event["note"].startswith("9 colonists for everybody in turn 4.")
    assert event["rows"][0][2] == "Take 4 green. Or 4 € instead."


def test_price_of_the_next_level():
    """A player reads what his next level takes, and what he lacks."""
    state = table(
        levels={0: {"military": 6}}, colonists={0: 2}, stocks={0: {"blue": 1, "green": 2, "yellow": 2}}
    )
    rows = panel(state, 0, "Technologies")["rows"]
    assert (rows[0][6]["text"], rows[0][6]["tone"]) == ("2 green + 2 yellow + 2 colonists", "good")
    assert rows[1][6]["text"] == "highest level"
    assert rows[4][6]["detail"] == "you lack 1 blue"
    assert panel(state, None, "Technologies")["rows"][0][6] == "green + yellow + colonists"


def test_ready_is_shown_while_answers_are_covered():
    """Who has answered is public in covered steps; elsewhere the column is left out."""
    players = panel(give(table(), 1, "accept_colonists", reject=0, citizens=0).state, None, "Players")
    assert [row[-1] if row[-1] == "–" else row[-1]["text"] for row in players["rows"]] == [
        "–",
        "ready",
        *"–––",
    ]
    assert "Ready" not in panel(acting(), None, "Players")["columns"]


def test_technologies_panel():
    """A row for each technology and one for the points."""
    assert len(panel(table(), 1, "Technologies")["rows"]) == len(TECHNOLOGIES) + 1


def test_own_cards_and_covered_answer():
    """One's hand and one's covered answer are shown to oneself only."""
    state = give(table(phase="event_vote"), 0, "cast_vote", side="yes", resources={"red": 1}).state
    assert len(panel(state, 0, "Your event cards")["items"]) == 4
    assert panel(state, 0, "Your covered answer")["items"][0]["value"] == "yes"
    titles = [p["title"] for p in TITLE.panels(TITLE.shown(state, 1), 1)]
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


def test_labels_and_sentences_leave_out_nothing_and_zero():
    """What is none is not named on a button nor in a sentence."""
    state = acting()
    labels = {
        TITLE.label(state, 0, c) for c in TITLE.legal(state, 0) if type_name(type(c)) == "production_peak"
    }
    assert labels == {"Produce 1 blue", "Produce 1 colonist", "Produce 1 blue and 1 colonist"}
    made = {"seat": 0, "resources": 0, "colour": "blue", "colonists": 2}
    assert (
        TITLE.tell["ProductionPeaked"](made, lambda _s: "Blue") == "Blue has a production peak: 2 colonists."
    )


def test_payments_of_the_year_are_told():
    """CLN-172: who pays Credits for what he cannot deliver stands in the history."""
    nothing = {colour.lower(): 0 for colour in COLOURS}
    state = table(phase="actions", action_round=3, active=4, turn=10, stocks={0: nothing})
    fact = next(f for f in give(state, 4, "pass_action").facts if hasattr(f, "deliveries"))
    told = TITLE.tell["TradeAgreementsFulfilled"](msgspec.to_builtins(fact), lambda seat: COLOURS[seat])
    assert "Blue pays Green 3 €, Blue pays Yellow 3 €" in told
