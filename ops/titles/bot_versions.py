"""Keeping the bots of a title: a copy that can think their recorded moves again after a change.

What decides a thought are the rules of thumb, the search, the fitted weights and the budgets: all of them are
copied, and every import among them leads to the copy. The rules of the title are not: they have versions of
their own (:mod:`ops.titles.versions`).
"""

from __future__ import annotations

import re
from pathlib import Path

from events.base.installation import qualify_name
from events.rules.bot_names import THINKERS
from events.rules.catalogue import KEPT
from ops.base.errors import OpsError
from ops.titles.versions import (
    BOTS,
    BUDGETS,
    ImportRewriter,
    TitleSource,
    find_folder,
    map_bot_names,
    read_bot_files,
    write_copy,
)
from workers.bots import KEPT_BOTS, find_bot


def keep_bots(title_id: str) -> tuple[int, Path]:
    """Keep the bots of a title as they stand, and raise the version of those that think.

    Return which version it was, and where it is kept. Raises :class:`OpsError` for a title with no such bots
    of its own.
    """
    place = TitleSource(title_id)
    files = dict(read_bot_files(place)) if place.is_project_title else {}
    if BUDGETS not in files:
        raise OpsError(f"{title_id} has no thinking bots of its own. Nothing needs to be kept.")
    number = max(find_bot(title_id, name).version for name in THINKERS)
    room = f"{KEPT_BOTS}{number}"
    bots = find_folder(qualify_name(BOTS))
    folder = bots / KEPT / title_id / room
    if folder.exists():
        raise OpsError(f"{folder} exists: version {number} is kept already. Nothing needs to be done.")
    led = ImportRewriter(map_bot_names(place, room, files))
    budgets = bots / BUDGETS
    text = _raise_versions(budgets.read_text(encoding="utf-8"), title_id, number + 1)
    write_copy(folder, {name: led(name, body) for name, body in files.items()})
    budgets.write_text(text, encoding="utf-8")
    return number, folder


def _raise_versions(text: str, title_id: str, version: int) -> str:
    """Return the file of budgets with another version of the bots of a title. Raises :class:`OpsError`."""
    head, mark, rest = text.partition(f"[{title_id}]\n")
    own, following, others = rest.partition("\n[")
    for name in sorted(THINKERS):
        own, found = re.subn(
            rf"^{name} = {{ (?:version = \d+, )?",
            f"{name} = {{ version = {version}, ",
            own,
            flags=re.MULTILINE,
        )
        if not mark or found != 1:
            raise OpsError(
                f"{BUDGETS} must have one line `{name} = {{ ... }}` below [{title_id}]. Add it, or delete "
                "others."
            )
    return head + mark + own + following + others
