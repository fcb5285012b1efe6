"""The settings: each variable is declared once, read through its declaration, and refused in one sentence."""

from __future__ import annotations

import re
from ipaddress import ip_network
from pathlib import Path

import pytest

from events.base import settings
from events.base.settings import (
    DATABASE_URL,
    REDIS_URL,
    RUTTER_API_PROCESSES,
    RUTTER_DATA,
    RUTTER_EXTRA_TITLES,
    RUTTER_OWNER_MAY_SERVE,
    RUTTER_PREPARE_THRESHOLD,
    RUTTER_PROXIES,
    RUTTER_RESTART_PAUSE,
    RUTTER_SIGNING_KEY,
    RUTTER_STREAMS,
    RUTTER_TEST_CLOCK,
    RUTTER_VENV,
    RUTTER_WITNESSES,
    SETTINGS,
    WrongSetting,
    check_settings,
)
from tests.settings import SETTINGS as SETTINGS_OF_TESTS

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("events", "projections", "service", "workers", "ops")
DECLARATIONS = Path(settings.__file__).resolve()
VARIABLE = re.compile(r"\bRUTTER_[A-Z_]*[A-Z]\b|\b(?:[A-Z]+_)*URL\b(?<!\bURL)")
"""What is a variable of ours by its name: RUTTER_..., and ..._URL."""
NO_VARIABLES = {
    "RUTTER_SIGNATURE",  # a header of answers
    "LOG_URL",  # an argument of `rutter audit`
    "AWS_ENDPOINT_URL",  # s3fs reads it
    "NAMESPACE_URL",  # of uuid
}
ENDINGS = {".py", ".sh", ".toml", ".yaml", ".env", ".md", ".sql", ""}
"""Of files in which variables are named; `ops/up`, `ops/test` and `Containerfile` have none."""


def texts(*folders: str) -> dict[Path, str]:
    """The text of each file in *folders* that may name a variable, without what others have written."""
    files = [path for folder in folders for path in (ROOT / folder).rglob("*")]
    mine = [
        path for path in files if path.is_file() and path.suffix in ENDINGS and "vendor" not in path.parts
    ]
    return {path: path.read_text() for path in mine if path != DECLARATIONS}


def named(found: dict[Path, str]) -> dict[str, Path]:
    """The variables that files name, each with a file that does."""
    return {
        name: path
        for path, text in found.items()
        for name in VARIABLE.findall(text)
        if name not in NO_VARIABLES
    }


def test_every_variable_in_the_source_is_declared():
    declared = {setting.name for setting in SETTINGS}
    found = named(texts(*PACKAGES)) | named({ROOT / "README.md": (ROOT / "README.md").read_text()})
    assert {name: path for name, path in found.items() if name not in declared} == {}


def test_every_variable_in_the_tests_is_declared():
    declared = {setting.name for setting in (*SETTINGS, *SETTINGS_OF_TESTS)}
    found = named(texts("tests", ".github", ".ci"))
    assert {name: path for name, path in found.items() if name not in declared} == {}


def test_every_declared_variable_is_read():
    """By its declaration, of which it is the name; RUTTER_VENV by the scripts."""
    for setting in SETTINGS:
        assert getattr(settings, setting.name) is setting
    sources = [text for path, text in texts(*PACKAGES).items() if path.suffix == ".py"]
    sources.append(DECLARATIONS.read_text())
    read = {name for text in sources for name in re.findall(r"\b(\w+_\w+)\.(?:read|name)\b", text)}
    handed = {"DATABASE_URL", "REDIS_URL"}  # to `require_setting` as well
    assert {setting.name for setting in SETTINGS} - read - handed == {RUTTER_VENV.name}
    assert "$RUTTER_VENV" in (ROOT / "ops/environment.sh").read_text()
    of_tests = [text for path, text in texts("tests").items() if path.suffix == ".py"]
    assert all(any(f"{setting.name}.read()" in text for text in of_tests) for setting in SETTINGS_OF_TESTS)


def test_no_module_names_a_variable_by_itself():
    names = {setting.name for setting in SETTINGS}
    for path, text in texts(*PACKAGES).items():
        if path.suffix == ".py":
            assert set(re.findall(r"""["']([A-Z_]+)["']""", text)) & names == set(), path


@pytest.mark.parametrize("setting", [*SETTINGS, *SETTINGS_OF_TESTS], ids=lambda setting: setting.name)
def test_each_has_a_sentence_and_a_default(setting):
    assert setting.text.endswith(".")
    assert setting.programs
    assert setting.kind.takes
    assert setting.read({}) == setting.read({setting.name: ""}) == setting.default


def test_names_stand_once():
    names = [setting.name for setting in (*SETTINGS, *SETTINGS_OF_TESTS)]
    assert len(set(names)) == len(names) > 40


def test_values():
    assert RUTTER_STREAMS.read({"RUTTER_STREAMS": "7"}) == 7
    assert RUTTER_DATA.read({"RUTTER_DATA": "/srv"}) == Path("/srv")
    assert RUTTER_OWNER_MAY_SERVE.read({"RUTTER_OWNER_MAY_SERVE": "1"}) is True
    assert RUTTER_OWNER_MAY_SERVE.read({"RUTTER_OWNER_MAY_SERVE": "0"}) is False
    assert RUTTER_EXTRA_TITLES.read({"RUTTER_EXTRA_TITLES": "a.b, c"}) == ("a.b", "c")
    assert RUTTER_PROXIES.read({"RUTTER_PROXIES": "10.0.0.1/8"}) == (ip_network("10.0.0.0/8"),)
    assert RUTTER_PREPARE_THRESHOLD.read({"RUTTER_PREPARE_THRESHOLD": "none"}) is None
    assert RUTTER_RESTART_PAUSE.read({"RUTTER_RESTART_PAUSE": "0.25"}) == 0.25
    assert RUTTER_WITNESSES.read({"RUTTER_WITNESSES": " http://a https://b"}) == ("http://a", "https://b")
    two = f"{'5e' * 32} {'6f' * 32}"
    assert RUTTER_SIGNING_KEY.read({"RUTTER_SIGNING_KEY": two}) == two


@pytest.mark.parametrize(
    ("setting", "said", "told"),
    [
        (RUTTER_STREAMS, "many", "RUTTER_STREAMS is 'many'; it takes a whole number from 0."),
        (RUTTER_STREAMS, "-1", "RUTTER_STREAMS is '-1'; it takes a whole number from 0."),
        (RUTTER_API_PROCESSES, "0", "RUTTER_API_PROCESSES is '0'; it takes a whole number from 1."),
        (RUTTER_OWNER_MAY_SERVE, "yes", "RUTTER_OWNER_MAY_SERVE is 'yes'; it takes 1, or 0."),
        (RUTTER_PROXIES, "a", "RUTTER_PROXIES is 'a'; it takes addresses or networks, with commas between."),
        (RUTTER_RESTART_PAUSE, "nan", "RUTTER_RESTART_PAUSE is 'nan'; it takes seconds from 0 to 15."),
        (
            RUTTER_WITNESSES,
            "a",
            "RUTTER_WITNESSES is 'a'; it takes http(s):// addresses, with spaces between.",
        ),
        (
            RUTTER_SIGNING_KEY,
            "5e",
            "RUTTER_SIGNING_KEY cannot be; it takes one or two keys of 64 hex digits.",
        ),
    ],
)
def test_what_cannot_be_is_refused(setting, said, told):
    """In one sentence, which does not show a secret; for all settings at once as a program starts."""
    with pytest.raises(WrongSetting) as refused:
        setting.read({setting.name: said})
    assert str(refused.value) == told
    with pytest.raises(WrongSetting, match=setting.name):
        check_settings({DATABASE_URL.name: "postgresql://a", REDIS_URL.name: "redis://b", setting.name: said})


def test_settings_for_tests_are_obeyed_in_tests():
    given = {"RUTTER_TEST_CLOCK": "/offset"}
    assert RUTTER_TEST_CLOCK.read({**given, "RUTTER_ENV": "test"}) == Path("/offset")
    with pytest.raises(WrongSetting, match=r"^RUTTER_TEST_CLOCK is for tests: set RUTTER_ENV=test as well"):
        RUTTER_TEST_CLOCK.read(given)
