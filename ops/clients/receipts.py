"""A client's memory of what the server acknowledged, so that it cannot be taken back unnoticed.

Copy this file into any client: it needs the standard library and `cryptography`, nothing of Rutter.

```
<folder>/pins/<address>           the keys of a server, one vkey a line, as they were at first contact
<folder>/<origin>/<game>.ndjson   its receipts, a line {"kind":"receipt","note":...} each, for `rutter verify`
```

In the origin `/` is written `_`. What a later answer calls itself changes nothing: files are found by the
pinned origin, and a key that was not pinned is not believed.
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
_SIGNATURE = re.compile("\u2014 ([^\\s+]+) ([A-Za-z0-9+/=]+)")
_TEXT = re.compile(
    f"{FIRST_LINE}\n(?P<origin>[^\\s+]+)\n(?P<game>{_UUID})\n(?P<n>{_NUMBER})\n"
    f"(?P<hash>[A-Za-z0-9+/]{{43}}=)\n(?P<cmd>{_UUID})\n(?P<time>{_NUMBER})\n(?P<deadline>{_NUMBER})\n"
)
DELAY = 60
"""Seconds from the time of a receipt to its deadline; and by which clocks may differ."""

log = logging.getLogger("rutter.receipts")


class BadReceipt(ValueError):
    """An answer without a receipt that holds, or one that contradicts what was acknowledged before."""


@dataclass(frozen=True)
class Key:
    """A public key of a server, written as a vkey: `name+id+base64`."""

    name: str
    """The origin of the log whose receipts it signs."""
    id: bytes
    public: bytes

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
        raise BadReceipt("a receipt is not valid: no known key signed it")
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


def load_pinned_keys(folder: Path, address: str, ask: Callable[[], Mapping[str, Any]]) -> list[Key]:
    """Return the keys of the server at *address*: those of the first contact, for ever.

    *ask* gives what `GET /v1/keys` answers; it is called at the first contact only.
    """
    pin = folder / "pins" / _file_name(address)
    if not pin.exists():
        vkeys = [key["vkey"] for key in ask()["keys"]]
        for vkey in vkeys:
            Key.read(vkey)
        _append(pin, "".join(f"{vkey}\n" for vkey in vkeys))
    return [Key.read(line) for line in pin.read_text(encoding="utf-8").splitlines()]


class ReceiptStore:
    """Keeps the receipts of one client and checks each new one against them. Safe for use by many threads.

    Args:
        keys: the server's keys, by configuration or from `load_pinned_keys`; all of one origin.
        folder: where receipts are kept; None keeps them for this process only.
        clock: gives POSIX seconds.

    Raises:
        ValueError: no keys, or keys of several servers.
    """

    def __init__(
        self, keys: Iterable[Key], folder: Path | None = None, clock: Callable[[], float] = time.time
    ) -> None:
        self._keys = list(keys)
        self._clock = clock
        if len({key.name for key in self._keys}) != 1:
            raise ValueError("the keys belong to several servers: use one store for each server")
        self._folder = folder / _file_name(self._keys[0].name) if folder else None
        self._games: dict[str, dict[int, Receipt]] = {}
        self._lock = threading.Lock()

    def keep(self, game: str, note: object, *, repeated: bool = False, first: bool = False) -> Receipt:
        """Check the receipt that an answer for *game* carried, and keep it.

        A receipt has the time of its event. So it is compared with this client's clock only where *first*
        says that the event was made just now; a difference is logged as a warning.

        Args:
            game: the id of the game that was asked about.
            note: the answer's member `receipt`.
            repeated: whether the answer is that to an earlier request, and so may name an earlier event.
            first: whether it is the first answer to a new command.

        Raises:
            BadReceipt: it is missing, not signed by a pinned key, for another game, older than the newest, or
                names another hash for an event that was acknowledged before.
        """
        if not isinstance(note, str):
            raise BadReceipt("the answer has no receipt, though it accepted something")
        receipt = open_receipt(note, self._keys)
        with self._lock:
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
        return [open_receipt(json.loads(line)["note"], self._keys) for line in whole.splitlines()]


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
