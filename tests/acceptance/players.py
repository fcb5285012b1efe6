"""Whole games by players who know nothing but the description of the API and `/decisions`, with all that they
saw meanwhile.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from events.rules.catalogue import packages
from tests.acceptance.client import Client
from tests.service.robot import Robot
from tests.waiting import each_look, until

SHORT = {"turn_limit": 8}
"""Options that keep a game of random players short, for titles that have them."""

TITLES = [title_id for title_id, package in packages().items() if package.startswith("events.titles.")]
"""The project's own titles: games of some length for three and more."""


class Player(Robot):
    """An account that takes part: one command at a time, undisturbed when somebody was faster."""

    api: Client

    def step(self, game_id: str) -> Any:
        """Give one command that the game waits for; what happened, or None where nothing waits for me."""
        now = self.do("get_decisions", id=game_id)
        moves = self._awaited(now)
        if not moves:
            return None
        move = self.random.choice(moves)
        method, path = self.operations["give_command"]
        answer = self.api.send(method, path.format(id=game_id), {**move["command"], "seat": move["seat"]})
        if answer.status == 409:
            moved = self.do("get_decisions", id=game_id)["seq"] > now["seq"]
            assert moved, f"what is offered can be posted as it stands: {move} {answer.text}"
            return {}
        assert answer.status == 200, f"{move}: {answer.status} {answer.text[:1000]}"
        self.commands_sent += 1
        self.keep(game_id, answer.json)
        return answer.json


LIVE = ("colonies", "colonialism")
"""Those that are tried on the whole service each time; campaigns try all (tests/campaigns)."""


@dataclass
class Match:
    """A game, its players, and all views as they were seen live."""

    game_id: str
    nobody: Client
    players: list[Player]
    finished: bool = False
    seen: dict[tuple[int, int], Any] = field(default_factory=dict)
    """(number of the viewer, seq) -> the game as it was answered then."""

    @property
    def viewers(self) -> list[Client]:
        """The players, and a spectator."""
        return [*(player.api for player in self.players), self.nobody]

    @property
    def path(self) -> str:
        return f"/v1/games/{self.game_id}"

    def look(self, number: int) -> None:
        """Remember what one viewer sees now."""
        game = self.viewers[number].get(self.path)
        known = self.seen.setdefault((number, game["seq"]), game)
        assert known == game, "the same event, the same view"
        self.finished = game["status"] == "finished"

    def play(self, commands: int = 5000) -> bool:
        """Let the players give *commands* (or as many as the game takes); return True once it has ended."""
        turn = given = 0
        while given < commands and not self.finished:
            for _ in each_look(f"the game goes on after {given} commands"):
                moved = sum(1 for player in self.players if player.step(self.game_id))
                turn += 1
                self.look(turn % len(self.viewers))
                if moved or self.finished:  # else it waits for bots or the server
                    break
            given += moved
        return self.finished

    def play_in_order(self, commands: int) -> None:
        """Let the players give *commands*, always the first that is asked, and the server before them: what
        they do follows from their seeds and the game's, however quick the workers are.
        """
        for _ in range(commands):
            self.wait_for_the_house()
            assert any(player.step(self.game_id) for player in self.players), "somebody is asked"

    def wait_for_the_house(self) -> None:
        """Until the game waits for its players only."""
        path = f"{self.path}/decisions"
        until(lambda: None not in {d["seat"] for d in self.nobody.get(path)["decisions"]}, "the server acts")


def begin(
    nobody: Client,
    title: dict[str, Any],
    people: int = 2,
    bots: int = 1,
    seed: int = 0,
    repeat: str | None = None,
    **options: Any,
) -> Match:
    """A game of *people* accounts and random *bots*, more people where the title needs more seats.

    *seed* is that of the players' choices; a *repeat* makes the game's draws those of another game.
    """
    known = nobody.get(f"/v1/titles/{title['id']}")["options"]["properties"]
    wanted = {**SHORT, **options}
    people = max(people, title["seats"]["min"] - bots)
    accounts = [nobody.account(f"Player {n}") for n in range(people)]
    seats = [{"you": True}, *[{"open": True}] * (people - 1), *[{"bot": "random"}] * bots]
    body = {
        "title": title["id"],
        "options": {k: v for k, v in wanted.items() if k in known},
        "seats": seats,
        **({"repeat": repeat} if repeat else {}),
    }
    players = [Player(one, seed + n) for n, one in enumerate(accounts)]
    if repeat:  # what is to be repeated depends on nothing that anybody contributes
        game_id = players[0].do("create_game", body, status=201)["id"]
        for seat, player in enumerate(players[1:], 1):
            player.do("join_game", {"seat": seat}, id=game_id)
        players[0].do("start_game", id=game_id)
    else:
        game_id = players[0].create(body)["id"]
        for seat, player in enumerate(players[1:], 1):
            player.sit_down(game_id, seat)
        status = [player.reveal(game_id)["status"] for player in players]
        assert status == [*["open"] * (len(players) - 1), "running"], "the last reveal begins the game"
    return Match(game_id, nobody, players)
