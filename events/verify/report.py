"""The report of a verification, as a value and as the fixed summary that people read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from events.rules.fact import Seat
from events.rules.kit.words import format_count
from events.table.tournament_link import SINGLE_GAME_KIND
from events.tlog.text import escape_controls
from events.verify.interventions import Intervention

WITNESSED, NOT_WITNESSED = "witnessed before its round", "not witnessed before its round"
"""Words for a beacon that was drawn: they say if others saw in time that the reveals were closed."""


class Randomness(msgspec.Struct):
    """The contributors to the randomness, which show if nobody could choose it."""

    contributed: list[Seat] = []
    none: list[Seat] = []
    """Persons' seats that committed to nothing."""
    withheld: list[Seat] = []
    """Seats that committed and did not reveal."""
    dropped: dict[Seat, str] = {}
    """Of those, the seats whose reveal a witness had in time, and that witness."""
    director: str | None = None
    """``committed`` or ``revealed``; None where the table has none."""
    director_pinned: bool | None = None
    """True if the caller knows the director's commitment, False if another one; None if they named none."""
    beacon: str | None = None
    """``awaited``, ``not witnessed before its round`` or ``witnessed before its round``; None without one."""
    required: bool = False
    begun: bool = False
    elsewhere: bool = False
    """True if it follows from a tournament: only the tournament's bundle can tell."""

    @property
    def is_proven(self) -> bool:
        """True if every person contributed (one at least), or a person from outside who is known to.

        That is a director whose commitment the caller knows, or a beacon whose round nobody could know.
        """
        everybody = bool(self.contributed) and not self.none and not self.withheld
        directed = self.director == "revealed" and self.director_pinned is True
        return everybody or directed or self.beacon == WITNESSED

    def missing_input(self, *, has_policy: bool) -> str | None:
        """Return what the caller has to give before it can be judged if it is proven; None for nothing."""
        if self.is_proven or self.dropped:
            return None
        if self.director == "revealed" and self.director_pinned is None:
            return "the director counts only if you noted the commitment (--director COMMITMENT)"
        return NO_POLICY if self.beacon == NOT_WITNESSED and not has_policy else None

    def text(self) -> str:
        """Return one line."""
        if self.elsewhere:
            return f"that of a {SINGLE_GAME_KIND}"
        known = self.director is not None or self.beacon is not None
        if not self.contributed and not self.withheld and not known:
            return "chosen by the server alone (no contribution)"
        said = []
        if self.contributed:
            said.append(f"contributions of {describe_seats(self.contributed)}")
        if self.none:
            said.append(f"none from {join_numbers(self.none)}")
        if self.withheld:
            said.append(f"withheld by {join_numbers(self.withheld)}")
        said += [f"seat {seat} withheld although dropped at {name}" for seat, name in self.dropped.items()]
        said.append("no director" if self.director is None else self._describe_director())
        said.append("no beacon" if self.beacon is None else f"beacon: {self.beacon}")
        alone = not self.contributed and self.director != "revealed" and self.beacon in (None, "awaited")
        return "; ".join(said) + ("; chosen by the server alone" if alone and self.begun else "")

    def _describe_director(self) -> str:
        pinned = {None: "not pinned (--director)", True: "pinned", False: "not the one that --director names"}
        return f"director {self.director}, {pinned[self.director_pinned]}"


class BotSeat(msgspec.Struct):
    """The moves of one bot, and how many of them were thought again."""

    seat: Seat
    name: str
    versions: list[int] = []
    """The versions in which it has sat there, rising."""
    moves: int = 0
    thought_again: int = 0
    fallbacks: int = 0
    left_out: int = 0
    """Moves that were none of the sample."""
    not_at_hand: int = 0
    """Moves of a version, or with a budget, that this program has not."""

    def text(self) -> str:
        """Its name and its versions."""
        return f"{self.name} {join_numbers(self.versions)}"

    @property
    def is_rethought(self) -> bool:
        """True if every one of its moves was thought again, or was a fallback."""
        whole = self.moves == self.thought_again + self.fallbacks
        return whole and not self.left_out and not self.not_at_hand


class Receipts(msgspec.Struct):
    """The numbers of receipts that were given, by result."""

    given: int = 0
    agree: int = 0
    other_games: int = 0
    other_logs: int = 0
    unknown_keys: int = 0
    revoked: int = 0

    def text(self) -> str:
        """Return one line."""
        if not self.given:
            return "none given"
        said = [f"{self.agree} agree"]
        said += [f"{self.other_games} of other games"] if self.other_games else []
        said += [f"{self.other_logs} of other logs"] if self.other_logs else []
        said += [f"{self.unknown_keys} of unknown keys"] if self.unknown_keys else []
        said += [f"{self.revoked} of a revoked key"] if self.revoked else []
        return ", ".join(said)


class LoggedEvent(msgspec.Struct):
    """The result of the proof of one event."""

    n: int
    leaf: int
    size: int
    judged: bool = False
    """True if a policy with a quorum said whose cosignatures count."""
    cosigned: int = 0
    witnesses: int = 0
    earliest: str | None = None
    """The time at which the first witness of the policy cosigned (UTC)."""

    def text(self) -> str:
        """Return one line."""
        where = f"leaf {self.leaf} of {self.size}"
        if not self.judged:
            return f"{where}; not judged: no policy says whose cosignatures count (--policy)"
        quorum = f"quorum holds ({self.cosigned} of {self.witnesses})"
        return f"{where}; {quorum}" + (f", earliest {self.earliest}" if self.earliest else "")


class Report(msgspec.Struct):
    """The result of verifying one game."""

    game: str
    title: str
    whole: bool
    events: int
    head: str = ""
    origin: str = ""
    analysis: bool = False
    kind: str = ""
    data_hash: str = ""
    commands: int = 0
    public_draws: int = 0
    opaque_draws: int = 0
    """Public draws whose value is bound by the end only."""
    hidden_draws: int = 0
    randomness: Randomness = msgspec.field(default_factory=Randomness)
    bots: int = 0
    """Bot moves that were thought again with the same result (0 where that was not asked for)."""
    rethought: bool = False
    """True if bots were to think again."""
    bot_seats: list[BotSeat] = []
    interventions: list[Intervention] = []
    """The changes of seats, clocks and pauses beside the play, and who made them."""
    signed: list[Seat] = []
    """Seats of people, all of whose commands are signed, those of former holders too."""
    unsigned: list[Seat] = []
    """Seats where a person gave a command without signature, or holds the seat without a key."""
    signed_commands: int = 0
    unsigned_commands: int = 0
    """Commands of people with and without a signature."""
    unread_signatures: int = 0
    """Of a seat's copy: signatures of sealed commands, which nobody can check yet."""
    signer: str = ""
    """The key (name and id) that signed the receipt; empty where none is pinned."""
    receipts: Receipts = msgspec.field(default_factory=Receipts)
    logged: list[LoggedEvent] = []
    status: str = ""
    """``open``, ``running``, ``finished`` or ``abandoned``."""
    winners: tuple[Seat, ...] = ()
    places: tuple[int, ...] = ()
    scores: tuple[int, ...] = ()
    reason: str = ""
    parts_opened: list[str] = []
    """Of a seat's copy: ``p1 of event 57 (StartingHandDealt)``."""
    all_parts: bool = False
    """Of a seat's copy: True if every part that the seat may know is opened."""
    seat: Seat | None = None
    has_quorum: bool = False
    """True if a policy said which witnesses are a quorum."""
    unchecked: list[str] = []
    """The checks that were asked for and cannot be made here."""
    unshown: list[str] = []
    """Facts that the profile of an organiser does not require and the bundle does not show."""

    @property
    def is_pinned(self) -> bool:
        """True if a key that the caller knows signed the receipt."""
        return bool(self.signer)

    @property
    def is_complete(self) -> bool:
        """True if nothing was left unchecked, the signer included: the exit status is then 0."""
        return self.is_pinned and not self.unchecked

    def list_unmet_requirements(self, words: Sequence[str]) -> list[str]:
        """Return the required *words* that do not hold. Those of :meth:`missing_inputs` are not judged."""
        missing = self.missing_inputs(words)
        holds = {
            "whole": self.whole,
            "ordinary": not self.analysis,
            "contributions": self.randomness.is_proven and not self.randomness.dropped,
            "beacon": self.randomness.beacon == WITNESSED,
            "signed": bool(self.signed) and not self.unsigned,
            "bots": self.rethought and all(bot.is_rethought for bot in self.bot_seats),
            "receipts": self.receipts.agree > 0,
            "log": any(found.n == self.events and found.judged for found in self.logged),
        }
        return [word for word in words if not holds[word] and word not in missing]

    def missing_inputs(self, words: Sequence[str]) -> dict[str, str]:
        """Return the required *words* that cannot be judged, each with what the caller has to give for it."""
        missing = {}
        if not self.receipts.agree:
            missing["receipts"] = "no receipt of this game by a known key was given (--receipts FILE)"
        if self.unread_signatures and not self.unsigned:
            many = f"{self.unread_signatures} sealed commands"
            missing["signed"] = f"the signatures of {many} are hidden; {LATER}"
        if not self.has_quorum:
            missing["log"] = NO_POLICY
        if not self.has_quorum and self.randomness.beacon == NOT_WITNESSED:
            missing["beacon"] = NO_POLICY
        if lacking := self.randomness.missing_input(has_policy=self.has_quorum):
            missing["contributions"] = lacking
        if not self.rethought:
            missing["bots"] = f"a seat's copy does not have the seeds of its bots; {LATER}"
        elif any(bot.left_out for bot in self.bot_seats):
            missing["bots"] = "--sample left moves out; run it without --sample"
        elif any(bot.not_at_hand for bot in self.bot_seats):
            missing["bots"] = "a bot is not installed here in the version that played; install that version"
        return {word: missing[word] for word in words if word in missing}

    def list_unshown(self, words: Sequence[str]) -> list[str]:
        """Return which of *words* this verification does not show, each with the reason."""
        missing = self.missing_inputs(words)
        lacking = [self.explain(word) for word in self.list_unmet_requirements(words)]
        return [*(f"{word} ({reason})" for word, reason in missing.items()), *lacking]

    def explain(self, word: str) -> str:
        """Return a requirement that does not hold, with the reason, and with what would meet it."""
        reasons = {
            "whole": f"this is a seat's copy; {LATER}",
            "ordinary": f"this is an analysis game; {NO_OPTION}",
            "contributions": f"{self.randomness.text()}; {NO_OPTION}",
            "beacon": f"{self.randomness.beacon or 'the game has none'}; {self._find_beacon_option()}",
            "signed": f"not signed: {describe_seats(self.unsigned)}; {NO_OPTION}",
            "log": "the file has no proof of its last event; fetch it again, the log signs once a second",
        }
        return f"{word} ({reasons[word]})" if word in reasons else word

    def _find_beacon_option(self) -> str:
        if self.randomness.beacon != "not witnessed before its round":
            return NO_OPTION
        return "name the witnesses who saw the reveals closed in time with --policy FILE"

    def summary(self) -> str:
        """Return the lines that people read: always all of them, in this order."""
        events = format_count(self.events, "event")
        commands = format_count(self.commands, "command")
        lines = [
            ("kind", self.kind),
            ("events", f"{events}, {commands}, head {self.head}"),
            ("rules", self._rules()),
            ("randomness", self.randomness.text()),
            ("draws", self._draws()),
            ("bots", "; ".join(map(self._bot, self.bot_seats)) or "none"),
            ("moves", self._moves()),
            *(("people", told) for told in [one.text() for one in self.interventions] or [NO_INTERVENTION]),
            ("signer", f"{self.signer}, pinned" if self.signer else NOT_PINNED),
            ("receipts", self.receipts.text()),
            ("log", describe_log(self.logged, self.events)),
            ("result", self._result()),
        ]
        rows = [self._title(), *(f"  {name:<14} {value}" for name, value in lines)]
        if not self.whole:
            rows.append(f"  {'parts opened':<14} {self._describe_parts()}")
        rows += describe_unshown(self.unshown)
        rows += describe_unchecked(self.unchecked, pinned=self.is_pinned)
        return "\n".join(map(escape_controls, rows))

    def to_json(self) -> dict[str, Any]:
        """Return the same as JSON's own types: the keys are stable."""
        found: dict[str, Any] = msgspec.to_builtins(self, str_keys=True)
        return found | {
            "pinned": self.is_pinned,
            "complete": self.is_complete,
            "result_checked": self.whole,
        }

    def _title(self) -> str:
        words = [] if self.is_complete else ["INCOMPLETE"]
        words += ["ABANDONED"] if self.status == "abandoned" else []
        verdict = ", ".join(words or ["OK"])
        verdict += ", ANALYSIS" if self.analysis else ""
        verdict += "" if self.whole else " (a seat's copy)"
        scope = "whole game" if self.whole else "spectator" if self.seat is None else f"seat {self.seat}"
        return f"{verdict}: {self.title}, game {self.game} ({scope})"

    def _rules(self) -> str:
        if self.whole:
            return f"every command decided again, data {self.data_hash or 'none'}"
        later = "what follows from the draws is checked when the game has ended"
        return f"not decided again but table commands: {later}"

    def _moves(self) -> str:
        seats = f"signed: {describe_seats(self.signed)}; not signed: {describe_seats(self.unsigned)}"
        many = self.signed_commands + self.unsigned_commands
        return f"{seats}; {self.signed_commands} of {many} commands of people are signed"

    def _draws(self) -> str:
        if self.whole:
            return f"{self.public_draws} public, {self.hidden_draws} hidden, all recomputed"
        shown = self.public_draws - self.opaque_draws
        return (
            f"{self.public_draws} public recomputed, {shown} shown in facts, {self.opaque_draws} opaque; "
            f"{self.hidden_draws} hidden not yet"
        )

    def _bot(self, bot: BotSeat) -> str:
        name = f"seat {bot.seat} {bot.text()}"
        if not self.rethought:
            return f"{name}: {bot.moves} moves NOT recomputed (--bots)"
        said = f"{name}: {bot.thought_again} moves recomputed, {bot.fallbacks} fallbacks"
        return said + (f", {bot.left_out} of {bot.moves} not in the sample" if bot.left_out else "")

    def sum_up_rethinking(self) -> None:
        """Sum up what came of thinking again."""
        self.bots = sum(bot.thought_again for bot in self.bot_seats)
        self.unchecked += [
            f"{bot.not_at_hand} moves of seat {bot.seat}: {bot.text()} is not installed here"
            for bot in self.bot_seats
            if bot.not_at_hand
        ]

    def _result(self) -> str:
        if self.status not in ("abandoned", "finished"):
            return "the game has not ended"
        said = "" if self.whole else "said, not checked: "
        if self.status == "abandoned":
            return f"{said}abandoned ({self.reason})"
        return f"{said}won by {describe_seats(self.winners) if self.winners else 'nobody'}"

    def _describe_parts(self) -> str:
        if self.all_parts:
            return f"all parts of seat {self.seat} ({len(self.parts_opened)})"
        return ", ".join(self.parts_opened) or "none"


LATER = "fetch the file again when the game has ended"
NO_OPTION = "no option changes that"
NO_INTERVENTION = "nobody intervened"
NOT_PINNED = "NOT PINNED: anybody can have made this"
NO_POLICY = "no policy with a quorum was given (--policy FILE says which log and which witnesses you trust)"


def describe_log(logged: Sequence[LoggedEvent], events: int) -> str:
    """Return what the proofs in a file say about the last of its *events*, in one line."""
    last = [found for found in logged if found.n == events]
    if last:
        return last[0].text()
    if logged:
        return f"event {logged[-1].n}: {logged[-1].text()}"
    return "no proof in the file"


def describe_unchecked(unchecked: Sequence[str], *, pinned: bool) -> list[str]:
    """Return a row for each thing that was left unchecked, with what the caller can do about it."""
    signer = [] if pinned else ["who signed: name the key that you noted (--key VKEY, or --policy FILE)"]
    return [f"  {'not checked':<14} {what}" for what in [*signer, *unchecked]]


def describe_unshown(unshown: Sequence[str]) -> list[str]:
    """Return a row for each thing that a profile does not require and a bundle does not show."""
    return [f"  {'not shown':<14} {what}" for what in unshown]


def join_numbers(numbers: Sequence[int]) -> str:
    """``0, 2``."""
    return ", ".join(map(str, numbers))


def describe_seats(numbers: Sequence[int]) -> str:
    """``seat 0``, ``seats 0, 2``, ``none``."""
    if not numbers:
        return "none"
    return f"seat{'s' if len(numbers) > 1 else ''} {join_numbers(numbers)}"
