"""The event phase: the vote, and the effects of the card."""

from __future__ import annotations

from typing import ClassVar, Literal

from msgspec.structs import replace

from events.rules.fact import Fact, Seat, Who
from events.rules.kit.values import add_at, subtract_counts
from events.rules.kit.words import format_list
from events.titles.colonies import words
from events.titles.colonies.changes import Changes, apply
from events.titles.colonies.commands import CastVote, ResolveEventEffect
from events.titles.colonies.data import BOARD, Some
from events.titles.colonies.derived import effect_of, format_proposal
from events.titles.colonies.parts import EffectName, Place, Resolution, Side, Vote, Votes
from events.titles.colonies.primitives import level_of
from events.titles.colonies.sealing import Covered, Secrets, clear_answers
from events.titles.colonies.state import State, player_order
from events.titles.colonies.words import Data, says


class VoteCommitted(Covered, frozen=True):
    """A player has voted, covered (CLN-049)."""

    answer = CastVote
    secrets: ClassVar[Secrets] = {"side": ("seat",), "resources": ("seat",)}
    side: Side
    resources: Some

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        """Tell that the player votes; to the player also how."""
        if "side" not in data:
            return f"{who(data['seat'])} votes, covered."
        spent = words.resources(data["resources"]) or "nothing"
        return f"{who(data['seat'])} votes {data['side']}, spending {spent}."


class VotesRevealed(Fact, frozen=True):
    """All votes; the resources are spent (CLN-046)."""

    discloses = True
    votes: tuple[Vote, ...]
    yes_sum: int
    no_sum: int

    def fold(self, state: State) -> State:
        """Only now the resources leave the stocks (CLN-053)."""
        stocks = list(state.stocks)
        for vote in self.votes:
            stocks[vote.seat] = subtract_counts(stocks[vote.seat], vote.resources)
        votes = Votes(self.votes, self.yes_sum, self.no_sum)
        return replace(state, stocks=tuple(stocks), votes=votes, sealed=clear_answers(state))

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        """Every vote with what was spent on it, and the sums."""
        parts = []
        for vote in data["votes"]:
            spent = f" ({words.resources(vote['resources'])})" if vote["resources"] else ""
            parts.append(f"{who(vote['seat'])} {vote['side']} with {vote['votes']}{spent}")
        return f"The votes: {format_list(parts)}. Yes {data['yes_sum']}, no {data['no_sum']}."


class VoteTied(Fact, frozen=True):
    """Equal sums: the first player decides (CLN-052)."""

    seat: Seat
    tell = says("The vote is tied; {seat:who} decides as the first player.")

    def fold(self, state: State) -> State:
        return replace(state, phase="event_tie")


class TiedVoteDecided(Fact, frozen=True):
    """The first player's decision."""

    seat: Seat
    side: Side
    tell = says("{seat:who} breaks the tie: {side}.")


class MotionCarried(Fact, frozen=True):
    """The motion that is carried, and the seats that it affects in particular.

    These are the top yes voters or the players with fewest votes, in player order.
    """

    side: Side
    affected: tuple[Seat, ...]

    def fold(self, state: State) -> State:
        """The queue of effects: with the alternative first the middle, then the third one (CLN-061)."""
        if self.side == "yes":
            queue = [Place(seat, "official") for seat in self.affected]
        else:
            queue = [Place(seat, "all") for seat in player_order(state)]
            queue += [Place(seat, "fewest") for seat in self.affected]
        votes = replace(state.votes, carried=self.side) if state.votes else None
        return replace(state, phase="event_effects", votes=votes, resolution=Resolution(tuple(queue)))

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        """Tell which proposal is carried, what it is, and whom it affects in particular."""
        motion, which = ("official", "Most yes") if data["side"] == "yes" else ("alternative", "Fewest")
        affected = format_list(who(seat) for seat in data["affected"])
        return f"The {motion} proposal is carried{data.get('proposal', '')}. {which} votes: {affected}."

    @staticmethod
    def beside(data: Data, state: State) -> Data:
        """Return the proposal that is carried, as the card has it."""
        if state.current_card is None:
            return {}
        names: tuple[EffectName, ...] = ("official",) if data["side"] == "yes" else ("all", "fewest")
        return {"proposal": f": {format_proposal(state, names)}"}


def _next_place(resolution: Resolution) -> Resolution:
    return Resolution(resolution.queue[1:])


class EventRewardChosen(Fact, frozen=True):
    """A winner takes the effect or the Credits (CLN-055)."""

    seat: Seat
    choice: Literal["effect", "credits"]
    credits_gained: int

    def fold(self, state: State) -> State:
        """The Credits end the winner's part; the effect begins it."""
        resolution = state.resolution
        if resolution is None:
            return state
        if self.choice == "effect":
            return replace(state, resolution=replace(resolution, chosen=True))
        credits = add_at(state.credits, self.seat, self.credits_gained)
        return replace(state, credits=credits, resolution=_next_place(resolution))

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        """Tell what the winner takes."""
        if data["choice"] == "credits":
            return f"{who(data['seat'])} takes {data['credits_gained']} € instead of the effect."
        return f"{who(data['seat'])} takes the effect."


class EventEffectApplied(Fact, frozen=True):
    """One primitive carried out on one player, with its exact changes."""

    seat: Seat
    effect: EffectName
    primitive_index: int
    op: str
    choice: ResolveEventEffect | None
    """The player's answer; None where nothing was asked."""
    changes: Changes
    last: bool
    """True if the effect on this player is complete with it."""

    def fold(self, state: State) -> State:
        """The recorded changes, and on to the next primitive or player."""
        resolution = state.resolution
        if resolution is not None:
            following = replace(resolution, primitive=self.primitive_index + 1)
            resolution = _next_place(resolution) if self.last else following
        return apply(state, self.changes, resolution=resolution)

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        """Everything that the effect changes."""
        if data["choice"] and data["choice"].get("decline"):
            return f"{who(data['seat'])} declines."
        changes = format_list(words.changes(data["changes"], data["seat"], who), "nothing changes")
        return f"{who(data['seat'])}{_PART[data['effect']]}{data.get('counting', '')}: {changes}."

    @staticmethod
    def beside(data: Data, state: State) -> Data:
        """The level at which the effect counts for the player; what depends on a level changes none."""
        primitives = effect_of(state, data["effect"])
        if data["primitive_index"] >= len(primitives):
            return {}
        primitive = primitives[data["primitive_index"]]
        technology = level_of(primitive)
        if technology is None:
            return {}
        level = state.levels[data["seat"]][technology] + getattr(primitive, "plus", 0)
        return {"counting": f", at {technology.capitalize()} level {level}"}


_PART = {"official": "", "all": "", "fewest": ", for the fewest votes"}


class EventCardResolved(Fact, frozen=True):
    """The card is put aside (CLN-066)."""

    card: str
    tell = says("{card:card} is put aside.")

    def fold(self, state: State) -> State:
        """The card is put aside; after turn 5's the deck is rebuilt (CLN-030)."""
        return replace(
            state,
            current_card=None,
            resolved_cards=(*state.resolved_cards, self.card),
            resolution=None,
            phase="event_resupply" if state.turn == BOARD.resupply_turn else state.phase,
        )
