"""The colonization phase, region by region, and what ends it."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import zip_longest
from typing import ClassVar

from msgspec.structs import replace

from events.rules.fact import Fact, Who
from events.rules.kit.values import add_at, put
from events.rules.kit.words import format_count, format_list
from events.titles.colonialism.data import CARD, NAMES
from events.titles.colonialism.derived import last_phase, region, treaty_seats
from events.titles.colonialism.knowledge import discard_chosen, note_showing
from events.titles.colonialism.parts import (
    Collection,
    Colonization,
    CubeCounts,
    Faction,
    PolicyCard,
    Removal,
    Resolution,
    SeatCards,
    SeatRegionCount,
)
from events.titles.colonialism.state import (
    State,
    add_discs,
    add_mercenaries,
    cubes_plus,
    discard_cards,
    draw_into_hand,
    regions_with,
    set_stage,
)
from events.titles.colonialism.words import DRAWS_CARDS, Data, cubes_named, format_by_seat, says

POLICY_STEPS: Mapping[str, str] = {
    "dominion": "Dominion",
    "simultaneous": "The policy cards",
    "consolidate_holdings": "Consolidate Holdings",
    "unrest_at_home": "Unrest at Home",
}
ENDINGS: Mapping[str, str] = {
    "limit": "the limit is kept",
    "one_faction": "only one faction is left",
    "no_loss_possible": "nobody can lose more",
}


class ColonizationPhaseStarted(Fact, frozen=True):
    """The regions will be checked in this order (CSM-120)."""

    turn: int
    segment: int
    region_order: tuple[str, ...]
    tell = says("Turn {turn}: colonization phase {segment} begins; order: {region_order:names}.")

    def fold(self, state: State) -> State:
        return replace(state, step="colonization", colonization=Colonization())


def _next_region(state: State) -> State:
    if state.colonization is None:
        return state
    index = state.colonization.index + 1
    if index < len(state.region_order):
        return replace(state, colonization=Colonization(index))
    return replace(state, colonization=None, step="scoring" if last_phase(state) else "keep_one_card")


class RegionColonizationChecked(Fact, frozen=True):
    """The check that decides if colonization actions take place in a region, with the reason (CSM-121)."""

    region: str
    policy_cards_in_play: int
    limit_check_failed: bool
    colonization_required: bool

    def fold(self, state: State) -> State:
        return set_stage(state, "cards") if self.colonization_required else _next_region(state)

    @staticmethod
    def tell(data: Data, _who: Who) -> str:
        if not data["colonization_required"]:
            reason = "no policy card lies there, and the limit is kept"
            return f"{NAMES[data['region']]} is checked: {reason}, so nothing happens."
        count = data["policy_cards_in_play"]
        reasons = [format_count(count, "policy card")] if count else []
        reasons += ["the limit is exceeded"] if data["limit_check_failed"] else []
        return f"{NAMES[data['region']]} is colonized: {format_list(reasons)}."


class PolicyCardsRevealed(Fact, frozen=True):
    """All policy cards at the region, by player (CSM-125)."""

    discloses = True
    region: str
    cards: tuple[SeatCards, ...]

    def fold(self, state: State) -> State:
        policy = region(state, self.region).policy
        shown = tuple([tuple([PolicyCard(p.card, face_up=True) for p in stack]) for stack in policy])
        state = replace(state, regions=regions_with(state, self.region, policy=shown))
        for seat, stack in enumerate(policy):
            hidden = [p.card for p in stack if not p.face_up]
            if hidden:
                state = note_showing(state, seat, hidden)
        return state

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        return f"Policy cards at {NAMES[data['region']]} are revealed: {format_by_seat(data['cards'], who)}."


class PolicyCardsResolved(Fact, frozen=True):
    """One step of policy cards; places the discs, except that Unrest's removals follow (CSM-126..129)."""

    region: str
    step: str
    results: tuple[Resolution, ...]

    def fold(self, state: State) -> State:
        if self.step == "unrest_at_home":
            return set_stage(state, "unrest_at_home")
        for result in self.results:
            if result.placed:
                state = add_discs(state, self.region, result.seat, result.placed)
        return state

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        place, step = NAMES[data["region"]], POLICY_STEPS[data["step"]]
        if data["step"] == "unrest_at_home":
            least = "with the least influence there, removes"
            hit = "; ".join(f"{who(r['seat'])}, {least} {r['removed']}" for r in data["results"])
            return f"{step} in {place}: {hit or 'no colonial power is present'}."
        return f"{step} in {place}: {'; '.join(_result(r, who) for r in data['results'])}."


def _result(result: Data, who: Who) -> str:
    cards = format_list(f"{NAMES[v['card']]}: {v['value']}{_zero(v)}" for v in result["cards"])
    short = f" of {result['wanted']}, no more are left" if result["placed"] < result["wanted"] else ""
    return f"{who(result['seat'])} places {result['placed']}{short} ({cards})"


def _zero(value: Data) -> str:
    """Return the reason for which Consolidate Holdings brings nothing (CSM-151)."""
    holdings = value["card"] == "consolidate_holdings" and not value["value"]
    return f", fewer than {CARD['consolidate_holdings'].number} are in reserve" if holdings else ""


class ConflictResolved(Fact, frozen=True):
    """A whole conflict in figures, by faction; InfluenceRemoved carries it out (CSM-171)."""

    region: str
    limit: int
    before: dict[Faction, int]
    after: dict[Faction, int]
    removals: tuple[Removal, ...]
    ended_by: str

    def fold(self, state: State) -> State:
        return set_stage(state, "conflict")

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        before, after = data["before"], data["after"]
        parts = [
            f"{'the natives' if faction == 'natives' else who(int(faction))} {_change(count, after[faction])}"
            for faction, count in before.items()
            if count
        ]
        place = f"{NAMES[data['region']]} (limit {data['limit']})"
        kept = [who(seat) for seat in data.get("treaties", ()) if after[str(seat)] == 1]
        spared = f"; Treaty protects the last disc of {format_list(kept)}" if kept else ""
        return f"Conflict in {place}: {format_list(parts)}; {ENDINGS[data['ended_by']]}{spared}."

    @staticmethod
    def beside(data: Data, state: State) -> Data:
        """Add the seats that a Treaty protects (CSM-149)."""
        return {"treaties": treaty_seats(region(state, data["region"]))}


def _change(before: int, after: int) -> str:
    return f"still {after}" if before == after else f"from {before} to {after}"


class CollectionStarted(Fact, frozen=True):
    """The collectors of a region in order (CSM-191)."""

    region: str
    order: tuple[int, ...]
    cubes: CubeCounts
    cause: str
    influences: tuple[int, ...] = ()
    """Of the collectors, in that order; none in older games."""

    def fold(self, state: State) -> State:
        return replace(set_stage(state, "collection"), collection=Collection(self.region, self.order))

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        influences = data.get("influences", ())
        amounts = [f" (influence {count})" for count in influences]
        names = (f"{name}{n}" for name, n in zip_longest(map(who, data["order"]), amounts, fillvalue=""))
        order = format_list(names) + (", in this order" if len(data["order"]) > 1 else "")
        ties = "; ties go by the turn order" if len(set(influences)) < len(influences) else ""
        lying = cubes_named(data["cubes"])
        return f"Resources of {NAMES[data['region']]} ({lying}) are collected by {order}{ties}."


class ResourceColorCollected(Fact, frozen=True):
    """A collector takes all cubes of a colour (CSM-192)."""

    seat: int
    region: str
    color: str
    count: int
    automatic: bool
    tell = says("{seat:who} collects {count} {color} from {region:name}.")

    def fold(self, state: State) -> State:
        seat, count = self.seat, self.count
        lying = cubes_plus(region(state, self.region).cubes, self.color, -count)
        collecting = state.collection
        return replace(
            state,
            regions=regions_with(state, self.region, cubes=lying),
            collected=put(state.collected, seat, cubes_plus(state.collected[seat], self.color, count)),
            collected_this_turn=add_at(state.collected_this_turn, seat, count),
            collection=collecting and replace(collecting, picks=collecting.picks + 1),
        )


class CollectionEnded(Fact, frozen=True):
    """No cube is left in the region."""

    region: str
    tell = says("{region:name} has no resources left.")

    def fold(self, state: State) -> State:
        return replace(state, collection=None)


class PolicyCardsDiscarded(Fact, frozen=True):
    """The resolved policy cards go to their owners' discard piles (CSM-133)."""

    region: str
    cards: tuple[SeatCards, ...]
    tell = says("The policy cards of {region:name} go to their owners' discard piles.")

    def fold(self, state: State) -> State:
        for mine in self.cards:
            state = discard_cards(state, mine.seat, mine.cards)
        return replace(state, regions=regions_with(state, self.region, policy=((),) * state.seats))


class RegionColonizationEnded(Fact, frozen=True):
    """The region's colonization actions are done."""

    region: str
    tell = says("The colonization of {region:name} is over.")

    def fold(self, state: State) -> State:
        return _next_region(state)


class InfluenceCardKept(Fact, frozen=True):
    """A sealed choice of the one card to keep (CSM-201)."""

    secrets: ClassVar = {"kept": ("seat",), "discarded": ("seat",)}
    seat: int
    kept: str
    discarded: tuple[str, ...]
    tell = says("{seat:who} keeps {kept:name|one card}.")

    def fold(self, state: State) -> State:
        return replace(state, kept=put(state.kept, self.seat, (self.kept,)))


class InfluenceCardsDiscarded(Fact, frozen=True):
    """The discards of all who had to choose (CSM-201)."""

    discloses = True
    discards: tuple[SeatCards, ...]

    def fold(self, state: State) -> State:
        return discard_chosen(state, self.discards)

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        return f"Discards are shown: {format_by_seat(data['discards'], who)}."


class HandRefilled(Fact, frozen=True):
    """Cards drawn up to the hand size (CSM-202)."""

    secrets: ClassVar = {"cards": ("seat",)}
    seat: int
    count: int
    cards: tuple[str, ...]
    tell = DRAWS_CARDS

    def fold(self, state: State) -> State:
        return draw_into_hand(state, self.seat, self.cards)


class MercenariesRemoved(Fact, frozen=True):
    """All mercenaries return to the supply (CSM-204)."""

    removed: tuple[SeatRegionCount, ...]

    def fold(self, state: State) -> State:
        for gone in self.removed:
            state = add_mercenaries(state, gone.region, gone.seat, -gone.count)
        return state

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        gone = format_list(
            f"{r['count']} of {who(r['seat'])} from {NAMES[r['region']]}" for r in data["removed"]
        )
        return f"All mercenaries leave: {gone}."


class ExcessInfluenceRemoved(Fact, frozen=True):
    """A sole colonial power returns its surplus (CSM-205)."""

    seat: int
    region: str
    count: int
    tell = says("{seat:who}, alone in {region:name}, returns {count:discs} above the limit.")

    def fold(self, state: State) -> State:
        return add_discs(state, self.region, self.seat, -self.count)


class GamePhaseAdvanced(Fact, frozen=True):
    """The phase token moves on."""

    turn: int
    phase: str
    tell = says("The phase token moves to {phase:phase}.")

    def fold(self, state: State) -> State:
        return replace(state, turn=self.turn, phase=self.phase)


class GameTurnEnded(Fact, frozen=True):
    """The next turn and its first phase; this turn's tallies restart (CSM-222)."""

    turn: int
    phase: str
    tell = says("Turn {turn} begins; the cubes collected this turn are counted from 0.")

    def fold(self, state: State) -> State:
        return replace(state, turn=self.turn, phase=self.phase, collected_this_turn=(0,) * state.seats)
