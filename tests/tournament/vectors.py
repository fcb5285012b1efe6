"""Worked examples of pairings, as `tests/vectors/pairing.yaml` has them."""

from __future__ import annotations

from pathlib import Path

import yaml

from events.proof import canonical
from events.proof.randomness import sha
from events.tournament.pairing import PairingField, RoundDraw, sort_pair
from events.tournament.scoring import UNIT
from events.tournament.state import entrant_names

FILE = Path(__file__).parents[1] / "vectors" / "pairing.yaml"


def read():
    """All of them."""
    quick = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return yaml.load(FILE.read_text(encoding="utf-8"), Loader=quick)  # noqa: S506 - a safe loader


def field_of(case) -> PairingField:
    """Whom a round is drawn for."""
    return PairingField(
        entrants=tuple(range(1, case["entrants"] + 1)),
        size=case["size"],
        least=case["least"],
        points={entrant: points * UNIT for entrant, points in case.get("points", {}).items()},
        met={sort_pair(two): times for *two, times in case.get("met", [])},
        forbidden=frozenset(map(sort_pair, case.get("forbidden", []))),
        byes=case.get("byes_had", {}),
        asked=frozenset(case.get("asked", [])),
    )


def digest_of(drawn: RoundDraw) -> str:
    """What the log holds of a pairing."""
    pods, byes = tuple(map(entrant_names, drawn.pods)), entrant_names(drawn.byes)
    return sha(canonical.encode({"byes": byes, "pods": pods})).hex()
