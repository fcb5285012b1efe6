"""Run a tournament of random players: organiser.py URL --players 16 --rounds 4 --title T --out FILE"""

import argparse
import random
import time
from pathlib import Path
from threading import Thread

from rutter.client import Client, Move, Turn

BEGAN = time.monotonic()


def say(*news: object) -> None:
    """Print a line of progress, with the seconds since the start."""
    print(f"{time.monotonic() - BEGAN:4.0f} s ", *news, flush=True)


class Account(Client):  # type: ignore[misc]
    """An account that goes on over restarts and limits, and says why it waits."""

    def __init__(self, url: str, name: str) -> None:
        super().__init__(url, tell=lambda why: say(name, "waits:", why))
        self.name = self.sign_up(name)["name"]

    def choose(self, turn: Turn) -> Move | None:
        """Return a random command if the game waits for one."""
        if self.core.calls % 100 == 0:
            say(self.name, "has made", self.core.calls, "calls")
        return random.choice(turn.asked) if turn.asked else None  # noqa: S311 - nobody has to guess it


def main(url: str, players: int, rounds: int, title: str, out: Path) -> None:
    """Make the event, let the players in, say what happens, and write the audit file at the end."""
    host, stage = Account(url, "Organiser"), {"format": "swiss_pods", "rounds": rounds, "look_ahead": True}
    wanted = {"title": title, "table": {"size": 4, "least": 3}, "stages": [stage], "protest_ms": 0}
    wanted["schedule"] = {"starts_at": "2026-01-01T00:00:00Z"}  # it is past: the first round starts at once
    event = "/v1/tournaments/" + host.request("POST", "/v1/tournaments", wanted)["id"]
    say("see", event.replace("/v1/tournaments", url + "/t"))
    host.request("POST", f"{event}/commands", {"type": "open_entry"})
    for player in [Account(url, f"Player {number}") for number in range(1, players + 1)]:
        player.request("POST", f"{event}/commands", {"type": "enter"})
        Thread(target=player.play, args=[player.choose], daemon=True).start()
    host.request("POST", f"{event}/commands", {"type": "close_entry"})
    for news in (message.data for message in host.stream(f"{event}/stream")):
        if what := news.get("type"):
            say(what, *(f"{one} {news['data'][one]}" for one in ("round", "table") if one in news["data"]))
        if what == "TournamentClosed" or news.get("over"):
            break
    out.write_bytes(host.read(f"{event}/audit"))
    print(host.core.calls)


if __name__ == "__main__":
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("url")
    usual = {"players": 16, "rounds": 4, "title": "colonial_empires", "out": Path("event.ndjson")}
    for option, value in usual.items():
        words.add_argument(f"--{option}", type=type(value), default=value)
    main(**vars(words.parse_args()))
