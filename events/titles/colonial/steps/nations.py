"""The choice of Nations and the exclusion of Territories (COL-25-02, COL-25-41)."""

from __future__ import annotations

from events.steps import NOT_YOUR_DECISION, Rejected
from events.titles.colonial import commands as c
from events.titles.colonial import facts as f
from events.titles.colonial.data import NATIONS, TERRITORIES
from events.titles.colonial.draft import Draft
from events.titles.colonial.state import State
from events.titles.colonial.steps import guards, turn


def chooser(state: State) -> int | None:
    """Who chooses next: from the First Player's right anticlockwise, he himself last (COL-25-02)."""
    order = ((state.first_player - step) % state.seats for step in range(1, state.seats + 1))
    return next((seat for seat in order if state.players[seat].nation is None), None)


def free_nations(state: State) -> tuple[str, ...]:
    """The Nations nobody has, in card order."""
    taken = {player.nation for player in state.players}
    return tuple(name for name in NATIONS if name not in taken)


def choose_nation(draft: Draft, seat: int, command: c.ChooseNation) -> None:
    """COL-25-01 to COL-25-04; the last choice prepares the map."""
    guards.in_phase(draft.state, "nation_choice")
    if chooser(draft.state) != seat:
        raise Rejected(NOT_YOUR_DECISION, "Wait for your turn to choose a Nation.")
    if command.nation not in NATIONS:
        raise Rejected("unknown_nation", f"Choose one of {', '.join(NATIONS)}.")
    if command.nation not in free_nations(draft.state):
        raise Rejected("nation_taken", "Choose a Nation that nobody has.")
    card = NATIONS[command.nation]
    draft.emit(f.NationChosen(seat, card.id, card.start))
    draft.emit(f.ExtraCardTaken(seat, card.extra_card))
    if chooser(draft.state) is None:
        if draft.state.variant == "nations_2_3":
            _exclude(draft)
        turn.prepare_board(draft)


def _exclude(draft: Draft) -> None:
    """COL-25-41 to COL-25-46: what is on no participating Nation's goal list."""
    cards = [NATIONS[player.nation] for player in draft.state.players if player.nation]
    named = {goal.territory for card in cards for goal in card.goals}
    treaty = any(card.tordesillas for card in cards)
    draft.emit(
        f.TerritoriesExcluded(
            tuple(land.id for land in TERRITORIES if land.id not in named),
            america_discovered=not treaty,
            circumnavigation_in_use=treaty,
        )
    )
