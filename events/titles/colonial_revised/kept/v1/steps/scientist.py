"""The Scientist advances on a Progress track."""

from __future__ import annotations

from collections.abc import Iterator

from events.rules.chance import Chance
from events.rules.steps import Command, Draft, Rejected
from events.titles.colonial_revised.kept.v1 import commands as c
from events.titles.colonial_revised.kept.v1 import facts as f
from events.titles.colonial_revised.kept.v1.checks import can_pay
from events.titles.colonial_revised.kept.v1.data import TRACKS
from events.titles.colonial_revised.kept.v1.offers import pick
from events.titles.colonial_revised.kept.v1.state import Player, State
from events.titles.colonial_revised.kept.v1.steps.cards import Character, character, use
from events.titles.colonial_revised.kept.v1.steps.settlement import progress_award


def next_step(player: Player, track: str) -> int | None:
    """The value, and price, of the next space; None at the end of the track (REV-080)."""
    return next((value for value in TRACKS[track] if value > getattr(player, track)), None)


def advance(draft: Draft[State], seat: int, track: str, value: int, by: str) -> None:
    """One step; the first Economy 10 abolishes slavery for all (REV-082)."""
    draft.emit(f.ProgressAdvanced(seat=seat, track=track, to=value, price=value, by=by))
    progress_award(draft)
    if track == "economy" and value == TRACKS["economy"][-1] and not draft.state.abolition:
        draft.emit(f.SlaveryAbolished(seat=seat))


def _price(player: Player, track: str) -> int:
    """Return the value of the next space, which there must be (REV-080)."""
    value = next_step(player, track)
    if value is None:
        raise Rejected("track_complete", "You have completed that track: choose another.")
    return value


def _check_navy(player: Player, track: str) -> None:
    """Check that the seat takes no second Navy step after an Escalation's (REV-231)."""
    if track == "navy" and player.navy_step_by_escalation:
        raise Rejected(
            "navy_step_already_bought",
            "You bought a Navy step in an Escalation this turn: choose another track.",
        )


def advance_progress(draft: Draft[State], seat: int, command: c.AdvanceProgress) -> None:
    """One space for its value (REV-230); no Navy step after an Escalation's (REV-231)."""
    player = draft.state.players[seat]
    value = _price(player, command.track)
    _check_navy(player, command.track)
    can_pay(player, value)
    use(draft, seat, "scientist")
    advance(draft, seat, command.track, value, "scientist")


# --- offers --------------------------------------------------------------------------------------


def tracks(state: State, seat: int) -> tuple[str, ...]:
    """Tracks on which the Scientist can advance (REV-230, REV-231)."""
    player = state.players[seat]
    return tuple(
        name
        for name in TRACKS
        if (value := next_step(player, name)) is not None
        and value <= player.spendable
        and not (name == "navy" and player.navy_step_by_escalation)
    )


def _offers(state: State, seat: int) -> Iterator[c.AdvanceProgress]:
    for track in tracks(state, seat):
        yield c.AdvanceProgress(track=track)  # type: ignore[arg-type]


def _label(state: State, seat: int, command: c.AdvanceProgress) -> str:
    value = next_step(state.players[seat], command.track)
    return f"Scientist: {command.track.capitalize()} to {value} for {value} T"


def _sample(state: State, seat: int, chance: Chance) -> Command | None:
    options = tracks(state, seat)
    return c.AdvanceProgress(track=pick(chance, options)) if options else None  # type: ignore[arg-type]


ADVANCE_PROGRESS = character(
    "scientist", c.AdvanceProgress, take=advance_progress, legal=_offers, label=_label
)
SCIENTIST = Character("scientist", (ADVANCE_PROGRESS,), _sample)
