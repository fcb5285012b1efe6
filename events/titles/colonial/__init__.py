"""Colonial: Europe's Empires Overseas, 2nd edition: basic game, Nations Variant and 2-3 player game."""

from __future__ import annotations

from events.fact import facts_in
from events.title import Title
from events.titles.colonial import facts
from events.titles.colonial.data import CARDS, DATA_HASH
from events.titles.colonial.decide import STEPS, decide
from events.titles.colonial.decisions import decisions, default
from events.titles.colonial.derived import seat_name
from events.titles.colonial.display import BOARD, build_panels
from events.titles.colonial.imagine import imagine
from events.titles.colonial.label import label
from events.titles.colonial.legal import complete, legal
from events.titles.colonial.odds import odds
from events.titles.colonial.opening import blank, open_game
from events.titles.colonial.options import Options, check_options
from events.titles.colonial.outcome import outcome
from events.titles.colonial.position import from_position, position
from events.titles.colonial.sample import sample
from events.titles.colonial.state import State
from events.titles.colonial.view import view


def in_setup(state: State) -> bool:
    """While Nations are chosen."""
    return state.phase == "nation_choice"


def conserved(state: State) -> dict[str, int]:
    """Nobody ever loses or doubles his own six cards; extra copies come and go."""
    return {"card_types": sum(len(set(player.cards) & set(CARDS)) for player in state.players)}


TITLE: Title[State] = Title(
    id="colonial",
    name="Colonial, 2nd edition",
    version=1,
    seats=range(2, 7),
    Options=Options,
    State=State,
    commands=tuple(STEPS),
    facts=facts_in(facts.turn, facts.plays, facts.land, facts.conflict),
    data_hash=DATA_HASH,
    check_options=check_options,
    blank=blank,
    open=open_game,
    decide=decide,
    decisions=decisions,
    default=default,
    legal=legal,
    complete=complete,
    sample=sample,
    label=label,
    view=view,
    imagine=imagine,
    seat_name=seat_name,
    outcome=outcome,
    in_setup=in_setup,
    position=position,
    from_position=from_position,
    conserved=conserved,
    board=BOARD,
    panels=build_panels,
    odds=odds,
    codes={
        "wrong_phase": "not_your_decision",
        "not_active_player": "not_your_decision",
        "invalid_amount": "invalid_parameters",
    },
)
