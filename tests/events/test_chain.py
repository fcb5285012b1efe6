"""The hash chain, and the commitments, against published vectors."""

import base64

from events.proof import canonical

GAME = "019a9f00-0000-7000-8000-000000000001"
E_1 = (
    b'{"at":"2026-11-20T19:00:00.000000Z","by":"sys","cmd":"0198f3b2-7c1a-7d3e-9a41-3f2b6c7d8e90","data":'
    b'{"rules":"demo@1","seats":["p1","p2"]},"game":"019a9f00-0000-7000-8000-000000000001","n":1,'
    b'"t":"GameCreated","v":1}'
)


def test_genesis_vector():
    """h_0 of a game."""
    assert canonical.genesis(GAME).hex() == "c7346bd847fc56199e24298b6de1efdae607750cc66e64aeafc42b6a334e2217"


def test_link_vector():
    """h_1 of a game."""
    expected = "742c30d23eed27bddc2290ad94ecd2f8f2eacc72982f3198c9c9b29ec81c8f63"
    assert canonical.link(canonical.genesis(GAME), E_1).hex() == expected


def test_hidden_vector():
    """The commitment to a hidden part under the salt of its place."""
    salt = canonical.derive_salt(bytes([0x11]) * 32, 2, "p1")
    digest = canonical.part_digest(salt, b'{"card":"c-117"}')
    assert (
        base64.b64decode(digest).hex() == "23258668029916f0beb8e77f46ef52c1e520107718201c320664e8c1df23da5b"
    )
