"""Batches: of no title, appended to a log; and those of a game, sealed and folded without servers."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from events import chain
from events.fact import Fact
from events.folding import fold
from events.game import Game
from events.log import EventLog, VersionConflict
from events.proof import Secrets
from events.record import Cause, Record, seal
from events.table import PROTOCOL

SECRETS = Secrets(bytes(32), bytes(32), bytes(32), bytes(32))


class Sailed(Fact, frozen=True):
    """An event of no title: neither log nor tree asks."""

    port: int


def append(log: EventLog, game_id: str, count: int = 1) -> tuple[int, bytes] | None:
    """Append a batch behind the newest event; where it ends and its hash, None where another was first."""
    newest = log.read(game_id)
    seq, head = (newest[-1].seq, newest[-1].hash) if newest else (0, chain.genesis(game_id))
    cause = Cause("2026-01-01T00:00:00.000000Z", 1, str(uuid.uuid4()))
    facts = [Sailed(n) for n in range(count)]
    records = seal(facts, cause, game_id=game_id, version=1, seq=seq, head=head, secrets=SECRETS)
    try:
        log.append(game_id, records)
    except VersionConflict:
        return None
    return records[-1].seq, records[-1].hash


class Recording:
    """A game and its events, recorded without servers."""

    game: Game
    secrets: Secrets

    def __init__(self) -> None:
        self.records: list[Record] = []

    def record(self, facts: Sequence[Fact], cause: Cause) -> None:
        """Seal a batch as the service does, and fold it."""
        made = seal(
            list(facts),
            cause,
            game_id=self.game.id,
            version=self.game.version or PROTOCOL,
            seq=self.game.seq,
            head=self.game.head,
            secrets=self.secrets,
        )
        self.records += made
        self.game = fold(self.game, made)
