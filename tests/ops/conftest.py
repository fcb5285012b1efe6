"""Files for the command line."""

import pytest


@pytest.fixture
def files(tmp_path):
    """``(name, lines) -> path``."""

    def write(name, lines):
        path = tmp_path / name
        path.write_bytes(b"".join(lines))
        return path

    return write
