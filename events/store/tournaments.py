"""Tournaments as the service uses them: every request is decided by the core and appended to the log.

They are streams like games: same table, chain, sequencer, idempotency, written by the same loop.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from events.base.bounded_cache import BoundedCache
from events.proof.randomness import ReverseChain, Secrets
from events.rules.catalogue import find_title, title_ids
from events.rules.steps import Command
from events.store import entropy
from events.store.event_log import DuplicateCommand, EventLog, VersionConflict
from events.store.games import READ_PAGE, NoSuchEvent
from events.store.stream_writer import (
    Appended,
    CommandResult,
    StreamWriter,
    WriteRequest,
    new_command_id,
    new_id,
    utc_now,
)
from events.table.engine import Batch
from events.table.lifecycle_facts import PROTOCOL
from events.table.record import BatchCause, Record, canonical_command
from events.tournament import command_rules as core
from events.tournament import settings as terms
from events.tournament.commands import Enter
from events.tournament.draft import DecisionInputs
from events.tournament.folding import fold
from events.tournament.state import DRAWS, VERSION, Tournament, entrant_name, initial_tournament

OPENING_TYPE = "TournamentOpened"
"""The first event of a tournament; other streams begin with another one."""


class UnknownTournament(LookupError):
    """There is no tournament of that id."""


class TournamentCommandResult(CommandResult[Tournament], frozen=True):
    """A command that was appended: its events, and the tournament after them."""

    @property
    def tournament(self) -> Tournament:
        """The tournament after them."""
        return self.after


def generate_secrets(tournament_id: str) -> Secrets:
    """Draw the keys of a new tournament."""
    names = ("anchor", "deal", "hide", "bot", "tables")
    return Secrets(*(entropy.draw(f"{tournament_id}/{name}") for name in names))


def make_inputs(secrets: Secrets, chain: ReverseChain, ids: Callable[[], str] = new_id) -> DecisionInputs:
    """Return the inputs that decisions need of the secrets of a tournament."""
    return DecisionInputs(chain.element, lambda: disclose_secrets(secrets), ids)


def disclose_secrets(secrets: Secrets) -> dict[str, str]:
    """Return the secrets of a tournament that has ended, as its last fact tells them."""
    assert secrets.tables is not None  # noqa: S101 - they are a tournament's
    named = {"anchor": secrets.anchor, "deal": secrets.deal, "hide": secrets.hide, "bot": secrets.bot}
    return {name: value.hex() for name, value in (*named.items(), ("tables", secrets.tables))}


class Tournaments(StreamWriter[Tournament, TournamentCommandResult]):
    """The one way in which tournaments are created, changed and read."""

    def __init__(
        self,
        log: EventLog,
        *,
        origin: Callable[[], str] = lambda: "rutter",
        now: Callable[[], str] = utc_now,
        appended: Appended = lambda _tournament, _seq, _awaits: None,
        ids: Callable[[], str] = new_id,
    ) -> None:
        super().__init__(log, now, appended)
        self._origin = origin
        self._ids = ids
        self._newest: BoundedCache[Tournament] = BoundedCache(200)
        self._keys: BoundedCache[tuple[Secrets, ReverseChain]] = BoundedCache(200)

    # --- reading ---------------------------------------------------------------------------------

    def load(self, tournament_id: str, at: int | None = None) -> Tournament:
        """Return the tournament after event *at* (default: newest). Raises UnknownTournament, NoSuchEvent."""
        if at is None:
            return self.retry_on_disconnect(lambda: self.load_newest(tournament_id))
        return self.retry_on_disconnect(lambda: self._load_at(tournament_id, at))

    def records(self, tournament_id: str, after: int = 0, limit: int | None = None) -> list[Record]:
        """Events with seq > *after*; all of them is public."""
        return self.retry_on_disconnect(lambda: self.log.read(tournament_id, after, limit))

    def keys(self, state: Tournament) -> tuple[Secrets, ReverseChain]:
        """Return the tournament's secrets, and the reverse chain made from them."""
        found = self._keys.get(state.id)
        if found is None:
            secrets = self.log.keys(state.id)
            found = (secrets, ReverseChain(secrets.anchor, state.key, DRAWS))
            self._keys.put(state.id, found)
        return found

    # --- writing ---------------------------------------------------------------------------------

    def create(
        self,
        given: Mapping[str, Any],
        *,
        tournament_id: str | None = None,
        command_id: str | None = None,
        seated: Callable[[], object] = lambda: None,
        secrets: Secrets | None = None,
    ) -> Tournament:
        """Make a tournament with the settings of a request, texts as digests, directors as roles.

        *seated* is called when the settings have been agreed to, before the log is written, for what must
        stand before it. Raises :class:`events.tournament.settings.InvalidSettings`, RulesMissing, and
        :class:`VersionConflict` where a stream of that id is there.
        """
        wanted = terms.parse_settings(given)
        if wanted.title not in title_ids():
            known = ", ".join(title_ids())
            raise terms.InvalidSettings({"title": f"Name one of these titles: {known}."})
        state = initial_tournament(tournament_id or new_id())
        keys = secrets or generate_secrets(state.id)
        batch = core.open_tournament(
            wanted,
            find_title(wanted.title),
            keys.commitments(state.key, DRAWS),
            self.retry_on_disconnect(self._origin),
        )
        seated()
        cause = BatchCause(self.next_time(state), None, command_id or new_command_id())
        records = self.seal_batch(state, batch, cause, keys)
        after = fold(state, records)
        try:
            self.retry_on_disconnect(
                lambda: self.log.append(state.id, records, keys, keyed=command_id is not None)
            )
        except (VersionConflict, DuplicateCommand):
            if self.records(state.id, 0, 1)[0].hash != records[0].hash:
                raise VersionConflict from None
            # It was appended at the first attempt, and only the answer was lost.
        self.publish(after)
        return after

    def command(
        self,
        tournament_id: str,
        actor: str | None,
        command: Command,
        *,
        expected: int | None = None,
        command_id: str | None = None,
    ) -> TournamentCommandResult:
        """Carry out *command* of *actor*: ``e7``, ``d1``, or None for the server.

        *expected*: the seq on which it must follow, else :class:`StaleVersion`. *command_id*:
        the same id again gives the first result. Raises :class:`Rejected`, UnknownTournament.
        """
        asked = canonical_command(command)
        return self.write(
            WriteRequest(
                stream=tournament_id,
                actor=actor,
                decide=lambda state, at: core.decide(
                    state, actor, asked, at, make_inputs(*self.keys(state), self._ids)
                ),
                command=asked,
                expected=expected,
                command_id=command_id,
            )
        )

    def enter(
        self, tournament_id: str, command: Enter, *, command_id: str | None = None
    ) -> TournamentCommandResult:
        """Carry out *command* of an account that enters a tournament and gets a number by it.

        *command_id*: the claim of the account to its number, one for each account.
        """
        asked = canonical_command(command)

        def decide(state: Tournament, at: str) -> Batch:
            return core.decide(
                state, _next_entrant(state), asked, at, make_inputs(*self.keys(state), self._ids)
            )

        return self.write(
            WriteRequest(
                stream=tournament_id, actor=_next_entrant, decide=decide, command=asked, command_id=command_id
            )
        )

    # --- as the one loop asks for it -------------------------------------------------------------

    def get_cached_state(self, stream: str) -> Tournament | None:
        """Return the newest in memory, perhaps behind the log."""
        return self._newest.get(stream)

    def load_newest(self, stream: str) -> Tournament:
        """Return the newest in the log. Raises UnknownTournament."""
        state = self._fold_log(self._newest.get(stream) or initial_tournament(stream), None)
        self.remember(state)
        return state

    def remember(self, state: Tournament) -> None:
        """Remember *state* as the newest, unless a newer one is known."""
        known = self._newest.get(state.id)
        if known is None or known.seq < state.seq:
            self._newest.put(state.id, state)

    def record_version(self, state: Tournament) -> int:
        """Return the version that the next records name."""
        return VERSION if state.seq else PROTOCOL

    def fold_records(self, state: Tournament, records: Sequence[Record]) -> Tournament:
        """*state* after *records*."""
        return fold(state, records)

    def make_result(
        self, records: tuple[Record, ...], after: Tournament, *, replayed: bool = False
    ) -> TournamentCommandResult:
        """Return the result for the caller."""
        return TournamentCommandResult(records, after, replayed)

    def command_type(self, state: Tournament) -> Callable[[str], type[Command] | None]:
        """Finds the class of a command by its name."""
        return core.COMMANDS.get

    def _load_at(self, tournament_id: str, at: int) -> Tournament:
        if at < 1:
            raise NoSuchEvent(f"events are numbered from 1; there is no event {at}")
        known = self._newest.get(tournament_id)
        state = (
            known
            if known is not None and known.seq == at
            else self._fold_log(initial_tournament(tournament_id), at)
        )
        if state.seq != at:
            raise NoSuchEvent(f"the newest event of this tournament is {state.seq}")
        return state

    def _fold_log(self, state: Tournament, until: int | None) -> Tournament:
        """*state* with what the log holds after it, up to event *until*."""
        while until is None or state.seq < until:
            limit = READ_PAGE if until is None else min(READ_PAGE, until - state.seq)
            records = self.log.read(state.id, state.seq, limit)
            if state.seq == 0 and (not records or records[0].type != OPENING_TYPE):
                raise UnknownTournament(state.id)
            state = fold(state, records)
            if len(records) < limit:
                break
        return state


def _next_entrant(state: Tournament) -> str:
    return entrant_name(len(state.entrants) + 1)


__all__ = ["NoSuchEvent", "TournamentCommandResult", "Tournaments", "UnknownTournament"]
