"""Preparations."""

from __future__ import annotations

import pytest

from events.rules.steps import Rejected
from events.titles.colonialism import TITLE, Options
from events.titles.colonialism import facts as f
from events.titles.colonialism.data import CARD_IDS, INTEREST_IDS, TILES, ZONE_IDS, sort_in_table_order
from tests.titles.colonialism.given import REGIONS, do, given, of, opened, refused, set_up


def test_two_to_four_players():
    """CSM-001: two, three or four players."""
    for seats in (2, 3, 4):
        TITLE.check_options(seats, Options())
    for seats in (1, 5):
        with pytest.raises(Rejected):
            TITLE.check_options(seats, Options())


def test_colours_differ():
    """CSM-001: each player has a different colour of blue, red, green and white."""
    assert opened(4).state.colors == ("blue", "red", "green", "white")
    assert opened(2, colors=["white", "green"]).state.colors == ("white", "green")
    for colors in (("blue", "blue"), ("blue",), ("blue", "red", "green")):
        with pytest.raises(Rejected) as rejected:
            TITLE.check_options(2, Options(colors=colors))
        assert rejected.value.code == "invalid_options"


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_pieces_at_the_start(seats):
    """CSM-007, CSM-032, CSM-035, CSM-036: 63 cubes, 45 natives, 16 mercenaries; 22 usable discs and 24
    cards each.
    """
    state = set_up(seats)
    lying = sum(sum(region.cubes) for region in state.regions)
    assert sum(state.bag) + lying == 63
    assert state.native_supply + sum(region.natives for region in state.regions) == 45
    assert state.mercenary_supply == 16
    for seat in range(seats):
        assert state.reserve[seat] == 22
        assert len(state.ships[seat]) == 3
        cards = (*state.hands[seat], *state.decks[seat], *state.discards[seat])
        assert sorted(cards) == sorted(CARD_IDS)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_tiles_of_the_player_count(seats):
    """CSM-023, CSM-031: the six tiles of the actual player count lie on their regions, for the whole game."""
    placed = of(opened(seats), f.RegionLimitTilesPlaced)[0].tiles
    expected = {(t.region, t.value, t.limit) for t in TILES if t.player_count == seats}
    assert {(t.region, t.value, t.limit) for t in placed} == expected
    assert [region.limit for region in set_up(seats).regions] == [t.limit for t in placed]


def test_region_order_is_a_permutation():
    """CSM-018, CSM-030: the tiles give every region one place, and cubes and natives come in that order."""
    draft = opened()
    order = draft.state.region_order
    assert sorted(order) == sorted(REGIONS)
    assert tuple(fact.region for fact in of(draft, f.ResourcesDrawn)) == order
    assert tuple(fact.region for fact in of(draft, f.NativesRolled)) == order
    assert len({opened(seed=seed).state.region_order for seed in range(20)}) > 10


def test_player_counts_differ_in_nothing_else():
    """CSM-046: two and four players start with the same pieces, cubes and natives by the same values."""
    values = [[region.value for region in set_up(seats).regions] for seats in (2, 3, 4)]
    assert values[0] == values[1] == values[2]
    assert [len(set_up(seats).undealt_interests) for seats in (2, 3, 4)] == [6, 3, 0]


def test_all_rows_are_open_to_three_players():
    """CSM-039: with three players any of four rows may be chosen, and a gap may remain."""
    state = opened(3).state
    for row in (4, 1, 3):
        seat = TITLE.decisions(state)[0].seat
        state = do(state, seat, "choose_turn_order_position", row=row).state
    assert sorted(state.rows) == [1, 3, 4]


def test_last_of_four_is_not_asked():
    """CSM-047: the fourth player gets the last row at once."""
    state = opened(4).state
    for row in (4, 1, 3):
        draft = do(state, TITLE.decisions(state)[0].seat, "choose_turn_order_position", row=row)
        state = draft.state
    chosen = of(draft, f.TurnOrderPositionChosen)
    assert [(c.row, c.automatic) for c in chosen] == [(3, False), (2, True)]
    assert state.step == "setup_starting_hands"


@pytest.mark.parametrize(("seats", "aside"), [(2, 6), (3, 3), (4, 0)])
def test_economic_interests(seats, aside):
    """CSM-040: three for each player, the others put aside unseen."""
    state = set_up(seats)
    assert all(len(mine) == 3 for mine in state.interests)
    assert len(state.undealt_interests) == aside
    everything = [*state.undealt_interests, *(card for mine in state.interests for card in mine)]
    assert sorted(everything) == sorted(INTEREST_IDS)


def choosing_hands(seats=2):
    state = opened(seats).state
    for _ in range(seats):
        if state.step == "setup_turn_order":
            decision = TITLE.decisions(state)[0]
            state = do(
                state, decision.seat, "choose_turn_order_position", row=1 + sum(map(bool, state.chosen_rows))
            ).state
    return state


def test_starting_hand():
    """CSM-041: twelve cards drawn, six kept, the other six on the discard pile, twelve in the deck."""
    state = choosing_hands()
    hands = state.hands
    assert [len(hand) for hand in hands] == [12, 12]
    for seat in (0, 1):
        state = do(state, seat, "keep_starting_hand", cards=hands[seat][3:9]).state
    assert state.hands == tuple(hand[3:9] for hand in hands)
    assert state.discards == tuple(sort_in_table_order(hand[:3] + hand[9:]) for hand in hands)
    assert [len(deck) for deck in state.decks] == [12, 12]


def test_starting_hands_are_chosen_together():
    """CSM-042: all are asked at once; nothing shows before everybody has chosen; a second answer counts."""
    state = choosing_hands()
    assert [d.seat for d in TITLE.decisions(state)] == [0, 1]
    before = TITLE.view_json(state, 0)["players"][1]
    first = do(state, 1, "keep_starting_hand", cards=state.hands[1][:6])
    assert not of(first, f.StartingDiscardsRevealed)
    after = TITLE.view_json(first.state, 0)["players"][1]
    assert after == {**before, "has_chosen": True}
    assert do(first.state, 1, "keep_starting_hand", cards=state.hands[1][:6]).state == first.state
    last = do(first.state, 0, "keep_starting_hand", cards=state.hands[0][:6])
    revealed = of(last, f.StartingDiscardsRevealed)[0].discards
    assert [mine.cards for mine in revealed] == [sort_in_table_order(hand[6:]) for hand in state.hands]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda hand, deck: hand[:5], "wrong_card_count"),
        (lambda hand, deck: (*hand[:5], deck[0]), "card_not_drawn"),
        (lambda hand, deck: (*hand[:5], hand[0]), "duplicate_card"),
    ],
)
def test_wrong_starting_hands(change, code):
    """CSM-041: exactly six different ones of the twelve."""
    state = choosing_hands()
    assert refused(state, 0, "keep_starting_hand", cards=change(state.hands[0], state.decks[0])) == code


def test_quick_start_hands():
    """CSM-043: six cards go openly to the discard pile, six are the hand, without any choice."""
    state = opened(2, quick_start_hands=True).state
    for row in (1, 2):
        draft = do(state, TITLE.decisions(state)[0].seat, "choose_turn_order_position", row=row)
        state = draft.state
    assert [len(mine.cards) for mine in of(draft, f.StartingDiscardsRevealed)[0].discards] == [6, 6]
    assert [fact.count for fact in of(draft, f.StartingCardsDrawn)] == [6, 6]
    assert state.step == "setup_ships"
    for seat in (0, 1):
        assert (len(state.hands[seat]), len(state.decks[seat]), len(state.discards[seat])) == (6, 12, 6)


def test_ships_are_placed_in_three_passes():
    """CSM-013, CSM-044, CSM-045: one ship a pass in turn order, in any zone, fresh; then round 1 of turn
    1 begins.
    """
    state = given(3)
    position = TITLE.position(state)
    state = TITLE.from_position({**position, "step": "setup_ships", "ships": [[], [], []], "rows": [2, 4, 1]})
    placed = []
    while state.step == "setup_ships":
        seat = TITLE.decisions(state)[0].seat
        placed.append(seat)
        assert refused(state, (seat + 1) % 3, "place_ship", sea_zone=ZONE_IDS[0]) == "not_your_decision"
        draft = do(state, seat, "place_ship", sea_zone=ZONE_IDS[0])
        state = draft.state
    assert placed == [2, 0, 1] * 3
    assert all(ship.fresh and ship.sea_zone == ZONE_IDS[0] for fleet in state.ships for ship in fleet)
    assert of(draft, f.ActionRoundStarted) == [f.ActionRoundStarted(turn=1, round=1)]
    assert (state.turn, state.phase) == (1, "action_round_1")


def test_unknown_sea_zone():
    """CSM-013: a ship stands in a sea zone of the board."""
    state = TITLE.from_position({**TITLE.position(given(2)), "step": "setup_ships", "ships": [[], []]})
    assert refused(state, 0, "place_ship", sea_zone="baltic_sea") == "unknown_sea_zone"
