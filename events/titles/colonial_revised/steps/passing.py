"""Passing a card, which Sovereign/Rebel allows only where nothing can be done (REV-026, REV-027)."""

from __future__ import annotations

from collections.abc import Iterator

from events.rules.steps import Draft, Move, Rejected
from events.titles.colonial_revised import commands as c
from events.titles.colonial_revised import facts as f
from events.titles.colonial_revised import words as w
from events.titles.colonial_revised.data import MANDATORY
from events.titles.colonial_revised.state import State, list_available
from events.titles.colonial_revised.steps.cards import check_available
from events.titles.colonial_revised.steps.rebel import can_spark, unrest_targets
from events.titles.colonial_revised.steps.sovereign import can_fight_privateers, war_targets


def sovereign_rebel_has_use(state: State, seat: int) -> bool:
    """Return True if the card that may not be passed has any legal use (REV-027)."""
    return bool(
        war_targets(state, seat)
        or can_fight_privateers(state, seat)
        or unrest_targets(state)
        or any(can_spark(state, seat, t) for t in range(len(state.lands)))
    )


def may_pass(state: State, seat: int, card_id: str) -> bool:
    """Every card but Sovereign/Rebel may be passed; that one only without a legal use (REV-026, REV-027)."""
    return card_id != MANDATORY or not sovereign_rebel_has_use(state, seat)


def pass_card(draft: Draft[State], seat: int, command: c.PassCard) -> None:
    """The card counts as played and the action is lost (REV-026)."""
    state = draft.state
    check_available(state, seat, command.card_id)
    _check_use(state, seat, command.card_id)
    draft.emit(f.CardPlayed(seat, state.turn, state.round, command.card_id, None))
    draft.emit(f.ActionPassed(seat, command.card_id, forced=command.card_id == MANDATORY))


def _check_use(state: State, seat: int, card_id: str) -> None:
    """Check that the card may be passed (REV-027)."""
    if not may_pass(state, seat, card_id):
        raise Rejected(
            "sovereign_rebel_mandatory", "This card must be used: declare war, fight, or play the Rebel."
        )


def _passes(state: State, seat: int) -> Iterator[c.PassCard]:
    for card in list_available(state, seat):
        if may_pass(state, seat, card):
            yield c.PassCard(card_id=card)  # type: ignore[arg-type]


PASS_CARD: Move[State] = Move(
    command=c.PassCard,
    take=pass_card,
    legal=_passes,
    label=lambda _state, _seat, command: f"Pass {w.card_name(command.card_id)}",
)
