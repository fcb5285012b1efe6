"""Phase 1: in each of five rounds everybody plays a card (REV-022), for one of its Characters."""

from __future__ import annotations

from events.rules.chance import Chance
from events.rules.steps import Command, Step
from events.titles.colonial_revised import commands as c
from events.titles.colonial_revised.data import CARDS, MANDATORY, TERRITORIES
from events.titles.colonial_revised.offers import draw_percent, pick
from events.titles.colonial_revised.state import State, list_available, list_playing
from events.titles.colonial_revised.steps.ambassador import AMBASSADOR
from events.titles.colonial_revised.steps.conqueror import CONQUEROR
from events.titles.colonial_revised.steps.endeavour.financier import FINANCIER
from events.titles.colonial_revised.steps.explorer import EXPLORER
from events.titles.colonial_revised.steps.governor import GOVERNOR
from events.titles.colonial_revised.steps.merchant import MERCHANT
from events.titles.colonial_revised.steps.missionary import MISSIONARY
from events.titles.colonial_revised.steps.passing import PASS_CARD, may_pass
from events.titles.colonial_revised.steps.rebel import (
    PLACE_UNREST,
    REBEL,
    SPARK_REBELLION,
    sparks,
    unrest_targets,
)
from events.titles.colonial_revised.steps.scientist import SCIENTIST
from events.titles.colonial_revised.steps.sovereign import (
    SOVEREIGN,
    can_fight_privateers,
    war_targets,
)
from events.titles.colonial_revised.steps.trader import TRADER
from events.titles.colonial_revised.steps.viceroy import RECALL_COUNTERS, SEND_COUNTERS, VICEROY

CHARACTERS = (
    EXPLORER,
    CONQUEROR,
    VICEROY,
    AMBASSADOR,
    REBEL,
    SOVEREIGN,
    MERCHANT,
    GOVERNOR,
    TRADER,
    FINANCIER,
    SCIENTIST,
    MISSIONARY,
)
"""In the order of the cards."""
SAMPLES = {character.name: character.sample for character in CHARACTERS}
ATTEMPTS = 6
"""The number of times that a random player looks for a use of their cards."""


def _pass_or_cheapest(state: State, seat: int) -> Command:
    """For an absent player: pass, if possible not the Sovereign/Rebel; else that card's cheapest use."""
    for card in list_available(state, seat):
        if card != MANDATORY:
            return c.PassCard(card_id=card)  # type: ignore[arg-type]
    if may_pass(state, seat, MANDATORY):
        return c.PassCard(card_id=MANDATORY)  # type: ignore[arg-type]
    targets = unrest_targets(state)
    if targets:
        return c.PlaceUnrest(territories=tuple(TERRITORIES[t].id for t in targets[:2]))
    return _fight(state, seat)


def _fight(state: State, seat: int) -> Command:
    """War on the target with the fewest Squadrons, else the Privateers, else a Rebellion."""
    foes = war_targets(state, seat)
    if foes:
        weakest = min(foes, key=lambda foe: (state.players[foe].squadrons, state.order.index(foe)))
        return c.DeclareWar(target=weakest)
    if can_fight_privateers(state, seat):
        return c.FightPrivateers()
    return c.SparkRebellion(territory=TERRITORIES[sparks(state, seat)[0]].id)


def _sample_use(state: State, seat: int, chance: Chance) -> Command:
    cards = list_available(state, seat)
    for _ in range(ATTEMPTS):
        card = pick(chance, cards)
        if draw_percent(chance, 3) and may_pass(state, seat, card):
            return c.PassCard(card_id=card)  # type: ignore[arg-type]
        command = SAMPLES[pick(chance, CARDS[card].characters)](state, seat, chance)
        if command is not None:
            return command
    return _pass_or_cheapest(state, seat)


LISTED = (
    *EXPLORER.moves,
    *CONQUEROR.moves,
    *GOVERNOR.moves,
    *MERCHANT.moves,
    *TRADER.moves,
    *SCIENTIST.moves,
    *MISSIONARY.moves,
    *FINANCIER.moves,
    *AMBASSADOR.moves,
    *SOVEREIGN.moves,
    SPARK_REBELLION,
    SEND_COUNTERS,
    PLACE_UNREST,
    RECALL_COUNTERS,
    PASS_CARD,
)
"""The uses of cards as they are listed, most natural first."""


PLAY_CARD = Step(
    kind="play_card",
    asked=list_playing,
    default=_pass_or_cheapest,
    sample=_sample_use,
    moves=(*(move for character in CHARACTERS for move in character.moves), PASS_CARD),
    listing=lambda _state, _seat: LISTED,
)
