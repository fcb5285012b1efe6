"""Settings, directors, and the entrants: entry, check-in, withdrawal, forbidden pairs, byes."""

from __future__ import annotations

from events.proof.randomness import mix, seat_commitment
from events.rules.steps import Rejected
from events.tournament import commands as asks
from events.tournament import facts, settings
from events.tournament.draft import TournamentDraft
from events.tournament.pairing import sort_pair
from events.tournament.schedule import find_round, is_planned_at_once, next_check_in_window
from events.tournament.state import Entrant, Tournament, entrant_name, entrant_names, number_of

MAX_FORBIDDEN = 5
"""The most others that an entrant may avoid."""


# --- settings and directors ----------------------------------------------------------------------------


def change_settings(draft: TournamentDraft, command: asks.ChangeSettings) -> None:
    """Change whole members of the settings. Raises :class:`Rejected`."""
    state, wanted = draft.state, set(command.changes)
    if wanted & settings.FIXED:
        raise settings.InvalidSettings(
            dict.fromkeys(
                sorted(wanted & settings.FIXED),
                "Use the command `name_director` or `drop_director` to change directors.",
            )
        )
    if state.entry_closed_at and not wanted <= settings.OPEN_TO_CHANGE:
        raise Rejected(
            "entry_closed", "Entry is closed. Change only the schedule, the name and the description."
        )
    changed = settings.apply_changes(state.settings, command.changes)
    if (changed.title, changed.position) != (state.settings.title, state.settings.position):
        raise settings.InvalidSettings(
            {"title": "Leave title and position as they are, or create another tournament."}
        )
    settings.check_settings(changed, state.title)
    draft.emit(facts.SettingsChanged(command.changes))


def name_director(draft: TournamentDraft, command: asks.NameDirector) -> None:
    """Name a director, or give one another role. Raises :class:`Rejected`."""
    state = draft.state
    director = command.director or f"d{state.named + 1}"
    number = number_of(director)
    if command.director is not None and number not in state.directors:
        raise Rejected(
            "not_a_director", f"There is no director {director}. Leave `director` out to appoint a new one."
        )
    if len(state.directors) >= 16 and number not in state.directors:
        raise Rejected("too_many", "A tournament has at most 16 directors. Remove one first.")
    _require_owner_left(state, number, command.role == "owner")
    draft.emit(facts.DirectorNamed(director, command.role))


def drop_director(draft: TournamentDraft, command: asks.DropDirector) -> None:
    """Drop a director. Raises :class:`Rejected`."""
    number = number_of(command.director)
    if number not in draft.state.directors:
        raise Rejected(
            "not_a_director", f"There is no director {command.director}. Read `directors` of the tournament."
        )
    _require_owner_left(draft.state, number, False)
    draft.emit(facts.DirectorDropped(command.director))


def _require_owner_left(state: Tournament, number: int, stays: bool) -> None:
    owners = {n for n, role in state.directors.items() if role == "owner"}
    if not stays and owners == {number}:
        raise Rejected("last_owner", "A tournament needs an owner. Appoint another owner first.")


# --- entry ---------------------------------------------------------------------------------------------


def open_entry(draft: TournamentDraft, _command: asks.OpenEntry) -> None:
    """Open entry. Raises :class:`Rejected`."""
    if draft.state.status != "draft":
        raise Rejected("entry_closed", "Entry was opened before. Nothing needs to be done.")
    draft.emit(facts.EntryOpened())


def close_entry(draft: TournamentDraft, _command: asks.CloseEntry) -> None:
    """Close entry, and settle the entrants who play. Raises :class:`Rejected`."""
    state = draft.state
    if state.status != "open":
        raise Rejected("entry_closed", "Entry is not open, so it cannot be closed. Nothing needs to be done.")
    there = [one for one in state.entrants if one.is_playing]
    chosen = [one for one in there if not one.reserve]
    free = max(0, state.settings.entry.most - len(chosen))
    chosen += [one for one in there if one.reserve][:free]
    least = state.settings.entry.least or 0
    if len(chosen) < least:
        raise Rejected(
            "too_few_entrants",
            f"Only {len(chosen)} of {least} needed entrants are there. Wait for more, or change `entry`.",
        )
    numbers = sorted(one.number for one in chosen)
    draft.emit(facts.EntryClosed(entrant_names(numbers)))


def enter(draft: TournamentDraft, command: asks.Enter) -> None:
    """Enter a newcomer. Raises :class:`Rejected`."""
    state, entry = draft.state, draft.state.settings.entry
    late = _late_round(state)
    name = entrant_name(len(state.entrants) + 1)
    if command.entrant not in (None, name):
        raise Rejected(
            "version_conflict",
            f"Another player entered first, so your name would be {name}. Commit for that name.",
        )
    if len(state.entrants) >= 4 * settings.MAX_ENTRANTS:
        raise Rejected("full", "The list of entrants is full. Choose another tournament.")
    taken = [one for one in state.entrants if one.accepted is not False and not one.withdrawn]
    reserve = sum(not one.reserve for one in taken) >= entry.most
    if reserve and (late or sum(one.reserve for one in taken) >= entry.reserve):
        raise Rejected("full", "All places are taken. Wait until one is free, or choose another tournament.")
    commits = entry.contributions and not late
    draft.emit(facts.Entered(name, late, reserve, command.commitment if commits else None))


def _late_round(state: Tournament) -> int:
    """Return the first round of one who enters now; 0 before entry is closed. Raises :class:`Rejected`."""
    if state.status == "open":
        return 0
    coming = state.next_round
    first = coming + 1 if state.is_running and find_round(state, coming) is not None else coming
    if state.is_running and state.stage == 1 and first <= state.settings.entry.late_until_round:
        return first
    raise Rejected("entry_closed", "Entry is not open. Wait until it opens, or ask a director.")


def admit(draft: TournamentDraft, command: asks.Admit) -> None:
    """Admit an entrant, or do not. Raises :class:`Rejected`."""
    one = draft.state.entrant(command.entrant)
    if one.accepted is not None:
        raise Rejected(
            "already_answered",
            f"The entry of {command.entrant} has already been decided. Nothing needs to be done.",
        )
    draft.emit(facts.EntryDecided(command.entrant, command.yes))


def check_in_entrant(draft: TournamentDraft, command: asks.CheckIn) -> None:
    """Check in the acting entrant for the coming round. Raises :class:`Rejected`."""
    state, one = draft.state, require_playing(draft)
    number = state.next_round
    window = next_check_in_window(state)
    found = find_round(state, number)
    is_drawn = found is not None and not is_planned_at_once(state)
    if window is None or is_drawn or not window[0] <= draft.at < window[1]:
        hint = f"Check in from {window[0]} to {window[1]}." if window else "Wait until it opens."
        raise Rejected("check_in_closed", f"Check-in is not open. {hint}")
    if one.checked >= number:
        raise Rejected(
            "already_answered", f"You have already checked in for round {number}. Nothing needs to be done."
        )
    contribution = None if state.mixed else command.contribution
    if contribution is not None:
        _check_contribution(state, one, contribution)
    draft.emit(facts.CheckedIn(draft.name, number, contribution))


def reveal(draft: TournamentDraft, command: asks.Reveal) -> None:
    """Reveal the contribution of the acting entrant. Raises :class:`Rejected`."""
    state, one = draft.state, require_playing(draft)
    if not state.entry_closed_at or state.mixed or state.settings.entry.check_in_ms:
        raise Rejected(
            "check_in_closed",
            "Contributions cannot be revealed now. Send yours with the first check-in, or after entry closes"
            " if there is none.",
        )
    _check_contribution(state, one, command.contribution)
    draft.emit(facts.ContributionRevealed(draft.name, command.contribution))


def _check_contribution(state: Tournament, one: Entrant, contribution: str) -> None:
    if one.contribution is not None:
        raise Rejected(
            "already_answered", "You have already revealed your contribution. Nothing needs to be done."
        )
    made = seat_commitment(state.key, entrant_name(one.number), bytes.fromhex(contribution)).hex()
    if made != one.commitment:
        raise Rejected(
            "commitment_mismatch",
            "The contribution does not match the commitment. Send the bytes that you committed to.",
        )


def require_playing(draft: TournamentDraft) -> Entrant:
    """Return the entrant who acts, who must take part. Raises :class:`Rejected`."""
    one = draft.state.entrant(draft.name)
    if not one.is_playing:
        raise Rejected("not_entered", "You do not take part in this tournament. Enter it, or ask a director.")
    return one


def withdraw(draft: TournamentDraft, _command: asks.Withdraw) -> None:
    """Withdraw the acting entrant. Raises :class:`Rejected`."""
    _require_entered(draft, draft.name)
    draft.emit(facts.Withdrew(draft.name, draft.name, None, None))


def withdraw_entrant(draft: TournamentDraft, command: asks.WithdrawEntrant) -> None:
    """Withdraw an entrant by a director. Raises :class:`Rejected`."""
    _require_entered(draft, command.entrant)
    draft.emit(facts.Withdrew(command.entrant, draft.name, command.cause, command.text))


def _require_entered(draft: TournamentDraft, name: str) -> None:
    one = draft.state.entrant(name)
    if one.withdrawn or one.disqualified or one.accepted is False:
        raise Rejected(
            "not_entered", f"{name} does not take part in this tournament. Read the list of entrants."
        )


def return_entrant(draft: TournamentDraft, command: asks.ReturnEntrant) -> None:
    """Let an entrant who withdrew play again. Raises :class:`Rejected`."""
    one = draft.state.entrant(command.entrant)
    if not one.withdrawn or one.disqualified:
        raise Rejected("not_withdrawn", f"{command.entrant} has not withdrawn. Nothing needs to be done.")
    draft.emit(facts.Returned(command.entrant, 0))


def forbid_pair(draft: TournamentDraft, command: asks.ForbidPair) -> None:
    """Forbid that two entrants meet. Raises :class:`Rejected`."""
    state = draft.state
    two = sort_pair(state.entrant(name).number for name in command.entrants)
    if two[0] == two[1]:
        raise Rejected("invalid_parameters", "The two entrants are the same. Name two different entrants.")
    for number in two:
        others = {other for forbidden in state.forbidden for other in forbidden if number in forbidden}
        if len(others | set(two)) - 1 > MAX_FORBIDDEN:
            raise Rejected(
                "too_many",
                f"{entrant_name(number)} already avoids {MAX_FORBIDDEN} others, the most allowed. Choose"
                f" another pair.",
            )
    draft.emit(facts.PairForbidden(command.entrants, command.cause, command.text))


def ask_bye(draft: TournamentDraft, command: asks.AskBye) -> None:
    """Ask for a bye for the acting entrant. Raises :class:`Rejected`."""
    state, one = draft.state, require_playing(draft)
    if one.asked:
        raise Rejected("bye_used", "You have already asked for a bye. Play the round, or withdraw.")
    if state.settings.stages[0].format != "swiss_pods" or state.stage > 1:
        raise Rejected("not_allowed", "Only swiss pods have byes on request. Play the round, or withdraw.")
    window = next_check_in_window(state)
    ended = window is not None and draft.at >= window[1] and command.round == state.next_round
    if ended or command.round < state.next_round or find_round(state, command.round) is not None:
        raise Rejected(
            "too_late", f"It is too late to ask for a bye in round {command.round}. Ask for a later round."
        )
    if command.round > (state.settings.stages[0].rounds or 0):
        raise Rejected(
            "invalid_parameters", f"There is no round {command.round}. Name a round of this stage."
        )
    draft.emit(facts.ByeAsked(draft.name, command.round))


def set_ready(draft: TournamentDraft, _command: asks.Ready) -> None:
    """Mark the acting entrant as ready for a game of the ladder. Raises :class:`Rejected`."""
    one = _require_ladder(draft)
    if any(
        one.number in table.holders and table.result is None and not table.confirmed
        for played in draft.state.rounds
        if not played.closed_at
        for table in played.tables
    ):
        raise Rejected("round_open", "Your game is still being played. Wait until it has ended.")
    draft.emit(facts.Ready(draft.name))


def set_not_ready(draft: TournamentDraft, _command: asks.NotReady) -> None:
    """Mark the acting entrant as not ready any more. Raises :class:`Rejected`."""
    _require_ladder(draft)
    draft.emit(facts.NotReady(draft.name))


def _require_ladder(draft: TournamentDraft) -> Entrant:
    one = require_playing(draft)
    if draft.state.settings.stages[0].format != "ladder":
        raise Rejected(
            "not_allowed",
            "This tournament is not a ladder, so nobody waits for a game. Nothing needs to be done.",
        )
    return one


# --- the randomness ------------------------------------------------------------------------------------


def fix_randomness(draft: TournamentDraft, _command: asks.FixRandomness) -> None:
    """Fix the randomness from the contributions. Raises :class:`Rejected`."""
    state = draft.state
    if state.mixed:
        raise Rejected("already_answered", "The randomness is already fixed. Nothing needs to be done.")
    missing = [one.number for one in state.entrants if one.commitment and one.contribution is None]
    draft.emit(facts.RandomnessFixed(mix_contributions(state).hex(), entrant_names(missing)))


def mix_contributions(state: Tournament) -> bytes:
    """Return U, mixed from the contributions of all who entered before the close, by number."""
    given = [
        (entrant_name(one.number), bytes.fromhex(one.contribution or ""))
        for one in state.entrants
        if not one.late
    ]
    return mix(state.key, state.closing, given)
