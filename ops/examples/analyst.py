"""Load every finished game of a title into DuckDB, and print some statistics.

    python ops/examples/analyst.py http://localhost:8000 colonial_empires

It needs `duckdb`. With TOKEN=rut_... it counts your own private games too. Run it again after an interruption
or days later: it goes on after its last line. Finished games come in the order in which they ended, so the
server sends all that ended since, however old they are.
"""

from __future__ import annotations

import gzip
import json
import os
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urljoin

import duckdb

QUESTIONS = {
    "Games and their length": """
        SELECT version, count(*) AS games, round(avg(seq)) AS events
        FROM games GROUP BY version ORDER BY version""",
    "Who wins, by seat": """
        SELECT seat, count(*) AS games, round(avg((outcome.places[seat + 1] = 1)::int), 3) AS won
        FROM (SELECT outcome, unnest(range(len(outcome.places))) AS seat FROM games)
        GROUP BY seat ORDER BY seat""",
    "The most frequent events": """
        SELECT type, count(*) AS events FROM events GROUP BY type ORDER BY events DESC, type LIMIT 10""",
}


def fetch(base: str, what: str, title: str, path: Path) -> None:
    """Fetch all lines of an export after the last whole one in *path*."""
    have = path.read_bytes().rpartition(b"\n")[0] if path.exists() else b""
    path.write_bytes(have + b"\n" if have else b"")
    last = have.rpartition(b"\n")[2]
    after = f"&after={json.loads(last)['cursor']}" if last else ""
    with path.open("ab") as file:
        for page in pages(f"{base}/v1/export/{what}?status=finished&title={title}{after}"):
            for line in page:
                file.write(line)


def pages(address: str) -> Iterator[Iterator[bytes]]:
    """Yield the answers from *address* on, each as its lines."""
    headers = {"Accept-Encoding": "gzip"}
    if token := os.environ.get("TOKEN"):
        headers["Authorization"] = f"Bearer {token}"
    while address:
        with urllib.request.urlopen(urllib.request.Request(address, headers=headers)) as answer:  # noqa: S310
            yield gzip.GzipFile(fileobj=answer)
            link = answer.headers.get("Link", "")
        address = urljoin(address, link[1:].partition(">")[0]) if 'rel="next"' in link else ""


def main(base: str, title: str) -> None:
    """Fetch the exports, then print the statistics."""
    for what in ("games", "events"):
        path = f"{title}.{what}.ndjson"
        fetch(base, what, title, Path(path))
        duckdb.execute(f"CREATE TABLE {what} AS FROM read_json('{path}', format = 'newline_delimited')")
    for question, query in QUESTIONS.items():
        print(f"\n{question}")
        print(duckdb.sql(query))


if __name__ == "__main__":
    main(sys.argv[1].rstrip("/"), sys.argv[2])
