"""The columns of exports and of simulated games, made from the structs of their rows."""

from __future__ import annotations

import re
from typing import Any

from events.research.row_structs import SimulatedEvent, SimulatedGame
from service.openapi.json_schemas import make_standalone_schema
from service.openapi.response_structs import Event, ExportedGame
from service.presenters.event_pages import describe_objects, make_table


def make_column_tables() -> str:
    """Return a table of the columns of each kind of row in Markdown, and one of each object inside them."""
    event, game, simulated = (
        _close(make_standalone_schema(struct)) for struct in (Event, ExportedGame, SimulatedGame)
    )
    columns = game["properties"]
    event["properties"]["at"]["description"] = "The time when it was recorded (RFC 3339, UTC)."
    columns["created_at"]["description"] = "The time when the game was created (RFC 3339, UTC)."
    event["properties"] = {"game": columns["game"], **event["properties"], "cursor": columns["cursor"]}
    also = ", ".join(f"`{name}`" for name in SimulatedEvent.__struct_encode_fields__)
    return "\n\n".join(
        (
            "## Events",
            "`GET /v1/export/events` and `rutter export` have a line for each event.",
            f"`rutter simulate` writes these columns only: {also}.",
            "There `game` is title, seed and number, such as `colonies/simulate/0`. All secrets are open.",
            make_table(event, "column"),
            "## Games",
            "`GET /v1/export/games` and `rutter export` have a line for each game.",
            make_table(game, "column"),
            "With `--format parquet`, `winners`, `places` and `scores` of the outcome are columns as well.",
            "## Simulated games",
            "`rutter simulate --summary FILE` writes a row for each game.",
            make_table(simulated, "column"),
            "## Objects inside",
            *describe_objects({**event.get("$defs", {}), **game.get("$defs", {})}),
        )
    )


def _close(schema: Any) -> Any:
    """Return a copy of *schema* in which what differs from title to title is an object."""
    if isinstance(schema, list):
        return [_close(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        name: _close(part)
        for name, part in schema.items()
        if not (name == "$ref" and re.match("#/components/", part))
    }
