"""The id of the program at work: what failed under one is tried again under the next."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from events.base.installation import qualify_name
from events.rules.catalogue import packages, title_ids

PACKAGES = tuple(map(qualify_name, ("events", "projections", "workers")))
"""The packages that rules, bots and read models are made of."""


@cache
def get_build_id() -> str:
    """Return a fingerprint of the rules, their data, the bots and the projections that this process runs."""
    digest = hashlib.sha256()
    for folder in sorted(_list_folders()):
        for path in sorted(p for p in folder.rglob("*") if p.suffix in (".py", ".toml")):
            digest.update(path.relative_to(folder).as_posix().encode() + b"\0")
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]


def _list_folders() -> set[Path]:
    played = (packages()[title_id] for title_id in title_ids())
    extra = (name for name in played if not name.startswith(qualify_name("events.")))
    found = (find_spec(name) for name in (*PACKAGES, *extra))
    return {Path(spec.origin).parent for spec in found if spec and spec.origin}
