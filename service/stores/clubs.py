"""Clubs: people who play among themselves. Ordinary rows that can be erased; no event names a club."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from psycopg import Connection

from events.store.event_log import Pool
from events.store.games import CommandReused, new_id
from service.base.database import retry_on_disconnect
from service.http.problems import Problem
from service.stores import invitations
from service.stores.accounts import ACCOUNT_COLUMNS, Account, read_account, unknown_account_problem
from service.stores.invitations import PresentedInvitation, use_invitation
from service.stores.stream_visibility import GameOrTournament
from service.stores.tokens import format_utc

ClubRole = Literal["owner", "manager", "member"]
"""Owners say who manages and may end the club; managers say who belongs to it and direct its games."""
MAX_OWNED_CLUBS = 20
"""Clubs that one account owns."""
MAX_MEMBERS = 1000
"""Members of one club."""


class Club(msgspec.Struct, frozen=True):
    """A club as one of its members sees it."""

    id: str
    name: str
    role: ClubRole
    """The one who looks."""
    members: int
    made_at: str


class Member(msgspec.Struct, frozen=True):
    """Somebody who belongs to a club."""

    account: Account
    role: ClubRole
    since: str


class ClubPosition(msgspec.Struct, frozen=True):
    """What somebody is in the club whose game this is."""

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
            if row is not None and row[0] >= MAX_OWNED_CLUBS:
                detail = (
                    f"An account owns at most {MAX_OWNED_CLUBS} clubs. Delete one of them, or give it away."
                )
                raise Problem(409, "too_many_clubs", detail)
            connection.execute("INSERT INTO club (id, name) VALUES (%s, %s)", (club, name))
            connection.execute(
                "INSERT INTO club_member (club, account_id, role) VALUES (%s, %s, 'owner')",
                (club, account.id),
            )

    @retry_on_disconnect
    def get_for_member(self, club: str, account: Account) -> Club:
        """The club of that id, as its member *account* sees it. Raises a 404 problem for all others."""
        with self._pool.connection() as connection:
            row = connection.execute(
                f"{_CLUB} WHERE c.id = %s AND m.account_id = %s", (club, account.id)
            ).fetchone()
        if row is None:
            raise unknown_club_problem()
        return Club(*row)

    @retry_on_disconnect
    def list_for_account(self, account: Account) -> list[Club]:
        """The clubs that *account* belongs to, oldest first."""
        with self._pool.connection() as connection:
            rows = connection.execute(
                f"{_CLUB} WHERE m.account_id = %s ORDER BY c.made_at, c.id", (account.id,)
            ).fetchall()
        return [Club(*row) for row in rows]

    @retry_on_disconnect
    def delete(self, club: str, by: Account) -> None:
        """End a club. Its games stay to those who sit in them, made or direct them. Raises a 403 problem."""
        with self._pool.connection() as connection, connection.transaction():
            row = connection.execute(
                "SELECT role FROM club_member WHERE club = %s AND account_id = %s FOR UPDATE", (club, by.id)
            ).fetchone()
            if row is None:  # only the answer of the database was lost
                return
            if row[0] != "owner":
                raise _not_a_manager_problem("Only an owner of this club may delete it.")
            delete_club_rows(connection, club)

    @retry_on_disconnect
    def members(self, club: str) -> list[Member]:
        """Who belongs to it, for the longest time first."""
        with self._pool.connection() as connection:
            rows = connection.execute(
                f"{_MEMBER} WHERE m.club = %s ORDER BY m.since, m.account_id", (club,)
            ).fetchall()
        return [_read_member(row) for row in rows]

    @retry_on_disconnect
    def member(self, club: str, account_id: str) -> Member:
        """One of them. Raises a 404 problem."""
        with self._pool.connection() as connection:
            row = connection.execute(
                f"{_MEMBER} WHERE m.club = %s AND m.account_id = %s", (club, account_id)
            ).fetchone()
        if row is None:
            raise unknown_account_problem()
        return _read_member(row)

    @retry_on_disconnect
    def put(self, club: str, by: Account, account_id: str, role: ClubRole) -> None:
        """Give an account that *role* in the club; *by* does it. Raises 403, 404 and 409 problems."""
        with self._pool.connection() as connection, connection.transaction():
            roles = _lock_roles(connection, club)
            before = roles.get(account_id)
            _check_may_set_role(roles.get(by.id), before, role)
            _check_last_owner(roles, account_id, role)
            if before is None and len(roles) >= MAX_MEMBERS:
                raise _club_full_problem()
            if connection.execute("SELECT FROM account WHERE id = %s", (account_id,)).fetchone() is None:
                raise unknown_account_problem()
            _write_member(connection, club, account_id, role)

    def remove(self, club: str, by: Account, account_id: str) -> None:
        """Somebody belongs to the club no more; everybody may go himself. Raises 403, 404, 409 problems."""
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
        """Become a member by an invitation; who is one already uses nothing. Raises 403 and 409 problems."""
        with self._pool.connection() as connection, connection.transaction():
            roles = _lock_roles(connection, held.subject)
            if account.id in roles:
                return
            use_invitation(connection, held, new_id(), now, settled=True)
            if len(roles) >= MAX_MEMBERS:
                raise _club_full_problem()
            _write_member(connection, held.subject, account.id, "member")

    @retry_on_disconnect
    def assign_game(self, game_id: str, claim: str, club: str, director: int | None) -> None:
        """The game that an event of the command id *claim* opens is the club's."""
        with self._pool.connection() as connection:
            connection.execute(
                "INSERT INTO club_game (game_id, claim, club, director) VALUES (%s, %s, %s, %s)"
                " ON CONFLICT DO NOTHING",
                (game_id, claim, club, director),
            )

    def find_position(self, game: GameOrTournament, account: Account) -> ClubPosition | None:
        """What *account* is in the club whose game this is; None where it is nobody's, or not his club's."""
        found = self._find_membership(game, account)
        return ClubPosition(*found[1:]) if found else None

    @retry_on_disconnect
    def member_ids_of(self, stream: GameOrTournament) -> frozenset[str]:
        """The accounts of the club whose game or tournament it is; nobody where it is no club's."""
        with self._pool.connection() as connection:
            club = connection.execute(
                "SELECT club FROM club_game WHERE game_id = %s AND claim = %s", (stream.id, stream.opened)
            ).fetchone()
            rows = connection.execute(
                "SELECT account_id::text FROM club_member WHERE club = %s", club or (None,)
            )
            return frozenset(account for (account,) in rows)

    def find_club_id(self, stream: GameOrTournament, account: Account | None) -> str | None:
        """The club whose game or tournament it is, as far as *account* may know: one of its members."""
        found = self._find_membership(stream, account) if account else None
        return found[0] if found else None

    @retry_on_disconnect
    def _find_membership(
        self, stream: GameOrTournament, account: Account
    ) -> tuple[str, ClubRole, int | None] | None:
        """The club of a stream of which *account* is a member, his role, and the number of its director."""
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
            delete_club_rows(connection, club)


def _lock_roles(connection: Connection[Any], club: str) -> dict[str, ClubRole]:
    """By account what it is in the club, which is held until the end of the transaction. Raises 404."""
    if connection.execute("SELECT FROM club WHERE id = %s FOR UPDATE", (club,)).fetchone() is None:
        raise unknown_club_problem()
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
    """Raise a 403 problem for who neither manages nor owns the club."""
    if role not in ("manager", "owner"):
        raise _not_a_manager_problem("Only a manager or an owner of this club may do that.")


def _check_may_set_role(by: ClubRole | None, before: ClubRole | None, after: ClubRole) -> None:
    """Managers let members in and out; only an owner says who manages. Raises 403 problems."""
    require_manager(by)
    if by != "owner" and {before, after} - {None, "member"}:
        raise _not_a_manager_problem("Only an owner of this club says who manages it.")


def _check_last_owner(roles: dict[str, ClubRole], account_id: str, after: ClubRole | None) -> None:
    owners = [one for one, role in roles.items() if role == "owner"]
    if owners == [account_id] and after != "owner":
        detail = "A club has an owner. Make somebody else one first, or delete the club."
        raise Problem(409, "last_owner", detail)


def _not_a_manager_problem(detail: str) -> Problem:
    return Problem(403, "not_a_manager", detail)


def _club_full_problem() -> Problem:
    return Problem(409, "full", f"A club has at most {MAX_MEMBERS} members.")


def _read_member(row: tuple[Any, ...]) -> Member:
    role, since, *account = row
    return Member(read_account(account), role, since)


def unknown_club_problem() -> Problem:
    """There is no such club, or not for whoever asks."""
    detail = "There is no club of this id to which you belong. GET /v1/clubs lists yours."
    return Problem(404, "unknown_club", detail)
