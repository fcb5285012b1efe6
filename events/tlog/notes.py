"""Signed notes, cosignatures and receipts, read as strictly as written.

The formats are C2SP ``signed-note`` and ``cosignature/v1``. A receipt is a note: the service's signed word
that event n of a game has this hash, as have all before it.

A key has a name for ever; a verifier knows it as a *vkey*: ``name+hex(key id)+base64(type, public key)``.
"""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from events.tlog.text import check_uuid, parse_decimal, unb64
from events.tlog.weak_keys import is_weak_key

ED25519 = 0x01
"""Type of a key that signs a text as it stands: the log's."""
COSIGNATURE = 0x04
"""Type of a key that signs a checkpoint together with a time: a witness's."""
MAX_NOTE_BYTES = 128 * 1024
"""Bytes of a note."""
MAX_SIGNATURES = 64
RECEIPT_LINE = "rutter/receipt@v1"
"""Keeps receipts apart from checkpoints: it can be no origin."""
RECEIPT_DELAY = 60
"""Seconds within which a published checkpoint covers the event."""

_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f]")
_SIGNATURE = re.compile("\u2014 ([^\\s+]+) ([A-Za-z0-9+/=]+)")
_NAME = re.compile(r"[^\s+]{1,256}")


class BadNote(ValueError):
    """A text that is no signed note, or that no known key signed, or whose known signature is false."""


class UnsignedNote(BadNote):
    """A well-formed note that no known key signed."""


def key_id(name: str, kind: int, public: bytes) -> bytes:
    """Return the four bytes by which a signature line names its key."""
    return hashlib.sha256(name.encode() + b"\n" + bytes([kind]) + public).digest()[:4]


@dataclass(frozen=True)
class Verifier:
    """A public key under its name."""

    name: str
    kind: int
    public: bytes

    @property
    def id(self) -> bytes:
        """See :func:`key_id`."""
        return key_id(self.name, self.kind, self.public)

    @property
    def vkey(self) -> str:
        """The key as configurations write it."""
        return f"{self.name}+{self.id.hex()}+{b64encode(bytes([self.kind]) + self.public).decode()}"

    @staticmethod
    def read(vkey: str) -> Verifier:
        """Return the inverse of :attr:`vkey`. ValueError for anything else, an unknown type included."""
        name, _, rest = vkey.partition("+")
        known, _, encoded = rest.partition("+")
        raw = unb64(encoded, 33)
        found = Verifier(name, raw[0], raw[1:])
        if found.kind not in (ED25519, COSIGNATURE):
            raise ValueError("a key of a type that is not known here")
        if not _NAME.fullmatch(name) or found.id.hex() != known:
            raise ValueError("the key's name, id and bytes do not belong together")
        if is_weak_key(found.public):
            raise ValueError("a key of small order, for which anybody can sign")
        return found

    def holds(self, message: bytes, signature: bytes) -> bool:
        """Return True if the key made *signature* of *message*."""
        try:
            Ed25519PublicKey.from_public_bytes(self.public).verify(signature, message)
        except (InvalidSignature, ValueError):
            return False
        return True


class SigningKey:
    """A private Ed25519 key under its name.

    Args:
        name: what its signatures are made for; of the log key the origin.
        seed: 32 bytes, to be kept secret.
        kind: :data:`ED25519` or :data:`COSIGNATURE`.
    """

    def __init__(self, name: str, seed: bytes, kind: int = ED25519) -> None:
        if not _NAME.fullmatch(name):
            raise ValueError("a key's name has neither spaces nor plus signs")
        self._key = Ed25519PrivateKey.from_private_bytes(seed)
        self.verifier = Verifier(name, kind, self._key.public_key().public_bytes_raw())
        self._id = self.verifier.id
        self.name = name
        """The name in its signatures."""

    @property
    def public(self) -> bytes:
        """The public key."""
        return self.verifier.public

    @property
    def vkey(self) -> str:
        """The public key as others write it into their configuration."""
        return self.verifier.vkey

    def line(self, text: str) -> str:
        """Return the signature line under *text*."""
        return self._line(self._key.sign(text.encode()))

    def cosign(self, checkpoint: str, time: int) -> str:
        """Return the cosignature line of a witness who saw this checkpoint at *time* (POSIX seconds)."""
        return self._line(time.to_bytes(8, "big") + self._key.sign(_make_cosigned_message(checkpoint, time)))

    def sign(self, text: str) -> str:
        """Return the note: the text, an empty line, the signature line."""
        return f"{text}\n{self.line(text)}"

    def _line(self, raw: bytes) -> str:
        return f"\u2014 {self.name} {b64encode(self._id + raw).decode()}\n"


class SigningKeys(SigningKey):
    """A key that signs together with *others* of the same name: a line each, its own first."""

    def __init__(self, name: str, seed: bytes, others: Sequence[bytes]) -> None:
        super().__init__(name, seed)
        self._others = tuple(SigningKey(name, other) for other in others)

    def line(self, text: str) -> str:
        """Return the signature lines under *text*."""
        lines = super().line(text)
        for other in self._others:
            lines += other.line(text)
        return lines


def _make_cosigned_message(checkpoint: str, time: int) -> bytes:
    return f"cosignature/v1\ntime {time}\n{checkpoint}".encode()


@dataclass(frozen=True)
class OpenedNote:
    """A note whose known signatures hold."""

    text: str
    """The signed text; ends in a line feed."""
    signers: dict[Verifier, int | None]
    """The keys that signed; for a witness with the time (POSIX seconds) of the cosignature."""

    def lines(self) -> list[str]:
        """Return the lines of the text."""
        return self.text.split("\n")[:-1]


def split_note(note: str) -> tuple[str, list[tuple[str, bytes, str]]]:
    """Return the text of a note, and its signatures: name, key id with what follows it, the whole line.

    Nothing is verified. Raises :class:`BadNote` for what is no note.
    """
    if len(note.encode("utf-8", "surrogatepass")) > MAX_NOTE_BYTES or _CONTROL.search(note):
        raise BadNote("a note has at most 128 KiB and no control characters")
    text, gap, tail = note.rpartition("\n\n")
    if not gap or not tail.endswith("\n"):
        raise BadNote("a note is a text, an empty line and signature lines")
    lines = tail[:-1].split("\n")
    if len(lines) > MAX_SIGNATURES:
        raise BadNote(f"a note has at most {MAX_SIGNATURES} signatures")
    found = []
    for line in lines:
        match = _SIGNATURE.fullmatch(line)
        if match is None:
            raise BadNote("a signature line is damaged")
        try:
            raw = unb64(match[2])
        except ValueError as error:
            raise BadNote(f"a signature line is damaged: {error}") from error
        if len(raw) < 5:
            raise BadNote("a signature line is damaged: too short")
        found.append((match[1], raw, line + "\n"))
    return text + "\n", found


def open_note(note: str, known: Iterable[Verifier]) -> OpenedNote:
    """Return the text of *note* and who of the *known* keys signed it.

    Lines of unknown keys are ignored. Raises UnsignedNote where no known key signed, and :class:`BadNote`
    where a line of a known key is false or stands there twice, or the note is damaged.
    """
    text, lines = split_note(note)
    by_id = {(one.name, one.id): one for one in known}
    signers: dict[Verifier, int | None] = {}
    for name, raw, _ in lines:
        one = by_id.get((name, raw[:4]))
        if one is None:
            continue
        if one in signers:
            raise BadNote("a note is signed twice by one key")
        signers[one] = _check_signature(one, raw[4:], text)
    if not signers:
        raise UnsignedNote("no known key signed the note")
    return OpenedNote(text, signers)


def _check_signature(one: Verifier, raw: bytes, text: str) -> int | None:
    """The time of a cosignature, None for an ordinary signature. Raises BadNote where it does not hold."""
    time: int | None = None
    message, signature = text.encode(), raw
    if one.kind == COSIGNATURE:
        if len(raw) != 72:
            raise BadNote("a cosignature has 72 bytes")
        time = int.from_bytes(raw[:8], "big")
        message, signature = _make_cosigned_message(text, time), raw[8:]
    if not one.holds(message, signature):
        raise BadNote("the signature of a known key does not hold")
    return time


# --- receipts --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Receipt:
    """The acknowledgement of a command that was recorded."""

    origin: str
    game: str
    n: int
    """The last event of the command."""
    hash: bytes
    cmd: str
    time: int
    """The time of the event, in whole POSIX seconds: whenever it is signed, it is the same text."""
    deadline: int

    def text(self) -> str:
        """Return the text that is signed."""
        lines = (
            RECEIPT_LINE,
            self.origin,
            self.game,
            self.n,
            b64encode(self.hash).decode(),
            self.cmd,
            self.time,
            self.deadline,
        )
        return "\n".join(map(str, lines)) + "\n"

    @staticmethod
    def read(text: str) -> Receipt:
        """Return the inverse of :meth:`text`. Raises BadNote for anything else."""
        lines = text.split("\n")
        if len(lines) != 9 or lines[8] or lines[0] != RECEIPT_LINE or not lines[1]:
            raise BadNote("no receipt")
        try:
            found = Receipt(
                origin=lines[1],
                game=check_uuid(lines[2]),
                n=parse_decimal(lines[3]),
                hash=unb64(lines[4], 32),
                cmd=check_uuid(lines[5]),
                time=parse_decimal(lines[6]),
                deadline=parse_decimal(lines[7]),
            )
        except ValueError as error:
            raise BadNote(f"a damaged receipt: {error}") from error
        if found.deadline != found.time + RECEIPT_DELAY:
            raise BadNote(f"the receipt's deadline is not {RECEIPT_DELAY} seconds after its time")
        return found


def receipt_time(at: str) -> int:
    """Return the POSIX seconds of the receipt for an event that was recorded at the time *at*.

    >>> receipt_time("2026-03-01T12:00:00.900000Z")
    1772366400
    """
    return int(datetime.fromisoformat(at).replace(microsecond=0).timestamp())


def sign_receipt(key: SigningKey, game: str, n: int, head: bytes, cmd: str, time: int) -> str:
    """Sign for event *n* with hash *head*, the last one of command *cmd*, recorded at *time*."""
    return key.sign(Receipt(key.name, game, n, head, cmd, time, time + RECEIPT_DELAY).text())


def peek_receipt(note: str) -> Receipt:
    """Return a receipt without regard to who signed it. Raises BadNote for what is none."""
    return Receipt.read(split_note(note)[0])


def open_receipt(note: str, known: Iterable[Verifier]) -> tuple[Receipt, Verifier]:
    """A receipt and who of the *known* log keys signed it; the key's name must be the receipt's origin.

    Raises UnsignedNote where none did, BadNote where it is damaged or falsely signed.
    """
    opened = open_note(note, known)
    receipt = Receipt.read(opened.text)
    for one in opened.signers:
        if one.name == receipt.origin:
            return receipt, one
    raise BadNote("the receipt names another origin than the key that signed it")
