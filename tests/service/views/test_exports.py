"""Exports: many games as lines, equal to what the single calls say, and never more than they do."""

import gzip
import json
import re
import threading
import tracemalloc
from datetime import date
from itertools import product
from uuid import uuid4

import marshmallow as ma
import pytest
from click.testing import CliRunner
from werkzeug.serving import make_server

from ops.cli import rutter
from ops.cli.game.export import COLUMNS
from projections.base.lanes import lane_of
from projections.rebuild import rebuild
from projections.runner import Runner
from service.http.query_strings import TIME_PATTERN, Time
from tests.playing import advance, play_to_the_end
from tests.service.client import Api
from tests.service.factories import GameRequest, You, in_days

pytestmark = pytest.mark.integration


@pytest.fixture(scope="module")
def eve(api):
    return api.account("Eve")


def make(who, **more):
    return who.post("/v1/games", {**GameRequest(title="example", hotseat=2), **more}, status=201)["id"]


@pytest.fixture(scope="module")
def finished(games, ada, bob):
    """Three finished games, of Ada, of Bob, and of Ada in private."""
    ids = [make(ada), make(bob), make(ada, visibility="private")]
    for game in ids:
        play_to_the_end(games, games.load(game))
    ada.project()
    return ids


def lines(answer):
    assert answer.status_code == 200, answer.text
    assert answer.content_type == "application/x-ndjson"
    return [json.loads(line) for line in answer.data.splitlines()]


def pages(who, address):
    """All lines from *address* on, through the links to the next pages; how many pages there were."""
    found, count = [], 0
    while address:
        answer = who.send("GET", address)
        found += lines(answer)
        count += 1
        link = re.fullmatch(r'<(.*)>; rel="next"', answer.headers.get("Link", ""))
        address = link and link[1]
    return found, count


def test_events_are_those_of_the_single_calls(finished, ada, bob, api):
    """All who ask get each game's events as its own address shows them, and of private ones their own."""
    for who, seen in ((ada, finished), (bob, finished[:2]), (api, finished[:2])):
        exported, _ = pages(who, "/v1/export/events?status=finished&games=2")
        assert {line["game"] for line in exported} >= set(seen)
        assert (finished[2] in {line["game"] for line in exported}) == (who is ada)
        for game in seen:
            mine = [line for line in exported if line["game"] == game]
            single = who.get(f"/v1/games/{game}/events?limit=1000")["events"]
            assert [{k: v for k, v in line.items() if k not in {"game", "cursor"}} for line in mine] == single


def test_games_are_those_of_the_single_calls(finished, ada, pool):
    exported, count = pages(ada, "/v1/export/games?status=finished&games=1")
    assert count >= 3
    by_id = {line["id"]: line for line in exported}
    assert list(by_id) == sorted(by_id, key=lambda game: last_position(pool, game))
    for game in finished:
        line, single = by_id[game], ada.get(f"/v1/games/{game}")
        assert line.pop("game") == line["cursor"] == game
        del line["cursor"]
        assert {name: single[name] for name in line} == line
        assert "view" not in line


def last_position(pool, game):
    """The position of a game's last event in the log of all games."""
    with pool.connection() as connection:
        return connection.execute("SELECT max(position) FROM es.log WHERE game_id = %s", (game,)).fetchone()[
            0
        ]


def test_an_export_goes_on_behind_any_line(finished, ada):
    """`after` the cursor of a line: what followed it, nothing twice."""
    whole, _ = pages(ada, "/v1/export/events?status=finished")
    for at in (0, 1, len(whole) // 2, len(whole) - 1):
        cursor = whole[at]["cursor"]
        assert pages(ada, f"/v1/export/events?status=finished&after={cursor}")[0] == whole[at + 1 :]


def test_it_is_compressed_where_that_is_wanted(finished, ada):
    plain = ada.send("GET", "/v1/export/events?status=finished")
    packed = ada.send("GET", "/v1/export/events?status=finished", Accept_Encoding="gzip")
    assert packed.headers["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in packed.headers["Vary"]
    assert gzip.decompress(packed.data) == plain.data
    assert len(packed.data) < len(plain.data) / 2


def test_filters_choose_games(finished, ada, bob, games, api):
    """By status, title, version, player, bot, analysis and time; an unknown word chooses nothing."""
    seeded = make(ada, seed="11" * 16)
    bots = ada.post("/v1/games", GameRequest(title="example", seats=[You(), {"bot": "random"}]), status=201)
    ada.project()

    def found(query):
        return {line["id"] for line in pages(ada, f"/v1/export/games?{query}")[0]}

    everything = found("")
    assert everything >= {*finished, seeded, bots["id"]}
    assert found("status=finished") >= set(finished)
    assert not {seeded, bots["id"]} & found("status=finished")
    assert seeded in found("analysis=true")
    assert seeded not in found("analysis=false")
    assert found("title=example") == everything
    assert found("title=chess") == found("version=999") == found("bot=nobody") == set()
    assert bots["id"] in found("bot=random")
    assert not found("bot=random") & set(finished)
    assert finished[1] in found(f"player={bob.me['id']}")
    assert finished[0] not in found(f"player={bob.me['id']}")
    made = ada.get(f"/v1/games/{finished[1]}")["created_at"]
    assert finished[1] in found(f"since={made}")
    assert finished[1] not in found(f"until={made}")
    assert found("until=2020-01-01") == set()


@pytest.mark.parametrize(
    "query",
    [
        "status=over",
        "since=yesterday",
        "until=2026-13-01",
        "after=x",
        "games=0",
        "analysis=yes",
        "player=Bob",
    ],
)
def test_what_cannot_be_read_is_refused(api, query):
    assert api.refused("GET", f"/v1/export/events?{query}") == (400, "invalid_parameters")


def test_the_description_has_just_the_days_of_the_calendar():
    """What fits the pattern of a time is one."""
    for year, month, day in product((1000, 1999, 2000, 2026, 2028, 2100, 2999, 3000), range(14), range(33)):
        told = f"{year}-{month:02}-{day:02}"
        try:
            there = bool(date(year, month, day)) and 2000 <= year <= 2999
        except ValueError:
            there = False
        assert bool(re.fullmatch(TIME_PATTERN, told)) == there, told
        for time in ("T23:59:59Z", "t00:00:00.25z", "T00:00:00+00:01", "T23:59:59-23:59"):
            fits = bool(re.fullmatch(TIME_PATTERN, told + time))
            at_the_edge = told in {"2000-01-01", "2999-12-31"} and time[0] == "T" and time[-1] != "Z"
            assert fits == (there and not at_the_edge), told + time
            assert is_read(told + time) or not fits, told + time


def is_read(text):
    try:
        return bool(Time().deserialize(text))
    except ma.ValidationError:
        return False


@pytest.mark.parametrize("time", ["2026-03-01", "2026-03-01t01:00:00%2B01:00", "2016-12-31T23:59:60Z"])
def test_times_are_read_as_everywhere(api, time):
    assert api.send("GET", f"/v1/export/games?until={time}").status_code == 200


@pytest.mark.parametrize(
    "time", ["1999-12-31", "3000-01-01T00:00:00Z", "2026-W09-7", "20260301", "2026-03-01T01:00"]
)
def test_other_forms_and_years_are_refused(api, time):
    assert api.refused("GET", f"/v1/export/games?since={time}") == (400, "invalid_parameters")


@pytest.mark.parametrize("what", ["games", "events"])
def test_an_older_game_that_ends_later_comes_when_the_export_goes_on(games, ada, eve, what):
    """Finished games come in the order of their ends, so going on after the last one misses none."""
    old, new, newest = (make(ada) for _ in range(3))
    end(games, ada, new)
    address = f"/v1/export/{what}?status=finished"
    first, _ = pages(eve, f"{address}&games=2")
    assert first[-1]["game"] == new
    end(games, ada, old)
    end(games, ada, newest)
    rest, _ = pages(eve, f"{address}&games=1&after={first[-1]['cursor']}")
    assert list(dict.fromkeys(line["game"] for line in rest)) == [old, newest]
    again, _ = pages(eve, address)
    assert [line["cursor"] for line in again] == [line["cursor"] for line in first + rest]
    assert pages(eve, f"{address}&after={rest[-1]['cursor']}")[0] == []


def end(games, who, game):
    play_to_the_end(games, games.load(game))
    who.project()


def test_an_end_that_is_told_late_comes_late(games, ada, eve, clock):
    """A delayed game comes when its delay is over, after games that ended meanwhile; at its table at once."""
    delayed = make(ada, delay={"ms": 600_000})
    end(games, ada, delayed)
    other = make(ada)
    end(games, ada, other)
    address = "/v1/export/games?status=finished"
    first, mine = pages(eve, address)[0], pages(ada, address)[0]
    assert [line["id"] for line in first][-1] == other
    assert [line["id"] for line in mine][-2:] == [delayed, other]
    clock.wait(601)
    assert [line["id"] for line in pages(eve, f"{address}&after={first[-1]['cursor']}")[0]] == [delayed]
    assert pages(ada, f"{address}&after={mine[-1]['cursor']}")[0] == []
    assert [line["id"] for line in pages(eve, address)[0]] == [*(line["id"] for line in first), delayed]


def test_an_end_that_was_set_aside_comes_late(games, ada, eve, pool):
    """The lobby could not tell of it when it happened: it stands behind what was exported meanwhile."""
    aside, other = make(ada), make(ada)
    ada.project()
    with pool.connection() as connection:
        connection.execute(
            "INSERT INTO es.parked (projection, game_id, seq, error, program)"
            " VALUES ('lobby', %s, 1, '', '')",
            (aside,),
        )
    end(games, ada, aside)
    end(games, ada, other)
    address = "/v1/export/games?status=finished"
    first, _ = pages(eve, address)
    assert first[-1]["id"] == other
    assert aside not in {line["id"] for line in first}
    assert Runner(games.log).project_again() == 1
    assert [line["id"] for line in pages(eve, f"{address}&after={first[-1]['cursor']}")[0]] == [aside]


def test_what_the_lobby_may_not_know_yet_is_waited_for(games, ada, eve, pool):
    """While an earlier event is not projected in one lane, later ends of others are not told either."""
    late, other = make(ada), make(ada)
    ada.project()
    play_to_the_end(games, games.load(late))
    play_to_the_end(games, games.load(other))
    games.log.sequence()
    with pool.connection() as connection, connection.transaction():
        held = "SELECT FROM es.projection WHERE name = 'lobby' AND lane = %s FOR UPDATE"
        connection.execute(held, (lane_of(late),))
        runner = Runner(games.log)
        while runner.step():
            pass
        found = [line["id"] for line in pages(eve, "/v1/export/games?status=finished")[0]]
        assert not {late, other} & set(found)
    ada.project()
    found = [line["id"] for line in pages(eve, "/v1/export/games?status=finished")[0]]
    assert found[-2:] == [late, other]


def test_a_rebuild_keeps_the_order_of_ends(games, ada, eve, finished):
    before = [line["id"] for line in pages(eve, "/v1/export/games?status=finished")[0]]
    rebuild(games.log, ["lobby"])
    assert [line["id"] for line in pages(eve, "/v1/export/games?status=finished")[0]] == before


def test_a_cursor_of_no_game_is_refused(eve, games, ada):
    running = make(ada)
    ada.project()
    for query in (f"after={uuid4()}", f"after={uuid4()}_3", f"status=finished&after={running}"):
        assert eve.refused("GET", f"/v1/export/games?{query}") == (404, "unknown_game")


def test_games_that_go_on_come_in_the_order_of_their_making(ada, eve):
    made = [make(ada, id=in_days(days)) for days in (400, 0, 3, 1)]
    ada.project()
    lines, _ = pages(eve, "/v1/export/games?games=1")
    assert [line["id"] for line in lines if line["id"] in made] == made


def test_a_running_game_shows_a_seat_its_own_and_nobody_more(games, ada, eve):
    """Hidden parts of a game under way are in nobody's export but its player's."""
    game = make(ada)
    advance(games, games.load(game), 2)
    ada.project()
    for who in (ada, eve):
        mine = [line for line in pages(who, "/v1/export/events?status=running")[0] if line["game"] == game]
        single = who.get(f"/v1/games/{game}/events?limit=1000")["events"]
        assert [{k: v for k, v in line.items() if k not in {"game", "cursor"}} for line in mine] == single


def test_a_delay_holds_exports_back_too(games, ada, eve, clock):
    """Spectators export no more of a delayed game than they may see, not even that it has ended."""
    game = make(ada, delay={"ms": 600_000})
    play_to_the_end(games, games.load(game))
    ada.project()

    def exported(who, status):
        return [x for x in pages(who, f"/v1/export/games?status={status}")[0] if x["id"] == game]

    assert exported(ada, "finished")
    assert not exported(eve, "finished")
    assert not [x for x in pages(eve, "/v1/export/events")[0] if x["game"] == game]
    clock.wait(601)
    assert exported(eve, "finished") == [
        {**line, "seats": exported(eve, "finished")[0]["seats"]} for line in exported(ada, "finished")
    ]


def read_through(app, token, query):
    """How many bytes an export has, and the most that was held at a time while they were read."""
    tracemalloc.start()
    try:
        answer = app.test_client().get(
            f"/v1/export/events?{query}", headers={"Authorization": f"Bearer {token}"}, buffered=False
        )
        size = sum(len(chunk) for chunk in answer.iter_encoded())
        return size, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.slow
def test_memory_does_not_grow_with_the_export(api, games, app):
    """Four times as many games take as much of it while they are read."""
    eve = api.account("Eve")
    for _ in range(40):
        play_to_the_end(games, games.load(make(eve)))
    eve.project()
    mine = f"player={eve.me['id']}"
    whole, _ = read_through(app, eve.token, mine)  # from now on games are as near for both
    part, least = read_through(app, eve.token, f"{mine}&games=10")
    again, most = read_through(app, eve.token, mine)
    assert again == whole > 3 * part
    assert most - least < (whole - part) / 4, (part, least, whole, most)


@pytest.mark.slow
def test_many_games_in_one_request(api, games, app):
    """They are those of the single calls (a thousand in `tests/campaigns`)."""
    one_request(api, games, 20)


def one_request(api, games, count):
    """Play so many games, and export them in one request; who played them, and the query."""
    zoe = api.account("Zoe")
    for number in range(count):
        play_to_the_end(games, games.load(make(zoe)))
        if number % 100 == 99:
            zoe.project()
    zoe.project()
    mine = f"player={zoe.me['id']}&status=finished"
    told = lines(zoe.send("GET", f"/v1/export/events?{mine}&games={count}"))
    assert len({line["game"] for line in told}) == count
    for game in {line["game"] for line in told[:: len(told) // 20]}:
        single = zoe.get(f"/v1/games/{game}/events?limit=1000")["events"]
        own = [line for line in told if line["game"] == game]
        assert [{k: v for k, v in line.items() if k not in {"game", "cursor"}} for line in own] == single
    return zoe, mine


def test_the_analyst_counts_what_was_played(finished, ada, app, tmp_path, monkeypatch, capsys):
    """The example fetches all pages over HTTP, goes on where it stopped, and asks its questions."""
    pytest.importorskip("duckdb")
    from ops.examples import analyst

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TOKEN", ada.token)
    monkeypatch.setenv("no_proxy", "*")
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        address = f"http://127.0.0.1:{server.server_port}"
        analyst.main(address, "example")
        path = tmp_path / "example.events.ndjson"
        whole = path.read_bytes()
        path.write_bytes(whole[: len(whole) // 2])
        analyst.fetch(address, "events", "example", path)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
    assert path.read_bytes() == whole
    assert {json.loads(line)["game"] for line in whole.splitlines()} >= set(finished)
    assert "Who wins, by seat" in capsys.readouterr().out


# --- rutter export ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def address(api):
    """The service over HTTP."""
    server = make_server("127.0.0.1", 0, api.app, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.port}"
    server.shutdown()
    thread.join()
    server.server_close()


def export(address, folder, *words):
    done = CliRunner().invoke(rutter, ["export", address, "--out", str(folder), *words])
    assert done.exit_code == 0, (done.output, done.exception)
    return done.output


def test_the_command_fetches_all_games_and_goes_on(finished, ada, address, tmp_path):
    """The same lines as the single calls; half a line is fetched again, what is there is not."""
    export(address, tmp_path)
    for what in ("games", "events"):
        file = tmp_path / f"{what}.ndjson"
        text = file.read_bytes()
        public, _ = pages(Api(ada.app), f"/v1/export/{what}?status=finished")
        assert [json.loads(line) for line in text.splitlines()] == public
        file.write_bytes(text[: len(text) // 2])
    export(address, tmp_path)
    assert [json.loads(line) for line in (tmp_path / "events.ndjson").read_bytes().splitlines()] == public
    assert "games: 0 new lines" in export(address, tmp_path)


def test_the_command_takes_a_token_for_private_games(finished, ada, address, tmp_path):
    token = tmp_path / "token"
    token.write_text(ada.token)
    said = export(address, tmp_path / "mine", "--token-file", str(token), "--title", "example")
    found = [json.loads(line) for line in (tmp_path / "mine" / "games.ndjson").read_bytes().splitlines()]
    assert finished[2] in {one["game"] for one in found}
    assert ada.token not in said
    refused = CliRunner().invoke(
        rutter, ["export", "http://games.example", "--out", str(tmp_path), "--token-file", str(token)]
    )
    assert "not sent over plain HTTP" in str(refused.exception)


def test_the_command_writes_parquet(finished, address, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    export(address, tmp_path, "--format", "parquet")
    for what in ("games", "events"):
        lines = [json.loads(line) for line in (tmp_path / f"{what}.ndjson").read_bytes().splitlines()]
        rows = parquet.read_table(tmp_path / f"{what}.parquet").to_pylist()
        assert [row["cursor"] for row in rows] == [line["cursor"] for line in lines]
        if what == "games":
            assert [row["places"] for row in rows] == [line["outcome"]["places"] for line in lines]


def test_every_member_of_an_export_is_a_column(finished, ada):
    """Parquet leaves nothing out but `id`, which repeats `game`."""
    for what, columns in COLUMNS.items():
        told, _ = pages(ada, f"/v1/export/{what}?status=finished")
        assert {name for line in told for name in line} - {"id"} <= columns.keys()
