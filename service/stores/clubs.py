"""Clubs: people who play among themselves. Ordinary rows that can be erased; no event names a club."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from psycopg import Connection

from events.store.event_log import Pool
from events.store.games import ReusedKey, new_id
from service.base.database import format_utc, retry_on_disconnect
from service.base.people import Account
from service.base.store_error import StoreError
from service.stores import invitations
from service.stores.accounts import ACCOUNT_COLUMNS, UnknownAccount, read_account
from service.stores.invitations import PresentedInvitation, use_invitation
from service.stores.stream_visibility import GameOrTournament

ClubRole = Literal["owner", "manager", "member"]
"""Owners say who manages and may end the club; managers say who belongs to it and direct its games."""
MAX_OWNED_CLUBS = 20
"""The most clubs that one account owns."""
MAX_MEMBERS = 1000
"""The most members of one club."""


class Club(msgspec.Struct, frozen=True):
    """A club as one of its members sees it."""

    id: str
    name: str
    role: ClubRole
    """The role of the member who asks."""
    members: int
    made_at: str


class Member(msgspec.Struct, frozen=True):
    """A member of a club."""

    account: Account
    role: ClubRole
    since: str


class ClubPosition(msgspec.Struct, frozen=True):
    """The role of an account in the club that a game belongs to."""

    role: ClubRole
    director: int | None
    """The number by which the log names the club's managers as directors; None: as the game's maker."""


_CLUB = (
    "SELECT c.id::text, c.name, m.role, (SELECT count(*) FROM club_member o WHERE o.club = c.id),"  # noqa: S608 - constants
    f" {format_utc('c.made_at')} FROM club c JOIN club_member m ON m.club = c.id"
)
_MEMBER = (
    f"SELECT m.role, {format_utc('m.since')}, {ACCOUNT_COLUMNS}"  # noqa: S608 - constants
    " FROM club_member m JOIN account a ON a.id = m.account_id"
)


class Clubs:
    """The clubs in the database."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    @retry_on_disconnect
    def make(self, account: Account, name: str, club: str) -> None:
        """Make the club of that id, which *account* owns, unless it is there.

        Raises StoreError `too_many_clubs`, and ReusedKey where it is there under another name.
        """
        with self._pool.connection() as connection, connection.transaction():
            connection.execute(
                "SELECT 1 FROM account WHERE id = %s FOR UPDATE", (account.id,)
            )  # one at a time
            there = connection.execute("SELECT name FROM club WHERE id = %s", (club,)).fetchone()
            if there is not None:
                if there != (name,):
                    raise ReusedKey
                return
            row = connection.execute(
                "SELECT count(*) FROM club_member WHERE account_id = %s AND role = 'owner'", (account.id,)
            ).fetchone()
            if row is not None and row[0] >= MAX_OWNED_CLUBS:
                detail = (
                    f"An account owns at most {MAX_OWNED_CLUBS} clubs. Delete one first, or make"
                    f" another member its owner."
                )
                raise StoreError("too_many_clubs", detail)
            connection.execute("INSERT INTO club (id, name) VALUES (%s, %s)", (club, name))
            connection.execute(
                "INSERT INTO club_member (club, account_id, role) VALUES (%s, %s, 'owner')",
                (club, account.id),
            )

    @retry_on_disconnect
    def get_for_member(self, club: str, account: Account) -> Club:
        """Return the club of that id as its member *account* sees it. Raises UnknownClub for others."""
        with self._pool.connection() as connection:
            row = connection.execute(
                f"{_CLUB} WHERE c.id = %s AND m.account_id = %s", (club, account.id)
            ).fetchone()
        if row is None:
            raise UnknownClub
        return Club(*row)

    @retry_on_disconnect
    def list_for_account(self, account: Account) -> list[Club]:
        """Return the clubs that *account* belongs to, oldest first."""
        with self._pool.connection() as connection:
            rows = connection.execute(
                f"{_CLUB} WHERE m.account_id = %s ORDER BY c.made_at, c.id", (account.id,)
            ).fetchall()
        return [Club(*row) for row in rows]

    @retry_on_disconnect
    def delete(self, club: str, by: Account) -> None:
        """Delete a club; its games stay with players, makers and directors. Raises MissingManagerRole."""
        with self._pool.connection() as connection, connection.transaction():
            row = connection.execute(
                "SELECT role FROM club_member WHERE club = %s AND account_id = %s FOR UPDATE", (club, by.id)
            ).fetchone()
            if row is None:  # only the answer of the database was lost
                return
            if row[0] != "owner":
                raise MissingManagerRole("Only an owner of this club may delete it. Ask an owner.")
            delete_club_rows(connection, club)

    @retry_on_disconnect
    def members(self, club: str) -> list[Member]:
        """Return the members of a club, the longest-standing first."""
        with self._pool.connection() as connection:
            rows = connection.execute(
                f"{_MEMBER} WHERE m.club = %s ORDER BY m.since, m.account_id", (club,)
            ).fetchall()
        return [_read_member(row) for row in rows]

    @retry_on_disconnect
    def member(self, club: str, account_id: str) -> Member:
        """Return one member of a club. Raises UnknownAccount."""
        with self._pool.connection() as connection:
            row = connection.execute(
                f"{_MEMBER} WHERE m.club = %s AND m.account_id = %s", (club, account_id)
            ).fetchone()
        if row is None:
            raise UnknownAccount
        return _read_member(row)

    @retry_on_disconnect
    def put(self, club: str, by: Account, account_id: str, role: ClubRole) -> None:
        """Give an account a *role* in the club, on behalf of *by*.

        Raises :class:`UnknownClub`, UnknownAccount, MissingManagerRole, :class:`FullClub`, and StoreError
        `last_owner`.
        """
        with self._pool.connection() as connection, connection.transaction():
            roles = _lock_roles(connection, club)
            before = roles.get(account_id)
            _check_may_set_role(roles.get(by.id), before, role)
            _check_last_owner(roles, account_id, role)
            if before is None and len(roles) >= MAX_MEMBERS:
                raise FullClub
            if connection.execute("SELECT 1 FROM account WHERE id = %s", (account_id,)).fetchone() is None:
                raise UnknownAccount
            _write_member(connection, club, account_id, role)

    def remove(self, club: str, by: Account, account_id: str) -> None:
        """Remove a member from a club; any member may remove themselves.

        Raises UnknownAccount, :class:`MissingManagerRole`, and StoreError `last_owner`.
        """
        self.member(club, account_id)
        self._remove(club, by, account_id)

    @retry_on_disconnect
    def _remove(self, club: str, by: Account, account_id: str) -> None:
        with self._pool.connection() as connection, connection.transaction():
            roles = _lock_roles(connection, club)
            before = roles.get(account_id)
            if before is None:  # only the answer of the database was lost
                return
            if by.id != account_id:
                _check_may_set_role(roles.get(by.id), before, before)
            _check_last_owner(roles, account_id, None)
            connection.execute(
                "DELETE FROM club_member WHERE club = %s AND account_id = %s", (club, account_id)
            )

    @retry_on_disconnect
    def join(self, held: PresentedInvitation, account: Account, now: str) -> None:
        """Add a member by an invitation, which a present member does not use up.

        Raises :class:`FullClub`, and what :func:`use_invitation` raises.
        """
        with self._pool.connection() as connection, connection.transaction():
            roles = _lock_roles(connection, held.subject)
            if account.id in roles:
                return
            use_invitation(connection, held, new_id(), now, settled=True)
            if len(roles) >= MAX_MEMBERS:
                raise FullClub
            _write_member(connection, held.subject, account.id, "member")

    @retry_on_disconnect
    def assign_game(self, game_id: str, claim: str, club: str, director: int | None) -> None:
        """Assign to the club the game that an event of the command id *claim* opens."""
        with self._pool.connection() as connection:
            connection.execute(
                "INSERT INTO club_game (game_id, claim, club, director) VALUES (%s, %s, %s, %s)"
                " ON CONFLICT DO NOTHING",
                (game_id, claim, club, director),
            )

    def find_position(self, game: GameOrTournament, account: Account) -> ClubPosition | None:
        """Return the role of *account* in the club of a game; None without a club or outside of it."""
        found = self._find_membership(game, account)
        return ClubPosition(*found[1:]) if found else None

    @retry_on_disconnect
    def member_ids_of(self, stream: GameOrTournament) -> frozenset[str]:
        """Return the member ids of the club that a game or tournament belongs to; none without a club."""
        with self._pool.connection() as connection:
            club = connection.execute(
                "SELECT club FROM club_game WHERE game_id = %s AND claim = %s", (stream.id, stream.opened)
            ).fetchone()
            rows = connection.execute(
                "SELECT account_id::text FROM club_member WHERE club = %s", club or (None,)
            )
            return frozenset(account for (account,) in rows)

    def find_club_id(self, stream: GameOrTournament, account: Account | None) -> str | None:
        """Return the id of the club of a game or tournament if *account* is a member; else None."""
        found = self._find_membership(stream, account) if account else None
        return found[0] if found else None

    @retry_on_disconnect
    def _find_membership(
        self, stream: GameOrTournament, account: Account
    ) -> tuple[str, ClubRole, int | None] | None:
        """Return the club of a stream, the role of its member *account*, and the number of its director.

        None if it is no club's, or *account* is no member.
        """
        with self._pool.connection() as connection:
            return connection.execute(
                "SELECT g.club::text, m.role, g.director FROM club_game g"
                " JOIN (SELECT club, role FROM club_member WHERE account_id = %s) m ON m.club = g.club"
                " WHERE g.game_id = %s AND g.claim = %s",
                (account.id, stream.id, stream.opened),
            ).fetchone()


def delete_club_rows(connection: Connection[Any], club: str) -> None:
    """Delete all rows of a club within the transaction of *connection*."""
    connection.execute("DELETE FROM club_game WHERE club = %s", (club,))
    invitations.delete_invitations(connection, "subject = %s", (club,))
    connection.execute("DELETE FROM club WHERE id = %s", (club,))


def remove_from_all_clubs(connection: Connection[Any], account_id: str) -> None:
    """Remove an account from all clubs.

    In clubs that it owned alone the longest-standing member of the next rank becomes owner. Clubs without
    other members are deleted.
    """
    owned = connection.execute(
        "SELECT m.club::text FROM club_member m WHERE m.account_id = %s AND m.role = 'owner' AND NOT EXISTS"
        " (SELECT FROM club_member o WHERE o.club = m.club AND o.role = 'owner'"
        " AND o.account_id <> m.account_id)",
        (account_id,),
    ).fetchall()
    connection.execute("DELETE FROM club_member WHERE account_id = %s", (account_id,))
    for (club,) in owned:
        heir = connection.execute(
            "UPDATE club_member SET role = 'owner' WHERE club = %(club)s AND account_id ="
            " (SELECT account_id FROM club_member WHERE club = %(club)s"
            " ORDER BY role <> 'manager', since, account_id LIMIT 1)",
            {"club": club},
        ).rowcount
        if not heir:
            delete_club_rows(connection, club)


def _lock_roles(connection: Connection[Any], club: str) -> dict[str, ClubRole]:
    """Return the roles in a club by account, and lock it until the transaction ends. Raises UnknownClub."""
    if connection.execute("SELECT 1 FROM club WHERE id = %s FOR UPDATE", (club,)).fetchone() is None:
        raise UnknownClub
    rows = connection.execute(
        "SELECT account_id::text, role FROM club_member WHERE club = %s", (club,)
    ).fetchall()
    return dict(rows)


def _write_member(connection: Connection[Any], club: str, account_id: str, role: ClubRole) -> None:
    connection.execute(
        "INSERT INTO club_member (club, account_id, role) VALUES (%s, %s, %s)"
        " ON CONFLICT (club, account_id) DO UPDATE SET role = excluded.role",
        (club, account_id, role),
    )


def require_manager(role: ClubRole | None) -> None:
    """Raise :class:`MissingManagerRole` if the account neither manages nor owns the club."""
    if role not in ("manager", "owner"):
        raise MissingManagerRole("Only a manager or an owner of this club may do that. Ask one of them.")


def _check_may_set_role(by: ClubRole | None, before: ClubRole | None, after: ClubRole) -> None:
    """Check that *by* may change a role: managers handle members, owners all. Raises MissingManagerRole."""
    require_manager(by)
    if by != "owner" and {before, after} - {None, "member"}:
        raise MissingManagerRole("Only an owner of this club appoints managers and owners. Ask an owner.")


def _check_last_owner(roles: dict[str, ClubRole], account_id: str, after: ClubRole | None) -> None:
    owners = [one for one, role in roles.items() if role == "owner"]
    if owners == [account_id] and after != "owner":
        detail = "A club needs an owner. Make another member the owner first, or delete the club."
        raise StoreError("last_owner", detail)


class MissingManagerRole(StoreError):
    """The account may not do that in the club."""

    def __init__(self, detail: str) -> None:
        super().__init__("not_a_manager", detail)


class FullClub(StoreError):
    """The club has as many members as it may have."""

    def __init__(self) -> None:
        super().__init__("full", f"A club has at most {MAX_MEMBERS} members. Remove a member first.")


def _read_member(row: tuple[Any, ...]) -> Member:
    role, since, *account = row
    return Member(read_account(account), role, since)


class UnknownClub(StoreError):
    """There is no such club, or none that the account may see."""

    def __init__(self) -> None:
        detail = "You are not a member of a club with this id. GET /v1/clubs lists your clubs."
        super().__init__("unknown_club", detail)
