"""Set-up (COL-03)."""

from __future__ import annotations

from events.titles.colonial import facts as f
from events.titles.colonial.checks import Draft
from events.titles.colonial.data import RULES, SPACES, TERRITORIES, WORLD
from events.titles.colonial.options import Options, variant_of
from events.titles.colonial.state import Land, Player, State
from events.titles.colonial.steps.nations import prepare_board


def blank(seats: int, options: Options) -> State:
    """The state before the first fact: pieces at hand, nothing on the map."""
    return State(
        options=options,
        variant=variant_of(seats, options),
        status="running",
        winner=None,
        phase="setup",
        turn=0,
        round=0,
        first_player=0,
        active=None,
        players=tuple(_player(seat) for seat in range(seats)),
        programmes=((),) * seats,
        lands=(Land(),) * len(TERRITORIES),
        piles=((),) * len(SPACES),
        booming_city=None,
        discovery_box=0,
        circumnavigation_box=0,
        america_discovered=False,
        discovered_this_round=False,
        next_loan=1,
        played=None,
        action=None,
        war=None,
    )


def _player(seat: int) -> Player:
    """Return a seat with its starting pieces (COL-03-03 to COL-03-05)."""
    start, tracks = RULES.start, RULES.tracks
    return Player(
        colour=RULES.colours[seat],
        nation=None,
        treasury=start.treasury,
        merchant_fleets=start.fleets,
        squadrons=start.squadrons,
        prestige=0,
        market=0,
        seafaring=tracks["seafaring"][0],
        navy=tracks["navy"][0],
        logistics=tracks["logistics"][0],
        economy=tracks["economy"][0],
        diplomacy=WORLD.diplomacy_start,
        cards=tuple(card.id for card in RULES.cards),
    )


def opening(draft: Draft, seats: int, options: Options) -> None:
    """Up to the first decision: Nations to choose, or the first programming."""
    draft.emit(f.GameBegan(seats, RULES.colours[:seats], draft.state.variant))
    first = draft.chance.pick(range(seats))
    draft.emit(f.FirstPlayerDrawn(first))
    draft.emit(f.TreasuryDiscarded(first, RULES.start.first_player_pays, "first_player"))
    if draft.state.variant == "basic":
        prepare_board(draft)
