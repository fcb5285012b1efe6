"""Fetches rounds of drand: ``GET <url>/<chain>/public/<round>``, as its public relays serve them."""

from __future__ import annotations

import urllib.request
from http.client import HTTPException
from typing import Annotated

import msgspec
import structlog

from events.proof import beacon

ANSWER_SECONDS = 2.0
"""Seconds to wait for an answer, while other games wait for the worker; the next job asks again."""
MAX_ANSWER_BYTES = 4096
"""Bytes of an answer."""

log = structlog.get_logger()


class BeaconRound(msgspec.Struct, frozen=True):
    """The answer of a relay."""

    round: int
    randomness: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
    signature: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{96}$")]


def fetch_round(url: str | None, chain: str, number: int) -> str | None:
    """Return the signature (hex) of a round; None where it is not available now.

    It is of the right form and fits its randomness, and is valid where the library that can tell is there.
    """
    if url is None:
        log.warning("beacon_not_configured", round=number)
        return None
    address = f"{url.rstrip('/')}/{chain}/public/{number}"
    try:
        with urllib.request.urlopen(address, timeout=ANSWER_SECONDS) as answer:  # noqa: S310 - the operator's own URL
            found = msgspec.json.decode(answer.read(MAX_ANSWER_BYTES), type=BeaconRound)
        _require_round(found, chain, number)
    except (OSError, HTTPException, ValueError) as error:  # msgspec's errors are ValueErrors
        log.warning("beacon_away", round=number, error=str(error))
        return None
    return found.signature


def _require_round(found: BeaconRound, chain: str, number: int) -> None:
    if found.round != number:
        raise ValueError(f"round {found.round} was answered")
    if beacon.round_randomness(found.signature) != found.randomness:
        raise ValueError("the randomness is not the hash of the signature")
    if beacon.is_signed(chain, number, found.signature) is False:
        raise ValueError("the chain did not sign this")
