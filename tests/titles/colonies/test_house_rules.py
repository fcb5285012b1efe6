"""House rules: what a table may choose, and games of before it could be chosen."""

from __future__ import annotations

import msgspec

from events.proof import canonical
from events.titles.colonies.options import Options
from service.openapi.json_schemas import make_title_schemas
from tests.titles.colonies.at_table import TITLE, acting, opened, table
from tests.titles.table import Table, play


def test_what_is_not_chosen_leaves_no_trace():
    """A game whose options were recorded before there were more reads and writes the same (CLN-159)."""
    recorded = msgspec.to_builtins(Options())
    assert "pirates_on_neutral_routes" not in recorded
    began = opened().facts[0]
    assert canonical.encode(msgspec.to_builtins(began)["options"]) == canonical.encode(
        {**recorded, "first_player_method": "random"}
    )


def test_every_option_is_described():
    """The title tells clause and effect of each option, and the default of one that is left out (CLN-159)."""
    shown = make_title_schemas(TITLE)["options"]["properties"]
    assert list(TITLE.option_notes) == list(shown)
    assert all(shown[name]["clause"].startswith("CLN-") for name in shown)
    assert shown["pirates_on_neutral_routes"]["default"] is True


def test_neutral_routes_stay_free():
    """With `pirates_on_neutral_routes` off no pirate comes to a route from a neutral planet (CLN-159)."""
    game = play(Table("colonies", 3, (("pirates_on_neutral_routes", False),)), seed=2, keep=True)
    planets = set(game.state.planets)
    for moment in game.moments:
        for planet, routes in moment.state.pirates.items():
            assert planet in planets
            assert not any(count for source, count in routes.items() if source not in planets)
    assert any(any(routes.values()) for m in game.moments for routes in m.state.pirates.values())


def test_long_lists_hide_no_route():
    """A list of refuges that is cut still names every route with pirates (CLN-093)."""
    colours = ("blue", "green", "yellow", "purple", "red")
    pirates = {owner: {source: 3 for source in colours if source != owner} for owner in colours}
    state = acting(pirates=pirates, levels={0: {"community": 3}})
    refuges = [c for c in TITLE.legal(state, 0) if type(c).__name__ == "ProvideRefuge"]
    assert not TITLE.complete(state, 0)
    assert {(r.route.owner, r.route.source) for c in refuges for r in c.removals} == {
        (owner, source) for owner, routes in pirates.items() for source in routes
    }
    assert len({(frozenset(c.removals), c.to_stock) for c in refuges}) == len(refuges)


def test_long_plans_of_substitutes_hide_nobody():
    """Where plans are too many to list, each partner can still be given all (CLN-136)."""
    stock = {"blue": 0, "green": 4, "yellow": 4, "purple": 4, "red": 4}
    promises = {colour: 3 for colour in stock if colour != "blue"}
    state = table(phase="upkeep_fulfil", stocks={0: stock}, promise={"blue": promises})
    assert not TITLE.complete(state, 0)
    given = {
        (partner, tuple(sorted(lot.items())))
        for command in TITLE.legal(state, 0)
        for partner, lot in command.substitutes.items()
    }
    assert len([lot for partner, lot in given if partner == "green"]) == 10
    for partner in ("yellow", "purple", "red"):
        assert len([lot for to, lot in given if to == partner]) > 3
    for command in TITLE.legal(state, 0):
        assert TITLE.decide(state, 0, command, None).facts
