"""The set-up: lots, fingers, the board, and the event deck."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, Literal

from msgspec.structs import replace

from events.rules.draw_binding import Drawing, accept_any_draw, bind_each, bind_if, index
from events.rules.fact import NOBODY, Fact, Seat, Who
from events.rules.kit.values import add_counts, put, remove_each
from events.rules.kit.words import format_count, format_list
from events.titles.colonies import words
from events.titles.colonies.commands import ChooseDeckCard, ShowFingers
from events.titles.colonies.data import COLOURS, TECHNOLOGIES, Some
from events.titles.colonies.derived import format_proposal
from events.titles.colonies.options import Options
from events.titles.colonies.primitives import Colour
from events.titles.colonies.sealing import Covered, Secrets, clear_answers
from events.titles.colonies.state import State, new_promises, no_pirates, no_resources
from events.titles.colonies.words import Data, says


class GameBegan(Fact, frozen=True):
    """The table and its options."""

    player_count: int
    options: Options
    tell = says("A game of Colonies for {player_count} players is created.")


def _lots(planets: Sequence[Colour]) -> Iterator[tuple[Sequence[Colour], Colour]]:
    """Yield for each lot the planets it was drawn from, and the drawn one; the last player takes the rest."""
    left = [colour for colour in COLOURS if colour in planets]
    for planet in planets[:-1]:
        yield tuple(left), planet
        left = [colour for colour in left if colour != planet]


def _lot(shown: tuple[Sequence[Colour], Colour], of: Sequence[int], got: Sequence[int]) -> bool:
    left, planet = shown
    return list(of) == [len(left)] and left[got[0]] == planet


class PlanetsDrawn(Fact, frozen=True):
    """The lots (CLN-009, CLN-154)."""

    # Neutral planets stand in ring order, not in the order drawn.
    drawn: ClassVar[Mapping[str, Drawing]] = {
        "neutral_planets": bind_each(accept_any_draw),
        "planets": bind_each(_lot, _lots),
    }
    planets: tuple[Colour, ...]
    """By seat."""
    neutral_planets: tuple[Colour, ...]
    player_order: tuple[Seat, ...]
    """Seats in clockwise order of their planets."""

    def fold(self, state: State) -> State:
        """The planets are taken, the board lies empty."""
        return replace(
            state,
            phase="setup_fingers",
            planets=self.planets,
            promise=new_promises(self.planets),
            pirates=no_pirates(self.planets),
        )

    @staticmethod
    def tell(data: Data, _who: Who) -> str:
        """Tell who gets which planet, and which are neutral."""
        taken = format_list(f"seat {seat} gets {words.planet(c)}" for seat, c in enumerate(data["planets"]))
        neutral = [words.planet(c) for c in data["neutral_planets"]]
        rest = f" {format_list(neutral)} {'is' if len(neutral) == 1 else 'are'} neutral." if neutral else ""
        return f"Planets are drawn by lot: {taken}.{rest}"


class FingersCommitted(Covered, frozen=True):
    """A player shows fingers, covered (CLN-010)."""

    answer = ShowFingers
    secrets: ClassVar[Secrets] = {"count": ("seat",)}
    count: int
    tell = says("{seat:who} shows {count:fingers|fingers, covered}.")


class FingersRevealed(Fact, frozen=True):
    """All fingers of a round, by seat."""

    discloses = True
    round: int
    counts: tuple[int, ...]

    def fold(self, state: State) -> State:
        """The hands are open."""
        return replace(state, sealed=clear_answers(state))

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        """Tell who showed how many."""
        shown = format_list(f"{who(seat)} {count}" for seat, count in enumerate(data["counts"]))
        return f"Round {data['round']} of fingers: {shown}."


class FingerRoundRepeated(Fact, frozen=True):
    """No number was shown by exactly one player; *round* begins (CLN-012)."""

    round: int
    tell = says("No number was shown only once; round {round} of fingers begins.")

    def fold(self, state: State) -> State:
        return replace(state, finger_round=self.round)


class FirstPlayerDetermined(Fact, frozen=True):
    """The first player of the game, and the method of choice (CLN-011, CLN-013)."""

    drawn: ClassVar[Mapping[str, Drawing]] = {"seat": bind_if("method", "random", index)}
    seat: Seat
    method: Literal["fingers", "random"]
    tell = says("{seat:who} becomes the first player, {method:method}.")

    def fold(self, state: State) -> State:
        """The first-player card is given out."""
        return replace(state, first_player=self.seat, phase="setup_deck_choice")


class BoardPrepared(Fact, frozen=True):
    """The start of everything: the same number of Credits for everybody is known to all (CLN-020)."""

    marker: int
    """The value of every trade marker."""
    market: int
    """The resources on every market."""
    level: int
    """The level of every technology of every player."""
    stocks: tuple[Some, ...]
    credits: int

    @staticmethod
    def tell(data: Data, _who: Who) -> str:
        """Tell what everybody starts with."""
        gifts = {words.resources(stock) for stock in data["stocks"]}
        each = max(n for stock in data["stocks"] for n in stock.values())
        what = gifts.pop() if len(gifts) == 1 else f"{each} resources of each other colour"
        levels = f"all technologies at level {data['level']}"
        return f"The board is prepared; everybody starts with {data['credits']} €, {what} and {levels}."

    def fold(self, state: State) -> State:
        """Everything lies at its start."""
        return replace(
            state,
            promise={x: dict.fromkeys(row, self.marker) for x, row in state.promise.items()},
            markets=dict.fromkeys(COLOURS, self.market),
            levels=(dict.fromkeys(TECHNOLOGIES, self.level),) * state.seats,
            stocks=tuple(add_counts(no_resources(), stock) for stock in self.stocks),
            credits=(self.credits,) * state.seats,
        )


class EventCardsDealt(Fact, frozen=True):
    """The cards of one hand, in the order dealt (CLN-022)."""

    secrets: ClassVar[Secrets] = {"cards": ("seat",)}
    seat: Seat
    cards: tuple[str, ...]
    hand_size: int
    undealt_count: int

    def fold(self, state: State) -> State:
        """A hand of cards."""
        hands, undealt = put(state.hands, self.seat, self.cards), remove_each(state.undealt, self.cards)
        return replace(state, hands=hands, undealt=undealt)

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        """Tell how many cards are dealt; to their holder also which."""
        cards = f": {format_list(words.card(c) for c in data['cards'])}" if "cards" in data else ""
        return f"{who(data['seat'])} is dealt {format_count(data['hand_size'], 'event card')}{cards}."


class DeckCardCommitted(Covered, frozen=True):
    """A player puts a card into the event deck; which one stays their secret (CLN-023)."""

    answer = ChooseDeckCard
    secrets: ClassVar[Secrets] = {"card": ("seat",)}
    card: str
    tell = says("{seat:who} puts {card:card|a covered card} into the event deck.")


class EventDeckBuilt(Fact, frozen=True):
    """The cards put in, completed at random (CLN-024, CLN-069)."""

    secrets: ClassVar[Secrets] = {"fillers": NOBODY}
    turn: int
    """0 at set-up."""
    size: int
    filler_count: int
    fillers: tuple[str, ...]

    def fold(self, state: State) -> State:
        """The cards put in and the fillers are the deck, in no order."""
        hands, given = list(state.hands), list(state.deck_cards)
        chosen = {s: a.card_id for s, a in enumerate(state.sealed) if isinstance(a, ChooseDeckCard)}
        for seat, card in chosen.items():
            hands[seat] = remove_each(hands[seat], (card,))
            given[seat] = (*given[seat], card)
        return replace(
            state,
            hands=tuple(hands),
            deck_cards=tuple(given),
            deck=tuple(sorted((*state.deck, *chosen.values(), *self.fillers))),
            undealt=remove_each(state.undealt, self.fillers),
            sealed=clear_answers(state),
        )

    @staticmethod
    def tell(data: Data, _who: Who) -> str:
        """Tell how many cards there are, and how many of them nobody has chosen."""
        count = data["filler_count"]
        fillers = f", {count} of them added at random" if count else ""
        return f"The event deck is built of {format_count(data['size'], 'card')}{fillers}."


class EventCardRevealed(Fact, frozen=True):
    """The next event card (CLN-025, CLN-029)."""

    discloses = True
    card: str
    for_turn: int
    deck_size_left: int

    def fold(self, state: State) -> State:
        """The card becomes the current one."""
        return replace(state, current_card=self.card, deck=remove_each(state.deck, (self.card,)))

    @staticmethod
    def tell(data: Data, _who: Who) -> str:
        """Tell which card it is, and between what the vote will be."""
        card = f"{words.card(data['card'])} becomes the event card of turn {data['for_turn']}."
        return f"{card}{data.get('proposals', '')}"

    @staticmethod
    def beside(data: Data, state: State) -> Data:
        """The two proposals of the card."""
        if state.current_card != data["card"]:
            return {}
        official, alternative = (
            format_proposal(state, names) for names in (("official",), ("all", "fewest"))
        )
        return {"proposals": f" Official proposal: {official}. Alternative: {alternative}."}
