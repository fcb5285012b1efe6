"""Invitations: secrets that let their bearer into a game or a club, so many times, until some time.

They look like tokens, are shown once and kept as a hash. A use is stored before the event, by the claim to
the seat that it is for. It counts once an event names that claim, and until then for PENDING_USE_SECONDS. So
a request that is sent again uses nothing more, and one that failed uses nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, LiteralString
from uuid import uuid4

import msgspec
from psycopg import Connection

from events.base.timestamps import add_milliseconds
from events.rules.fact import Seat
from events.store.event_log import Pool
from service.base.database import format_utc, retry_on_disconnect
from service.base.people import Account
from service.base.store_error import StoreError
from service.stores.one_time_secrets import IdempotentSecret
from service.stores.tokens import hash_token, is_well_formed, make_token

INVITATION_PREFIX = "inv_"
MAX_INVITATIONS = 100
"""The most invitations of one game or club."""
PENDING_USE_SECONDS = 300
"""Seconds after which a use that no event names stops counting: far longer than any request takes."""


class InvitationRequest(msgspec.Struct, frozen=True):
    """A request for a new invitation: its number of uses, its lifetime, its seat."""

    uses: int
    expires_in_ms: int
    seat: Seat | None = None
    """The only seat that it is for; None for any."""


class InvitationInfo(msgspec.Struct, frozen=True):
    """An invitation as it is shown to those who may make one. Times are RFC 3339."""

    id: str
    seat: Seat | None
    uses: int
    used: int
    made_at: str
    expires_at: str


class PresentedInvitation(msgspec.Struct, frozen=True):
    """An invitation that was shown; it may be spent or too old."""

    subject: str
    id: str
    seat: Seat | None


class ValidInvitation(msgspec.Struct, frozen=True):
    """An invitation that can be used now."""

    subject: str
    """The game, the club or the tournament to which it leads."""
    by: str
    """The account that made it."""


_USED = (
    "SELECT count(*) FROM invitation_use u"  # noqa: S608 - constants
    " WHERE u.subject = i.subject AND u.invitation = i.id"
    f" AND (u.settled OR u.used_at > now() - make_interval(secs => {PENDING_USE_SECONDS})"
    " OR EXISTS (SELECT FROM es.event e WHERE e.game_id = u.subject AND e.keyed = u.claim))"
)
"""SQL for the number of uses of the invitation `i` that count."""
_LISTED = (
    f"SELECT i.id::text, i.seat, i.uses, ({_USED}), {format_utc('i.made_at')}, {format_utc('i.expires_at')}"  # noqa: S608 - constants
    " FROM invitation i"
)


class Invitations:
    """The invitations in the database; *subject* is the id of a game or a club."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    def make(
        self, subject: str, account: Account, wanted: InvitationRequest, now: str, once: IdempotentSecret
    ) -> tuple[InvitationInfo, str]:
        """Make an invitation; return it and its secret, which is shown only once.

        Raises StoreError `too_many_invitations`, and ShownSecret for a request that is repeated.
        """
        secret, made = make_token(INVITATION_PREFIX), str(uuid4())
        self._make(subject, account, wanted, now, once, (made, hash_token(secret)))
        return self.get(subject, made), secret

    @retry_on_disconnect
    def _make(
        self,
        subject: str,
        account: Account,
        wanted: InvitationRequest,
        now: str,
        once: IdempotentSecret,
        made: tuple[str, bytes],
    ) -> None:
        with self._pool.connection() as connection, connection.transaction():
            if not once.is_first(connection, account.id, made[0]):
                return  # the answer of the database was lost
            _check_quota(connection, subject, now)
            connection.execute(
                "INSERT INTO invitation (subject, id, hash, seat, uses, account_id, made_at, expires_at)"
                " VALUES (%s, %s, %s, %s, %s, %s, %s, %s) ON CONFLICT DO NOTHING",
                (
                    subject,
                    *made,
                    wanted.seat,
                    wanted.uses,
                    account.id,
                    now,
                    add_milliseconds(now, wanted.expires_in_ms),
                ),
            )

    @retry_on_disconnect
    def list(self, subject: str) -> list[InvitationInfo]:
        """Return the invitations to a subject, oldest first."""
        with self._pool.connection() as connection:
            rows = connection.execute(
                f"{_LISTED} WHERE i.subject = %s ORDER BY i.made_at, i.id", (subject,)
            ).fetchall()
        return [InvitationInfo(*row) for row in rows]

    @retry_on_disconnect
    def get(self, subject: str, invitation: str) -> InvitationInfo:
        """Return one invitation. Raises :class:`UnknownInvitation`."""
        with self._pool.connection() as connection:
            row = connection.execute(
                f"{_LISTED} WHERE i.subject = %s AND i.id = %s", (subject, invitation)
            ).fetchone()
        if row is None:
            raise UnknownInvitation
        return InvitationInfo(*row)

    def revoke(self, subject: str, invitation: str) -> None:
        """Revoke an invitation; those who have used it stay. Raises :class:`UnknownInvitation`."""
        self.get(subject, invitation)
        self._delete(subject, invitation)

    @retry_on_disconnect
    def _delete(self, subject: str, invitation: str) -> None:
        with self._pool.connection() as connection, connection.transaction():
            delete_invitations(connection, "subject = %s AND id = %s", (subject, invitation))

    @retry_on_disconnect
    def find(self, subject: str, secret: str) -> PresentedInvitation | None:
        """Return the invitation with this secret, valid or no longer; None where there is none."""
        if not is_well_formed(secret, INVITATION_PREFIX):
            return None
        with self._pool.connection() as connection:
            row = connection.execute(
                "SELECT id::text, seat FROM invitation WHERE subject = %s AND hash = %s",
                (subject, hash_token(secret)),
            ).fetchone()
        return PresentedInvitation(subject, *row) if row else None

    @retry_on_disconnect
    def find_valid(self, secret: str, now: str) -> ValidInvitation | None:
        """Return the invitation with this secret, wherever it leads; None if it cannot be used at *now*."""
        if not is_well_formed(secret, INVITATION_PREFIX):
            return None
        with self._pool.connection() as connection:
            row = connection.execute(
                "SELECT i.subject::text, i.account_id::text FROM invitation i"  # noqa: S608 - constants
                f" WHERE i.hash = %s AND i.expires_at > %s AND ({_USED}) < i.uses",
                (hash_token(secret), now),
            ).fetchone()
        return ValidInvitation(*row) if row else None

    @retry_on_disconnect
    def use(self, held: PresentedInvitation, claim: str, now: str) -> None:
        """Use an invitation for the seat that *claim* is to take. Raises as :func:`use_invitation` does."""
        with self._pool.connection() as connection, connection.transaction():
            use_invitation(connection, held, claim, now, settled=False)

    @retry_on_disconnect
    def give_back(self, held: PresentedInvitation, claim: str) -> None:
        """Give a use back after a refused request, unless an event names *claim*."""
        with self._pool.connection() as connection:
            connection.execute(
                "UPDATE invitation_use SET used_at = '-infinity'"
                " WHERE subject = %s AND invitation = %s AND claim = %s",
                (held.subject, held.id, claim),
            )


def use_invitation(
    connection: Connection[Any], held: PresentedInvitation, claim: str, now: str, *, settled: bool
) -> None:
    """Use an invitation within the transaction of *connection*, see :meth:`Invitations.use`.

    Raises :class:`InvalidInvitation`, and StoreError: `invitation_expired`, `invitation_spent`.
    """
    row = connection.execute(
        "SELECT uses, expires_at <= %s FROM invitation WHERE subject = %s AND id = %s FOR UPDATE",
        (now, held.subject, held.id),
    ).fetchone()
    if row is None:
        raise InvalidInvitation
    uses, expired = row
    if expired:
        raise StoreError("invitation_expired", "This invitation has expired. Ask for another one.")
    others = connection.execute(
        f"SELECT ({_USED} AND u.claim <> %s) FROM invitation i WHERE i.subject = %s AND i.id = %s",  # noqa: S608 - constants
        (claim, held.subject, held.id),
    ).fetchone()
    if others is not None and others[0] >= uses:
        detail = "This invitation has no uses left. Ask for another one."
        raise StoreError("invitation_spent", detail)
    connection.execute(
        "INSERT INTO invitation_use (subject, invitation, claim, settled) VALUES (%s, %s, %s, %s)"
        " ON CONFLICT (subject, invitation, claim) DO UPDATE SET used_at = EXCLUDED.used_at",
        (held.subject, held.id, claim, settled),
    )


def delete_invitations(connection: Connection[Any], which: LiteralString, values: Sequence[Any]) -> None:
    """Delete the invitations that match a condition, with their uses.

    It runs in the transaction of *connection*. The invitations go first: a request that would use one waits
    for its row, and finds none.
    """
    gone = connection.execute(
        f"DELETE FROM invitation WHERE {which} RETURNING subject, id",  # noqa: S608 - a constant
        values,
    ).fetchall()
    if gone:
        subjects, ids = zip(*gone, strict=True)
        connection.execute(
            "DELETE FROM invitation_use WHERE subject = ANY (%s) AND invitation = ANY (%s)",
            (list(subjects), list(ids)),
        )


def _check_quota(connection: Connection[Any], subject: str, now: str) -> None:
    """Delete expired invitations; raise StoreError `too_many_invitations` if MAX_INVITATIONS are left."""
    connection.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", (subject,))  # one at a time
    delete_invitations(connection, "subject = %s AND expires_at <= %s", (subject, now))
    row = connection.execute("SELECT count(*) FROM invitation WHERE subject = %s", (subject,)).fetchone()
    if row is not None and row[0] >= MAX_INVITATIONS:
        detail = f"There are {MAX_INVITATIONS} valid invitations already, the most allowed. Revoke one first."
        raise StoreError("too_many_invitations", detail)


class InvalidInvitation(StoreError):
    """The invitation shown is unknown, or is for something else."""

    def __init__(self) -> None:
        detail = "This invitation is not valid here. Check it for typing errors, or ask for another one."
        super().__init__("invitation_unknown", detail)


class UnknownInvitation(StoreError):
    """There is no invitation of that id to this subject."""

    def __init__(self) -> None:
        detail = "There is no invitation with this id. GET .../invitations lists them."
        super().__init__("unknown_invitation", detail)
