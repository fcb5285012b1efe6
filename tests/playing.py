"""Playing games on a real log, as players and bots would."""

from contextlib import contextmanager

from events.rules.catalogue import find_title
from events.rules.fast_chance import FastChance
from events.store.event_log import EventLog
from workers import jobs


@contextmanager
def with_other_data(title):
    """Within it a *title* has other data than those that its games began under."""
    before = title.data_hash
    vars(title)["data_hash"] = "0123456789abcdef" * 4
    find_title.cache_clear()
    try:
        yield
    finally:
        vars(title)["data_hash"] = before
        find_title.cache_clear()


def three_or_so(title_id):
    """Three seats, or as near to it as the title allows."""
    seats = find_title(title_id).seats
    return min(max(3, seats[0]), seats[-1])


def advance(games, game, commands, seed=1):
    """Give *commands* random legal commands (or as many as the game takes); the game after them."""
    chance = FastChance(seed)
    for _ in range(commands):
        waiting = game.title.awaited(game.state)
        if not waiting:
            return game
        decision = chance.pick(waiting)
        seat = decision.seat
        if seat is None:
            command = game.title.default(game.state, decision)
        else:
            command = game.title.sample(game.state, seat, chance)
        game = games.command(game.id, seat, command).game
    return game


def play_to_the_end(games, game, seed=3):
    """Bots think, other seats give random legal commands, until the game has ended."""
    chance = FastChance(seed)
    while game.status == "running":
        decision = game.title.awaited(game.state)[0]
        seat = decision.seat
        if seat is not None and game.seats[seat].bot:
            jobs.make_bot_move(games, game, decision)
        elif seat is None:
            games.command(game.id, None, game.title.default(game.state, decision))
        else:
            games.command(game.id, seat, game.title.sample(game.state, seat, chance))
        game = games.load(game.id)
    return game


class Noted(EventLog):
    """A log that notes after which events it is asked for more."""

    def __init__(self, pool):
        super().__init__(pool)
        self.asked = []

    def read(self, game_id, after=0, limit=None):
        self.asked.append(after)
        return super().read(game_id, after, limit)
