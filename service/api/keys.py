"""The keys that sign."""

from __future__ import annotations

from flask import Response

from service.api.blueprint import Blueprint
from service.process import process
from service.schemas import shapes
from service.wire.answers import json_answer

blp = Blueprint("keys", __name__, url_prefix="/v1", description="Public keys.")


@blp.route("/keys")
@blp.doc(operationId="list_keys", security=[])
@blp.answers(200, "Keys", "The keys.")
@blp.problems(503)
def list_keys() -> Response:
    """The keys that sign receipts and checkpoints. Pin them once: a bundle cannot vouch for its own key."""
    signer = process().signer
    keys = shapes.Keys(signer.name, [shapes.Key(signer.vkey, 0, None)])
    return json_answer(keys, headers={"Cache-Control": "public, max-age=300"})
