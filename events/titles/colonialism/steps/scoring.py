"""Final scoring: economic interests, conversion, ranking (CSM-240 to CSM-248)."""

from __future__ import annotations

from events.rules.steps import Draft
from events.titles.colonialism.data import COLOR_INDEX, COLORS, INTEREST, NUMBERS
from events.titles.colonialism.derived import has_most, influences_at, region
from events.titles.colonialism.facts import (
    EconomicInterestRevealed,
    GameEnded,
    ResourcesConverted,
)
from events.titles.colonialism.parts import CubeCounts, Cubes, Exchange, Standing
from events.titles.colonialism.state import State

Counts = tuple[int, ...]
"""Cubes by colour: black, brown, yellow."""


def score(draft: Draft[State]) -> None:
    """Show all interests, convert each player's cubes, rank (CSM-240, CSM-245, CSM-247)."""
    seats = range(draft.state.seats)
    paid = [interest_pays(draft.state, seat) for seat in seats]
    for seat in seats:
        cards = draft.state.interests[seat]
        there = tuple(influences_at(draft.state, INTEREST[card].region) for card in cards)
        draft.emit(EconomicInterestRevealed(seat=seat, cards=cards, paid=paid[seat], influences=there))
    final: list[Counts] = []
    for seat in seats:
        before = add_bonus(draft.state.collected[seat], paid[seat])
        after, conversions = convert(before)
        final.append(after)
        draft.emit(
            ResourcesConverted(
                seat=seat, before=_make_counts(before), conversions=conversions, after=_make_counts(after)
            )
        )
    standings = rank(final)
    winners = tuple(s.seat for s in standings if s.place == 1)
    draft.emit(GameEnded(standings=standings, winners=winners))


def interest_pays(state: State, seat: int) -> tuple[str | None, ...]:
    """Return for each card of the seat the colour that it pays, or None (CSM-241, CSM-242).

    A card pays if the seat has the most influence in its region.
    """
    cards = (INTEREST[key] for key in state.interests[seat])
    return tuple(card.pays if has_most(region(state, card.region), seat) else None for card in cards)


def add_bonus(collected: Cubes, paid: tuple[str | None, ...]) -> Counts:
    """Return collected cubes and one virtual cube for each interest that pays (CSM-243)."""
    counts = list(collected)
    for color in paid:
        if color is not None:
            counts[COLOR_INDEX[color]] += 1
    return tuple(counts)


def need(counts: Counts, target: int) -> int:
    """Return the number of cubes missing to have *target* of every colour."""
    return sum(max(0, target - count) for count in counts)


def means(counts: Counts, target: int) -> int:
    """Return the number of cubes that conversion of the surplus over *target* can give."""
    return sum(max(0, count - target) // NUMBERS.conversion for count in counts)


def best_score(counts: Counts) -> int:
    """Return the highest score that conversion can reach."""
    target = min(counts)
    while means(counts, target + 1) >= need(counts, target + 1):
        target += 1
    return target


def convert(counts: Counts) -> tuple[Counts, tuple[Exchange, ...]]:
    """Return the conversions that reach the best score and leave the most cubes (CSM-244, CSM-245).

    Each gives up cubes of the colour with most among those that can spare them, for one of the colour
    with fewest.
    """
    target = best_score(counts)
    now = list(counts)
    made: list[Exchange] = []
    for _ in range(need(counts, target)):
        spare = [i for i, count in enumerate(now) if count >= target + NUMBERS.conversion]
        given = max(spare, key=lambda i: now[i])
        gained = min(range(len(now)), key=lambda i: now[i])
        now[given] -= NUMBERS.conversion
        now[gained] += 1
        made.append(Exchange(from_=COLORS[given], to=COLORS[gained]))
    return tuple(now), tuple(made)


def rank(final: list[Counts]) -> tuple[Standing, ...]:
    """Return the standings by score, then total; equal players share a place (CSM-246 to CSM-248)."""
    results = [(min(counts), sum(counts)) for counts in final]
    standings: list[Standing] = []
    for seat, (black, brown, yellow) in enumerate(final):
        mine = results[seat]
        place = 1 + sum(other > mine for other in results)
        standings.append(Standing(seat, black, brown, yellow, mine[0], mine[1], place))
    return tuple(standings)


def _make_counts(counts: Counts) -> CubeCounts:
    black, brown, yellow = counts
    return CubeCounts(black=black, brown=brown, yellow=yellow)
