"""`rutter verify FILE` for the bundle of a tournament: its own events, and each of its games."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import click
import msgspec

from events.table.bundle import BadBundle
from events.tlog.text import escape_controls
from events.tournament.folding import fold
from events.tournament.outcomes import PlayedGame, summarize_game
from events.tournament.state import Tournament, initial_tournament
from events.verify import BotMove, CannotCheck, Equivocation, Report, Trust, limits, tournament, verify_game
from events.verify.report import NO_OPTION, NOT_PINNED, describe_unchecked
from events.verify.tournament_bundle import FILE, GameSpan, OwnPart, find_games, read_own_part
from ops.verify.bot_replay import ReplayRequest, replay_bot_moves


class VerificationRequest(msgspec.Struct, frozen=True):
    """A request to verify a tournament's bundle."""

    trust: Trust
    require: tuple[str, ...]
    partial: bool
    again: ReplayRequest | None
    """The request to let bots think again; None if they do not."""
    jobs: int


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

    report: tournament.TournamentReport
    signer: str
    games: list[Report]
    lines: list[str]
    """One for each game."""
    unchecked: list[str] = []

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
            "pinned": self.is_pinned,
            "complete": self.is_complete,
            "games": [one.to_json() for one in self.games],
            "unchecked": self.unchecked,
        }

    def summary(self) -> str:
        """Return the lines that people read."""
        report = self.report
        scope = f"whole, {report.status}" if report.whole else report.status
        missing = f", {len(report.missing)} missing" if report.missing else ""
        held = f"{report.contributed} contributed"
        held += f", {report.withheld} withheld" if report.withheld else ""
        rows = {
            "kind": "tournament",
            "events": f"{report.events} events, {report.commands} commands, head {report.head}",
            "rules": "every command decided again, every pairing recomputed",
            "randomness": f"{held}; {report.draws} draws recomputed",
            "rounds": f"{report.rounds} rounds, {report.tables} tables",
            "games": f"{report.games} compared with their results{missing}",
            "texts": f"{report.texts}, {report.erased} erased",
            "signer": f"{self.signer}, pinned" if self.signer else NOT_PINNED,
        }
        verdict = "OK" if self.is_complete else "INCOMPLETE"
        shown = [f"{verdict}: {report.title}, tournament {report.tournament} ({scope})"]
        shown += [f"  {name:<14} {value}" for name, value in rows.items()]
        shown += describe_unchecked(self.unchecked, pinned=self.is_pinned)
        return "\n".join(map(escape_controls, [*self.lines, *shown]))


def verify_file(file: Path, lines: Iterator[bytes], wanted: VerificationRequest) -> TournamentVerification:
    """Verify the tournament in *file*, or, where that is ``-``, in *lines*.

    Raises BadBundle, CannotCheck, Equivocation.
    """
    with _open_seekable(file, lines) as (path, stream):
        own = read_own_part(_read_lines(stream), wanted.trust.list_pinned_keys(), wanted.trust.raw_key)
        found = list(find_games(_read_lines(stream), stream.tell()))
        if len(found) != own.header.games and not wanted.partial:
            reason = f"{len(found)} bundles of games follow, but the header tells of {own.header.games}"
            raise BadBundle(None, reason)
        games = _verify_games(path, found, wanted)
        return _combine(own, games, wanted)


def _combine(
    own: OwnPart, games: Iterator[GameVerification], wanted: VerificationRequest
) -> TournamentVerification:
    state = _fold_tournament(own)
    seats, reports, lines, unchecked = {}, [], [], []
    for game in games:
        if game.bad is not None or game.unchecked is not None or game.evidence is not None:
            raise _make_error(game, state)
        assert game.played is not None  # noqa: S101 - it holds
        assert game.report is not None  # noqa: S101
        place = _name_place(state, game.played.game)
        if game.played.game in seats:
            raise BadBundle(None, f"{place}the game {game.played.game} stands there twice")
        seats[game.played.game] = game.played
        unchecked += _judge_requirements(game.report, wanted, place)
        reports.append(game.report)
        lines.append(
            f"checked: {place}{game.report.title}, game {game.played.game}, {game.report.events} events"
        )
    report = tournament.verify_tournament(
        own.header.tournament,
        own.records,
        own.header.origin,
        games=seats,
        texts=own.texts,
        partial=wanted.partial,
    )
    strays = [game for game in seats if state is None or state.of_game(game) is None]
    if strays:
        raise BadBundle(None, f"the game {strays[0]} is none of this tournament")
    _check_required(report, wanted)
    signer = "" if own.signer is None else f"{own.signer.name}+{own.signer.id.hex()}"
    return TournamentVerification(report, signer, reports, lines, list(dict.fromkeys(unchecked)))


def _judge_requirements(report: Report, wanted: VerificationRequest, place: str) -> list[str]:
    """Return what could not be checked of a game. Raises BadBundle for a requirement that does not hold."""
    words = [word for word in wanted.require if word != "contributions"]  # those are the tournament's
    if lacking := report.list_unmet_requirements(words):
        told = ", ".join(map(report.explain, lacking))
        raise BadBundle(None, f"{place}required, but it does not hold: {told}")
    missing = report.missing_inputs(words)
    return [*report.unchecked, *(f"{word}: {reason}" for word, reason in missing.items())]


def _check_required(report: tournament.TournamentReport, wanted: VerificationRequest) -> None:
    if "whole" in wanted.require and not report.whole:
        told = f"the tournament is {report.status}; fetch the file again when it is over"
        raise BadBundle(None, f"required, but it does not hold: whole ({told})")
    if "contributions" in wanted.require and (report.withheld or not report.contributed):
        told = f"{report.contributed} entrants contributed, {report.withheld} withheld; {NO_OPTION}"
        raise BadBundle(None, f"required, but it does not hold: contributions ({told})")


def _fold_tournament(own: OwnPart) -> Tournament | None:
    """Return the tournament, to name tables; None where its events give none, which is told later."""
    try:
        return fold(initial_tournament(own.header.tournament), own.records)
    except (ValueError, LookupError, TypeError, AttributeError, msgspec.MsgspecError):
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
        return CannotCheck(f"{place}game {game.name}: {game.unchecked}")
    seq, reason = game.bad or (None, "")
    where = "" if seq is None else f"event {seq}: "
    return BadBundle(None, f"{place}game {game.name}: {where}{reason}")


# --- one game after the other, or several at once ----------------------------------------------------


def _verify_games(
    path: Path, found: Sequence[GameSpan], wanted: VerificationRequest
) -> Iterator[GameVerification]:
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
        except CannotCheck as problem:
            return GameVerification(name, unchecked=str(problem))
        except Equivocation as proven:
            return GameVerification(name, evidence=(proven.seq, proven.reason, proven.evidence))
    return GameVerification(name, found.report, summarize_game(found.game, found.first))


def _find_game_id(line: bytes) -> str:
    """Return the id of the game whose header this line is, as far as it tells one."""
    try:
        decoded = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return "?"
    return str(decoded.get("game")) if isinstance(decoded, dict) else "?"


def _read_lines(stream: BinaryIO, end: int = FILE + 1) -> Iterator[bytes]:
    """Yield the lines of a file up to byte *end*; of one that is longer than any only so much that this is
    seen.
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
