"""Final scoring."""

from __future__ import annotations

from itertools import zip_longest

from msgspec.structs import replace

from events.rules.fact import Fact, Who
from events.rules.kit.values import put
from events.rules.kit.words import format_count, format_list
from events.titles.colonialism.data import COLORS
from events.titles.colonialism.parts import CubeCounts, Exchange, Faction, Standing
from events.titles.colonialism.state import State
from events.titles.colonialism.words import Data, cubes_named, influences_named, interest_named, tie_break


class EconomicInterestRevealed(Fact, frozen=True):
    """A player's economic interests, and for each the colour it paid or None (CSM-240, CSM-241)."""

    discloses = True
    seat: int
    cards: tuple[str, ...]
    paid: tuple[str | None, ...]
    influences: tuple[dict[Faction, int], ...] = ()
    """For each card who has how much influence in its region, as far as anybody has; none in older games."""

    def fold(self, state: State) -> State:
        return replace(state, interests_shown=put(state.interests_shown, self.seat, True))

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        reasons = [f" ({influences_named(there, who)})" for there in data.get("influences", ())]
        shown = format_list(
            f"{interest_named(card)}{' pays' if paid else ' pays nothing'}{why}"
            for card, paid, why in zip_longest(data["cards"], data["paid"], reasons, fillvalue="")
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
        before = f"{who(data['seat'])} has {cubes_named(data['before'])} with the economic interests"
        score = f"that is a score of {min(data['after'][color] for color in COLORS)}"
        if not data["conversions"]:
            return f"{before} and converts nothing; {score}."
        made = format_list(f"3 {x['from']} for 1 {x['to']}" for x in data["conversions"])
        return f"{before}, converts {made} and then has {cubes_named(data['after'])}; {score}."


class GameEnded(Fact, frozen=True):
    """The result, by seat (CSM-247)."""

    standings: tuple[Standing, ...]
    winners: tuple[int, ...]

    def fold(self, state: State) -> State:
        return replace(state, step="ended", standings=self.standings)

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        ranked = sorted(data["standings"], key=lambda s: s["place"])
        places = format_list(
            f"{who(s['seat'])} with {s['score']} ({format_count(s['total'], 'cube')})" for s in ranked
        )
        winners = data["winners"]
        verb = "wins" if len(winners) == 1 else "share the victory"
        ties = tie_break([(s["score"], s["total"]) for s in ranked])
        return f"{format_list(map(who, winners))} {verb}. Scores: {places}.{f' {ties}' if ties else ''}"
