"""The Ambassador."""

from __future__ import annotations

from collections.abc import Iterator

from events.rules.chance import Chance
from events.rules.kit.words import format_list
from events.rules.steps import INVALID_PARAMETERS, Command, Draft, Rejected
from events.titles.colonial_revised import commands as c
from events.titles.colonial_revised import facts as f
from events.titles.colonial_revised import words as w
from events.titles.colonial_revised.checks import territory_number
from events.titles.colonial_revised.data import DIPLOMACY, TERRITORIES
from events.titles.colonial_revised.derived import counters, list_territories_of
from events.titles.colonial_revised.offers import draw_percent, pick
from events.titles.colonial_revised.state import State
from events.titles.colonial_revised.steps.cards import Character, character, use
from events.titles.colonial_revised.steps.settlement import move_diplomacy


def use_ambassador(draft: Draft[State], seat: int, command: c.UseAmbassador) -> None:
    """Move 1 right on Diplomacy, and remove 1 Unrest; each is optional (REV-145, REV-146).

    The Unrest must be in a Territory where the seat has a counter.
    """
    name = command.remove_unrest_in
    if name is not None:
        _check_unrest(draft.state, seat, territory_number(name))
    elif not command.move_marker or draft.state.players[seat].diplomacy >= DIPLOMACY:
        raise Rejected(INVALID_PARAMETERS, "That changes nothing: pass the card instead.")
    use(draft, seat, "ambassador")
    if command.move_marker:
        move_diplomacy(draft, seat, +1, "ambassador")
    if name is not None:
        draft.emit(f.UnrestRemoved(territory=name, count=1, reason="ambassador"))


def _check_unrest(state: State, seat: int, territory: int) -> None:
    """Check that the Territory has Unrest and a counter of the seat (REV-146). Raises :class:`Rejected`."""
    if not state.lands[territory].unrest:
        raise Rejected("no_unrest", "There is no Unrest in that Territory: name another, or none.")
    if not counters(state, seat, territory):
        raise Rejected("no_own_counter", "You have no counter there: name a Territory where you have one.")


# --- offers --------------------------------------------------------------------------------------


def unrest_to_remove(state: State, seat: int) -> tuple[int, ...]:
    """Return the Territories where the Ambassador can remove Unrest (REV-146)."""
    return tuple(t for t in list_territories_of(state, seat) if state.lands[t].unrest)


def _offers(state: State, seat: int) -> Iterator[c.UseAmbassador]:
    """Yield the uses with an effect: at the right end only Unrest is removed; doing nothing is to pass."""
    spots = (None, *(TERRITORIES[t].id for t in unrest_to_remove(state, seat)))
    for moves in (True, False) if state.players[seat].diplomacy < DIPLOMACY else (False,):
        for spot in reversed(spots):
            if moves or spot is not None:
                yield c.UseAmbassador(moves, spot)


def _label(_state: State, _seat: int, command: c.UseAmbassador) -> str:
    parts = ["move 1 right on Diplomacy"] if command.move_marker else []
    if command.remove_unrest_in is not None:
        parts.append(f"remove 1 Unrest in {w.territory_name(command.remove_unrest_in)}")
    return f"Ambassador: {format_list(parts)}"


def _sample(state: State, seat: int, chance: Chance) -> Command | None:
    spots = unrest_to_remove(state, seat)
    spot = TERRITORIES[pick(chance, spots)].id if spots and draw_percent(chance, 80) else None
    moves = draw_percent(chance, 90)
    if spot is None and (not moves or state.players[seat].diplomacy >= DIPLOMACY):
        return None
    return c.UseAmbassador(moves, spot)


USE_AMBASSADOR = character("ambassador", c.UseAmbassador, take=use_ambassador, legal=_offers, label=_label)
AMBASSADOR = Character("ambassador", (USE_AMBASSADOR,), _sample)
