"""The offline check of a talk: the seats that spoke, to whom, and between which events.

Chain and form of each event, the signature of the receipt, the digest of all words that are there, and the
signature of each seat with a key. With the bundle of the game also that each message names an event
of that game, and the key and the rules that held there. A message is said to come before an event only where
its leaf precedes that of the event's batch in the log of all games.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from events.base.timestamps import add_milliseconds
from events.proof.canonical import MAX_INTEGER
from events.proof.randomness import Secrets
from events.rules.fact import Fact, Json, Seat
from events.rules.kit.words import format_count
from events.table.bundle import BadBundle, ProofLine, ReceiptLine, TimestampLine
from events.table.record import SYSTEM, BatchCause, Record, encode_bodies, seat_of
from events.talk.bundle import FORMAT, EventLine, FollowLine, Header, SaidLine
from events.talk.content import SALT_BYTES, Content, is_signed
from events.talk.facts import Said, TalkOpened
from events.talk.rules import WITHOUT_WHISPERS
from events.talk.state import CLOSE_MS, VERSION, talk_id
from events.tlog import leaves
from events.tlog.notes import ED25519, Receipt, Verifier
from events.tlog.text import check_uuid, escape_controls, unb64
from events.verify import CheckedBundle, CheckedStream, limits
from events.verify.bodies import ENDING_TYPES, InvalidForm, check_hex, check_id, check_integer, check_time
from events.verify.form import decode_canonical, decode_line, line_kind, open_receipt, read_proofs
from events.verify.hash_links import read_chain
from events.verify.log_proofs import JudgedProofs, judge_proofs
from events.verify.player_receipts import check_named_event, compare_receipts
from events.verify.report import LoggedEvent, Receipts, describe_log, describe_unchecked
from events.verify.scan import scan_lines
from events.verify.trust import Trust

_NO_SECRETS = Secrets(b"", b"", b"", b"")
"""No secrets: the words of a talk stand beside the log, with salts of their own."""


class TalkLines(msgspec.Struct):
    """A talk's bundle, its lines told apart."""

    header: Header
    events: list[bytes]
    note: str
    receipt: Receipt
    signer: Verifier | None
    """The pinned key that signed the receipt; None where none is pinned."""
    proofs: list[ProofLine]
    timestamps: list[TimestampLine]
    follows: list[FollowLine]


class Message(msgspec.Struct):
    """A message as its event and its words tell it."""

    n: int
    seat: Seat
    to: tuple[Seat, ...] | None
    at: str
    at_event: int
    """The newest event of the game when it was said."""
    head: str
    key: str | None
    content: Content | None
    """The words; None where the file does not have them."""
    before: int | None = None
    """An event of the game that was logged after it; None where no proof shows one."""

    def text(self) -> str:
        """Return one line: who said what to whom, after which event."""
        named = "everybody" if self.to is None else f"seat{'s' * (len(self.to) > 1)} {_join(self.to)}"
        when = f"after event {self.at_event}"
        if self.before is not None:
            when += f" and before event {self.before}"
        if self.content is None:
            return f"seat {self.seat} to {named}, {when}: words not in this file"
        by = "signed by the key of the seat" if self.key else "as the server recorded it"
        return f'seat {self.seat} to {named}, {when}, {by}: "{escape_controls(self.content.text)}"'


class CheckedTalk(CheckedStream):
    """A talk whose form, signature, chain and words hold."""

    sheet: TalkLines
    messages: list[Message]
    first: str
    """The hash (hex) of the game's first event, as the talk names it."""


class TalkReport(msgspec.Struct):
    """The result of verifying a talk."""

    talk: str
    table: str
    events: int
    head: str
    origin: str
    signer: str
    messages: list[Message]
    receipts: Receipts
    logged: list[LoggedEvent]
    compared: bool
    """True if each message was compared with the bundle of the game."""
    unchecked: list[str] = []

    @property
    def is_complete(self) -> bool:
        """True if nothing was left unchecked, the signer included: the exit status is then 0."""
        return bool(self.signer) and not self.unchecked

    def to_json(self) -> Json:
        """Return the report in JSON's own types."""
        found: Json = msgspec.to_builtins(self, str_keys=True)
        return {**found, "kind": "talk", "pinned": bool(self.signer), "complete": self.is_complete}

    def summary(self) -> str:
        """Return the lines that people read."""
        signer = escape_controls(self.signer or f"{self.origin}, NOT PINNED")
        game = "each message names an event of the game" if self.compared else "not compared"
        events = format_count(self.events, "event")
        messages = format_count(len(self.messages), "message")
        rows = [
            ("kind", f"talk of game {self.table}"),
            ("events", f"{events}, {messages}, head {self.head}"),
            ("signed by", signer),
            ("game", game),
            ("log", describe_log(self.logged, self.events)),
            *((f"message {one.n}", one.text()) for one in self.messages),
        ]
        lines = [f"  {name:<14} {told}" for name, told in rows]
        lines += describe_unchecked(self.unchecked, pinned=bool(self.signer))
        return "\n".join(["OK" if self.is_complete else "INCOMPLETE", *lines])


def is_talk(first: bytes) -> bool:
    """Return True if a file that begins with this line is the bundle of a talk."""
    return f'"format":"{FORMAT}"'.encode() in first[:400]


# --- lines -------------------------------------------------------------------------------------------------


def read_lines(text: Iterable[bytes], keys: Sequence[Verifier], raw_key: bytes | None = None) -> TalkLines:
    """Return the lines of a bundle, told apart. Raises :class:`BadBundle`.

    *raw_key* is a public key without a name: it takes that of the header.
    """
    lines = scan_lines(text)
    header = _read_header(lines[0])
    if raw_key is not None:
        keys = [*keys, Verifier(header.origin, ED25519, raw_key)]
    end = header.events + 1
    if len(lines) <= end:
        raise BadBundle(None, f"it ends before its receipt, which follows on event {header.events}")
    note = decode_line(lines[end], ReceiptLine, end + 1, header.events).note
    receipt, signer = open_receipt(note, header, keys)
    beside = lines[end + 1 :]
    first = next((n for n, line in enumerate(beside) if line_kind(line) == b"follow"), len(beside))
    proofs, timestamps = read_proofs(beside[:first], end + 2, header.events)
    follows = [
        decode_line(line, FollowLine, end + 2 + n, None) for n, line in enumerate(beside[first:], first)
    ]
    known = [one.n for one in follows]
    if known != sorted(set(known)) or not set(known) <= {one.n for one in proofs}:
        raise BadBundle(None, "an entry of the game follows on no proof of a message, or not in order")
    return TalkLines(header, lines[1:end], note, receipt, signer, proofs, timestamps, follows)


def _read_header(line: bytes) -> Header:
    found = decode_line(line, Header, 1, None)
    if found.format != FORMAT:
        raise BadBundle(None, f"unknown format {found.format!r}; this program reads {FORMAT}")
    if not 1 <= found.events <= limits.EVENTS:
        raise BadBundle(None, "the header's events is not valid")
    seats = list(found.seats)
    if seats != sorted(set(seats)) or not all(0 <= seat < limits.SEATS for seat in seats):
        raise BadBundle(None, "the header's seats is not valid")
    try:
        check_uuid(found.table)
    except ValueError as error:
        raise BadBundle(None, f"the header's table is not valid: {error}") from error
    if found.talk != talk_id(found.table):
        raise BadBundle(None, "the header's talk is not that of its game")
    return found


# --- events ------------------------------------------------------------------------------------------------


def check_talk(text: Iterable[bytes], trust: Trust) -> CheckedTalk:
    """Return a talk as far as form, signature, chain and words go.

    Raises :class:`BadBundle`, and :class:`events.verify.Equivocation` where a receipt contradicts it.
    """
    sheet = read_lines(text, trust.list_pinned_keys(), trust.raw_key)
    events, hashes = read_chain(sheet, EventLine)
    compared, held = compare_receipts(sheet, hashes, trust)
    course = _TalkVerifier(sheet.header)
    records = []
    for event, digest in zip(events, hashes, strict=True):
        try:
            records.append(course.check(event, digest))
        except InvalidForm as wrong:
            raise BadBundle(event.n, str(wrong)) from wrong
        except msgspec.MsgspecError as error:
            raise BadBundle(event.n, f"it cannot be read: {error}") from error
    check_named_event(sheet.receipt, records[-1], "the receipt")
    for receipt in held:
        check_named_event(receipt, records[receipt.n - 1], "a receipt that was given")
    ends = list(range(1, len(records) + 1))
    return CheckedTalk(sheet, records, hashes, ends, compared, course.messages, course.first)


class _TalkVerifier:
    """A talk on its way from its first event to its newest."""

    def __init__(self, header: Header) -> None:
        self._header = header
        self._at = ""
        self._commands: set[str] = set()
        self.first = ""
        self.messages: list[Message] = []

    def check(self, line: EventLine, digest: bytes) -> Record:
        """Return the event of one line: its form, and the words beside it."""
        body = line.body.encode()
        if len(body) > limits.BODY:
            raise InvalidForm(f"its body is longer than {limits.BODY} bytes")
        value = decode_canonical(body, "its body", line.n)
        if not isinstance(value, dict) or not isinstance(value.get("data"), dict):
            raise InvalidForm("its body is not an event")
        kind: type[Fact] = TalkOpened if line.n == 1 else Said
        fact = msgspec.convert(value["data"], kind)
        by = SYSTEM if line.n == 1 else f"p{getattr(fact, 'seat', '')}"
        if value.get("by") != by:
            raise InvalidForm("the one who caused it is not the seat that spoke")
        cmd, at = check_id(value.get("cmd"), "its cmd"), check_time(value.get("at"))
        cause = BatchCause(at, seat_of(by) if line.n > 1 else None, cmd)
        made = encode_bodies(
            [fact], cause, game_id=self._header.talk, version=VERSION, seq=line.n - 1, secrets=_NO_SECRETS
        )
        if made[0][0] != body:
            raise InvalidForm("it is not in the form of what is said, or of another talk")
        if at < self._at:
            raise InvalidForm("at runs backwards")
        if cmd in self._commands:
            raise InvalidForm("its cmd stood in an earlier event")
        self._at = at
        self._commands.add(cmd)
        if isinstance(fact, TalkOpened):
            self._check_opening(fact, line)
        elif isinstance(fact, Said):
            self._check_said(fact, line, cmd, at)
        return Record(line.n, kind.__name__, body, digest, cmd)

    def _check_opening(self, fact: TalkOpened, line: EventLine) -> None:
        if fact.game != self._header.table or line.said is not None:
            raise InvalidForm("it opens the talk of another game, or has words")
        check_hex(fact.first, 32, "its first")
        self.first = fact.first

    def _check_said(self, fact: Said, line: EventLine, cmd: str, at: str) -> None:
        check_integer(fact.seat, 0, limits.SEATS - 1, "its seat")
        check_integer(fact.at_event, 1, MAX_INTEGER, "its at_event")
        check_hex(fact.head, 32, "its head")
        if fact.key is not None:
            check_hex(fact.key, 32, "its key")
        _check_base64(fact.digest, 32, "its digest")
        if fact.to is not None:
            heard = list(fact.to)
            if not heard or heard != sorted(set(heard)) or fact.seat in heard:
                raise InvalidForm("its to is not a list of other seats in order")
            for seat in heard:
                check_integer(seat, 0, limits.SEATS - 1, "its to")
        before = self.messages[-1] if self.messages else None
        if before is not None:
            if fact.at_event < before.at_event:
                raise InvalidForm("it names an event of the game before that of an earlier message")
            if fact.at_event == before.at_event and fact.head != before.head:
                raise InvalidForm("it names another hash of the same event than an earlier message")
        content = None if line.said is None else self._read_words(fact, line.said, cmd)
        self.messages.append(
            Message(line.n, fact.seat, fact.to, at, fact.at_event, fact.head, fact.key, content)
        )

    def _read_words(self, fact: Said, said: SaidLine, cmd: str) -> Content:
        """Return the words of a message: those of its digest, signed exactly where the seat has a key."""
        content = msgspec.convert(said.content, Content)
        salt = _check_base64(said.salt, SALT_BYTES, "the salt of its words")
        if msgspec.to_builtins(content) != said.content or content.digest(salt) != fact.digest:
            raise InvalidForm("its words are not those of its digest")
        if fact.key is None:
            if content.sig is not None:
                raise InvalidForm("its words are signed, but its seat has no key")
            return content
        if not is_signed(fact.key, content, cmd, self._header.table, fact.seat, fact.to):
            raise InvalidForm(f"seat {fact.seat} did not sign these words")
        assert content.sig is not None  # noqa: S101 - it is signed
        if content.sig.n > fact.at_event or (content.sig.n == fact.at_event and content.sig.h != fact.head):
            raise InvalidForm("its words were signed for another history of the game")
        return content


def _check_base64(text: str, length: int, what: str) -> bytes:
    try:
        return unb64(text, length)
    except ValueError as error:
        raise InvalidForm(f"{what} is not valid: {error}") from error


# --- the whole -------------------------------------------------------------------------------------------


def verify_talk(text: Iterable[bytes], trust: Trust, game: CheckedBundle | None = None) -> TalkReport:
    """Verify the bundle of a talk, and compare it with that of its *game* where it is given.

    Raises :class:`BadBundle` at the first thing that does not hold.
    """
    found = check_talk(text, trust)
    judged, unchecked = judge_proofs(found.sheet, found.hashes, found.ends, trust)
    if judged is not None:
        _find_later_events(found, judged, game)
    if game is not None:
        unchecked += compare_with_game(found, game)
    else:
        unchecked.append("the game: give its bundle to compare each message with it (--game FILE)")
    signer, header = found.sheet.signer, found.sheet.header
    return TalkReport(
        talk=header.talk,
        table=header.table,
        events=header.events,
        head=found.hashes[-1].hex(),
        origin=header.origin,
        signer=f"{signer.name}+{signer.id.hex()}" if signer else "",
        messages=found.messages,
        receipts=found.receipts,
        logged=[] if judged is None else judged.logged,
        compared=game is not None,
        unchecked=unchecked,
    )


def _find_later_events(found: CheckedTalk, judged: JudgedProofs, game: CheckedBundle | None) -> None:
    """Note for each message the event whose batch was logged after it, where proofs show one."""
    name = leaves.log_name(found.sheet.header.table)
    logged = {one.n: one.leaf for one in judged.logged}
    messages = {one.n: one for one in found.messages}
    for line in found.sheet.follows:
        message = messages.get(line.n)
        try:
            entry = leaves.read_entry(line.entry.encode())
        except ValueError as error:
            raise BadBundle(line.n, f"the entry that follows on it: {error}") from error
        if message is None or not isinstance(entry, leaves.Entry) or entry.g != name:
            raise BadBundle(line.n, "the entry that follows on it is not of its game")
        if entry.n <= message.at_event:
            raise BadBundle(line.n, "the entry that follows on it is of an earlier event")
        if game is not None and entry.n <= len(game.hashes) and entry.h != game.hashes[entry.n - 1].hex():
            raise BadBundle(line.n, "the entry that follows on it is of another history of the game")
        if logged[line.n] < judged.find_leaf(line.n, line.proof, line.entry.encode()):
            message.before = entry.n


def compare_with_game(found: CheckedTalk, game: CheckedBundle) -> list[str]:
    """Compare each message with the events of its game; return what could not be compared.

    Raises :class:`BadBundle` for a message that cannot have been said there.
    """
    if game.sheet.header.game != found.sheet.header.table:
        raise BadBundle(None, "the bundle of another game was given")
    if game.hashes[0].hex() != found.first:
        raise BadBundle(1, "the game has another first event")
    table = _TableHistory(game.records)
    for message in found.messages:
        if message.at_event > len(game.hashes):
            return [f"message {message.n} and those after it: the bundle of the game ends before them"]
        problem = _find_problem(message, game, table)
        if problem is not None:
            raise BadBundle(message.n, problem)
    return []


def _find_problem(message: Message, game: CheckedBundle, table: _TableHistory) -> str | None:
    """Return the reason for which a message cannot have been said in *game*; None where it can."""
    if game.hashes[message.at_event - 1].hex() != message.head:
        return f"it names another hash of event {message.at_event} than the game has"
    if message.at < game.records[message.at_event - 1].envelope().at:
        return f"it was said before event {message.at_event}, which it names"
    seats = table.seats_at(message.at_event)
    if message.seat not in seats or seats[message.seat] != message.key:
        return f"nobody with this key, or without one, held seat {message.seat} then"
    if table.talk == "none":
        return "nobody talks in this game"
    if table.talk in WITHOUT_WHISPERS and message.to is not None:
        return "nobody whispers in this game"
    if table.talk == "phrases" and message.content is not None and message.content.phrase is None:
        return "only phrases are said in this game"
    if any(seat not in seats for seat in message.to or ()):
        return "it was whispered to a seat that nobody held"
    last = game.records[-1]
    if last.type in ENDING_TYPES and message.at > add_milliseconds(last.envelope().at, CLOSE_MS):
        return "it was said after the talk had closed"
    return None


class _TableHistory:
    """The seats that people held after each event of a game, each with its key, by its public events."""

    def __init__(self, records: Sequence[Record]) -> None:
        opened = msgspec.json.decode(records[0].envelope().data)
        self.talk = str(opened.get("talk"))
        self._steps: list[tuple[int, Mapping[Seat, str | None]]] = []
        held: dict[Seat, str | None] = {}
        for record in records:
            if record.type in _SEAT_FACTS:
                held = _move_seats(held, record.type, msgspec.json.decode(record.envelope().data))
                self._steps.append((record.seq, held))

    def seats_at(self, seq: int) -> Mapping[Seat, str | None]:
        """Return by seat the keys of those who held seats after event *seq*."""
        return next((held for at, held in reversed(self._steps) if at <= seq), {})


_SEAT_FACTS = ("SeatTaken", "SeatFreed", "SeatVacated", "SeatGiven", "SeatsSwapped")


def _move_seats(
    held: Mapping[Seat, str | None], kind: str, data: Mapping[str, Any]
) -> dict[Seat, str | None]:
    """Return the keys by seat after a fact about seats."""
    after = dict(held)
    if kind == "SeatsSwapped":
        one, other = data["seats"]
        swapped = {one: other, other: one}
        return {swapped.get(seat, seat): key for seat, key in held.items()}
    after.pop(data["seat"], None)
    if kind in ("SeatTaken", "SeatGiven") and data.get("bot") is None:
        after[data["seat"]] = data.get("key")
    return after


def _join(seats: Sequence[Seat]) -> str:
    return ", ".join(map(str, seats))
