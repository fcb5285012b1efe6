"""Who knows what, and what everybody can work out."""

from __future__ import annotations

import msgspec
import pytest

from events.rules.fast_chance import FastChance
from events.table.record import split_fact
from events.titles.colonialism import TITLE
from events.titles.colonialism import facts as f
from tests.titles.colonialism.given import before_the_end, do, given, last_action, of, set_up, stack
from tests.titles.table import Table, play, spread

TRIES = 60


def imagined(state, seat):
    """Many states that the seat may imagine."""
    return [TITLE.imagine(state, seat, FastChance(seed)) for seed in range(TRIES)]


def test_public_view():
    """CSM-021, CSM-260: discard piles with their cards, sizes of hands and decks, reserves, ships, cubes."""
    state = set_up(3)
    for seat in (None, 0, 1, 2):
        players = TITLE.view_json(state, seat)["players"]
        for other, player in enumerate(players):
            assert player["discards"] == list(state.discards[other])
            assert (player["hand_size"], player["deck_size"]) == (6, 12)
            assert player["reserve"] == state.reserve[other]
            assert len(player["ships"]) == 3


def test_secrets_are_the_owners():
    """CSM-261: hands and interests stand in their owner's view only."""
    state = set_up(3)
    for seat in (None, 0, 1, 2):
        for other, player in enumerate(TITLE.view_json(state, seat)["players"]):
            assert ("hand" in player) == (other == seat)
            assert ("interests" in player) == (other == seat)
            assert "deck" not in player


def test_interests_are_shown_at_the_end():
    """CSM-240, CSM-261: at scoring everybody sees them; those put aside stay unseen."""
    state = last_action(before_the_end(3)).state
    view = TITLE.view_json(state, None)
    assert [player["interests"] for player in view["players"]] == [list(mine) for mine in state.interests]
    assert view["undealt_interests"] == 3


@pytest.mark.parametrize(
    ("kind", "audience"),
    [
        (f.EconomicInterestCardsDealt, {"cards": ("seat",)}),
        (f.UndealtEconomicInterestSetAside, {"cards": ()}),
        (f.StartingCardsDrawn, {"cards": ("seat",)}),
        (f.StartingHandKept, {"kept": ("seat",), "discarded": ("seat",)}),
        (f.InfluenceCardDrawn, {"card": ("seat",)}),
        (f.PolicyCardPlayed, {"card": ("known_to",)}),
        (f.InfluenceCardKept, {"kept": ("seat",), "discarded": ("seat",)}),
        (f.HandRefilled, {"cards": ("seat",)}),
        (f.ActionCardPlayed, {}),
    ],
)
def test_secrets_of_facts(kind, audience):
    """CSM-079, CSM-261, CSM-262: each secret is declared with who may know it."""
    assert dict(kind.secrets) == audience


def test_who_reads_a_policy_card_from_its_event():
    """CSM-077, CSM-079: a face-down card stands in its owner's copy only, a face-up one in everybody's."""
    ships = {0: [{"sea_zone": "south_china_sea"}] * 3}
    state = given(2, hands=[["army", "fleet"], []], ships=ships)
    lay = {"name": "play_policy_card", "region": "china"}
    first = do(state, 0, card="army", ship="blue_ship_1", **lay)
    state = do(first.state, 1, "draw_influence_card").state
    second = do(state, 0, card="fleet", ship="blue_ship_2", **lay)
    (down,), (up,) = (of(draft, f.PolicyCardPlayed) for draft in (first, second))
    data, hidden = split_fact(down)
    assert data["shown"] is None
    assert "card" not in data
    assert hidden == {"p0": {"card": "army"}}
    data, hidden = split_fact(up)
    assert data["shown"] == "fleet"
    assert hidden == {"p0_p1": {"card": "fleet"}}


def test_no_order_exists():
    """CSM-021, CSM-262: decks are unordered, so neither state nor facts can betray a next card."""
    state = set_up(2)
    assert all(
        deck == tuple(sorted(deck, key=TITLE.position(state)["decks"][s].index))
        for s, deck in enumerate(state.decks)
    )
    assert "order" not in msgspec.structs.asdict(f.InfluenceDeckShuffled(0, 24))
    assert "order" not in msgspec.structs.asdict(f.DiscardPileReshuffled(0, 5))


def test_sealed_commands():
    """CSM-261: commands whose arguments are secret are hidden from the others."""
    sealed = {kind.__name__ for kind in TITLE.commands if kind.sealed}
    assert sealed == {"KeepStartingHand", "KeepInfluenceCard", "PlayPolicyCard"}


def test_imagined_hands_vary():
    """CSM-261: others' hands, face-down cards and interests are really drawn again; one's own stay."""
    state = given(
        2,
        hands=[["army", "fleet"], ["army", "fleet"]],
        decks=[["trade"], ["trade", "plague", "empire"]],
        regions={"china": {"policy": {1: stack("treaty")}}},
    )
    states = imagined(state, 0)
    assert all(other.hands[0] == state.hands[0] for other in states)
    assert len({other.hands[1] for other in states}) > 10
    laid = {other.regions[5].policy[1][0].card for other in states}
    assert laid == {
        "army",
        "fleet",
        "empire",
        "treaty",
    }  # policy cards only: Trade and Plague cannot lie there
    assert len({other.interests[1] for other in states}) > 10


def test_cards_not_reshuffled_are_held():
    """CSM-021, CSM-022: what was not in the discard pile when it was reshuffled is known not to lie in
    the deck.
    """
    state = given(
        2,
        hands=[["army", "fleet"], []],
        decks=[["empire"], ["trade"]],
        discards=[["plague", "trade", "treaty"], []],
    )
    after = do(state, 0, "draw_influence_card").state
    assert set(after.known_held[0]) == {"army", "fleet", "empire"}
    assert all(set(other.hands[0]) == {"army", "fleet", "empire"} for other in imagined(after, 1))


def test_face_down_cards_laid_before_drawing():
    """CSM-079: a card laid right after a reshuffle cannot be one that is drawn later, and nobody imagines
    it so.
    """
    ships = {0: [{"sea_zone": "south_china_sea", "fresh": True}] * 3}
    state = given(
        2,
        hands=[["army", "fleet"], []],
        decks=[["empire"], ["trade"]],
        discards=[["plague", "treaty", "monopoly"], []],
        ships=ships,
    )
    state = do(state, 0, "draw_influence_card").state
    state = do(state, 1, "move_ship", ship="red_ship_1", sea_zone="south_china_sea").state
    state = do(state, 0, "play_policy_card", card="army", region="china", ship="blue_ship_1").state
    state = do(state, 1, "move_ship", ship="red_ship_1", sea_zone="atlantic_ocean").state
    state = do(state, 0, "draw_influence_card").state
    laid = {other.regions[5].policy[0][0].card for other in imagined(state, 1)}
    assert laid == {"army", "fleet", "empire"}
    held = {card for other in imagined(state, 1) for card in other.hands[0]}
    assert held == {"army", "fleet", "empire", "plague", "treaty", "monopoly"}


def test_knowledge_is_true_and_public():
    """CSM-261: in whole games what everybody can work out is true, and an imagined state respects it."""
    for seats in (2, 4):
        game = play(Table("colonialism", seats), seed=21, keep=True)
        for moment in spread(game.moments, 60):
            state = moment.state
            for other in range(seats):
                assert not set(state.known_held[other]) & set(state.decks[other])
            again = TITLE.imagine(state, 0, FastChance(1))
            assert again.known_held == state.known_held
            assert TITLE.from_position(TITLE.position(again)) == again
