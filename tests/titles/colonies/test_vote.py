"""The vote and what follows (§5.5, 5.6)."""

import msgspec
import pytest

from events.rules.steps import Rejected
from tests.titles.colonies.at_table import TITLE, give, names, table, waiting


def test_everybody_votes():
    """CLN-042, CLN-021: all players are waited for, and may say yes or no and nothing else."""
    for turn in (1, 10):
        state = table(phase="event_vote", turn=turn)
        assert waiting(state) == [(seat, "cast_vote") for seat in range(5)]
        sides = {command.side for command in TITLE.legal(state, 2)}
        assert sides == {"yes", "no"}
        with pytest.raises(Rejected, match="not_your_decision"):
            give(state, 2, "pass_action")


def test_any_multiset_of_the_stock():
    """CLN-043: any resources of one's stock, or none; never more than it holds."""
    state = table(phase="event_vote", stocks={0: {"red": 2}})
    for resources in ({}, {"red": 2}, {"blue": 5, "green": 2, "yellow": 2, "purple": 2, "red": 2}):
        assert give(state, 0, "cast_vote", side="yes", resources=resources).facts
    with pytest.raises(Rejected, match="insufficient_resources"):
        give(state, 0, "cast_vote", side="yes", resources={"red": 3})


@pytest.mark.parametrize("extra", [{"credits": 2}, {"colonists": 1}, {"second_side": "no"}])
def test_one_side_and_resources_only(extra):
    """CLN-045, CLN-047: all votes go to one side; Credits and colonists buy none."""
    with pytest.raises(msgspec.ValidationError):
        give(table(phase="event_vote"), 0, "cast_vote", side="yes", resources={}, **extra)


def test_stocks_are_open_before_the_vote():
    """CLN-048: everybody can look at everybody's resources."""
    state = table(phase="event_vote")
    for viewer in (None, 0, 3):
        assert TITLE.view_json(state, viewer)["stocks"] == [dict(stock) for stock in state.stocks]


def test_a_covered_vote_can_be_replaced():
    """CLN-050: until the last vote is cast, the latest vote of a player counts."""
    state = give(table(phase="event_vote"), 0, "cast_vote", side="yes", resources={}).state
    for seat in (0, *range(1, state.seats)):
        state = give(state, seat, "cast_vote", side="no", resources={}).state
    assert (state.votes.yes_sum, state.votes.cast[0].side) == (0, "no")


def test_no_credits_instead_of_the_alternative():
    """CLN-059: the effects of the alternative cannot be exchanged for 4 €."""
    state = table(phase="event_vote", current_card="ev23")
    for seat in range(5):
        state = give(state, seat, "cast_vote", side="no", resources={}).state
    assert waiting(state) == [(0, "resolve_event_effect")]
    with pytest.raises(Rejected, match="not_your_decision"):
        give(state, 0, "choose_event_reward", choice="credits")


def test_reward_is_offered_after_a_broken_tie():
    """CLN-055: the choice of 4 € exists also when the first player broke the tie, for every tied winner."""
    state = table(phase="event_vote", current_card="ev01", levels={4: {"influence": 2}})
    for seat, side in enumerate(("yes", "yes", "yes", "no", "no")):
        state = give(state, seat, "cast_vote", side=side, resources={}).state
    draft = give(state, 0, "decide_tied_vote", side="yes")
    assert draft.facts[1].affected == (0, 1, 2)
    for seat in (0, 1, 2):
        draft = give(draft.state, seat, "choose_event_reward", choice="credits")
    assert draft.state.credits == (54, 54, 54, 50, 50)


def test_effect_questions_are_asked_first():
    """A reward is not chosen where an effect is asked, nor the other way round."""
    place = {"queue": [{"seat": 1, "effect": "official"}], "primitive": 0}
    state = table(phase="event_effects", current_card="ev14", resolution=place | {"chosen": False})
    with pytest.raises(Rejected, match="not_your_decision"):
        give(state, 1, "resolve_event_effect", resources={"red": 4})
    with pytest.raises(Rejected, match="not_your_decision"):
        give(state, 0, "choose_event_reward", choice="credits")
    state = give(state, 1, "choose_event_reward", choice="effect").state
    with pytest.raises(Rejected, match="not_your_decision"):
        give(state, 1, "choose_event_reward", choice="credits")


def test_card_is_put_aside():
    """CLN-066, CLN-067: the resolved card leaves the game and the next one is revealed."""
    state = table(phase="event_vote", current_card="ev11")
    before = len(state.deck)
    for seat in range(5):
        draft = give(state, seat, "cast_vote", side="no", resources={})
        state = draft.state
    assert names(draft)[-3:] == ["EventCardResolved", "EventCardRevealed", "ActionPhaseStarted"]
    assert state.resolved_cards == ("ev11",)
    assert len(state.deck) == before - 1
