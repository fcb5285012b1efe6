"""The client for programs with an event loop, which is the core of the other one as well."""

import asyncio
import inspect
import json
import os
import secrets
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, aclosing, suppress
from ipaddress import ip_address
from itertools import count
from pathlib import Path
from typing import Any, TypedDict, TypeVar, Unpack
from urllib.parse import urlencode, urlsplit
from uuid import UUID, uuid4

import urllib3

from .answers import JSON, Game, Message, Move, Problem, Refused, Turn, Unanswered
from .contribution import Contribution
from .receipts import BadReceipt, Key, PinnedKeys, ReceiptStore, UnknownKey, load_pinned_keys

T = TypeVar("T")
OnTurn = Callable[[Turn], Any]
Messages = AsyncGenerator[Message, None]
Answer = urllib3.BaseHTTPResponse
LATER = (429, 500, 502, 503, 504)
"""Statuses that may be gone in a moment."""
SETTLED = ("already_answered", "game_not_open", "nothing_committed", "reveals_closed")
"""Refusals of a contribution that nobody can reveal any more."""
OVER = {"event": ("type", "TableClosed", "TableAbandoned"), "game": ("status", "finished", "abandoned")}
"""The messages that end a game, by kind: a member, and its values then. Others may hold anything."""
LOST = (urllib3.exceptions.HTTPError, OSError)
"""Errors that are raised where no answer comes, or half of one."""


class Settings(TypedDict, total=False):
    """Settings of a client; each has a default."""

    folder: str | os.PathLike[str]
    """Where receipts and contributions are kept. Without one the client contributes to no game."""
    waits: float
    """Seconds without an answer after which a request is given up: 600."""
    pause: float
    """The longest pause before the next attempt, if the server asks for none: 2 seconds."""
    silence: float
    """Seconds without a sign of life after which a connection is lost: 45. Streams send one every 15."""
    tell: Callable[[str], object]
    """Gets a sentence before each pause: why the client waits, and how long."""


class AsyncClient(AbstractAsyncContextManager["AsyncClient"]):
    """An account at a server, for programs with an event loop. A program without one takes `Client`.

    Args:
        server: the origin, such as `https://rutter.example`; plain HTTP is for this machine only.
        token: the token of an account; `sign_up` makes one.
        settings: see `Settings`.

    `calls` counts the requests that were sent, repeated ones included.

    Raises:
        ValueError: the address is not an origin, or plain HTTP would lead to another machine.
    """

    def __init__(self, server: str, token: str | None = None, **settings: Unpack[Settings]) -> None:
        self.server, self.token = check_origin(server), token
        timeout = urllib3.Timeout(connect=10, read=settings.get("silence", 45))
        self._pool = urllib3.connection_from_url(self.server, maxsize=16, timeout=timeout)
        self._threads = ThreadPoolExecutor(256, "rutter-client")
        self._waits, self._pause = settings.get("waits", 600), settings.get("pause", 2)
        self._folder = Path(settings["folder"]) if settings.get("folder") else None
        self._receipts: ReceiptStore | None = None
        self._keys: JSON = {}
        self.calls, self._tell = 0, settings.get("tell", str)

    async def __aexit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let all connections go."""
        self._threads.shutdown(wait=False)
        self._pool.close()

    async def request(self, method: str, path: str, body: object = None, *, key: str = "") -> Any:
        """Send any request until it is answered, and return its JSON. Raises Problem.

        A *key* is the Idempotency-Key: name it to repeat a request of an earlier run; else each has its own.
        """
        answer = await self._send(method, path, body, key)
        return answer.json() if answer.data else None

    async def read(self, path: str) -> bytes:
        """Return what lies at a path as it stands, such as a game's audit file at `/v1/games/ID/audit`."""
        return (await self._send("GET", path)).data

    async def sign_up(self, /, name: str, **more: object) -> JSON:
        """Make an account, use its `token` from now on, and return the account. Keep the token."""
        made: JSON = (await self._send("POST", "/v1/accounts", {"name": name, **more})).json()
        self.token = made["token"]
        return dict(made["account"])

    async def games(self, /, **query: object) -> AsyncGenerator[JSON, None]:
        """Iterate over games, the newest first; `mine=True`, `status="open"`, `title=...` select some."""
        path: str | None = f"/v1/games{_query(**query)}"
        while path:
            page = (await self._send("GET", path)).json()
            for game in page["games"]:
                yield game
            path = page["next"]

    async def create(self, /, title: str, seats: Sequence[JSON], **settings: object) -> Game:
        """Make a game of a title. With a folder, commit to a contribution for each seat that is yours."""
        game, wanted = str(settings.get("id") or _make_id()), list(seats)
        if self._folder and not {"seed", "repeat", "position"} & settings.keys():
            for seat in [seat for seat, one in enumerate(seats) if one.get("you")]:
                wanted[seat] = {**wanted[seat], **(await self._contribute(game, seat)).seat_request}
        body = {"title": title, **settings, "id": game, "seats": wanted}
        return Game.read(await self._give("/v1/games", body, game))

    async def join(self, /, game: Game | str, seat: int | None = None, **more: object) -> Game:
        """Take a seat, or the first free one. With a folder, commit to a contribution for a named *seat*."""
        body = more if seat is None else {"seat": seat, **more}
        if self._folder and seat is not None:
            body = {**(await self._contribute(_id(game), seat)).join_request, **body}
        return Game.read(await self._give(f"/v1/games/{_id(game)}/join", body, _id(game)))

    async def reveal(self, game: Game | str) -> bool:
        """Reveal your contributions; return False as long as it is too early, because seats are free."""
        now = await self.look(game)
        if now.status != "open" or any(seat.get("open") for seat in now.json["seats"]):
            return now.status != "open"
        seats = [one["seat"] for one in now.json["seats"] if one["you"]]
        mine = [seat for seat in seats if self._place(now.id, seat).exists()]
        if mine:  # nobody may choose theirs after these: the server first signs that all seats are taken
            newest = await self._send("GET", f"/v1/games/{now.id}/receipt")
            await self._keep(now.id, newest.json(), now.seq)
        for seat in mine:
            try:
                body = (await self._contribute(now.id, seat)).reveal_request
                await self._give(f"/v1/games/{now.id}/reveal", body, now.id)
            except Refused as refused:
                if refused.code not in SETTLED:
                    raise
        return True

    async def look(self, game: Game | str, seat: int | None = None, at: int | None = None) -> Game:
        """Return a game as it is now, or was after event *at*. After its end you may look from any *seat*."""
        path, least = f"/v1/games/{_id(game)}", await self._find_newest(_id(game))
        found = Game.read((await self._send("GET", path + _query(seat=seat, at=at))).json())
        if at is None:
            _check_last(found.json["last"], least)
        return found

    async def at(self, game: Game | str, seq: int, seat: int | None = None) -> Game:
        """Return a game as it was after event *seq*: what a seat could see then."""
        return await self.look(game, seat, seq)

    async def act(self, game: Game | str, move: Move | JSON, *, key: str = "", at: int | None = None) -> JSON:
        """Give a command, which counts once however often it is sent; return `events`, `seq`, `receipt`.

        If *at* is not the number of the newest event, the server refuses it: `version_conflict`.
        """
        body = {**move.command, "seat": move.seat} if isinstance(move, Move) else move
        return await self._give(f"/v1/games/{_id(game)}/commands", body, _id(game), key, at)

    def follow(self, game: Game | str, after: int | None = None, seat: int | None = None) -> Messages:
        """Iterate over the messages of a game, all or those *after* an event, also over lost connections."""
        return self._listen(f"/v1/games/{_id(game)}/stream{_query(seat=seat)}", after, _id(game))

    def news(self, after: int | None = None, *, legal: bool = True) -> Messages:
        """Iterate over the notices and turns of all games of the account, until another stream takes over."""
        return self._listen(f"/v1/me/stream{_query(legal=legal)}", after)

    def stream(self, path: str, after: int | None = None) -> Messages:
        """Iterate over the messages of another stream, such as that of a tournament."""
        return self._listen(path, after)

    async def play(self, on_turn: OnTurn, game: Game | str | None = None, seat: int | None = None) -> None:
        """Play a game to its end, or all games of the account until another stream takes over.

        Args:
            on_turn: gets each turn; returns a `Move`, a command, or None for nothing. It may be a coroutine.
            game: one game, whose contributions are revealed as well; None for all games.
            seat: one of your seats in the game, if you hold several.

        Raises:
            Problem: a request is refused, though no other player was faster, or nothing answers.
        """
        one = None if game is None else _id(game)
        done, is_open = dict[str, int](), one is not None
        async with aclosing(self.follow(one, seat=seat) if one else self.news()) as messages:
            async for message in messages:
                if message.name == "turn":
                    await self._take(Turn.read(message.data), on_turn, done)
                elif one and (end := OVER.get(message.name)) and message.data[end[0]] in end:
                    return
                elif one and is_open:
                    is_open = not await self.reveal(one)

    async def _take(self, turn: Turn, on_turn: OnTurn, done: dict[str, int]) -> None:
        """Ask for the move of a *turn* and give it, unless the turn is older than what was *done*."""
        is_new = turn.legal and turn.seq >= done.get(turn.game, 0)
        move = await self._ask(on_turn, turn) if is_new else None
        try:
            if move is not None:
                done[turn.game] = (await self.act(turn.game, move))["seq"]
        except Refused as refused:
            if refused.status != 409 or (await self.look(turn.game)).seq <= turn.seq:
                raise  # nothing has happened meanwhile, so no other turn comes

    async def _give(self, path: str, body: JSON, game: str, key: str = "", at: int | None = None) -> JSON:
        """Post what a game has to accept, and keep the receipt of the answer."""
        least = await self._find_newest(game)
        answer = await self._send("POST", path, body, key, **({} if at is None else {"If-Match": f'"{at}"'}))
        told: JSON = answer.json()
        await self._keep(game, told, 0 if "Idempotency-Replayed" in answer.headers else least)
        return told

    async def _keep(self, game: str, told: JSON, least: int) -> None:
        """Keep the receipt of an answer. If no known key signed it, ask first which keys were announced."""
        receipts = await self._open_receipts()

        def check() -> None:
            receipt = receipts.keep(game, told.get("receipt"), repeated=True)
            _check_last(receipt.n, least)
            for event in told.get("events", ()):
                receipts.check_event(game, event["seq"], event["hash"])

        try:
            await self._io(check)
        except UnknownKey:
            self._keys = (await self._send("GET", "/v1/keys")).json()
            await self._io(check)

    async def _open_receipts(self) -> ReceiptStore:
        """Return the receipts that are kept; at first contact, pin the keys of the server."""
        if self._receipts is None:
            self._keys = (await self._send("GET", "/v1/keys")).json()
            signing = [Key.read(key["vkey"]) for key in self._keys["keys"] if key["until"] is None]
            keys = PinnedKeys(signing, ask=lambda: self._keys)
            if self._folder:
                keys = load_pinned_keys(self._folder, self.server, lambda: self._keys)
            self._receipts = ReceiptStore(keys, self._folder)
        return self._receipts

    async def _find_newest(self, game: str) -> int:
        """Return the number of the latest event of a game that was acknowledged; 0 for none."""
        return newest.n if (newest := (await self._open_receipts()).find_newest(game)) else 0

    def _place(self, game: str, seat: int) -> Path:
        return (self._folder or Path()) / "contributions" / f"{game}.{seat}"

    async def _contribute(self, game: str, seat: int) -> Contribution:
        """Return the contribution for a seat; the first time draw it, and store it."""
        place = self._place(game, seat)

        def read() -> Contribution:
            if not place.exists():
                place.parent.mkdir(parents=True, exist_ok=True)
                draft = place.with_name(f"{place.name}.draft")
                with os.fdopen(os.open(draft, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), "w") as file:
                    file.write(Contribution.make(game, seat).bytes.hex())
                    file.flush()
                    os.fsync(file.fileno())
                draft.replace(place)
            return Contribution(game, seat, bytes.fromhex(place.read_text()))

        return await self._io(read)

    async def _send(
        self, method: str, path: str, body: object = None, key: str = "", **headers: str
    ) -> Answer:
        """Send a request, with the same key each time, until it is answered. Raises Refused, Unanswered."""
        if not path.startswith("/"):
            raise ValueError(f"{path!a} is not a path at {self.server}")
        sent = {"Accept": "application/json", "Content-Type": "application/json", **headers}
        if self.token:
            sent["Authorization"] = f"Bearer {self.token}"
        if method != "GET":
            sent["Idempotency-Key"] = key or str(uuid4())
        data = None if body is None else json.dumps(body).encode()
        # The pool knows one host, and what leads elsewhere is a refusal like others.
        settings: Any = {"retries": False, "redirect": False, "preload_content": "Accept" not in headers}

        def exchange() -> tuple[Answer, Problem | None]:
            try:
                answer = self._pool.urlopen(method, path, data, sent, **settings)
                return answer, None if 200 <= answer.status < 300 else Refused(answer.status, answer.data)
            except LOST as lost:
                return urllib3.HTTPResponse(status=503), Unanswered(f"No answer to {method} {path}: {lost}")

        end = time.monotonic() + self._waits
        for attempt in count():
            self.calls += 1
            answer, problem = await self._io(exchange)
            if problem is None:
                return answer
            asked = answer.headers.get("Retry-After", "")
            wait = int(asked) if asked.isdecimal() else min(self._pause, 0.1 * 2 ** min(attempt, 9))
            if answer.status not in LATER or time.monotonic() + wait > end:
                raise problem
            self._tell(f"{method} {path}: {problem} The next attempt is in {wait:.2g} s.")
            await self._sleep(wait)
        raise AssertionError

    async def _listen(self, path: str, after: int | None, game: str | None = None) -> Messages:
        """Iterate over the messages of a stream, which goes on where it broke off."""
        while True:
            least = await self._find_newest(game) if game else 0
            last = {} if after is None else {"Last-Event-ID": str(after)}
            answer, text = await self._send("GET", path, Accept="text/event-stream", **last), b""
            try:
                with suppress(*LOST):  # the server restarts, or the network is away
                    while chunk := await self._io(answer.read1):
                        *blocks, text = (text + chunk).split(b"\n\n")
                        for message in filter(None, map(Message.read, blocks)):
                            if message.name == "closing" and message.data.get("replaced"):
                                return
                            if game:
                                self._check_message(game, message, least)
                            yield message
                            after = after if message.id is None else message.id
            finally:
                with suppress(ValueError, RuntimeError, OSError):
                    answer.shutdown()  # ends the read of another thread
                answer.close()
            await self._sleep(self._pause)

    def _check_message(self, game: str, message: Message, least: int) -> None:
        """Compare a message of a game with what was acknowledged. Raises BadReceipt."""
        if message.name == "game":
            _check_last(message.data["last"], least)
        elif message.name == "event" and self._receipts:
            self._receipts.check_event(game, message.data["seq"], message.data["hash"])

    async def _io(self, work: Callable[[], T]) -> T:
        """Do what blocks in a thread."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)

    async def _sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    async def _ask(self, on_turn: OnTurn, turn: Turn) -> Any:
        move = on_turn(turn)
        return await move if inspect.isawaitable(move) else move


def check_origin(server: str) -> str:
    """Return the origin without a slash at its end. Raises ValueError for what must not get a token."""
    at, origin = urlsplit(server), server.rstrip("/")
    plain = at.hostname and "@" not in server and origin in (f"http://{at.netloc}", f"https://{at.netloc}")
    if not plain:
        raise ValueError(f"{server!a} is not an origin: write one such as https://rutter.example")
    with suppress(ValueError):
        if at.scheme == "https" or at.hostname == "localhost" or ip_address(at.hostname or "").is_loopback:
            return origin
    raise ValueError(f"{server} would send the token as plain text: use https")


def _check_last(last: int, least: int) -> None:
    if last < least:
        raise BadReceipt(f"the server shows {last} events, but acknowledged event {least}: keep the receipts")


def _query(**values: object) -> str:
    given = {name: value for name, value in values.items() if value is not None}
    text = urlencode({name: one if isinstance(one, str) else json.dumps(one) for name, one in given.items()})
    return f"?{text}" if text else ""


def _id(game: Game | str) -> str:
    """Return the id of a game. Raises ValueError for another text, which could lead to another path."""
    return str(UUID(game.id if isinstance(game, Game) else game))


def _make_id() -> str:
    """Return a new UUIDv7."""
    bits = time.time_ns() // 1_000_000 << 80 | 7 << 76 | 2 << 62
    return str(UUID(int=bits | secrets.randbits(12) << 64 | secrets.randbits(62)))
