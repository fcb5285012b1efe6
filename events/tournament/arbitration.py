"""Disputes, rulings and appeals; pauses and the cancellation.

The log names a director by number and their accounts by none. So the service, which knows the accounts, must
check that no director rules about a table at which they play themselves.
"""

from __future__ import annotations

from msgspec.structs import replace

from events.base.timestamps import DAY_MS, add_milliseconds
from events.rules.steps import Rejected
from events.table.commands.checks import check_until
from events.tournament import commands as asks
from events.tournament import facts
from events.tournament.draft import TournamentDraft
from events.tournament.facts import Effect
from events.tournament.participants import require_playing
from events.tournament.results import check_places
from events.tournament.rounds import close_again
from events.tournament.state import Tournament

MAX_PAUSE_MS = 90 * DAY_MS
"""The longest pause."""
MAX_OPEN_DISPUTES = 8
"""Disputes that one entrant may have open."""
_ASSISTANT = frozenset({"warn", "add_time"})
"""The effects of rulings that assistants may give."""


def raise_dispute(draft: TournamentDraft, command: asks.RaiseDispute) -> None:
    """Raise a dispute of an entrant. Raises :class:`Rejected`."""
    state, one = draft.state, require_playing(draft)
    found = None
    if command.table is not None:
        found, table = state.table(command.round, command.table)
        if not found.started_at:
            raise Rejected(
                "unknown_table", f"Round {found.number} has not started. Name a round that has started."
            )
        if table.confirmed or found.closed_at:
            raise Rejected(
                "too_late", "The result of this table is confirmed, so it cannot be disputed. Ask a director."
            )
    if command.against is not None:
        state.entrant(command.against)
    if sum(other.open and other.by == one.number for other in state.disputes) >= MAX_OPEN_DISPUTES:
        raise Rejected(
            "too_many", f"You have {MAX_OPEN_DISPUTES} open disputes, the most allowed. Wait for the rulings."
        )
    draft.emit(
        facts.DisputeRaised(
            len(state.disputes) + 1,
            draft.name,
            None if found is None else found.number,
            command.table,
            command.against,
            command.text,
        )
    )


def rule(draft: TournamentDraft, command: asks.Rule) -> None:
    """Decide a ruling of a director, with its effects. Raises :class:`Rejected`."""
    state = draft.state
    if not state.is_running:
        raise Rejected(
            "not_due", "Rulings are possible only while the tournament runs. Wait until it has started."
        )
    effects = tuple(_resolve(state, effect) for effect in command.effects)
    kinds = {effect.kind for effect in effects}
    if state.directors[draft.number] == "assistant" and not kinds <= _ASSISTANT:
        raise Rejected("not_a_director", "Assistants can only warn and add time. Ask a director.")
    _check_dispute(state, command.dispute)
    _check_appeal(draft, command.ruling)
    draft.emit(
        facts.Ruled(
            len(state.rulings) + 1,
            command.dispute,
            command.ruling,
            draft.name,
            command.kind,
            effects,
            command.text,
        )
    )
    for effect in effects:
        if effect.replay is not None:
            _replay(draft, effect.replay)
    close_again(draft, 1)


def _check_dispute(state: Tournament, number: int | None) -> None:
    if number is None:
        return
    if number > len(state.disputes) or not state.disputes[number - 1].open:
        raise Rejected(
            "unknown_dispute", f"There is no open dispute {number}. Read the disputes of the tournament."
        )


def _check_appeal(draft: TournamentDraft, number: int | None) -> None:
    """Check that this director may decide the appeal against ruling *number*. Raises :class:`Rejected`.

    Only the owner, or a director who did not give the ruling, decides an appeal; once.
    """
    state = draft.state
    if number is None:
        return
    if number > len(state.rulings) or not state.rulings[number - 1].appealed:
        raise Rejected(
            "unknown_dispute",
            f"There is no appeal against ruling {number}. Read the rulings of the tournament.",
        )
    first = state.rulings[number - 1]
    if first.decided:
        raise Rejected("already_appealed", "This appeal has already been decided. Nothing needs to be done.")
    role = state.directors[draft.number]
    if role == "assistant" or (first.by == draft.number and role != "owner"):
        raise Rejected(
            "not_a_director",
            "You gave this ruling, so you cannot decide the appeal. Ask the owner or another director.",
        )


def _resolve(state: Tournament, effect: Effect) -> Effect:
    """Return *effect* with the round that it means. Raises :class:`Rejected` for one that cannot be."""
    kind = effect.kind
    if kind is None:
        raise Rejected(
            "invalid_parameters",
            "An effect of the ruling has none or several members. Send exactly one in each effect.",
        )
    return _RESOLVE.get(kind, _resolve_nothing)(state, effect)


def _resolve_nothing(_state: Tournament, effect: Effect) -> Effect:
    return effect


def _resolve_result(state: Tournament, effect: Effect) -> Effect:
    assert effect.result is not None  # noqa: S101 - it is of this kind
    found, table = state.table(effect.result.round, effect.result.table)
    if not found.started_at:
        raise Rejected(
            "unknown_table", f"Round {found.number} has not started. Name a round that has started."
        )
    check_places(effect.result.places, len(table.entrants))
    return replace(effect, result=replace(effect.result, round=found.number))


def _resolve_replay(state: Tournament, effect: Effect) -> Effect:
    assert effect.replay is not None  # noqa: S101 - it is of this kind
    found, table = state.table(effect.replay.round, effect.replay.table)
    if not found.is_running:
        raise Rejected("too_late", f"Round {found.number} is not being played. Name the round that is.")
    if table.result is None:
        raise Rejected("game_running", "The game of this table still runs. End it first with `end_game`.")
    return replace(effect, replay=replace(effect.replay, round=found.number))


def _resolve_forfeit(state: Tournament, effect: Effect) -> Effect:
    assert effect.forfeit is not None  # noqa: S101 - it is of this kind
    number = state.entrant(effect.forfeit.entrant).number
    found = state.round(effect.forfeit.round)
    at_table = any(number in table.entrants for table in found.tables)
    if not found.started_at or not at_table:
        raise Rejected(
            "unknown_entrant",
            f"{effect.forfeit.entrant} does not play in that round. Name a round in which they play.",
        )
    return effect


def _resolve_entrant(state: Tournament, effect: Effect) -> Effect:
    for part in (effect.points, effect.disqualify, effect.warn):
        if part is not None:
            state.entrant(part.entrant)
    return effect


def _resolve_game(state: Tournament, effect: Effect) -> Effect:
    part = effect.add_time or effect.end_game
    assert part is not None  # noqa: S101 - it is of one of these kinds
    found = state.of_game(part.game)
    if found is None or found[1].game != part.game:
        raise Rejected(
            "wrong_game",
            "No table of this tournament plays that game. Read the rounds for the ids of its games.",
        )
    if effect.add_time is not None and effect.add_time.seat >= len(found[1].entrants):
        raise Rejected(
            "unknown_seat", f"The table has no such seat. Name a seat from 0 to {len(found[1].entrants) - 1}."
        )
    return effect


_RESOLVE = {
    "result": _resolve_result,
    "replay": _resolve_replay,
    "forfeit": _resolve_forfeit,
    "points": _resolve_entrant,
    "disqualify": _resolve_entrant,
    "warn": _resolve_entrant,
    "add_time": _resolve_game,
    "end_game": _resolve_game,
}


def _replay(draft: TournamentDraft, which: facts.TableReference) -> None:
    """Let a table play again: its next attempt gets a game of its own."""
    found, table = draft.state.table(which.round, which.table)
    draft.emit(facts.TableReplayed(found.number, table.number, table.attempt + 1, draft.means.new_id()))


def appeal(draft: TournamentDraft, command: asks.Appeal) -> None:
    """Appeal against a ruling. Raises :class:`Rejected`."""
    state = draft.state
    _require_entered(draft)
    if command.ruling > len(state.rulings):
        raise Rejected(
            "unknown_dispute", f"There is no ruling {command.ruling}. Read the rulings of the tournament."
        )
    found = state.rulings[command.ruling - 1]
    if found.appealed:
        raise Rejected(
            "already_appealed", "There is already an appeal against this ruling. Wait for its decision."
        )
    if draft.at > add_milliseconds(found.at, state.settings.protest_ms):
        raise Rejected(
            "too_late", "It is too late to appeal against this ruling. Ask a director if it still matters."
        )
    draft.emit(facts.Appealed(command.ruling, draft.name, command.text))


def _require_entered(draft: TournamentDraft) -> None:
    """Raise :class:`Rejected` unless the player was admitted. A disqualified entrant may appeal too."""
    if draft.state.entrant(draft.name).accepted is not True:
        raise Rejected("not_entered", "You do not take part in this tournament. Ask a director.")


# --- pauses and the end --------------------------------------------------------------------------------


def pause_tournament(draft: TournamentDraft, command: asks.PauseTournament) -> None:
    """Pause the tournament. Raises :class:`Rejected`."""
    state = draft.state
    if not state.is_running:
        raise Rejected(
            "not_due", "The tournament does not run, so it cannot be paused. Wait until it has started."
        )
    if state.paused is not None:
        raise Rejected(
            "tournament_paused",
            f"The tournament is already paused until {state.paused}. To change that, resume it first.",
        )
    until = check_until(command.until, draft.at, MAX_PAUSE_MS)
    draft.emit(facts.TournamentPaused(until, draft.name, command.cause, command.text))


def resume_tournament(draft: TournamentDraft, _command: asks.ResumeTournament) -> None:
    """Resume the tournament. Raises :class:`Rejected`."""
    if draft.state.paused is None:
        raise Rejected("not_paused", "The tournament is not paused. Nothing needs to be done.")
    draft.emit(facts.TournamentResumed())


def cancel_tournament(draft: TournamentDraft, command: asks.CancelTournament) -> None:
    """Cancel the tournament. Raises :class:`Rejected`."""
    if draft.state.status == "cancelled":
        raise Rejected(
            "already_answered", "The tournament has already been cancelled. Nothing needs to be done."
        )
    draft.emit(facts.TournamentCancelled(draft.name, command.cause, command.text))
