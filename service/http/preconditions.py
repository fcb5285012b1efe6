"""The request headers that make writing safe and reading cheap.

They are If-Match, Idempotency-Key, If-None-Match, and Rutter-Signature, with which a seat signs.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable

from flask import Response, request

from events.rules.fact import Seat
from events.store.games import StaleVersion
from events.table.record import Signature
from service.http.problems import Problem, invalid_parameters

_TAG = r'(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"'
_TAGS = re.compile(rf"\s*{_TAG}(?:\s*,\s*{_TAG})*\s*")
_EVENT_TAG = re.compile(r'(?<!W/)"([0-9]{1,16})(?:-[0-9a-f]{24})?"')
_KEY = re.compile(r"[\x21-\x7e]{1,200}")
_CHOSEN = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
"""A UUID of version 4 or 7 in lower case: those of other versions the service makes itself."""
_SIGNATURE = re.compile(r"([1-9][0-9]{0,15}) ([A-Za-z0-9+/]{86}==)")
_SPACE = uuid.UUID("3d3a3f0c-8f0b-5d7e-9d57-2f1f0e6d1c11")
"""Namespace of the command ids that follow from Idempotency-Keys."""


def read_expected_seq(newest: Callable[[], int]) -> int | None:
    """Return the seq that If-Match asks for; None without the header, or for ``*``.

    It is the event in the tag of an answer, or a number alone. A bare number is taken as well. Raises
    StaleVersion where none of several tags is the newest, and a 400 problem for what is no list of tags.
    """
    header = request.headers.get("If-Match")
    if header is None or header.strip() == "*":
        return None
    if re.fullmatch("[0-9]{1,16}", header):
        return int(header)
    if not _TAGS.fullmatch(header):
        detail = (
            "The If-Match header has the wrong form. Send the number of the newest event that you know,"
            ' in quotes: If-Match: "12".'
        )
        raise invalid_parameters({"If-Match": [detail]}, status=400, detail=detail)
    # Weak tags never match here (RFC 9110, 13.1.1).
    wanted = {int(tag) for tag in _EVENT_TAG.findall(header)}
    if len(wanted) == 1:
        return wanted.pop()
    now = newest()
    if now in wanted:
        return now
    raise StaleVersion(now)


def is_unmodified(etag: str) -> bool:
    """Return True if If-None-Match names this tag."""
    tags = request.if_none_match
    return bool(tags) and (tags.star_tag or tags.contains_weak(etag))


def read_idempotency_key() -> str | None:
    """Return the Idempotency-Key of this request. Raises a 400 problem for one that cannot be used."""
    key = request.headers.get("Idempotency-Key")
    if key is None:
        return None
    if not _KEY.fullmatch(key):
        detail = (
            "The Idempotency-Key has the wrong form. Send 1 to 200 visible ASCII characters, such as a UUID."
        )
        raise Problem(400, "invalid_parameters", detail, errors={"Idempotency-Key": [detail]})
    return key


def derive_command_id(game_id: str, who: Seat | str, key: str) -> str:
    """Return the command id of a key.

    Keys of different games, or of different seats or persons, never meet.
    """
    return str(uuid.uuid5(_SPACE, f"{game_id}/{who}/{key}"))


def get_chosen_id(key: str) -> str | None:
    """Return the command id that a client chose, so that they can sign it; None if they chose none.

    It is their key, if that is such a UUID.
    """
    return key if _CHOSEN.fullmatch(key) else None


def read_signature() -> Signature | None:
    """Return the signature of this request's command. Raises a 400 problem for what cannot be one."""
    header = request.headers.get("Rutter-Signature")
    if header is None:
        return None
    found = _SIGNATURE.fullmatch(header)
    if found is None:
        detail = (
            "The Rutter-Signature header has the wrong form. Send the number of an event, a space, and"
            " 64 bytes in base64."
        )
        raise invalid_parameters({"Rutter-Signature": [detail]}, status=400, detail=detail)
    return Signature(int(found[1]), found[2])


def mark_replayed(answer: Response) -> Response:
    """Mark an answer as one that was given before."""
    answer.headers["Idempotency-Replayed"] = "true"
    return answer
