"""All vectors, and the files that hold them."""

from __future__ import annotations

import gzip
import io
import tarfile
from collections.abc import Callable, Mapping, Sequence
from functools import cache

import msgspec

from tests.events.forging import SIGNER
from tests.tournament.event_files import write_policy
from tests.tournament.ladders import export_of
from tests.vectors.tournaments import ARCHIVE, HERE, INDEX, Index, IndexedVector, forged, honest

Lines = Callable[[], Sequence[bytes]]


class Vector(msgspec.Struct, frozen=True):
    """A bundle, with what a verifier has to say of it."""

    name: str
    rule: str
    about: str
    lines: Lines
    says: Sequence[str]
    exit: int = 0
    options: Sequence[str] = ()
    same_as: str = ""
    """The vector whose file it shares."""

    @property
    def file(self) -> str:
        """The name of its file, unpacked."""
        return f"{self.same_as or self.name}.ndjson"

    def index(self) -> IndexedVector:
        """Return what the index says of it."""
        return IndexedVector(
            self.name, self.rule, self.about, self.file, tuple(self.options), self.exit, tuple(self.says)
        )


def _of(make: Callable[[], honest.ToldEvent | honest.PlayedEvent]) -> Lines:
    return lambda: make().lines()


def _good(name: str, rule: str, lines: Lines, says: Sequence[str], *options: str) -> Vector:
    return Vector(name, rule, _describe(name, honest), lines, says, 0, options)


def _bad(name: str, rule: str, says: str, *options: str, status: int = 1) -> Vector:
    found: Lines = getattr(forged, name)
    return Vector(name, rule, _describe(name, forged), found, (says,), status, options)


def _describe(name: str, module: object) -> str:
    """Return the first line of the docstring of the function that makes a vector."""
    text: str = getattr(module, name).__doc__
    return text.partition("\n")[0]


PARTIAL = "--partial"
VECTORS: Sequence[Vector] = (
    _good(
        "swiss",
        "13a",
        honest.swiss_lines,
        ("4 contributed", "2 rounds, 4 tables", "texts          2, 1 erased", "quorum holds (2 of 3)"),
        *("--tournament", "--policy", "policy.txt"),
    ),
    _good("running", "13a", _of(honest.running), ("(running)", "2 missing", "winner         none"), PARTIAL),
    _good(
        "ruled",
        "13h",
        _of(honest.ruled),
        ("ruling 1 of d1 (conduct) gave the places", "ruling 3 of d1 (conduct) took 0.5 points"),
    ),
    _good("ruled_unplayed", "13h", _of(honest.ruled_unplayed), ("a ruling gave the places",)),
    _good("replayed", "13h", _of(honest.replayed), ("2 compared with their results", "play again")),
    _good("abandoned", "13h", _of(honest.abandoned), ("a director ended it", "gave the places 1, 1")),
    _good("cancelled", "13h", _of(honest.cancelled), ("the tournament was cancelled",)),
    _good("withheld", "13c", _of(honest.withheld), ("1 contributed, 1 withheld",)),
    _good("by_hand", "13d", _of(honest.by_hand), ("round 2: set by d1 (schedule)", "kept apart"), PARTIAL),
    _good("byes", "13d", _of(honest.byes), ("3 rounds, 9 tables",), PARTIAL),
    _good("looking_ahead", "13d", _of(honest.looking_ahead), ("4 rounds, 9 tables",), PARTIAL),
    _good("rotation", "13d", _of(honest.rotation), ("4 rounds, 10 tables",), PARTIAL),
    _good("round_robin", "13d", _of(honest.round_robin), ("5 rounds, 10 tables",), PARTIAL),
    _good("knockout", "13d", _of(honest.knockout), ("4 rounds, 9 tables",), PARTIAL),
    _good("knockout_drawn", "13d", _of(honest.knockout_drawn), ("2 rounds, 4 tables",), PARTIAL),
    _good(
        "told_ladder",
        "13d",
        _of(honest.told_ladder),
        ("position 100 of the rating export, 4 of 4 recomputed",),
        *(PARTIAL, "--ratings", "ratings.ndjson"),
    ),
    _good("struck", "13f", _of(honest.struck), ("2 rounds, 5 tables",), PARTIAL),
    _good("substituted", "13g", _of(honest.substituted), ("2 rounds, 4 tables",), PARTIAL),
    _bad("surplus_game", "13a", "does not belong to this tournament"),
    _bad("running_with_game", "13a", "1 bundles of games follow, but the header names 0", PARTIAL),
    _bad("other_scope", "13a", "the header's scope is running"),
    _bad("other_text", "13a", "its name is not what was written", PARTIAL),
    _bad("closed_by_an_entrant", "13b", "not_a_director", PARTIAL),
    _bad("closed_early", "13b", "not_due"),
    _bad("time_backwards", "13b", "at runs backwards", PARTIAL),
    _bad("after_the_end", "13b", "it ends the tournament, but events follow on it"),
    _bad("same_id_twice", "13b", "a UUIDv7 that no other table has", PARTIAL),
    _bad("other_mix", "13c", "its mix is not what follows", PARTIAL),
    _bad("other_reveal", "13c", "commitment_mismatch", PARTIAL),
    _bad("other_secret", "13c", "the disclosed secrets do not fit"),
    _bad("skipped_draw", "13c", "its draw is not what follows", PARTIAL),
    _bad("foreign_element", "13c", "is not on the chain", PARTIAL),
    _bad("dropped_reveal", "13c", "1 contributed, 1 withheld", status=0),
    _bad("exchanged_pairing", "13d", "are drawn to it", PARTIAL),
    _bad("drawn_twice", "13d", "round_open", PARTIAL),
    _bad("other_bye", "13d", "are drawn to it", PARTIAL),
    _bad("other_plan", "13d", "are drawn to it", PARTIAL),
    _bad("other_seeds", "13d", "its seeds", PARTIAL),
    _bad("other_advancing", "13d", "its advancing is not what follows", PARTIAL),
    _bad("paired_by_a_director", "13d", "not_a_director", PARTIAL),
    _bad(
        "made_up_ratings",
        "13d",
        "at position 100 of the export it is 1300",
        *(PARTIAL, "--ratings", "other_ratings.ndjson"),
    ),
    _bad("exchanged_seats", "13e", "are drawn to it", PARTIAL),
    _bad("struck_plays", "13f", "round 1", PARTIAL),
    _bad("joined_elsewhere", "13f", "its pods is not what follows", PARTIAL),
    _bad("other_standings", "13g", "its standings is not what follows", PARTIAL),
    _bad("not_closed_again", "13g", "2 events follow from its command, but 1 are recorded", PARTIAL),
    _bad("bot_in_a_seat", "13h", "SeatTaken has another bot"),
    _bad("chosen_position", "13h", "begins from another position than its table"),
    _bad("other_terms", "13h", "TableOpened has another absence"),
    _bad("other_contributions", "13h", "TableBegun has another mix"),
    _bad("other_game_secrets", "13h", "TableOpened has another chance"),
    _bad("other_result", "13h", "ended otherwise than was recorded"),
    _bad("missing_game", "13h", "is missing"),
    _bad("never_linked", "13h", "was played, but it was never linked"),
    _bad("strange_key", "13i", "receipt", PARTIAL),
    _bad("broken_chain", "13i", "its hash does not follow", PARTIAL),
    Vector(
        "acknowledged_reveal",
        "13i",
        "The dropped reveal was acknowledged: the one who holds its receipt convicts the log.",
        forged.dropped_reveal,
        ("EQUIVOCATION",),
        4,
        ("--receipts", "receipts.ndjson"),
        "dropped_reveal",
    ),
    Vector(
        "acknowledged_game",
        "13i",
        "A player holds a receipt of the game that a ruling replaced.",
        _of(honest.ruled_unplayed),
        ("was acknowledged, but the game was never linked",),
        1,
        ("--receipts", "game_receipts.ndjson"),
        "ruled_unplayed",
    ),
)
"""All of them: first the honest ones."""


@cache
def make_files() -> dict[str, bytes]:
    """Return all data by the name of its file, unpacked."""
    index = Index(SIGNER.vkey, ("example", "colonial_empires"), [one.index() for one in VECTORS])
    files = {one.file: b"".join(one.lines()) for one in VECTORS}
    files["policy.txt"] = b"".join(write_policy())
    files["ratings.ndjson"] = b"".join(export_of(honest.told_ladder()))
    files["other_ratings.ndjson"] = b"".join(export_of(honest.told_ladder(("e2", 1700))))
    files["receipts.ndjson"] = b"".join(forged.held_receipts())
    files["game_receipts.ndjson"] = b"".join(forged.hidden_receipts())
    files[INDEX] = msgspec.json.format(msgspec.json.encode(index), indent=1) + b"\n"
    return files


def make_archive(files: Mapping[str, bytes]) -> bytes:
    """Return an archive of *files* that says nothing of the time or the machine."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:xz", format=tarfile.USTAR_FORMAT, preset=9) as archive:
        for name in sorted(files):
            member = tarfile.TarInfo(f"tournaments/{name}")
            member.size = len(files[name])
            archive.addfile(member, io.BytesIO(files[name]))
    return packed.getvalue()


def write_all() -> None:
    """Write all vectors, and the archive that the server offers."""
    files = make_files()
    for name, data in files.items():
        if name.endswith(".ndjson"):
            (HERE / f"{name}.gz").write_bytes(gzip.compress(data, mtime=0))
        else:
            (HERE / name).write_bytes(data)
    ARCHIVE.write_bytes(make_archive(files))
