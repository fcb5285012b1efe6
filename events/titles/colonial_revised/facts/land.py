"""Facts about the map: Unrest, control, Monopolies, Prestige, Colonies that fall."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from events.rules.fact import Fact, Who
from events.rules.kit.overseas.piles import move_to_bottom
from events.rules.kit.values import change_player, put, remove_each
from events.rules.kit.words import format_list, plural
from events.titles.colonial_revised import words as w
from events.titles.colonial_revised.data import SPACE, TERRITORIES, TERRITORY
from events.titles.colonial_revised.parts import Markers
from events.titles.colonial_revised.state import State, add_unrest, change_land
from events.titles.colonial_revised.words import Data, says

# --- Unrest --------------------------------------------------------------------------------------


class UnrestPlaced(Fact, frozen=True):
    """Unrest is placed in a Territory; *left* is what the same action still has to place."""

    territory: str
    count: int
    reason: str
    left: tuple[Markers, ...] = ()
    tell = says("{count} Unrest is placed in {territory:territory} {reason:reason}.")

    def fold(self, state: State) -> State:
        return replace(add_unrest(state, self.territory, self.count), unrest_left=self.left)


class UnrestLapsed(Fact, frozen=True):
    """Unrest markers lapse, since they cannot be placed any more (REV-127)."""

    territory: str
    count: int
    left: tuple[Markers, ...] = ()
    tell = says("{count} Unrest meant for {territory:territory} is not placed any more.")

    def fold(self, state: State) -> State:
        return replace(state, unrest_left=self.left)


class UnrestRemoved(Fact, frozen=True):
    """Unrest markers leave a Territory."""

    territory: str
    count: int
    reason: str
    tell = says("{count} Unrest is removed in {territory:territory} {reason:reason}.")

    def fold(self, state: State) -> State:
        return add_unrest(state, self.territory, -self.count)


class RebelMarked(Fact, frozen=True):
    """No Rebel may place Unrest here again this turn (REV-263)."""

    territory: str
    tell = says("No Rebel may place more Unrest in {territory:territory} this turn.")

    def fold(self, state: State) -> State:
        return change_land(state, self.territory, rebel_marked_this_turn=True)


class ProtectionLifted(Fact, frozen=True):
    """All counters there are vulnerable again (REV-156)."""

    territory: str
    tell = says("The counters in {territory:territory} are open to Rebellions again.")

    def fold(self, state: State) -> State:
        protected = state.protected
        for space in TERRITORIES[TERRITORY[self.territory]].spaces:
            protected = put(protected, space, ())
        return replace(state, protected=protected)


# --- control and Monopolies ----------------------------------------------------------------------


class ControlChanged(Fact, frozen=True):
    """Control of a space has changed.

    *penalised*: the rules charge the new controller 1 space of Diplomacy, as far as they can pay it.
    """

    space: str
    from_: int | None = msgspec.field(name="from")
    to: int | None
    penalised: bool

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        place = w.space_name(data["space"])
        if data["to"] is None:
            return f"Nobody controls {place} any more."
        before = "" if data["from"] is None else f" instead of {who(data['from'])}"
        return f"{who(data['to'])} now controls {place}{before}."

    def fold(self, state: State) -> State:
        number = SPACE[self.space]
        pile = state.piles[number]
        if self.to is None or not pile or pile[0] == self.to:
            return state
        return replace(state, piles=put(state.piles, number, move_to_bottom(pile, self.to)))


def _monopoly(data: Data) -> str:
    return w.space_name(data["space"]) if data["space"] else w.resource_name(data["resource"])


class MonopolyGained(Fact, frozen=True):
    """A seat gains a Monopoly; *space* only where the space is the Monopoly, on Gold (REV-063)."""

    seat: int
    resource: str
    space: str | None = None

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        return f"{who(data['seat'])} gains a Monopoly: {_monopoly(data)}."

    def fold(self, state: State) -> State:
        mine = state.players[self.seat].standing
        held = tuple(sorted((*mine.monopolies, self.space or self.resource)))
        return change_player(state, self.seat, standing=replace(mine, monopolies=held))


class MonopolyLost(Fact, frozen=True):
    """A seat loses a Monopoly; *space* only where the space was the Monopoly, on Gold (REV-063)."""

    seat: int
    resource: str
    space: str | None = None

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        return f"{who(data['seat'])} loses a Monopoly: {_monopoly(data)}."

    def fold(self, state: State) -> State:
        mine = state.players[self.seat].standing
        held = remove_each(mine.monopolies, [self.space or self.resource])
        return change_player(state, self.seat, standing=replace(mine, monopolies=held))


# --- Prestige ------------------------------------------------------------------------------------


class PrestigeChanged(Fact, frozen=True):
    """The Prestige Points of a seat have changed; *total*: its points after this change."""

    seat: int
    source: str
    delta: int
    total: int

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        verb = "gains" if data["delta"] > 0 else "loses"
        points, source = w.points(abs(data["delta"])), w.SOURCE_NAMES[data["source"]]
        return f"{who(data['seat'])} {verb} {points} for {source} (total {data['total']})."

    def fold(self, state: State) -> State:
        mine = state.players[self.seat].standing
        now = replace(mine, **{self.source: getattr(mine, self.source) + self.delta})
        return change_player(state, self.seat, standing=now)


AWARDS = {"progress_award": "the Progress award", "missions_award": "the Missions award"}


class AwardTransferred(Fact, frozen=True):
    """An award changes hands: ``progress_award`` or ``missions_award`` (REV-092, REV-093)."""

    award: str
    from_: int | None = msgspec.field(name="from")
    to: int

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        before = "" if data["from"] is None else f" from {who(data['from'])}"
        return f"{who(data['to'])} takes {AWARDS[data['award']]}{before}."

    def fold(self, state: State) -> State:
        if self.award == "progress_award":
            return replace(state, progress_award_holder=self.to)
        return replace(state, missions_award_holder=self.to)


class EmpireAchieved(Fact, frozen=True):
    """A seat has 5 adjacent Colonies: at least one point for good (REV-095)."""

    seat: int
    tell = says("{seat:who} has built an Empire of adjacent Colonies.")

    def fold(self, state: State) -> State:
        return change_player(state, self.seat, empire_achieved=True)


# --- Colonies and Independent States -------------------------------------------------------------


class ColonyLost(Fact, frozen=True):
    """A Colony is lost with all Cities there; *pp* is what the Colony gave (REV-114).

    A Booming City falls with its Colony (REV-191); a Rebellion may let the Rebel in (REV-277).
    """

    seat: int
    territory: str
    pp: int
    cities: tuple[int, ...]

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        fallen = data["cities"]
        values = format_list(str(value) for value in fallen)
        cities = (
            f", and {plural(len(fallen), 'the City', 'the Cities')} of value {values} there" if fallen else ""
        )
        return f"{who(data['seat'])} loses the Colony of {w.territory_name(data['territory'])}{cities}."

    def fold(self, state: State) -> State:
        booming = None if state.booming_city in self.cities else state.booming_city
        state = replace(
            change_land(state, self.territory, colony_owner=None, cities=()), booming_city=booming
        )
        held = state.rebellion
        if held and held.kind == "colony" and held.territory == self.territory:
            state = replace(state, rebellion=replace(held, step="entry"))
        return state


class TerritoryBecameIndependent(Fact, frozen=True):
    """The last counter has left a Territory: it becomes an Independent State (REV-116)."""

    territory: str
    tell = says("{territory:territory} becomes an Independent State.")

    def fold(self, state: State) -> State:
        return change_land(state, self.territory, independent=True)


class IndependenceEnded(Fact, frozen=True):
    """Founding ends the independence (REV-118)."""

    territory: str
    tell = says("{territory:territory} is independent no more.")

    def fold(self, state: State) -> State:
        return change_land(state, self.territory, independent=False)
