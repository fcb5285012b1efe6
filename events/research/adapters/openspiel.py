"""OpenSpiel: every title as a game with explicit chance (``ops/install research``).

    import pyspiel
    from rutter.events.research.adapters import openspiel

    openspiel.register()
    game = pyspiel.load_game("rutter_colonial_empires(players=4)")

An action is one word of a command (`events/research/encoding.py`), a chance node one die or card. Several
seats that are asked at once answer one after the other. The information state is a digest of perfect recall.
"""

from __future__ import annotations

from events.base.installation import install_command
from events.rules.catalogue import find_title, title_ids

PREFIX = "rutter_"
"""The prefix of a title's id in its name there."""
COMMANDS = 10_000
"""After so many commands a game is broken off, with no winner: random players need not want it to end."""


def register() -> tuple[str, ...]:
    """Make all titles known to OpenSpiel; gives their names there. A second call changes nothing.

    Parameters of each game: ``players``, ``options`` (of the title, as JSON), ``commands`` (see
    :data:`COMMANDS`). Raises ``ImportError`` without OpenSpiel.
    """
    try:
        import pyspiel

        from events.research.adapters.openspiel_game import game_class
    except ModuleNotFoundError as missing:
        raise ModuleNotFoundError(
            f"OpenSpiel needs the module {missing.name}: {install_command('research')}", name=missing.name
        ) from None

    known = set(pyspiel.registered_names())
    names = {PREFIX + title_id: title_id for title_id in title_ids()}
    for name, title_id in names.items():
        if name not in known:
            made = game_class(find_title(title_id), name, COMMANDS)
            pyspiel.register_game(made.KIND, made)
    return tuple(names)
