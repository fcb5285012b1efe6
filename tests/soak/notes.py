"""What the players of a soak have met, and the comparison of what was promised to them with the log."""

import json
import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from events.tlog.notes import Verifier, open_receipt

MOST_WRONG = 40
"""How many things that went wrong are kept in words."""


class Phase(Enum):
    """What happens to the service meanwhile."""

    CALM = "calm"
    NEIGHBOUR = "neighbour"
    LOADED = "loaded"
    TROUBLED = "troubled"


class Notes:
    """What all players have met, together."""

    def __init__(self) -> None:
        self.acknowledged = self.lost = self.doubled = self.errors = self.put_off = 0
        self.phase = Phase.CALM
        self.longest_wait = dict.fromkeys(Phase, 0.0)
        """Seconds; of a request that spans two phases in the later one."""
        self.trouble = ""
        """What is done to the service just now."""
        self.longest_wait_in: dict[str, float] = {}
        """Seconds, by trouble, the pause after it included."""
        self.wrong: list[str] = []
        self._lock = threading.Lock()

    def note_acknowledged(self) -> None:
        """A command was carried out."""
        with self._lock:
            self.acknowledged += 1

    def note_wait(self, seconds: float) -> None:
        """A player got an answer after that many seconds."""
        with self._lock:
            self.longest_wait[self.phase] = max(self.longest_wait[self.phase], seconds)
            if self.trouble:
                before = self.longest_wait_in.get(self.trouble, 0.0)
                self.longest_wait_in[self.trouble] = round(max(before, seconds), 1)

    def note_put_off(self) -> None:
        """A 503 that says when to come again."""
        with self._lock:
            self.put_off += 1

    def note_error(self, what: str) -> None:
        """An answer that no client should ever get."""
        with self._lock:
            self.errors += 1
        self.note_wrong(what)

    def note_wrong(self, what: str) -> None:
        """Something for the operator to read; the first ones are kept."""
        with self._lock:
            if len(self.wrong) < MOST_WRONG:
                self.wrong.append(what)

    def note_comparison(self, lost: int, doubled: int, what: str) -> None:
        """What a comparison of promises with the log has shown."""
        with self._lock:
            self.lost += lost
            self.doubled += doubled
        if lost or doubled:
            self.note_wrong(f"{what}: {lost} lost, {doubled} doubled")


@dataclass
class Promises:
    """What was acknowledged to one player in one game."""

    receipts: dict[int, str] = field(default_factory=dict)
    """Events that they were told of, by their numbers: their hashes, the last of each command with a receipt.
    """
    commands: dict[int, str] = field(default_factory=dict)
    """Of these the last one of each command."""
    unanswered: int = 0
    """Commands that they gave up: each may be in the log or not."""

    def note(self, answer: Mapping[str, Any], keys: Iterable[Verifier]) -> None:
        """Keep what an accepted command was answered with: its events, and the receipt for the last.

        Raises:
            BadNote: none of the *keys* has signed the receipt.
            ValueError: it is not for the last of these events.
        """
        told = {event["seq"]: event["hash"] for event in answer["events"]}
        last = max(told)
        receipt, _ = open_receipt(answer["receipt"], keys)
        if (receipt.n, receipt.hash.hex()) != (last, told[last]):
            raise ValueError(f"the receipt for event {receipt.n} is not for event {last}, as it was told")
        self.receipts |= told
        self.commands[last] = told[last]

    def copy(self) -> "Promises":
        """As they are now."""
        return Promises(dict(self.receipts), dict(self.commands), self.unanswered)


def read_stored_events(bundle: Iterable[bytes]) -> dict[int, dict[str, Any]]:
    """The events of a bundle by their numbers: their envelopes, with `hash`."""
    lines = [json.loads(line) for line in bundle]
    events = [{**json.loads(line["body"]), "hash": line["hash"]} for line in lines if "body" in line]
    return {event["n"]: event for event in events}


def compare(
    events: Mapping[int, Mapping[str, Any]], mine: frozenset[str], promised: Promises, *more: Promises
) -> tuple[int, int]:
    """How much of what was *promised* is lost in the log, and how many commands are in it beyond that.

    *mine* are the seats' names. A player asks until they are answered. So a command of theirs of which they
    got no answer was carried out twice; *more* is what was promised to them elsewhere and may be in the log.
    """
    lost = sum(events.get(number, {}).get("hash") != digest for number, digest in promised.receipts.items())
    given = {event["cmd"] for event in events.values() if event["by"] in mine}
    last = {event["cmd"]: event for number, event in sorted(events.items()) if event["cmd"] in given}
    known = {(n, digest) for one in (promised, *more) for n, digest in one.commands.items()}
    strange = sum((event["n"], event["hash"]) not in known for event in last.values())
    return lost, max(strange - sum(one.unanswered for one in (promised, *more)), 0)
