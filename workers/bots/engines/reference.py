"""The engine to compare others with: a bot of ours behind the lines that every engine speaks.

``python -m workers.bots.engines.reference TITLE BOT NAME`` plays as the bot would, move for move. It shows
all that an engine needs: say hello, remember the position, answer each `go`.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import msgspec

from events.rules.catalogue import find_title, versions
from events.rules.fact import Json
from workers.bots import consider, find_bot

USAGE = "usage: python -m workers.bots.engines.reference TITLE BOT NAME"


def answers(lines: Iterable[bytes], title_id: str, bot: str) -> Iterator[Json]:
    """Yield the answer to each `go` in *lines*."""
    position: Json = {}
    for line in lines:
        message = msgspec.json.decode(line)
        if message["type"] == "position":
            position = message
        elif message["type"] == "go":
            yield best(position, message, title_id, bot)


def best(position: Json, go: Json, title_id: str, name: str) -> Json:
    """Return the move of the bot *name* in the position *position*."""
    title = next(one for one in versions(title_id) if one.version == position["version"])
    bot = replace(find_bot(title_id, name, title), budget=go["simulations"])
    state = title.from_position(position["position"])
    # Hidden parts are drawn once more, from the same seed: that changes nothing, see `Title.imagine`.
    came = consider(title, bot, state, position["seat"], bytes.fromhex(go["seed"]))
    value = next((each.chance for each in came.candidates if each.command == came.command), None)
    return {
        "type": "best",
        "command": msgspec.to_builtins(came.command, str_keys=True),
        "simulations": came.simulations,
        "value": value,
    }


def hello(title_id: str, bot: str, name: str) -> Json:
    """Return the engine's greeting: the version is the bot's, the SHA-256 that of this file."""
    version = find_bot(title_id, bot, find_title(title_id)).version
    digest = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()
    return {"type": "hello", "name": name, "version": version, "sha256": digest}


def main(words: list[str]) -> int:
    """Speak until nothing more is heard; 2 for usage."""
    if len(words) != 3:
        sys.stderr.write(USAGE + "\n")
        return 2
    title_id, bot, name = words
    say(hello(title_id, bot, name))
    for answer in answers(sys.stdin.buffer, title_id, bot):
        say(answer)
    return 0


def say(message: Json) -> None:
    """Write one line, at once."""
    sys.stdout.buffer.write(msgspec.json.encode(message) + b"\n")
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
