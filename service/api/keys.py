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
    """The public keys that sign checkpoints: compare them with the one that an audit bundle names."""
    keys = shapes.Keys([shapes.Key("ed25519", process().signer.public.hex())])
    return json_answer(keys, headers={"Cache-Control": "public, max-age=300"})
