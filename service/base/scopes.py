"""Scopes: the permissions of a token."""

from typing import Literal, get_args

Scope = Literal[
    "game:read",
    "game:play",
    "game:create",
    "game:direct",
    "tournament:enter",
    "tournament:direct",
    "account:write",
    "webhook:write",
    "token:write",
]
SCOPES: tuple[str, ...] = get_args(Scope)
"""All scopes; reading what everybody may see needs none."""
