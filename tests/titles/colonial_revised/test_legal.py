"""Lists of commands: all of them where they are few, and a fair selection where they are many."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product

from events.rules.fast_chance import FastChance
from events.rules.steps import Rejected
from events.titles.colonial_revised import TITLE
from events.titles.colonial_revised import commands as c
from events.titles.colonial_revised.data import SPACES
from events.titles.colonial_revised.parts import SeatCount
from tests.titles.colonial_revised.given import after, fresh, land


def of(state, kind, seat: int = 0):
    """The commands of that type in the legal list of a seat."""
    return [command for command in TITLE.legal(state, seat) if isinstance(command, kind)]


def accepted(state, command, seat: int = 0) -> bool:
    """Whether the rules take the command."""
    try:
        TITLE.decide(state, seat, command, FastChance(1))
    except Rejected:
        return False
    return True


def ports(spaces: dict[str, int]):
    """Territories in which those spaces are controlled by those seats."""
    found: dict[str, dict] = {}
    for name, owner in spaces.items():
        place, resource = name.split(".")
        found.setdefault(place, land())["piles"][resource] = [[owner, 1]]
    return found


def test_every_shipment_is_listed():
    """REV-205: each set of own spaces with each set of others', once; nothing else is accepted."""
    held = {SPACES[0].id: 0, SPACES[2].id: 0, SPACES[4].id: 1, SPACES[6].id: 2}
    state = fresh(territories=ports(held))
    mine, theirs = ([n for n in held if (held[n] == 0) == own] for own in (True, False))
    every = product(
        (own for size in range(3) for own in combinations(mine, size)),
        (asked for size in range(3) for asked in combinations(theirs, size)),
    )
    given = {c.ShipGoods(own, asked) for own, asked in every if own or asked}
    assert all(accepted(state, command) for command in given)
    listed = of(state, c.ShipGoods)
    assert set(listed) == given
    assert len(listed) == len(given)
    assert TITLE.complete(state, 0)


def test_full_fleets_ask_nobody():
    """REV-208: with as many own Goods as Fleets no request follows, so it is listed once."""
    held = {SPACES[0].id: 0, SPACES[2].id: 0, SPACES[4].id: 1}
    state = fresh(players={0: {"merchant_fleets": 2}}, territories=ports(held))
    assert [command.requests for command in of(state, c.ShipGoods) if len(command.own_spaces) == 2] == [()]


def test_the_reply_to_privateers_is_a_choice():
    """REV-224: asked after the attack, only of a Merchant with Squadrons to reply."""
    threat = {1: {"privateers": [1, 0, 0]}}
    for squadrons, asked in ((2, "reply_to_privateers"), (0, "play_card")):
        players = {0: {"squadrons": squadrons}, **threat}
        state = fresh(players=players, territories=ports({SPACES[0].id: 0}))
        state = after(state, 0, c.ShipGoods((SPACES[0].id,)))
        state = after(state, 1, c.AttackMerchant(1), [0])
        assert TITLE.awaited(state)[0].kind == asked


def test_a_cut_list_of_shipments_hides_no_space():
    """REV-205: half the map is held by each of two players; every Good is still asked for alone."""
    held = {space.id: space.number % 2 for space in SPACES}
    state = fresh(players={0: {"merchant_fleets": 9}}, territories=ports(held))
    listed = of(state, c.ShipGoods)
    assert not TITLE.complete(state, 0)
    alone = Counter(command.requests for command in listed if len(command.requests) == 1)
    assert {name for (name,) in alone} == {name for name in held if held[name]}
    assert max(alone.values()) - min(alone.values()) <= 1
    own = Counter(name for command in listed for name in command.own_spaces)
    assert set(own) == {name for name in held if not held[name]}


def test_every_trade_is_listed():
    """REV-235 to REV-238: each number of own Goods with each number of each other player's."""
    goods = {0: {"market_goods": 3}, 1: {"market_goods": 2}, 2: {"market_goods": 1}}
    state = fresh(players=goods)
    counts = product(range(3), range(3), range(2))  # Economy 2 moves two
    given = {
        c.SellGoods(own, tuple(SeatCount(seat, n) for seat, n in ((1, one), (2, two)) if n))
        for own, one, two in counts
        if (own or one or two) and (own < 2 or not (one or two))
    }
    listed = of(state, c.SellGoods)
    assert set(listed) == given
    assert len(listed) == len(given)
    assert TITLE.complete(state, 0)


def test_every_choice_among_granted_goods_is_listed():
    """REV-237: of each owner up to what they granted, together up to the limit; as many as possible first."""
    goods = {1: {"market_goods": 2}, 2: {"market_goods": 2}}
    state = fresh(players=goods)
    state = after(state, 0, c.SellGoods(0, (SeatCount(1, 2), SeatCount(2, 2))))
    for seat in (1, 2):
        state = after(state, seat, c.AnswerTradeRequest(2))
    listed = [tuple((e.seat, e.count) for e in given.goods) for given in of(state, c.ConfirmTrade)]
    assert listed == [((1, 2),), ((1, 1), (2, 1)), ((1, 1),), ((2, 2),), ((2, 1),), ()]
    assert TITLE.complete(state, 0)


def test_rich_markets_are_cut_evenly():
    """REV-235: with five players' many Goods every group of owners is asked, and the list says it is cut."""
    goods = {seat: {"market_goods": 12} for seat in range(5)}
    state = fresh(5, players={**goods, 0: {"market_goods": 12, "economy": 10}})
    listed = of(state, c.SellGoods)
    assert not TITLE.complete(state, 0)
    groups = Counter(tuple(entry.seat for entry in command.requests) for command in listed)
    assert len(groups) == 2**4
