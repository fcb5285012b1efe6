"""Batches: of no title, appended to a log; and those of a game, sealed and folded without servers."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from events.proof import canonical
from events.proof.randomness import Secrets
from events.rules.fact import Fact
from events.store.event_log import EventLog, VersionConflict
from events.table.engine import fold, fold_batch
from events.table.game import Game
from events.table.lifecycle_facts import PROTOCOL
from events.table.record import BatchCause, Record, seal_facts

SECRETS = Secrets(bytes(32), bytes(32), bytes(32), bytes(32))


class Sailed(Fact, frozen=True):
    """An event of no title: neither log nor tree asks."""

    port: int


def append(log: EventLog, game_id: str, count: int = 1) -> tuple[int, bytes] | None:
    """Append a batch behind the newest event; where it ends and its hash, None where another was first."""
    newest = log.read(game_id)
    seq, head = (newest[-1].seq, newest[-1].hash) if newest else (0, canonical.genesis(game_id))
    cause = BatchCause("2026-01-01T00:00:00.000000Z", 1, str(uuid.uuid4()))
    facts = [Sailed(n) for n in range(count)]
    records = seal_facts(facts, cause, game_id=game_id, version=1, seq=seq, head=head, secrets=SECRETS)
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

    def record(self, facts: Sequence[Fact], cause: BatchCause) -> None:
        """Seal a batch as the service does, and fold it: at once, which is the same as event by event."""
        made = seal_facts(
            list(facts),
            cause,
            game_id=self.game.id,
            version=self.game.version or PROTOCOL,
            seq=self.game.seq,
            head=self.game.head,
            secrets=self.secrets,
        )
        self.records += made
        one_by_one = fold(self.game, made)
        self.game = fold_batch(self.game, made)
        assert self.game == one_by_one
