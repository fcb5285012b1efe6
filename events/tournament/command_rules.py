"""The rules for the commands of a tournament: their actors, and pure functions to facts.

A command is decided from the tournament, from its actor, from its own members and from the time of its event.
What else is needed (a secret, an id) comes as :class:`DecisionInputs`. So a verifier decides each again by
the same lines. A new one is a command, a function, a line in :data:`RULES`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import msgspec

from events.proof import canonical
from events.proof.randomness import sha
from events.rules.fact import type_name
from events.rules.steps import NOT_YOUR_DECISION, Command, Rejected
from events.rules.title import Title
from events.table.engine import Batch
from events.table.lifecycle_facts import PROTOCOL
from events.tournament import arbitration, facts, participants, results, rounds, settings
from events.tournament import commands as asks
from events.tournament.draft import DecisionInputs, TournamentDraft
from events.tournament.schedule import due_commands
from events.tournament.settings import Settings
from events.tournament.state import DRAWS, VERSION, Tournament, number_of

Capacity = Literal["entrant", "newcomer", "assistant", "director", "owner", "house"]
"""The capacity in which a command is given.

A director may do what an assistant may, an owner all that both may.
"""
_RANK: dict[str, tuple[Capacity, ...]] = {
    "assistant": ("assistant",),
    "director": ("assistant", "director"),
    "owner": ("assistant", "director", "owner"),
}

Take = Callable[[TournamentDraft, Any], None]


class Rule(msgspec.Struct, frozen=True):
    """The capacities that may give a command, and the function that decides it."""

    by: tuple[Capacity, ...]
    take: Take
    timed: bool = False
    """True if the server gives it only when it is due."""


RULES: dict[type[Command], Rule] = {
    asks.ChangeSettings: Rule(("director",), participants.change_settings),
    asks.NameDirector: Rule(("owner",), participants.name_director),
    asks.DropDirector: Rule(("owner",), participants.drop_director),
    asks.OpenEntry: Rule(("director", "house"), participants.open_entry, timed=True),
    asks.CloseEntry: Rule(("director", "house"), participants.close_entry, timed=True),
    asks.Enter: Rule(("newcomer",), participants.enter),
    asks.Admit: Rule(("director",), participants.admit),
    asks.CheckIn: Rule(("entrant",), participants.check_in_entrant),
    asks.Reveal: Rule(("entrant",), participants.reveal),
    asks.Withdraw: Rule(("entrant",), participants.withdraw),
    asks.WithdrawEntrant: Rule(("director",), participants.withdraw_entrant),
    asks.ReturnEntrant: Rule(("director",), participants.return_entrant),
    asks.ForbidPair: Rule(("director",), participants.forbid_pair),
    asks.AskBye: Rule(("entrant",), participants.ask_bye),
    asks.Ready: Rule(("entrant",), participants.set_ready),
    asks.NotReady: Rule(("entrant",), participants.set_not_ready),
    asks.FixRandomness: Rule(("house",), participants.fix_randomness, timed=True),
    asks.PairRound: Rule(("house", "director"), rounds.pair_round, timed=True),
    asks.PairByRatings: Rule(("house",), rounds.pair_by_ratings, timed=True),
    asks.SetPairing: Rule(("director",), rounds.set_pairing),
    asks.ChooseSeat: Rule(("entrant",), rounds.choose_seat),
    asks.StartRound: Rule(("house", "director"), rounds.start_round, timed=True),
    asks.LinkTable: Rule(("house",), results.link_table),
    asks.NameSubstitute: Rule(("director", "house"), results.name_substitute, timed=True),
    asks.RecordResult: Rule(("house",), results.record_result),
    asks.ConfirmResult: Rule(("entrant", "house"), results.confirm_result, timed=True),
    asks.RaiseDispute: Rule(("entrant",), arbitration.raise_dispute),
    asks.Rule: Rule(("assistant",), arbitration.rule),
    asks.Appeal: Rule(("entrant",), arbitration.appeal),
    asks.CloseRound: Rule(("house",), rounds.close_round, timed=True),
    asks.CloseStage: Rule(("house", "director"), rounds.close_stage, timed=True),
    asks.PauseTournament: Rule(("director",), arbitration.pause_tournament),
    asks.ResumeTournament: Rule(("director", "house"), arbitration.resume_tournament, timed=True),
    asks.CancelTournament: Rule(("director",), arbitration.cancel_tournament),
    asks.FinishTournament: Rule(("house",), rounds.finish_tournament, timed=True),
}

COMMANDS: dict[str, type[Command]] = {type_name(kind): kind for kind in RULES}
"""The commands by name."""


def open_tournament(wanted: Settings, title: Title[Any], commitments: dict[str, str], service: str) -> Batch:
    """Return the first event of a tournament with these settings.

    Raises :class:`settings.InvalidSettings`.
    """
    settings.check_settings(wanted, title)
    position = wanted.position
    return Batch(
        [
            facts.TournamentOpened(
                settings=msgspec.to_builtins(wanted),
                version=VERSION,
                title_version=title.version,
                data_hash=title.data_hash,
                position_hash=None if position is None else sha(canonical.encode(position)).hex(),
                chance=commitments,
                draws=DRAWS,
                proto=PROTOCOL,
                service=service,
            )
        ]
    )


def decide(state: Tournament, actor: str | None, command: Command, at: str, means: DecisionInputs) -> Batch:
    """Return the facts of *command*. Raises :class:`Rejected`.

    *actor* is an entrant (``e7``), a director (``d1``), or None for the server.
    """
    found = RULES[type(command)]
    _check_actor(state, actor, command, found)
    if state.over or (state.status == "cancelled" and type(command) not in _AFTER_CANCELLATION):
        raise Rejected(
            "tournament_over", "The tournament is over. You can still read its standings and bundle."
        )
    draft = TournamentDraft(state, actor, at, means)
    if actor is None and found.timed:
        _check_due(draft.state, command)
    found.take(draft, command)
    return Batch(draft.facts, state=draft.state)


_AFTER_CANCELLATION = (asks.LinkTable, asks.RecordResult, asks.FinishTournament)
"""The commands that a cancelled tournament still takes: games that still run are ended and recorded."""


def _check_actor(state: Tournament, actor: str | None, command: Command, found: Rule) -> None:
    if not set(capacities(state, actor)).isdisjoint(found.by):
        return
    needed = " or the ".join(found.by)
    detail = f"{actor or 'sys'} cannot give {type_name(type(command))}. Only the {needed} can give it."
    directs = not {"entrant", "newcomer"} & set(found.by)
    raise Rejected("not_a_director" if directs else NOT_YOUR_DECISION, detail)


def capacities(state: Tournament, actor: str | None) -> tuple[Capacity, ...]:
    """Return the capacities in which *actor* acts."""
    if actor is None:
        return ("house",)
    number = number_of(actor)
    if actor.startswith("d"):
        return _RANK.get(state.directors.get(number, ""), ())
    if number == len(state.entrants) + 1:
        return ("newcomer",)
    return ("entrant",) if 1 <= number <= len(state.entrants) else ()


def _check_due(state: Tournament, command: Command) -> None:
    """Raise :class:`Rejected` unless *command* is due: the server itself does only what is due."""
    asked = asks.PairByRatings() if isinstance(command, asks.PairByRatings) else command
    when = [at for at, step in due_commands(state) if step == asked]
    if not when:
        raise Rejected("not_due", f"{type_name(type(command))} is not due. Nothing needs to be done.")
    if state.at < when[0]:
        raise Rejected("not_due", f"{type_name(type(command))} is due at {when[0]}. Wait until then.")
