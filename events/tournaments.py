"""Tournaments as the service uses them: every request is decided by the core and appended to the log.

They are streams like games: same table, chain, sequencer, idempotency, written by the same loop.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from events import entropy
from events.catalogue import find_title, title_ids
from events.engine import Batch
from events.log import CommandKnown, EventLog, VersionConflict
from events.proof import ReverseChain, Secrets
from events.recent import Recent
from events.record import Cause, Record, as_recorded, seal
from events.replay import PAGE, NoSuchEvent
from events.steps import Command
from events.table import PROTOCOL
from events.tournament import decide as core
from events.tournament import settings as terms
from events.tournament.commands import Enter
from events.tournament.draft import Means
from events.tournament.evolve import fold
from events.tournament.state import DRAWS, VERSION, Tournament, entrant_name, start
from events.writing import Request, Writer, Written, new_id, own_command_id, utc_now

OPENING = "TournamentOpened"
"""The first event of a tournament; other streams begin with another one."""


class UnknownTournament(LookupError):
    """There is no tournament of that id."""


class Accepted(Written[Tournament], frozen=True):
    """A command that was appended: its events, and the tournament after them."""

    @property
    def tournament(self) -> Tournament:
        """The tournament after them."""
        return self.after


def fresh_secrets(tournament_id: str) -> Secrets:
    """Draw the keys of a new tournament."""
    names = ("anchor", "deal", "hide", "bot", "tables")
    return Secrets(*(entropy.draw(f"{tournament_id}/{name}") for name in names))


def means(secrets: Secrets, chain: ReverseChain, ids: Callable[[], str] = new_id) -> Means:
    """What decisions need of the secrets of a tournament."""
    return Means(chain.element, lambda: disclosed(secrets), ids)


def disclosed(secrets: Secrets) -> dict[str, str]:
    """The secrets of a tournament that has ended, as its last fact tells them."""
    assert secrets.tables is not None  # noqa: S101 - they are a tournament's
    named = {"anchor": secrets.anchor, "deal": secrets.deal, "hide": secrets.hide, "bot": secrets.bot}
    return {name: value.hex() for name, value in (*named.items(), ("tables", secrets.tables))}


class Tournaments(Writer[Tournament, Accepted]):
    """The one way in which tournaments are created, changed and read."""

    def __init__(
        self,
        log: EventLog,
        *,
        origin: Callable[[], str] = lambda: "rutter",
        now: Callable[[], str] = utc_now,
        appended: Callable[[str, int], object] = lambda _tournament, _seq: None,
        ids: Callable[[], str] = new_id,
    ) -> None:
        super().__init__(log, now, appended)
        self._origin = origin
        self._ids = ids
        self._newest: Recent[Tournament] = Recent(200)
        self._keys: Recent[tuple[Secrets, ReverseChain]] = Recent(200)

    # --- reading ---------------------------------------------------------------------------------

    def load(self, tournament_id: str, at: int | None = None) -> Tournament:
        """The tournament after event *at* (default: the newest). Raises UnknownTournament, NoSuchEvent."""
        if at is None:
            return self.patiently(lambda: self.newest(tournament_id))
        return self.patiently(lambda: self._at(tournament_id, at))

    def records(self, tournament_id: str, after: int = 0, limit: int | None = None) -> list[Record]:
        """Events with seq > *after*; all of them is public."""
        return self.patiently(lambda: self.log.read(tournament_id, after, limit))

    def keys(self, state: Tournament) -> tuple[Secrets, ReverseChain]:
        """The tournament's secrets, and the reverse chain made from them."""
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
        """A new tournament with the settings that somebody sent, texts as digests, directors as roles.

        *seated* is called when the settings have been agreed to, before the log is written, for what must
        stand before it. Raises :class:`events.tournament.settings.InvalidSettings`, RulesMissing, and
        :class:`VersionConflict` where a stream of that id is there.
        """
        wanted = terms.read(given)
        if wanted.title not in title_ids():
            known = ", ".join(title_ids())
            raise terms.InvalidSettings({"title": f"There is no such title. There are: {known}."})
        state = start(tournament_id or new_id())
        keys = secrets or fresh_secrets(state.id)
        batch = core.opened(
            wanted, find_title(wanted.title), keys.commitments(state.key, DRAWS), self._named()
        )
        seated()
        cause = Cause(self.time(state), None, command_id or own_command_id())
        records = _sealed(state, batch, cause, keys)
        after = fold(state, records)
        try:
            self.patiently(lambda: self.log.append(state.id, records, keys, keyed=command_id is not None))
        except (VersionConflict, CommandKnown):
            if self.records(state.id, 0, 1)[0].hash != records[0].hash:
                raise VersionConflict from None
            # It was appended at the first attempt, and only the answer was lost.
        self.done(after)
        return after

    def command(
        self,
        tournament_id: str,
        actor: str | None,
        command: Command,
        *,
        expected: int | None = None,
        command_id: str | None = None,
    ) -> Accepted:
        """Carry out *command* of *actor*: ``e7``, ``d1``, or None for the house.

        *expected*: the seq on which it must follow, else :class:`events.writing.StaleVersion`. *command_id*:
        the same id again gives the first result. Raises :class:`events.steps.Rejected`, UnknownTournament.
        """
        asked = as_recorded(command)
        return self.write(
            Request(
                stream=tournament_id,
                actor=actor,
                decide=lambda state, at: core.decide(
                    state, actor, asked, at, means(*self.keys(state), self._ids)
                ),
                command=asked,
                expected=expected,
                command_id=command_id,
            )
        )

    def enter(self, tournament_id: str, command: Enter, *, command_id: str | None = None) -> Accepted:
        """Somebody enters. *command_id*: his claim to the number that he gets, one for each account."""
        asked = as_recorded(command)

        def decide(state: Tournament, at: str) -> Batch:
            return core.decide(state, _newcomer(state), asked, at, means(*self.keys(state), self._ids))

        return self.write(
            Request(
                stream=tournament_id, actor=_newcomer, decide=decide, command=asked, command_id=command_id
            )
        )

    # --- as the one loop asks for it -------------------------------------------------------------

    def known(self, stream: str) -> Tournament | None:
        """The newest in memory, perhaps behind the log."""
        return self._newest.get(stream)

    def newest(self, stream: str) -> Tournament:
        """The newest in the log. Raises UnknownTournament."""
        state = self._advanced(self._newest.get(stream) or start(stream), None)
        self.keep(state)
        return state

    def keep(self, state: Tournament) -> None:
        """Remember *state* as the newest, unless a newer one is known."""
        known = self._newest.get(state.id)
        if known is None or known.seq < state.seq:
            self._newest.put(state.id, state)

    def sealed(self, state: Tournament, batch: Batch, cause: Cause) -> list[Record]:
        """The records of a decided batch."""
        return _sealed(state, batch, cause, self.keys(state)[0])

    def folded(self, state: Tournament, records: Sequence[Record]) -> Tournament:
        """*state* after *records*."""
        return fold(state, records)

    def written(self, records: tuple[Record, ...], after: Tournament, *, replayed: bool = False) -> Accepted:
        """What whoever asked is told."""
        return Accepted(records, after, replayed)

    def command_type(self, state: Tournament) -> Callable[[str], type[Command] | None]:
        """Finds the class of a command by its name."""
        return core.COMMANDS.get

    def _named(self) -> str:
        return self.patiently(self._origin)

    def _at(self, tournament_id: str, at: int) -> Tournament:
        if at < 1:
            raise NoSuchEvent(f"events are numbered from 1; there is no event {at}")
        known = self._newest.get(tournament_id)
        state = known if known is not None and known.seq == at else self._advanced(start(tournament_id), at)
        if state.seq != at:
            raise NoSuchEvent(f"the newest event of this tournament is {state.seq}")
        return state

    def _advanced(self, state: Tournament, until: int | None) -> Tournament:
        """*state* with what the log holds after it, up to event *until*."""
        while until is None or state.seq < until:
            limit = PAGE if until is None else min(PAGE, until - state.seq)
            records = self.log.read(state.id, state.seq, limit)
            if state.seq == 0 and (not records or records[0].type != OPENING):
                raise UnknownTournament(state.id)
            state = fold(state, records)
            if len(records) < limit:
                break
        return state


def _newcomer(state: Tournament) -> str:
    return entrant_name(len(state.entrants) + 1)


def _sealed(state: Tournament, batch: Batch, cause: Cause, keys: Secrets) -> list[Record]:
    return seal(
        batch.facts,
        cause,
        game_id=state.id,
        version=VERSION if state.seq else PROTOCOL,
        seq=state.seq,
        head=state.head,
        secrets=keys,
    )


__all__ = ["Accepted", "NoSuchEvent", "Tournaments", "UnknownTournament"]
