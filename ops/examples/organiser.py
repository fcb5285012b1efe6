"""Run a tournament: python organiser.py URL --players 16 --rounds 4 --title colonial --out F"""

import argparse
import json
import random
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.request import Request, urlopen


class Account:
    """An account that calls the API: the organiser, or a player who plays at random."""

    def __init__(self, url: str, name: str) -> None:
        self.url, self.calls, self.headers = f"{url}/v1", 0, {"Content-Type": "application/json"}
        self.headers["Authorization"] = f"Bearer {json.load(self.call('/accounts', name=name))['token']}"

    def call(self, path: str, **body: Any) -> Any:  # noqa: D102
        self.calls += 1
        data = json.dumps(body).encode() if body else None
        return urlopen(Request(self.url + path, data, self.headers))  # noqa: S310 - as it was given

    def play(self) -> None:  # noqa: D102
        for line in self.call("/me/stream?legal=true"):
            news = json.loads(line[6:]) if line.startswith(b"data: {") else {}
            asked = {kind for one in news.get("decisions", ()) if not one["free"] for kind in one["commands"]}
            moves = [one["command"] for one in news.get("legal", ()) if one["command"]["type"] in asked]
            with suppress(OSError):  # if another player was quicker, the stream says what to do now
                _ = moves and self.call(f"/games/{news['game']}/commands", **random.choice(moves)).close()  # noqa: S311


words = argparse.ArgumentParser(description=__doc__)
words.add_argument("url")
for name, usual in {"players": 16, "rounds": 4, "title": "colonial", "out": "event.ndjson"}.items():
    words.add_argument(f"--{name}", type=type(usual), default=usual)
args, host = words.parse_args(), Account(words.parse_args().url, "Organiser")
size, start = {"size": 4, "least": 3}, {"starts_at": "2026-01-01T00:00:00Z"}
wanted = {"title": args.title, "table": size, "schedule": start, "protest_ms": 0}
wanted |= {"stages": [{"format": "swiss_pods", "rounds": args.rounds, "look_ahead": True}]}
event = "/tournaments/" + json.load(host.call("/tournaments", **wanted))["id"]
host.call(f"{event}/commands", type="open_entry").close()
for player in [Account(args.url, f"Player {number}") for number in range(1, args.players + 1)]:
    player.call(f"{event}/commands", type="enter").close()
    Thread(target=player.play, daemon=True).start()
host.call(f"{event}/commands", type="close_entry").close()
any(b"TournamentClosed" in line for line in host.call(f"{event}/stream"))  # until it is over
Path(args.out).write_bytes(host.call(f"{event}/audit").read())
print(host.calls)
