"""What a token may do: the words of permissions."""

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
"""All of them; reading what everybody may see needs none."""
