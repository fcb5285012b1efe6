"""`rutter verify FILE` for the bundle of a tournament: its own events, and each of its games."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import click
import msgspec

from events.rules.kit.words import format_count
from events.table.bundle import BadBundle
from events.tlog.notes import BadNote, open_receipt
from events.tlog.text import escape_controls
from events.tournament.folding import fold
from events.tournament.ladder_ratings import RatedGame
from events.tournament.outcomes import PlayedGame, summarize_game
from events.tournament.state import Tournament, initial_tournament
from events.verify import BotMove, Equivocation, Report, Trust, UncheckableClaim, limits, verify_game
from events.verify.log_proofs import judge_proofs
from events.verify.report import (
    NO_INTERVENTION,
    NO_OPTION,
    NO_POLICY,
    NOT_PINNED,
    LoggedEvent,
    Receipts,
    describe_log,
    describe_unchecked,
    describe_unshown,
)
from events.verify.tournaments import verification as tournament
from events.verify.tournaments.bundle import (
    FILE,
    CheckedTournament,
    GameSpan,
    check_header,
    check_own_part,
    find_games,
)
from events.verify.tournaments.report import TournamentReport, describe_place
from ops.verify.bot_replay import ReplayRequest, replay_bot_moves


class VerificationRequest(msgspec.Struct, frozen=True):
    """A request to verify a tournament's bundle."""

    trust: Trust
    require: tuple[str, ...]
    partial: bool
    again: ReplayRequest | None
    """The request to let bots think again; None if they do not."""
    jobs: int
    ratings: tuple[RatedGame, ...] | None = None
    """The export of ratings, by which those of a ladder are recomputed; None without one."""
    shown: tuple[str, ...] = ()
    """The requirements that the profile of an organiser does not make, and of which it says what is open."""


class GameVerification(msgspec.Struct):
    """The result of verifying one game."""

    name: str
    """Its id."""
    report: Report | None = None
    played: PlayedGame | None = None
    bad: tuple[int | None, str] | None = None
    unchecked: str | None = None
    evidence: tuple[int, str, tuple[bytes, ...]] | None = None


class TournamentVerification(msgspec.Struct):
    """The result of verifying a tournament."""

    report: TournamentReport
    signer: str
    receipts: Receipts
    """The comparison of the receipts that players hold with the tournament's own events."""
    game_receipts: int
    """The number of receipts that agree with its games."""
    logged: list[LoggedEvent]
    games: list[Report]
    lines: list[str]
    """One for each game."""
    places: list[str]
    """By game its round and table, as they begin a line."""
    unchecked: list[str] = []
    unshown: list[str] = []
    """Facts that the profile of an organiser does not require and the bundle does not show."""

    @property
    def is_pinned(self) -> bool:
        """True if a key that the caller knows signed it."""
        return bool(self.signer)

    @property
    def is_complete(self) -> bool:
        """True if nothing was left unchecked, the signer included: the exit status is then 0."""
        return self.is_pinned and not self.unchecked

    def to_builtins(self) -> dict[str, Any]:
        """Return the verification as JSON's own types."""
        found: dict[str, Any] = msgspec.to_builtins(self.report, str_keys=True)
        return {
            **found,
            "kind": "tournament",
            "signer": self.signer,
            "receipts": msgspec.to_builtins(self.receipts),
            "game_receipts": self.game_receipts,
            "logged": msgspec.to_builtins(self.logged),
            "pinned": self.is_pinned,
            "complete": self.is_complete,
            "games": [one.to_json() for one in self.games],
            "unchecked": self.unchecked,
            "unshown": self.unshown,
            "winners": self.report.list_winners(),
        }

    def summary(self) -> str:
        """Return the lines that people read."""
        report = self.report
        scope = f"whole, {report.status}" if report.whole else report.status
        missing = f", {len(report.missing)} missing" if report.missing else ""
        held = f"{report.contributed} contributed"
        held += f", {report.withheld} withheld" if report.withheld else ""
        events = format_count(report.events, "event")
        commands = format_count(report.commands, "command")
        rounds = format_count(report.rounds, "round")
        tables = format_count(report.tables, "table")
        rows = [
            ("kind", "tournament"),
            ("events", f"{events}, {commands}, head {report.head}"),
            ("rules", f"every command decided again, {_describe_pairings(report)} recomputed"),
            ("randomness", f"{held}; {format_count(report.draws, 'draw')} recomputed"),
            (
                "rounds",
                f"{rounds}, {tables}, {len(report.unplayed)} never played",
            ),
            ("games", f"{report.games} compared with their results{missing}"),
            *(("never played", place) for place in report.unplayed),
            *(("pairings", told) for told in _list_interventions(report) or ["all drawn"]),
            *(("rulings", told) for told in report.list_rulings() or ["none"]),
            *(("people", told) for told in self._list_interventions() or [NO_INTERVENTION]),
            ("bots", self._describe_bots()),
            ("standings", report.describe_standings()),
            ("winner", ", ".join(report.list_winners()) or "none"),
            ("texts", f"{report.texts}, {report.erased} erased"),
            ("signer", f"{self.signer}, pinned" if self.signer else NOT_PINNED),
            ("receipts", self._describe_receipts()),
            ("log", describe_log(self.logged, report.events)),
        ]
        verdict = "OK" if self.is_complete else "INCOMPLETE"
        shown = [f"{verdict}: {report.title}, tournament {report.tournament} ({scope})"]
        shown += [f"  {name:<14} {value}" for name, value in rows]
        shown += describe_unshown(self.unshown)
        shown += describe_unchecked(self.unchecked, pinned=self.is_pinned)
        return "\n".join(map(escape_controls, [*self.lines, *shown]))

    def _list_interventions(self) -> list[str]:
        """Return the interventions in the tournament, then those in its games, each with its place."""
        own = [one.text() for one in self.report.interventions]
        games = zip(self.places, self.games, strict=True)
        return own + [f"{place}{one.text()}" for place, game in games for one in game.interventions]

    def _describe_bots(self) -> str:
        """Return the bots that sat in games, with all versions and what came of recomputing."""
        told = [
            f"{place}seat {bot.seat} {bot.text()}"
            for place, game in zip(self.places, self.games, strict=True)
            for bot in game.bot_seats
        ]
        return "; ".join(told) or "none"

    def _describe_receipts(self) -> str:
        agree = f"; {self.game_receipts} agree with its games" if self.game_receipts else ""
        return f"{self.receipts.text()}{agree}"


def _list_interventions(report: TournamentReport) -> list[str]:
    """Return what people and ratings had to do with pairings."""
    return [*(one.text() for one in report.pairings), *report.kept_apart]


def _describe_pairings(report: TournamentReport) -> str:
    by_hand = sum(origin.by is not None for origin in report.pairings)
    return f"every pairing but {by_hand} set by hand" if by_hand else "every pairing"


def verify_file(file: Path, lines: Iterator[bytes], wanted: VerificationRequest) -> TournamentVerification:
    """Verify the tournament in *file*, or, where that is ``-``, in *lines*.

    Raises BadBundle, UncheckableClaim, Equivocation.
    """
    with _open_seekable(file, lines) as (path, stream):
        own = check_own_part(_read_lines(stream), wanted.trust)
        stream.seek(own.sheet.size)
        found = list(find_games(_read_lines(stream), own.sheet.size))
        told = own.sheet.header.games
        if len(found) != told and not (wanted.partial and len(found) < told):
            reason = f"{len(found)} bundles of games follow, but the header names {told}"
            raise BadBundle(None, reason)
        # Closed here, so that a bad game ends the processes of the others at once.
        with closing(_verify_games(path, found, wanted)) as games:
            return _combine(own, games, wanted)


def _combine(
    own: CheckedTournament, games: Iterator[GameVerification], wanted: VerificationRequest
) -> TournamentVerification:
    state, trust, header = _fold_tournament(own), wanted.trust, own.sheet.header
    seats, reports, lines, places, unchecked = {}, [], [], [], []
    for game in games:
        if game.bad is not None or game.unchecked is not None or game.evidence is not None:
            raise _make_error(game, state)
        assert game.played is not None  # noqa: S101 - it holds
        assert game.report is not None  # noqa: S101
        place = _name_place(state, game.played.game)
        _check_belongs(game.report, header.origin, state, place)
        if game.played.game in seats:
            raise BadBundle(None, f"{place}the game {game.played.game} is there twice")
        seats[game.played.game] = game.played
        unchecked += _judge_requirements(game.report, wanted, place)
        reports.append(game.report)
        places.append(place)
        lines.append(
            f"checked: {place}{game.report.title}, game {game.played.game}, {game.report.events} events"
        )
    report = tournament.verify_tournament(
        header.tournament,
        own.records,
        header.origin,
        former=trust.list_names(header.origin)[1:],
        games=seats,
        texts=own.texts,
        ratings=wanted.ratings,
        partial=wanted.partial,
    )
    check_header(header, report)
    _check_vanished(own, state, trust)
    judged, left = judge_proofs(own.sheet, own.hashes, own.ends, trust)
    logged = [] if judged is None else judged.logged
    unchecked += [*left, *_judge_own_requirements(report, own.receipts, logged, wanted)]
    signer = "" if own.sheet.signer is None else f"{own.sheet.signer.name}+{own.sheet.signer.id.hex()}"
    of_games = sum(one.receipts.agree for one in reports)
    held = msgspec.structs.replace(own.receipts, other_games=own.receipts.other_games - of_games)
    return TournamentVerification(
        report,
        signer,
        held,
        of_games,
        logged,
        reports,
        lines,
        places,
        list(dict.fromkeys(unchecked)),
        _list_unshown(report, reports, held, logged, wanted),
    )


def _list_unshown(
    report: TournamentReport,
    games: Sequence[Report],
    held: Receipts,
    logged: Sequence[LoggedEvent],
    wanted: VerificationRequest,
) -> list[str]:
    """Return what the profile of an organiser leaves open, in one line each."""
    found = []
    if "signed" in wanted.shown and (many := sum(bool(game.unsigned) for game in games)):
        found.append(
            f"signed (in {many} of {format_count(len(games), 'game')}, not all commands of people are signed)"
        )
    if "receipts" in wanted.shown and not held.agree:
        found.append(f"receipts ({_NO_RECEIPT})")
    if "log" in wanted.shown and not any(one.n == report.events and one.judged for one in logged):
        found.append(f"log ({NO_POLICY})")
    return found


def _check_belongs(report: Report, origin: str, state: Tournament | None, place: str) -> None:
    """Raise BadBundle for a game of another service, or of no table of this tournament."""
    if report.origin != origin:
        raise BadBundle(None, f"{place}the game {report.game} was signed by another service")
    if state is not None and state.of_game(report.game) is None:
        raise BadBundle(None, f"the game {report.game} does not belong to this tournament")


def _check_vanished(own: CheckedTournament, state: Tournament | None, trust: Trust) -> None:
    """Raise BadBundle where anyone holds a receipt of a game that a table is said not to have played."""
    keys = [*trust.list_pinned_keys(), *([own.sheet.signer] if own.sheet.signer else [])]
    for note in trust.receipts if state is not None and state.over else ():
        try:
            receipt, signer = open_receipt(note, keys)
        except BadNote:
            continue  # that of no known key: it was counted when all were compared
        found = None if state is None or signer in trust.revoked else state.of_game(receipt.game)
        if found is not None and found[1].head is None and found[1].game == receipt.game:
            place = describe_place(found[0].number, found[1].number)
            told = f"event {receipt.n} of its game {receipt.game} was acknowledged"
            raise BadBundle(None, f"{place}: {told}, but the game was never linked")


def _judge_requirements(report: Report, wanted: VerificationRequest, place: str) -> list[str]:
    """Return what could not be checked of a game. Raises BadBundle for a requirement that does not hold."""
    words = [word for word in wanted.require if word not in _OF_THE_WHOLE]
    if lacking := report.list_unmet_requirements(words):
        told = ", ".join(map(report.explain, lacking))
        raise BadBundle(None, f"{place}required, but it does not hold: {told}")
    missing = report.missing_inputs(words)
    return [*report.unchecked, *(f"{word}: {reason}" for word, reason in missing.items())]


_NO_RECEIPT = "no receipt of this tournament by a known key was given (--receipts FILE)"
_OF_THE_WHOLE = ("contributions", "receipts")
"""Requirements that the tournament meets for all its games."""


def _judge_own_requirements(
    report: TournamentReport, held: Receipts, logged: Sequence[LoggedEvent], wanted: VerificationRequest
) -> list[str]:
    """Return what could not be judged of the tournament's own events.

    Raises BadBundle for a requirement that does not hold.
    """
    lacking, missing = {}, []
    if not report.whole:
        lacking["whole"] = f"the tournament is {report.status}; fetch the file again when it is over"
    if report.withheld or not report.contributed:
        held_back = f"{report.contributed} entrants contributed, {report.withheld} withheld"
        lacking["contributions"] = f"{held_back}; {NO_OPTION}"
    if wanted.trust.policy is None or not wanted.trust.policy.judges:
        missing.append(("log", NO_POLICY))
    elif not any(one.n == report.events and one.judged for one in logged):
        lacking["log"] = "the file has no proof of the tournament's last event"
    if not held.agree:
        missing.append(("receipts", _NO_RECEIPT))
    told = [f"{word} ({reason})" for word, reason in lacking.items() if word in wanted.require]
    if told:
        raise BadBundle(None, f"required, but it does not hold: {', '.join(told)}")
    return [f"{word}: {reason}" for word, reason in missing if word in wanted.require]


def _fold_tournament(own: CheckedTournament) -> Tournament | None:
    """Return the tournament, to name tables; None where its events give none, which is told later."""
    try:
        return fold(initial_tournament(own.sheet.header.tournament), own.records)
    except Exception:  # noqa: BLE001 - whatever the file says: what is wrong with it is named by the verifier
        return None


def _name_place(state: Tournament | None, game: str) -> str:
    found = state.of_game(game) if state is not None else None
    return "" if found is None else f"round {found[0].number}, table {found[1].number}: "


def _make_error(game: GameVerification, state: Tournament | None) -> Exception:
    """Return the error of a game, named by round and table."""
    place = _name_place(state, game.name)
    if game.evidence is not None:
        return Equivocation(*game.evidence)
    if game.unchecked is not None:
        return UncheckableClaim(f"{place}game {game.name}: {game.unchecked}")
    seq, reason = game.bad or (None, "")
    where = "" if seq is None else f"event {seq}: "
    return BadBundle(None, f"{place}game {game.name}: {where}{reason}")


# --- one game after the other, or several at once ----------------------------------------------------


def _verify_games(
    path: Path, found: Sequence[GameSpan], wanted: VerificationRequest
) -> Generator[GameVerification]:
    """Yield the result of each game, in their order."""
    if wanted.jobs == 1 or len(found) < 2:
        for number, part in enumerate(found, 1):
            yield verify_game_span(path, part, wanted)
            _print_progress(number, len(found))
        return
    with ProcessPoolExecutor(wanted.jobs) as pool:
        asked = [pool.submit(verify_game_span, path, part, wanted) for part in found]
        for number, answer in enumerate(asked, 1):
            try:
                yield answer.result()
            except GeneratorExit:
                pool.shutdown(cancel_futures=True)
                raise
            _print_progress(number, len(found))


def verify_game_span(path: Path, part: GameSpan, wanted: VerificationRequest) -> GameVerification:
    """Verify the bundle of one game in a file."""
    with path.open("rb") as stream:
        stream.seek(part.start)
        name = _find_game_id(stream.readline(limits.LINE + 1))
        stream.seek(part.start)
        try:
            moves: list[BotMove] | None = None if wanted.again is None else []
            found = verify_game(
                _read_lines(stream, part.end), partial=wanted.partial, bot_moves=moves, trust=wanted.trust
            )
            if wanted.again is not None and moves is not None:
                replay_bot_moves(found.report, moves, msgspec.structs.replace(wanted.again, jobs=1))
        except BadBundle as bad:
            return GameVerification(name, bad=(bad.seq, bad.reason))
        except UncheckableClaim as problem:
            return GameVerification(name, unchecked=str(problem))
        except Equivocation as proven:
            return GameVerification(name, evidence=(proven.seq, proven.reason, proven.evidence))
    return GameVerification(name, found.report, summarize_game(found.game, found.opening))


def _find_game_id(line: bytes) -> str:
    """Return the id of the game whose header this line is, as far as it tells one."""
    try:
        decoded = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return "?"
    return str(decoded.get("game")) if isinstance(decoded, dict) else "?"


def _read_lines(stream: BinaryIO, end: int = FILE + 1) -> Iterator[bytes]:
    """Yield the lines of a file up to byte *end*.

    Of a line that is longer than any, only so much comes that this is seen.
    """
    while stream.tell() < end and (line := stream.readline(limits.LINE + 1)):
        yield line


@contextmanager
def _open_seekable(file: Path, lines: Iterator[bytes]) -> Iterator[tuple[Path, BinaryIO]]:
    """Open *file*, or for ``-`` a copy of *lines*, as a path and a stream."""
    if str(file) != "-":
        with file.open("rb") as stream:
            yield file, stream
        return
    with tempfile.NamedTemporaryFile(suffix=".ndjson") as copy:
        copy.writelines(lines)
        copy.flush()
        with Path(copy.name).open("rb") as stream:
            yield Path(copy.name), stream


def _print_progress(done: int, of: int) -> None:
    """Show the progress on a terminal."""
    if sys.stderr.isatty():
        click.echo(f"\r{done} of {of} games, {100 * done // of} %", nl=done == of, err=True)
