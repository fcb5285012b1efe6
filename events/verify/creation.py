"""The creation of a game, decided again: only what its facts ask for is believed."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from events.proof import canonical
from events.proof.randomness import ReverseChain, Secrets, commit
from events.rules.bot_names import is_bot
from events.rules.catalogue import RulesMissing, UnusableTitle, find_title, versions
from events.rules.fact import Fact
from events.rules.steps import Rejected
from events.rules.title import InvalidPosition, Title
from events.table import commit_reveal, lifecycle_facts
from events.table.bundle import BadBundle, Header
from events.table.record import HOUSE, SYSTEM, Envelope, Record, split_fact
from events.table.tournament_link import SINGLE_GAME_KIND
from events.verify import limits
from events.verify.bodies import InvalidForm, check_hex, check_id, check_integer, check_members
from events.verify.errors import UncheckableClaim

_SECRETS = ("anchor", "deal", "hide", "bot")
_REFERENCE = frozenset({"attempt", "hash", "id", "round", "stage", "table"})


class Creation(msgspec.Struct):
    """The content of the first batch of a game."""

    opened: lifecycle_facts.TableOpened
    title: Title[Any]
    key: bytes
    """The bytes that stand for the game in its randomness: its id, or the key that its opening names."""
    positioned: bool
    bots: bool
    """True if a bot sits at any seat."""

    @property
    def kind(self) -> str:
        """The kind of game, in words."""
        if self.opened.tournament is not None:
            return SINGLE_GAME_KIND
        if not self.opened.analysis:
            return "ordinary"
        why = ["seeded"] if self.opened.key is not None else []
        if self.positioned:
            why.append("from a position")
        if self.opened.origin is not None:
            why.append(f"fork of {self.opened.origin['game']} at event {self.opened.origin['seq']}")
        return "analysis: " + "; ".join(why)


def check_creation(batch: Sequence[Record], header: Header, services: Sequence[str]) -> Creation:
    """Return the creation that *batch* records, under one of the names in *services*.

    Raises :class:`BadBundle`, and :class:`UncheckableClaim` where the rules are missing.
    """
    try:
        return _check_creation(batch, header, services)
    except InvalidForm as problem:
        raise BadBundle(1, str(problem)) from problem


def _check_creation(batch: Sequence[Record], header: Header, services: Sequence[str]) -> Creation:
    first = batch[0]
    opened = _decode_opened(first, first.envelope())
    if (opened.title, opened.version) != (header.title, header.version):
        raise InvalidForm("the header names other rules than the first event")
    title = find_rules(opened.title, opened.version, opened.data_hash)
    _check_table(opened, title)
    _check_randomness(opened, services)
    positioned = len(batch) > 1 and batch[1].type == "PositionSet"
    _check_origin(opened, positioned)
    key = bytes.fromhex(opened.key) if opened.key is not None else uuid.UUID(header.game).bytes
    if positioned:
        _check_position(batch[1], title)
    _compare_facts(batch, title, key)
    return Creation(
        opened,
        title,
        key,
        positioned,
        any(record.type == "SeatTaken" and b'"bot":null' not in record.body for record in batch),
    )


def _decode_opened(record: Record, envelope: Envelope) -> lifecycle_facts.TableOpened:
    try:
        return msgspec.json.decode(envelope.data, type=lifecycle_facts.TableOpened)
    except msgspec.ValidationError as error:
        raise InvalidForm(f"its data do not fit its type: {error}") from error


def find_rules(title: str, version: int, data_hash: str) -> Title[Any]:
    """Return the rules that a stream names. Raises InvalidForm, UncheckableClaim without them."""
    try:
        return find_title(title, version, data_hash)
    except UnusableTitle as unusable:
        raise UncheckableClaim(str(unusable)) from None
    except RulesMissing as missing:
        if version in {t.version for t in versions(title)}:
            raise InvalidForm(
                f"the game was played with data of the title that are not installed: {missing}"
            ) from None
        raise UncheckableClaim(str(missing)) from None


def _check_table(opened: lifecycle_facts.TableOpened, title: Title[Any]) -> None:
    """Seats and options that the title accepts."""
    check_integer(opened.seats, 1, limits.SEATS, "seats")
    if opened.seats not in title.seats:
        raise InvalidForm(f"{title.name} is not for {opened.seats} seats")
    try:
        options = msgspec.convert(opened.options, title.Options)
        title.check_options(opened.seats, options)
    except (msgspec.ValidationError, Rejected) as problem:
        raise InvalidForm(f"the title refuses these options: {problem}") from problem


def _check_randomness(opened: lifecycle_facts.TableOpened, services: Sequence[str]) -> None:
    """Commitments, protocol, who signs, and what else has a form of its own."""
    check_integer(opened.draws, 1, limits.CHAIN, "draws")
    check_members(opened.chance, frozenset({"s_0", "deal", "hide", "bot"}), frozenset(), "chance")
    for name, commitment in opened.chance.items():
        check_hex(commitment, 32, f"the commitment {name}")
    if opened.proto != lifecycle_facts.PROTOCOL:
        raise InvalidForm(f"its protocol is not {lifecycle_facts.PROTOCOL}")
    if opened.service not in services:
        raise InvalidForm("its service is not the one that signed the receipt")
    if opened.key is not None:
        check_hex(opened.key, 16, "key")
    _check_terms(opened)


def _check_terms(opened: lifecycle_facts.TableOpened) -> None:
    """Check the reference to a tournament, where the game belongs to one."""
    if opened.tournament is None:
        return
    reference = check_members(opened.tournament, _REFERENCE, frozenset(), "its tournament")
    check_id(reference["id"], "its tournament")
    check_hex(reference["hash"], 32, "the start of its round")
    for name in ("stage", "round", "table"):
        check_integer(reference[name], 1, canonical.MAX_INTEGER, f"its {name}")
    check_integer(reference["attempt"], 0, canonical.MAX_INTEGER, "its attempt")
    if opened.key is None or opened.origin is not None:
        raise InvalidForm("a game of a tournament has a key of its own, and is forked from nowhere")


def _check_origin(opened: lifecycle_facts.TableOpened, positioned: bool) -> None:
    """Check the origin, and that the game is marked as analysis exactly where it proves nothing."""
    if opened.origin is not None:
        origin = check_members(opened.origin, frozenset({"game", "seq"}), frozenset(), "origin")
        check_id(origin["game"], "origin")
        check_integer(origin["seq"], 1, canonical.MAX_INTEGER, "the origin's seq")
        if not positioned:
            raise InvalidForm("a fork begins from a position")
    proves_nothing = opened.key is not None or positioned or opened.origin is not None
    if opened.analysis != (proves_nothing and opened.tournament is None):
        raise InvalidForm("analysis is true exactly where there is a key, a position or an origin")


def _compare_facts(batch: Sequence[Record], title: Title[Any], key: bytes) -> None:
    """Check that facts are what the engine makes of the request, and envelopes what the platform writes.

    All of a creation is public but a position's content.
    """
    wanted = iter(_redecide(batch, title, key))
    before = -1
    for record in batch:
        fact = next(wanted, None)
        if fact is None or type(fact).__name__ != record.type:
            raise BadBundle(record.seq, f"{record.type} does not belong there in a creation")
        envelope = record.envelope()
        data, hidden = split_fact(fact)
        if canonical.encode(data) != bytes(envelope.data) or set(envelope.hid or {}) != set(hidden):
            raise BadBundle(record.seq, f"{record.type} is not what was asked for")
        if (
            any((envelope.command, envelope.draws, envelope.bot, envelope.sig, envelope.clock))
            or envelope.by != SYSTEM
        ):
            raise BadBundle(record.seq, "a creation is by sys, without command, draws and bot")
        if isinstance(fact, lifecycle_facts.SeatTaken):
            if fact.seat <= before:
                raise BadBundle(record.seq, "seats are taken in rising order")
            before = fact.seat
    missing = next(wanted, None)
    if missing is not None:
        raise BadBundle(len(batch) + 1, f"{type(missing).__name__} is missing in the creation")


def _redecide(batch: Sequence[Record], title: Title[Any], key: bytes) -> list[Fact]:
    position: dict[str, Any] | None = None
    for record in batch[1:]:
        if record.type == "SeatTaken":
            bot = msgspec.json.decode(record.envelope().data).get("bot")
            if bot is not None and not (isinstance(bot, str) and is_bot(bot, title.bots)):
                raise BadBundle(record.seq, "a seat has a bot that the title does not have")
        elif record.type == "PositionSet" and record.seq == 2:
            position = _read_position(record)
        elif record.type != "SeatCommitted":
            raise BadBundle(record.seq, f"{record.type} does not belong to a creation")
    try:
        return commit_reveal.redecide_creation(batch, title, key, position).facts
    except (Rejected, ValueError, msgspec.MsgspecError) as problem:
        raise InvalidForm(f"a game is not created like this: {problem}") from problem


def _read_position(record: Record) -> dict[str, Any]:
    """Return the position, where the reader has it; else one that stands for it."""
    part = record.parts.get(HOUSE)
    data = {"position": {}} if part is None else msgspec.json.decode(part.body)
    if set(data) != {"position"} or not isinstance(data["position"], dict):
        raise BadBundle(record.seq, "its hidden part is not a position")
    return data["position"]


def _check_position(record: Record, title: Title[Any]) -> None:
    """Check that the title takes the position, where the reader has it; its size bounds all that follows."""
    if HOUSE not in record.parts:
        return
    try:
        title.from_position(_read_position(record))
    except InvalidPosition as problem:
        raise BadBundle(record.seq, f"its position is not one of {title.name}: {problem}") from problem


def check_disclosed_secrets(last: Record, creation: Creation) -> tuple[Secrets, ReverseChain]:
    """Return the secrets in the last event, those that event 1 committed to. Raises :class:`BadBundle`."""
    data: Mapping[str, Any] = msgspec.json.decode(last.envelope().data)
    try:
        given = check_members(data.get("disclosed"), frozenset(_SECRETS), frozenset(), "disclosed")
        secrets = Secrets(*(check_hex(given[name], 32, f"the secret {name}") for name in _SECRETS))
    except InvalidForm as problem:
        raise BadBundle(last.seq, str(problem)) from problem
    opened = creation.opened
    chain = ReverseChain(secrets.anchor, creation.key, opened.draws)
    committed = {name: commit(name, creation.key, getattr(secrets, name)).hex() for name in _SECRETS[1:]}
    if {"s_0": chain.element(0).hex(), **committed} != opened.chance:
        raise BadBundle(last.seq, "the disclosed secrets do not fit the commitments of event 1")
    return secrets, chain
