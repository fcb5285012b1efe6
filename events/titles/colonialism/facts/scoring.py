"""Final scoring."""

from __future__ import annotations

from msgspec.structs import replace

from events.fact import Fact, Who
from events.kit.values import put
from events.kit.words import listed
from events.titles.colonialism.parts import CubeCounts, Exchange, Standing
from events.titles.colonialism.state import State
from events.titles.colonialism.words import Data, cubes_named, interest_named


class EconomicInterestRevealed(Fact, frozen=True):
    """A player's economic interests, and for each the colour it paid or None (CSM-240, CSM-241)."""

    seat: int
    cards: tuple[str, ...]
    paid: tuple[str | None, ...]

    def fold(self, state: State) -> State:
        return replace(state, interests_shown=put(state.interests_shown, self.seat, True))

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        shown = listed(
            f"{interest_named(card)}{' pays' if paid else ' pays nothing'}"
            for card, paid in zip(data["cards"], data["paid"], strict=True)
        )
        return f"{who(data['seat'])} shows the economic interests {shown}."


class ResourcesConverted(Fact, frozen=True):
    """A player's cubes with bonus, the conversions made, and what remains (CSM-245)."""

    seat: int
    before: CubeCounts
    conversions: tuple[Exchange, ...]
    after: CubeCounts

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        if not data["conversions"]:
            return f"{who(data['seat'])} has {cubes_named(data['after'])} and converts nothing."
        made = listed(f"3 {x['from']} for 1 {x['to']}" for x in data["conversions"])
        return f"{who(data['seat'])} converts {made} and has {cubes_named(data['after'])}."


class GameEnded(Fact, frozen=True):
    """The result, by seat (CSM-247)."""

    standings: tuple[Standing, ...]
    winners: tuple[int, ...]

    def fold(self, state: State) -> State:
        return replace(state, step="ended", standings=self.standings)

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        ranked = sorted(data["standings"], key=lambda s: s["place"])
        places = listed(f"{who(s['seat'])} {s['score']} ({s['total']} cubes)" for s in ranked)
        winners = data["winners"]
        verb = "wins" if len(winners) == 1 else "share the victory"
        return f"{listed(map(who, winners))} {verb}. Scores: {places}."
