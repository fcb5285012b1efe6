"""Before a war: offers in escrow, the secret choice of everybody else, accepting an Ally."""

from __future__ import annotations

from events.chance import Chance
from events.steps import Draft, Rejected
from events.titles.colonial_revised import commands as c
from events.titles.colonial_revised import facts as f
from events.titles.colonial_revised.data import CONSTANTS
from events.titles.colonial_revised.state import ATTACKER, DEFENDER, State, War, sure
from events.titles.colonial_revised.steps.checks import can_pay, known_seat
from events.titles.colonial_revised.steps.settlement import move_diplomacy


def side_now(war: War) -> str:
    """Which side's principal offers or picks in this step."""
    return ATTACKER if war.step.endswith(ATTACKER) else DEFENDER


def principal(war: War, side: str) -> int:
    """The Attacker or the Defender."""
    return war.attacker if side == ATTACKER else war.defender


def offer_alliance(draft: Draft[State], seat: int, command: c.OfferAlliance, chance: Chance) -> None:
    """0-3 T, held in escrow (REV-304)."""
    war, most = sure(draft.state.war), CONSTANTS.alliance_offer_max
    if command.amount > most:
        raise Rejected("offer_too_high", f"Offer at most {most} T.")
    can_pay(draft.state.players[seat], command.amount)
    draft.emit(f.AllianceOffered(seat=seat, side=side_now(war), amount=command.amount))


def may_help_attacker(state: State, seat: int) -> bool:
    """Only from the Defender's space of Diplomacy or further right (REV-306)."""
    return state.players[seat].diplomacy >= state.players[sure(state.war).defender].diplomacy


def choose_alliance(draft: Draft[State], seat: int, command: c.ChooseAlliance, chance: Chance) -> None:
    """Help a side or stay out, in secret until all have chosen (REV-305)."""
    if command.side == ATTACKER and not may_help_attacker(draft.state, seat):
        raise Rejected(
            "position_too_low", "You are left of the Defender on Diplomacy: help the Defender or stay out."
        )
    draft.emit(f.AllianceChosen(seat=seat, choice=command.side))


def volunteers(war: War) -> tuple[int, ...]:
    """Who offers himself to the side that picks now; an Ally of the other side is taken."""
    side = side_now(war)
    return tuple(seat for seat, choice in enumerate(war.choices) if choice == side)


def accept_ally(draft: Draft[State], seat: int, command: c.AcceptAlly, chance: Chance) -> None:
    """At most one volunteer (REV-307); the Attacker's Ally moves 1 left (REV-308)."""
    war = sure(draft.state.war)
    side, ally = side_now(war), command.ally
    if ally is None:
        draft.emit(f.AllyDeclined(side=side))
        release_escrow(draft, side)
        return
    if known_seat(draft.state, ally) not in volunteers(war):
        raise Rejected("not_a_volunteer", "Accept one of the players who chose your side, or none.")
    draft.emit(f.AllyAccepted(side=side, seat=ally))
    if side == ATTACKER:
        move_diplomacy(draft, ally, -1, "ally_of_the_attacker")


def offer_of(war: War, side: str) -> int:
    """What a side's principal promised."""
    return war.attacker_offer if side == ATTACKER else war.defender_offer


def release_escrow(draft: Draft[State], side: str) -> None:
    """A side without an Ally may spend its sum again (REV-309)."""
    war = sure(draft.state.war)
    if offer_of(war, side):
        draft.emit(f.EscrowReleased(seat=principal(war, side), amount=offer_of(war, side)))


def go_on(draft: Draft[State], war: War) -> None:
    """Offers that nobody can make and picks among nobody are skipped; choices are revealed together."""
    side = side_now(war)
    if war.step.startswith("offer"):
        draft.emit(f.DecisionSkipped(principal(war, side), "offer_alliance", "no_treasury"))
    elif war.step == "choice":
        choices = tuple(
            f.SeatChoice(seat, choice) for seat, choice in enumerate(war.choices) if choice is not None
        )
        draft.emit(f.AllianceChoicesRevealed(choices))
    else:
        draft.emit(f.DecisionSkipped(principal(war, side), "accept_ally", "no_volunteer"))
        release_escrow(draft, side)
