"""The income phase: production, and receiving colonists."""

from __future__ import annotations

from typing import ClassVar

import msgspec
from msgspec.structs import replace

from events.rules.fact import Fact, Seat, Who
from events.rules.kit.values import add_at, add_counts, put
from events.rules.kit.words import format_list
from events.titles.colonies import words
from events.titles.colonies.commands import AcceptColonists
from events.titles.colonies.data import RESOURCE
from events.titles.colonies.primitives import Colour
from events.titles.colonies.sealing import Covered, Secrets
from events.titles.colonies.state import State
from events.titles.colonies.words import Data, says


class TurnBegan(Fact, frozen=True):
    """A turn begins."""

    turn: int
    first_player: Seat
    tell = says("Turn {turn} begins; {first_player:who} is the first player.")

    def fold(self, state: State) -> State:
        """A new year."""
        return replace(state, turn=self.turn, phase="production", votes=None)


class Production(msgspec.Struct, frozen=True):
    """The production of one player (CLN-032)."""

    seat: Seat
    colour: Colour
    export_total: int
    industry: int
    amount: int


class ResourcesProduced(Fact, frozen=True):
    """Every player's production."""

    production: tuple[Production, ...]

    def fold(self, state: State) -> State:
        """Production joins the stocks."""
        stocks = list(state.stocks)
        for made in self.production:
            stocks[made.seat] = add_counts(stocks[made.seat], {made.colour: made.amount})
        return replace(state, stocks=tuple(stocks), phase="income_colonists")

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        """Tell who produces how much of what."""
        parts = (
            f"{who(p['seat'])} {p['amount']} {RESOURCE[p['colour']]} "
            f"({p['export_total']} promised and {p['industry']} by Industry)"
            for p in data["production"]
        )
        return f"The planets produce: {format_list(parts)}."


class ColonistChoiceCommitted(Covered, frozen=True):
    """A player decides how to receive their colonists, covered."""

    answer = AcceptColonists
    secrets: ClassVar[Secrets] = {"reject": ("seat",), "citizens": ("seat",)}
    reject: int
    citizens: int

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        """Tell that the player decides; to the player also how."""
        if "reject" not in data:
            return f"{who(data['seat'])} decides on the arriving colonists, covered."
        rejected, citizens = (
            words.number(data["reject"], "colonist"),
            words.number(data["citizens"], "citizen"),
        )
        return f"{who(data['seat'])} decides to reject {rejected} and to make {citizens}."


class ColonistsReceived(Fact, frozen=True):
    """A player's arrivals (CLN-037)."""

    seat: Seat
    arrivals: int
    rejected: int
    citizens: int
    colonists_gained: int
    credits_gained: int

    def fold(self, state: State) -> State:
        """The arrivals of one player; the last one's open the vote."""
        sealed = put(state.sealed, self.seat, None)
        return replace(
            state,
            colonists=add_at(state.colonists, self.seat, self.colonists_gained),
            credits=add_at(state.credits, self.seat, self.credits_gained),
            sealed=sealed,
            phase=state.phase if any(sealed) else "event_vote",
        )

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        """Tell who comes, who is sent away, and what the new citizens bring."""
        gained = words.number(data["colonists_gained"], "colonist")
        credits = f" and {data['credits_gained']} € for new citizens" if data["credits_gained"] else ""
        rejected = f", rejecting {data['rejected']}" if data["rejected"] else ""
        return f"{who(data['seat'])} receives {gained}{credits}{rejected}."
