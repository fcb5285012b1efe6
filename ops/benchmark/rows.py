"""The rows of the benchmark: their names never change, so that figures of years can be compared."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

import msgspec


class Row(msgspec.Struct, frozen=True):
    """One line of the table."""

    row: str
    figure: float
    unit: str
    yardstick: str = ""
    """The measurement of the same run with which the figure is compared."""
    against: float | None = None
    """The figure of the yardstick, in the same unit."""
    goal: str = ""
    less: bool = False
    """True if less is better: the ratio is then that of the yardstick to the figure."""
    empty: float | None = None
    """The same figure in a database without anything, where it was measured in a full one."""
    before: float | None = None
    """The same figure of an earlier run, if the run is compared with one."""
    failed: str = ""
    """The reason why it could not be measured; its figure then means nothing."""
    skipped: str = ""
    """The reason why it was left out: a library is not installed. This is no failure, and no figure."""

    @property
    def ratio(self) -> float | None:
        """The figure by its yardstick; the more the better, at the best about 1."""
        if not self.against or not self.figure:
            return None
        return self.against / self.figure if self.less else self.figure / self.against

    @property
    def slowdown(self) -> float | None:
        """The factor by which it is worse than in an empty database; None if that is not known."""
        if not self.empty or not self.figure:
            return None
        is_rate = self.unit.endswith("/s") and not self.goal.startswith("<")
        return self.empty / self.figure if is_rate else self.figure / self.empty

    @property
    def change(self) -> float | None:
        """The figure by that of the earlier run; None if that is not known."""
        return self.figure / self.before if self.before else None

    def text(self) -> str:
        """Return the line, in columns."""
        if self.failed:
            return f"{self.row:<45}{'failed':>12} {self.failed}"
        if self.skipped:
            return f"{self.row:<45}{'skipped':>12} {self.skipped}"
        columns = (
            f"{self.row:<45}{_format_number(self.figure):>12} {self.unit:<11}",
            f"{_format_number(self.against):>12} {_format_number(self.ratio):>8}  ",
            f"{self.yardstick:<36}{self.goal:<18}",
            ""
            if self.empty is None
            else f"{_format_number(self.empty):>12} {_format_number(self.slowdown):>8}",
            ""
            if self.before is None
            else f"  before {_format_number(self.before):>12}, now {_format_number(self.change)} of it",
        )
        return "".join(columns).rstrip()

    def _describe_yardstick(self) -> str:
        if self.against is None:
            return self.yardstick
        return f"{self.yardstick}: {_format_number(self.against)} {self.unit}"

    def json(self) -> str:
        """Return the line for a program."""
        if self.failed:
            return msgspec.json.encode({"row": self.row, "figure": None, "failed": self.failed}).decode()
        if self.skipped:
            return msgspec.json.encode({"row": self.row, "figure": None, "skipped": self.skipped}).decode()
        members = {
            "row": self.row,
            "figure": _format_short(self.figure),
            "unit": self.unit,
            "yardstick": self._describe_yardstick(),
            "ratio": _format_short(self.ratio),
            "goal": self.goal,
        }
        if self.empty is not None:
            members |= {"empty": _format_short(self.empty), "grown": _format_short(self.slowdown)}
        if self.before is not None:
            members |= {"before": _format_short(self.before), "change": _format_short(self.change)}
        return msgspec.json.encode(members).decode()


HEAD = (
    f"{'row':<45}{'figure':>12} {'':<11}{'yardstick':>12} {'ratio':>8}  {'':<36}{'goal':<18}"
    f"{'empty':>12} {'grown':>8}"
)


def _format_number(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:,.1f}" if value >= 10 else f"{value:.3f}"


def _format_short(value: float | None) -> float | None:
    return None if value is None else float(f"{value:.6g}")


def pair_with_empty(full: Iterable[Row], empty: Iterable[Row]) -> Iterator[Row]:
    """Yield the rows of a full database as they come, each with the figure that an empty one gave."""
    known = {row.row: row.figure for row in empty if not row.failed}
    for row in full:
        yield msgspec.structs.replace(row, empty=known.get(row.row))


def read_figures(lines: Iterable[str]) -> dict[str, float]:
    """Return the figures of an earlier run by row, without failed ones, from what `--json` printed."""
    rows = [msgspec.json.decode(line, type=_Printed) for line in lines if line.strip()]
    return {row.row: row.figure for row in rows if row.figure is not None}


class _Printed(msgspec.Struct):
    row: str
    figure: float | None


def pair_with_earlier(rows: Iterable[Row], earlier: Mapping[str, float]) -> Iterator[Row]:
    """Yield rows as they come, each with the figure of an earlier run, if that has it."""
    for row in rows:
        yield msgspec.structs.replace(row, before=earlier.get(row.row))


def complete_rows(names: Iterable[str], measure: Callable[[], Iterable[Row]]) -> Iterator[Row]:
    """Yield the rows that *measure* gives; if it fails, those of *names* that it still owes, as failed."""
    owed = dict.fromkeys(names)
    try:
        for row in measure():
            owed.pop(row.row, None)
            yield row
    except Exception as problem:  # noqa: BLE001 - one failure must not cost the other rows
        reason = f"{type(problem).__name__}: {problem}".splitlines()[0]
        yield from (Row(name, 0.0, "", failed=reason) for name in owed)
