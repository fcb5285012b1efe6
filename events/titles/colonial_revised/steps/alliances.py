"""Before a war: declaring it, offers in escrow, the secret choice of all others, accepting an Ally."""

from __future__ import annotations

from collections.abc import Iterator

from events.rules.chance import Chance
from events.rules.steps import Command, Draft, Move, Rejected, Step
from events.titles.colonial_revised import commands as c
from events.titles.colonial_revised import facts as f
from events.titles.colonial_revised import words as w
from events.titles.colonial_revised.checks import can_pay, require_seat
from events.titles.colonial_revised.data import CONSTANTS
from events.titles.colonial_revised.offers import draw_up_to, pick
from events.titles.colonial_revised.parts import SeatChoice
from events.titles.colonial_revised.state import ATTACKER, DEFENDER, State, War, require
from events.titles.colonial_revised.steps.cards import use
from events.titles.colonial_revised.steps.settlement import move_diplomacy


def declare_war(draft: Draft[State], seat: int, command: c.DeclareWar) -> None:
    """War on a player who is not further right; 1 left; the War box (REV-301 to REV-303)."""
    target = require_seat(draft.state, command.target)
    _check_diplomacy(draft.state, seat, target)
    if target == seat:
        raise Rejected("self_target", "Declare war on another player.")
    use(draft, seat, "sovereign")
    draft.emit(f.WarDeclared(attacker=seat, defender=target))
    move_diplomacy(draft, seat, -1, "war_declared")
    take_war_box(draft, seat)


def _check_diplomacy(state: State, seat: int, target: int) -> None:
    """Check that the target is not further right on Diplomacy (REV-132)."""
    if state.players[target].diplomacy > state.players[seat].diplomacy:
        raise Rejected(
            "target_more_advanced",
            "That player is further right on Diplomacy: choose one level or left of you.",
        )


def take_war_box(draft: Draft[State], seat: int) -> None:
    """Give the War box to the seat that declares war, if anything lies in it (REV-303)."""
    if draft.state.war_box:
        draft.emit(f.WarBoxTaken(seat=seat, amount=draft.state.war_box))


# --- alliances ------------------------------------------------------------------------------------


def side_now(war: War) -> str:
    """Return the side whose principal offers or picks in this step."""
    return ATTACKER if war.step.endswith(ATTACKER) else DEFENDER


def principal(war: War, side: str) -> int:
    """The Attacker or the Defender."""
    return war.attacker if side == ATTACKER else war.defender


def offer_alliance(draft: Draft[State], seat: int, command: c.OfferAlliance) -> None:
    """0-3 T, held in escrow (REV-304)."""
    war, most = require(draft.state.war), CONSTANTS.alliance_offer_max
    if command.amount > most:
        raise Rejected("offer_too_high", f"Offer at most {most} T.")
    can_pay(draft.state.players[seat], command.amount)
    draft.emit(f.AllianceOffered(seat=seat, side=side_now(war), amount=command.amount))


def may_help_attacker(state: State, seat: int) -> bool:
    """Only from the Defender's space of Diplomacy or further right (REV-306)."""
    return state.players[seat].diplomacy >= state.players[require(state.war).defender].diplomacy


def choose_alliance(draft: Draft[State], seat: int, command: c.ChooseAlliance) -> None:
    """Help a side or stay out, in secret until all have chosen (REV-305)."""
    if command.side == ATTACKER and not may_help_attacker(draft.state, seat):
        raise Rejected(
            "position_too_low", "You are left of the Defender on Diplomacy: help the Defender or stay out."
        )
    draft.emit(f.AllianceChosen(seat=seat, choice=command.side))


def volunteers(war: War) -> tuple[int, ...]:
    """Return the seats that volunteer for the side that picks now; an Ally of the other side is taken."""
    side = side_now(war)
    return tuple(seat for seat, choice in enumerate(war.choices) if choice == side)


def accept_ally(draft: Draft[State], seat: int, command: c.AcceptAlly) -> None:
    """At most one volunteer (REV-307); the Attacker's Ally moves 1 left (REV-308)."""
    war = require(draft.state.war)
    side, ally = side_now(war), command.ally
    if ally is None:
        draft.emit(f.AllyDeclined(side=side))
        release_escrow(draft, side)
        return
    if require_seat(draft.state, ally) not in volunteers(war):
        raise Rejected("not_a_volunteer", "Accept one of the players who chose your side, or none.")
    draft.emit(f.AllyAccepted(side=side, seat=ally))
    if side == ATTACKER:
        move_diplomacy(draft, ally, -1, "ally_of_the_attacker")


def offer_of(war: War, side: str) -> int:
    """Return the sum that a side's principal promised."""
    return war.attacker_offer if side == ATTACKER else war.defender_offer


def release_escrow(draft: Draft[State], side: str) -> None:
    """A side without an Ally may spend its sum again (REV-309)."""
    war = require(draft.state.war)
    if offer_of(war, side):
        draft.emit(f.EscrowReleased(seat=principal(war, side), amount=offer_of(war, side)))


def go_on(draft: Draft[State], war: War) -> None:
    """Offers that nobody can make and picks among nobody are skipped; choices are revealed together."""
    side = side_now(war)
    if war.step.startswith("offer"):
        draft.emit(f.DecisionSkipped(principal(war, side), "offer_alliance", "no_treasury"))
    elif war.step == "choice":
        choices = tuple(
            SeatChoice(seat, choice) for seat, choice in enumerate(war.choices) if choice is not None
        )
        draft.emit(f.AllianceChoicesRevealed(choices))
    else:
        draft.emit(f.DecisionSkipped(principal(war, side), "accept_ally", "no_volunteer"))
        release_escrow(draft, side)


# --- offers --------------------------------------------------------------------------------------


def _principal_now(state: State) -> int:
    war = require(state.war)
    return principal(war, side_now(war))


def _who_can_offer(state: State) -> tuple[int, ...]:
    seat = _principal_now(state)
    return (seat,) if state.players[seat].spendable > 0 else ()


def _find_most(state: State, seat: int) -> int:
    return min(CONSTANTS.alliance_offer_max, state.players[seat].spendable)


def _offers(state: State, seat: int) -> Iterator[c.OfferAlliance]:
    for amount in range(_find_most(state, seat) + 1):
        yield c.OfferAlliance(amount)


OFFER_ALLIANCE = Step(
    kind="offer_alliance",
    asked=_who_can_offer,
    default=lambda _state, _seat: c.OfferAlliance(amount=0),
    sample=lambda state, seat, chance: c.OfferAlliance(draw_up_to(chance, _find_most(state, seat))),
    moves=(
        Move(
            command=c.OfferAlliance,
            take=offer_alliance,
            legal=_offers,
            label=lambda _state, _seat, command: f"Offer {command.amount or 'no'} T to an Ally",
        ),
    ),
)


# --- the secret choice ---------------------------------------------------------------------------


def _sides(state: State, seat: int) -> tuple[c.Choice, ...]:
    return ("none", "defender", "attacker") if may_help_attacker(state, seat) else ("none", "defender")


def _choices(state: State, seat: int) -> Iterator[c.ChooseAlliance]:
    for side in _sides(state, seat):
        yield c.ChooseAlliance(side)


def _label_choice(state: State, seat: int, command: c.ChooseAlliance) -> str:
    """Label an alliance choice: the principal to help, the sum promised, the cost if accepted."""
    if state.war is None or command.side == "none":
        return "Stay out"
    whom = w.seat_name(principal(state.war, command.side))
    price = ", 1 left on Diplomacy" if command.side == ATTACKER and state.players[seat].diplomacy > 1 else ""
    terms = f"{offer_of(state.war, command.side)} T if accepted{price}"
    return f"Help {whom}, {w.SIDE_NAMES[command.side]} ({terms})"


CHOOSE_ALLIANCE = Step(
    kind="choose_alliance",
    asked=lambda state: require(state.war).awaiting,
    covered=lambda state, seat: require(state.war).choices[seat] is not None,
    default=lambda _state, _seat: c.ChooseAlliance(side="none"),
    sample=lambda state, seat, chance: c.ChooseAlliance(pick(chance, _sides(state, seat))),
    moves=(
        Move(
            command=c.ChooseAlliance,
            take=choose_alliance,
            legal=_choices,
            label=_label_choice,
        ),
    ),
)


# --- accepting an Ally ---------------------------------------------------------------------------


def _who_can_accept(state: State) -> tuple[int, ...]:
    return (_principal_now(state),) if volunteers(require(state.war)) else ()


def _acceptances(state: State, _seat: int) -> Iterator[c.AcceptAlly]:
    yield from (c.AcceptAlly(ally) for ally in (*volunteers(require(state.war)), None))


def _label_acceptance(state: State, _seat: int, command: c.AcceptAlly) -> str:
    if command.ally is None or state.war is None:
        return "Accept no Ally"
    price = offer_of(state.war, side_now(state.war))
    return f"Accept {w.seat_name(command.ally)} as your Ally for {price} T"


def _sample_acceptance(state: State, _seat: int, chance: Chance) -> Command:
    return c.AcceptAlly(pick(chance, (*volunteers(require(state.war)), None)))


ACCEPT_ALLY = Step(
    kind="accept_ally",
    asked=_who_can_accept,
    default=lambda _state, _seat: c.AcceptAlly(),
    sample=_sample_acceptance,
    moves=(Move(command=c.AcceptAlly, take=accept_ally, legal=_acceptances, label=_label_acceptance),),
)
