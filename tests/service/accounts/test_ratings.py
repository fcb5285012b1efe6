"""Ratings: which games count, that anybody can compute them again, and that they betray nothing."""

import json
import math
import threading
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
from openskill.models import PlackettLuce

from projections import ratings
from tests.clock import Clock
from tests.playing import play_to_the_end
from tests.service.factories import Bot, GameRequest, Open, You

pytestmark = pytest.mark.integration

LIVE = {"kind": "live", "base_ms": 3_600_000, "increment_ms": 30_000}
POOL, LARGER = "example.2.live", "colonialism.3-4.live"


@pytest.fixture(scope="module")
def people(api):
    return [api.account(name) for name in ("Ada", "Bob", "Cid", "Dan")]


@pytest.fixture(scope="module")
def hours(app):
    """The time of these tests: one follows on the other."""
    return Clock(app.extensions["rutter"].games.now())


@pytest.fixture
def house(app, hours, monkeypatch):
    """The service's games, at a time that the test sets."""
    games = app.extensions["rutter"].games
    monkeypatch.setattr(games, "now", hours)
    return games


def table(people, **settled):
    """A running game that counts, of *people* in the order of seats: the shortest for so many."""
    first, *others = people
    title = "example" if len(others) == 1 else "colonialism"
    wish = GameRequest(title=title, seats=[You(), *[Open()] * len(others)], clock=LIVE, **settled)
    game = first.post("/v1/games", wish, status=201)["id"]
    for one in others:
        one.post(f"/v1/games/{game}/join", {})
    return game


def finish(house, game, seed=1):
    """Random players play it to its end."""
    ended = play_to_the_end(house, house.load(game), seed)
    assert ended.status == "finished"
    return ended


def count(house):
    house.log.sequence()
    while ratings.follow_log(house.log):
        pass


def of(one, pool=POOL):
    found = one.get(f"/v1/accounts/{one.me['id']}/ratings")["ratings"]
    return next((rating for rating in found if rating["pool"] == pool), None)


def change(api, game):
    return api.get(f"/v1/games/{game}/rating")


def export(api, pool=POOL):
    answer = api.send("GET", f"/v1/ratings/export?pool={pool}")
    assert answer.status_code == 200
    assert answer.content_type == "application/x-ndjson"
    return [json.loads(line) for line in answer.text.splitlines()]


def rows(pool):
    with pool.connection() as connection:
        return ratings.read_rows(connection)


def test_a_game_changes_the_ratings_of_its_people(api, people, house):
    """By their places; the bot's is left out of their ranking."""
    ada, bob, cid, _ = people
    wish = GameRequest(title="colonialism", seats=[You(), Open(), Bot(), Open()], clock=LIVE)
    game = ada.post("/v1/games", wish, status=201)["id"]
    for one in (bob, cid):
        one.post(f"/v1/games/{game}/join", {})
    assert change(api, game) == {
        "game": game, "status": "pending", "why": None, "pool": None, "changes": [],
    }  # fmt: skip
    ended = finish(house, game)
    count(house)
    told = change(api, game)
    assert (told["status"], told["pool"]) == ("rated", LARGER)
    assert [one["seat"] for one in told["changes"]] == [0, 1, 3]
    order = sorted((0, 1, 3), key=lambda seat: ended.result.places[seat])
    places = {one["seat"]: one["place"] for one in told["changes"]}
    assert sorted(places, key=places.get) == order
    assert min(places.values()) == 1
    assert max(places.values()) <= 3
    best = max(told["changes"], key=lambda one: one["after"]["rating"])
    assert best["seat"] == order[0]
    for one, changed in zip((ada, bob, cid), told["changes"], strict=True):
        now = of(one, LARGER)
        assert changed["before"] == {"rating": 1500, "deviation": 333, "games": 0}
        assert changed["after"] == {name: now[name] for name in ("rating", "deviation", "games")}
        assert now["provisional"]
        assert now["games"] == 1


def bots_of(api, title):
    return {(one["bot"], one["seats"]): one for one in api.get(f"/v1/titles/{title}/ratings")["bots"]}


def test_bots_are_rated_by_their_games_with_people_whose_own_ratings_stay(api, people, house):
    """One person is enough; the game with three people counts for them and, apart, for the bot."""
    ada = people[0]
    own, before = of(ada, LARGER), bots_of(api, "colonialism")
    wish = GameRequest(title="colonialism", seats=[You(), Bot(), Bot()], clock=LIVE)
    game = ada.post("/v1/games", wish, status=201)["id"]
    finish(house, game)
    finish(house, ada.post("/v1/games", {**wish, "rated": False}, status=201)["id"])
    count(house)
    assert change(api, game)["why"] == "too_few_people"
    assert of(ada, LARGER) == own
    assert [one["pool"] for one in ada.get(f"/v1/accounts/{ada.me['id']}/ratings")["ratings"]] == (
        [LARGER] if own else []
    )
    now = bots_of(api, "colonialism")
    (key,) = now
    assert key[1] == "3-4"
    assert now[key]["games"] == before.get(key, {"games": 0})["games"] + 1
    assert now[key]["deviation"] < before.get(key, {"deviation": 333})["deviation"]
    assert now[key]["version"] >= 1
    api.get("/v1/titles/nothing/ratings", status=404)


def test_anybody_computes_them_again_from_the_export(api, people, house):
    """With openskill alone, and what the description says: equal to a millionth, and to what is shown."""
    for number, (one, other) in enumerate(((0, 1), (1, 2), (2, 3), (3, 0), (0, 2), (1, 3))):
        house.now.wait(31 * 24 * 3600 if number == 3 else 60)
        finish(house, table([people[one], people[other]]), seed=number)
    count(house)
    lines = export(api)
    assert len(lines) == 6
    known, idle = computed(lines)
    assert idle >= 2, "some rested for a month"
    shown = {(round(1500 + 40 * (mu - 25)), round(40 * sigma)) for mu, sigma in known.values()}
    assert {(of(one)["rating"], of(one)["deviation"]) for one in people} == shown
    assert len(computed(export(api, LARGER))[0]) == 3
    head = house.load(lines[0]["game"]).head.hex()
    assert lines[0]["head"] == head
    assert {line["model"] for line in lines} == {"pl-1"}


def computed(lines):
    """The levels after games as a stranger computes them, and how many months of rest were in it."""
    model, known, idle = PlackettLuce(limit_sigma=True), {}, 0
    for line in lines:
        levels = []
        for subject, months, before in zip(line["subjects"], line["months"], line["before"], strict=True):
            mu, sigma = known.get(subject, (25, 25 / 3))
            assert math.isclose(before["mu"], mu, abs_tol=1e-6)
            assert math.isclose(before["sigma"], sigma, abs_tol=1e-6)
            levels.append([model.rating(mu=mu, sigma=min(25 / 3, math.sqrt(sigma**2 + 0.0625 * months)))])
            idle += months
        rated = model.rate(levels, ranks=line["places"])
        for subject, (level,), told in zip(line["subjects"], rated, line["after"], strict=True):
            assert math.isclose(told["mu"], level.mu, abs_tol=1e-6)
            assert math.isclose(told["sigma"], level.sigma, abs_tol=1e-6)
            known[subject] = (level.mu, level.sigma)
    return known, idle


def test_counting_again_gives_the_same_rows_and_so_it_does_without_one_of_them(api, people, house, pool):
    """Those who delete their account are found by nobody any more; what they changed for others stays."""
    gone = api.account("Gone")
    played = table([people[0], gone])
    finish(house, played)
    running = table([people[0], gone], absence={"least_people": 1})
    count(house)
    before = rows(pool)
    assert ratings.rebuild(house.log)[2]
    shown = change(api, played)
    (told,) = gone.get("/v1/me/export")["subjects"]
    assert len(gone.get("/v1/me/export")["ratings"]) == 1
    gone.call("DELETE", "/v1/me", {"confirm": "Gone"}, status=204)
    for again in range(2):
        n_before, n_after, equal = ratings.rebuild(house.log)
        assert equal, again
        assert n_before == n_after == len(before)
    assert rows(pool) == before
    assert change(api, played) == shown
    with pool.connection() as connection:
        known = connection.execute("SELECT count(*) FROM subject WHERE subject = %s", (told["subject"],))
        assert known.fetchone() == (0,)
    assert api.refused("GET", f"/v1/accounts/{gone.me['id']}/ratings") == (404, "unknown_account")
    # The game that they left is counted with them as the last.
    finish(house, running)
    count(house)
    last = max(change(api, running)["changes"], key=lambda one: one["place"])
    assert (last["seat"], last["before"]["games"]) == (1, 1)
    assert ratings.rebuild(house.log)[2]


def test_who_gives_up_a_seat_is_last_and_who_takes_it_is_not_rated(api, people, house):
    ada, bob, cid, dan = people
    game = table([ada, bob, cid], absence={"then": "open"})
    bob.post(f"/v1/games/{game}/commands", {"type": "table_leave", "resign": True})
    before = of(dan, LARGER)
    dan.post(f"/v1/games/{game}/commands", {"type": "table_seat", "seat": 1})
    finish(house, game)
    count(house)
    places = {one["seat"]: one["place"] for one in change(api, game)["changes"]}
    assert places[1] == 3
    assert of(dan, LARGER) == before


def test_what_does_not_count_says_why(api, people, house):
    """Analysis, what its maker did not want counted, no clock, one person, hardly any commands, no result."""
    ada, bob, *_ = people

    def unrated(game):
        count(house)
        told = change(api, game)
        assert told["changes"] == []
        assert told["pool"] is None
        return told["status"], told["why"]

    def alone(**more):
        wish = {**GameRequest(title="example", seats=[You(), Bot()]), **more}
        return ada.post("/v1/games", wish, status=201)["id"]

    for game, why in (
        (alone(seed="ab", clock=LIVE), "analysis"),
        (alone(rated=False, clock=LIVE), "unrated"),
        (alone(), "untimed"),
        (alone(clock=LIVE), "too_few_people"),
    ):
        finish(house, game)
        assert unrated(game) == ("unrated", why)
    ended = table([ada, bob])
    ada.post(f"/v1/games/{ended}/commands", {"type": "table_offer", "what": "end"})
    offer = ada.get(f"/v1/games/{ended}")["offers"][0]["offer"]
    bob.post(f"/v1/games/{ended}/commands", {"type": "table_answer", "offer": offer, "yes": True})
    assert unrated(ended) == ("unrated", "abandoned")
    short = table([ada, bob])
    finish(house, short)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("projections.rating_results.LEAST_COMMANDS", 100_000)
        assert unrated(short) == ("unrated", "too_short")
    assert not ratings.rebuild(house.log)[2], "it counts after all"
    assert change(api, short)["status"] == "rated"


@pytest.mark.slow
def test_a_delayed_end_is_not_betrayed(api, people, house):
    """Until everybody may see it no address tells of it: not the game's, nor the ratings of players, nor the
    export, nor what they played afterwards, for that follows on it.
    """
    ada, bob, cid, dan = people
    before = [of(one) for one in people]
    board = len(export(api))
    api.project()
    profile = ada.get(f"/v1/accounts/{ada.me['id']}")
    delayed = table([ada, bob], delay={"ms": 3_600_000})
    finish(house, delayed)
    after, other = table([cid, ada]), table([dan, cid])
    finish(house, after)
    finish(house, other)
    count(house)
    api.project()
    assert [of(one) for one in people] == before
    assert len(export(api)) == board
    assert change(api, delayed)["status"] == "pending"
    assert change(ada, delayed)["status"] == "pending"
    assert change(api, after)["status"] == "pending", "it follows on the other"
    assert change(api, other)["status"] == "pending", "and this on that"
    told = ada.get(f"/v1/accounts/{ada.me['id']}")
    assert told["ratings"] == profile["ratings"]
    finished = [sum(one["finished"] for one in shown["results"]) for shown in (profile, told)]
    assert finished[1] == finished[0] + 1, "the one that has no delay"
    house.now.wait(3601)
    assert change(api, delayed)["status"] == change(api, after)["status"] == "rated"
    assert len(export(api)) == board + 3
    assert of(ada)["games"] == before[0]["games"] + 2


def test_private_games_betray_nothing_and_unlisted_ones_not_which_they_were(api, people, house):
    """A private game counts as a club's only, and of that strangers learn nothing; an unlisted one counts."""
    ada, bob, _, dan = people
    private = table([ada, bob], visibility="unlisted")
    ada.post(f"/v1/games/{private}/visibility", {"visibility": "private"})
    unlisted = table([ada, bob], visibility="unlisted")
    for game in (private, unlisted):
        finish(house, game)
    count(house)
    nowhere = "019a9f00-0000-7000-8000-000000000001"
    answers = [dan.send("GET", f"/v1/games/{game}/rating") for game in (private, nowhere)]
    assert answers[0].data == answers[1].data
    assert answers[0].status_code == 404
    lines = export(api)
    assert not any(line["game"] in (private, unlisted) for line in lines)
    assert lines[-1]["game"] is lines[-1]["head"] is None
    assert change(dan, unlisted)["status"] == change(ada, private)["status"] == "rated"
    assert private not in json.dumps(lines)


def test_the_leaderboard_shows_the_best_whose_rating_says_something(api, people, house, pool):
    """By mu - 3 sigma, page by page; who has not played for a year before the newest game is left out."""
    count(house)
    path = f"/v1/leaderboards/{POOL}"
    assert all(one["games"] >= ratings.FEW for one in api.get(path)["ratings"])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("service.stores.ratings.FEW", 2)
        patch.setattr("service.stores.ratings.SURE", 9.0)
        _equals(api, pool, path)
        _leaders(api, people, house, path)
    assert api.get("/v1/leaderboards/colonial.7+.correspondence")["ratings"] == []
    for wrong in ("colonies", "colonies.3.live", "colonies.3-4.slow"):
        assert api.refused("GET", f"/v1/leaderboards/{wrong}") == (404, "unknown_pool")
    assert api.refused("GET", "/v1/ratings/export?pool=x") == (400, "invalid_parameters")


def _equals(api, pool, path):
    """Those of one rating and deviation share a rank; the one behind them has its own, and none is lost."""
    before = api.get(path)["ratings"]
    with pool.connection() as connection, connection.transaction():
        kept = connection.execute("SELECT mu, sigma, subject FROM rating WHERE pool = %s", (POOL,)).fetchall()
        connection.execute("UPDATE rating SET mu = 30, sigma = 2 WHERE pool = %s", (POOL,))
        worst = before[-1]["account"]
        connection.execute(
            "UPDATE rating SET mu = 20.001 WHERE pool = %s"
            " AND subject = (SELECT subject FROM subject WHERE account_id = %s)",
            (POOL, worst),
        )
    ranked = api.get(path)["ratings"]
    last = len(ranked)
    assert [one["rank"] for one in ranked] == [1] * (last - 1) + [last]
    pages, address = [], f"{path}?limit=1"
    while address:
        page = api.get(address)
        pages, address = pages + page["ratings"], page["next"]
    assert pages == ranked
    with pool.connection() as connection:
        for row in kept:
            connection.execute(
                "UPDATE rating SET mu = %s, sigma = %s WHERE subject = %s AND pool = %s", (*row, POOL)
            )
    assert api.get(path)["ratings"] == before


def _leaders(api, people, house, path):
    whole = api.get(path)
    assert [one["rank"] for one in whole["ratings"]] == list(range(1, len(whole["ratings"]) + 1))
    assert len(whole["ratings"]) >= 3
    assert whole["next"] is None
    first = api.get(f"{path}?limit=1")
    assert first["ratings"] == whole["ratings"][:1]
    assert api.get(first["next"])["ratings"] == whole["ratings"][1:2]
    assert {one["account"] for one in whole["ratings"]} <= {one.me["id"] for one in people}
    house.now.wait(366 * 24 * 3600)
    finish(house, table(people[:2]))
    count(house)
    assert people[3].me["id"] not in {one["account"] for one in api.get(path)["ratings"]}


def test_a_profile_tells_what_somebody_has_played(api, people, house):
    """Results by title, of the games that everybody may know of; ratings; reliability."""
    api.project()
    ada = people[0]
    told = api.get(f"/v1/accounts/{ada.me['id']}")
    assert told["ratings"] == ada.get(f"/v1/accounts/{ada.me['id']}/ratings")["ratings"]
    assert 0 <= told["reliability"] <= 100
    title = next(one for one in told["results"] if one["title"] == "example")
    assert title["finished"] >= title["won"] >= 0
    assert title["finished"] >= 7
    assert title["abandoned"] == 1
    public = api.get(f"/v1/games?player={ada.me['id']}&status=finished&title=example&limit=1000")["games"]
    played = [one for one in public if not one["analysis"]]
    counted = [one for one in played if one["outcome"] is not None]  # the others were abandoned
    assert len(counted) == title["finished"]
    assert len(played) - len(counted) <= title["abandoned"]
    won = [
        one for one in counted if one["seats"][one["outcome"]["winners"][0]].get("account") == ada.me["id"]
    ]
    assert len(won) <= title["won"]


def test_a_follower_that_dies_has_done_nothing(people, house, pool):
    """Killed in the midst of a game it leaves no row; several at once count each game once."""
    finish(house, table(people[:2]))
    house.log.sequence()
    before = rows(pool)
    rate = ratings.rate_players

    def dies(*words):
        rate(*words)
        raise psycopg.OperationalError("killed")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ratings, "rate_players", dies)
        with pytest.raises(psycopg.OperationalError):
            ratings.follow_log(house.log)
    assert rows(pool) == before
    together = threading.Barrier(4)

    def follow(_):
        together.wait()
        return ratings.follow_log(house.log)

    with ThreadPoolExecutor(4) as threads:
        assert sum(threads.map(follow, range(4))) > 0
    count(house)
    assert len(rows(pool)) == len(before) + 3
    assert ratings.rebuild(house.log)[2]
