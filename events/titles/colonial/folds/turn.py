"""Folds of set-up, programming, rounds and phases."""

from __future__ import annotations

from msgspec.structs import replace

from events.kit.values import put, without
from events.steps import Fold
from events.titles.colonial import facts as f
from events.titles.colonial.data import TERRITORY
from events.titles.colonial.folds.common import change_player, gain, resize_loan, same
from events.titles.colonial.state import (
    State,
)


def _started(state: State, fact: f.GameBegan) -> State:
    return state if fact.variant == "basic" else replace(state, phase="nation_choice")


def _first_player(state: State, fact: f.FirstPlayerDrawn) -> State:
    return replace(state, first_player=fact.seat)


def _nation_chosen(state: State, fact: f.NationChosen) -> State:
    return change_player(state, fact.seat, nation=fact.nation, **fact.start)


def _card_taken(state: State, fact: f.ExtraCardTaken) -> State:
    return change_player(state, fact.seat, cards=(*state.players[fact.seat].cards, fact.card))


def _card_removed(state: State, fact: f.ExtraCardRemoved) -> State:
    """The copy taken last goes, so that the hand keeps its order."""
    backwards = without(state.players[fact.seat].cards[::-1], [fact.card])
    return change_player(state, fact.seat, cards=backwards[::-1])


def _excluded(state: State, fact: f.TerritoriesExcluded) -> State:
    numbers = {TERRITORY[name] for name in fact.territories}
    return replace(
        state,
        excluded=tuple(number in numbers for number in range(len(TERRITORY))),
        america_discovered=fact.america_discovered,
    )


def _board(state: State, fact: f.BoardPrepared) -> State:
    prestige = tuple(fact.prestige.get(name, 0) for name in TERRITORY)
    return replace(state, prestige=prestige, discovery_box=fact.discovery_box)


def _turn_began(state: State, fact: f.TurnBegan) -> State:
    players = tuple(replace(player, used_characters=()) for player in state.players)
    return replace(
        state,
        phase="programming",
        turn=fact.turn,
        round=0,
        active=None,
        played=None,
        players=players,
        programmes=((),) * state.seats,
    )


def _programmed(state: State, fact: f.CardsProgrammed) -> State:
    return replace(state, programmes=put(state.programmes, fact.seat, fact.row))


def _closed(state: State, fact: f.ProgrammingClosed) -> State:
    return replace(state, phase="endeavour")


def _revealed(state: State, fact: f.CardsRevealed) -> State:
    return replace(state, round=fact.round, active=None)


def _round_opened(state: State, fact: f.RoundBegan) -> State:
    return replace(state, active=fact.seat, played=None)


def _round_ended(state: State, fact: f.RoundEnded) -> State:
    return replace(state, active=None, played=None)


def _phase_opened(state: State, fact: f.PhaseBegan) -> State:
    return replace(state, phase=fact.phase, active=fact.seat)


def _fleets_bought(state: State, fact: f.MerchantFleetsBought) -> State:
    return replace(gain(state, fact.seat, treasury=-fact.amount, fleets=fact.amount), active=None)


def _squadrons_bought(state: State, fact: f.SquadronsBought) -> State:
    return replace(gain(state, fact.seat, treasury=-fact.amount, squadrons=fact.amount), active=None)


def _token_moved(state: State, fact: f.FirstPlayerMoved) -> State:
    return replace(state, first_player=fact.to)


def _interest(state: State, fact: f.InterestAdded) -> State:
    for grown in fact.loans:
        state = resize_loan(state, grown.seat, grown.loan_id, grown.size)
    return state


def _flamboyance_paid(state: State, fact: f.FlamboyancePaid) -> State:
    return gain(state, fact.seat, treasury=-fact.amount)


def _flamboyance_lost(state: State, fact: f.FlamboyancePrestigeLost) -> State:
    return gain(state, fact.seat, prestige=-fact.amount)


def _turn_ended(state: State, fact: f.TurnEnded) -> State:
    players = tuple(
        replace(player, last_row=row) for player, row in zip(state.players, state.programmes, strict=True)
    )
    return replace(state, players=players, active=None)


def _limit_reached(state: State, fact: f.TurnLimitReached) -> State:
    return replace(state, status="finished", active=None)


def _won(state: State, fact: f.GameWon) -> State:
    return replace(state, status="finished", winner=fact.seat, action=None, war=None)


def _six(state: State, fact: f.SixPrestigeReached) -> State:
    return change_player(state, fact.seat, reached_six=True)


FOLD: Fold = {
    f.GameBegan: _started,
    f.FirstPlayerDrawn: _first_player,
    f.NationChosen: _nation_chosen,
    f.ExtraCardTaken: _card_taken,
    f.ExtraCardRemoved: _card_removed,
    f.TerritoriesExcluded: _excluded,
    f.BoardPrepared: _board,
    f.TurnBegan: _turn_began,
    f.CardsProgrammed: _programmed,
    f.ProgrammingClosed: _closed,
    f.CardsRevealed: _revealed,
    f.RoundBegan: _round_opened,
    f.RoundEnded: _round_ended,
    f.RoundForfeited: same,
    f.InterestAdded: _interest,
    f.PhaseBegan: _phase_opened,
    f.PhaseSkipped: same,
    f.MerchantFleetsBought: _fleets_bought,
    f.SquadronsBought: _squadrons_bought,
    f.FirstPlayerMoved: _token_moved,
    f.FlamboyancePaid: _flamboyance_paid,
    f.FlamboyancePrestigeLost: _flamboyance_lost,
    f.SixPrestigeReached: _six,
    f.TurnEnded: _turn_ended,
    f.TurnLimitReached: _limit_reached,
    f.GameWon: _won,
}
