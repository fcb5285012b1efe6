"""Plays one whole game with a client that openapi-python-client has generated, and nothing else.

python player.py ADDRESS TITLE SEED
"""

from __future__ import annotations

import random
import sys
import time
from collections import defaultdict
from uuid import UUID

import httpx
from rutter_client import AuthenticatedClient, Client, models
from rutter_client.api.accounts import create_account
from rutter_client.api.games import create_game, get_game
from rutter_client.api.log import get_events
from rutter_client.api.play import get_decisions, give_command

NEW_GAMES = {
    "colonial": models.ColonialNewGame,
    "colonial_empires": models.ColonialEmpiresNewGame,
    "colonial_revised": models.ColonialRevisedNewGame,
    "colonialism": models.ColonialismNewGame,
    "colonies": models.ColoniesNewGame,
}
MOST = 20_000
"""Answers that a game may take."""
A_MOMENT = 0.05
"""Seconds between two looks at what the server, which fights the wars, has yet to do."""
PATIENCE = httpx.Timeout(60)


def main(address: str, title: str, seed: int) -> None:
    """Play until the game is over; prints how many commands that took."""
    chance = random.Random(seed)
    with Client(address, timeout=PATIENCE) as nobody:
        made = create_account.sync(client=nobody, body=models.NewAccount(name="Generated"))
    assert isinstance(made, models.AccountMade)
    with AuthenticatedClient(address, made.token, timeout=PATIENCE) as client:
        wish = NEW_GAMES[title](title, seats=[models.SeatWishType0(you=True) for _ in range(3)])
        if isinstance(wish, models.ColonialNewGame):  # at random it would last a hundred turns
            wish.options = models.ColonialOptions(turn_limit=8)
        game = create_game.sync(client=client, body=wish)
        assert game is not None
        assert not isinstance(game, models.Problem), game
        commands = play(client, game.id, chance)
        ended = get_game.sync(game.id, client=client)
        assert ended is not None
        assert not isinstance(ended, models.Problem)
        assert ended.status.value == "finished", ended.status
        assert ended.outcome is not None
        assert ended.view is not None
        events = get_events.sync(game.id, client=client, limit=1000)
        assert events is not None
        assert not isinstance(events, models.Problem)
        sys.stdout.write(f"{title} {commands} {events.events[-1].type_}\n")


def play(client: AuthenticatedClient, game: UUID, chance: random.Random) -> int:
    """Give commands that the game waits for as long as it waits for anybody; how many."""
    given = 0
    for _ in range(MOST):
        now = get_decisions.sync(game, client=client)
        assert now is not None
        assert not isinstance(now, models.Problem), now
        asked = [decision for decision in now.decisions if not decision.free]
        if not asked:
            return given
        if all(decision.seat is None for decision in asked):
            time.sleep(A_MOMENT)  # noqa: TID251 - a stranger has nothing but sleep
            continue
        awaited = {(decision.seat, str(kind)) for decision in asked for kind in decision.commands}
        moves = defaultdict(list)
        for legal in now.legal:
            if (legal.seat, str(legal.command.type_)) in awaited:
                moves[str(legal.command.type_)].append(legal)
        assert moves, now
        move = chance.choice(moves[chance.choice(sorted(moves))])
        done = give_command.sync(game, client=client, body=move.command, if_match=f'"{now.seq}"')
        assert isinstance(done, Happened), done
        assert all(event.seq <= done.seq for event in done.events)
        given += 1
    raise AssertionError(f"no end after {MOST} answers")


Happened = (
    models.ColonialHappened,
    models.ColonialEmpiresHappened,
    models.ColonialRevisedHappened,
    models.ColonialismHappened,
    models.ColoniesHappened,
)

if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
