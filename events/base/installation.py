"""The place of the project's packages: at the top of a checkout, in `rutter` where they are installed."""

from pathlib import Path

PACKAGE_PREFIX = __name__.removesuffix("events.base.installation")
"""The prefix of the name of each package: nothing, or `rutter.`."""
IMPORT_ROOT = Path(__file__).resolve().parents[3 if PACKAGE_PREFIX else 2]
"""The folder from which the packages are imported by their names."""


def qualify_name(name: str) -> str:
    """Return the name by which `workers.jobs`, or whatever *name* is in a checkout, can be imported."""
    return PACKAGE_PREFIX + name


def install_command(extra: str) -> str:
    """Return the command that installs an extra of pyproject.toml: in a checkout a script of ours.

    No index has the distribution, so the command takes the wheel or the source.
    """
    return f"pip install 'WHEEL_OR_SOURCE[{extra}]'" if PACKAGE_PREFIX else f"ops/install {extra}"
