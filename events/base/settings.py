"""The settings: every environment variable of Rutter, what it takes, and which programs read it.

```python
RUTTER_STREAMS.read()  # the value as the process's environment has it, or the default
check_settings()  # a program reads all of them once as it starts, so that a bad one is told of at once
```
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Generic, Literal, TypeVar

Value = TypeVar("Value")
Network = IPv4Network | IPv6Network
Program = Literal["up", "api", "workers", "commands", "scripts", "tests"]
"""A reader of settings: `rutter up`, the API, the workers, the other commands of `rutter`, the
scripts in `ops`, the tests."""
EVERYWHERE: tuple[Program, ...] = ("up", "api", "workers", "commands")
SERVICE: tuple[Program, ...] = ("up", "api", "workers")


class WrongSetting(ValueError):
    """A variable of the environment says what cannot be; the message tells what it takes."""


@dataclass(frozen=True)
class Kind(Generic[Value]):
    """A kind of value: what is said of it, and how a text is read as one."""

    takes: str
    """The values that there are, as in "it takes a whole number from 1"."""
    parse: Callable[[str], Value]
    """Return the value of a text. Raises ValueError for a text that is none."""


@dataclass(frozen=True)
class Setting(Generic[Value]):
    """An environment variable; one that is empty counts as one that is not set."""

    name: str
    kind: Kind[Value]
    default: Value
    programs: tuple[Program, ...]
    text: str
    """Its meaning, in a sentence."""
    is_secret: bool = False
    """True if the value is shown nowhere, not even in an error."""
    is_for_tests: bool = False
    """True if it is obeyed only beside ``RUTTER_ENV=test``."""

    def read(self, environment: Mapping[str, str] | None = None) -> Value:
        """Return the value in *environment*, by default that of this process.

        Raises:
            WrongSetting: with the name, and what it takes.
        """
        given = os.environ if environment is None else environment
        said = given.get(self.name)
        if not said:
            return self.default
        if self.is_for_tests and RUTTER_ENV.read(given) != "test":
            raise WrongSetting(f"{self.name} is for tests: set RUTTER_ENV=test as well, or take it away.")
        try:
            return self.kind.parse(said)
        except ValueError:
            shown = "cannot be" if self.is_secret else f"is {said!r}"
            raise WrongSetting(f"{self.name} {shown}; it takes {self.kind.takes}.") from None

    def is_set(self) -> bool:
        """Return True if the environment of this process has a value."""
        return bool(os.environ.get(self.name))


def _parse_switch(said: str) -> bool:
    if said not in ("0", "1"):
        raise ValueError
    return said == "1"


def _parse_threshold(said: str) -> int | None:
    return None if said.lower() == "none" else _parse_whole(said)


def _parse_whole(said: str) -> int:
    if not (said.isascii() and said.isdecimal()):
        raise ValueError
    return int(said)


def _whole_number(least: int) -> Kind[int]:
    def parse(said: str) -> int:
        if _parse_whole(said) < least:
            raise ValueError
        return int(said)

    return Kind(f"a whole number from {least}", parse)


def _parse_seconds(said: str) -> float:
    seconds = float(said)
    if not 0 <= seconds <= LONGEST_RESTART_PAUSE:  # nor nan
        raise ValueError
    return seconds


def _parse_networks(said: str) -> tuple[Network, ...]:
    parts = [part.strip() for part in said.split(",")]
    return tuple(ip_network(part, strict=False) for part in parts if part)


def _parse_packages(said: str) -> tuple[str, ...]:
    return tuple(name for part in said.split(",") if (name := part.strip()))


def _parse_words(said: str) -> tuple[str, ...]:
    return tuple(said.split())


def _parse_addresses(said: str) -> tuple[str, ...]:
    if not all(word.startswith(("http://", "https://")) for word in said.split()):
        raise ValueError
    return _parse_words(said)


def _parse_contact(said: str) -> str:
    if not re.fullmatch(r"(mailto:[^@\s]+@[^@\s]+|https://\S+)?", said):
        raise ValueError(said)
    return said


def _parse_keys(said: str) -> str:
    if not re.fullmatch(r"\s*[0-9a-fA-F]{64}([\s,]+[0-9a-fA-F]{64})?\s*", said):
        raise ValueError
    return said


LONGEST_RESTART_PAUSE = 15.0
"""Seconds, at the most, before a process that has ended is started again."""

_TEXT: Kind[str] = Kind("a text", str)
_DATABASE: Kind[str] = Kind("the URL of a database, such as postgresql://USER:PASSWORD@HOST/NAME", str)
_FILE: Kind[Path | None] = Kind("the path of a file", Path)
_FOLDER: Kind[Path | None] = Kind("the path of a folder", Path)
_SWITCH: Kind[bool] = Kind("1, or 0", _parse_switch)

DATABASE_URL = Setting(
    "DATABASE_URL",
    _DATABASE,
    "",
    EVERYWHERE,
    "The address of Postgres, with the login of the server. Without it, `rutter up` starts one of its own.",
    is_secret=True,
)
RUTTER_MIGRATE_URL = Setting(
    "RUTTER_MIGRATE_URL",
    _DATABASE,
    "",
    ("up", "commands"),
    "The same database by the login that owns the tables; without it DATABASE_URL is for both.",
    is_secret=True,
)
RUTTER_ARCHIVE_URL = Setting(
    "RUTTER_ARCHIVE_URL",
    _DATABASE,
    "",
    ("commands",),
    "The same database by the login that `rutter archive` works as, in place of the owner's.",
    is_secret=True,
)
DATABASE_READ_URL = Setting(
    "DATABASE_READ_URL",
    _DATABASE,
    "",
    ("api",),
    "A copy of the database, such as a replica, from which old events are read.",
    is_secret=True,
)
REDIS_URL = Setting(
    "REDIS_URL",
    Kind("the URL of Redis: redis://, rediss:// with TLS, or redis+sentinel:// with the sentinels", str),
    "",
    EVERYWHERE,
    "The Redis that is used; `rutter up` starts one of its own without it.",
    is_secret=True,
)
RUTTER_PREPARE_THRESHOLD = Setting(
    "RUTTER_PREPARE_THRESHOLD",
    Kind("`none` behind a pooler, else a number from 0", _parse_threshold),
    5,
    EVERYWHERE,
    "After how many uses a statement is prepared; a pooler that lends connections needs `none`.",
)
RUTTER_DB_CONNECTIONS = Setting(
    "RUTTER_DB_CONNECTIONS",
    _whole_number(1),
    12,
    ("api",),
    "The most connections of one process of the API to the database.",
)
RUTTER_CLUSTER_DIRECT = Setting(
    "RUTTER_CLUSTER_DIRECT",
    _SWITCH,
    False,
    SERVICE,
    "1 asks the machine of a game itself, where each reaches all machines of a Citus cluster.",
)
RUTTER_OWNER_MAY_SERVE = Setting(
    "RUTTER_OWNER_MAY_SERVE",
    _SWITCH,
    False,
    SERVICE,
    "1 lets the server sign in as the owner of the log. `rutter up` sets it if you give it one login only.",
)

RUTTER_DATA = Setting(
    "RUTTER_DATA",
    _FOLDER,
    None,
    EVERYWHERE,
    "The folder of the database, the signing key and everything else that is kept.",
)
RUTTER_SIGNING_KEY = Setting[str | None](
    "RUTTER_SIGNING_KEY",
    Kind("one or two keys of 64 hex digits", _parse_keys),
    None,
    EVERYWHERE,
    "The key that signs, in place of `signing.key` in RUTTER_DATA; two of them while it is replaced.",
    is_secret=True,
)
RUTTER_ORIGIN = Setting(
    "RUTTER_ORIGIN",
    _TEXT,
    "",
    EVERYWHERE,
    "The name of the log, once and for ever, such as rutter.example/log; without it one is made of its key.",
)
RUTTER_LOG_STATE = Setting(
    "RUTTER_LOG_STATE",
    _FILE,
    None,
    ("api", "workers", "commands"),
    "The file that remembers the newest signed tree; without it `log.state` in RUTTER_DATA.",
)
RUTTER_WITNESS_KEYS = Setting(
    "RUTTER_WITNESS_KEYS",
    Kind("vkeys, with spaces between", _parse_words),
    (),
    ("api",),
    "The keys of the witnesses whose cosignatures are taken.",
)
RUTTER_QUORUM = Setting(
    "RUTTER_QUORUM",
    _whole_number(0),
    0,
    ("api",),
    "How many witnesses make a checkpoint valid; 0 is more than half of them.",
)
RUTTER_WITNESSES = Setting(
    "RUTTER_WITNESSES",
    Kind("http(s):// addresses, with spaces between", _parse_addresses),
    (),
    ("api", "workers"),
    "The addresses of witnesses, asked for the newest tree at a start, and for reveals in their drop boxes.",
)
RUTTER_DRAND_URL = Setting(
    "RUTTER_DRAND_URL",
    Kind("an address", str),
    "",
    ("api", "workers"),
    "The address for rounds of drand; without it no game may have a beacon.",
)

RUTTER_BIND = Setting(
    "RUTTER_BIND",
    Kind("an address and a port, such as 127.0.0.1:8000", str),
    "127.0.0.1:8000",
    ("api",),
    "Where the API listens; `rutter up` sets it by --host and --port.",
)
RUTTER_API_PROCESSES = Setting(
    "RUTTER_API_PROCESSES",
    _whole_number(1),
    2,
    ("api",),
    "The number of processes of the API; if there is one for each processor, each keeps to its own.",
)
RUTTER_API_THREADS = Setting(
    "RUTTER_API_THREADS",
    _whole_number(1),
    512,
    ("api",),
    "The most threads of one process of the API.",
)
RUTTER_STREAMS = Setting(
    "RUTTER_STREAMS",
    _whole_number(0),
    400,
    ("api",),
    "The most live streams of one process of the API; each holds a thread.",
)
RUTTER_LIMITS = Setting(
    "RUTTER_LIMITS",
    Kind("the path of a file as limits.toml, or `off`", str),
    "",
    ("api",),
    "What one client may ask for: a file that changes single figures; `off` lifts the limits.",
)
RUTTER_TRUSTED_PROXIES = Setting(
    "RUTTER_TRUSTED_PROXIES",
    _whole_number(0),
    0,
    ("api",),
    "The number of proxies before the API, whose X-Forwarded-For is believed.",
)
RUTTER_PROXIES = Setting(
    "RUTTER_PROXIES",
    Kind("addresses or networks, with commas between", _parse_networks),
    (),
    ("api",),
    "The proxies before the API by their addresses, in place of their number.",
)
RUTTER_METRICS_TOKEN = Setting(
    "RUTTER_METRICS_TOKEN",
    _TEXT,
    "",
    ("api",),
    "The bearer token of `/metrics`, which without one is shown to this machine only.",
    is_secret=True,
)
RUTTER_PUSH_CONTACT = Setting(
    "RUTTER_PUSH_CONTACT",
    Kind("mailto:ADDRESS or https://ADDRESS", _parse_contact),
    "",
    ("api", "workers"),
    "Turns on Web Push, and tells push services how to reach the operator. Default: no Web Push.",
)
RUTTER_THINKING_SEATS = Setting(
    "RUTTER_THINKING_SEATS",
    _whole_number(0),
    24,
    ("api",),
    "How many seats of thinking bots may wait for each of their workers; 0 is any number.",
)
RUTTER_LADDER = Setting(
    "RUTTER_LADDER",
    _FILE,
    None,
    ("api",),
    "The file with the results of `rutter ladder` that is shown, in place of `ops/titles/ladder.json`.",
)
RUTTER_ENGINES = Setting(
    "RUTTER_ENGINES",
    _FILE,
    None,
    EVERYWHERE,
    "The file that lists the engines which may play.",
)
RUTTER_EXTRA_TITLES = Setting(
    "RUTTER_EXTRA_TITLES",
    Kind("names of packages, with commas between", _parse_packages),
    (),
    EVERYWHERE,
    "Packages of titles besides those of `events/titles`.",
)
RUTTER_RESTART_PAUSE = Setting(
    "RUTTER_RESTART_PAUSE",
    Kind(f"seconds from 0 to {LONGEST_RESTART_PAUSE:.0f}", _parse_seconds),
    0.5,
    ("up",),
    "How long `rutter up` waits before it first starts a process again that has ended.",
)
RUTTER_STARTED_ON = Setting(
    "RUTTER_STARTED_ON",
    _FOLDER,
    None,
    ("up",),
    "The data folder for which a process was started; `rutter up` sets it, to find the process again.",
)
RUTTER_VENV = Setting(
    "RUTTER_VENV",
    _FOLDER,
    None,
    ("scripts",),
    "The virtual environment that the scripts in `ops` use, in place of `.venv`.",
)

RUTTER_ENV = Setting(
    "RUTTER_ENV",
    _TEXT,
    "",
    SERVICE,
    "`test` where tests are run: only there the settings for tests are obeyed.",
)
RUTTER_TEST_CLOCK = Setting(
    "RUTTER_TEST_CLOCK",
    _FILE,
    None,
    ("api", "workers"),
    "A file with the milliseconds that are added to the time.",
    is_for_tests=True,
)
RUTTER_TEST_TITLES = Setting(
    "RUTTER_TEST_TITLES",
    Kind("ids of titles, with commas between", _parse_packages),
    (),
    ("tests",),
    "The titles that the tests of titles run for. Default: all titles.",
)
RUTTER_TEST_SEED = Setting(
    "RUTTER_TEST_SEED",
    _TEXT,
    "",
    SERVICE,
    "A word from which all secrets follow, so that every card and die can be predicted.",
    is_for_tests=True,
)
RUTTER_WEBHOOKS_PRIVATE = Setting(
    "RUTTER_WEBHOOKS_PRIVATE",
    _SWITCH,
    False,
    ("api", "workers"),
    "1 lets webhooks call the operator's own network, by http and on any port: for tests.",
)

SETTINGS = tuple(value for value in list(globals().values()) if isinstance(value, Setting))
"""All of them, in this order."""


def check_settings(environment: Mapping[str, str] | None = None) -> None:
    """Read all settings and forget them. Raises :class:`WrongSetting` for the first that is wrong."""
    for setting in SETTINGS:
        setting.read(environment)
