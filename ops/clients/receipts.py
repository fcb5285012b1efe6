"""A client's memory of what the service acknowledged, so that it cannot be taken back unnoticed.

To be copied into any client: needs the standard library and `events.tlog` only.

```
<folder>/pins/<address>           the keys of a service, one vkey a line, as they were at first contact
<folder>/<origin>/<game>.ndjson   its receipts, a line {"kind":"receipt","note":...} each, for `rutter verify`
```

In the origin `/` is written `_`. What a later answer calls itself changes nothing: files are found by the
pinned origin, and a key that was not pinned is not believed.
"""

import json
import os
import threading
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from events.tlog.notes import BadNote, Verifier
from events.tlog.receipts import Receipt, open_receipt
from events.tlog.text import check_uuid


class BadReceipt(ValueError):
    """An answer without a receipt that holds, or one that contradicts what was acknowledged before."""


def load_pinned_keys(folder: Path, address: str, ask: Callable[[], Mapping[str, Any]]) -> list[Verifier]:
    """Return the keys of the service at *address*: those of the first contact, for ever.

    *ask* gives what `GET /v1/keys` answers; it is called at the first contact only.
    """
    pin = folder / "pins" / _file_name(address)
    if not pin.exists():
        keys = [Verifier.read(key["vkey"]) for key in ask()["keys"]]
        pin.parent.mkdir(parents=True, exist_ok=True)
        _append(pin, "".join(f"{key.vkey}\n" for key in keys))
    return [Verifier.read(line) for line in pin.read_text(encoding="utf-8").splitlines()]


class ReceiptStore:
    """Keeps the receipts of one client and checks each new one against them. Safe for use by many threads.

    Args:
        keys: the service's keys, by configuration or from `pinned`; all of one origin.
        folder: where receipts are kept; None keeps them for this process only.

    Raises:
        ValueError: no keys, or keys of several services.
    """

    def __init__(self, keys: Iterable[Verifier], folder: Path | None = None) -> None:
        self._keys = list(keys)
        if len({key.name for key in self._keys}) != 1:
            raise ValueError("a keeper knows the keys of one service")
        self._folder = folder / _file_name(self._keys[0].name) if folder else None
        self._games: dict[str, dict[int, Receipt]] = {}
        self._lock = threading.Lock()

    def keep(self, game: str, note: object, *, repeated: bool = False) -> Receipt:
        """Check the receipt that an answer for *game* carried, and keep it.

        Args:
            game: the id of the game that was asked about.
            note: the answer's member `receipt`.
            repeated: whether the answer is that to an earlier request, and so may name an earlier event.

        Raises:
            BadReceipt: it is missing, not signed by a pinned key, for another game, older than the newest, or
                names another hash for an event that was acknowledged before.
        """
        if not isinstance(note, str):
            raise BadReceipt("an answer that accepted something carries no receipt")
        try:
            receipt, _ = open_receipt(note, self._keys)
        except BadNote as error:
            raise BadReceipt(f"a receipt does not hold: {error}") from error
        with self._lock:
            known = self._load_known(game)
            if self._is_new(game, receipt, known, repeated):
                if self._folder:
                    line = {"kind": "receipt", "note": note}
                    text = json.dumps(line, ensure_ascii=False, separators=(",", ":"))
                    _append(self._folder / f"{receipt.game}.ndjson", text + "\n")
                known[receipt.n] = receipt
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
            BadReceipt: the service shows another history than it signed.
        """
        with self._lock:
            receipt = self._load_known(game).get(seq)
        if receipt is not None and receipt.hash.hex() != head:
            raise BadReceipt(f"event {seq} is not the one that was acknowledged")

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
        try:
            path = self._folder and self._folder / f"{check_uuid(game)}.ndjson"
        except ValueError:
            raise BadReceipt(f"{game!a} is the id of no game") from None
        if not path or not path.exists():
            return []
        text = path.read_bytes()
        whole = text[: text.rfind(b"\n") + 1]
        if whole != text:  # the client was killed while it wrote
            os.truncate(path, len(whole))
        return [open_receipt(json.loads(line)["note"], self._keys)[0] for line in whole.splitlines()]


def _file_name(name: str) -> str:
    plain = name.replace("/", "_")
    if plain in ("", ".", ".."):
        raise ValueError(f"{name!r} is no name for a folder")
    return plain


def _append(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
