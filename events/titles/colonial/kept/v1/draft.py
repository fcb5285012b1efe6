"""The facts of one command, with the tests that follow every change of Prestige or Loans."""

from __future__ import annotations

from events.rules import steps
from events.rules.fact import Fact
from events.titles.colonial.kept.v1.kit.values import list_clockwise
from events.titles.colonial.kept.v1 import facts as f
from events.titles.colonial.kept.v1.data import RULES
from events.titles.colonial.kept.v1.derived import loans_of, nation
from events.titles.colonial.kept.v1.parts import Dice
from events.titles.colonial.kept.v1.state import Player, State

WATCHED: frozenset[type[Fact]] = frozenset(
    {
        f.TerritoryExplored,
        f.AmericaDiscovered,
        f.WorldCircumnavigated,
        f.ColonyFounded,
        f.ColonyLost,
        f.PrestigeGained,
        f.PrestigeTaken,
        f.FlamboyancePrestigeLost,
        f.LoanTaken,
        f.LoanRepaid,
        f.InterestAdded,
    }
)
"""The facts after which victory is tested (COL-00-02)."""


class Draft(steps.Draft[State]):
    """The working state of one command and its chance."""

    __slots__ = ()

    def emit(self, fact: Fact) -> None:
        """Append *fact*; ends the game when it makes somebody win (COL-00-02)."""
        super().emit(fact)
        if type(fact) in WATCHED:
            self._six_prestige()
            self._victory()

    def player(self, seat: int) -> Player:
        """Return the seat's present state."""
        return self.state.players[seat]

    def roll(self, dice: int) -> Dice:
        """Success dice, thrown in the open (COL-01-06)."""
        return tuple(bool(face) for face in self.chance.roll(dice, RULES.success_die))

    def _six_prestige(self) -> None:
        """End for good the rules marked ** of every seat with 6 Prestige (COL-25-09)."""
        for seat, player in enumerate(self.state.players):
            card = nation(player)
            if card is None or player.reached_six or player.prestige < RULES.six_prestige:
                continue
            ended = [*["tordesillas"] * card.tordesillas, *["extra_card"] * card.extra_card_ends]
            if ended:
                super().emit(f.SixPrestigeReached(seat, tuple(ended)))

    def _victory(self) -> None:
        """End the game if a seat has 10 Prestige and no Loan, active player first (COL-00-01, COL-00-03)."""
        state = self.state
        start = state.first_player if state.active is None else state.active
        for seat in list_clockwise(state.seats, start):
            player = state.players[seat]
            if player.prestige >= RULES.win_prestige and not loans_of(player):
                super().emit(f.GameWon(seat, player.prestige))
                raise steps.GameOver
