"""The options that describe a game in the commands that let bots play."""

from __future__ import annotations

from typing import Any

import click
import msgspec

from events.rules.bot_names import UnknownBot
from events.rules.catalogue import find_title
from events.rules.steps import Rejected
from workers.bots import find_bot
from workers.bots.trials.arena import full_name


def read_table(
    title_id: str, seats: int | None, bots: tuple[str, ...], options: str
) -> tuple[int, tuple[str, ...], dict[str, Any]]:
    """Return the number of seats, the bots with their versions, and the options of a table.

    If *seats* is None, it is as few as the title allows.

    *options* is JSON. Raises click.BadParameter where the title has no such table.
    """
    title = find_title(title_id)
    wanted = title.seats[0] if seats is None else seats
    if wanted not in title.seats:
        raise click.BadParameter(
            f"{title.name} has no game with {wanted} seats. Choose from {', '.join(map(str, title.seats))}."
        )
    try:
        given = msgspec.json.decode(options.encode(), type=dict[str, Any])
        title.check_options(wanted, msgspec.convert(given, title.Options))
        full = tuple(full_name(find_bot(title_id, name)) for name in bots)
    except UnknownBot as error:
        raise click.BadParameter(str(error)) from None
    except (msgspec.MsgspecError, ValueError, Rejected) as error:
        raise click.BadParameter(f"--options: {error}") from None
    return wanted, full, given
