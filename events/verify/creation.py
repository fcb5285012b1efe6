"""The creation of a game, decided again: what it asks for is read from its facts, and nothing else is believed."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from events import canonical, table
from events.bundle import BadBundle, Header
from events.catalogue import find_title
from events.fact import Fact
from events.proof import ReverseChain, Secrets, commit
from events.record import BOTS, HOUSE, SYSTEM, Envelope, Record, split
from events.steps import Rejected
from events.title import Title
from events.verify import limits
from events.verify.bodies import Misshapen, check_b64, check_hex, check_id, check_time, members, whole_number
from events.verify.errors import CannotCheck

SHORTEST_REVEAL_MS = 60_000
_SECRETS = ("anchor", "deal", "hide", "bot")


class Creation(msgspec.Struct):
    """What the first batch says."""

    opened: table.TableOpened
    title: Title[Any]
    key: bytes
    """What stands for the game in its randomness: its id, or what follows from a seed."""
    positioned: bool
    seats: tuple[table.SeatTaken, ...]

    @property
    def kind(self) -> str:
        """What kind of game it is, in words."""
        if not self.opened.analysis:
            return "ordinary"
        why = ["seeded"] if self.opened.key is not None else []
        if self.positioned:
            why.append("from a position")
        if self.opened.origin is not None:
            why.append(f"fork of {self.opened.origin['game']} at event {self.opened.origin['seq']}")
        return "analysis: " + "; ".join(why)


def decided(batch: Sequence[Record], header: Header, services: Sequence[str]) -> Creation:
    """The creation that *batch* records, under one of the names in *services*.

    Raises :class:`BadBundle`, and :class:`CannotCheck` where the rules are not at hand.
    """
    try:
        return _decided(batch, header, services)
    except Misshapen as problem:
        raise BadBundle(1, str(problem)) from problem


def _decided(batch: Sequence[Record], header: Header, services: Sequence[str]) -> Creation:
    first = batch[0]
    opened = plain(first, first.envelope(), table.TableOpened)
    if (opened.title, opened.version) != (header.title, header.version):
        raise Misshapen("the header names other rules than the first event")
    title = _rules(opened)
    _check_table(opened, title)
    _check_randomness(opened, header, services)
    rest = list(batch[1:])
    positioned = bool(rest) and rest[0].type == "PositionSet"
    if positioned:
        _check_position(rest.pop(0))
    _check_origin(opened, positioned)
    return Creation(
        opened,
        title,
        bytes.fromhex(opened.key) if opened.key is not None else uuid.UUID(header.game).bytes,
        positioned,
        tuple(_seats(rest, opened)),
    )


def plain(record: Record, envelope: Envelope, kind: type[Fact]) -> Any:
    """A fact of the platform that hides nothing, if its event is just what that fact gives.

    Raises :class:`BadBundle`.
    """
    if record.type != kind.__name__ or envelope.hid is not None or record.parts:
        raise BadBundle(record.seq, f"{record.type} with hidden parts is not what the platform records")
    if envelope.by != SYSTEM or envelope.command is not None or envelope.draws is not None:
        raise BadBundle(record.seq, f"{record.type} is by sys, without command and draws")
    if envelope.bot is not None:
        raise BadBundle(record.seq, f"{record.type} is not by a bot")
    try:
        fact = msgspec.json.decode(envelope.data, type=kind)
    except msgspec.ValidationError as error:
        raise BadBundle(record.seq, f"its data do not fit its type: {error}") from error
    if canonical.encode(split(fact)[0]) != bytes(envelope.data):
        raise BadBundle(record.seq, f"its data are not those of {record.type}")
    return fact


def _rules(opened: table.TableOpened) -> Title[Any]:
    try:
        title = find_title(opened.title, opened.version)
    except KeyError:
        raise CannotCheck(f"{opened.title} version {opened.version} is not at hand") from None
    if title.data_hash != opened.data_hash:
        raise Misshapen("the game was played under other data of the title than those at hand")
    return title


def _check_table(opened: table.TableOpened, title: Title[Any]) -> None:
    """Seats and options that the title accepts."""
    whole_number(opened.seats, 1, limits.SEATS, "seats")
    if opened.seats not in title.seats:
        raise Misshapen(f"{title.name} is not for {opened.seats} seats")
    try:
        options = msgspec.convert(opened.options, title.Options)
        title.check_options(opened.seats, options)
    except (msgspec.ValidationError, Rejected) as problem:
        raise Misshapen(f"the title refuses these options: {problem}") from problem
    if msgspec.to_builtins(options, str_keys=True) != opened.options:
        raise Misshapen("the options are not complete")


def _check_randomness(opened: table.TableOpened, header: Header, services: Sequence[str]) -> None:
    """Commitments, protocol, who signs, and what else has a form of its own."""
    whole_number(opened.draws, 1, limits.CHAIN, "draws")
    members(opened.chance, frozenset({"s_0", "deal", "hide", "bot"}), frozenset(), "chance")
    for name, commitment in opened.chance.items():
        check_hex(commitment, 32, f"the commitment {name}")
    if opened.proto != table.PROTOCOL:
        raise Misshapen(f"its protocol is not {table.PROTOCOL}")
    if opened.service not in (header.origin, *services):
        raise Misshapen("its service is not the one that signed the receipt")
    if opened.key is not None:
        check_hex(opened.key, 16, "key")
    if opened.director is not None:
        check_hex(opened.director, 32, "director")
    if opened.beacon is not None:
        beacon = members(opened.beacon, frozenset({"chain", "after"}), frozenset(), "beacon")
        check_hex(beacon["chain"], 32, "the beacon's chain")
        whole_number(beacon["after"], 30, 3600, "the beacon's after")
    _check_terms(opened)


def _check_terms(opened: table.TableOpened) -> None:
    """What else the table has agreed on."""
    if opened.tournament is not None:
        raise CannotCheck("this is a game of a tournament, to be checked with its bundle")
    if opened.invited is not None:
        if len(opened.invited) != opened.seats or not any(opened.invited):
            raise Misshapen("invited has one place for each seat, or is null where nobody is invited")
        for who in opened.invited:
            if who is not None:
                check_b64(who, 32, "invited")
    if opened.directors is not None:
        whole_number(opened.directors, 0, limits.SEATS, "directors")
    if opened.reveal_by_ms is not None:
        whole_number(opened.reveal_by_ms, SHORTEST_REVEAL_MS, canonical.LARGEST, "reveal_by_ms")
    if opened.expires_at is not None:
        check_time(opened.expires_at, "expires_at")
    for name in ("clock", "absence", "delay", "seating"):
        if getattr(opened, name) is not None:
            raise Misshapen(f"{name} is null: no table has one")


def _check_position(record: Record) -> None:
    envelope = record.envelope()
    if set(envelope.hid or {}) != {HOUSE} or bytes(envelope.data) != b"{}":
        raise BadBundle(record.seq, "a position is hidden as a whole until the game has ended")
    if envelope.by != SYSTEM or envelope.command is not None or envelope.draws is not None or envelope.bot:
        raise BadBundle(record.seq, "PositionSet is by sys, without command and draws")
    part = record.parts.get(HOUSE)
    if part is not None and set(msgspec.json.decode(part.body)) != {"position"}:
        raise BadBundle(record.seq, "its hidden part is no position")


def _check_origin(opened: table.TableOpened, positioned: bool) -> None:
    """Where it comes from, and that it says of itself whether it proves anything."""
    if opened.origin is not None:
        origin = members(opened.origin, frozenset({"game", "seq"}), frozenset(), "origin")
        check_id(origin["game"], "origin")
        whole_number(origin["seq"], 1, canonical.LARGEST, "the origin's seq")
        if not positioned:
            raise Misshapen("a fork begins from a position")
    if opened.analysis != (opened.key is not None or positioned or opened.origin is not None):
        raise Misshapen("analysis is true exactly where there is a key, a position or an origin")
    if opened.rated == opened.analysis:
        raise Misshapen("a game is rated exactly where it is not for analysis")


def _seats(rest: Sequence[Record], opened: table.TableOpened) -> list[table.SeatTaken]:
    """Who sits from the beginning: rising, each at most once, a commitment right after its seat."""
    taken: list[table.SeatTaken] = []
    committed = -1
    for record in rest:
        envelope = record.envelope()
        try:
            if record.type == "SeatTaken":
                taken.append(_taken(record, envelope, opened, taken[-1].seat if taken else -1))
            elif record.type == "SeatCommitted":
                fact = plain(record, envelope, table.SeatCommitted)
                check_hex(fact.commitment, 32, "a commitment")
                if not taken or taken[-1].seat != fact.seat or taken[-1].bot or committed == fact.seat:
                    raise Misshapen("a commitment stands once, after the person who makes it")
                committed = fact.seat
            else:
                raise Misshapen(f"{record.type} is no part of a creation")
        except Misshapen as problem:
            raise BadBundle(record.seq, str(problem)) from problem
    return taken


def _taken(record: Record, envelope: Envelope, opened: table.TableOpened, before: int) -> table.SeatTaken:
    fact: table.SeatTaken = plain(record, envelope, table.SeatTaken)
    whole_number(fact.seat, before + 1, opened.seats - 1, "the seat, which rises,")
    check_seat(fact, opened.invited)
    return fact


def check_seat(fact: table.SeatTaken, invited: Sequence[str | None] | None) -> None:
    """Who sits down is a bot that there is, or a person, and one that may. Raises :class:`Misshapen`."""
    if fact.bot is not None and (fact.bot not in BOTS or fact.key is not None or fact.who is not None):
        raise Misshapen("a bot has a name that the title knows, and neither key nor who")
    if fact.key is not None:
        check_hex(fact.key, 32, "the seat's key")
    if fact.who is not None:
        check_b64(fact.who, 32, "who")
    wanted = invited[fact.seat] if invited is not None else None
    if wanted is not None and fact.who != wanted:
        raise Misshapen("somebody else was invited to this seat")


def disclosed(last: Record, creation: Creation) -> tuple[Secrets, ReverseChain]:
    """The secrets in the last event, which must be those that event 1 committed to. Raises :class:`BadBundle`."""
    data: Mapping[str, Any] = msgspec.json.decode(last.envelope().data)
    try:
        given = members(data.get("disclosed"), frozenset(_SECRETS), frozenset(), "disclosed")
        secrets = Secrets(*(check_hex(given[name], 32, f"the secret {name}") for name in _SECRETS))
    except Misshapen as problem:
        raise BadBundle(last.seq, str(problem)) from problem
    opened = creation.opened
    chain = ReverseChain(secrets.anchor, creation.key, opened.draws)
    committed = {name: commit(name, creation.key, getattr(secrets, name)).hex() for name in _SECRETS[1:]}
    if {"s_0": chain.element(0).hex(), **committed} != opened.chance:
        raise BadBundle(last.seq, "the disclosed secrets do not fit the commitments of event 1")
    return secrets, chain
