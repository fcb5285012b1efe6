"""The server's worker: threads that work only on requests that have arrived.

gunicorn's threaded worker gives a connection to a thread at its first byte, so that a client that sends a
byte a second holds a thread for as long as they like. Here the loop that accepts connections also reads them,
until a request is whole or has had its time; it also waits for those who are slow to hang up. Threads never
wait for bytes of a client; for one that does not read its answer they wait `ANSWER_SECONDS`.

It builds on the inside of gunicorn 27: the bound in pyproject.toml and the tests of this module guard that.
TLS is not for this worker, but for a proxy before it.
"""

import contextlib
import errno
import math
import socket
import time
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from selectors import EVENT_READ
from typing import Any

from gunicorn.http import errors, wsgi
from gunicorn.workers.gthread import TConn, ThreadWorker

from ops.server.request_buffer import RequestBuffer, RequestTooLong
from ops.server.thread_queue import LastWaiterQueue
from ops.server.worker_places import MANY, find_places, keep_to_processor

ARRIVE_SECONDS = 20.0
"""Seconds after its first byte in which a request is here, or it is given up."""
ANSWER_SECONDS = 20.0
"""Seconds that a client may take to accept a piece of an answer."""
LEAVE_SECONDS = 2.0
"""Seconds that a client may take to hang up after the last answer."""
YIELD_SECONDS = 0.02
"""Seconds for which a process with more connections than another leaves a new one to the other."""
DISTRUST_SECONDS = 1.0
"""Seconds for which none is left to others any more, after they did not take one in that time."""
UNSHARED = 20
"""The number of connections after which one is left to others again within that time.

When many come at once, a process that was busy for a moment would otherwise have none of them.
"""
GLANCE_SECONDS = 0.001
"""Seconds after which it looks again whether it has more."""
NEVER = -math.inf
STOP_SECONDS = 1.0
"""Seconds for the rest of a request that is arriving while the worker is asked to stop."""
MOST_ARRIVING = 2000
"""Requests that arrive at the same time; for one more the oldest is given up."""
PIECE = 64 * 1024
LARGEST_BODY = 1024 * 1024
"""The limit in bytes for a body where the application names none of its own."""
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"


class Connection(TConn):  # type: ignore[misc]
    """A connection, and what has arrived of its next request."""

    def __init__(self, cfg: Any, sock: socket.socket, client: Any, server: Any, largest_body: int) -> None:
        super().__init__(cfg, sock, client, server)
        self.data_ready = True
        self.buffer = RequestBuffer(largest_body)
        self.is_spent = False
        """True if nothing that still comes can be told from the rest of the last request."""
        self.forgotten = 0
        """Bytes that came after our last word."""

    def init(self) -> None:
        """Give the parser what has arrived. Runs in a thread, before each request."""
        super().init()
        self.sock.settimeout(ANSWER_SECONDS)
        self.parser.unreader.unread(self.buffer.request())
        self.is_spent = self.buffer.is_cut
        self.buffer.clear()

    def read_ahead(self) -> bytes:
        """Return the bytes that the parser has not used: the beginning of a next request."""
        return self.parser.unreader.take_buffered() if self.parser else b""


class Response(wsgi.Response):  # type: ignore[misc]
    """An answer that says for how long its connection is kept, so that no client sends into its end.

    An answer of 503 can end its connection with the header `Connection: close`.
    """

    def start_response(self, status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Any:
        """Begin the answer; gunicorn itself passes over what the application says of its connection."""
        if status.startswith("503") and ("Connection", "close") in headers:
            self.force_close()
        return super().start_response(status, headers, exc_info)

    def default_headers(self) -> list[str]:
        """Return the first lines of the answer."""
        kept = [] if self.should_close() else [f"Keep-Alive: timeout={self.cfg.keepalive}\r\n"]
        return [*super().default_headers(), *kept]


class ApiWorker(ThreadWorker):  # type: ignore[misc]
    """See the module."""

    def __init__(self, age: int, ppid: int, *args: Any, **kwargs: Any) -> None:
        """Make the worker; this is done in the parent, which forks then."""
        self.places = find_places(ppid)
        self.place = self.places.take()
        super().__init__(age, ppid, *args, **kwargs)
        self.nr_conns = MANY  # until it serves, nothing is left to it
        self.yields_until = NEVER
        """The time until which new connections are left to others."""
        self.leaves = False
        """True if connections are left to others until it looks again."""
        self.unshared = 0
        """The number of connections that are left to nobody, because the others did not take one."""
        # Both in the order of their time-outs, for all in one of them have the same time.
        self.arriving: dict[Connection, None] = {}
        self.leaving: dict[Connection, None] = {}

    def init_process(self) -> None:
        """Begin the work of this process."""
        wsgi.Response = Response
        keep_to_processor(self.place, self.cfg.workers)
        super().init_process()

    @property
    def nr_conns(self) -> int:
        """The number of connections; the other processes see it."""
        return self.places[self.place]

    @nr_conns.setter
    def nr_conns(self, count: int) -> None:
        self.places[self.place] = count

    def leave_place(self) -> None:
        """Give back the place of this worker, which has ended; its parent does so."""
        self.places.leave(self.place)

    def get_thread_pool(self) -> ThreadPoolExecutor:
        """Return the pool of threads that answer."""
        pool = ThreadPoolExecutor(max_workers=self.cfg.threads)
        pool._work_queue = LastWaiterQueue()  # type: ignore[assignment] # noqa: SLF001 - no thread has it yet
        return pool

    @property
    def largest_body(self) -> int:
        """Bytes of the largest body that the application takes."""
        return getattr(self.wsgi, "config", {}).get("MAX_CONTENT_LENGTH") or LARGEST_BODY

    def accept(self, listener: socket.socket) -> None:
        """Take a new connection, and wait for its first request."""
        if self._leaves_to_others():
            return
        try:
            client, address = listener.accept()
        except OSError as error:
            if error.errno in (errno.EMFILE, errno.ENFILE):
                self._give_up_oldest()
            elif error.errno not in (errno.EAGAIN, errno.ECONNABORTED, errno.EWOULDBLOCK):
                raise
            return
        self.nr_conns += 1
        self._await(Connection(self.cfg, client, address, listener.getsockname(), self.largest_body))

    def _leaves_to_others(self) -> bool:
        """Return True if a new connection is left to a process with fewer; not if that seems to be stuck."""
        if not self.places.is_fuller(self.place):
            return False
        now = time.monotonic()
        if self.unshared > 0 and 0 <= now - self.yields_until < DISTRUST_SECONDS:
            self.unshared -= 1
            return False
        if now > self.yields_until:
            self.yields_until, self.unshared = now + YIELD_SECONDS, UNSHARED
        self.set_accept_enabled(False)
        return True

    def set_accept_enabled(self, enabled: bool) -> None:
        """Take new connections, unless they are left to others at present, or do not."""
        leaves = enabled and time.monotonic() < self.yields_until
        if leaves and not self.places.is_fuller(self.place):  # another process has taken it
            self.yields_until, leaves = NEVER, False
        self.leaves = leaves
        super().set_accept_enabled(enabled and not leaves)

    def wait_for_and_dispatch_events(self, timeout: float) -> None:
        """Do what there is to do, or return after *timeout* seconds; soon while others may take connections.

        Whether they may was settled just before. Settled again here, it could sleep without an open door.
        """
        if self.leaves:
            self.leaves, timeout = False, min(timeout, GLANCE_SECONDS)
        super().wait_for_and_dispatch_events(timeout)

    def run(self) -> None:
        """Serve until the end."""
        self.nr_conns = 0
        super().run()

    def on_client_socket_readable(self, conn: Connection, client: socket.socket) -> None:
        """Read the next request of a kept connection."""
        self.poller.unregister(client)
        self.keepalived_conns.remove(conn)
        self._await(conn)
        self._receive(conn, client)

    def enqueue_req(self, conn: Connection) -> None:
        """Take a request right behind another: work on it if it is whole, else wait for the rest."""
        self._await(conn)
        self._take(conn, conn.read_ahead())

    def finish_request(self, conn: Connection, fs: "Future[bool]") -> None:
        """Keep the connection, or wait until the client hangs up; never in this thread."""
        if not fs.cancelled() and fs.exception() is None and fs.result():
            conn.sock.setblocking(False)
            super().finish_request(conn, fs)
        else:
            self._leave(conn)

    def handle_request(self, req: Any, conn: Connection) -> bool:
        """Answer a request. A client that does not take its answer has gone, as far as we are concerned."""
        try:
            return bool(super().handle_request(req, conn))
        except TimeoutError:
            self.log.info("Gave up a client that did not read its answer in %s s.", ANSWER_SECONDS)
            raise BrokenPipeError(errno.EPIPE, "not read in time") from None

    def _keepalive_after(self, conn: Connection, keepalive: bool) -> bool:
        """Return True if the connection serves another request: not if some of this one has yet to come."""
        return (
            keepalive
            and not conn.is_spent
            and bool(conn.parser.finish_body(deadline=time.monotonic() + 0.05))
        )

    def handle_error(self, req: Any, client: socket.socket, addr: Any, exc: BaseException) -> None:
        """Answer what is no HTTP with a problem; what went wrong here, too."""
        status = _find_status(exc)
        if status == 500:
            self.log.error("Error handling request", exc_info=exc)
        else:
            self.log.info("Invalid request: %s", type(exc).__name__)
        _send_problem(client, status)

    def murder_pending(self) -> None:
        """Give up requests whose time is over, and those who do not hang up."""
        now = time.monotonic()
        for waiting, end in ((self.arriving, self._give_up), (self.leaving, self._drop)):
            while waiting and (oldest := next(iter(waiting))).timeout <= now:
                end(oldest)

    def _cap_keepalive(self, deadline: float) -> None:
        """Let those who have sent something finish, in a short time: the worker stops."""
        super()._cap_keepalive(deadline)
        for conn in [conn for conn in self.arriving if not conn.buffer.data]:
            self._drop(conn)
        for conn in self.arriving:
            conn.timeout = min(conn.timeout, time.monotonic() + STOP_SECONDS)

    def _await(self, conn: Connection) -> None:
        """Wait for a request (in the loop)."""
        if len(self.arriving) >= MOST_ARRIVING:
            self._give_up_oldest()
        conn.sock.setblocking(False)
        conn.timeout = time.monotonic() + ARRIVE_SECONDS
        self.arriving[conn] = None
        self.poller.register(conn.sock, EVENT_READ, partial(self._receive, conn))

    def _receive(self, conn: Connection, client: socket.socket) -> None:
        """Read what has come."""
        try:
            data = client.recv(PIECE)
        except BlockingIOError:
            return
        except OSError:
            self._drop(conn)
            return
        if data:
            self._take(conn, data)
        elif conn.buffer.data:
            self._work(conn)  # half a request and no more to come: the parser says what is wrong
        else:
            self._drop(conn)

    def _take(self, conn: Connection, data: bytes) -> None:
        buffer = conn.buffer
        if not buffer.data:  # the time of a request begins with its first byte
            del self.arriving[conn]
            conn.timeout = time.monotonic() + ARRIVE_SECONDS
            self.arriving[conn] = None
        try:
            buffer.add(data)
        except RequestTooLong as too_long:
            self._refuse(conn, too_long.args[0])
            return
        if buffer.is_whole:
            self._work(conn)
        elif buffer.asks_to_continue:
            with contextlib.suppress(OSError):
                conn.sock.send(CONTINUE)
            buffer.strip_expectation()

    def _work(self, conn: Connection) -> None:
        """Let a thread answer."""
        del self.arriving[conn]
        self.poller.unregister(conn.sock)
        super().enqueue_req(conn)

    def _give_up(self, conn: Connection) -> None:
        if conn.buffer.data:
            self._refuse(conn, 408)
        else:
            self._drop(conn)

    def _give_up_oldest(self) -> None:
        if self.arriving:
            self._give_up(next(iter(self.arriving)))

    def _refuse(self, conn: Connection, status: int) -> None:
        """Say no, and wait for the client to hang up."""
        del self.arriving[conn]
        self.poller.unregister(conn.sock)
        _send_problem(conn.sock, status)
        self._leave(conn)

    def _leave(self, conn: Connection) -> None:
        """Hang up: the client's further bytes are read away, so that its system keeps our answer."""
        try:
            conn.sock.setblocking(False)
            conn.sock.shutdown(socket.SHUT_WR)
            self.poller.register(conn.sock, EVENT_READ, partial(self._forget, conn))
        except (OSError, ValueError, KeyError):
            self.nr_conns -= 1
            conn.close()
            return
        conn.timeout = time.monotonic() + LEAVE_SECONDS
        self.leaving[conn] = None

    def _forget(self, conn: Connection, client: socket.socket) -> None:
        try:
            data = client.recv(PIECE)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        conn.forgotten += len(data)
        if not data or conn.forgotten > 64 * PIECE:
            self._drop(conn)

    def _drop(self, conn: Connection) -> None:
        """Hang up."""
        self.arriving.pop(conn, None)
        self.leaving.pop(conn, None)
        with contextlib.suppress(OSError, KeyError, ValueError):
            self.poller.unregister(conn.sock)
        self.nr_conns -= 1
        conn.close()


def _find_status(exc: BaseException) -> int:
    """Return the status of what the parser refuses; 500 for what is our fault."""
    if isinstance(exc, errors.LimitRequestLine):
        return 414
    if isinstance(exc, errors.LimitRequestHeaders):
        return 431
    if isinstance(exc, errors.ExpectationFailed):
        return 417
    if isinstance(exc, errors.ParseException) and not isinstance(exc, errors.ConfigurationProblem):
        return 400
    return 500


def _send_problem(client: socket.socket, status: int) -> None:
    """Send a problem to a client whose request nothing else will answer."""
    from service.http.problems import answer_outside_application

    answer = answer_outside_application(status)
    lines = [f"HTTP/1.1 {answer.status}", *(f"{name}: {value}" for name, value in answer.headers)]
    head = "\r\n".join([*lines, "Connection: close", "", ""]).encode("latin-1")
    with contextlib.suppress(OSError):
        client.setblocking(False)
        client.send(head + answer.get_data())
