"""Checks that many commands share; and the draft of each, which tests victory after its facts."""

from __future__ import annotations

from events.rules import steps
from events.rules.kit.overseas.words import character_name
from events.rules.kit.values import list_clockwise
from events.rules.steps import INVALID_PARAMETERS, NOT_YOUR_DECISION, Rejected
from events.titles.colonial import facts as f
from events.titles.colonial.data import (
    CARD_OF,
    RULES,
    SPACE,
    SPACES,
    TERRITORIES,
    TERRITORY,
    WORLD,
    space_name,
    territory_name,
)
from events.titles.colonial.derived import is_outside_treaty, is_resource_too_late, loans_of
from events.titles.colonial.parts import Dice
from events.titles.colonial.state import Player, State, find_revealed_card, nation, usable_again


def check_active(state: State, seat: int) -> None:
    """Check that it is the seat's turn in the Endeavour phase."""
    if state.phase != "endeavour":
        raise Rejected(
            NOT_YOUR_DECISION, f"This belongs to the Endeavour phase; the game is in {state.phase}."
        )
    if state.active != seat:
        raise Rejected(NOT_YOUR_DECISION, "Wait for your turn.")


def require_seat(state: State, seat: int) -> int:
    """Check that the seat exists."""
    if not 0 <= seat < state.seats:
        raise Rejected("unknown_player", f"Name a seat from 0 to {state.seats - 1}.")
    return seat


def territory_number(name: str) -> int:
    """The number of the Territory."""
    if name not in TERRITORY:
        raise Rejected("unknown_territory", "Name a Territory of the map.")
    return TERRITORY[name]


def space_number(name: str) -> int:
    """The number of the Resource space."""
    if name not in SPACE:
        raise Rejected("unknown_space", "Name a Resource space of the map, such as west_africa.gold.")
    return SPACE[name]


def may_play(state: State, seat: int, character: str) -> None:
    """Check that the Character may be played: the three codes common to all plays.

    See COL-04-08, COL-25-05, COL-25-10.
    """
    if find_revealed_card(state, seat) != CARD_OF[character]:
        raise Rejected(
            "card_not_revealed_this_round", "Use a Character of the card that you revealed this round."
        )
    if state.played is not None:
        raise Rejected(
            "character_already_chosen", "You have played this round; finish the play or end your round."
        )
    player = state.players[seat]
    card = nation(player)
    if card is not None and card.extra_card_ends and player.reached_six:
        _check_not_used(player, character)
    else:
        _check_repeatable(player, character)


def _check_repeatable(player: Player, character: str) -> None:
    """Check that a Character used before is the extra card's repeatable one (COL-25-05)."""
    if not usable_again(player, character):
        raise _refuse_second_use(character)


def _check_not_used(player: Player, character: str) -> None:
    """Check that no Character is used twice once the extra card has ended (COL-25-10)."""
    if not usable_again(player, character):
        raise _refuse_second_use(character)


def _refuse_second_use(character: str) -> Rejected:
    name = character_name(character)
    return Rejected("character_used_twice", f"You have used the {name} this turn; use the other Character.")


def check_not_excluded(state: State, number: int) -> None:
    """Check that the Territory is in this game (COL-25-42). Raises :class:`Rejected`."""
    if state.lands[number].excluded:
        name = TERRITORIES[number].name
        raise Rejected("territory_excluded", f"{name} is not in this game; choose another Territory.")


def is_explored(state: State, number: int) -> None:
    """Check that the Territory is Explored (COL-02-02). Raises :class:`Rejected`."""
    if state.lands[number].prestige:
        name = TERRITORIES[number].name
        raise Rejected(
            "territory_unexplored", f"{name} must be explored first; choose an Explored Territory."
        )


def can_pay(player: Player, amount: int) -> None:
    """Check that the player can spend that much."""
    have = player.treasury
    if have < amount:
        raise Rejected(
            "not_enough_treasury", f"This takes {amount} Treasury and you have {have}; choose less."
        )


def check_at_most(amount: int, limit: int) -> None:
    """An amount above a limit that has no code of its own."""
    if amount > limit:
        raise Rejected(INVALID_PARAMETERS, f"Choose at most {limit}.")


def _check_treaty(player: Player, spaces: tuple[int, ...]) -> None:
    """Check that the Treaty of Tordesillas allows counters on these spaces (COL-25-08)."""
    if any(is_outside_treaty(player, SPACES[at].territory) for at in spaces):
        raise Rejected(
            "outside_treaty_of_tordesillas",
            "The Treaty of Tordesillas keeps your counters to your goal Territories; choose one of them.",
        )


def check_placeable(state: State, seat: int, number: int, spaces: tuple[int, ...]) -> None:
    """Check Economy (COL-06-06), the Treaty (COL-25-08), then that the spaces lie in the Territory."""
    player = state.players[seat]
    for at in spaces:
        if is_resource_too_late(player, at):
            raise Rejected(
                "economy_too_low", f"{space_name(SPACES[at].id)} takes Economy 6; choose another space."
            )
    _check_treaty(player, spaces)
    for at in spaces:
        if SPACES[at].territory != number:
            name = territory_name(TERRITORIES[number].id)
            raise Rejected("space_not_in_territory", f"Choose Resource spaces of {name}.")


# --- after each fact: Prestige and Loans -----------------------------------------------------------


class Draft(steps.Draft[State]):
    """The working state of one command and its chance."""

    __slots__ = ()

    watched = frozenset(
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

    def judge(self) -> None:
        """End the game where somebody has won (COL-00-02)."""
        self._six_prestige()
        self._victory()

    def player(self, seat: int) -> Player:
        """Return the seat's present state."""
        return self.state.players[seat]

    def roll(self, dice: int) -> Dice:
        """Success dice, thrown in the open (COL-01-06)."""
        return tuple(bool(face) for face in self.chance.roll(dice, RULES.success_die))

    def move_left(self, seat: int, spaces: int, reason: f.Reason) -> None:
        """Move a Diplomacy marker as many spaces left as exist (COL-10-01, COL-10-04, COL-10-05)."""
        at = self.player(seat).diplomacy
        to = max(1, at - spaces)
        if to != at:
            self.emit(f.DiplomacyMoved(seat, at, to, reason))

    def move_right(self, seat: int, reason: f.Reason) -> None:
        """Move a Diplomacy marker one space right, if possible (COL-10-02)."""
        at = self.player(seat).diplomacy
        if at < WORLD.diplomacy_length:
            self.emit(f.DiplomacyMoved(seat, at, at + 1, reason))

    def _six_prestige(self) -> None:
        """End for good the rules marked ** of every seat with 6 Prestige (COL-25-09)."""
        for seat, player in enumerate(self.state.players):
            card = nation(player)
            if card is None or player.reached_six or player.prestige < RULES.six_prestige:
                continue
            ended = [*["tordesillas"] * card.tordesillas, *["extra_card"] * card.extra_card_ends]
            if ended:
                self.emit(f.SixPrestigeReached(seat, tuple(ended)))

    def _victory(self) -> None:
        """End the game if a seat has 10 Prestige and no Loan, active player first (COL-00-01, COL-00-03)."""
        state = self.state
        start = state.first_player if state.active is None else state.active
        for seat in list_clockwise(state.seats, start):
            player = state.players[seat]
            if player.prestige >= RULES.win_prestige and not loans_of(player):
                self.emit(f.GameWon(seat, player.prestige))
                raise steps.GameOver
