"""Passing a card, which Sovereign/Rebel allows only where nothing can be done (REV-026, REV-027)."""

from __future__ import annotations

from events.chance import Chance
from events.steps import Draft, Rejected
from events.titles.colonial_revised import commands as c
from events.titles.colonial_revised import facts as f
from events.titles.colonial_revised.data import MANDATORY
from events.titles.colonial_revised.state import State
from events.titles.colonial_revised.steps.rebel import can_spark, unrest_targets
from events.titles.colonial_revised.steps.sovereign import can_fight_privateers, war_targets


def sovereign_rebel_has_use(state: State, seat: int) -> bool:
    """Whether the card that may not be passed has any legal use (REV-027)."""
    return bool(
        war_targets(state, seat)
        or can_fight_privateers(state, seat)
        or unrest_targets(state)
        or any(can_spark(state, seat, t) for t in range(len(state.territories)))
    )


def may_pass(state: State, seat: int, card_id: str) -> bool:
    """Every card but Sovereign/Rebel may be passed; that one only without a legal use (REV-026, REV-027)."""
    return card_id != MANDATORY or not sovereign_rebel_has_use(state, seat)


def pass_card(draft: Draft[State], seat: int, command: c.PassCard, chance: Chance) -> None:
    """The card counts as played and the action is lost (REV-026)."""
    state = draft.state
    if not may_pass(state, seat, command.card_id):
        raise Rejected(
            "sovereign_rebel_mandatory", "This card must be used: declare war, fight, or play the Rebel."
        )
    draft.emit(f.CardPlayed(seat, state.turn, state.round, command.card_id, None))
    draft.emit(f.ActionPassed(seat, command.card_id, forced=command.card_id == MANDATORY))
