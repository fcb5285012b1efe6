"""The visibility of games and tournaments."""

from __future__ import annotations

from typing import Literal

Visibility = Literal["public", "unlisted", "private"]
"""Seen by everybody; by those who know the id; by those who take part."""
VISIBILITIES: tuple[Visibility, ...] = ("private", "unlisted", "public")
"""All visibilities, the narrowest first."""
