"""The command line's own client of the API."""

import socket
import threading

import pytest

from ops.clients.api import ApiClient, ApiError
from tests.waiting import PATIENCE


def test_an_answer_that_breaks_off_is_an_api_that_is_not_ready():
    """A server that is killed between head and body: asked again it may well be there."""
    with socket.create_server(("127.0.0.1", 0)) as door:

        def break_off():
            for _ in range(2):
                connection, _ = door.accept()
                with connection:
                    connection.recv(1000)
                    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 47\r\n\r\n")

        server = threading.Thread(target=break_off, daemon=True)
        server.start()
        api = ApiClient(f"http://127.0.0.1:{door.getsockname()[1]}")
        assert not api.is_ready()
        with pytest.raises(ApiError, match="GET /readyz"):
            api.get("/readyz")
        server.join(PATIENCE)
