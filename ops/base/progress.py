"""The progress of a long command: shown on a terminal only; piped, nothing is said."""

import contextlib
import sys
import time
from collections.abc import Callable, Iterator

import click


@contextlib.contextmanager
def progress(label: str, total: int) -> Iterator[Callable[[int], None]]:
    """Show a bar with the share done, the rate and the time left; yield the function that counts steps."""
    began, done = time.monotonic(), 0

    def rate(_item: object) -> str:
        return f"{done / max(time.monotonic() - began, 0.001):,.0f}/s"

    with click.progressbar(
        length=max(total, 1),
        label=label,
        show_pos=False,
        item_show_func=rate,
        hidden=not sys.stderr.isatty(),
        file=sys.stderr,
        update_min_steps=max(total // 500, 1),
    ) as bar:

        def advance(steps: int) -> None:
            nonlocal done
            done += steps
            bar.update(steps)

        yield advance
