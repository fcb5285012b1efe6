"""A bot: the stream of its game says when it is its turn, and each move is one call.

TOKEN=rut_... python ops/examples/bot.py http://127.0.0.1:8000 GAME

It plays on over restarts of the server, lost connections and limits.
"""

import json
import os
import random
import sys
import time
import uuid
from collections.abc import Iterator, Mapping
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

SILENCE = 45.0
"""Seconds without a sign of life after which a connection counts as lost: three heartbeats of a stream."""
PAUSE = 2.0
"""Seconds before the next attempt, if the server asks for no other time."""
EMPTY: Mapping[str, str] = {}
LATER = (429, 500, 502, 503, 504)
"""Statuses that may be gone in a moment: too many requests, and a server or proxy that cannot answer now."""


def send(url: str, body: bytes | None = None, more: Mapping[str, str] = EMPTY) -> Any:
    """Send a request until the server answers it; repeated with the same key, a command counts once.

    Raises HTTPError for a refusal that would stay the same.
    """
    headers = {"Authorization": f"Bearer {os.environ['TOKEN']}", "Content-Type": "application/json", **more}
    request = Request(url, body, {**headers, "Idempotency-Key": str(uuid.uuid4())})  # noqa: S310 - as given
    while True:
        wait = PAUSE
        try:
            answer = urlopen(request, timeout=SILENCE)  # noqa: S310
            return answer if body is None else json.loads(answer.read())
        except HTTPError as refused:
            refused.close()
            if refused.code not in LATER:
                raise
            asked = refused.headers.get("Retry-After", "")
            wait = float(asked) if asked.isdecimal() else PAUSE
        except (OSError, HTTPException):  # no answer, or half of one
            pass
        time.sleep(wait)


def follow(url: str) -> Iterator[tuple[str, Any]]:
    """Yield name and data of each message of a stream, which goes on where it broke off."""
    seen: dict[str, str] = {}
    while True:
        message: dict[str, str] = {}
        try:
            for line in send(url, more=seen):
                field, _, value = line.decode().rstrip("\n").partition(": ")
                if field:
                    message[field] = value
                elif not value:  # an empty line ends a message; a comment has a value
                    if "data" in message:
                        yield message["event"], json.loads(message["data"])
                    if "id" in message:
                        seen["Last-Event-ID"] = message["id"]
                    message = {}
        except HTTPError:
            raise
        except (OSError, HTTPException):
            pass
        time.sleep(PAUSE)


def main(address: str, game: str) -> None:
    """Play until the game is over."""
    url, done = f"{address}/v1/games/{game}", 0
    for name, data in follow(f"{url}/stream"):
        over = name == "event" and data["type"] in ("TableClosed", "TableAbandoned")
        if over or (name == "game" and data["status"] == "finished"):
            return
        if name == "turn" and data["legal"] and data["seq"] >= done:  # older turns do not count
            command = random.choice(data["legal"])["command"]  # noqa: S311 - nobody has to guess it
            try:
                done = send(f"{url}/commands", json.dumps(command).encode())["seq"]
            except HTTPError as refused:
                if refused.code != 409:  # else another player was quicker: the stream says what to do now
                    raise


if __name__ == "__main__":
    main(*sys.argv[1:])
