"""Clubs: people who play among themselves. Ordinary rows that can be erased; no event names a club."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from psycopg import Connection

from events.store.event_log import Pool
from events.store.games import CommandReused, new_id
from service import invitations
from service.access import Opened
from service.accounts import COLUMNS, Account, account_of, unknown_account
from service.invitations import Held, spend
from service.pool import patient
from service.tokens import utc
from service.wire.problems import Problem

Role = Literal["owner", "manager", "member"]
"""Owners say who manages and may end the club; managers say who belongs to it and direct its games."""
MOST = 20
"""Clubs that one account owns."""
MEMBERS = 1000
"""Members of one club."""


class Club(msgspec.Struct, frozen=True):
    """A club as one of its members sees it."""

    id: str
    name: str
    role: Role
    """The one who looks."""
    members: int
    made_at: str


class Member(msgspec.Struct, frozen=True):
    """Somebody who belongs to a club."""

    account: Account
    role: Role
    since: str


class Place(msgspec.Struct, frozen=True):
    """What somebody is in the club whose game this is."""

    role: Role
    director: int | None
    """The number by which the log names the club's managers as directors; None: as the game's maker."""


_CLUB = (
    "SELECT c.id::text, c.name, m.role, (SELECT count(*) FROM club_member o WHERE o.club = c.id),"  # noqa: S608 - constants
    f" {utc('c.made_at')} FROM club c JOIN club_member m ON m.club = c.id"
)
_MEMBER = (
    f"SELECT m.role, {utc('m.since')}, {COLUMNS} FROM club_member m JOIN account a ON a.id = m.account_id"  # noqa: S608 - constants
)


class Clubs:
    """The clubs in the database."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    @patient
    def make(self, account: Account, name: str, club: str) -> None:
        """Make the club of that id, which *account* owns, unless it is there.

        Raises a 409 problem, and CommandReused where it is there under another name.
        """
        with self._pool.connection() as connection, connection.transaction():
            connection.execute("SELECT FROM account WHERE id = %s FOR UPDATE", (account.id,))  # one at a time
            there = connection.execute("SELECT name FROM club WHERE id = %s", (club,)).fetchone()
            if there is not None:
                if there != (name,):
                    raise CommandReused
                return
            row = connection.execute(
                "SELECT count(*) FROM club_member WHERE account_id = %s AND role = 'owner'", (account.id,)
            ).fetchone()
            if row is not None and row[0] >= MOST:
                detail = f"An account owns at most {MOST} clubs. Delete one of them, or give it away."
                raise Problem(409, "too_many_clubs", detail)
            connection.execute("INSERT INTO club (id, name) VALUES (%s, %s)", (club, name))
            connection.execute(
                "INSERT INTO club_member (club, account_id, role) VALUES (%s, %s, 'owner')",
                (club, account.id),
            )

    @patient
    def of_member(self, club: str, account: Account) -> Club:
        """The club of that id, as its member *account* sees it. Raises a 404 problem for all others."""
        with self._pool.connection() as connection:
            row = connection.execute(
                f"{_CLUB} WHERE c.id = %s AND m.account_id = %s", (club, account.id)
            ).fetchone()
        if row is None:
            raise unknown_club()
        return Club(*row)

    @patient
    def of_account(self, account: Account) -> list[Club]:
        """The clubs that *account* belongs to, oldest first."""
        with self._pool.connection() as connection:
            rows = connection.execute(
                f"{_CLUB} WHERE m.account_id = %s ORDER BY c.made_at, c.id", (account.id,)
            ).fetchall()
        return [Club(*row) for row in rows]

    @patient
    def delete(self, club: str, by: Account) -> None:
        """End a club. Its games stay to those who sit in them, made or direct them. Raises a 403 problem."""
        with self._pool.connection() as connection, connection.transaction():
            row = connection.execute(
                "SELECT role FROM club_member WHERE club = %s AND account_id = %s FOR UPDATE", (club, by.id)
            ).fetchone()
            if row is None:  # only the answer of the database was lost
                return
            if row[0] != "owner":
                raise _not_a_manager("Only an owner of this club may delete it.")
            erase(connection, club)

    @patient
    def members(self, club: str) -> list[Member]:
        """Who belongs to it, for the longest time first."""
        with self._pool.connection() as connection:
            rows = connection.execute(
                f"{_MEMBER} WHERE m.club = %s ORDER BY m.since, m.account_id", (club,)
            ).fetchall()
        return [_member(row) for row in rows]

    @patient
    def member(self, club: str, account_id: str) -> Member:
        """One of them. Raises a 404 problem."""
        with self._pool.connection() as connection:
            row = connection.execute(
                f"{_MEMBER} WHERE m.club = %s AND m.account_id = %s", (club, account_id)
            ).fetchone()
        if row is None:
            raise unknown_account()
        return _member(row)

    @patient
    def put(self, club: str, by: Account, account_id: str, role: Role) -> None:
        """Give an account that *role* in the club; *by* does it. Raises 403, 404 and 409 problems."""
        with self._pool.connection() as connection, connection.transaction():
            roles = _roles(connection, club)
            before = roles.get(account_id)
            _check_may(roles.get(by.id), before, role)
            _check_last_owner(roles, account_id, role)
            if before is None and len(roles) >= MEMBERS:
                raise _full()
            if connection.execute("SELECT FROM account WHERE id = %s", (account_id,)).fetchone() is None:
                raise unknown_account()
            _enter(connection, club, account_id, role)

    def remove(self, club: str, by: Account, account_id: str) -> None:
        """Somebody belongs to the club no more; everybody may go himself. Raises 403, 404, 409 problems."""
        self.member(club, account_id)
        self._remove(club, by, account_id)

    @patient
    def _remove(self, club: str, by: Account, account_id: str) -> None:
        with self._pool.connection() as connection, connection.transaction():
            roles = _roles(connection, club)
            before = roles.get(account_id)
            if before is None:  # only the answer of the database was lost
                return
            if by.id != account_id:
                _check_may(roles.get(by.id), before, before)
            _check_last_owner(roles, account_id, None)
            connection.execute(
                "DELETE FROM club_member WHERE club = %s AND account_id = %s", (club, account_id)
            )

    @patient
    def join(self, held: Held, account: Account, now: str) -> None:
        """Become a member by an invitation; who is one already uses nothing. Raises 403 and 409 problems."""
        with self._pool.connection() as connection, connection.transaction():
            roles = _roles(connection, held.subject)
            if account.id in roles:
                return
            spend(connection, held, new_id(), now, settled=True)
            if len(roles) >= MEMBERS:
                raise _full()
            _enter(connection, held.subject, account.id, "member")

    @patient
    def settle(self, game_id: str, claim: str, club: str, director: int | None) -> None:
        """The game that an event of the command id *claim* opens is the club's."""
        with self._pool.connection() as connection:
            connection.execute(
                "INSERT INTO club_game (game_id, claim, club, director) VALUES (%s, %s, %s, %s)"
                " ON CONFLICT DO NOTHING",
                (game_id, claim, club, director),
            )

    def place(self, game: Opened, account: Account) -> Place | None:
        """What *account* is in the club whose game this is; None where it is nobody's, or not his club's."""
        found = self._membership(game, account)
        return Place(*found[1:]) if found else None

    @patient
    def people_of(self, stream: Opened) -> frozenset[str]:
        """The accounts of the club whose game or tournament it is; nobody where it is no club's."""
        with self._pool.connection() as connection:
            club = connection.execute(
                "SELECT club FROM club_game WHERE game_id = %s AND claim = %s", (stream.id, stream.opened)
            ).fetchone()
            rows = connection.execute(
                "SELECT account_id::text FROM club_member WHERE club = %s", club or (None,)
            )
            return frozenset(account for (account,) in rows)

    def of_stream(self, stream: Opened, account: Account | None) -> str | None:
        """The club whose game or tournament it is, as far as *account* may know: one of its members."""
        found = self._membership(stream, account) if account else None
        return found[0] if found else None

    @patient
    def _membership(self, stream: Opened, account: Account) -> tuple[str, Role, int | None] | None:
        """The club of a stream of which *account* is a member, his role, and the number of its director."""
        with self._pool.connection() as connection:
            return connection.execute(
                "SELECT g.club::text, m.role, g.director FROM club_game g"
                " JOIN (SELECT club, role FROM club_member WHERE account_id = %s) m ON m.club = g.club"
                " WHERE g.game_id = %s AND g.claim = %s",
                (account.id, stream.id, stream.opened),
            ).fetchone()


def erase(connection: Connection[Any], club: str) -> None:
    """Delete all rows of a club within the transaction of *connection*."""
    connection.execute("DELETE FROM club_game WHERE club = %s", (club,))
    invitations.delete(connection, "subject = %s", (club,))
    connection.execute("DELETE FROM club WHERE id = %s", (club,))


def forget_member(connection: Connection[Any], account_id: str) -> None:
    """Take an account out of all clubs; of those that it owned alone the longest-serving next in rank is
    owner, and those where nobody else is are deleted.
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
            erase(connection, club)


def _roles(connection: Connection[Any], club: str) -> dict[str, Role]:
    """By account what it is in the club, which is held until the end of the transaction. Raises 404."""
    if connection.execute("SELECT FROM club WHERE id = %s FOR UPDATE", (club,)).fetchone() is None:
        raise unknown_club()
    rows = connection.execute(
        "SELECT account_id::text, role FROM club_member WHERE club = %s", (club,)
    ).fetchall()
    return dict(rows)


def _enter(connection: Connection[Any], club: str, account_id: str, role: Role) -> None:
    connection.execute(
        "INSERT INTO club_member (club, account_id, role) VALUES (%s, %s, %s)"
        " ON CONFLICT (club, account_id) DO UPDATE SET role = excluded.role",
        (club, account_id, role),
    )


def insist_on_managing(role: Role | None) -> None:
    """Raise a 403 problem for who neither manages nor owns the club."""
    if role not in ("manager", "owner"):
        raise _not_a_manager("Only a manager or an owner of this club may do that.")


def _check_may(by: Role | None, before: Role | None, after: Role) -> None:
    """Managers let members in and out; only an owner says who manages. Raises 403 problems."""
    insist_on_managing(by)
    if by != "owner" and {before, after} - {None, "member"}:
        raise _not_a_manager("Only an owner of this club says who manages it.")


def _check_last_owner(roles: dict[str, Role], account_id: str, after: Role | None) -> None:
    owners = [one for one, role in roles.items() if role == "owner"]
    if owners == [account_id] and after != "owner":
        detail = "A club has an owner. Make somebody else one first, or delete the club."
        raise Problem(409, "last_owner", detail)


def _not_a_manager(detail: str) -> Problem:
    return Problem(403, "not_a_manager", detail)


def _full() -> Problem:
    return Problem(409, "full", f"A club has at most {MEMBERS} members.")


def _member(row: tuple[Any, ...]) -> Member:
    role, since, *account = row
    return Member(account_of(account), role, since)


def unknown_club() -> Problem:
    """There is no such club, or not for whoever asks."""
    detail = "There is no club of this id to which you belong. GET /v1/clubs lists yours."
    return Problem(404, "unknown_club", detail)
