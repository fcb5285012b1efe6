"""Finished games moved out of the database while the archiver is killed again and again.

`RUTTER_CAMPAIGN_GAMES=10000 ops/test --campaigns tests/campaigns/killed/test_archive.py` moves so many games
to each place. What a kill could lose is a game: its rows are gone, and its bundle is half a file.
"""

from __future__ import annotations

import hashlib
import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import msgspec
import psycopg
import pytest
from psycopg import sql

from events.store import object_storage
from events.store.archived_games import decompress_bundle, fetch_bundle
from events.store.games import Games
from events.store.signing_keys import list_logged_keys, load_seeds
from events.tlog.notes import COSIGNATURE, SigningKey, Verifier
from events.verify import verify
from ops.database.log_check import check_log
from ops.server.wsgi import create_app
from projections.rebuild import rebuild
from projections.tree.archive import Archive
from projections.tree.tree_check import check_tree
from tests.archiving import follow, long_ago, run_archiver
from tests.conftest import ROOT
from tests.ops.killed_archiver import MOMENTS, MOMENTS_OF_STORES
from tests.ops.test_archive import roles
from tests.playing import play_to_the_end
from tests.service.client import Api
from tests.service.factories import Bot, GameRequest, Open, You
from tests.settings import RUTTER_CAMPAIGN_GAMES, RUTTER_CAMPAIGN_STORE
from tests.stores import NAME, WORD, ftp_server, log_in
from tests.waiting import PATIENCE

pytestmark = pytest.mark.integration
__all__ = ["roles"]  # a fixture
WITNESS = SigningKey("witness.example", bytes(32), COSIGNATURE)
TITLE = "example"
"""The smallest title: a game has few events, so what stays of each weighs most."""
CLOCK = {"kind": "live", "base_ms": 86_400_000, "increment_ms": 30_000}
"""Only games with a clock count for ratings."""
GAMES = RUTTER_CAMPAIGN_GAMES.read()
ROUNDS = 2
"""How often the archiver dies at each moment."""
ASKED = ("", "/events?limit=400", "/history", "/receipt", "/rating", "/audit")
HOT = ("es.event", "es.secret", "es.snapshot", "public.history")
"""The tables whose rows of a game go into its bundle."""
KEPT = (
    *("es.log", "es.leaf", "es.game_secret", "lobby"),
    *("rating", "rating_change", "rating_game", "rating_state", "rating_void"),
)
"""Tables that archiving leaves as they are."""
_LARGEST = (
    "SELECT relname, pg_total_relation_size(oid) FROM pg_class"
    " WHERE relkind = 'r' ORDER BY pg_total_relation_size(oid) DESC LIMIT %s"
)
_TORN = (
    "SELECT a.game_id::text FROM es.archived a WHERE a.dropped IS DISTINCT FROM"
    " ((SELECT count(*) FROM es.event e WHERE e.game_id = a.game_id) < a.last)"
)
"""Games of which some rows are gone, but not as the database says."""


@pytest.fixture(params=["folder", "ftp", "given"])
def place(request, tmp_path, monkeypatch):
    """Where bundles go: a folder, a store that runs here, or one that a setting names."""
    monkeypatch.setattr(object_storage, "READ_SECONDS", PATIENCE)
    if request.param == "folder":
        yield tmp_path / "archive"
    elif request.param == "ftp":
        log_in(monkeypatch)
        for name, value in (("USERNAME", NAME), ("PASSWORD", WORD)):  # for the processes that are killed
            monkeypatch.setenv(f"FSSPEC_FTP_{name}", value)
        with ftp_server(tmp_path) as server:
            yield server.url
    elif url := RUTTER_CAMPAIGN_STORE.read():
        yield url
    else:
        pytest.skip("RUTTER_CAMPAIGN_STORE names no store")


@pytest.fixture
def played(app, api, owner, monkeypatch):
    """Games that ended 40 days ago, each under a cosigned checkpoint: by id, their number of events."""
    process = app.extensions["rutter"]
    monkeypatch.setattr(process.games, "now", long_ago)
    ada, bob = api.account("Ada"), api.account("Bob")
    found = {}
    for number in range(GAMES):
        alone = number % 5 != 0
        other = Bot(bot="random") if alone else Open()
        asked = GameRequest(title=TITLE, seats=[You(), other], clock=CLOCK)
        made = ada.post("/v1/games", asked, status=201)["id"]
        if not alone:
            bob.post(f"/v1/games/{made}/join", {})
        found[made] = play_to_the_end(process.games, process.games.load(made), number).seq
    follow(process.games.log, process.keyring)
    with psycopg.connect(owner) as connection:
        size, note = connection.execute(
            "SELECT size, note FROM es.checkpoint ORDER BY size DESC LIMIT 1"
        ).fetchone()
        line = WITNESS.cosign(note.partition("\n\n")[0] + "\n", 1_800_000_000)
        connection.execute(
            "INSERT INTO es.cosignature (size, witness, line) VALUES (%s, %s, %s)", (size, WITNESS.vkey, line)
        )
    return found


class World:
    """What is told of games and kept of them, and what it weighs."""

    def __init__(self, settings, owner: str, archiver: str, games: dict[str, int]) -> None:
        now = long_ago()  # clocks tell the time
        self.archiver = archiver
        self.settings = replace(settings, now=lambda: now)
        self.owner, self.games = owner, games
        self.seeds = load_seeds(None, settings.data)

    def told(self) -> dict[tuple[str, str], str]:
        """Digests of each game's records, its fold and all answers, to a process with nothing in memory."""
        app = create_app(self.settings)
        try:
            api, games = Api(app), Games(app.extensions["rutter"].games.log)
            return {
                (game, what): hashlib.sha256(data).hexdigest()
                for game in self.games
                for what, data in self._told_of(api, games, game)
            }
        finally:
            app.extensions["rutter"].close()

    def _told_of(self, api: Api, games: Games, game: str) -> Iterator[tuple[str, bytes]]:
        yield "records", msgspec.json.encode(games.records(game))
        state = games.load(game)
        assert (state.seq, state.status) == (self.games[game], "finished")
        yield "fold", msgspec.json.encode(state)
        for what in ASKED:
            answer = api.send("GET", f"/v1/games/{game}{what}")
            assert answer.status_code == 200, (game, what, answer.text)
            yield what, answer.data

    def kept(self) -> dict[str, tuple[int, str]]:
        """Rows and digest of each table that archiving does not change."""
        with psycopg.connect(self.owner) as connection:
            return {name: self._kept_in(connection, name) for name in KEPT}

    def _kept_in(self, connection: psycopg.Connection, name: str) -> tuple[int, str]:
        found = hashlib.sha256()
        query = sql.SQL("SELECT t::text FROM {} t ORDER BY 1").format(sql.Identifier(*name.split(".")))
        rows = connection.execute(query).fetchall()
        for (row,) in rows:
            found.update(row.encode())
        return len(rows), found.hexdigest()

    def weight(self) -> tuple[int, int]:
        """Bytes of the hot tables, and of the whole database, without what was deleted."""
        with psycopg.connect(self.owner, autocommit=True) as connection:
            connection.execute("VACUUM FULL")
            sizes = "SELECT sum(pg_total_relation_size(one)) FROM unnest(%s::regclass[]) one"
            (hot,) = connection.execute(sizes, (list(HOT),)).fetchone()
            (whole,) = connection.execute("SELECT pg_database_size(current_database())").fetchone()
        return int(hot), int(whole)

    def largest(self, count: int = 8) -> dict[str, int]:
        """Bytes of the largest tables."""
        with psycopg.connect(self.owner) as connection:
            return dict(connection.execute(_LARGEST, (count,)).fetchall())

    def audit(self) -> tuple[int, int]:
        """The number of leaves and of cosignatures, where all is in order."""
        with psycopg.connect(self.owner) as connection:
            check_log(connection)
            keys = [Verifier.read(one.vkey) for one in list_logged_keys(connection)]
            found = check_tree(connection, keys, None, archive=Archive(None, keys, connection))
        assert (found.findings, found.parked) == ([], [])
        return found.leaves, found.cosignatures

    def archived(self) -> dict[str, tuple[str, bytes, int]]:
        """Of these games, those whose rows are gone: where the bundle is, its digest, its last event."""
        with psycopg.connect(self.owner) as connection:
            rows = connection.execute(
                "SELECT game_id::text, url, digest, last FROM es.archived"
                " WHERE dropped AND game_id = ANY(%s::uuid[])",
                (list(self.games),),
            ).fetchall()
        return {game: (url, bytes(digest), last) for game, url, digest, last in rows}

    def kill(self, place: Path | str, moment: str, times: int) -> None:
        """Archive, and die when that moment comes for the so many times."""
        words = [self.archiver, str(place), moment, str(times), str(self.settings.data)]
        done = subprocess.run(
            [sys.executable, "-m", "tests.ops.killed_archiver", *words],
            cwd=ROOT, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == -signal.SIGKILL, (moment, times, done.stderr)
        with psycopg.connect(self.owner) as connection:
            assert connection.execute(_TORN).fetchall() == [], (moment, times)


@pytest.mark.timeout(1800 + 4 * GAMES)
def test_the_archiver_is_killed_at_every_step(place, played, settings, owner, roles, app, drawn_seed):
    """Every game reads as before, nothing is lost or doubled, and half of what the games weighed is gone."""
    world, draw = World(settings, owner, roles["archiver"], played), Random(drawn_seed)
    before, kept, audit, weight = world.told(), world.kept(), world.audit(), world.weight()
    largest = world.largest()
    assert kept["rating_change"][0] > 0, "some of these games count"

    steps = [*(MOMENTS if isinstance(place, Path) else MOMENTS_OF_STORES)] * ROUNDS
    draw.shuffle(steps)
    for step in steps:
        world.kill(place, step, draw.randint(1, max(1, GAMES // 40)))
    survived = len(world.archived())
    assert survived < GAMES
    begun = time.perf_counter()
    told = run_archiver(roles["archiver"], world.seeds, place)
    seconds = time.perf_counter() - begun

    assert (told.left, told.games) == ([], GAMES - survived)
    archived = world.archived()
    assert {game: last for game, (_, _, last) in archived.items()} == played
    now = world.told()
    assert {asked for asked, digest in before.items() if now[asked] != digest} == set()
    assert len(now) == len(before)
    assert (world.kept(), world.audit()) == (kept, audit)
    size = _verify_bundles(archived, app.extensions["rutter"].keyring.signer.verifier)
    found = {one.name: one for one in rebuild(app.extensions["rutter"].games.log)}
    assert [name for name, one in found.items() if not one.equal or one.failed] == []
    assert run_archiver(roles["archiver"], world.seeds, place).games == 0
    after = world.weight()
    weights = {"hot": (weight[0], after[0]), "database": (weight[1], after[1])}
    tables = {"tables before": largest, "tables after": world.largest()}
    _report(place, told, seconds, {"kills": len(steps), "bundles": size, **weights, **tables})
    assert 2 * after[0] <= weight[0]


def _verify_bundles(archived: dict[str, tuple[str, bytes, int]], key: Verifier) -> int:
    """Verify each as a stranger who knows the key of the log; the bytes of all."""
    size = 0
    assert len({url for url, _, _ in archived.values()}) == len(archived)
    for game, (url, digest, last) in archived.items():
        data = fetch_bundle(game, url, digest)
        found = verify(decompress_bundle(data), key=key)
        assert (found.game, found.events) == (game, last)
        size += len(data)
    return size


def _report(place, told, seconds: float, figures: dict[str, object]) -> None:
    """Print the pace of the last run, which nobody killed, and the bytes of bundles and tables.

    Hot tables are those whose rows go; what other places left in them counts both before and after.
    """
    pace = {"games/s": round(told.games / seconds, 1), "events/s": round(told.events / seconds)}
    print(json.dumps({"place": str(place), "games": GAMES, **pace, **figures}))  # noqa: T201 - the result
