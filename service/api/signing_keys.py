"""The keys that sign receipts and checkpoints."""

from __future__ import annotations

from collections.abc import Sequence

from flask import Response

from events.store.signing_keys import LoggedKey, list_logged_keys, read_origin
from events.tlog.notes import Verifier
from projections.tree.tree_store import TreeStore
from service.application.request_context import get_services
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
    """List the keys that sign receipts and checkpoints. Keep a copy: no bundle can prove its own key.

    If a key that you do not know signs a receipt, believe it only by `announced`: check that proof with a key
    that you know. That the receipt is signed by both keys proves nothing, for anybody can add a signature.
    """
    return json_response(_read_keys(), headers={"Cache-Control": "public, max-age=300"})


@retry_on_disconnect
def _read_keys() -> response_structs.KeysPage:
    with get_services().pool.connection() as connection:
        origin, found = read_origin(connection), list_logged_keys(connection)
        announced = {} if origin is None else prove_announcements(TreeStore(connection), found)
    if origin is None:  # nobody has signed anything yet: from now on it is this process's key
        return response_structs.KeysPage(
            get_services().keyring.origin,
            [response_structs.Key(get_services().keyring.signer.vkey, 0, None, None)],
        )
    return response_structs.KeysPage(
        origin,
        [response_structs.Key(key.vkey, key.since, key.until, announced.get(key.vkey)) for key in found],
    )


def prove_announcements(store: TreeStore, keys: Sequence[LoggedKey]) -> dict[str, str]:
    """Return by vkey the proofs that earlier keys announced it."""
    found = {}
    for number, key in enumerate(keys):
        index = key.since - 1
        earlier = [Verifier.read(one.vkey) for one in keys[:number]]
        covering = store.find_signed(index, earlier) if earlier and index >= 0 else None
        if covering is not None:
            found[key.vkey] = store.proof(index, covering)
    return found
