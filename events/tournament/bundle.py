"""The bundle of a tournament: one NDJSON file that proves its pairings, games, results and rulings.

It begins with a header. One line for each event follows, with the texts beside it that were not erased. Then
come the service's receipt for the last event, and proofs that the log of all games holds it. Once the
tournament is over, all lines of the bundle of each linked game follow, which begin with a header of their
own. The file is read as a stream: a game is held in memory, never all of them.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

import msgspec

from events.rules.fact import Json
from events.table.bundle import ProofLine, ReceiptLine, encode_line
from events.table.record import Record
from events.tlog.notes import SigningKey, receipt_time, sign_receipt
from events.tournament.state import VERSION, Tournament

FORMAT = "rutter-tournament/2"
LAST_TYPE = "TournamentClosed"
"""The type of the event that ends a tournament; nothing follows on it."""
TEXT_FIELDS = ("name", "description", "text")
"""Members of events that are digests of texts."""

TextsByDigest = Mapping[str, tuple[bytes, str]]
"""The salts and the words of texts, by digest."""


class Header(msgspec.Struct, frozen=True, tag="header", tag_field="kind", forbid_unknown_fields=True):
    """The first line."""

    format: str
    tournament: str
    version: int
    """The version of the rules of tournaments."""
    scope: Literal["whole", "running"]
    events: int
    games: int
    """The number of bundles of games that follow."""
    origin: str
    """The name of the service."""

    @property
    def stream(self) -> str:
        """The kind of stream that the events are of."""
        return "tournament"

    @property
    def game(self) -> str:
        """The id of the stream, under the name that it has in receipts and in events."""
        return self.tournament


class TextLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A text: the salt of its digest (base64), and the words."""

    salt: str
    text: str


class EventLine(
    msgspec.Struct, frozen=True, tag="event", tag_field="kind", forbid_unknown_fields=True, omit_defaults=True
):
    """One event."""

    n: int
    hash: str
    body: str
    """The canonical JSON that was hashed, as a text."""
    texts: dict[str, TextLine] = {}


def write_lines(
    state: Tournament,
    records: Iterable[Record],
    written: TextsByDigest,
    key: SigningKey,
    proofs: Iterable[tuple[int, str]] = (),
) -> Iterator[bytes]:
    """Yield the tournament's own part, up to its newest event.

    *proofs*: event and proof of inclusion, rising by event.
    """
    yield encode_line(
        Header(
            FORMAT,
            state.id,
            VERSION,
            "whole" if state.over else "running",
            state.seq,
            len(list_bundled_games(state)),
            key.name,
        )
    )
    for record in records:
        yield encode_line(_event_line(record, written))
    note = sign_receipt(key, state.id, state.seq, state.head, state.cmd, receipt_time(state.at))
    yield encode_line(ReceiptLine(note))
    for n, proof in proofs:
        yield encode_line(ProofLine(n, proof))


def list_bundled_games(state: Tournament) -> list[str]:
    """Return the games whose bundles belong to it, by round and table; none while it runs."""
    if not state.over:
        return []
    return [
        game
        for one in state.rounds
        for table in one.tables
        for game in (*table.games, *((table.game,) if table.head is not None else ()))
    ]


def _event_line(record: Record, written: TextsByDigest) -> EventLine:
    found = {}
    for field, digest in text_digests(msgspec.json.decode(record.envelope().data)).items():
        if digest in written:
            salt, text = written[digest]
            found[field] = TextLine(base64.b64encode(salt).decode(), text)
    return EventLine(record.seq, record.hash.hex(), record.body.decode(), found)


def text_digests(data: Json) -> dict[str, str]:
    """Return, by field, the digests of texts that the *data* of an event hold."""
    inner = next((data[name] for name in ("settings", "changes") if isinstance(data.get(name), dict)), data)
    return {field: inner[field] for field in TEXT_FIELDS if isinstance(inner.get(field), str)}
