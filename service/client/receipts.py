"""A client's memory of what the server acknowledged, so that it cannot be taken back unnoticed.

Copy this file into any client: it needs the standard library and `cryptography`, nothing of Rutter.

```
<folder>/pins/<address>           the keys of a server, one vkey a line, as they were at first contact
<folder>/<origin>/<game>.ndjson   its receipts, a line {"kind":"receipt","note":...} each, for `rutter verify`
```

In the origin `/` is written `_`. What a later answer calls itself changes nothing: files are found by the
pinned origin. A new key is believed where a pinned one has announced it: an entry of the log of all games, in
a checkpoint that the pinned key signed. A signature of the new key beside one of the old proves nothing,
since anyone who relays a receipt can add a line. Keys that have ended stay in the file as `ended <vkey>`.
"""

import base64
import binascii
import hashlib
import json
import logging
import os
import re
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

FIRST_LINE = "rutter/receipt@v1"
_ED25519 = b"\x01"
"""The type of a key that signs receipts, before its 32 bytes."""
_UUID = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_NUMBER = "0|[1-9][0-9]{0,15}"
_ENDED = "ended "
_SIGNATURE = re.compile("\u2014 ([^\\s+]+) ([A-Za-z0-9+/=]+)")
_TEXT = re.compile(
    f"{FIRST_LINE}\n(?P<origin>[^\\s+]+)\n(?P<game>{_UUID})\n(?P<n>{_NUMBER})\n"
    f"(?P<hash>[A-Za-z0-9+/]{{43}}=)\n(?P<cmd>{_UUID})\n(?P<time>{_NUMBER})\n(?P<deadline>{_NUMBER})\n"
)
_PROOF = re.compile(
    rf"c2sp\.org/tlog-proof@v1\nindex (?P<index>{_NUMBER})\n(?P<hashes>(?:[A-Za-z0-9+/]{{43}}=\n){{0,63}})\n"
    rf"(?P<text>(?P<origin>[^\s+]+)\n(?P<size>{_NUMBER})\n(?P<root>[A-Za-z0-9+/]{{43}}=)\n)\n(?P<lines>(?:.+\n)+)"
)
"""A proof that an entry stands in the log, with the checkpoint below it."""
DELAY = 60
"""Seconds from the time of a receipt to its deadline; and by which clocks may differ."""

log = logging.getLogger("rutter.receipts")


class BadReceipt(ValueError):
    """An answer without a receipt that holds, or one that contradicts what was acknowledged before."""


class UnknownKey(BadReceipt):
    """A receipt that none of the pinned keys signed, and no key that they have announced."""


@dataclass(frozen=True)
class Key:
    """A public key of a server, written as a vkey: `name+id+base64`."""

    name: str
    """The origin of the log whose receipts it signs."""
    id: bytes
    public: bytes

    @property
    def vkey(self) -> str:
        """The key as it is written: the inverse of :meth:`read`."""
        return f"{self.name}+{self.id.hex()}+{base64.b64encode(_ED25519 + self.public).decode()}"

    @staticmethod
    def read(vkey: str) -> "Key":
        """Read a vkey. Raises ValueError for anything else."""
        name, _, rest = vkey.partition("+")
        known, _, encoded = rest.partition("+")
        raw = _decode(encoded)
        identity = hashlib.sha256(name.encode() + b"\n" + raw).digest()[:4]
        if raw[:1] != _ED25519 or len(raw) != 33 or known != identity.hex():
            raise ValueError(f"{vkey!a} is not a key that signs receipts")
        return Key(name, identity, raw[1:])

    def check(self, text: str, signature: bytes) -> None:
        """Check that the key made *signature* of *text*. Raises BadReceipt."""
        try:
            Ed25519PublicKey.from_public_bytes(self.public).verify(signature, text.encode())
        except (InvalidSignature, ValueError):
            raise BadReceipt("a receipt is not valid: its signature is wrong") from None


@dataclass(frozen=True)
class Receipt:
    """The signed statement of a server that event `n` of a game has this hash."""

    game: str
    n: int
    hash: bytes
    time: int
    """POSIX seconds of the event, whenever the receipt is asked for."""


def open_receipt(note: str, keys: Iterable[Key]) -> Receipt:
    """Return the receipt in *note*, which one of the *keys* must have signed. Raises BadReceipt."""
    text, gap, tail = note.rpartition("\n\n")
    read = _TEXT.fullmatch(text + "\n")
    signatures = [_SIGNATURE.fullmatch(line) for line in tail[:-1].split("\n")]
    if not gap or not tail.endswith("\n") or read is None or None in signatures:
        raise BadReceipt("a receipt is not valid: it is damaged")
    if int(read["deadline"]) != int(read["time"]) + DELAY:
        raise BadReceipt(f"a receipt is not valid: its deadline is not {DELAY} seconds after its time")
    known = {(key.name, key.id): key for key in keys if key.name == read["origin"]}
    signed = [found for found in signatures if found is not None]
    by = [(known.get((one[1], _decode(one[2])[:4])), _decode(one[2])[4:]) for one in signed]
    made = [(key, signature) for key, signature in by if key is not None]
    if not made:
        raise UnknownKey("a receipt is not valid: no known key signed it")
    for key, signature in made:
        key.check(text + "\n", signature)
    return Receipt(read["game"], int(read["n"]), _decode(read["hash"]), int(read["time"]))


def _decode(text: str) -> bytes:
    """Return the bytes of a base64 *text* that encodes back to itself. Raises BadReceipt."""
    try:
        raw = binascii.a2b_base64(text)
    except binascii.Error:
        raw = b""
    if base64.b64encode(raw).decode() != text:
        raise BadReceipt("a receipt is not valid: it is damaged")
    return raw


class PinnedKeys(list[Key]):
    """The keys of one server: those of the first contact, and those that they have announced since.

    Args:
        signing: the keys that are believed: those in the list.
        ended: earlier ones, with which only receipts that are kept already are read.
        path: the file where they are kept; None keeps them for this process only.
        ask: gives what `GET /v1/keys` answers; None learns no new keys.

    Raises:
        ValueError: no keys, or keys of several servers.
    """

    def __init__(
        self,
        signing: Iterable[Key],
        ended: Iterable[Key] = (),
        path: Path | None = None,
        ask: Callable[[], Mapping[str, Any]] | None = None,
    ) -> None:
        super().__init__(signing)
        self.ended = list(ended)
        self._path, self._ask = path, ask
        if len({key.name for key in self.all}) != 1:
            raise ValueError("the keys belong to several servers: use one store for each server")

    @property
    def all(self) -> list[Key]:
        """All keys, with which receipts that are kept are read."""
        return [*self, *self.ended]

    @property
    def origin(self) -> str:
        """The name under which all of them sign."""
        return self.all[0].name

    def open(self, note: str) -> Receipt:
        """Return the receipt in *note*, which a key that signs must have signed. Raises BadReceipt.

        If none did, the keys that they have announced are learned first.
        """
        try:
            return open_receipt(note, self)
        except UnknownKey:
            if not self.learn():
                raise UnknownKey(self._explain()) from None
        return open_receipt(note, self)

    def learn(self) -> bool:
        """Learn the keys that those that sign have announced; return True if there are new ones."""
        told = self._ask() if self._ask else {}
        if told.get("origin") != self.origin:
            return False
        known, fresh = list(self), []
        for one in told["keys"]:  # the oldest first: each may be announced by the one before
            key = Key.read(one["vkey"])
            if key not in self.all and _is_announced(key, one.get("announced"), known):
                known.append(key)
                fresh.append(key)
        over = {one["vkey"] for one in told["keys"] if one["until"] is not None}
        signing = [key for key in known if key.vkey not in over]
        if not fresh or not signing:
            return False
        self.ended += [key for key in known if key not in signing]
        self[:] = signing
        self.write()
        return True

    def _explain(self) -> str:
        place = "" if self._path is None else f" Then remove the file {self._path}."
        return (
            "a receipt is signed by another key than the pinned ones, and they have not announced it. Trust"
            f" it only if the operator tells you that the key was replaced.{place}"
        )

    def write(self) -> None:
        """Keep the keys in their file, if there is one."""
        if self._path is not None:
            lines = [*(key.vkey for key in self), *(_ENDED + key.vkey for key in self.ended)]
            draft = self._path.with_name(f"{self._path.name}.{os.getpid()}.draft")
            _append(draft, "".join(f"{line}\n" for line in lines))
            draft.replace(self._path)


def load_pinned_keys(folder: Path, address: str, ask: Callable[[], Mapping[str, Any]]) -> PinnedKeys:
    """Return the keys of the server at *address*: those first seen, and what they announced.

    *ask* gives what `GET /v1/keys` answers; it is called at first contact, and when a new key signs.
    """
    path = folder / "pins" / _file_name(address)
    if not path.exists():
        signing = [key["vkey"] for key in ask()["keys"] if key["until"] is None]
        PinnedKeys(map(Key.read, signing), path=path).write()
    lines = path.read_text(encoding="utf-8").splitlines()
    ended = [line.removeprefix(_ENDED) for line in lines if line.startswith(_ENDED)]
    signing = [line for line in lines if not line.startswith(_ENDED)]
    return PinnedKeys(map(Key.read, signing), map(Key.read, ended), path, ask)


def _is_announced(key: Key, proof: object, known: Iterable[Key]) -> bool:
    """Return True if *proof* shows that the log announced *key*, in a checkpoint of one of the *known*."""
    match = _PROOF.fullmatch(proof) if isinstance(proof, str) else None
    if match is None or match["origin"] != key.name:
        return False
    entry = json.dumps({"add": key.vkey}, separators=(",", ":"), ensure_ascii=False).encode()
    leaf = hashlib.sha256(b"\0" + entry).digest()
    try:
        hashes = [_decode(line) for line in match["hashes"].split()]
        if _root(leaf, int(match["index"]), int(match["size"]), hashes) != _decode(match["root"]):
            return False
        signatures = [found for line in match["lines"].splitlines() if (found := _SIGNATURE.fullmatch(line))]
        for name, raw in ((found[1], _decode(found[2])) for found in signatures):
            for one in known:
                if (name, raw[:4]) == (one.name, one.id):
                    one.check(match["text"], raw[4:])
                    return True
    except BadReceipt:
        return False
    return False


def _root(leaf: bytes, index: int, size: int, hashes: Iterable[bytes]) -> bytes | None:
    """Return the root of a tree of *size* leaves with *leaf* at *index* (RFC 9162); None for no proof."""
    at, last, found = index, size - 1, leaf
    if index >= size:
        return None
    for other in hashes:
        if last == 0:
            return None
        right = at % 2 == 1 or at == last
        found = hashlib.sha256(b"\1" + (other + found if right else found + other)).digest()
        while right and at % 2 == 0 and at > 0:
            at, last = at // 2, last // 2
        at, last = at // 2, last // 2
    return found if last == 0 else None


class ReceiptStore:
    """Keeps the receipts of one client and checks each new one against them. Safe for use by many threads.

    Args:
        keys: the server's keys: `PinnedKeys`, or those of a configuration; all of one origin.
        folder: where receipts are kept; None keeps them for this process only.
        clock: gives POSIX seconds.

    Raises:
        ValueError: no keys, or keys of several servers.
    """

    def __init__(
        self,
        keys: PinnedKeys | Iterable[Key],
        folder: Path | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._keys = keys if isinstance(keys, PinnedKeys) else PinnedKeys(keys)
        self._clock = clock
        self._folder = folder / _file_name(self._keys.origin) if folder else None
        self._games: dict[str, dict[int, Receipt]] = {}
        self._lock = threading.Lock()

    def keep(self, game: str, note: object, *, repeated: bool = False, first: bool = False) -> Receipt:
        """Check the receipt that an answer for *game* carried, and keep it.

        A receipt has the time of its event. So it is compared with this client's clock only where *first*
        says that the event was made a moment ago; a difference is logged as a warning.

        Args:
            game: the id of the game that was asked about.
            note: the answer's member `receipt`.
            repeated: whether the answer is that to an earlier request, and so may name an earlier event.
            first: whether it is the first answer to a new command.

        Raises:
            UnknownKey: it is signed by a key that is not pinned, nor announced by one that is.
            BadReceipt: it is missing, for another game, older than the newest, or
                names another hash for an event that was acknowledged before.
        """
        if not isinstance(note, str):
            raise BadReceipt("the answer has no receipt, though it accepted something")
        with self._lock:
            receipt = self._keys.open(note)
            known = self._load_known(game)
            if self._is_new(game, receipt, known, repeated):
                if self._folder:
                    line = {"kind": "receipt", "note": note}
                    text = json.dumps(line, ensure_ascii=False, separators=(",", ":"))
                    _append(self._folder / f"{receipt.game}.ndjson", text + "\n")
                known[receipt.n] = receipt
        ahead = receipt.time - self._clock()
        if first and abs(ahead) > DELAY:
            log.warning("the receipt for event %d is dated %+.0f s from this clock", receipt.n, ahead)
        return receipt

    def find_newest(self, game: str) -> Receipt | None:
        """Return the receipt for the latest event of *game*."""
        with self._lock:
            known = self._load_known(game)
            return known[max(known)] if known else None

    def check_view(self, game: str, seq: int) -> None:
        """Refuse a view or stream of *game* that ends with event *seq*, before what was acknowledged.

        Raises:
            BadReceipt: the server was set back.
        """
        newest = self.find_newest(game)
        if newest is not None and seq < newest.n:
            raise BadReceipt(f"the game ends at event {seq}, though event {newest.n} was acknowledged")

    def check_event(self, game: str, seq: int, head: str) -> None:
        """Refuse event *seq* of *game* with the hash *head* (hex) where another one was acknowledged.

        Raises:
            BadReceipt: the server shows another history than it signed.
        """
        with self._lock:
            receipt = self._load_known(game).get(seq)
        if receipt is not None and receipt.hash.hex() != head:
            raise BadReceipt(f"event {seq} is another one than the server acknowledged")

    def _is_new(self, game: str, receipt: Receipt, known: dict[int, Receipt], repeated: bool) -> bool:
        if receipt.game != game:
            raise BadReceipt(f"a receipt for the game {receipt.game} instead of {game}")
        same = known.get(receipt.n)
        if same is not None:
            if same.hash != receipt.hash:
                raise BadReceipt(f"event {receipt.n} was acknowledged with two hashes: keep both receipts")
            return False
        if known and receipt.n < max(known) and not repeated:
            raise BadReceipt(f"a receipt for event {receipt.n} after one for event {max(known)}")
        return True

    def _load_known(self, game: str) -> dict[int, Receipt]:
        """Return the receipts for *game* by event. Each was checked when it was put into the folder."""
        if game not in self._games:
            found = self._read(game)
            self._games[game] = {receipt.n: receipt for receipt in found}
        return self._games[game]

    def _read(self, game: str) -> list[Receipt]:
        if not re.fullmatch(_UUID, game):
            raise BadReceipt(f"{game!a} is not the id of a game")
        path = self._folder and self._folder / f"{game}.ndjson"
        if not path or not path.exists():
            return []
        text = path.read_bytes()
        whole = text[: text.rfind(b"\n") + 1]
        if whole != text:  # the client was killed while it wrote
            os.truncate(path, len(whole))
        return [open_receipt(json.loads(line)["note"], self._keys.all) for line in whole.splitlines()]


def _file_name(name: str) -> str:
    plain = name.replace("/", "_")
    if plain in ("", ".", ".."):
        raise ValueError(f"{name!r} cannot be the name of a folder")
    return plain


def _append(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
