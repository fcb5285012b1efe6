"""`rutter up` for a soak: API and workers reach their servers through proxies that may lose answers.

Started as a process of its own: `python -m tests.soak.supervisor DATA PORT PROXY_OF_POSTGRES PROXY_OF_REDIS`.
Everything else is as `rutter up` does it, and short commands on the folder reach the servers outright.
"""

import re
import sys
from functools import partial
from pathlib import Path

from ops.runtime.launcher import run_service
from ops.runtime.servers import Servers


class ServersBehindProxies(Servers):
    """Servers of our own, of which the service is told the ports of the proxies."""

    def __init__(self, data: Path, postgres: int, redis: int) -> None:
        super().__init__(data, environment={})
        self._doors = postgres, redis

    @property
    def database_url(self) -> str:
        """Where the service finds Postgres."""
        return _replace_port(super().database_url, self._doors[0])

    @property
    def redis_url(self) -> str:
        """Where the service finds Redis."""
        return _replace_port(super().redis_url, self._doors[1])


def _replace_port(url: str, port: int) -> str:
    """The same server by another port."""
    return re.sub(r"(@127\.0\.0\.1):\d+", rf"\1:{port}", url)


if __name__ == "__main__":
    folder, (port, postgres, redis) = Path(sys.argv[1]), map(int, sys.argv[2:])
    behind = partial(ServersBehindProxies, postgres=postgres, redis=redis)
    run_service(folder, host="127.0.0.1", port=port, demo=False, servers_of=behind)
