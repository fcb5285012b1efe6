"""The data files against the rulebook's tables."""

import msgspec
import pytest

from events.titles.colonies.data import (
    BOARD,
    CARD_SETS,
    CLOCKWISE,
    COUNTER_CLOCKWISE,
    TECHNOLOGY,
    CardSet,
    price,
)

CARDS = CARD_SETS["supplied-25"]


def test_ring():
    """CLN-133, CLN-150: payments go clockwise, pirates come counter-clockwise."""
    assert CLOCKWISE["blue"] == ("green", "yellow", "purple", "red")
    assert COUNTER_CLOCKWISE["yellow"] == ("green", "blue", "red", "purple")


def test_levels():
    """CLN-165, CLN-120: points 0/2/5/9/14/26, and n of everything to reach level n."""
    assert [level.points for level in BOARD.levels] == [0, 2, 5, 9, 14, 26]
    assert [level.cost for level in BOARD.levels][1:] == [2, 3, 4, 5, 6]


def test_shelves():
    """CLN-103: one space at 3, three at 2, the rest at 1."""
    assert [price(i) for i in (1, 2, 3, 4, 5, 6, 500)] == [3, 2, 2, 2, 1, 1, 1]


def test_costs():
    """CLN-121: each technology costs the resources of its two neighbours."""
    assert {t: set(d.cost) for t, d in TECHNOLOGY.items()} == {
        "community": {"green", "yellow"},
        "military": {"yellow", "purple"},
        "commerce": {"purple", "red"},
        "influence": {"red", "blue"},
        "industry": {"blue", "green"},
    }


def test_cards():
    """CLN-022: 25 different cards, 13 with no colonists and 12 with five, no two alike."""
    assert len(CARDS) == 25
    assert sorted(c.colonists for c in CARDS.values()) == [0] * 13 + [5] * 12
    assert len({msgspec.json.encode((c.official, c.all, c.fewest)) for c in CARDS.values()}) == 25
    assert CARDS["ev19"].all[0].n.own_pirates == 1
    assert CARDS["ev20"].official[0].direction == 1


def _set(**changed):
    cards = [msgspec.to_builtins(card) for card in CARDS.values()]
    cards[0] = cards[0] | changed
    return {"cards": cards}


@pytest.mark.parametrize(
    "changed",
    [
        {"id": "ev02"},
        {"colonists": 3},
        {"official": []},
        {"all": [{"op": "win_the_game"}]},
        {"fewest": [{"op": "pay_credits", "n": 3, "kind": "red"}]},
        {"fewest": [{"op": "pay_credits", "n": {"pirates": 1}}]},
        {"fewest": [{"op": "gain_resource", "n": 3, "kind": "grey"}]},
        {"note": "surplus"},
    ],
)
def test_card_sets_are_checked(changed):
    """CLN-072: a set is accepted only with 25 ids, 0 or 5 colonists, and the vocabulary's own words."""
    msgspec.convert(_set(), CardSet)
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(_set(**changed), CardSet)


def test_card_set_size():
    """A set has exactly 25 cards."""
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"cards": _set()["cards"][:24]}, CardSet)
