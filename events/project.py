"""Where the project's packages are: at the top of a checkout, in `rutter` where they are installed."""

from pathlib import Path

ROOM = __name__.removesuffix("events.project")
"""Before the name of each package: nothing, or `rutter.`."""
HOME = Path(__file__).resolve().parents[2 if ROOM else 1]
"""The folder from which the packages are imported by their names."""


def ours(name: str) -> str:
    """The name by which `workers.jobs`, or whatever *name* is in a checkout, can be imported."""
    return ROOM + name


class WrongSetting(ValueError):
    """A variable of the environment says what cannot be; the message tells what it should say."""


def install_line(extra: str) -> str:
    """The command that installs an extra of pyproject.toml: in a checkout a script of ours."""
    return f"pip install 'rutter-games[{extra}]'" if ROOM else f"ops/install {extra}"
