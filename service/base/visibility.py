"""How visible games and tournaments are."""

from __future__ import annotations

from typing import Literal

Visibility = Literal["public", "unlisted", "private"]
"""For everybody; for whoever knows the id; for those who have to do with it."""
VISIBILITIES: tuple[Visibility, ...] = ("private", "unlisted", "public")
"""The narrowest first."""
