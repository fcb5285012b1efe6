"""What one client may ask for: those who ask for more meet a 429 that says when to come again."""

from __future__ import annotations

import itertools
from dataclasses import replace
from types import SimpleNamespace

import msgspec
import pytest

from ops.server.wsgi import create_app
from service.base import rate_limits, rate_windows
from service.base.client_address import TrustedProxies, client_network
from service.base.rate_limits import Client, LimitSettings, RateCheck, RateLimiter
from service.base.settings import Settings
from tests.service.client import Api
from tests.service.factories import MANY_ACCOUNTS, GameRequest
from tests.service.organising import DUELS
from tests.waiting import PATIENCE
from workers.tournament_runner import TournamentRunner

pytestmark = pytest.mark.integration

ADDRESSES = (f"203.0.{n // 250}.{n % 250 + 1}" for n in itertools.count())
"""Of documentation; none is used twice, for Redis remembers."""


MOMENT = 2_000_000_000.0
"""At which everything happens where a test counts what falls into one minute."""


@pytest.fixture
def limited(settings, tmp_path, monkeypatch):
    """Makes an application with figures of a TOML text; it believes one proxy, and waits for its Redis."""
    monkeypatch.setattr(rate_limits, "ANSWER_SECONDS", PATIENCE)
    made = []

    def make(figures: str = "", **more) -> Api:
        path = tmp_path / f"limits-{len(made)}.toml"
        path.write_text(figures)
        app = create_app(replace(settings, limits=str(path), proxies=TrustedProxies(hops=1), **more))
        made.append(app)
        return Api(app)

    yield make
    for app in made:
        app.extensions["rutter"].close()


@pytest.fixture
def address():
    return {"X_Forwarded_For": next(ADDRESSES)}


def refused(answer, partition: str) -> int:
    """Seconds to wait; fails for whatever is not the whole refusal."""
    assert answer.status_code == 429, (answer.status_code, answer.text)
    assert answer.content_type == "application/problem+json"
    problem = answer.get_json()
    assert (problem["code"], problem["partition"]) == ("too_many_requests", partition)
    seconds = int(answer.headers["Retry-After"])
    assert seconds >= 1
    answer.close()
    return seconds


def left(answer) -> int:
    """What the header says is left of the first partition."""
    return int(answer.headers["RateLimit"].split("r=")[1].split(";")[0])


def test_writes_by_account(limited, monkeypatch):
    """Of 241 writes in a minute the last is refused; each answer before tells of one less."""
    monkeypatch.setattr(rate_windows, "time", SimpleNamespace(time=lambda: MOMENT))
    one = limited(MANY_ACCOUNTS).account()
    game = one.post("/v1/games", GameRequest(hotseat=2), status=201)
    path = f"/v1/games/{game['id']}/start"  # harmless once it has begun
    seen = []
    for _ in range(239):
        answer = one.send("POST", path, {})
        assert answer.status_code == 200
        seen.append(left(answer))
        answer.close()
    assert seen == list(range(238, -1, -1))
    assert answer.headers["RateLimit-Policy"] == '"write";q=240;w=60'
    assert refused(one.send("POST", path, {}), "write") <= 60
    assert one.send("GET", "/v1/me").status_code == 200, "reading has a limit of its own"


def test_a_refused_write_counts_a_fifth(limited):
    """Ten accepted and 46 refused are twenty writes, with the fifths rounded up; what was too many, or no
    write, gives nothing.
    """
    one = limited('[write]\nrate = "20/minute"').account()
    game = one.post("/v1/games", GameRequest(hotseat=2), status=201)
    path = f"/v1/games/{game['id']}"
    nowhere = "/v1/games/00000000-0000-0000-0000-000000000000/start"
    for _ in range(9):
        one.post(f"{path}/start", {})
    refusals = [
        ("POST", nowhere, {}, 404),
        ("POST", f"{path}/commands", {"type": "no such command", "seat": 0}, 422),
        ("POST", f"{path}/join", {"seat": 0}, 409),
        ("POST", f"{path}/start", [], 422),
    ]
    for number in range(46):
        method, address, body, status = refusals[number % 4]
        answer = one.send(method, address, body)
        assert answer.status_code == status, (number, answer.text)
        answer.close()
        if number == 24:
            assert one.send("GET", f"{path}?at=x").status_code == 400, "a refused read is no write"
    refused(one.send("POST", f"{path}/start", {}), "write")
    refused(one.send("POST", nowhere, {}), "write")


def test_reads_by_account_and_by_address(limited, address):
    api = limited('[read]\nrate = "5/minute"\nanonymous = "3/minute"\n' + MANY_ACCOUNTS)
    for _ in range(3):
        api.send("GET", "/v1/keys", **address).close()
    refused(api.send("GET", "/v1/keys", **address), "read")
    one = api.account()
    for _ in range(5):
        one.send("GET", "/v1/keys", **address).close()
    refused(one.send("GET", "/v1/keys", **address), "read")
    assert api.send("GET", "/v1/keys", X_Forwarded_For=next(ADDRESSES)).status_code == 200
    for path in ("/healthz", "/readyz", "/docs", "/static/index.html", "/openapi.json"):
        answer = api.send("GET", path, **address)
        is_busy = path == "/readyz" and answer.status_code == 503  # the machine: no limit says so
        assert answer.status_code == 200 or is_busy, path
        assert "RateLimit" not in answer.headers


def test_accounts_by_address(limited, address):
    api = limited('[accounts]\nanonymous = "2/hour"')
    refusal = api.send("POST", "/v1/accounts", {"name": 5}, **address)
    assert refusal.status_code == 422, "what was refused does not count"
    for more in (1, 0):
        answer = api.send("POST", "/v1/accounts", {"name": "Ada"}, **address)
        assert answer.status_code == 201
        assert left(answer) == more
        answer.close()
    refused(api.send("POST", "/v1/accounts", {"name": "Ada"}, **address), "accounts")
    assert api.send("POST", "/v1/accounts", {}, X_Forwarded_For=next(ADDRESSES)).status_code == 201


def organiser(api):
    """An account that was made at an address of its own."""
    made = api.call("POST", "/v1/accounts", {"name": "Olga"}, status=201, X_Forwarded_For=next(ADDRESSES))
    return Api(api.app, made["token"], made["account"])


def test_an_organisers_invitation_lifts_the_limit_for_its_event(limited, address, pool):
    """A school hall: twice the places of the event, and so many a day for an organiser who is no newcomer."""
    api = limited('[accounts]\nanonymous = "1/hour"\n[invited_accounts]\nrate = "5/day"')
    olga = organiser(api)

    def invite(most, **more):
        event = olga.post("/v1/tournaments", {**DUELS, "entry": {"most": most}, **more}, status=201)["id"]
        path = f"/v1/tournaments/{event}/invitations"
        return event, olga.post(path, {"uses": 100}, status=201)["invitation"]

    def make(**body):
        answer = api.send("POST", "/v1/accounts", {"name": "Guest", **body}, **address)
        answer.close()
        return answer

    def is_refused(**body):
        return make(**body).status_code == 429

    small, secret = invite(2)
    _, other = invite(9)
    assert make().status_code == 201
    assert is_refused()
    assert is_refused(invitation=secret), "the organiser is a newcomer"
    with pool.connection() as connection:
        connection.execute(
            "UPDATE account SET created_at = created_at - interval '25 hours' WHERE id = %s", (olga.me["id"],)
        )
    assert [make(invitation=secret).status_code for _ in range(4)] == [201] * 4
    assert is_refused(invitation=secret), "twice the places"
    assert make(invitation=other).status_code == 201
    assert is_refused(invitation=other), "five a day"
    for wrong in ("inv_" + "0" * 49, "nonsense"):
        assert is_refused(invitation=wrong)
    assert is_refused(), "strangers have the limit of their address"
    assert small


def test_only_invitations_to_events_that_go_on_lift_the_limit(limited, address, pool):
    api = limited('[accounts]\nanonymous = "1/hour"')
    olga = organiser(api)
    with pool.connection() as connection:
        connection.execute("UPDATE account SET created_at = created_at - interval '25 hours'")
    api.send("POST", "/v1/accounts", {}, **address).close()
    game = olga.post("/v1/games", GameRequest(table=True), status=201)["id"]
    event = olga.post("/v1/tournaments", DUELS, status=201)["id"]
    places = [f"/v1/games/{game}", f"/v1/tournaments/{event}"]
    to_game, to_event = (olga.post(f"{place}/invitations", {}, status=201)["invitation"] for place in places)
    refused(api.send("POST", "/v1/accounts", {"invitation": to_game}, **address), "accounts")
    assert api.send("POST", "/v1/accounts", {"invitation": to_event}, **address).status_code == 201
    olga.post(f"{places[1]}/commands", {"type": "cancel_tournament", "cause": "other"})
    refused(api.send("POST", "/v1/accounts", {"invitation": to_event}, **address), "accounts")


def test_games_and_forks_that_were_made(limited):
    one = limited('[create]\nrate = "4/hour; 300/day"\n[forks]\nrate = "1/hour"').account()
    game = one.post("/v1/games", GameRequest(hotseat=2), status=201)
    same = {"Idempotency_Key": "k"}
    for _ in range(3):
        one.call("POST", "/v1/games", GameRequest(hotseat=2), status=201, **same)
    one.post(f"/v1/games/{game['id']}/forks", {}, status=201)
    refused(one.send("POST", f"/v1/games/{game['id']}/forks", {}), "forks")
    answer = one.send("POST", "/v1/games", GameRequest(hotseat=2))
    assert answer.status_code == 201
    assert '"create";q=4;w=3600, "create-day";q=300;w=86400' in answer.headers["RateLimit-Policy"]
    refused(one.send("POST", "/v1/games", GameRequest(hotseat=2)), "create")


def test_games_that_have_not_ended(limited):
    one = limited("[games]\nrunning = 2\nopen = 1").account()
    for _ in range(2):
        one.post("/v1/games", GameRequest(hotseat=2, analysis=True), status=201)
        one.project()
    one.post("/v1/games", GameRequest(hotseat=2), status=201)
    one.post("/v1/games", GameRequest(hotseat=2), status=201)
    one.project()
    refused(one.send("POST", "/v1/games", GameRequest(hotseat=2)), "games")
    other = Api(one.app).account()
    other.post("/v1/games", GameRequest(table=True), status=201)
    other.project()
    refused(other.send("POST", "/v1/games", GameRequest(table=True)), "games")


def test_commands_by_game_and_account(limited):
    one = limited('[commands]\nrate = "1/minute"').account()
    games = [one.post("/v1/games", GameRequest(hotseat=2), status=201)["id"] for _ in range(2)]
    for game in games:
        move = one.get(f"/v1/games/{game}/decisions")["legal"][0]
        command = {**move["command"], "seat": move["seat"]}
        one.post(f"/v1/games/{game}/commands", command)
        refused(one.send("POST", f"/v1/games/{game}/commands", command), "commands")


def test_commands_have_a_budget_of_their_own(limited):
    """A bot at full speed in four games meets no limit, and what it writes otherwise is not used up."""
    one = limited('[write]\nrate = "6/minute"').account()
    games = [one.post("/v1/games", GameRequest(hotseat=2), status=201)["id"] for _ in range(4)]
    for game in games * 3:
        move = one.get(f"/v1/games/{game}/decisions")["legal"][0]
        answer = one.send("POST", f"/v1/games/{game}/commands", {**move["command"], "seat": move["seat"]})
        assert answer.status_code == 200, answer.text
        assert answer.headers["RateLimit-Policy"] == '"commands";q=200;w=1'
        answer.close()
    for _ in range(2):
        one.post(f"/v1/games/{games[0]}/start", {})
    refused(one.send("POST", f"/v1/games/{games[0]}/start", {}), "write")
    assert one.get(f"/v1/games/{games[0]}/decisions")["legal"], "it plays on"
    move = one.get(f"/v1/games/{games[0]}/decisions")["legal"][0]
    one.post(f"/v1/games/{games[0]}/commands", {**move["command"], "seat": move["seat"]})


def test_refused_commands_by_account(limited):
    """They count over all games; each is a fifth of a write as well."""
    one = limited('[refused_commands]\nrate = "5/day"\n[write]\nrate = "4/minute"').account()
    games = [one.post("/v1/games", GameRequest(hotseat=2), status=201)["id"] for _ in range(2)]
    for number in range(5):
        path = f"/v1/games/{games[number % 2]}/commands"
        assert one.refused("POST", path, {"type": "no such command", "seat": 0})[0] == 422
    refused(one.send("POST", path, {"type": "no such command", "seat": 0}), "refused_commands")
    one.post(f"/v1/games/{games[0]}/start", {})  # two games, and six refusals rounded up with this one
    refused(one.send("POST", f"/v1/games/{games[0]}/start", {}), "write")


def test_simulations_by_account(limited):
    """Asking again for what is under way costs nothing; another war does."""
    one = limited('[simulations]\nrate = "2/minute"').account()
    game = one.post("/v1/games", GameRequest(title="colonial", hotseat=4), status=201)["id"]
    odds = f"/v1/games/{game}/wars/odds?seat=0&target="
    for target in (1, 1, 1, 2, 2):
        assert one.send("GET", f"{odds}{target}").status_code == 202
    refused(one.send("GET", f"{odds}3"), "simulations")


def test_bad_tokens_by_address(limited, address):
    api = limited('[auth]\nanonymous = "3/minute"')
    for _ in range(3):
        assert api.refused("GET", "/v1/me", Authorization="Bearer rut_x", **address)[0] == 401
    refused(api.send("GET", "/v1/me", Authorization="Bearer rut_x", **address), "auth")
    assert api.account().send("GET", "/v1/me", **address).status_code == 200, "a good token is known"


def test_wrong_invitations_count_as_bad_tokens(limited, address):
    """To a game, to one that there is not, and to a club: each is a guess."""
    api = limited('[auth]\nanonymous = "3/minute"')
    ada, eve = api.account(), api.account()
    game = ada.post("/v1/games", GameRequest(table=True), status=201)["id"]
    places = [f"games/{game}", f"games/{ada.me['id']}", f"clubs/{ada.me['id']}"]
    body = {"invitation": "inv_" + "0" * 49}
    for place in places:
        assert eve.refused("POST", f"/v1/{place}/join", body, **address)[0] in (403, 404)
    refused(eve.send("POST", f"/v1/{places[0]}/join", body, **address), "auth")
    assert eve.send("POST", f"/v1/{places[0]}/join", {}, **address).status_code == 200, "no guess"


def test_streams_by_account_and_by_address_over_processes(limited, address):
    """Two applications stand for two processes."""
    figures = "[streams]\naccount = 2\nanonymous = 1"
    api, elsewhere = limited(figures), limited(figures)
    one = api.account()
    game = one.post("/v1/games", GameRequest(hotseat=2), status=201)["id"]
    path = f"/v1/games/{game}/stream"
    again = Api(elsewhere.app, one.token)
    streams = [one.send("GET", path), again.send("GET", path)]
    assert [stream.status_code for stream in streams] == [200, 200]
    refused(one.send("GET", path), "streams")
    refused(again.send("GET", path), "streams")
    refused(one.send("GET", "/v1/me/stream"), "streams")
    streams.pop().close()
    streams.append(again.send("GET", path))
    assert streams[-1].status_code == 200, "a place that was given back is free"
    streams.append(api.send("GET", path, **address))
    refused(elsewhere.send("GET", path, **address), "streams")
    for stream in streams:
        stream.close()


def test_requests_in_flight(limited):
    """An answer that is not read keeps its place."""
    one = limited("[in_flight]\naccount = 2").account()
    held = [one.send("GET", "/v1/titles") for _ in range(2)]
    refused(one.send("GET", "/v1/titles"), "in_flight")
    held[0].close()
    assert one.send("GET", "/v1/titles").status_code == 200


def test_bytes_of_a_request(limited):
    one = limited("[request]\nbytes = 100").account()
    assert one.refused("POST", "/v1/accounts", {"name": "a" * 100}) == (413, "too_large")


def test_without_redis_each_process_counts_for_itself(limited, address):
    """The limits hold on, and nothing fails."""
    away = {"redis_url": "redis://127.0.0.1:1/0"}
    api = limited('[read]\nanonymous = "3/minute"\n[streams]\nanonymous = 1\naccount = 1', **away)
    for _ in range(3):
        assert api.send("GET", "/v1/keys", **address).status_code == 200
    refused(api.send("GET", "/v1/keys", **address), "read")
    one = api.account()
    game = one.post("/v1/games", GameRequest(hotseat=2), status=201)["id"]
    stream = one.send("GET", f"/v1/games/{game}/stream")
    refused(one.send("GET", f"/v1/games/{game}/stream"), "streams")
    stream.close()


def test_every_refusal_can_be_read_by_pages_elsewhere(limited, address):
    api = limited('[read]\nanonymous = "1/minute"')
    api.send("GET", "/v1/keys", **address)
    answer = api.send("GET", "/v1/keys", Origin="https://elsewhere.example", **address)
    assert refused(answer, "read")
    exposed = set(answer.headers["Access-Control-Expose-Headers"].split(", "))
    assert {"Retry-After", "RateLimit", "RateLimit-Policy"} <= exposed
    assert answer.headers["Access-Control-Allow-Origin"] == "*"


@pytest.mark.parametrize(
    "text",
    ["[read]\nrate = 'often'", "[nothing]\nrate = '1/day'", "[read]\nrates = '1/day'", "read = 1", "["],
)
def test_a_file_that_cannot_be_used_is_named(tmp_path, text):
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(ValueError, match=r"mine\.toml"):
        LimitSettings.load(str(path))
    with pytest.raises(ValueError, match=r"absent\.toml"):
        LimitSettings.load(str(tmp_path / "absent.toml"))


def test_limits_can_be_lifted(settings):
    assert not LimitSettings.load("off").on
    assert LimitSettings.load("off").request.bytes == 256 * 1024, "a body still has a size"


@pytest.mark.parametrize(
    ("hops", "networks", "peer", "forwarded", "client"),
    [
        ("", "", "192.0.2.1", "198.51.100.1", "192.0.2.1"),
        ("1", "", "192.0.2.1", "198.51.100.1", "198.51.100.1"),
        ("1", "", "192.0.2.1", "10.0.0.1, 198.51.100.1", "198.51.100.1"),
        ("2", "", "192.0.2.1", "10.0.0.1, 198.51.100.1", "10.0.0.1"),
        ("1", "", "192.0.2.1", "", "192.0.2.1"),
        ("1", "", "192.0.2.1", "nonsense", "192.0.2.1"),
        ("", "192.0.2.0/24", "192.0.2.1", "10.0.0.1, 192.0.2.9", "10.0.0.1"),
        ("", "192.0.2.0/24", "198.51.100.7", "10.0.0.1", "198.51.100.7"),
        ("", "::1, 127.0.0.1", "127.0.0.1", "::ffff:203.0.113.5", "203.0.113.5"),
    ],
)
def test_the_address_of_a_client_behind_proxies(hops, networks, peer, forwarded, client):
    """Whatever a client writes into X-Forwarded-For itself is not believed."""
    environment = {"RUTTER_TRUSTED_PROXIES": hops, "RUTTER_PROXIES": networks}
    assert Settings.from_environment(environment).proxies.find_client(peer, forwarded) == client


def test_one_customer_of_ipv6_is_one_client():
    assert (
        client_network("2001:db8::1") == client_network("2001:db8::ffff") != client_network("2001:db8:0:1::1")
    )
    assert client_network("192.0.2.1") != client_network("192.0.2.2")


def test_tournaments_that_are_not_over(limited):
    """One owner has so many at a time; a cancelled one makes room for another."""
    olga = limited("[tournaments]\naccount = 1").account()
    made = olga.post("/v1/tournaments", DUELS, status=201)
    olga.project()
    refused(olga.send("POST", "/v1/tournaments", DUELS), "tournaments")
    wish = {"type": "cancel_tournament", "cause": "other"}
    olga.post(f"/v1/tournaments/{made['id']}/commands", wish)
    here = olga.app.extensions["rutter"]
    TournamentRunner(here.tournaments, here.games).serve(made["id"])
    olga.project()
    olga.post("/v1/tournaments", DUELS, status=201)


def test_an_address_of_sentinels_is_one_of_redis():
    """Such an address is documented for Redis; while no Sentinel answers, the process counts for itself."""
    limiter = RateLimiter(LimitSettings.load(), "redis+sentinel://127.0.0.1:1/main")
    client = Client("one", anonymous=False)
    assert [limiter.hit("read", client)[0].left for _ in range(2)] == [599, 598]
    assert limiter.is_local()


def test_several_windows_in_one_trip(settings, monkeypatch):
    """In order: a look counts nothing, a request counts once, and behind a full window nothing counts."""
    monkeypatch.setattr(rate_limits, "ANSWER_SECONDS", PATIENCE)
    monkeypatch.setattr(rate_windows, "time", SimpleNamespace(time=lambda: MOMENT))
    figures = replace_rates(commands="3/minute", refused_commands="2/minute; 2/hour")
    limiter = RateLimiter(figures, settings.redis_url)
    client = Client(next(ADDRESSES), anonymous=False)
    look, spend = RateCheck("refused_commands", client), RateCheck("commands", client, ("g",), spend=True)

    def measure() -> list[tuple[str, int, bool]]:
        found = limiter.measure(look, spend)
        assert not limiter.is_local(), "Redis has counted"
        return [(level.partition, level.left, level.exceeded) for level in found]

    free = [("refused_commands", 2, False), ("refused_commands-hour", 2, False)]
    assert measure() == [*free, ("commands", 2, False)]
    assert measure() == [*free, ("commands", 1, False)]
    for _ in range(2):
        limiter.hit("refused_commands", client)
    assert measure() == [("refused_commands", 0, True)]
    assert [level.left for level in limiter.test("commands", client, "g")] == [1], "nothing was counted"
    assert [level.left for level in limiter.hit("commands", client, "g")] == [0]
    full = limiter.hit("commands", client, "g")[0]
    assert (full.left, full.exceeded, full.reset) == (0, True, 60)


def replace_rates(**rates: str) -> LimitSettings:
    """The figures of `limits.toml` with other rates of some partitions."""
    return msgspec.structs.replace(
        LimitSettings.load(), **{name: rate_limits.Rate(rate) for name, rate in rates.items()}
    )
