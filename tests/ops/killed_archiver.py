"""``python -m tests.ops.killed_archiver URL FOLDER MOMENT``: archives, and is killed at that moment.

With the id of a game in place of the folder it puts that game back, and is killed at a moment of those.

Killed as by SIGKILL from outside: nothing is tidied up. The moments come one after the other.
"""

import os
import signal
import sys
from pathlib import Path

from psycopg import Connection

from ops.database import game_archive
from ops.database.game_return import put_back
from tests.archiving import run_archiver
from tests.tree.conftest import SEED

MOMENTS = ("draft", "written", "checked", "recording", "recorded", "dropping", "dropped")

STEPS_BACK = {
    "reading": ("INSERT INTO es.event", False),
    "events": ("INSERT INTO es.event", True),
    "parts": ("INSERT INTO es.secret", True),
    "said": ("UPDATE es.archived SET dropped", True),
    "told": ("INSERT INTO history", True),
}
"""The moments of putting a game back: a statement, and True for when it is done."""


def die(*_, **__):
    os.kill(os.getpid(), signal.SIGKILL)


def after(kept):
    """*kept*, and death."""
    return lambda *given, **named: (kept(*given, **named), die())


def at_statement(word, *, done):
    """Death at the statement that has this word, before it or when it is *done*."""
    kept = Connection.execute

    def execute(self, query, *given, **named):
        hit = word in str(query)
        if hit and not done:
            die()
        found = kept(self, query, *given, **named)
        if hit:
            die()
        return found

    Connection.execute = execute


def prepare(moment):
    """See to it that this process dies at that moment."""
    if moment == "draft":
        os.fchown = die  # the draft is written, and has not its name
    elif moment == "written":
        game_archive.sync_folder = after(game_archive.sync_folder)
    elif moment == "checked":
        game_archive.Archiver._check = after(game_archive.Archiver._check)
    else:
        word = "INSERT INTO es.archived" if moment.startswith("record") else "es.drop_archived"
        at_statement(word, done=moment.endswith("ed"))


if __name__ == "__main__" and sys.argv[3] in STEPS_BACK:
    word, done = STEPS_BACK[sys.argv[3]]
    at_statement(word, done=done)
    put_back(sys.argv[1], sys.argv[2])
elif __name__ == "__main__":
    prepare(sys.argv[3])
    run_archiver(sys.argv[1], (SEED,), Path(sys.argv[2]))
