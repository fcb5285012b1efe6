"""`rutter failed`: what an operator sees of what was set aside, and what they can do."""

import json
import shutil
import uuid

import pytest
from click.testing import CliRunner

from ops import cli
from projections.health import failed_tasks
from tests.servers import reachable_folder

pytestmark = pytest.mark.integration


@pytest.fixture
def call(database, servers, monkeypatch, tmp_path):
    """Calls `rutter failed` on the module's database."""
    monkeypatch.setenv("DATABASE_URL", database)
    monkeypatch.setenv("REDIS_URL", servers.redis_url)

    def run(*words):
        return CliRunner().invoke(cli.rutter, ["failed", "--data", str(folder), *words])

    folder = reachable_folder(tmp_path / "data")
    yield run
    shutil.rmtree(folder, ignore_errors=True)


def test_nothing_is_set_aside(call):
    """Exit status 0, and nothing is said."""
    result = call()
    assert (result.exit_code, result.output) == (0, "")
    assert call("--retry", "all").exit_code == 1


def test_what_is_set_aside_is_listed_and_tried_again(call, pool):
    """Game, event, kind, since when, error; as words and as JSON."""
    game, other = str(uuid.uuid4()), str(uuid.uuid4())
    failed_tasks.record(pool, game, "bot", 17, "ValueError: of the bot (bots.py:1 think)", final=True)
    failed_tasks.record(pool, other, "house", 3, "a task that is tried again soon")
    with pool.connection() as connection:
        connection.execute("INSERT INTO es.parked VALUES ('lobby', %s, 5, 'KeyError')", (game,))
    result = call()
    assert result.exit_code == 1, result.output
    first, second = result.output.splitlines()
    assert first.startswith(f"{game}  event 17  bot  since 2")
    assert first.endswith("Z  ValueError: of the bot (bots.py:1 think)")
    assert "event 5  projection lobby" in second
    told = [json.loads(line) for line in call("--json").output.splitlines()]
    assert [(one["game"], one["seq"], one["kind"]) for one in told] == [
        (game, 17, "bot"),
        (game, 5, "projection lobby"),
    ]
    assert {"error", "since"} <= set(told[0])
    assert call("--retry", str(uuid.uuid4())).output == "0 jobs will be tried again.\n"
    retried = call("--retry", game)
    assert (retried.exit_code, retried.output) == (0, "2 jobs will be tried again.\n")
    assert failed_tasks.release(pool) == 2, "one of them, and that which was due by itself"


def test_a_wrong_id_is_a_wrong_call(call):
    """Exit status 2, with a sentence."""
    result = call("--retry", "everything")
    assert result.exit_code == 2
    assert "the id of a game or tournament, or `all`" in result.output
