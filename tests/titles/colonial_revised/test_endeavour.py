"""The turn, its rounds, and the cards of single Characters."""

from events.rules.fact import type_name
from events.titles.colonial_revised import TITLE
from events.titles.colonial_revised import commands as c
from events.titles.colonial_revised import facts as f
from events.titles.colonial_revised.data import CARDS
from events.titles.colonial_revised.derived import removal_order
from tests.titles.colonial_revised.given import after, fresh, give, kinds, land, refused
from tests.titles.table import Table, play

SPACE = "brazil.plantation"


def defaults():
    """A whole game of default actions."""
    return play(Table("colonial_revised", 3), seed=3, defaults=True)


def test_phases_follow_each_other():
    """REV-020: seven phases, then the end of the turn."""
    turn = [fact.phase for fact in defaults().facts if isinstance(fact, f.PhaseBegan) and fact.turn == 2]
    assert turn == [
        "endeavour",
        "merchant_fleets",
        "first_player",
        "naval_forces",
        "privateering",
        "interest",
        "choosing_cards",
        "end_of_turn",
    ]


def test_five_rounds_of_one_card_each():
    """REV-022, REV-024: every player plays one card a round, five a turn, in player order."""
    game = defaults()
    for turn in (1, 2):
        cards = [fact for fact in game.facts if isinstance(fact, f.CardPlayed) and fact.turn == turn]
        assert [(card.round) for card in cards] == sorted([*range(1, 6)] * 3)
        for seat in range(3):
            assert len({card.card_id for card in cards if card.seat == seat}) == 5


def test_order_changes_in_phase_three():
    """REV-021: phases 1-2 follow the old order, phase 4 the new one."""
    state = fresh(
        phase="merchant_fleets",
        players={0: {"war_pp": 2}, 1: {"war_pp": 1}},
        territories={
            name: land(wares=[[seat, 1]]) for seat, name in enumerate(("egypt", "levant", "persia"))
        },
    )
    assert [TITLE.awaited(state)[0].seat] == [0]
    for seat in range(3):
        state = after(state, seat, c.BuildMerchantFleets(0))
    assert (state.phase, state.order) == ("naval_forces", (2, 1, 0))
    assert TITLE.awaited(state)[0].seat == 2


def test_one_of_two_characters():
    """REV-025: who has played the Explorer cannot use the same card's Conqueror in this turn."""
    state = fresh(territories={"canada": land(furs=[[0, 1]])})
    draft = give(state, 0, c.TakeLoan())
    (card,) = [fact for fact in draft.facts if isinstance(fact, f.CardPlayed)]
    assert (card.card_id, card.character) == ("trader_financier", "financier")
    state = after(after(draft.state, 1, c.TakeLoan()), 2, c.TakeLoan())
    assert refused(state, 0, c.SellGoods(0)) == "card_not_available"


def test_passing_uses_the_card_up():
    """REV-026: the card counts as played, the action is lost."""
    state = after(fresh(), 0, c.PassCard("merchant_governor"))
    held = state.players[0].cards[list(CARDS).index("merchant_governor")]
    assert (held.status, held.round, held.character) == ("played", 1, None)


def test_hands_are_public():
    """REV-028: a spectator sees every hand."""
    state = after(fresh(), 0, c.PassCard("merchant_governor"))
    cards = TITLE.view_json(state, None)["players"][0]["cards"]
    assert cards["merchant_governor"]["status"] == "played"
    assert cards["trader_financier"]["status"] == "available"


def test_an_action_is_finished_before_the_next_player_plays():
    """REV-009: while a victim decides about averting, nobody plays a card."""
    state = fresh(territories={"brazil": land(unrest=1, plantation=[[1, 1]])})
    state = after(state, 0, c.SparkRebellion("brazil"), [1])
    state = after(state, 0, c.AllotLosses((c.Loss(1, SPACE, 1),)))
    assert [(d.seat, d.kind) for d in TITLE.awaited(state)] == [(1, "avert_losses")]
    assert refused(state, 1, c.TakeLoan()) == "not_your_decision"
    state = after(state, 1, c.AvertLosses(()))
    assert TITLE.awaited(state)[0].kind == "play_card"


def test_removal_order():
    """REV-007: the fullest space first; on a tie one that they do not control, then the lower index."""
    piles = {"silk": [[1, 2]], "tea": [[0, 1], [1, 2]], "wares": [[1, 1]]}
    state = fresh(territories={"china": land(**piles)})
    china = next(t for t in TITLE.board["map"]["territories"] if t["id"] == "china")
    assert [space["resource"] for space in china["spaces"]] == ["silk", "tea", "wares"]
    number = TITLE.board["map"]["territories"].index(china)
    silk = state.piles.index((1, 1))
    assert removal_order(state, number, 1, 1, rebellion=False) == {silk + 1: 1}
    assert removal_order(state, number, 1, 2, rebellion=False) == {silk + 1: 1, silk: 1}
    assert removal_order(state, number, 1, 3, rebellion=False) == {silk + 1: 2, silk: 1}


def test_topmost_counters_leave_first():
    """REV-008: their place in the pile is kept until the last counter is gone; a return goes on top."""
    state = fresh(players={0: {"logistics": 2}}, territories={"brazil": land(plantation=[[0, 2], [1, 1]])})
    once = after(state, 0, c.RecallCounters("brazil", (c.SpaceCount(SPACE, 1),)))
    assert TITLE.position(once)["territories"]["brazil"]["piles"] == {"plantation": [[0, 1], [1, 1]]}
    gone = after(state, 0, c.RecallCounters("brazil", (c.SpaceCount(SPACE, 2),)))
    assert TITLE.position(gone)["territories"]["brazil"]["piles"] == {"plantation": [[1, 1]]}


def test_economy_ten_abolishes_slavery_for_all():
    """REV-082: permanently, by the player who is first."""
    state = fresh(players={0: {"economy": 6, "treasury": 12}})
    draft = give(state, 0, c.AdvanceProgress("economy"))
    assert "SlaveryAbolished" in kinds(draft)
    assert draft.state.abolition
    again = fresh(abolition=True, players={0: {"economy": 6, "treasury": 12}})
    assert "SlaveryAbolished" not in kinds(give(again, 0, c.AdvanceProgress("economy")))


def test_complete_track():
    """REV-080: there are four spaces and no way back."""
    assert refused(fresh(players={0: {"navy": 4}}), 0, c.AdvanceProgress("navy")) == "track_complete"


def test_seven_colony_markers():
    """REV-155, REV-004: with all seven on the map no Colony can be founded."""
    names = ("new_england", "guyanas", "rio_de_la_plata", "cape_colony", "australia", "arabia", "barbary")
    spaces = {"rio_de_la_plata": "precious_metals", "arabia": "wares", "barbary": "wares"}
    lands = {name: land(colony=0, **{spaces.get(name, "plantation"): [[0, 1]]}) for name in names}
    state = fresh(players={0: {"war_pp": -5}}, territories=lands | {"canada": land(furs=[[0, 1]])})
    assert refused(state, 0, c.FoundColony("canada")) == "no_colony_marker"


def test_control_after_the_conquest():
    """REV-157: the founder may lose a space by their removals."""
    piles = {"gold": [[0, 2], [1, 2]], "slaves": [[0, 2]]}
    state = fresh(territories={"west_africa": land(**piles)})
    now = after(state, 0, c.FoundColony("west_africa", (c.SpaceCount("west_africa.gold", 2),)))
    assert TITLE.position(now)["territories"]["west_africa"]["piles"] == {
        "gold": [[1, 1]],
        "slaves": [[0, 2]],
    }
    assert now.players[0].merchant_fleets == 4


def test_post_and_adventurers_on_one_space():
    """REV-166: both options may use the same space."""
    state = after(fresh(players={0: {"seafaring": 3}}), 0, c.Explore("arabia"), [6])
    draft = give(state, 0, c.SettleExploration("arabia.wares", (c.SpaceCount("arabia.wares", 1),)))
    assert TITLE.position(draft.state)["territories"]["arabia"]["piles"] == {"wares": [[0, 2]]}


def test_neither_post_nor_adventurers():
    """REV-166, REV-163: nothing needs to be placed; the Territory is explored all the same."""
    state = after(fresh(players={0: {"seafaring": 3}}), 0, c.Explore("arabia"), [6])
    draft = give(state, 0, c.SettleExploration())
    assert "ExplorationSettled" in kinds(draft)
    assert TITLE.position(draft.state)["territories"]["arabia"]["explored"]


def test_logistics_limits_adventurers():
    """REV-165, REV-081: at most Logistics."""
    state = after(fresh(players={0: {"seafaring": 3}}), 0, c.Explore("arabia"), [6])
    assert (
        refused(state, 0, c.SettleExploration(None, (c.SpaceCount("arabia.wares", 2),))) == "over_logistics"
    )


def test_merchant_with_nothing_to_ship():
    """REV-212: without a fleet or Goods nothing can be shipped, and the card is passed."""
    state = fresh(players={0: {"merchant_fleets": 0}}, territories={"egypt": land(wares=[[1, 1]])})
    assert refused(state, 0, c.ShipGoods((), ("egypt.wares",))) == "invalid_parameters"


def test_privateers_stay():
    """REV-048: no command takes them back, they are no Merchant Fleets, and the turn's end leaves them."""
    assert not any("recall_privateers" in type_name(command) for command in TITLE.commands)
    cards = {
        card: {"status": "played", "round": number, "character": None}
        for number, card in enumerate(list(CARDS)[:5], 1)
    }
    players = {seat: {"cards": cards} for seat in range(3)}
    players[0] |= {"privateers": [0, 2, 0]}
    state = fresh(phase="choosing_cards", round=5, players=players)
    fleets = state.players[1].merchant_fleets
    for seat in range(3):
        state = after(state, seat, c.SetAsideCard("explorer_conqueror"))
    assert state.turn == 2
    assert state.players[0].privateers == (0, 2, 0)
    assert state.players[1].merchant_fleets == fleets


def test_who_has_no_choice_is_skipped():
    """The game does not wait for a player who can build nothing (REV-030)."""
    state = fresh(phase="merchant_fleets", place=0, territories={"egypt": land(wares=[[0, 1]])})
    draft = give(state, 0, c.BuildMerchantFleets(0))
    skipped = [fact.seat for fact in draft.facts if isinstance(fact, f.DecisionSkipped)]
    assert skipped == [1, 2]
