"""Run a tournament: python organiser.py URL --players 16 --rounds 4 --title colonial_empires --out F"""

import argparse
import json
import random
import time
import uuid
from collections.abc import Callable
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

BEGAN = time.monotonic()


def say(*news: object) -> None:
    """Print a line of progress, with the seconds since the start."""
    print(f"{time.monotonic() - BEGAN:4.0f} s ", *news, flush=True)


class Account:
    """An account that calls the API: the organiser, or a player who plays at random."""

    def __init__(self, url: str, name: str) -> None:
        self.name, self.url, self.calls = name, f"{url}/v1", 0
        self.headers = {"Content-Type": "application/json"}
        self.headers["Authorization"] = f"Bearer {json.loads(self.call('/accounts', name=name))['token']}"

    def call(self, path: str, until: Callable[[Any], object] | None = None, **body: Any) -> bytes:
        """Return an answer, or follow a stream *until* that is true; go on over restarts and limits."""
        data, headers = json.dumps(body).encode(), {**self.headers, "Idempotency-Key": str(uuid.uuid4())}
        while True:
            self.calls, wait, number = self.calls + 1, 2.0, ""
            if self.calls % 100 == 0:
                say(self.name, "has made", self.calls, "calls")
            try:
                with urlopen(Request(self.url + path, data if body else None, headers), timeout=45) as answer:  # noqa: S310
                    for line in answer if until else ():
                        number = line[4:].decode().strip() if line.startswith(b"id: ") else number
                        if until and line.startswith(b"data: {"):
                            if until(json.loads(line[6:])):
                                return bytes(line)
                            headers |= {"Last-Event-ID": number} if number else {}
                    if until is None:
                        return bytes(answer.read())
            except HTTPError as refused:
                if refused.code < 429:  # what would be refused again
                    raise
                asked = refused.headers.get("Retry-After", "")
                wait = float(asked) if asked.isdecimal() else wait
                say(self.name, "is told", refused.code, "by", path, "and calls again in", wait, "s")
            except (OSError, HTTPException):
                pass
            time.sleep(wait)

    def play(self) -> None:
        """Give a random command whenever the stream of the account tells of a turn."""
        self.call("/me/stream?legal=true", self.move)

    def move(self, news: Any) -> None:  # noqa: D102
        asked = {kind for one in news.get("decisions", ()) if not one["free"] for kind in one["commands"]}
        moves = [one["command"] for one in news.get("legal", ()) if one["command"]["type"] in asked]
        with suppress(HTTPError):  # if another player was quicker, the stream says what to do now
            _ = moves and self.call(f"/games/{news['game']}/commands", **random.choice(moves))  # noqa: S311


words = argparse.ArgumentParser(description=__doc__)
words.add_argument("url")
for name, usual in {"players": 16, "rounds": 4, "title": "colonial_empires", "out": "event.ndjson"}.items():
    words.add_argument(f"--{name}", type=type(usual), default=usual)
args, host = words.parse_args(), Account(words.parse_args().url, "Organiser")
size, start = {"size": 4, "least": 3}, {"starts_at": "2026-01-01T00:00:00Z"}
wanted = {"title": args.title, "table": size, "schedule": start, "protest_ms": 0}
wanted |= {"stages": [{"format": "swiss_pods", "rounds": args.rounds, "look_ahead": True}]}
event = "/tournaments/" + json.loads(host.call("/tournaments", **wanted))["id"]


def tell(news: Any) -> object:
    """Say what happens in the event, and return true at its end."""
    what, data = news.get("type"), news.get("data", {})
    if what:
        say(what, *(f"{part} {data[part]}" for part in ("round", "table") if part in data))
    return news.get("over") or what == "TournamentClosed"


say("see", args.url + event.replace("/tournaments", "/t"))
host.call(f"{event}/commands", type="open_entry")
for player in [Account(args.url, f"Player {number}") for number in range(1, args.players + 1)]:
    player.call(f"{event}/commands", type="enter")
    Thread(target=player.play, daemon=True).start()
host.call(f"{event}/commands", type="close_entry")
host.call(f"{event}/stream", tell)
Path(args.out).write_bytes(host.call(f"{event}/audit"))
print(host.calls)
