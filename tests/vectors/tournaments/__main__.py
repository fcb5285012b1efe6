"""Writes the vectors, see the package."""

from __future__ import annotations

import os

from tests.vectors.tournaments.writing import write_all

os.environ.setdefault("RUTTER_EXTRA_TITLES", "tests.titles.example")
write_all()
