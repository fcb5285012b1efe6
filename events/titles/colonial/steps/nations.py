"""The choice of Nations and the exclusion of Territories (COL-25-02, COL-25-41)."""

from __future__ import annotations

from collections.abc import Iterator

from events.rules.fact import Seat
from events.rules.steps import Move, Rejected, Step
from events.titles.colonial import facts as f
from events.titles.colonial.checks import Draft
from events.titles.colonial.commands import ChooseNation
from events.titles.colonial.data import NATIONS, RULES, TERRITORIES
from events.titles.colonial.state import State
from events.titles.colonial.words import extra_card, nation_goals, nation_rules


def prepare_board(draft: Draft) -> None:
    """Lay Prestige on the map, then begin the first turn (COL-03-01, COL-03-02)."""
    start, state = RULES.start, draft.state
    prestige = {
        land.id: start.prestige_of.get(land.id, start.territory_prestige)
        for land in TERRITORIES
        if not state.lands[land.number].excluded
    }
    box = 0 if state.america_discovered else start.discovery_box
    draft.emit(f.BoardPrepared(prestige, box))
    draft.emit(f.TurnBegan(1, state.first_player))


def chooser(state: State) -> int | None:
    """Return the seat that chooses a Nation next, or None (COL-25-02).

    The order is anticlockwise from the First Player's right; the First Player is last.
    """
    order = ((state.first_player - step) % state.seats for step in range(1, state.seats + 1))
    return next((seat for seat in order if state.players[seat].nation is None), None)


def free_nations(state: State) -> tuple[str, ...]:
    """The Nations nobody has, in card order."""
    taken = {player.nation for player in state.players}
    return tuple(name for name in NATIONS if name not in taken)


def _list_asked(state: State) -> tuple[Seat, ...]:
    seat = chooser(state)
    return () if seat is None else (seat,)


def choose_nation(draft: Draft, seat: Seat, command: ChooseNation) -> None:
    """Choose a Nation; the last choice prepares the map (COL-25-01 to COL-25-04)."""
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
        prepare_board(draft)


def _exclude(draft: Draft) -> None:
    """Leave out the Territories on no participating Nation's goal list (COL-25-41 to COL-25-46)."""
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


def _choices(state: State, seat: Seat) -> Iterator[ChooseNation]:
    return (ChooseNation(name) for name in free_nations(state))


def _label(_state: State, _seat: Seat, command: ChooseNation) -> str:
    nation = NATIONS.get(command.nation)
    if nation is None:
        return f"Play {command.nation}"
    gives = f"{extra_card(nation)}; {nation_rules(nation)}"
    return f"Play {nation.name}: {gives}; goals {nation_goals(nation)}"


CHOOSE_NATION = Step[State](
    kind="choose_nation",
    asked=_list_asked,
    moves=(
        Move(
            command=ChooseNation,
            take=choose_nation,
            legal=_choices,
            label=_label,
        ),
    ),
    default=lambda state, _seat: ChooseNation(free_nations(state)[0]),
)
