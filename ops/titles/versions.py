"""Versions of a title: what one is made of, the record of it, and keeping it beside the next.

A version is the title's sources and data, and all of `events/rules/kit` that they import. A kept version is a
copy of these, with its golden games and its bot, in which every import leads to the copy: no later change of
the title or of the kit can alter it. What the platform promises to titles (`events/rules/title.py`,
`events/rules/steps.py`, ...) is not copied; that it still plays kept versions alike is what their golden
games show. `from rutter.events` and `from events` count as the same, so that a title has one record, in a
checkout and where Rutter is installed.
"""

from __future__ import annotations

import ast
import hashlib
import re
import shutil
import subprocess
import tempfile
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from tarfile import TarFile

import msgspec

from events.base.installation import qualify_name
from events.rules.catalogue import KEPT, find_title, packages
from ops.base.errors import OpsError
from ops.base.import_names import rename_imports

RECORD = "versions.toml"
"""The file beside a title with the digest of each of its versions."""
PROJECT = qualify_name("events.titles.")
"""The package prefix of the project's own titles; their bots and golden games are kept elsewhere."""
LONG = "rutter."
"""The prefix of the names of the project's packages; in a checkout sources may leave it out."""
BOTS = "workers.bots"
BUDGETS = "budgets.toml"
KIT = "events.rules.kit"
GOLDEN = "golden"
DESCRIPTIVE_FILES = {
    "RULES.md",
    "players.toml",
    "art.toml",
    "lesson.toml",
    "lesson.json",
    "vectors.yaml",
    RECORD,
    "bot.py",
    "ways.py",
    "kit/ways.py",
}
"""Files of a title that decide nothing."""
COMMITS = 100
"""Changes of a title's files in its repository among which an unchanged version is looked for."""
HEADING = """\
# Which rules and data each version of this title is, by their digests. Written by `rutter keep`, never by
# hand: "Versions of a title" in events/titles/README.md says when a change needs a new one.
"""

Files = Mapping[str, bytes]
"""The files of a version by their path in its folder."""


class RecordedVersion(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The record of one version."""

    rules: str
    """SHA-256 (hex) over the sources and data files as they stand in the kept copy."""
    data: str
    """The title's `data_hash`, which games pin."""


class VersionFiles(msgspec.Struct, frozen=True):
    """All files of one version of a title, as they stand in its kept copy."""

    title: Files
    """Sources, data and kit, rules and examples, golden games; the bot where it stands beside its title."""
    bots: Files = {}
    """The modules of the bot of a title of the project."""

    @property
    def digest(self) -> str:
        """SHA-256 (hex) over what decides."""
        digest = hashlib.sha256()
        deciding = (path for path in self.title if not path.startswith(f"{GOLDEN}/"))
        for path in sorted({*deciding} - DESCRIPTIVE_FILES):
            text = _LONG_IMPORT.sub(rb"\1", self.title[path]) if path.endswith(".py") else self.title[path]
            digest.update(path.encode() + b"\0" + hashlib.sha256(text).digest())
        return digest.hexdigest()


_LONG_IMPORT = re.compile(rb"^([ ]*(?:from|import)[ ]+)rutter\.(?=[a-z])", re.MULTILINE)


# --- where things stand ------------------------------------------------------------------------------


class TitleSource(msgspec.Struct, frozen=True):
    """The sources of a title: read from another copy of the program first, where one is named."""

    title_id: str
    copy: Path | None = None

    @property
    def package(self) -> str:
        """The package of the newest version."""
        return packages()[self.title_id]

    @property
    def is_project_title(self) -> bool:
        """True if it is a title of the project."""
        return self.package.startswith(PROJECT)

    def folder(self, package: str) -> Path:
        """Return the folder of a package."""
        if self.copy is not None:
            for name in (package, package.removeprefix(LONG)):
                there = self.copy.joinpath(*name.split("."))
                if there.is_dir():
                    return there
        return find_folder(package)

    @property
    def golden(self) -> Path:
        """The folder of the golden games; it need not be there."""
        if not self.is_project_title:
            return self.folder(self.package) / GOLDEN
        return (self.copy or find_folder(qualify_name("events")).parent) / "tests" / "titles" / GOLDEN


def find_folder(package: str) -> Path:
    """Return the folder from which a package is imported. Raises :class:`OpsError` where there is none."""
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise OpsError(f"There is no package {package}. Check the name, and that it is installed.")
    return Path(spec.origin).parent


def find_kept_folder(title_id: str, version: int) -> Path:
    """Return the folder where a version of a title is kept."""
    return find_folder(packages()[title_id]) / KEPT / f"v{version}"


# --- what a version is made of ------------------------------------------------------------------------


def read_present(title_id: str, version: int, copy: Path | None = None) -> VersionFiles:
    """Return the title as it stands, written as it will stand when it is kept as *version*.

    *copy*: the root of another copy of the program, whose files are taken where it has them.
    """
    place = TitleSource(title_id, copy)
    own = dict(_read_files(place.folder(place.package)))
    bots = dict(read_bot_files(place)) if place.is_project_title else {}
    texts = [text for name, text in {**own, **bots}.items() if name.endswith(".py")]
    kit = _read_kit(place, texts)
    renamed = ImportRewriter(_map_names(place, version, bots))
    title = {name: renamed(name, text) for name, text in own.items()}
    title |= {f"kit/{name}": renamed(name, text) for name, text in kit.items()}
    golden = sorted(place.golden.glob(f"{place.title_id}.*"))
    title |= {f"{GOLDEN}/{path.name}": path.read_bytes() for path in golden}
    return VersionFiles(title, {name: renamed(name, text) for name, text in bots.items()})


def read_kept(title_id: str, version: int) -> VersionFiles:
    """Return a version as it is kept."""
    return VersionFiles(dict(_read_files(find_kept_folder(title_id, version), golden=True)))


def _read_files(folder: Path, *, golden: bool = False) -> Iterator[tuple[str, bytes]]:
    """Yield all files of a title's folder but those that do not belong to its present version."""
    left_out = {KEPT, "__pycache__"} | (set() if golden else {GOLDEN})
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder)
        if path.is_file() and inside.parts[0] not in left_out and "__pycache__" not in inside.parts:
            yield inside.as_posix(), path.read_bytes()


def read_bot_files(place: TitleSource) -> Iterator[tuple[str, bytes]]:
    """Yield the module of the bot of a title of the project, with those beside it that it imports.

    The data with which the bots think come as well: fitted weights and budgets.
    """
    folder, waiting, seen = place.folder(qualify_name(BOTS)), [place.title_id], set[str]()
    while waiting:
        name = waiting.pop()
        path = folder / f"{name}.py"
        if name not in seen and path.is_file():
            seen.add(name)
            text = path.read_bytes()
            yield path.name, text
            waiting += [module.removeprefix(f"{BOTS}.") for module in _find_imports(text) if module != BOTS]
    for name in (f"weights/{place.title_id}.toml", BUDGETS):
        path = folder / name
        if "search" in seen and path.is_file():
            yield name, path.read_bytes()


def _read_kit(place: TitleSource, texts: Iterable[bytes]) -> dict[str, bytes]:
    """Return the modules of the kit that *texts* import, those that these import, and data beside them."""
    folder = place.folder(qualify_name(KIT))
    found: dict[str, bytes] = {}
    waiting = [module for text in texts for module in _find_imports(text)]
    while waiting:
        inner = waiting.pop().split(".")[KIT.count(".") + 1 :]
        for path in _find_modules(folder, inner):
            name = path.relative_to(folder).as_posix()
            if name not in found:
                found[name] = path.read_bytes()
                waiting += _find_imports(found[name]) if path.suffix == ".py" else []
    return found


def _find_modules(folder: Path, inner: Sequence[str]) -> Iterator[Path]:
    """Yield the module ``events.rules.kit.<inner>``, the packages around it, and their data."""
    for depth in range(len(inner) + 1):
        here = folder.joinpath(*inner[:depth])
        if here.is_dir():
            yield here / "__init__.py"
            yield from (path for path in here.iterdir() if path.suffix not in {".py", ""})
        elif here.with_suffix(".py").is_file():
            yield here.with_suffix(".py")


def _find_imports(text: bytes) -> list[str]:
    """Return the modules of the kit and of the bots that a source imports, perhaps with names inside them."""
    found: list[str] = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found += [name.name for name in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found += [node.module, *(f"{node.module}.{name.name}" for name in node.names)]
    short = [module.removeprefix(LONG) for module in found]
    return [module for module in short if f"{module}.".startswith((f"{KIT}.", f"{BOTS}."))]


def _map_names(place: TitleSource, version: int, bots: Iterable[str]) -> dict[str, str]:
    """Return the names of the packages and modules in the kept copy of a version, by their own names."""
    copy = f"{place.package}.{KEPT}.v{version}"
    return {place.package: copy, KIT: f"{copy}.kit", **map_bot_names(place, f"v{version}", bots)}


def map_bot_names(place: TitleSource, room: str, files: Iterable[str]) -> dict[str, str]:
    """Return the names of the bot's modules in a kept copy, by their own names."""
    modules = [name.removesuffix(".py") for name in files if name.endswith(".py")]
    kept = qualify_name(f"{BOTS}.{KEPT}.{place.title_id}.{room}")
    return {f"{BOTS}.{one}": f"{kept}.{one}" for one in modules}


class ImportRewriter:
    """Leads imports, and strings that name a package, to the kept copy.

    A string that is a single word is left alone: it may be the title's id.
    """

    def __init__(self, led: Mapping[str, str]) -> None:
        self._names = {name.removeprefix(LONG): to for name, to in led.items()}
        dotted = [re.escape(name) for name in self._names if "." in name]
        self._quoted = re.compile(rf"(?<=[\"'])(?:{re.escape(LONG)})?({'|'.join(dotted)})(?!\w)")

    def __call__(self, name: str, text: bytes) -> bytes:
        """Return the text of the file *name* as it stands in the copy."""
        if not name.endswith(".py"):
            return text
        led = rename_imports(text.decode(), self._rename)
        return self._quoted.sub(lambda found: self._names[found[1]], led).encode()

    def _rename(self, module: str) -> str | None:
        short = module.removeprefix(LONG)
        for name, new in self._names.items():
            if short == name or short.startswith(f"{name}."):
                return new + short[len(name) :]
        return None


# --- the record ---------------------------------------------------------------------------------------


def read_record(title_id: str) -> dict[int, RecordedVersion]:
    """Return the record of each version of a title; empty where nothing was ever recorded."""
    path = find_folder(packages()[title_id]) / RECORD
    if not path.is_file():
        return {}
    record = tomllib.loads(path.read_text(encoding="utf-8"))
    return {int(number): msgspec.convert(entry, RecordedVersion) for number, entry in record.items()}


def record_version(title_id: str) -> int:
    """Record the title as it stands under the version that it names; which that is."""
    title = find_title(title_id)
    _write_record(
        title_id, {**read_record(title_id), title.version: _record_present(title_id, title.version)}
    )
    return title.version


def _record_present(title_id: str, version: int) -> RecordedVersion:
    return RecordedVersion(read_present(title_id, version).digest, find_title(title_id).data_hash)


def _write_record(title_id: str, entries: Mapping[int, RecordedVersion]) -> None:
    parts = [
        f'\n[{number}]\nrules = "{entry.rules}"\ndata = "{entry.data}"\n'
        for number, entry in sorted(entries.items())
    ]
    path = find_folder(packages()[title_id]) / RECORD
    path.write_text(HEADING + "".join(parts), encoding="utf-8")


def find_problems(title_id: str) -> list[str]:
    """Return a sentence for each difference between a title and its record, with the remedy."""
    entries, title = read_record(title_id), find_title(title_id)
    found = [
        f"The kept version {number} of {title_id} was changed, which is never right. Restore"
        f" {find_kept_folder(title_id, number)} from the repository."
        for number in sorted(entries)
        if number != title.version and read_kept(title_id, number).digest != entries[number].rules
    ]
    if title.version not in entries:
        found.append(f"Version {title.version} of {title_id} is not recorded. Run {_name_command(title_id)}.")
    elif _record_present(title_id, title.version) != entries[title.version]:
        found.append(
            f"The rules or data of {title_id} differ from those recorded as version {title.version}. Are "
            "there games in play, and does the change alter the data, a fact or the effect of a command? "
            f"Then run `rutter keep {title_id}`: new games get the next version, games in play stay under "
            f"version {title.version}. Otherwise run {_name_command(title_id)}."
        )
    return found


def _name_command(title_id: str) -> str:
    return f"`rutter keep --record {title_id}`"


# --- keeping ------------------------------------------------------------------------------------------


class KeptVersion(msgspec.Struct, frozen=True):
    """The result of keeping a version."""

    version: int
    """The one that was kept."""
    next: int
    """The one that new games begin under."""
    folder: Path
    corrected: bool
    """True if the title had been changed already, so that the kept version was found elsewhere."""


def keep(title_id: str, copy: Path | None = None) -> KeptVersion:
    """Keep the recorded version of a title, and let the title as it stands be the next one.

    Where the title was changed already, its unchanged files come from *copy* or from the repository.
    Raises :class:`OpsError` where they are found nowhere, or nothing is recorded.
    """
    entries = read_record(title_id)
    if not entries:
        raise OpsError(
            f"No version of {title_id} is recorded. Record it with `rutter keep --record {title_id}`."
        )
    number = max(entries)
    if find_title(title_id).version != number:
        raise OpsError(
            f"{title_id} names itself version {find_title(title_id).version}, but the newest recorded version"
            f" is {number}. Set it back to {number}; `rutter keep` raises it."
        )
    old = read_present(title_id, number)
    corrected = old.digest != entries[number].rules
    if corrected:
        old = _find_unchanged(title_id, number, entries[number].rules, copy)
    folder = find_kept_folder(title_id, number)
    write_copy(folder, old.title)
    if old.bots:
        write_copy(find_folder(qualify_name(BOTS)) / KEPT / title_id / f"v{number}", old.bots)
    _raise_version(find_folder(packages()[title_id]) / "__init__.py", number + 1)
    _write_record(title_id, {**entries, number + 1: _record_present(title_id, number + 1)})
    return KeptVersion(number, number + 1, folder, corrected)


def write_copy(folder: Path, files: Files) -> None:
    """Write a kept copy; it is not there already, or what is left of an attempt that came to nothing."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for above in (folder.parent, folder.parent.parent):
        if KEPT in {above.name, above.parent.name}:
            (above / "__init__.py").touch()
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)
        path.chmod(0o444)
    with suppress(FileExistsError):
        (folder / "__init__.py").touch(exist_ok=False)


_VERSION = re.compile(r"^( +)version=\d+,$", re.MULTILINE)
_ID = re.compile(r'^( +)id="\w+",$', re.MULTILINE)


def _raise_version(path: Path, version: int) -> None:
    """Write the number of the version into the title's own package. Raises :class:`OpsError`."""
    text = path.read_text(encoding="utf-8")
    raised, found = _VERSION.subn(rf"\1version={version},", text)
    if not found:
        raised, found = _ID.subn(rf"\g<0>\n\1version={version},", text)
    if found != 1:
        raise OpsError(f"{path} needs one line `id=...,` or `version=...,`. Write version={version} there.")
    path.write_text(raised, encoding="utf-8")


def _find_unchanged(title_id: str, version: int, digest: str, copy: Path | None) -> VersionFiles:
    """Return the version of that digest: from *copy*, or from the repository. Raises :class:`OpsError`."""
    for root in [copy] if copy else _list_checkouts(title_id):
        with suppress(OpsError, SyntaxError):
            found = read_present(title_id, version, root)
            if found.digest == digest:
                return found
    where = copy or "the repository"
    raise OpsError(
        f"{title_id} was changed already, and its recorded version {version} is not in {where}. Unpack the"
        " version of Rutter with which the games in play began, and name its folder:"
        f" `rutter keep {title_id} --from DIR`. Or undo the change, run `rutter keep`, and make it again."
    )


def _list_checkouts(title_id: str) -> Iterator[Path]:
    """Yield the files of a title at each commit of its repository that changed them, the newest first."""
    folder = find_folder(packages()[title_id])
    root = folder.parents[packages()[title_id].count(".")]
    shared = ("events/rules/kit", "workers/bots", f"tests/titles/{GOLDEN}")
    paths = [folder.relative_to(root).as_posix(), *(path for path in shared if (root / path).exists())]
    commits = _run_git(root, "log", f"-{COMMITS}", "--format=%H", "--", *paths).decode().split()
    for commit in commits:
        with _check_out(root, commit, paths) as there:
            if there is not None:
                yield there


@contextmanager
def _check_out(root: Path, commit: str, paths: Sequence[str]) -> Iterator[Path | None]:
    there = [p for p in paths if _run_git(root, "ls-tree", commit, "--", f"./{p}")]
    packed = _run_git(root, "archive", commit, "--", *there) if there else b""
    if not packed:
        yield None
        return
    with tempfile.TemporaryDirectory() as folder, TarFile.open(fileobj=BytesIO(packed)) as tar:
        tar.extractall(folder, filter="data")
        yield Path(folder)


def _run_git(root: Path, *words: str) -> bytes:
    """Return the output of git in *root*; empty where there is no git or no repository."""
    try:
        done = subprocess.run(["git", "-C", str(root), *words], capture_output=True, check=False)
    except OSError:
        return b""
    return done.stdout if done.returncode == 0 else b""
