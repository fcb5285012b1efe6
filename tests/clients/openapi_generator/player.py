"""Plays one whole game with a client that openapi-generator has made for Python, and nothing else.

python player.py ADDRESS SEED
"""

from __future__ import annotations

import random
import sys
import time

from rutter_api import ApiClient, Configuration, models
from rutter_api.api.accounts_api import AccountsApi
from rutter_api.api.games_api import GamesApi
from rutter_api.api.play_api import PlayApi

MOST = 20_000
"""Answers that a game may take."""
A_MOMENT = 0.05
"""Seconds between two looks at what the server has yet to do."""


def main(address: str, seed: int) -> None:
    """Play until the game is over; prints how many commands that took."""
    chance = random.Random(seed)
    nobody = AccountsApi(ApiClient(Configuration(host=address)))
    made = nobody.create_account(models.NewAccount(name="Generated"))
    client = ApiClient(Configuration(host=address, access_token=made.token))
    seats = [models.SeatWish(models.SeatWishOneOf(you=True)) for _ in range(3)]
    wish = models.NewGame(models.ColoniesNewGame(title="colonies", seats=seats))
    games, player = GamesApi(client), PlayApi(client)
    game = games.create_game(wish).actual_instance
    given = play(player, game.id, chance)
    ended = games.get_game(game.id).actual_instance
    assert ended.status == "finished", ended.status
    sys.stdout.write(f"{ended.title} {given}\n")


def play(player: PlayApi, game: str, chance: random.Random) -> int:
    """Give commands that the game waits for as long as it waits for anybody; how many."""
    for given in range(MOST):
        now = player.get_decisions(game).actual_instance
        asked = [decision for decision in now.decisions if not decision.free]
        if not asked:
            return given
        if all(decision.seat is None for decision in asked):
            time.sleep(A_MOMENT)  # noqa: TID251 - a stranger has nothing but sleep
            continue
        awaited = {(decision.seat, kind) for decision in asked for kind in decision.commands}
        moves = [one for one in now.legal if (one.seat, one.command.actual_instance.type) in awaited]
        command = models.Command(chance.choice(moves).command.actual_instance)
        player.give_command(game, command, if_match=f'"{now.seq}"')
    raise AssertionError(f"no end after {MOST} answers")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
