"""Backups: taken while games are played, whole or refused, and played on elsewhere."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import stat
import subprocess
import sys
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path

import msgspec
import psycopg
import pytest
from psycopg import sql

from events.rules.catalogue import find_title
from events.store.games import SeatPlan
from ops.base.errors import OpsError
from ops.database import backup
from ops.database.backup import BadBackup, back_up, read_manifest, restore
from ops.database.log_check import DamagedLog
from ops.runtime.binaries import postgres_programs
from ops.runtime.identity import server_identity
from tests.acceptance.client import Client
from tests.acceptance.table import Table
from tests.acceptance.up import RutterUp
from tests.conftest import ROOT
from tests.playing import advance
from tests.servers import reachable_folder, ready_data, start_test_servers
from tests.waiting import PATIENCE, beside, until

pytestmark = pytest.mark.integration


def rutter_command(*words: str | Path) -> subprocess.CompletedProcess[str]:
    """`rutter ...` as from a shell."""
    strange = {"DATABASE_URL", "REDIS_URL", "RUTTER_MIGRATE_URL"}
    return subprocess.run(
        [sys.executable, "-P", "-m", "ops", *map(str, words)],
        cwd=ROOT,
        env={**{k: v for k, v in os.environ.items() if k not in strange}, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )


class Player(threading.Thread):
    """Plays one game, and stops at *most* commands: it must not end meanwhile."""

    def __init__(self, address: str, title: str) -> None:
        super().__init__(daemon=True)
        self.table = Table(address, title, 3)
        self.most = 60
        self._enough = threading.Event()

    def run(self) -> None:
        for _ in beside(self._enough):
            if len(self.table.accepted) < self.most:
                self.table.offer()

    def stop(self) -> None:
        self._enough.set()
        self.join(PATIENCE)
        assert not self.is_alive()


@pytest.fixture(scope="module")
def rutter(tmp_path_factory) -> Iterator[RutterUp]:
    running = RutterUp(ready_data(tmp_path_factory.mktemp("up") / "data"))
    try:
        running.start()
        yield running
    finally:
        running.discard()


@pytest.fixture
def elsewhere(tmp_path) -> Iterator[RutterUp]:
    """A Rutter on a folder that is not there yet."""
    other = RutterUp(reachable_folder(tmp_path / "elsewhere"))
    yield other
    other.discard()


@pytest.fixture
def players(rutter) -> Iterator[list[Player]]:
    """Three games that are played."""
    playing = [Player(rutter.address, title) for title in ("colonial_empires", "colonies", "colonialism")]
    for one in playing:
        one.start()
    for one in playing:
        until(lambda one=one: len(one.table.accepted) > 5, "all games are under way")
    yield playing
    for one in playing:
        one.stop()


def plays_on_and_lists(address: str, tables: list[Table]) -> None:
    """Every game goes on, what was accepted is there, and a new game is listed."""
    for table in tables:
        table.moves_to(address)
        for _ in range(3):
            assert table.plays()
        table.check()
    new = Table(address)
    assert new.plays()
    nobody = Client(address)
    until(
        lambda: new.id in {game["id"] for game in nobody.get("/v1/games?limit=1000")["games"]},
        "a new game is listed",
    )


def as_restored(table: Table, address: str) -> Table:
    """A table at the service that was restored, which knows what was accepted until the copy was taken."""
    other = Table.__new__(Table)
    other.client, other.path = table.client, table.path
    other.moves_to(address)
    stored = other.client.get(other.path)["seq"]
    other.accepted = [a for a in table.accepted if a.json["events"][-1]["seq"] <= stored]
    assert len(other.accepted) > 5
    return other


def with_its_key(old: RutterUp, new: RutterUp) -> None:
    """The key does not come with the backup: its keeper brings it.

    What was signed after the backup was taken is lost with the old machine, `log.state` included: with that
    file the new one would rightly be read only.
    """
    new.data.mkdir(mode=0o700, exist_ok=True)
    shutil.copy2(old.data / "signing.key", new.data / "signing.key")


@pytest.mark.slow
def test_a_backup_under_load_is_restored_and_played_on_elsewhere(rutter, players, elsewhere, tmp_path):
    """What was acknowledged before is in it; a new folder, the key put beside, and every game goes on."""
    file = tmp_path / "evening.backup"
    made = rutter_command("backup", file, "--data", rutter.data)
    assert made.returncode == 0, made.stderr
    assert "secrets of running games" in made.stdout
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == [file.name]
    # Stopped after the backup: what was accepted since then is not in it, and not promised here.
    for one in players:
        one.stop()

    with_its_key(rutter, elsewhere)
    done = rutter_command("restore", tmp_path, "--json", "--data", elsewhere.data)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["games"] >= 3
    assert told["rows"]["es.event"] == told["events"] > 50
    elsewhere.start()
    for one in players:
        plays_on_and_lists(elsewhere.address, [as_restored(one.table, elsewhere.address)])


@pytest.mark.slow
def test_a_backup_never_holds_the_signing_key(rutter, players, tmp_path):
    """Not as hex, not as bytes, whatever table it might have strayed into."""
    done = rutter_command("backup", tmp_path, "--json", "--data", rutter.data)
    file = Path(json.loads(done.stdout)["file"])
    key = (rutter.data / "signing.key").read_text().strip()
    with zipfile.ZipFile(file) as archive:
        for name in archive.namelist():
            content = archive.read(name)
            assert key.encode() not in content.lower()
            assert bytes.fromhex(key) not in content
        assert b"\\\\x" in archive.read("es.game_secret"), "the keys of running games are in it"


@pytest.mark.slow
def test_a_file_is_never_overwritten(rutter, tmp_path):
    """A slip of the hand must not cost the last good one."""
    file = tmp_path / "kept"
    file.write_text("precious")
    done = rutter_command("backup", file, "--data", rutter.data)
    assert done.returncode == 1
    assert "never replaces another" in done.stderr
    assert file.read_text() == "precious"


@pytest.fixture(scope="module")
def filled(games, database, owner, tmp_path_factory) -> Path:
    """A backup of a few games, made in process."""
    for title_id in ("colonial", "colonies", "colonial_revised"):
        games.log.sequence()  # the last game waits in the outbox
        title = find_title(title_id)
        advance(games, games.create(title, title.Options(), [SeatPlan()] * 3), 12)
    return back_up(owner, tmp_path_factory.mktemp("backup")).path


@pytest.fixture
def empty(servers) -> Iterator[str]:
    """The URL of an empty database, as its owner."""
    name = f"restored_{os.getpid()}"
    with psycopg.connect(servers.owner_url, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        yield psycopg.conninfo.make_conninfo(servers.owner_url, dbname=name)
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def relations(url: str) -> int:
    with psycopg.connect(url) as connection:
        return connection.execute(
            "SELECT count(*) FROM pg_class WHERE relnamespace NOT IN"
            " ('pg_catalog'::regnamespace, 'information_schema'::regnamespace, 'pg_toast'::regnamespace)"
        ).fetchone()[0]


def test_every_row_of_every_table_is_the_same_afterwards(filled, empty, owner):
    """A backup of what was restored has the same digests, but for caches."""
    restored = restore(empty, filled)
    again = back_up(empty, filled.with_name("again"))
    assert again.checked == restored.checked
    assert again.checked.games == 3
    first, second = read_manifest(filled), read_manifest(again.path)
    assert {t.name: (t.rows, t.sha256) for t in second.tables} == {
        t.name: (t.rows, t.sha256) for t in first.tables
    }
    with psycopg.connect(owner) as connection:
        tables = connection.execute(
            "SELECT oid::regclass::text FROM pg_class WHERE relkind = 'r'"
            " AND relnamespace IN ('es'::regnamespace, 'public'::regnamespace)"
        ).fetchall()
    assert {t.name for t in first.tables} == {name for (name,) in tables} - backup.CACHES - {backup.LEDGER}


@pytest.mark.parametrize("share", [0.0, 0.3, 0.9, 0.999])
def test_a_backup_that_was_cut_off_is_refused(filled, empty, tmp_path, share):
    """In a sentence, and nothing of it arrives."""
    whole = filled.read_bytes()
    cut = tmp_path / "cut"
    cut.write_bytes(whole[: int(len(whole) * share)])
    with pytest.raises(BadBackup, match="not a backup, or it is damaged or cut off"):
        restore(empty, cut)
    assert relations(empty) == 0


def test_a_damaged_backup_is_refused_wherever_it_is_damaged(filled, empty, tmp_path):
    """One flipped bit anywhere in the content of a table."""
    whole = filled.read_bytes()
    with zipfile.ZipFile(filled) as archive:
        places = [
            (info.header_offset + 30 + len(info.filename) + 20 + info.compress_size // 2)
            for info in archive.infolist()
            if info.compress_size > 100
        ]
    assert len(places) > 5
    for place in places:
        damaged = tmp_path / "damaged"
        damaged.write_bytes(whole[:place] + bytes([whole[place] ^ 4]) + whole[place + 1 :])
        with pytest.raises(BadBackup, match="damaged"):
            restore(empty, damaged)
    assert relations(empty) == 0


@pytest.mark.parametrize("table", ["es.log", "es.event"])
def test_a_table_put_in_place_of_another_is_refused(filled, empty, tmp_path, table):
    """By its digest in the manifest: the archive itself is whole."""
    swapped = tmp_path / "swapped"
    with zipfile.ZipFile(filled) as source, zipfile.ZipFile(swapped, "w") as archive:
        for name in source.namelist():
            content = source.read(name)
            archive.writestr(name, without_last_line(content) if name == table else content)
    with pytest.raises(BadBackup, match=f"is damaged: {table} is not what was written"):
        restore(empty, swapped)
    assert relations(empty) == 0


def rewritten(filled: Path, target: Path, change) -> Path:
    """A backup whose tables were altered by somebody who also put the digests right."""
    with zipfile.ZipFile(filled) as source, zipfile.ZipFile(target, "w") as archive:
        manifest = read_manifest(filled)
        for table in manifest.tables:
            content = change(table.name, source.read(table.name))
            table.rows = content.count(b"\n")
            table.sha256 = hashlib.sha256(content).hexdigest()
            archive.writestr(table.name, content)
        archive.writestr(backup.MANIFEST, msgspec.json.encode(manifest))
    return target


def without_last_line(content: bytes) -> bytes:
    return b"".join(content.splitlines(keepends=True)[:-1])


def without_last_hash(content: bytes) -> bytes:
    """The last event of a game could then say anything; it need not stand in the last line."""
    lines = content.splitlines(keepends=True)
    last = max(range(len(lines)), key=lambda at: int(lines[at].split(b"\t")[1]))
    lines[last], changed = re.subn(rb"\\\\x[0-9a-f]{64}", rb"\\N", lines[last])
    assert changed == 1
    return b"".join(lines)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("table", "change", "reason"),
    [
        ("es.event", without_last_line, "has .* events|is missing|match its digest|has no hash"),
        ("es.event", lambda c: c.replace(b'"by":"p0"', b'"by":"p1"', 1), "does not match its hash"),
        ("es.event", without_last_hash, "its last event, [0-9]+, has no hash"),
        ("es.secret", without_last_line, "1 hidden parts of events are missing"),
        ("es.log", without_last_line, "has gaps"),
        ("es.fresh", without_last_line, "has .* of .* events"),
    ],
)
def test_a_forged_backup_is_refused_by_its_chains(filled, empty, tmp_path, table, change, reason):
    """Digests of the file can be put right by a forger; what the events say of each other cannot."""
    forged = rewritten(filled, tmp_path / "forged", lambda n, c: change(c) if n == table else c)
    with pytest.raises(DamagedLog, match=reason):
        restore(empty, forged)
    assert relations(empty) == 0


def test_a_database_that_holds_something_is_left_alone(filled, owner, tmp_path):
    """Restoring is no way to overwrite games."""
    with pytest.raises(OpsError, match="is not empty"):
        restore(owner, filled)


def test_a_backup_of_a_later_rutter_is_refused(filled, empty, tmp_path):
    """It names a migration that this one does not have."""
    later = tmp_path / "later"
    with zipfile.ZipFile(filled) as source, zipfile.ZipFile(later, "w") as archive:
        manifest = read_manifest(filled)
        manifest.migrations["9999_future.sql"] = "00" * 32
        for table in manifest.tables:
            archive.writestr(table.name, source.read(table.name))
        archive.writestr(backup.MANIFEST, msgspec.json.encode(manifest))
    with pytest.raises(OpsError, match=r"later version of Rutter.*9999_future"):
        restore(empty, later)
    assert relations(empty) == 0


@pytest.fixture
def pg_programs() -> Path:
    folder = postgres_programs(server_identity())
    if not (folder / "pg_dump").exists():
        pytest.skip("there is no pg_dump beside this Postgres")
    return folder


@pytest.mark.campaign
def test_pg_dump_and_pg_restore_into_a_new_cluster_play_on(rutter, elsewhere, pg_programs, tmp_path):
    """Also where the dump grants to a role that the new cluster does not have: that is told, and no more."""
    player = Player(rutter.address, "colonies")
    player.start()
    until(lambda: len(player.table.accepted) > 5, "the game is under way")
    source = json.loads((rutter.data / "run.json").read_text())["servers"]["owner"]
    superuser = _superuser(rutter.data)
    file = tmp_path / "dump"
    promised = len(player.table.accepted)
    with psycopg.connect(superuser, autocommit=True) as connection:
        connection.execute("CREATE ROLE of_this_cluster_only")
        connection.execute("GRANT SELECT ON es.event TO of_this_cluster_only")
        subprocess.run([pg_programs / "pg_dump", "-Fc", "-f", file, source], check=True)
        connection.execute("DROP OWNED BY of_this_cluster_only")
        connection.execute("DROP ROLE of_this_cluster_only")
    dumped = len(player.table.accepted)
    player.most = dumped + 20
    until(lambda: len(player.table.accepted) > dumped, "play goes on while and after it is dumped")
    player.stop()

    with_its_key(rutter, elsewhere)
    with start_test_servers(tmp_path, environment={}) as new:
        loaded = subprocess.run(
            [pg_programs / "pg_restore", "-d", new.owner_url, file],
            capture_output=True,
            text=True,
            check=False,
        )
        assert "of_this_cluster_only" in loaded.stderr
        done = back_up(new.owner_url, tmp_path)
        assert done.checked.games
        new.stop()
        shutil.copytree(new.folder.path, elsewhere.data, dirs_exist_ok=True)
        server_identity_owns(elsewhere.data / "postgres")
        server_identity_owns(elsewhere.data / "redis")
    elsewhere.start()
    restored = as_restored(player.table, elsewhere.address)
    assert len(restored.accepted) >= promised, "what was acknowledged before the dump is in it"
    plays_on_and_lists(elsewhere.address, [restored])


def _superuser(data: Path) -> str:
    server = json.loads((data / "servers.json").read_text())["postgres"]
    return f"postgresql://postgres:{server['password']}@127.0.0.1:{server['port']}/rutter"


def server_identity_owns(folder: Path) -> None:
    for path in [folder, *folder.rglob("*")]:
        server_identity().own(path)
