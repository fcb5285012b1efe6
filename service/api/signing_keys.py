"""The keys that sign receipts and checkpoints."""

from __future__ import annotations

from flask import Response

from events.store.signing_keys import list_logged_keys, read_origin
from service.application.container import get_services
from service.base.database import retry_on_disconnect
from service.http.blueprint import Blueprint
from service.http.responses import json_response
from service.openapi import response_structs

blp = Blueprint("keys", __name__, url_prefix="/v1", description="The server's public keys.")


@blp.route("/keys")
@blp.doc(operationId="list_keys", security=[])
@blp.answers(200, "KeysPage", "The keys.")
@blp.problems(503)
def list_keys() -> Response:
    """List the keys that sign receipts and checkpoints. Keep a copy: no bundle can prove its own key."""
    return json_response(_read_keys(), headers={"Cache-Control": "public, max-age=300"})


@retry_on_disconnect
def _read_keys() -> response_structs.KeysPage:
    with get_services().pool.connection() as connection:
        origin, found = read_origin(connection), list_logged_keys(connection)
    if origin is None:  # nobody has signed anything yet: from now on it is this process's key
        return response_structs.KeysPage(
            get_services().keyring.origin, [response_structs.Key(get_services().keyring.signer.vkey, 0, None)]
        )
    return response_structs.KeysPage(
        origin, [response_structs.Key(key.vkey, key.since, key.until) for key in found]
    )
