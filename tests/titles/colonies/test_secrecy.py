"""Secrecy and service (§5.21)."""

import msgspec
import pytest

from events.rules.fact import type_name
from events.rules.fast_chance import FastChance
from tests.titles.colonies.at_table import TITLE, answer_all, give, opened, table, waiting
from tests.titles.table import Table, fold_all, play, redacted


@pytest.fixture(scope="module")
def game():
    """A whole random game of three players, with its moments."""
    return play(Table("colonies", 3, (("credits_visibility", "secret"),)), seed=5, keep=True)


def test_credits_are_hidden():
    """CLN-171: all see all totals; with the option a player sees their own only, until the end."""
    state = table(options={"credits_visibility": "secret"}, credits=[7, 8, 9, 10, 11])
    assert TITLE.view_json(state, 1)["credits"] == [None, 8, None, None, None]
    assert TITLE.view_json(state, None)["credits"] == [None] * 5
    shown = table(credits=[7, 8, 9, 10, 11])
    assert TITLE.view_json(shown, None)["credits"] == [7, 8, 9, 10, 11]


def test_credits_are_shown_at_the_end(game):
    """CLN-171: the screens are lifted when the game ends."""
    assert TITLE.view_json(game.state, None)["credits"] == list(game.state.credits)


def test_every_movement_of_credits_is_public(game):
    """CLN-172: from public facts alone anyone can keep everybody's account."""
    state = game.title.blank(3, game.options)
    for fact in game.facts:
        before, state = state, fact.fold(state)
        data = msgspec.json.decode(msgspec.json.encode(fact))
        if state.credits != before.credits:
            assert redacted(fact, data) == data


def test_outcomes_stand_in_the_facts(game):
    """CLN-173: replay draws nothing, and every draw of the lots, deals and decks is recorded."""
    assert fold_all(game) == game.state
    kinds = {type(f).__name__ for f in game.facts}
    assert {"PlanetsDrawn", "EventCardsDealt", "EventDeckBuilt", "EventCardRevealed"} <= kinds


def test_sealed_facts_hide_their_content(game):
    """Committed facts name the seat only, once their secrets are taken out."""
    for fact in game.facts:
        if type(fact).__name__.endswith("Committed"):
            data = msgspec.to_builtins(fact, str_keys=True)
            assert set(redacted(fact, data)) == {"type", "seat"}


def test_sealed_commands():
    """CLN-049: every command that answers covered is sealed, and only those."""
    sealed = {type_name(c) for c in TITLE.commands if c.sealed}
    assert sealed == {
        "show_fingers",
        "choose_deck_card",
        "accept_colonists",
        "cast_vote",
        "police_sector",
        "fulfil_trade_agreements",
    }


@pytest.mark.parametrize(
    ("kind", "changed", "answers"),
    [
        (
            "cast_vote",
            {"phase": "event_vote"},
            [{"side": "yes", "resources": {"blue": 3}}, {"side": "no", "resources": {}}],
        ),
        (
            "accept_colonists",
            {"current_card": "ev02"},
            [{"reject": 1, "citizens": 0}, {"reject": 0, "citizens": 1}],
        ),
        (
            "police_sector",
            {"phase": "upkeep_police", "pirates": {"blue": {"red": 1}, "red": {"blue": 1}}},
            [{"removals": []}, {"removals": [{"route": {"owner": "blue", "source": "red"}, "count": 1}]}],
        ),
    ],
)
def test_answers_look_alike(kind, changed, answers):
    """CLN-053: whatever a player seals, nobody else's view, choices or decisions differ."""
    state = table(**changed)
    after = [give(state, 0, kind, **fields).state for fields in answers]
    for viewer in (None, 1, 2, 3, 4):
        assert TITLE.view_json(after[0], viewer) == TITLE.view_json(after[1], viewer)
    assert TITLE.decisions(after[0]) == TITLE.decisions(after[1])
    assert TITLE.view_json(after[0], 0)["sealed"] != TITLE.view_json(after[1], 0)["sealed"]


def test_deck_contributions_stay_secret(game):
    """CLN-023: even at the end only the contributor is told which cards they put in."""
    for seat in range(3):
        assert TITLE.view_json(game.state, seat)["deck_cards"] == list(game.state.deck_cards[seat])
    assert TITLE.view_json(game.state, None)["deck_cards"] == []


def test_imagination_keeps_what_the_seat_knows(game):
    """A seat's own hand, own deck cards, revealed cards and Credits stay; the rest is drawn again."""
    varied = set()
    for moment in game.some_moments(30):
        state = moment.state
        for seat in range(3):
            other = TITLE.imagine(state, seat, FastChance(moment.facts))
            assert other.hands[seat] == state.hands[seat]
            assert other.deck_cards[seat] == state.deck_cards[seat]
            assert set(state.deck_cards[seat]) & set(state.deck) <= set(other.deck)
            assert other.credits == state.credits
            varied.add(other.hands != state.hands)
            cards = [*other.deck, *other.undealt, *(c for hand in other.hands for c in hand)]
            assert len(cards) == len(set(cards))
            for given in zip(*other.deck_cards, strict=False):
                assert len(set(given)) == len(given)
    assert True in varied


def test_imagined_contributions_fit_the_decks(game):
    """Imagined contributions of others are cards that the deck holds or that have been revealed."""
    for moment in game.some_moments(30):
        state = TITLE.imagine(moment.state, 0, FastChance(1))
        seen = {*state.deck, *state.resolved_cards, state.current_card}
        for cards in state.deck_cards:
            assert set(cards) <= seen


def test_imagined_votes_are_drawn_again():
    """What others sealed is unknown: all kinds of votes are imagined, and one's own is kept."""
    state = table(phase="event_vote")
    state = give(state, 1, "cast_vote", side="no", resources={"green": 5}).state
    state = give(state, 2, "cast_vote", side="yes", resources={}).state
    imagined = [TITLE.imagine(state, 2, FastChance(seed)) for seed in range(20)]
    assert {s.sealed[1].side for s in imagined} == {"yes", "no"}
    assert all(s.sealed[2] == state.sealed[2] for s in imagined)


def test_absent_player_keeps_their_planet(game):
    """CLN-175: a seat that is played by defaults from some moment on stays a player to the end."""
    state = game.moments[len(game.moments) // 3].state
    planets, chance = state.planets, FastChance(9)
    while TITLE.awaited(state):
        decision = TITLE.awaited(state)[0]
        absent = decision.seat == 1
        command = TITLE.default(state, decision) if absent else TITLE.sample(state, decision.seat, chance)
        state = TITLE.decide(state, decision.seat, command, chance).state
    assert state.planets == planets
    assert TITLE.outcome(state) is not None


def default(state, seat):
    """What an absent player does, without its type."""
    decision = next(d for d in TITLE.decisions(state) if d.seat == seat)
    return msgspec.to_builtins(TITLE.default(state, decision))


def effect(card, name="official", **changed):
    """Seat 0's question in an effect of a card."""
    queue = [{"seat": 0, "effect": name}]
    resolution = {"queue": queue, "primitive": 0, "chosen": name == "official"}
    return table(phase="event_effects", current_card=card, resolution=resolution, **changed)


def test_defaults():
    """CLN-179: what an absent player does, decision by decision."""
    start = opened(first_player_method="fingers").state
    assert default(start, 3)["count"] == 0
    dealt = opened().state
    assert default(dealt, 2)["card_id"] == dealt.hands[2][0]
    income = table(current_card="ev02", levels={0: {"community": 3}})
    assert default(income, 0) == {"type": "accept_colonists", "reject": 0, "citizens": 3}
    assert default(table(phase="event_vote"), 0) == {"type": "cast_vote", "side": "no", "resources": {}}
    assert default(table(phase="actions", action_round=1, active=0), 0) == {"type": "pass_action"}
    won = {"queue": [{"seat": 0, "effect": "official"}], "primitive": 0, "chosen": False}
    state = table(phase="event_effects", current_card="ev01", resolution=won)
    assert default(state, 0)["choice"] == "credits"


def test_default_effects():
    """CLN-179: what an absent player answers to an effect."""
    assert default(effect("ev14"), 0)["resources"] == {"green": 4}
    assert default(effect("ev21"), 0)["resources"] == {"blue": 4}
    stock = {"blue": 1, "green": 3, "yellow": 0, "purple": 2, "red": 2}
    assert default(effect("ev14", "fewest", stocks={0: stock}), 0)["resources"] == {"green": 2, "purple": 1}
    assert default(effect("ev18", colonists={0: 2}), 0)["count"] == 0
    assert default(
        effect("ev25", "fewest", levels={0: {"military": 2, "industry": 2, "commerce": 4}}), 0
    ) == {
        "type": "resolve_event_effect",
        "technology": "military",
    }
    assert default(effect("ev20"), 0)["partners"] == ()
    promise = {"blue": dict.fromkeys(("green", "red"), 3), "green": {"blue": 3}, "red": {"blue": 2}}
    assert default(effect("ev21", "all", promise=promise), 0)["partners"] == ("red",)
    assert default(effect("ev09"), 0)["decline"] is True
    assert default(effect("ev25"), 0)["decline"] is True


def test_default_upkeep():
    """CLN-179: police the routes with the largest promised imports; substitute the most numerous colours."""
    state = table(
        phase="upkeep_police",
        levels={0: {"military": 3}},
        pirates={"blue": {"green": 1, "red": 1, "yellow": 4}},
        promise={"red": {"blue": 3}, "green": {"blue": 2}, "yellow": {"blue": 2}},
    )
    removals = [(r["route"]["source"], r["count"]) for r in default(state, 0)["removals"]]
    assert removals == [("red", 1), ("green", 1), ("yellow", 1)]
    nothing = {"blue": 1, "green": 2, "yellow": 4, "purple": 0, "red": 0}
    state = table(phase="upkeep_fulfil", stocks={0: nothing})
    assert default(state, 0)["substitutes"] == {
        "yellow": {"green": 1},
        "purple": {"yellow": 1},
        "red": {"yellow": 1},
    }
    answer = answer_all(state, "fulfil_trade_agreements", substitutes=default(state, 0)["substitutes"])
    assert answer.facts
    assert waiting(answer.state)
