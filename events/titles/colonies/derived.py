"""Values derived from the state: the event card, and numbers of a player."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from events.rules.fact import Seat
from events.titles.colonies import words
from events.titles.colonies.data import CARD_SETS, EventCard, points
from events.titles.colonies.parts import EffectName, Score
from events.titles.colonies.primitives import AnyPrimitive, Technology
from events.titles.colonies.state import AFTER_EVENT, SETUP, Phase, State

# --- the event card and the numbers of a player ------------------------------------------------------


def current_card(state: State) -> EventCard | None:
    """Return the current event card."""
    return CARD_SETS[state.options.event_card_set][state.current_card] if state.current_card else None


def format_proposal(state: State, names: Iterable[EffectName]) -> str:
    """Return the effects of the current card in a sentence's words, each with the players that it affects."""
    whom = {"official": "", "all": "everybody: ", "fewest": "the fewest votes in addition: "}
    return "; ".join(f"{whom[name]}{words.format_effect(effect_of(state, name))}" for name in names)


def card_turn(phase: Phase, turn: int) -> int:
    """Return the turn that the current card is for: from the actions on the next one (CLN-028, CLN-029)."""
    return turn + (phase in AFTER_EVENT)


def arrivals(state: State) -> int:
    """Return the number of colonists for every player in the turn of the current card (CLN-028, CLN-035)."""
    card = current_card(state)
    return card_turn(state.phase, state.turn) + (card.colonists if card else 0)


def own_stock(state: State, seat: Seat) -> int:
    """Return the number of a player's resources of their own colour."""
    return state.stocks[seat][state.planets[seat]]


def own_pirates(state: State, seat: Seat) -> int:
    """Return the number of pirates on all of a player's own routes."""
    return sum(state.pirates[state.planets[seat]].values())


def export_total(state: State, seat: Seat) -> int:
    """Return the sum of a player's four promises (CLN-032)."""
    return sum(state.promise[state.planets[seat]].values())


def technology_points(levels: Mapping[Technology, int]) -> int:
    """Return the victory points of all five technologies (CLN-165)."""
    return sum(points(level) for level in levels.values())


def effect_of(state: State, effect: EffectName) -> tuple[AnyPrimitive, ...]:
    """Return the primitives of one effect of the current card."""
    card = current_card(state)
    if card is None:
        return ()
    return {"official": card.official, "all": card.all, "fewest": card.fewest}[effect]


def primitive_under_way(state: State) -> AnyPrimitive | None:
    """Return the next primitive of the effect under way.

    None while a winner still chooses their reward, and where no effect or no primitive is left.
    """
    resolution = state.resolution
    if resolution is None or not resolution.queue:
        return None
    place = resolution.queue[0]
    if place.effect == "official" and not resolution.chosen:
        return None
    primitives = effect_of(state, place.effect)
    return primitives[resolution.primitive] if resolution.primitive < len(primitives) else None


# --- for the platform --------------------------------------------------------------------------------


def seat_name(state: State, seat: Seat) -> str:
    """Return the name of a player: their planet, or the seat number before planets are drawn."""
    return words.planet(state.planets[seat]) if seat < len(state.planets) else f"Seat {seat}"


def is_in_setup(state: State) -> bool:
    """Return True until the first turn begins."""
    return state.phase in SETUP


def count_conserved(state: State) -> Mapping[str, int]:
    """Return the counts that never change: no event card is ever lost (CLN-066)."""
    in_hands = sum(len(hand) for hand in state.hands)
    current = state.current_card is not None
    return {
        "event_cards": in_hands + len(state.deck) + len(state.undealt) + current + len(state.resolved_cards)
    }


# --- the end ---------------------------------------------------------------------------------------


def final_scores(state: State) -> tuple[Score, ...]:
    """Return scores ranked by points, technology points, stock; equals share (CLN-167 to CLN-169)."""
    keys = [_rank_key(state, seat) for seat in range(state.seats)]
    return tuple(
        Score(
            seat=seat,
            levels=state.levels[seat],
            technology_points=keys[seat][1],
            credits=state.credits[seat],
            total=keys[seat][0],
            resources_in_stock=keys[seat][2],
            rank=1 + sum(key > keys[seat] for key in keys),
        )
        for seat in range(state.seats)
    )


def _rank_key(state: State, seat: Seat) -> tuple[int, int, int]:
    technology = technology_points(state.levels[seat])
    return technology + state.credits[seat], technology, sum(state.stocks[seat].values())
