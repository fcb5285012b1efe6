"""The history accounts for all Fortunes, for the cards in play, and for the sizes of hands and deck."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from events.titles.colonial_empires.data import CARD_NAMES
from tests.titles.accounting import reads, unexplained
from tests.titles.table import Table, play


def accounts(view):
    """What a spectator sees: Treasuries, hands, the deck, the discard pile and who has which card in play."""
    found = {("fortunes", seat): amount for seat, amount in enumerate(view["treasury"])}
    found |= {("hand", seat): count for seat, count in enumerate(view["hand_count"])}
    found |= {("deck", "all"): view["deck_count"], ("pile", "all"): len(view["discard_pile"])}
    for seat, cards in enumerate(view["in_play"]):
        found |= {("owner", CARD_NAMES[card]): seat for card in cards}
    return found


NAME = "|".join(sorted(map(re.escape, CARD_NAMES.values()), key=len, reverse=True))


class Moves:
    """A reading of lists of cards that move: ``{cards}`` in the pattern is any text with names of cards."""

    def __init__(self, pattern: str, *, owner: str = "", hand: int = 0, pile: int = 0) -> None:
        named = pattern.replace("{cards}", "(?P<cards>.+?)")
        self.pattern = re.compile(re.sub(r"\{([ab])\}", r"Seat (?P<\1>\\d+)", named))
        self.owner, self.hand, self.pile = owner, hand, pile

    def read(self, sentence: str) -> Iterator[tuple[tuple[str, int | str], str, object]]:
        for found in self.pattern.finditer(sentence):
            cards = [
                name
                for number, name in re.findall(rf"(\d+ )?({NAME})", found["cards"])
                for _ in range(int(number or 1))
            ]
            seat = int(found["a"])
            if self.hand:
                yield ("hand", seat), "+", self.hand * len(cards)
            if self.pile:
                yield ("pile", "all"), "+", len(cards)
            if self.owner:
                for card in cards:
                    yield ("owner", card), "=", int(found[self.owner])


DRAWS = [reads(r"{a} (?:draws|begins with) {n} cards?", "a hand +n", "all deck -n")]
READINGS = {
    "FortunesGranted": [reads("{a} begins with {n} Fortune", "a fortunes +n")],
    "StartingHandDealt": DRAWS,
    "FateCardsDrawn": DRAWS,
    "CardsDrawn": DRAWS,
    "ExtraCardBought": [
        reads("{a} buys an extra card for {n} Fortune", "a fortunes -n", "a hand +1", "all deck -1")
    ],
    "RevenueCollected": [reads("{a} collects {n} Fortune", "a fortunes +n")],
    "CardsPutIntoPlay": [
        Moves("{a} puts {cards} into play", owner="a", hand=-1),
        reads("{a} puts .* into play for {n} Fortune", "a fortunes -n"),
    ],
    "EventCardPlayed": [reads("{a} plays", "a hand -1", "all pile +1")],
    "ColonialResourceDiscarded": [
        reads("{a} loses {card} to a rebellion; it is discarded", "card owner =", "all pile +1")
    ],
    "ColonialResourceStolen": [reads("{a} takes {card} from {b} by Colonial War", "card owner =a")],
    "FortunesStolen": [reads("{a} takes {n} Fortunes? from {b}", "a fortunes +n", "b fortunes -n")],
    "FortunesGained": [reads("{a} gains {n} Fortune", "a fortunes +n")],
    "FortunesLost": [reads("{a} loses {n} Fortune", "a fortunes -n")],
    "HandCardStolen": [reads("{a} takes a card from the hand of {b}", "a hand +1", "b hand -1")],
    "HandCardsDiscardedAtRandom": [Moves("{a} discards {cards} at random", hand=-1, pile=1)],
    "CardsDiscarded": [Moves("{a} discards {cards} for the", hand=-1, pile=1)],
    "TradeCompleted": [
        reads("{a} trades .*?{n} Fortunes?.* to {b} for", "a fortunes -n", "b fortunes +n"),
        reads("{a} trades .* to {b} for .*?{n} Fortune", "a fortunes +n", "b fortunes -n"),
        reads("{a} trades .*?{n} hand cards?.* to {b} for", "a hand -n", "b hand +n"),
        reads("{a} trades .* to {b} for .*?{n} hand card", "a hand +n", "b hand -n"),
        Moves("{a} trades {cards} to {b} for", owner="b"),
        Moves("{a} trades .* to Seat \\d+ for {cards}\\.$", owner="a"),
        reads("{a} gives .*?{n} Fortunes?.* to {b}, as a gift", "a fortunes -n", "b fortunes +n"),
        reads("{a} gives .*?{n} hand cards?.* to {b}, as a gift", "a hand -n", "b hand +n"),
        Moves("{a} gives {cards} to {b}, as a gift", owner="b"),
    ],
}


@pytest.mark.parametrize(
    "table", [Table("colonial_empires", seats) for seats in (2, 5, 9)], ids=lambda t: t.name
)
def test_history_accounts_for_everything(table):
    """Anyone who reads the sentences alone knows each Treasury, each owner, and how many cards lie where."""
    assert list(unexplained(play(table, seed=5, keep=True), READINGS, accounts)) == []
