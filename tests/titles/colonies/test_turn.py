"""The turn (§5.1, 5.3) and the income phase (§5.4)."""

import pytest

from events.rules.steps import Rejected
from tests.titles.colonies.at_table import TITLE, answer_all, give, names, table, waiting
from tests.titles.table import Table, play

PHASE_OF = {
    "TurnBegan": 0,
    "ResourcesProduced": 1,
    "ColonistsReceived": 2,
    "VotesRevealed": 3,
    "MotionCarried": 4,
    "EventEffectApplied": 5,
    "EventCardResolved": 6,
    "EventDeckBuilt": 7,
    "EventCardRevealed": 8,
    "ActionPhaseStarted": 9,
    "SectorPoliced": 10,
    "TradeAgreementsFulfilled": 11,
    "PiratesPlaced": 12,
    "TurnEnded": 13,
    "FirstPlayerAdvanced": 14,
}


@pytest.fixture(scope="module")
def game():
    """A whole random game of four players."""
    return play(Table("colonies", 4), seed=11)


def turns_of(game):
    """The facts of each turn."""
    turns, begun = [], False
    for fact in game.facts:
        if type(fact).__name__ == "TurnBegan":
            turns.append([])
            begun = True
        if begun:
            turns[-1].append(fact)
    return turns


def test_order_of_the_turn(game):
    """CLN-027: income, event, action, upkeep with police, 4A, 4B, 4C, 4D, in this order, ten times."""
    turns = turns_of(game)
    assert len(turns) == 10
    for facts in turns:
        places = [PHASE_OF[type(f).__name__] for f in facts if type(f).__name__ in PHASE_OF]
        assert places == sorted(places)


def test_one_card_a_turn(game):
    """CLN-028, CLN-066: the card of the income phase is resolved in the same turn and never returns."""
    cards = []
    for facts in turns_of(game):
        resolved = [f.card for f in facts if type(f).__name__ == "EventCardResolved"]
        cards += resolved
        assert len(resolved) == 1
    assert len(set(cards)) == 10
    revealed = [f.card for f in game.facts if type(f).__name__ == "EventCardRevealed"]
    assert revealed == cards


def test_next_card_is_known_during_the_actions(game):
    """CLN-029, CLN-030, CLN-031, CLN-067: revealed at the end of the event phase,
    in turn 5 from the new deck, in turn 10 not at all."""
    for turn, facts in enumerate(turns_of(game), 1):
        kinds = [type(f).__name__ for f in facts]
        shown = [f.for_turn for f in facts if type(f).__name__ == "EventCardRevealed"]
        assert shown == ([turn + 1] if turn < 10 else [])
        if shown:
            assert kinds.index("EventCardRevealed") < kinds.index("ActionPhaseStarted")
        assert ("EventDeckBuilt" in kinds) == (turn == 5)


def test_three_cards_stay_unused(game):
    """CLN-071: of five cards dealt, two went into the decks; three stay in every hand to the end."""
    assert [len(hand) for hand in game.state.hands] == [3, 3, 3, 3]
    assert len(game.state.resolved_cards) == 10
    assert game.state.deck == ()


def test_supplies_never_end():
    """CLN-003, CLN-005: bank and supply give and take whatever a rule says, however much is about already."""
    plenty = dict.fromkeys(("blue", "green", "yellow", "purple", "red"), 90_000)
    state = table(
        phase="actions",
        action_round=1,
        active=0,
        stocks={0: plenty},
        markets=plenty,
        colonists={0: 90_000},
        credits=[0, 0, 0, 0, 0],
    )
    after = give(state, 0, "production_peak", resources=1, colonists=1).state
    assert after.stocks[0]["blue"] == 90_001
    after = give(state, 0, "business_trip", sales={"red": 1}).state
    assert after.credits == (1, 0, 0, 0, 0)


def test_no_dealings_between_players(game):
    """CLN-008: outside hunting and negotiating fees an action touches nobody else's stock or Credits."""
    state = game.title.blank(4, game.options)
    for fact in game.facts:
        after = fact.fold(state)
        kind = type(fact).__name__
        if kind in (
            "RefugeProvided",
            "ResourcesSold",
            "ProductionPeaked",
            "TechnologyUpgraded",
            "ActionPassed",
        ):
            for seat in set(range(4)) - {fact.seat}:
                assert after.stocks[seat] == state.stocks[seat]
                assert after.credits[seat] == state.credits[seat]
        state = after


def test_no_command_for_gifts():
    """CLN-008: there is no command that gives, lends or exchanges anything."""
    assert not [
        c for c in TITLE.commands if any(w in c.__name__ for w in ("Give", "Gift", "Offer", "Lend", "Swap"))
    ]


def test_production_counts_neutral_partners():
    """CLN-033, CLN-034: a marker towards a neutral planet counts; neutral planets produce nothing."""
    state = table(
        4, phase="actions", action_round=3, active=3, promise={"blue": {"green": 4}}, stocks={0: {"blue": 7}}
    )
    draft = give(state, 3, "pass_action")
    produced = next(f for f in draft.facts if type(f).__name__ == "ResourcesProduced").production
    assert [p.seat for p in produced] == [0, 1, 2, 3]
    assert produced[0].export_total == 7
    assert {p.colour for p in produced} == {"blue", "yellow", "purple", "red"}


def test_colonists_are_received_together():
    """CLN-041: choices are covered until the last one, then all take effect at once."""
    state = table(current_card="ev02")
    assert waiting(state) == [(seat, "accept_colonists") for seat in range(5)]
    for seat in (3, 0, 4, 1):
        draft = give(state, seat, "accept_colonists", reject=0, citizens=1)
        state = draft.state
        assert names(draft) == ["ColonistChoiceCommitted"]
        assert state.colonists == (0, 0, 0, 0, 0)
    draft = give(state, 2, "accept_colonists", reject=1, citizens=0)
    assert names(draft)[1:] == ["ColonistsReceived"] * 5
    assert draft.state.colonists == (6, 6, 5, 6, 6)


def test_colonists_join_those_one_has():
    """CLN-040: arrivals come on top of the stock."""
    state = table(current_card="ev02", colonists={0: 4})
    assert answer_all(state, "accept_colonists", reject=0, citizens=0).state.colonists[0] == 10


def test_turn_marker():
    """CLN-153: the marker advances after the upkeep, until turn 10 has been played."""
    after = give(table(phase="actions", action_round=3, active=4, turn=3), 4, "pass_action").state
    assert (after.turn, after.phase) == (4, "income_colonists")
    last = table(phase="actions", action_round=3, active=4, turn=10, current_card=None)
    draft = give(last, 4, "pass_action")
    assert names(draft)[-2:] == ["TurnEnded", "GameEnded"]
    with pytest.raises(Rejected, match="game_not_running"):
        give(draft.state, 4, "pass_action")
