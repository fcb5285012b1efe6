"""A bot: the stream of its game says when it is its turn, and each move is one call.

TOKEN=rut_... python ops/examples/bot.py http://127.0.0.1:8000 GAME
"""

import json
import os
import random
import sys
from urllib.error import HTTPError
from urllib.request import Request, urlopen


def main(address: str, game: str) -> None:
    """Play until the game is over."""
    url, event, done = f"{address}/v1/games/{game}", "", 0
    headers = {"Authorization": f"Bearer {os.environ['TOKEN']}", "Content-Type": "application/json"}
    for line in urlopen(Request(f"{url}/stream", headers=headers)):  # noqa: S310 - the address that was given
        field, _, data = line.decode().strip().partition(": ")
        event = data if field == "event" else event
        if field == "data" and event == "event" and json.loads(data)["type"] == "TableClosed":
            return
        turn = json.loads(data) if field == "data" and event == "turn" else {"legal": []}
        if turn["legal"] and turn["seq"] >= done:  # older turns do not count
            body = json.dumps(random.choice(turn["legal"])["command"]).encode()  # noqa: S311 - nobody has to guess it
            try:
                done = json.load(urlopen(Request(f"{url}/commands", body, headers)))["seq"]  # noqa: S310
            except HTTPError as refused:  # another player was quicker: the stream says what to do now
                refused.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
