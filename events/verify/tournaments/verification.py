"""Checking a tournament offline: its own stream, and what its games say to it.

Chain and form of each event, the commitments, every draw, every pairing computed again, every command decided
again, the digests of all standings, texts that were not erased; and of each game, once it has been verified
by itself, that it is the game of its table to the byte and ended as was recorded. Every table that started
needs its game, or a ruling that says why not. The first thing that does not hold is named by round and table.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

import msgspec

from events.proof import canonical
from events.proof.randomness import ReverseChain, Secrets, step_back
from events.rules.fact import Fact, type_name
from events.rules.kit.values import plain
from events.rules.steps import Command, Rejected
from events.table.bundle import BadBundle
from events.table.engine import Batch
from events.table.lifecycle_facts import PROTOCOL
from events.table.record import SYSTEM, BatchCause, Envelope, Record, decode_command, encode_bodies
from events.tournament import settings as terms
from events.tournament.bundle import LAST_TYPE, text_digests
from events.tournament.command_rules import COMMANDS, decide, open_tournament
from events.tournament.draft import DecisionInputs
from events.tournament.facts import RoundPaired, TournamentOpened
from events.tournament.folding import FACTS, fold_one
from events.tournament.ladder_ratings import RatedGame
from events.tournament.outcomes import PlayedGame
from events.tournament.settings import Settings
from events.tournament.standings import lot_key, make_standings
from events.tournament.state import DRAWS, VERSION, Tournament, initial_tournament
from events.verify.bodies import (
    InvalidForm,
    check_command,
    check_hex,
    check_id,
    check_integer,
    check_members,
    check_time,
)
from events.verify.creation import find_rules
from events.verify.errors import UncheckableClaim, cannot_import
from events.verify.form import decode_canonical
from events.verify.interventions import list_tournament_interventions
from events.verify.tournaments.report import TournamentReport, describe_place
from events.verify.tournaments.tables import TableChecks

SECRETS = ("anchor", "deal", "hide", "bot", "tables")
"""The secrets that a tournament commits to at first and discloses at last."""
_MEMBERS = frozenset({"at", "by", "cmd", "data", "game", "n", "t", "v"})
_ACTOR = re.compile(r"sys|[de][1-9][0-9]{0,3}")
_UUID7 = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")

Texts = Mapping[tuple[int, str], tuple[bytes, str]]
"""By event and field the salt and the words of what people wrote, where it was not erased."""


def verify_tournament(
    tournament: str,
    records: Sequence[Record],
    service: str,
    *,
    former: Sequence[str] = (),
    games: Mapping[str, PlayedGame] | None = None,
    texts: Texts | None = None,
    ratings: Sequence[RatedGame] | None = None,
    partial: bool = False,
) -> TournamentReport:
    """Verify a tournament's own stream, and its *games*, each already verified by itself.

    Raises BadBundle at the first thing that does not hold, UncheckableClaim without the rules.

    Args:
        tournament: its id.
        records: all its events.
        service: the name of the service that signed its newest event.
        former: the names of services that this one succeeded.
        games: by id what its games say; None where only the stream is looked at.
        texts: what people wrote.
        ratings: the export of ratings of its pool, by which those of a ladder are recomputed.
        partial: whether it may run still, and games may be missing.
    """
    report = TournamentReport(tournament)
    tables = TableChecks(report, games, ratings, partial=partial)
    course = _TournamentVerifier(records, (service, *former), texts or {}, tables, report, partial=partial)
    try:
        return course.run()
    except (BadBundle, UncheckableClaim):
        raise
    except ImportError as error:
        raise cannot_import(error) from error
    except Exception as error:
        # A fault of the verifier itself: whatever the file did, its reader must not take it for sound.
        raise BadBundle(None, f"cannot be checked ({type(error).__name__})") from error


class _TournamentVerifier:
    """A tournament on its way from its first event to its newest."""

    def __init__(
        self,
        records: Sequence[Record],
        services: Sequence[str],
        texts: Texts,
        tables: TableChecks,
        report: TournamentReport,
        *,
        partial: bool,
    ) -> None:
        self.state = initial_tournament(report.tournament)
        self.report = report
        self._records = records
        self._services = services
        self._texts = texts
        self._tables = tables
        self._partial = partial
        self._elements: dict[int, bytes] = {}
        self._chain: ReverseChain | None = None
        self._disclosed: dict[str, str] = {}
        self._commands: set[str] = set()
        self._ids: set[str] = set()

    def run(self) -> TournamentReport:
        """Every batch in order."""
        if not self._records:
            raise BadBundle(None, "there is no event")
        head, before = canonical.genesis(self.state.id), ""
        for n, record in enumerate(self._records, 1):
            with _error_context(self.state, record, n):
                before = self._check_form(record, n, before)
                head = canonical.link(head, record.body)
                if record.hash != head or record.seq != n:
                    raise InvalidForm("its hash does not follow from the event before and its content")
        self._check_end()
        self._check_commitments()
        for _, batch in groupby(self._records, key=lambda record: record.command_id):
            self._check_batch(list(batch))
        self._tables.check_end(self.state)
        return self._finish_report()

    # --- form ------------------------------------------------------------------------------------

    def _check_form(self, record: Record, n: int, before: str) -> str:
        """The members, the actor and the time of an event; its time."""
        value = decode_canonical(record.body, "its body", n)
        check_members(value, _MEMBERS, frozenset({"command"}), "its body")
        if type(value["n"]) is not int or (value["n"], value["game"]) != (n, self.state.id):
            raise InvalidForm("its body names another event or another tournament")
        if record.type not in FACTS or (record.type == "TournamentOpened") != (n == 1):
            raise InvalidForm("a tournament is opened once, by event 1, and knows no such event elsewhere")
        if not isinstance(value["data"], dict):
            raise InvalidForm("its data is not an object")
        version = PROTOCOL if n == 1 else VERSION
        check_integer(value["v"], version, version, "its v")
        if not isinstance(value["by"], str) or not _ACTOR.fullmatch(value["by"]):
            raise InvalidForm("its by is not a participant of a tournament")
        if check_id(value["cmd"], "its cmd") != record.command_id:
            raise InvalidForm("its cmd differs from that of its batch")
        if "command" in value:
            check_command(value["command"])
        if check_time(value["at"]) < before:
            raise InvalidForm("at runs backwards")
        return str(value["at"])

    def _check_end(self) -> None:
        kinds = [record.type for record in self._records]
        if LAST_TYPE in kinds[:-1]:
            raise BadBundle(kinds.index(LAST_TYPE) + 1, "it ends the tournament, but events follow on it")
        self.report.whole = kinds[-1] == LAST_TYPE
        if not self.report.whole and not self._partial:
            raise BadBundle(None, "the tournament is not over; verify it with --partial")

    # --- randomness ------------------------------------------------------------------------------

    def _check_commitments(self) -> None:
        first = _decode_fact(self._records[0], TournamentOpened)
        if set(first.chance) != {"s_0", *SECRETS[1:]} or first.draws != DRAWS:
            raise BadBundle(1, "it commits to other things than a tournament does")
        with _error_context(self.state, self._records[0], 1):
            for name, commitment in first.chance.items():
                check_hex(commitment, 32, f"the commitment {name}")
        if self.report.whole:
            self._open_secrets(first)
        else:
            self._read_elements(first)

    def _open_secrets(self, first: TournamentOpened) -> None:
        """Check that the secrets of the last event are those that the first one committed to."""
        last = self._records[-1]
        disclosed = msgspec.json.decode(last.envelope().data).get("disclosed")
        try:
            given = check_members(disclosed, frozenset(SECRETS), frozenset(), "disclosed")
            secrets = Secrets(*(check_hex(given[name], 32, f"the secret {name}") for name in SECRETS))
        except InvalidForm as problem:
            raise BadBundle(last.seq, str(problem)) from problem
        if secrets.commitments(self.state.key, first.draws) != first.chance:
            raise BadBundle(last.seq, "the disclosed secrets do not fit the commitments of event 1")
        self._disclosed, self._tables.secret = dict(given), secrets.tables
        self._chain = ReverseChain(secrets.anchor, self.state.key, first.draws)

    def _read_elements(self, first: TournamentOpened) -> None:
        """While it runs, each element that a draw shows lies on the chain that event 1 committed to."""
        shown: dict[int, bytes] = {}
        for record in self._records:
            draw = msgspec.json.decode(record.envelope().data).get("draw")
            if isinstance(draw, dict) and isinstance(draw.get("k"), int) and 0 < draw["k"] <= first.draws:
                with _error_context(self.state, record, record.seq):
                    shown.setdefault(draw["k"], check_hex(draw.get("s"), 32, f"draw {draw['k']}"))
        newest = max(shown, default=0)
        element = shown.get(newest, b"")
        for k in range(newest, 0, -1):
            if shown.get(k, element) != element:
                raise BadBundle(None, f"draw {k} is not on the chain that event 1 committed to")
            self._elements[k] = element
            element = step_back(self.state.key, k, element)
        if newest and element.hex() != first.chance["s_0"]:
            raise BadBundle(None, f"draw {newest} is not on the chain that event 1 committed to")

    def _element(self, k: int) -> bytes:
        if self._chain is not None:
            return self._chain.element(k)
        if k not in self._elements:
            raise Rejected("draw_unknown", f"Draw {k} is shown by no event.")
        return self._elements[k]

    # --- batches ---------------------------------------------------------------------------------

    def _check_batch(self, batch: list[Record]) -> None:
        first = batch[0]
        with _error_context(self.state, first, first.seq):
            envelope, command = first.envelope(), None
            if first.command_id in self._commands:
                raise InvalidForm("its cmd stood in an earlier batch")
            self._commands.add(first.command_id)
            if first.seq == 1:
                decided = self._redecide_opening(first)
            else:
                command = _decode_command(first, envelope)
                decided = self._redecide_command(batch, envelope, command)
                self.report.commands += 1
            self._compare(batch, envelope, decided, command)
            for record in batch:
                self._read_texts(record)
            self.report.interventions += list_tournament_interventions(batch, envelope, FACTS)
        for record in batch:
            with _error_context(self.state, record, record.seq):
                before = self.state
                self.state = fold_one(before, record)
                self._tables.follow(record, command, before, self.state)

    def _redecide_opening(self, record: Record) -> Batch:
        opening = _decode_fact(record, TournamentOpened)
        if opening.service not in self._services or opening.proto != PROTOCOL or opening.version != VERSION:
            raise InvalidForm("its service, protocol or version is not the known one")
        wanted = msgspec.convert(opening.settings, Settings)
        title = find_rules(wanted.title, opening.title_version, opening.data_hash)
        if terms.parse_settings(opening.settings) != wanted:
            raise InvalidForm("its settings lack a default")
        return open_tournament(wanted, title, opening.chance, opening.service)

    def _redecide_command(self, batch: Sequence[Record], envelope: Envelope, command: Command) -> Batch:
        actor = None if envelope.by == SYSTEM else envelope.by
        ids = self._new_ids(batch)
        means = DecisionInputs(self._element, lambda: self._disclosed, lambda: next(ids, ""))
        return decide(self.state, actor, command, envelope.at, means)

    def _new_ids(self, batch: Sequence[Record]) -> Iterator[str]:
        """The ids of games that the batch names first: its writer chose them; nothing depends on them."""
        for record in batch:
            data = msgspec.json.decode(record.envelope().data)
            new = data.get("games") if record.type == "RoundStarted" else ()
            if not isinstance(new, list | tuple):
                raise InvalidForm("its games are no list")
            for game in (data.get("game"),) if record.type == "TableReplayed" else new:
                if not isinstance(game, str) or game in self._ids or not _UUID7.fullmatch(game):
                    raise InvalidForm("the id of a game is a UUIDv7 that no other table has")
                self._ids.add(game)
                yield game

    def _compare(
        self, batch: Sequence[Record], envelope: Envelope, decided: Batch, command: Command | None
    ) -> None:
        """Check that the recorded bytes are those that follow from the command."""
        actor = None if envelope.by == SYSTEM else envelope.by
        made = encode_bodies(
            decided.facts,
            BatchCause(envelope.at, actor, envelope.cmd, command),
            game_id=self.state.id,
            version=VERSION if self.state.seq else PROTOCOL,
            seq=self.state.seq,
            secrets=_NO_SECRETS,
        )
        for record, fact, (body, _) in zip(batch, decided.facts, made, strict=False):
            if record.body != body:
                raise InvalidForm(_describe_difference(record, fact))
        if len(batch) != len(made):
            raise InvalidForm(f"{len(made)} events follow from its command, but {len(batch)} are recorded")

    # --- texts -----------------------------------------------------------------------------------

    def _read_texts(self, record: Record) -> None:
        for field, digest in text_digests(msgspec.json.decode(record.envelope().data)).items():
            self.report.texts += 1
            kept = self._texts.get((record.seq, field))
            if kept is None:
                self.report.erased += 1
            elif canonical.part_digest(kept[0], canonical.encode(kept[1])) != digest:
                raise InvalidForm(f"its {field} is not what was written")

    def _finish_report(self) -> TournamentReport:
        state, report = self.state, self.report
        report.title = f"{state.settings.title} {state.title_version}"
        report.events, report.head = state.seq, state.head.hex()
        report.status, report.draws = state.status, state.drawn
        report.rounds = sum(bool(one.started_at) for one in state.rounds)
        report.contributed = sum(one.contribution is not None for one in state.entrants)
        report.withheld = sum(
            one.commitment is not None and one.contribution is None for one in state.entrants
        )
        last = state.rounds[-1].lot if state.rounds else None
        report.standings = make_standings(state, None, lot_key(state, last)) if state.rounds else []
        return report


_NO_SECRETS = Secrets(b"", b"", b"", b"")
"""Nothing of a tournament is hidden, so nothing is salted."""


def _decode_fact(record: Record, kind: type[Any]) -> Any:
    try:
        return msgspec.json.decode(record.envelope().data, type=kind)
    except msgspec.ValidationError as error:
        raise BadBundle(record.seq, f"its data do not fit its type: {error}") from error


def _decode_command(record: Record, envelope: Envelope) -> Command:
    """Return the command behind a batch, spelt as such commands are. Raises :class:`InvalidForm`."""
    command = decode_command(record, envelope, COMMANDS.get)
    if command is None or canonical.encode(envelope.command) != canonical.encode(
        msgspec.to_builtins(command, str_keys=True)
    ):
        raise InvalidForm("it has no command in the form of a tournament's commands")
    return command


def _describe_difference(record: Record, fact: Fact) -> str:
    if record.type != type_name(type(fact)):
        return f"{type_name(type(fact))} follows from its command, not {record.type}"
    recorded, made = msgspec.json.decode(record.envelope().data), plain(fact)
    for name in made:
        if name != "type" and recorded.get(name) != made[name]:
            if isinstance(fact, RoundPaired) and name == "pods" and _are_pods(recorded.get("pods")):
                return _describe_pods(recorded["pods"], made["pods"])
            return f"{record.type}: its {name} is not what follows"
    return f"{record.type} is not what follows from its command"


def _are_pods(value: Any) -> bool:
    """Return True if *value* is a list of lists of texts."""
    return isinstance(value, list) and all(
        isinstance(pod, list) and all(isinstance(name, str) for name in pod) for pod in value
    )


def _describe_pods(recorded: Sequence[Any], made: Sequence[Any]) -> str:
    for number, (one, other) in enumerate(zip(recorded, made, strict=False), 1):
        if list(one) != list(other):
            return f"table {number}: {', '.join(other)} are drawn to it, not {', '.join(one)}"
    return f"{len(made)} tables are drawn, not {len(recorded)}"


class _error_context:  # noqa: N801 - reads as a statement: `with _error_context(state, record, n):`
    """A context that tells whatever fails inside with its round and table, or else with its event."""

    def __init__(self, state: Tournament, record: Record, n: int) -> None:
        self._state = state
        self._record = record
        self._n = n

    def __enter__(self) -> None:
        pass

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if (
            error is None
            or isinstance(error, BadBundle | UncheckableClaim)
            or not isinstance(error, Exception)
        ):
            return
        if isinstance(error, ImportError):
            raise cannot_import(error) from error
        if isinstance(error, InvalidForm):
            reason = str(error)
        elif isinstance(error, Rejected):
            reason = f"the rules refuse this command ({error})"
        elif isinstance(error, msgspec.MsgspecError):
            reason = f"it cannot be read: {error}"
        else:  # whatever a file does to the rules, its first bad event is named
            reason = f"cannot be checked ({type(error).__name__})"
        raise BadBundle(*self._name_place(reason)) from error

    def _name_place(self, reason: str) -> tuple[int | None, str]:
        try:
            data = msgspec.json.decode(self._record.body).get("data", {})
            number, table = data.get("round"), data.get("table")
        except (msgspec.DecodeError, AttributeError):
            return self._n, reason
        if type(number) is not int:
            return self._n, reason
        if type(table) is int:
            return None, f"{describe_place(number, table)}: {reason} (event {self._n})"
        return None, f"round {number}: {reason} (event {self._n})"
