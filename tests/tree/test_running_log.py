"""The log of all games of a running service, read by a stranger while games are played."""

import json

import pytest
from click.testing import CliRunner

from ops.cli.log.audit import command
from tests.service.factories import GameRequest
from tests.service.robot import Robot
from tests.service.streams.test_live import Http
from tests.waiting import until

pytestmark = [pytest.mark.integration, pytest.mark.slow]


def test_a_stranger_audits_a_running_service(live_server, tmp_path):
    """Every game that is played stands in the log within the time that receipts promise."""
    ada = Http(live_server.address).account()
    game = ada.call("POST", "/v1/games", GameRequest(hotseat=2), status=201)
    assert Robot(ada, 4).play(game["id"])
    bundle = tmp_path / "game.ndjson"

    def is_proved():
        with ada.open("GET", f"/v1/games/{game['id']}/audit") as answer:
            bundle.write_bytes(answer.read())
        return '"kind":"proof"' in bundle.read_text()

    until(is_proved, "what was acknowledged stands in the log")
    vkey = ada.call("GET", "/v1/keys")["keys"][0]["vkey"]
    told = CliRunner().invoke(
        command, [live_server.address, "--key", vkey, "--bundle", str(bundle), "--json"]
    )
    assert told.exit_code == 0, told.output
    seen = json.loads(told.output)
    assert seen["receipts"]["logged"] == 1
    assert seen["games"] >= 1
