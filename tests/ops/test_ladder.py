"""`rutter ladder`: the same file however it was played, and nothing is played twice."""

import json
import os
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
import pytest
from click.testing import CliRunner
from redis import Redis
from rq import Queue

from ops.base.errors import OpsError
from ops.cli import rutter
from ops.titles import ladder_file, ladder_queue
from tests.waiting import PATIENCE
from workers.bots import find_bot
from workers.bots.trials.ladder import Deal, Player, list_pairs

ROOT = Path(__file__).resolve().parents[2]
WORDS = ("--titles", "colonial,colonial_empires", "--seats", "2,3", "--bots", "random,steady,steady@1")
SHORT = ("--titles", "colonial_empires")
"""Games that take the least time."""


def ladder(out, *words, deals=3, status=0):
    """What the command prints."""
    told = [*WORDS, "--deals", str(deals), "--out", str(out), *words]
    done = CliRunner().invoke(rutter, ["ladder", *told], catch_exceptions=False)
    assert done.exit_code == status, done.output
    return done.output


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A file of three deals of each pair."""
    path = tmp_path_factory.mktemp("ladder") / "ladder.json"
    ladder(path)
    return path


@pytest.mark.slow
def test_it_names_players_games_and_strength(played):
    """Version, budget and weights; games; points above random with bounds; each pair's results."""
    titles = json.loads(played.read_bytes())["titles"]
    assert list(titles) == ["colonial", "colonial_empires"]
    for tables in titles.values():
        assert [table["seats"] for table in tables] == [2, 3]
        for table in tables:
            first, *others = table["levels"]
            assert (first["name"], first["elo"], first["budget"], first["weights"]) == ("random", 0, 0, None)
            assert [each["name"] for each in others] == ["steady"] * len(others)
            assert all(each["low"] < each["elo"] < each["high"] for each in others)
            for pair in table["pairs"]:
                assert pair["result"]["games"] == 3 * table["seats"] == pair["tally"]["games"]


@pytest.mark.slow
def test_any_number_of_processes_and_any_way_there(played, tmp_path):
    """Two processes; or deal by deal, some pairs before others: byte for byte the same."""
    two, steps = tmp_path / "two", tmp_path / "steps"
    ladder(two, "--jobs", "2")
    ladder(steps, "--bots", "steady,steady@1", deals=2)
    ladder(steps, deals=1)
    ladder(steps)
    assert two.read_bytes() == steps.read_bytes() == played.read_bytes()


@pytest.mark.slow
def test_what_was_played_is_not_played_again(played, tmp_path, monkeypatch):
    """The same again plays nothing; fewer deals take nothing away."""
    again = tmp_path / "again"
    again.write_bytes(played.read_bytes())
    monkeypatch.setattr(Deal, "play", lambda _deal: pytest.fail("played again"))
    ladder(again)
    ladder(again, deals=1)
    assert again.read_bytes() == played.read_bytes()


@pytest.mark.slow
def test_a_run_that_is_killed_goes_on(played, tmp_path, monkeypatch):
    """What was played stands in the file, and only the rest is played."""
    out, number, play = tmp_path / "cut", [], Deal.play

    def until_killed(deal):
        number.append(deal)
        if len(number) == 7:
            raise KeyboardInterrupt
        return play(deal)

    monkeypatch.setattr(Deal, "play", until_killed)
    ladder(out, status=1)
    ladder(out)
    assert len(number) == len(set(number)) + 1  # the one during which it was killed
    assert out.read_bytes() == played.read_bytes()


@pytest.mark.slow
def test_what_older_bots_played_is_told_and_left_out(played, tmp_path):
    """`--check` names it; when the table is played again it is gone, and a table nobody asks for stays."""
    out = tmp_path / "older"
    titles = ladder_file.read(played)
    table = titles["colonial"][0]
    old = msgspec.structs.replace(
        table.pairs[0], challenger=msgspec.structs.replace(table.pairs[0].challenger, budget=7)
    )
    titles["colonial"][0] = msgspec.structs.replace(table, pairs=(old, *table.pairs[1:]))
    ladder_file.write(out, titles)
    said = ladder(out, "--check", status=1)
    assert "colonial, 2 seats: steady@1 against random@1: older bots or rules" in said
    assert said.count("older") == 1
    ladder(out, "--titles", "colonial_empires")
    assert ladder(out, "--check", status=1) == said
    ladder(out)
    assert out.read_bytes() == played.read_bytes()
    assert "are of the installed bots" in ladder(out, "--check")


@pytest.mark.slow
def test_what_kept_bots_played_stays(played, tmp_path):
    """It stands behind what is asked for; none of it is played on."""
    out = tmp_path / "kept"
    titles = ladder_file.read(played)
    table = titles["colonial"][0]
    second, first = (Player.from_bot(find_bot("colonial", name)) for name in ("steady@2", "steady@1"))
    kept = msgspec.structs.replace(table.pairs[0], challenger=second, other=first)
    titles["colonial"][0] = msgspec.structs.replace(table, pairs=(kept, *table.pairs))
    ladder_file.write(out, titles)
    assert "are of the installed bots" in ladder(out, "--check")
    ladder(out)
    assert ladder_file.read(out)["colonial"][0].pairs == (*table.pairs, kept)


def test_the_page_tells_what_was_measured():
    """Its table is that of the file, to the last figure: `rutter ladder --table` prints it."""
    told = CliRunner().invoke(rutter, ["ladder", "--table"]).output
    assert told.count("\n") > 5
    assert told in (ROOT / "workers/bots/README.md").read_text(encoding="utf-8")


def test_other_files_are_refused(tmp_path):
    """Nothing is overwritten."""
    out = tmp_path / "notes"
    out.write_text("my notes")
    done = CliRunner().invoke(rutter, ["ladder", *WORDS, "--out", str(out)])
    assert isinstance(done.exception, OpsError)
    assert out.read_text() == "my notes"
    assert "is unknown" in ladder(out, "--bots", "steady,brilliant", status=2)


# --- on many machines ---------------------------------------------------------------------------------


@pytest.fixture
def redis_url(servers, monkeypatch):
    url = urlsplit(servers.redis_url)._replace(path="/9").geturl()
    monkeypatch.setenv("REDIS_URL", url)
    with Redis.from_url(url) as client:
        client.flushdb()
        yield url
        client.flushdb()


@pytest.fixture
def worker(redis_url):
    """Starts workers, as on other machines."""
    begun = []

    def start():
        words = [sys.executable, "-m", "ops", "ladder", "--work"]
        environment = {**os.environ, "REDIS_URL": redis_url}
        begun.append(subprocess.Popen(words, cwd=ROOT, env=environment, start_new_session=True))
        return begun[-1]

    yield start
    for one in begun:
        one.terminate()
        one.wait(PATIENCE)


@pytest.mark.campaign
@pytest.mark.integration
def test_many_machines_play_the_same_ladder(tmp_path, worker):
    """Two workers: byte for byte the same; asked for again, the results are still there."""
    worker(), worker()
    here, one, two = tmp_path / "here", tmp_path / "one", tmp_path / "two"
    ladder(here, *SHORT)
    ladder(one, *SHORT, "--queue")
    ladder(two, *SHORT, "--queue")
    assert one.read_bytes() == two.read_bytes() == here.read_bytes()


@pytest.mark.integration
def test_a_deal_asked_for_twice_is_one_job(redis_url):
    """By its id; another deal is another."""
    deals = [Deal("colonial", 2, list_pairs("colonial")[0], number) for number in (0, 0, 1)]
    with Redis.from_url(redis_url) as client:
        queue = Queue(ladder_queue.QUEUE, connection=client, serializer="json")
        for deal in deals:
            ladder_queue._enqueue(queue, deal)
        assert queue.count == 2


@pytest.mark.integration
def test_a_lost_job_is_given_out_again(redis_url, worker):
    """Somebody empties Redis while it is waited for."""
    deal = Deal("colonial", 2, list_pairs("colonial")[0], 0)
    fetched = ladder_queue.play_remotely([deal])
    with Redis.from_url(redis_url) as client:
        queue = Queue(ladder_queue.QUEUE, connection=client, serializer="json")
        ladder_queue._enqueue(queue, deal)
        client.flushdb()
        worker()
        assert next(fetched) == deal.play()


@pytest.mark.integration
def test_a_worker_with_another_program_is_refused(redis_url, worker):
    """Other weights there: its games would be of another bot."""
    asked = list_pairs("colonial")[-1]
    other = msgspec.structs.replace(asked.challenger, weights="0" * 64)
    deal = Deal("colonial", 2, msgspec.structs.replace(asked, challenger=other), 0)
    worker()
    with pytest.raises(OpsError, match="other weights here: use the same version"):
        next(ladder_queue.play_remotely([deal]))


def test_without_redis_it_says_so(monkeypatch):
    """Which variable is lacking."""
    monkeypatch.delenv("REDIS_URL", raising=False)
    with pytest.raises(OpsError, match="REDIS_URL is not set"):
        next(ladder_queue.play_remotely([]))
