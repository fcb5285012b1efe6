"""``python -m tests.ops.killed_archiver URL PLACE MOMENT [N [DATA]]``: archives, and is killed then.

The place is a folder or the URL of a store. With N the process dies when the moment comes for the Nth time,
each time for another game. DATA is the folder with the key of the server; without it, the key is that of
tests. With the id of a game as the place it puts that game back, and is killed at a moment of those.

Killed as by SIGKILL from outside: nothing is tidied up. The moments come one after the other.
"""

import os
import signal
import sys
from pathlib import Path

from psycopg import Connection

from events.store import object_storage
from events.store.signing_keys import load_seeds
from ops.database import game_archive
from ops.database.game_return import put_back
from tests.archiving import run_archiver
from tests.tree.conftest import SEED
from tests.waiting import PATIENCE

LATER = ("checked", "recording", "recorded", "dropping", "dropped")
MOMENTS = ("draft", "written", *LATER)
MOMENTS_OF_STORES = ("sending", "sent", *LATER)
"""Where the bundles go to a store beside folders; at the first of them it has half of a file."""

STEPS_BACK = {
    "reading": ("INSERT INTO es.event", False),
    "events": ("INSERT INTO es.event", True),
    "parts": ("INSERT INTO es.secret", True),
    "said": ("UPDATE es.archived SET dropped", True),
    "told": ("INSERT INTO history", True),
}
"""The moments of putting a game back: a statement, and True for when it is done."""


times = 1
"""How often the moment still comes until this process dies."""


def die():
    """Death, if the moment has come often enough."""
    global times  # noqa: PLW0603
    times -= 1
    if times <= 0:
        os.kill(os.getpid(), signal.SIGKILL)


def before(kept):
    """Death, or else *kept*."""

    def act(*given, **named):
        die()
        return kept(*given, **named)

    return act


def after(kept):
    """*kept*, and death."""

    def act(*given, **named):
        found = kept(*given, **named)
        die()
        return found

    return act


def in_two_halves(write):
    """Put half of a file into the store, and death; or else all of it."""

    def act(url, data):
        write(url, data[: len(data) // 2])
        die()
        write(url, data)

    return act


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
        os.fchown = before(os.fchown)  # the draft is written, and has not its name
    elif moment == "written":
        game_archive.sync_folder = after(game_archive.sync_folder)
    elif moment == "sending":
        object_storage.write = in_two_halves(object_storage.write)
    elif moment == "sent":
        object_storage.write = after(object_storage.write)
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
    url, place, moment, *more = sys.argv[1:]
    times = int(more[0]) if more else 1
    seeds = load_seeds(None, Path(more[1])) if more[1:] else (SEED,)
    object_storage.READ_SECONDS = PATIENCE
    prepare(moment)
    run_archiver(url, seeds, place if "://" in place else Path(place))
