"""The fold: what each fact changes. Never rejects, never draws."""

from __future__ import annotations

from events.steps import Fold
from events.titles.colonial.folds import conflict, land, plays, turn

FOLD: Fold = {**turn.FOLD, **plays.FOLD, **land.FOLD, **conflict.FOLD}
"""``{fact type: (state, fact) -> state}``."""
