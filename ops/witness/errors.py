"""The refusals of a witness. Each has the HTTP status with which a log that pushes is answered."""

from __future__ import annotations

import click


class CosignatureRefusal(Exception):
    """A checkpoint that is not cosigned; the message says why."""

    status = 400


class MalformedRequest(CosignatureRefusal):
    """No request, no note, no checkpoint, or a size that cannot be."""


class UnsignedCheckpoint(CosignatureRefusal):
    """None of the keys that are pinned for the origin signed it, or one of them falsely."""

    status = 403


class UnknownOrigin(CosignatureRefusal):
    """No key is pinned for the origin."""

    status = 404


class StaleProof(CosignatureRefusal):
    """The proof begins at another size than the recorded one."""

    status = 409

    def __init__(self, size: int) -> None:
        super().__init__(f"the newest checkpoint cosigned here has size {size}")
        self.size = size


class Inconsistent(CosignatureRefusal):
    """The tree does not begin with the recorded one, as far as the proof tells; or the origin is held."""

    status = 422


class StartError(click.ClickException):
    """A witness that must not run as it is; the message says what is to be put right. Exit status 1."""

    exit_code = 1


class LostState(StartError):
    """The state of an origin is gone that was cosigned for: going on would be going back."""

    def __init__(self, origin: str) -> None:
        super().__init__(
            f"The record of what was cosigned for {origin} is lost. Without it, the same key could cosign a "
            "second history. Restore the newest state of the folder, or make a new witness with a new key: "
            "rutter witness init."
        )
