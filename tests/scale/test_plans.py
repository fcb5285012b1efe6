"""What runs for a command, a delivery or a page costs the same however much has happened."""

import uuid
from pathlib import Path

import psycopg
import pytest
from redis import Redis

from events.store.games import rules_key
from events.store.replica import ReplicaLog
from projections import ratings
from projections.tree.grower import Grower
from projections.tree.replica import Replica
from service.base.database import make_lazy_pool
from tests.scale.plans import CALLS, MOST_ROWS, faults, large_tables, noted
from tests.service.factories import Bot, GameRequest, You, join_all
from tests.service.organising import Event
from workers import connections
from workers.dispatcher import Dispatcher

pytestmark = [pytest.mark.integration, pytest.mark.slow]

FILLING = Path(__file__).with_name("filling.sql")
POOL = "colonial.3-4.live"
RANKED = "ranked AS ("
"""A rank counts all who stand before it: a leaderboard reads its pool, whatever else there is."""


class World:
    """A service in which somebody has one of each thing, and others very many."""

    def __init__(self, api):
        self.api = api
        self.ada, self.bob = api.account("Ada"), api.account("Bob")
        self.game = join_all(self.ada, self.bob)
        self.fork = self.ada.post("/v1/games", GameRequest(analysis=True), status=201)["id"]
        self.club = self.ada.post("/v1/clubs", {"name": "Lisbon"}, status=201)["id"]
        self.hook = self.ada.post("/v1/me/webhooks", {"url": "https://hooks.example.org/r"}, status=201)["id"]
        self.event = Event(self.ada, [self.ada, self.bob])
        self.event.begin()
        api.project()
        while ratings.follow_log(api.app.extensions["rutter"].games.log):
            pass

    def addresses(self):
        """Of whatever can be looked at: lists in every form, a game, a tournament, what is one's own."""
        game, event = f"/v1/games/{self.game}", self.event.path
        account = self.ada.me["id"]
        yield from (
            f"{game}{what}" for what in ("", "/table", "/roster", "/notes", "/events", "/events?after=3")
        )
        yield from (f"{game}{what}" for what in ("/history", "/history?after=3", "/decisions", "/audit"))
        yield from (f"{game}?at=3", f"{game}/rating", f"{game}/invitations")
        for query in (
            "",
            "status=open",
            "status=running",
            "status=finished",
            "status=abandoned",
            "mine=true",
        ):
            yield f"/v1/games?{query}"
            yield f"/v1/games?{query}&title=colonial_empires"
        for query in ("seat_free=true", f"player={account}", f"forked_from={self.game}", "title=colonies"):
            yield f"/v1/games?{query}"
        yield from (f"/v1/games?mine=true&role={role}" for role in ("seat", "owner", "director"))
        yield f"/v1/games?after={self.game}&limit=20"
        yield from (
            f"/v1/export/games?games=5&player={account}",
            f"/v1/export/events?games=5&player={account}",
        )
        yield from (f"/v1/clubs{what}" for what in ("", f"/{self.club}", f"/{self.club}/games"))
        yield from (f"/v1/clubs/{self.club}/{what}" for what in ("members", "invitations"))
        yield from ("/v1/me", "/v1/me/turns", "/v1/me/notices", "/v1/me/tokens", "/v1/me/recovery")
        yield from ("/v1/me/service_accounts", "/v1/me/export", "/v1/me/webhooks", "/v1/me/vacation")
        yield f"/v1/me/webhooks/{self.hook}/deliveries"
        yield from (f"/v1/accounts/{account}", f"/v1/accounts/{account}/ratings", "/v1/accounts?handle=ada")
        yield from (f"/v1/leaderboards/{POOL}", f"/v1/leaderboards/{POOL}?after=5000")
        yield from (
            f"/v1/tournaments{what}" for what in ("", "?mine=true", "?status=running", "?title=colonies")
        )
        yield f"/v1/tournaments?club={self.club}"
        yield from (
            f"{event}{what}" for what in ("", "/entrants", "/rounds", "/rounds/1", "/standings", "/events")
        )
        yield from (f"{event}{what}" for what in ("/history", "/disputes", "/invitations"))
        yield from ("/readyz", "/v1/keys", "/log/checkpoint", "/metrics")

    def look(self):
        """At everything, as somebody with a part in it and as nobody."""
        for address in self.addresses():
            assert self.ada.send("GET", address).status_code in (200, 404), address
            assert self.api.send("GET", address).status_code in (200, 401, 403, 404), address

    def act(self):
        """A command, and a look at what it leads to; a table that fills; a stream's beginning."""
        for one in (self.ada, self.bob):
            legal = one.get(f"/v1/games/{self.game}/decisions")["legal"]
            if legal:
                one.post(
                    f"/v1/games/{self.game}/commands?decisions=true",
                    legal[0]["command"],
                    Idempotency_Key=uuid.uuid4().hex,
                )
                break
        join_all(self.bob, self.ada)
        self.ada.post("/v1/games", GameRequest(seats=[You(), Bot()]), status=201)
        self.ada.post("/v1/me/tokens", {"label": "one", "scopes": ["game:read"]}, status=201)
        self.ada.post(f"/v1/games/{self.fork}/forks", {}, status=201)
        for path in (f"/v1/games/{self.game}/stream?after=1", "/v1/me/stream"):
            answer = self.ada.send("GET", path)
            messages = answer.iter_encoded()
            assert [next(messages) for _ in range(3)]
            answer.close()


@pytest.fixture(scope="module")
def world(api):
    return World(api)


@pytest.fixture(scope="module")
def full(world, owner):
    """A connection to the database when much has happened to others."""
    with psycopg.connect(owner, autocommit=True) as connection:
        connection.execute(FILLING.read_text(encoding="utf-8"))
        assert {"account", "event", "lobby", "log", "notice", "tournament"} <= large_tables(connection)
        yield connection


def test_what_the_api_asks_does_not_grow(world, full):
    """Every list, every game, every feed, and a command."""
    with noted() as statements:
        world.look()
        world.act()
    assert len(statements) > 100
    wrong = faults(full, statements, frozenset([RANKED]))
    assert wrong == [], "\n\n".join(wrong)


def test_what_the_house_does_all_the_time_does_not_grow(world, full, servers, monkeypatch):
    """Numbering, projecting, feeding workers, every periodic task, and the tree."""
    here = world.api.app.extensions["rutter"]
    monkeypatch.setattr(connections, "get_games", lambda: here.games)
    monkeypatch.setattr(connections, "get_tournaments", lambda: here.tournaments)
    redis = Redis.from_url(servers.redis_url)
    dispatcher = Dispatcher(here.games.log, redis)
    world.act()
    with noted() as statements:
        dispatcher.catch_up()
        dispatcher.dispatch()
        for task in dispatcher.make_tasks():
            task._do()
    redis.flushdb()
    assert len(statements) > 40
    wrong = faults(full, statements, frozenset([RANKED]))
    assert wrong == [], "\n\n".join(wrong)


def test_what_a_copy_is_asked_does_not_grow(world, full, database):
    """Pages and snapshots of its past, and the looks at it: a tree is agreed upon, and events stand in it."""
    here = world.api.app.extensions["rutter"]
    game = here.games.load(world.game)
    Grower(here.pool, here.keyring, None).run()
    with make_lazy_pool(database, 2, here.limits.wait, reading=True) as copy:
        followed = Replica(copy, here.pool)
        with noted() as statements:
            followed.look()
            past = ReplicaLog(here.games.log, followed)
            assert followed.get_agreed_tree() is not None
            past.read(game.id, 1, game.seq - 1)
            past.newest_snapshot(game.id, rules_key(game), game.seq)
            here.games.log.machines.look()
    assert sum("es.checkpoint" in text for text in statements) >= 4
    wrong = faults(full, statements, frozenset([RANKED]))
    assert wrong == [], "\n\n".join(wrong)


def test_numbering_does_not_grow(world, full):
    """What its function does inside is planned by nobody but the function: so what it reads is counted."""
    counts = (
        "SELECT relname, seq_tup_read + coalesce(idx_tup_fetch, 0) FROM pg_stat_xact_user_tables"
        " WHERE schemaname IN ('es', 'public')"
    )
    world.act()
    for _ in range(CALLS):
        with full.transaction(force_rollback=True):
            before = dict(full.execute(counts).fetchall())
            (numbered,) = full.execute("SELECT es.sequence_events(10000)").fetchone()
            after = dict(full.execute(counts).fetchall())
        assert numbered > 0
        assert {name: n - before[name] for name, n in after.items() if n - before[name] > MOST_ROWS} == {}
