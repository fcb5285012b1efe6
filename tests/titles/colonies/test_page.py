"""Panels and sentences: a person can play from them."""

import re

import msgspec
import pytest

from events.rules.fact import type_name
from events.table.game import initial_game
from events.titles.colonies.commands import ResolveEventEffect
from events.titles.colonies.data import TECHNOLOGIES
from events.titles.colonies.effects import interpreter
from events.titles.colonies.facts import EventEffectApplied
from events.titles.colonies.primitives import LoseColonists, ShiftAgreement
from projections.read_models import history
from tests.titles import golden
from tests.titles.colonies.at_table import TITLE, acting, give, opened, table
from tests.titles.table import Table, play

COLOURS = ["Blue", "Green", "Yellow", "Purple", "Red"]


def panel(state, seat, title, role=""):
    """The panel of that title, in that role where several have it."""
    shown = TITLE.panels(TITLE.view_json(state, seat), seat)
    return next(p for p in shown if p["title"].startswith(title) and role in ("", p["role"]))


def test_ring_panel():
    """The five planets lie on a circle, joined by their trade routes; neutral ones are marked."""
    ring = panel(table(3), 0, "The ring")
    assert [a["key"] for a in ring["areas"][:5]] == [c.lower() for c in COLOURS]
    joined = [route["ends"] for route in ring["routes"]]
    assert ["green", "purple"] not in joined
    assert len(joined) == 9
    assert (ring["areas"][1]["name"], ring["areas"][1]["tone"]) == ("Green", "muted")
    assert ring["areas"][1]["lines"][1].startswith("neutral, gives")


def test_routes_on_the_ring():
    """At each end of a route stands what that planet gives the other; the pirates that wait lie on it."""
    state = table(promise={"red": {"blue": 3}}, pirates={"blue": {"red": 2}})
    route = next(r for r in panel(state, 0, "The ring")["routes"] if r["ends"] == ["blue", "red"])
    assert (route["weights"], route["tones"]) == ([1, 3], [0, 4])
    assert route["detail"] == "Blue – Red: Blue gives 1 Information; Red gives 3 Luxury Goods"
    (pirates,) = route["tokens"]
    assert (pirates["text"], pirates["detail"]) == ("☠2", "2 pirates on Blue's Red route")


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
    rows = panel(table(markets={"blue": 0, "green": 6, "red": 3}), 0, "Markets", "table")["rows"]
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
    """A player reads what their next level takes, and what they lack."""
    state = table(
        levels={0: {"military": 6}}, colonists={0: 2}, stocks={0: {"blue": 1, "green": 2, "yellow": 2}}
    )
    rows = panel(state, 0, "Technologies", "table")["rows"]
    assert (rows[0][6]["text"], rows[0][6]["tone"]) == ("2 green + 2 yellow + 2 colonists", "good")
    assert rows[1][6]["text"] == "highest level"
    assert rows[4][6]["detail"] == "you lack 1 blue"
    assert panel(state, None, "Technologies", "table")["rows"][0][6] == "green + yellow + colonists"


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
    assert len(panel(table(), 1, "Technologies", "table")["rows"]) == len(TECHNOLOGIES) + 1


def test_own_cards_and_covered_answer():
    """One's hand and one's covered answer are shown to oneself only."""
    state = give(table(phase="event_vote"), 0, "cast_vote", side="yes", resources={"red": 1}).state
    assert len(panel(state, 0, "Your event cards")["items"]) == 4
    assert panel(state, 0, "Your covered answer")["items"][0]["value"] == "yes"
    titles = [p["title"] for p in TITLE.panels(TITLE.view_json(state, 1), 1)]
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


@pytest.mark.parametrize(
    ("card", "answer", "told"),
    [
        ("ev11", {}, "Yellow, at Influence level 3: receives 6 € from the bank."),
        (
            "ev10",
            {"resources": 2, "colonists": 2},
            "Yellow, at Industry level 4: takes 2 yellow and takes 2 colonists.",
        ),
        ("ev15", {}, "Yellow: receives 2 € from Purple and receives 1 € from Red."),
    ],
)
def test_the_history_says_at_which_level_an_effect_counts(card, answer, told):
    """Where a card depends on a level, raised or not, the history says which it was."""
    place = {"queue": [{"seat": 2, "effect": "official"}], "primitive": 0, "chosen": False}
    state = table(phase="event_effects", current_card=card, resolution=place, credits=[0, 0, 50, 10, 1])
    levels = tuple({**row, "influence": 3, "industry": 2} for row in state.levels)
    draft = give(msgspec.structs.replace(state, levels=levels), 2, "choose_event_reward", choice="effect")
    if answer:
        draft = give(draft.state, 2, "resolve_event_effect", **answer)
    after = draft.state
    facts = [f for f in draft.facts if isinstance(f, EventEffectApplied)]
    data = msgspec.to_builtins(facts[0], str_keys=True)
    assert not {"technology", "level"} & data.keys()
    state = msgspec.structs.replace(after, current_card=card)  # as it stands right after the effect
    sentence = EventEffectApplied.tell(
        {**data, **EventEffectApplied.beside(data, state)}, COLOURS.__getitem__
    )
    assert sentence == told


def test_the_history_of_a_recorded_game_says_levels():
    """Games that were recorded without levels are told with them, no matter who reads."""
    records = golden.recorded("colonies")
    for seat in (None, 1):
        told = [
            line.text for line in history.make_lines(initial_game(records[0].envelope().game), records, seat)
        ]
        assert any(re.search(r", at [A-Z][a-z]+ level \d: ", text) for text in told)


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


def labels(state, seat, kind):
    """The buttons of one kind of command."""
    return [TITLE.label(state, seat, c) for c in TITLE.legal(state, seat) if type_name(type(c)) == kind]


def test_buttons_say_the_price_and_what_is_gained():
    """CLN-094, CLN-120: a refuge says what it brings, a hunt who owes for it, an upgrade its price."""
    stock = {"blue": 0, "green": 3, "yellow": 1, "purple": 0, "red": 0}
    state = acting(pirates={"red": {"purple": 1}}, stocks={0: stock}, colonists={0: 2}, markets={"yellow": 3})
    assert labels(state, 0, "provide_refuge") == [
        "Refuge for pirates: 1 from Red's Purple route, gaining 1 purple; 1 becomes a colonist",
        "Refuge for pirates: 1 from Red's Purple route, gaining 1 purple; none becomes a colonist",
    ]
    assert labels(state, 0, "hunt_pirates") == ["Hunt pirates: 1 from Red's Purple route; Red owes you 1 €"]
    assert (
        "Upgrade Community to level 2 (+2 points) for 2 green, 2 yellow and 2 colonists, "
        "buying 1 yellow for 2 €" in labels(state, 0, "upgrade_technology")
    )


def test_equal_steps_of_negotiations_are_counted():
    """Steps of one kind on one agreement read as their sum (CLN-107)."""
    state = acting(levels={0: {"influence": 6}})
    read = labels(state, 0, "trade_negotiations")
    assert "Negotiate Green: import +3 (fee 3 €)" in read
    assert "Negotiate Green: both +2" in read


def test_reward_buttons_name_the_effect():
    """A winner reads what to take instead of Credits, with the own level where it counts (CLN-055)."""
    place = {"queue": [{"seat": 2, "effect": "official"}], "primitive": 0, "chosen": False}
    levels = {2: {"influence": 3}}
    state = table(phase="event_effects", current_card="ev11", resolution=place, levels=levels)
    assert labels(state, 2, "choose_event_reward") == [
        "Take the effect: receive Credits: 3 plus your Influence level (yours is 3)",
        "Take 4 € instead of the effect",
    ]


def test_answers_of_nothing_read_well():
    """To raise no agreement and to return no colonist are said in words."""
    state = table()
    shift, lose = ShiftAgreement(1, 2), LoseColonists(2, may=True)
    assert interpreter.label(state, 0, shift, ResolveEventEffect(partners=())) == "Raise no agreement"
    assert (
        interpreter.label(state, 0, shift, ResolveEventEffect(partners=("red",)))
        == "Raise both markers with Red by 1"
    )
    assert interpreter.label(state, 0, lose, ResolveEventEffect(count=0)) == "Return no colonist"
    assert interpreter.label(state, 0, None, ResolveEventEffect(technology="military")) == (
        "Lower Military to level 1"
    )


def test_none_is_a_word():
    """Zero reads as "no" on buttons and in sentences, never as a number."""
    fresh = opened(first_player_method="fingers").state
    assert {"Show no fingers", "Show 1 finger"} <= set(labels(fresh, 0, "show_fingers"))
    given = {"seat": 0, "reject": 1, "citizens": 0}
    told = TITLE.tell["ColonistChoiceCommitted"](given, lambda _seat: "Blue")
    assert told == "Blue decides to reject 1 colonist and to make no citizens."


def test_supplied_cards_are_marked():
    """The rulebook does not print the event cards: each says that its text is supplied."""
    state = table()
    hand = panel(state, 0, "Your event cards")["items"]
    assert all(card["kind"].endswith(" · supplied") for card in hand)
    assert "supplied" in panel(state, 0, "Event of turn 1")["note"]
    assert all(card["supplied"] for card in TITLE.board["card_sets"]["supplied-25"])


def test_interceptions_name_route_goods_and_pirates():
    """The year's trade tells who gives what to whom, and what pirates take from which route (CLN-144)."""
    state = table(
        phase="actions", action_round=3, active=4, turn=10, pirates={"green": {"blue": 2}}, colonists={4: 0}
    )
    state = give(state, 4, "pass_action").state
    fact = next(f for f in give(state, 1, "police_sector", removals=[]).facts if hasattr(f, "deliveries"))
    told = TITLE.tell["TradeAgreementsFulfilled"](msgspec.to_builtins(fact), lambda seat: COLOURS[seat])
    first, *payers = told.split("\n")
    assert first.startswith("Trade agreements are fulfilled: Blue receives ")
    assert [line.split()[0] for line in payers] == list(COLOURS)
    given = "Blue gives 1 blue to Green; 1 blue to Yellow; 1 blue to Purple; 1 blue to Red."
    lost = "Pirates take to the markets 1 blue from Green's Blue route (1 pirate leaves)."
    assert payers[0] == f"{given} {lost}"


def score(seat, technologies, credits, resources):
    return {
        "seat": seat,
        "technology_points": technologies,
        "credits": credits,
        "total": technologies + credits,
        "resources_in_stock": resources,
    }


@pytest.mark.parametrize(
    ("scores", "winners", "end"),
    [
        ([score(0, 5, 5, 1), score(1, 4, 4, 9)], [0], "Blue wins."),
        (
            [score(0, 5, 5, 1), score(1, 6, 4, 0)],
            [1],
            "Green wins by more points for technologies (6 to 5).",
        ),
        ([score(0, 5, 5, 1), score(1, 5, 5, 3)], [1], "Green wins by more resources (3 to 1)."),
        (
            [score(0, 5, 5, 1), score(1, 5, 5, 1)],
            [0, 1],
            "Blue and Green share the victory, equal in points, technologies and resources.",
        ),
    ],
)
def test_the_end_says_how_it_was_decided(scores, winners, end):
    """The parts of every score, and what broke a tie (CLN-164, CLN-168, CLN-169)."""
    told = TITLE.tell["GameEnded"]({"scores": scores, "winners": winners}, lambda seat: COLOURS[seat])
    assert told.startswith("The game ends: Blue 10 points (5 for technologies, 5 €)")
    assert told.endswith(f". {end}")


def test_payments_of_the_year_are_told():
    """CLN-172: who pays Credits for what they cannot deliver stands in the history."""
    nothing = {colour.lower(): 0 for colour in COLOURS}
    state = table(phase="actions", action_round=3, active=4, turn=10, stocks={0: nothing})
    fact = next(f for f in give(state, 4, "pass_action").facts if hasattr(f, "deliveries"))
    told = TITLE.tell["TradeAgreementsFulfilled"](msgspec.to_builtins(fact), lambda seat: COLOURS[seat])
    why = "3 € (3 € for what is missing)"
    assert f" Blue pays Green {why}, Yellow {why}, " in told
