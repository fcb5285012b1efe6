"""Tournaments: making, finding, entering and running them."""

from __future__ import annotations

from functools import partial
from typing import Any

from flask import Response
from msgspec import to_builtins
from msgspec.structs import replace

from events.rules.fact import Json, type_name
from events.rules.steps import Command, Rejected
from events.store.event_log import VersionConflict
from events.store.games import StaleVersion, new_command_id
from events.store.tournaments import TournamentCommandResult, UnknownTournament
from events.table.record import Record
from events.tournament.command_rules import RULES
from events.tournament.commands import (
    DropDirector,
    Enter,
    NameDirector,
    NameSubstitute,
)
from events.tournament.facts import Effect
from events.tournament.ladder_ratings import name_pool
from events.tournament.rounds import DEFAULT_RATING
from events.tournament.schedule import tables_in_play
from events.tournament.settings import Settings, choose_absence
from events.tournament.state import Tournament
from projections import tournament_claims
from service.api.invitations import (
    EXAMPLES,
    INVITATION_ID,
    create_invitation,
    list_invitations,
    revoke_invitation,
)
from service.application.game_creation import check_id_time, reserve_id
from service.application.queries import tournament_queries
from service.application.request_context import (
    READING,
    CommandRequest,
    browsing_account,
    execute,
    explain_conflict,
    get_services,
    read_command_request,
    require_scopes,
    require_token,
)
from service.application.schemas.command_schemas import make_invitation_field
from service.application.schemas.tournament_schemas import (
    BESIDE_SETTINGS,
    CLIENT_COMMANDS,
    make_new_tournament,
    make_tournament_commands,
)
from service.application.throttling import mark_credential_attempt
from service.application.tournament_context import (
    TOURNAMENT_READING,
    TournamentContext,
    load_earlier_tournament,
    load_tournament_context,
    make_tournament_context,
)
from service.base.people import Account
from service.http import query_strings
from service.http.blueprint import IDEMPOTENCY_KEY, IF_MATCH, TOURNAMENT_ID, Blueprint
from service.http.problems import Problem
from service.http.request_data import build_struct, load_member, load_request, read_body, read_json_body
from service.http.responses import (
    PRIVATE_HEADERS,
    cut_page,
    json_response,
    make_next_address,
    mark_replayed,
    with_etag,
)
from service.openapi import request_structs, tournament_structs
from service.openapi.request_fields import UUID_REGEX
from service.presenters import tournament_presenter
from service.stores.invitations import InvalidInvitation, InvitationRequest
from service.stores.texts import DESCRIPTION_FIELD, NAME_FIELD, TEXT_FIELD

blp = Blueprint("tournaments", __name__, url_prefix="/v1", description="Tournaments.")

ENTER, DIRECT = "tournament:enter", "tournament:direct"
"""The scopes of entrants and of directors."""


@blp.route("/tournaments", methods=["POST"])
@blp.doc(operationId="create_tournament")
@blp.headers(IDEMPOTENCY_KEY)
@blp.body(
    "NewTournament",
    "The title, the size of the tables and the stages; everything else has defaults.",
    examples=request_structs.TOURNAMENTS,
)
@blp.answers(
    201, "Tournament", "The tournament.", Location="The address of the tournament.",
    Idempotency_Replayed="`true` if the request had been carried out before.",
)  # fmt: skip
@blp.problems(400, 401, 403, 409, 413, 415, 422, 503)
def create_tournament() -> Response:
    """Create a tournament, which you own. Needs `tournament:direct`.

    Only `title`, `table` and `stages` are required. Contradictory settings get 422 `invalid_settings`, with
    `errors` by field. People can enter after `open_entry`, or from `entry.opens_at` on. The server commits
    here to all randomness, including that of the games: it can choose nothing after entry closes.

    - `directors` are other accounts with roles: owners appoint others, directors run the tournament,
      assistants warn and add time.
    - `visibility`: everybody sees a `public` tournament; an `unlisted` one needs its id. A `private` one is
      visible to its participants and invited people. The same holds for its games.
    - `club`: the tournament is private to the members of the club.

    With an `id`, or an `Idempotency-Key`, you can repeat the request without creating a second tournament.
    """
    account = require_scopes(DIRECT)
    body = read_json_body()
    loaded = load_request(body, make_new_tournament())
    new = build_struct(loaded, request_structs.NewTournament)
    services = get_services()
    services.receipts.require_signer()
    club = new.club and services.clubs.get_for_member(new.club.lower(), account).id
    if club and new.visibility not in (None, "private"):
        raise Rejected("invalid_terms", "The tournament of a club is always private. Leave `visibility` out.")
    place = reserve_id(services, account, ["tournament", body], new.id)
    claim = services.seat_claims.derive_claim_id(account, place.game_id, place.claimed_by)
    before = _load_previous(place.game_id, claim)
    if before is not None:
        return _make_created_response(before, account, again=True)
    if new.id is not None:
        check_id_time(new.id)
    people = [account.id, *_read_other_directors(new, account)]
    given = _make_settings(loaded, new, partial(_store_text, place.game_id, claim, account))

    def write_rows() -> None:
        services.tournament_people.appoint(place.game_id, claim, people)
        services.visibility.narrow(place.game_id, claim, "private" if club else new.visibility or "public")
        if club:
            services.clubs.assign_game(place.game_id, claim, club, None)

    try:
        state = services.tournaments.create(
            given, tournament_id=place.game_id, command_id=claim, seated=write_rows
        )
    except VersionConflict:  # the same request, sent twice at once
        return _make_created_response(services.tournaments.load(place.game_id), account, again=True)
    return _make_created_response(state, account, again=False)


def _load_previous(tournament: str, claim: str) -> Tournament | None:
    try:
        state = get_services().tournaments.load(tournament)
    except UnknownTournament:
        return None
    if state.opened != claim:
        detail = f"The tournament {tournament} already exists. Choose a new id."
        raise Problem(409, "tournament_known", detail)
    return state


def _read_other_directors(new: request_structs.NewTournament, account: Account) -> list[str]:
    """Return the accounts that direct the tournament besides its maker."""
    named = [one.account.lower() for one in new.directors]
    if len({account.id, *named}) != len(named) + 1:
        raise Rejected(
            "invalid_terms",
            "`directors` names an account twice, or yours. Name each other account once; you are the owner.",
        )
    unknown_accounts = get_services().directors.find_unknown_accounts(named)
    if unknown_accounts:
        raise Problem(
            409, "unknown_account", f"`directors`: there is no account {unknown_accounts[0]}. Check the id."
        )
    return named


def _make_settings(loaded: Json, new: request_structs.NewTournament, keep: Any) -> Json:
    """Return the settings as the log has them: texts as digests, directors by their roles."""
    given = {
        name: value for name, value in loaded.items() if name not in BESIDE_SETTINGS and value is not None
    }
    given["directors"] = [{"role": "owner"}, *({"role": one.role} for one in new.directors)]
    absence = choose_absence(new.table.size, given.get("absence"))
    return _make_recorded_settings({**given, **({"absence": absence} if absence else {})}, keep)


def _make_changed_settings(changes: Json, settings: Settings, keep: Any) -> Json:
    """Return changes of *settings* as the log has them."""
    if changes.keys() & {"absence", "table"}:
        size = changes["table"]["size"] if "table" in changes else settings.table.size
        absence = changes.get("absence", to_builtins(settings.absence))
        changes = {**changes, "absence": choose_absence(size, absence)}
    return _make_recorded_settings(changes, keep)


def _make_recorded_settings(given: Json, keep: Any) -> Json:
    """Return settings, whole or in part, as the log has them: texts as digests."""
    texts = (field for field in (NAME_FIELD, DESCRIPTION_FIELD) if given.get(field) is not None)
    return {**given, **{field: keep(given[field], field) for field in texts}}


def _store_text(tournament: str, cmd: str, account: Account, text: str, field: str) -> str:
    """Store a text; return its digest."""
    services = get_services()
    return services.texts.store(tournament, cmd, account, text, services.seat_claims.claim_key(), field)


def _make_created_response(state: Tournament, account: Account, *, again: bool) -> Response:
    done = get_services().tournaments.find_earlier(state.id, state.opened)
    assert done is not None  # noqa: S101 - a tournament that is there was made
    told = replace(
        present_context(make_tournament_context(get_services(), state.id, account), state),
        receipt=get_services().receipts.sign_command(state.id, done.last),
    )
    headers = {"ETag": f'"{state.seq}"', "Location": f"/v1/tournaments/{state.id}", **PRIVATE_HEADERS}
    answer = json_response(told, 201, headers)
    return mark_replayed(answer) if again else answer


def present_context(found: TournamentContext, state: Tournament) -> tournament_structs.Tournament:
    """Return the tournament after one of its events, as it is shown to the viewer."""
    services = get_services()
    return tournament_presenter.present_tournament(
        state,
        found.state.seq,
        found.part,
        services.tournament_people.accounts(found.newest),
        services.texts.texts_by_digest(state.id),
        services.games.now() if state.seq == found.state.seq else state.at,
        visibility=services.visibility.get(state),
        club=services.clubs.find_club_id(state, found.account),
    )


@blp.route("/tournaments")
@blp.doc(operationId="list_tournaments", security=[{}, {"token": []}])
@blp.query(query_strings.TournamentsQuery)
@blp.answers(200, "TournamentsPage", "Tournaments, newest first.")
@blp.problems(400, 401, 403, 404, 503)
def list_tournaments(query: dict[str, Any]) -> Response:
    """Find tournaments. The list is updated within a moment after each event.

    It lists public tournaments, and those unlisted and private ones that you take part in: these need
    `game:read`, `tournament:enter` or `tournament:direct`. Those of a club need `game:read`.
    """
    who = browsing_account(TOURNAMENT_READING)
    if query["club"]:
        who = require_scopes(*READING)
        get_services().clubs.get_for_member(query["club"], who)
    elif query["mine"]:
        who = who or require_scopes(*READING)
    wanted = tournament_queries.TournamentFilter(**query)
    found = tournament_queries.list_tournaments(get_services(), who, replace(wanted, limit=wanted.limit + 1))
    page, is_more = cut_page(found, wanted.limit)
    more = make_next_address("/v1/tournaments", page[-1].id) if is_more else None
    return json_response(tournament_structs.TournamentsPage(page, more), headers=PRIVATE_HEADERS)


@blp.route("/tournaments/<tournament>", parameters=[TOURNAMENT_ID])
@blp.doc(operationId="get_tournament", security=[{}, {"token": []}])
@blp.query(query_strings.EventQuery)
@blp.answers(
    200, "Tournament", "The tournament.", ETag="The event number of the view and a digest, in quotes."
)
@blp.problems(400, 401, 404, 503)
def get_tournament(query: dict[str, Any], tournament: str) -> Response:
    """Return a tournament as you may see it, now or after any of its events (`at`)."""
    found = load_tournament_context(tournament)
    state = load_earlier_tournament(found, query["at"])
    return with_etag(state.seq, present_context(found, state))


# --- commands ----------------------------------------------------------------------------------------------


@blp.route("/tournaments/<tournament>/commands", methods=["POST"], parameters=[TOURNAMENT_ID])
@blp.doc(operationId="give_tournament_command")
@blp.headers(IDEMPOTENCY_KEY, IF_MATCH)
@blp.body("TournamentCommand", "The command.", examples=request_structs.TOURNAMENT_COMMANDS)
@blp.answers(200, "TournamentHappened", "The events of the command.", ETag="The number of the last event.",
             Idempotency_Replayed="`true` if the command had been carried out before.")  # fmt: skip
@blp.problems(400, 401, 403, 404, 409, 412, 413, 415, 422, 503)
def give_tournament_command(tournament: str) -> Response:
    """Give a command: enter, check in, withdraw; pair, start, rule.

    Entrants need `tournament:enter`, directors `tournament:direct`. With `If-Match: "<seq>"` the command
    counts only on that state. With an `Idempotency-Key` you can repeat it; a UUID (version 4 or 7, in lower
    case) as key becomes the command's id. A `text` is not part of the log, which holds only its digest; it
    can be erased.

    **Contributing to the randomness**: every entrant can commit to 32 random bytes u. The `commitment` is, in
    hex, SHA-256("bg/seat-commit/1" || 0x00 || key || name || 0x00 || u). Here key is the 16 bytes of the
    tournament's id, and name is your name in the log, such as `e7`. Send it as `entrant` with `enter`: 412
    `version_conflict` says that another entrant has this name. For the tournament
    `019a9f00-0000-7000-8000-000000000001`, the name `e7` and u the bytes 00, 01, ... 1f it is
    `039e5ba4819a022f6db4853dbe215f7b8cd0c303ba05f2f1ecc8928bf1a5ddcf`. Keep u, and send it as `contribution`
    with the first `check_in`. If the tournament has no check-in, send it with `reveal` after entry closes. It
    contributes to every game that you play there.
    """
    account = require_token().account
    body = read_json_body()
    invitation = None
    if body.get("type") == type_name(Enter):
        invitation = load_member(body, "invitation", make_invitation_field())
    found = _load_context_to_act(tournament, account, invitation)
    kind = CLIENT_COMMANDS.get(body["type"]) if isinstance(body.get("type"), str) else None
    if kind is None:
        known = ", ".join(CLIENT_COMMANDS)
        raise Problem(
            422, "unknown_command", f"There is no such tournament command. Send one of: {known}.",
            errors={"type": [f"Must be one of: {known}."]},
        )  # fmt: skip
    by = RULES[kind].by
    plays = not {"entrant", "newcomer"}.isdisjoint(by)
    require_scopes(ENTER if plays else DIRECT)
    get_services().receipts.require_signer(found.newest.id)
    asked = read_command_request(
        account, found.newest.id, lambda: get_services().tournaments.load(found.newest.id).seq
    )
    giving = _TournamentRequest(found, asked)
    try:
        done = giving.enter(body) if kind is Enter else giving.give(kind, body, plays=plays)
    except StaleVersion as stale:
        raise explain_conflict(asked, stale.seq) from None
    return _make_happened_response(done)


def _load_context_to_act(tournament: str, account: Account, invitation: str | None) -> TournamentContext:
    """Return the tournament for a command of *account*, and use the *invitation* if one is sent."""
    if invitation is None:
        return load_tournament_context(tournament)
    mark_credential_attempt()
    is_id = UUID_REGEX.fullmatch(tournament) is not None
    found = get_services().invitations.find(tournament.lower(), invitation) if is_id else None
    answer = load_tournament_context(tournament, invited=found is not None)
    if found is None:
        raise InvalidInvitation
    get_services().invitations.use(
        found, _derive_entry_claim(answer.newest.id, account), get_services().games.now()
    )
    return answer


def _derive_entry_claim(tournament: str, account: Account) -> str:
    """Return the claim of *account* to a place among the entrants: one for each account."""
    return get_services().seat_claims.derive_claim_id(account, tournament, "entrant")


class _TournamentRequest:
    """One request to do something in a tournament."""

    def __init__(self, found: TournamentContext, asked: CommandRequest) -> None:
        self.context, self.asked, self.account = found, asked, asked.account
        self.key, self.expected = asked.key, asked.expected
        self.services, self.id = get_services(), found.newest.id

    def enter(self, body: Json) -> TournamentCommandResult:
        """Enter the tournament; sent again with the same key it is the same entry. Raises problems."""
        loaded = load_request(body, make_tournament_commands())
        loaded.pop("invitation", None)  # it has been used
        command = build_struct(loaded, Enter)
        if self.expected is not None and self.expected != self.context.newest.seq:
            raise StaleVersion(self.context.newest.seq)
        claim = _derive_entry_claim(self.id, self.account)
        before = self.services.tournaments.find_earlier(self.id, claim)
        if before is None:
            self._check_eligible()
        first = self.services.tournament_people.claim(
            self.id, claim, self.account, self.key, again=before is not None
        )
        if before is not None and (self.key is None or first != self.key):
            name = before.records[0].envelope().by
            detail = (
                f"You have already entered, as {name}. If you have withdrawn, ask a director to let you"
                f" in again."
            )
            raise Rejected("already_entered", detail)
        return before or self.services.tournaments.enter(self.id, command, command_id=claim)

    def _check_eligible(self) -> None:
        """Raise :class:`Rejected` if the account may not enter, a 403 problem if it is banned."""
        self.services.bans.check(self.account)
        entry = self.context.newest.settings.entry
        if "enter" not in self.context.may:
            raise Rejected(
                "not_invited",
                "Only invited players may enter this tournament. Ask its directors for an `invitation`.",
            )
        if self.account.kind == "service" and not entry.bots:
            raise Rejected(
                "not_eligible", "This tournament does not admit programs. Enter with the account of a person."
            )
        self._check_rating()

    def _check_rating(self) -> None:
        """Raise :class:`Rejected` if the rating is too low or too high; no rating counts as a novice's."""
        settings = self.context.newest.settings
        least, most = settings.entry.rating.least, settings.entry.rating.most
        if least is None and most is None:
            return
        pool = name_pool(settings.title, settings.table.size, settings.clock)
        known = self.services.ratings.list_for_account(self.account.id, self.services.games.now())
        rating = next((one.rating for one in known if one.pool == pool), DEFAULT_RATING)
        if (least is not None and rating < least) or (most is not None and rating > most):
            bounds = f"from {least or 0}" if most is None else f"from {least or 0} to {most}"
            raise Rejected(
                "not_eligible",
                f"This tournament is for ratings {bounds}; yours is {rating}. Choose another tournament.",
            )

    def give(self, kind: type[Command], body: Json, *, plays: bool) -> TournamentCommandResult:
        """Carry out a command under the id that its key chooses, or that follows from it."""
        actor = self._require_entrant() if plays else self._require_director()
        loaded = load_request(body, make_tournament_commands())
        if kind is NameSubstitute:
            self._check_linked(loaded)
        return execute(
            self.asked,
            f"{actor}/{self.account.id}",
            lambda cmd: self._execute(kind, dict(loaded), actor, cmd),
        )

    def _check_linked(self, loaded: Json) -> None:
        """Raise :class:`Rejected` while the game of the table that a command names is being made."""
        state = self.context.newest
        _, table = state.table(loaded.get("round"), loaded["table"])
        if table.game and table.head is None:
            raise Rejected("not_due", "The game of this table is being made. Try again in a moment.")
        self.expected = state.seq if self.expected is None else self.expected

    def _require_entrant(self) -> str:
        if self.context.part.entrant is None:
            raise Rejected("not_entered", "You do not take part in this tournament. Enter it first.")
        return f"e{self.context.part.entrant}"

    def _require_director(self) -> str:
        if self.context.part.director is None:
            raise Problem(
                403, "not_a_director", "Only a director of this tournament may do that. Ask one of them."
            )
        return f"d{self.context.part.director}"

    def _execute(
        self, kind: type[Command], loaded: Json, actor: str, cmd: str | None
    ) -> TournamentCommandResult:
        known = cmd or new_command_id()
        again = cmd is not None and self.services.tournaments.find_earlier(self.id, cmd) is not None
        named = loaded.pop("account", None)
        if named is not None:
            self._check_new_director(named, again=again)
        command = build_struct(self._make_recorded_command(loaded, known), kind)
        if actor.startswith("d"):
            self._check_own_table(command)
        if named is not None:
            self.services.tournament_people.appoint(self.id, known, [named], first=0)
        # Rows beside the log hold by the command that it names: then that is no other one.
        beside = named is not None or loaded.get(TEXT_FIELD) is not None or "changes" in loaded
        done = self.services.tournaments.command(
            self.id,
            actor,
            command,
            expected=self.expected,
            command_id=known if beside or cmd is not None else None,
        )
        self._follow_up(command, done, named)
        return done

    def _check_new_director(self, account: str, *, again: bool) -> None:
        """Raise a 409 problem for an account that there is not, or that is a director already."""
        if self.services.directors.find_unknown_accounts([account]):
            raise Problem(409, "unknown_account", f"There is no account {account}. Check the id.")
        part = self.services.tournament_people.get_participation(self.context.newest, Account(account, ""))
        if part.director is not None and not again:
            raise Problem(
                409,
                "already_answered",
                f"That account is already director d{part.director} here. To change its role, send "
                f"`director` without `account`.",
            )

    def _make_recorded_command(self, loaded: Json, cmd: str) -> Json:
        """Return the command as the log has it: texts as digests."""
        keep = partial(_store_text, self.id, cmd, self.account)
        if "changes" in loaded:
            settings = self.context.newest.settings
            return {**loaded, "changes": _make_changed_settings(loaded["changes"], settings, keep)}
        if loaded.get(TEXT_FIELD) is not None:
            return {**loaded, TEXT_FIELD: keep(loaded[TEXT_FIELD], TEXT_FIELD)}
        return loaded

    def _check_own_table(self, command: Command) -> None:
        """Raise a 403 problem if a director rules about themselves, or a table at which they play."""
        mine = self.context.part.entrant
        if mine is not None and is_about_entrant(self.context.newest, command, mine):
            raise Problem(403, "own_table", "You play at that table yourself. Ask another director to do it.")

    def _follow_up(self, command: Command, done: TournamentCommandResult, named: str | None) -> None:
        """Appoint a new tournament director in the games being played; dismiss one who was dropped."""
        pool = self.services.pool
        for _, table in (
            tables_in_play(done.tournament) if isinstance(command, NameDirector | DropDirector) else ()
        ):
            game = self.services.games.load(table.game)
            if isinstance(command, DropDirector):
                tournament_claims.dismiss_director(pool, game.id, game.opened, int(command.director[1:]))
            elif isinstance(command, NameDirector) and named is not None and command.role != "assistant":
                tournament_claims.appoint_director(pool, game.id, game.opened, done.tournament.named, named)


def is_about_entrant(state: Tournament, command: Command, entrant: int) -> bool:
    """Return True if a director's command is about an entrant, or a table at which they play."""
    told = to_builtins(command)
    name = f"e{entrant}"
    effects: tuple[Effect, ...] = getattr(command, "effects", ())
    parts = [part for effect in effects for part in to_builtins(effect).values() if isinstance(part, dict)]
    dispute = told.get("dispute")
    if dispute is not None and dispute <= len(state.disputes):
        about = state.disputes[dispute - 1]
        parts.append({"table": about.table, "round": about.round})
        if about.by == entrant:
            return True
    if "table" in told:
        parts.append(told)
    return any(_is_part_about_entrant(state, part, entrant, name) for part in parts)


def _is_part_about_entrant(state: Tournament, part: Json, entrant: int, name: str) -> bool:
    if part.get("entrant") == name and "seat" not in part:
        return True
    game = state.of_game(part["game"]) if "game" in part else None
    if game is None and part.get("table") is not None:
        number = part.get("round") or max(1, state.next_round - 1)
        tables = state.rounds[number - 1].tables if number <= len(state.rounds) else ()
        found = next((table for table in tables if table.number == part["table"]), None)
        return found is not None and entrant in (*found.entrants, *found.holders)
    return game is not None and entrant in (*game[1].entrants, *game[1].holders)


def _make_happened_response(done: TournamentCommandResult) -> Response:
    """Return the answer to a command: its events and a receipt."""
    services = get_services()
    texts = services.texts.texts_by_digest(done.tournament.id)
    events: list[Record] = list(done.records)
    answer = json_response(
        {
            "seq": done.seq,
            "events": [tournament_presenter.present_event(record, texts) for record in events],
            "receipt": services.receipts.sign_command(done.tournament.id, done.last),
        },
        headers={"ETag": f'"{done.seq}"', **PRIVATE_HEADERS},
    )
    return mark_replayed(answer) if done.replayed else answer


# --- invitations -------------------------------------------------------------------------------------------


@blp.route("/tournaments/<tournament>/invitations", methods=["POST"], parameters=[TOURNAMENT_ID])
@blp.doc(operationId="invite_to_tournament")
@blp.headers(IDEMPOTENCY_KEY)
@blp.body("Invite", "The number of uses, and the time until it expires.", required=False, examples=EXAMPLES)
@blp.answers(201, "InvitationMade", "The invitation; its secret is shown only once.")
@blp.problems(400, 401, 403, 404, 409, 413, 415, 422, 503)
def invite_to_tournament(tournament: str) -> Response:
    """Make an invitation to a tournament that you run. Needs `tournament:direct`.

    Invited people send it as `invitation` with `enter`. If you repeat the request with its `Idempotency-Key`,
    you get 409 `already_shown` with the `id` to revoke.
    """
    found, account = _require_inviter(tournament)
    new = read_body(request_structs.Invite, required=False)
    return create_invitation(found.newest.id, account, InvitationRequest(new.uses, new.expires_in_ms))


@blp.route("/tournaments/<tournament>/invitations", parameters=[TOURNAMENT_ID])
@blp.doc(operationId="list_invitations_to_tournament")
@blp.answers(200, "InvitationsPage", "The invitations, oldest first.")
@blp.problems(401, 403, 404, 503)
def list_invitations_to_tournament(tournament: str) -> Response:
    """List the invitations to a tournament that you run. Needs `tournament:direct`."""
    found, _ = _require_inviter(tournament)
    return list_invitations(found.newest.id)


@blp.route(
    "/tournaments/<tournament>/invitations/<invitation>",
    methods=["DELETE"],
    parameters=[TOURNAMENT_ID, INVITATION_ID],
)
@blp.doc(operationId="revoke_invitation_to_tournament")
@blp.response(204, description="The invitation is revoked.")
@blp.problems(401, 403, 404, 503)
def revoke_invitation_to_tournament(tournament: str, invitation: str) -> Response:
    """Revoke an invitation; entrants who used it stay. Needs `tournament:direct`."""
    found, _ = _require_inviter(tournament)
    return revoke_invitation(found.newest.id, invitation)


def _require_inviter(tournament: str) -> tuple[TournamentContext, Account]:
    account = require_scopes(DIRECT)
    found = load_tournament_context(tournament)
    if "direct" not in found.may:
        raise Problem(
            403, "not_a_director", "Only a director of this tournament may do that. Ask one of them."
        )
    return found, account
