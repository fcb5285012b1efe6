"""Random picks of players: for samplers of commands, and for imagined sealed answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from events.rules.chance import Chance
from events.titles.colonial_empires.commands import Terms
from events.titles.colonial_empires.state import Cards


def one_in(chance: Chance, number: int) -> bool:
    """True once in *number* times."""
    return chance.pick(range(number), hidden=True) == 0


def random_cards(hand: Cards, number: int, chance: Chance) -> Cards:
    """Return *number* cards of a hand, at random."""
    left = list(hand)
    return tuple(left.pop(chance.pick(range(len(left)), hidden=True)) for _ in range(number))


def choose_from(hand: Cards, number: int) -> Iterator[Cards]:
    """Yield each choice of *number* cards of a hand once, equal cards counting as one."""
    held = Counter(hand)

    def extend(kinds: Cards, left: int) -> Iterator[Cards]:
        if not left:
            yield ()
        elif kinds:
            card, rest = kinds[0], kinds[1:]
            for count in range(min(left, held[card]), -1, -1):
                for more in extend(rest, left - count):
                    yield (card,) * count + more

    return extend(tuple(held), number)


def random_side(purse: int, hand: Cards, in_play: Cards, chance: Chance) -> Terms | None:
    """Return one card, or some Fortunes; None if there is nothing."""
    stocks = (("fortunes", purse), ("hand", hand), ("in_play", in_play))
    kinds = [kind for kind, stock in stocks if stock]
    if not kinds:
        return None
    kind = chance.pick(kinds, hidden=True)
    if kind == "fortunes":
        return Terms(fortunes=1 + chance.pick(range(min(purse, 12)), hidden=True))
    if kind == "hand":
        return Terms(hand_cards=(chance.pick(hand, hidden=True),))
    return Terms(in_play_cards=(chance.pick(in_play, hidden=True),))
