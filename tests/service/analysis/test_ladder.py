"""The ladder of the bots, as it is served."""

import json

import pytest

from events.rules.catalogue import title_ids
from ops.server.wsgi import LADDER_FILE
from service.presenters.bot_ladder import load_ladder

pytestmark = pytest.mark.integration
MEMBERS = {"name", "version", "budget", "weights", "games", "score", "elo", "low", "high", "sentence"}


def test_it_is_what_was_measured(api):
    """Levels and results of the file; kept by its tag; the sums behind them stay in the file."""
    stored = json.loads(LADDER_FILE.read_bytes())["titles"]
    assert stored
    for title_id, tables in stored.items():
        answer = api.send("GET", f"/v1/titles/{title_id}/ladder")
        told = answer.get_json()
        assert told["title"] == title_id
        assert [table["seats"] for table in told["tables"]] == [table["seats"] for table in tables]
        for shown, table in zip(told["tables"], tables, strict=True):
            assert shown["levels"] == table["levels"]
            assert set(shown["levels"][0]) == MEMBERS
            assert [pair["games"] for pair in shown["pairs"]] == [
                pair["tally"]["games"] for pair in table["pairs"]
            ]
            assert shown["pairs"][0]["challenger"] == table["pairs"][0]["result"]["challenger"]
        path = f"/v1/titles/{title_id}/ladder"
        assert api.send("GET", path, If_None_Match=answer.headers["ETag"]).status_code == 304


def test_a_file_without_sentences_is_served(tmp_path):
    """One that an older program wrote: the levels stand there, and nothing is said of them."""
    titles = json.loads(LADDER_FILE.read_bytes())["titles"]
    for table in titles["colonial"]:
        for level in table["levels"]:
            del level["sentence"]
    older = tmp_path / "older.json"
    older.write_text(json.dumps({"titles": titles}))
    assert {level.sentence for table in load_ladder("colonial", older).tables for level in table.levels} == {
        ""
    }


def test_what_nobody_measured(api, tmp_path):
    """A title without a ladder has no tables; so have all where there is no file. No title has none."""
    assert set(title_ids()) > {"example"}
    assert api.get("/v1/titles/example/ladder") == {"title": "example", "tables": []}
    assert load_ladder("colonial", None).tables == []
    assert load_ladder("colonial", tmp_path / "none.json").tables == []
    assert api.refused("GET", "/v1/titles/chess/ladder") == (404, "unknown_title")
