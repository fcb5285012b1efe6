"""The rules and the history of games: a functional core, and the shell around it.

The **core** is pure: no clock, no global randomness, no I/O, no shared state. From the bottom:

* ``base``: recorded times, and where the program stands;
* ``rules``: what a title is made of (``fact``, ``steps``, ``title``, ``chance``), and the ``kit`` that titles
  share;
* ``proof``: canonical bytes, the hash chain, provable randomness; ``clocks``: how much time each seat has;
* ``table``: one game around a title, how it comes to begin (``commit_reveal``), what a request leads to
  (``engine``), what is recorded (``record``, ``lifecycle_facts``, ``conduct_facts``) and folded
  (``folding``); ``table.commands``: what is asked of the table itself;
* ``tournament``: the same for tournaments; ``verify``: every recorded byte decided again; ``tlog``: what a
  witness needs; ``research``: titles for learning machines; ``titles``: the titles.

The **shell** is ``store``: the log in Postgres, the one loop that writes, replay and what is kept in memory,
keys. Beside it four modules of the core touch the world: ``rules.catalogue`` (which titles there are),
``rules.data_files``, ``rules.vectors`` (files) and ``rules.fast_chance`` (a generator). Import rules hold the
rooms apart (pyproject.toml).
"""

import sys
from pathlib import Path

if __name__ == "events":  # titles say `rutter.events`; in a checkout the package `rutter` is found here
    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "ops" / "base" / "checkout"))
