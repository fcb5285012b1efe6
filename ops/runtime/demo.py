"""The demonstration: games to watch and to join, and a tournament of programs; by the public API only."""

import os
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from events.proof.randomness import commit
from events.store.games import new_id
from ops.clients.api import ApiClient, ApiError
from ops.runtime import demo_tournament
from ops.runtime.data_folder import DataFolder

TITLES = ("colonial", "colonial_empires", "colonies", "colonial_revised", "colonialism")
"""The first of these that is offered is shown."""

SEATS = 4
BOT = "steady"
DEMO_FILE = "demo.json"


def open_demonstration(api: ApiClient, data: DataFolder) -> Sequence[str]:
    """Open the demonstration games unless they are there; answers lines for the terminal.

    Raises:
        ApiError: the API did not do as its description says.
    """
    known = data.read(DEMO_FILE)
    if not _is_demonstration_there(api, known):
        known = _make_demonstration(api)
        data.write(DEMO_FILE, known)
    demo_tournament.play_in_background(api, known["event"], known["players"])
    return (
        f"Watch a game of bots:    {api.address}/g/{known['watch']}",
        f"Join a game:             {api.address}/g/{known['join']}   (choose a name, then Join)",
        f"Watch a bot tournament:  {api.address}/t/{known['event']}",
    )


def _is_demonstration_there(api: ApiClient, known: dict[str, Any]) -> bool:
    """Return True if the database still knows the games of an earlier start, and one can be joined.

    The database may have been replaced meanwhile.
    """
    if not {"token", "watch", "join", "event", "players"} <= known.keys():
        return False
    host = api.as_account(known["token"])
    try:
        games = [host.get(f"/v1/games/{known[game]}") for game in ("watch", "join")]
        host.get(f"/v1/tournaments/{known['event']}")
        # A game of bots that has ended can still be watched; a seat in one that has ended cannot be had.
        return bool(games[1]["status"] != "finished")
    except ApiError as problem:
        if problem.status in (401, 403, 404):
            return False
        raise


def _make_demonstration(api: ApiClient) -> dict[str, Any]:
    token = api.post("/v1/accounts", {"name": "Demonstration"})["token"]
    host = api.as_account(token)
    title = _choose_title(host)
    bots = [{"bot": BOT}] * SEATS
    watch = _make_bot_game(host, {"title": title, "options": {}, "seats": bots})
    join = host.post("/v1/games", {"title": title, "options": {}, "seats": [{"open": True}, *bots[1:]]})
    return {"token": token, "watch": watch["id"], "join": join["id"], **demo_tournament.make_tournament(host)}


def _make_bot_game(host: ApiClient, game: dict[str, Any]) -> dict[str, Any]:
    """Make a game of bots, who contribute nothing to its randomness: so its host does, as a director."""
    game_id, secret = new_id(), os.urandom(32)
    promise = commit("director", UUID(game_id).bytes, secret).hex()
    made: dict[str, Any] = host.post("/v1/games", {**game, "id": game_id, "director_commitment": promise})
    host.post(f"/v1/games/{game_id}/reveal", {"director_contribution": secret.hex()})
    return made


def _choose_title(api: ApiClient) -> str:
    answer = api.get("/v1/titles")
    titles = answer if isinstance(answer, list) else next(v for v in answer.values() if isinstance(v, list))
    offered = [title["id"] for title in titles]
    return next((title for title in TITLES if title in offered), offered[0])
