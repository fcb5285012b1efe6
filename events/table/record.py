"""One recorded event: its envelope, its audiences, its redaction.

The public body of event n is the canonical JSON of the *envelope*. Secret fields stand apart, one hidden part
for each audience, and enter the body as salted digests only. A fact declares its secret fields
(:attr:`Fact.secrets`), so that redaction happens here and nowhere else.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from events.proof import canonical
from events.proof.randomness import PublicDraw, Secrets
from events.rules.fact import Fact, Json, Seat, type_name
from events.rules.steps import Command

HOUSE = "house"
"""The audience of what no seat may know."""
SYSTEM = "sys"
"""``by`` of events that no seat caused."""
COMMAND_PART = "_command"
BOT_PART = "_bot"
SIG_PART = "_sig"
BESIDE_FACT = (COMMAND_PART, BOT_PART, SIG_PART)
"""The ends of the names of hidden parts that hold none of a fact's fields."""


Actor = Seat | str | None
"""The giver of a command: a seat, a director by name in the log (``d1``), or None: the server."""


def pseudonym(actor: Actor) -> str:
    """Return the name of an actor in the log: ``p0`` ... a seat, ``d1`` ... a director, ``sys`` for None."""
    if isinstance(actor, str):
        return actor
    return SYSTEM if actor is None else f"p{actor}"


def seat_of(name: str) -> Seat | None:
    """Return the seat of a pseudonym; None for ``sys`` and for a director such as ``d1``."""
    return int(name[1:]) if name.startswith("p") else None


def actor_of(name: str) -> Actor:
    """Return the actor that has that name in the log: the inverse of :func:`pseudonym`."""
    if name == SYSTEM:
        return None
    seat = seat_of(name)
    return name if seat is None else seat


def may_open(audience: str, seat: Seat | None) -> bool:
    """Return True if *seat* belongs to an audience such as ``p0_p2`` or ``p1_command``."""
    return seat is not None and f"p{seat}" in audience.split("_")


class Draws(msgspec.Struct, frozen=True, omit_defaults=True):
    """The random draws of one command: public ones in full, hidden ones by their number."""

    public: tuple[PublicDraw, ...] = ()
    """The public draws, each with what is needed to check it."""
    hidden: int = 0
    """The number of hidden draws."""


_NO_DRAWS = Draws()


class BotRun(msgspec.Struct, frozen=True):
    """The run of a bot for one move; the seed is hidden until the game has ended."""

    name: str
    version: int
    budget: int
    """The limit of its thinking, in its own unit."""
    seed: str
    thought_at: int
    """The event whose state it thought about."""
    weights: str | None = None
    """SHA-256 (hex) of the fitted weights that it thinks with; null where it has none."""
    simulations: int = 0
    """The number of games that it played out in its mind for this move."""
    fallback: bool = False
    """True where the bot failed or its own move was refused: the command is the title's default."""

    def public_members(self) -> Json:
        """Return the public members of the run."""
        members = {name: getattr(self, name) for name in _BOT_MEMBERS}
        return {**members, "fallback": True} if self.fallback else members


class Signature(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The signature of a seat with a key on its command."""

    n: int
    """The event on which the player gave the command."""
    s: str
    """64 bytes, base64."""


_BOT_MEMBERS = ("budget", "name", "simulations", "thought_at", "version", "weights")


class Envelope(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of an event. Short names, because every event carries them."""

    at: str
    """Time of recording, UTC with microseconds."""
    by: str
    cmd: str
    """Command id (UUID): one for all events that one command caused."""
    data: msgspec.Raw
    game: str
    n: int
    t: str
    v: int
    """Version of the title under which the event arose; in the creation, the first batch, of the protocol."""
    hid: dict[str, str] | None = None
    command: dict[str, Any] | None = None
    """The command as given, on the first event of a command, unless it was sealed."""
    draws: Draws | None = None
    bot: dict[str, Any] | None = None
    sig: Signature | None = None
    """The signature of the command, on its first event, if its seat signed it.

    Of a sealed command it is hidden as well.
    """
    clock: dict[str, Any] | None = None
    """The changes of the clocks by the command, where the table has any."""


class Part(msgspec.Struct, frozen=True):
    """A hidden part: its salt and its canonical JSON."""

    salt: bytes
    body: bytes


class Record(msgspec.Struct, frozen=True):
    """An event as it is stored: body and hash, and the hidden parts that the holder has."""

    seq: int
    type: str
    body: bytes
    hash: bytes
    command_id: str
    parts: dict[str, Part] = {}

    def envelope(self) -> Envelope:
        """Return the decoded body."""
        return _ENVELOPE.decode(self.body)

    def redact_for(self, seat: Seat | None, *, everything: bool = False) -> Record:
        """Return the same event with only those hidden parts that *seat* may know."""
        if everything or not self.parts:
            return self
        kept = {a: p for a, p in self.parts.items() if may_open(a, seat)}
        if len(kept) == len(self.parts):
            return self
        return Record(self.seq, self.type, self.body, self.hash, self.command_id, kept)


_ENVELOPE = msgspec.json.Decoder(Envelope)


class BatchCause(msgspec.Struct, frozen=True):
    """The cause of a batch of facts: its actor, its command, its draws, its bot, its signature."""

    at: str
    by: Actor
    command_id: str
    command: Command | None = None
    draws: Draws = Draws()
    bot: BotRun | None = None
    sig: Signature | None = None
    clock: Json | None = None
    """The changes of the clocks."""


def split_fact(fact: Fact) -> tuple[Json, dict[str, Json]]:
    """Return the public data of a fact, and its secret data by audience."""
    data: Json = msgspec.to_builtins(fact, str_keys=True)
    del data["type"]
    hidden: dict[str, Json] = {}
    for path, fields in fact.secrets.items():
        _move_field(data, hidden.setdefault(audience_of(fact, fields), {}), path.split("."))
    return data, hidden


def audience_of(fact: Fact, fields: tuple[str, ...]) -> str:
    """Return the name of the audience that *fields* of *fact* name."""
    if len(fields) == 1 and type(seat := getattr(fact, fields[0])) is int:  # the most frequent case
        return f"p{seat}"
    seats: set[int] = set()
    for name in fields:
        value = getattr(fact, name)
        seats |= {value} if isinstance(value, int) else set(value or ())
    return "_".join(f"p{seat}" for seat in sorted(seats)) or HOUSE


def _move_field(source: Json, target: Json, path: list[str]) -> None:
    *parents, last = path
    for key in parents:
        source = source[key]
        target = target.setdefault(key, {})
    target[last] = source.pop(last)


def merge_secret(data: Json, secret: Mapping[str, Any]) -> Json:
    """Return *data* with the secret fields put back in their places."""
    for key, value in secret.items():
        inside = data.get(key)
        if isinstance(value, dict) and isinstance(inside, dict):
            merge_secret(inside, value)
        else:
            data[key] = value
    return data


def secret_fields_in(secret: Mapping[str, Any], declared: Mapping[str, Any]) -> list[str]:
    """Return those of the *declared* dotted fields that stand in a hidden part."""
    return [path for path in declared if _has_field(secret, path)]


def _has_field(secret: Any, path: str) -> bool:
    """Return True if a dotted field stands in a hidden part."""
    first, _, rest = path.partition(".")
    if not isinstance(secret, dict) or first not in secret:
        return False
    return not rest or _has_field(secret[first], rest)


def seal_facts(
    facts: list[Fact],
    cause: BatchCause,
    *,
    game_id: str,
    version: int,
    seq: int,
    head: bytes,
    secrets: Secrets,
) -> list[Record]:
    """Return the records of one command's facts, chained onto event *seq* whose hash is *head*."""
    bodies, parts = _encode_batch(facts, cause, game_id, version, seq, secrets)
    hashes = canonical.link_all(head, bodies)
    records: list[Record] = []
    for fact, body, hidden, digest in zip(facts, bodies, parts, hashes, strict=True):
        seq += 1
        records.append(Record(seq, type_name(type(fact)), body, digest, cause.command_id, hidden))
    return records


def encode_bodies(
    facts: Sequence[Fact], cause: BatchCause, *, game_id: str, version: int, seq: int, secrets: Secrets
) -> list[tuple[bytes, dict[str, Part]]]:
    """Return the body and the hidden parts of each of one command's facts, which follow on event *seq*."""
    return list(zip(*_encode_batch(facts, cause, game_id, version, seq, secrets), strict=True))


def _encode_batch(
    facts: Sequence[Fact], cause: BatchCause, game_id: str, version: int, seq: int, secrets: Secrets
) -> tuple[list[bytes], list[dict[str, Part]]]:
    """Return the bodies and the hidden parts of one command's facts."""
    envelopes: list[Json] = []
    hidden: list[dict[str, Json]] = []
    by, cmd, at = pseudonym(cause.by), cause.command_id, cause.at
    for number, fact in enumerate(facts, seq + 1):
        data, secret = split_fact(fact)
        envelope: Json = {
            "at": at,
            "by": by,
            "cmd": cmd,
            "data": data,
            "game": game_id,
            "n": number,
            "t": type_name(type(fact)),
            "v": version,
        }
        if not envelopes:
            _add_cause(envelope, secret, cause)
        envelopes.append(envelope)
        hidden.append(secret)
    parts = _commit_to_hidden(envelopes, hidden, secrets) if any(hidden) else [{} for _ in envelopes]
    return canonical.encode_all(envelopes), parts


def _commit_to_hidden(
    envelopes: Sequence[Json], hidden: Sequence[dict[str, Json]], secrets: Secrets
) -> list[dict[str, Part]]:
    """Add to each envelope the digests of what is *hidden* with it by audience; return the hidden parts."""
    places = [(one["n"], name) for one, secret in zip(envelopes, hidden, strict=True) for name in secret]
    parts: list[dict[str, Part]] = [{} for _ in envelopes]
    values = [value for secret in hidden for value in secret.values()]
    salts = canonical.derive_salts(secrets.hide, places)
    bodies = canonical.encode_all(values)
    digests = canonical.part_digests(salts, bodies)
    first: int = envelopes[0]["n"]
    for (number, name), salt, body, digest in zip(places, salts, bodies, digests, strict=True):
        parts[number - first][name] = Part(salt, body)
        envelopes[number - first].setdefault("hid", {})[name] = digest
    return parts


def _add_cause(envelope: Json, hidden: dict[str, Json], cause: BatchCause) -> None:
    if cause.command is not None:
        given = msgspec.to_builtins(cause.command, str_keys=True)
        if cause.command.sealed:
            hidden[pseudonym(cause.by) + COMMAND_PART] = given
        else:
            envelope["command"] = given
        if cause.sig is not None:
            _add_signature(envelope, hidden, cause.by, cause.sig, sealed=cause.command.sealed)
    if cause.clock is not None:
        envelope["clock"] = cause.clock
    if cause.draws != _NO_DRAWS:
        envelope["draws"] = msgspec.to_builtins(cause.draws)
    if cause.bot is not None:
        envelope["bot"] = cause.bot.public_members()
        hidden[pseudonym(cause.by) + BOT_PART] = {"seed": cause.bot.seed}


def _add_signature(
    envelope: Json, hidden: dict[str, Json], by: Actor, sig: Signature, *, sealed: bool
) -> None:
    """Add the signature, hidden if the command is sealed: an open one would let anybody test guesses."""
    if sealed:
        hidden[pseudonym(by) + SIG_PART] = msgspec.to_builtins(sig)
    else:
        envelope["sig"] = msgspec.to_builtins(sig)


def full_data(record: Record, envelope: Envelope) -> Json:
    """Return the data of an event with every hidden field that the record still holds."""
    data: Json = msgspec.json.decode(envelope.data)
    for name, part in record.parts.items():
        if not name.endswith(BESIDE_FACT):
            merge_secret(data, msgspec.json.decode(part.body))
    return data


def decode_fact(record: Record, envelope: Envelope, kind: type[Fact]) -> Fact:
    """Return the fact of an event whose hidden parts are all known."""
    if not kind.secrets:
        return msgspec.json.decode(envelope.data, type=kind)
    return msgspec.convert(full_data(record, envelope), kind, str_keys=True)


def decode_batch(batch: Sequence[Record], kinds: Sequence[type[Fact]]) -> tuple[Envelope, list[Fact]]:
    """Return the envelope of a batch's first event, and its facts, which are of these *kinds*."""
    envelopes = [_ENVELOPE.decode(record.body) for record in batch]
    return envelopes[0], list(map(decode_fact, batch, envelopes, kinds))


def decode_command(
    record: Record, envelope: Envelope, find: Callable[[str], type[Command] | None]
) -> Command | None:
    """Return the command that caused this event; None if no command did, or it is hidden from the holder."""
    given = envelope.command
    if given is None:
        part = record.parts.get(envelope.by + COMMAND_PART)
        given = msgspec.json.decode(part.body) if part else None
    if given is None:
        return None
    kind = find(given["type"])
    return msgspec.convert(given, kind, str_keys=True) if kind else None


def decode_signature(record: Record, envelope: Envelope) -> Signature | None:
    """Return the signature of the command that caused this event; None if not signed, or hidden."""
    part = record.parts.get(envelope.by + SIG_PART)
    return envelope.sig if part is None else msgspec.json.decode(part.body, type=Signature)


def canonical_command(command: Command) -> Command:
    """Return *command* as it will be read from the log: the keys of its objects in canonical order."""
    given = msgspec.json.decode(canonical.encode(msgspec.to_builtins(command, str_keys=True)))
    return msgspec.convert(given, type(command), str_keys=True)


def redact_to_json(
    records: Iterable[Record],
    kinds: Mapping[str, type[Fact]],
    seat: Seat | None,
    *,
    everything: bool = False,
) -> list[Json]:
    """Return events as the API shows them to *seat*, with the *kinds* of their facts by name.

    With *everything* nothing is left out.
    """
    return [
        public_json(record.redact_for(seat, everything=everything), kinds[record.type]) for record in records
    ]


def public_json(record: Record, kind: type[Fact]) -> Json:
    """Return an event as the API shows it; redact *record* first (:meth:`Record.redact_for`)."""
    envelope = record.envelope()
    shown: Json = {
        "seq": record.seq,
        "type": record.type,
        "data": full_data(record, envelope),
        "by": envelope.by,
        "seat": seat_of(envelope.by),
        "at": envelope.at,
        "hash": record.hash.hex(),
        "hidden": {name: _describe_hidden(name, d, record, kind) for name, d in (envelope.hid or {}).items()},
    }
    command = envelope.command or _actor_part(record, envelope, COMMAND_PART) or None
    if command is not None:
        shown["command"] = command
    if envelope.bot is not None:
        shown["bot"] = {**envelope.bot, **_actor_part(record, envelope, BOT_PART)}
    signature = decode_signature(record, envelope)
    if signature is not None:
        shown["sig"] = msgspec.to_builtins(signature)
    if envelope.draws is not None:
        shown["draws"] = msgspec.to_builtins(envelope.draws)
    if envelope.clock is not None:
        shown["clock"] = envelope.clock
    return shown


def _actor_part(record: Record, envelope: Envelope, name: str) -> Json:
    """Return the content of a hidden part of the actor; empty if the holder has none."""
    part = record.parts.get(envelope.by + name)
    found: Json = msgspec.json.decode(part.body) if part else {}
    return found


def _describe_hidden(name: str, commitment: str, record: Record, kind: type[Fact]) -> Json:
    shown: Json = {"digest": commitment}
    part = record.parts.get(name)
    if part is not None:
        shown["salt"] = base64.b64encode(part.salt).decode()
        shown["fields"] = secret_fields_in(msgspec.json.decode(part.body), kind.secrets)
    return shown
