"""The keys that sign."""

from __future__ import annotations

from flask import Response

from events.store.signing_keys import logged_keys, read_origin
from service.api.blueprint import Blueprint
from service.pool import patient
from service.process import process
from service.schemas import shapes
from service.wire.answers import json_answer

blp = Blueprint("keys", __name__, url_prefix="/v1", description="Public keys.")


@blp.route("/keys")
@blp.doc(operationId="list_keys", security=[])
@blp.answers(200, "KeysPage", "The keys.")
@blp.problems(503)
def list_keys() -> Response:
    """The keys that sign receipts and checkpoints. Pin them once: a bundle cannot vouch for its own key."""
    return json_answer(_keys(), headers={"Cache-Control": "public, max-age=300"})


@patient
def _keys() -> shapes.KeysPage:
    with process().pool.connection() as connection:
        origin, found = read_origin(connection), logged_keys(connection)
    if origin is None:  # nobody has signed anything yet: from now on it is this process's key
        return shapes.KeysPage(process().keyring.origin, [shapes.Key(process().keyring.signer.vkey, 0, None)])
    return shapes.KeysPage(origin, [shapes.Key(key.vkey, key.since, key.until) for key in found])
