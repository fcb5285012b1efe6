"""What contributors read names commands and paths that exist, and pre-commit runs the gates of the CI."""

from __future__ import annotations

import re
from pathlib import Path

import yaml

from tests import tiers

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / ".github/CONTRIBUTING.md").read_text()


def test_paths_exist():
    named = re.findall(r"`((?:events|projections|service|workers|ops|tests|\.ci)/[\w./]*)", PAGE)
    assert len(named) > 10
    for path in named:
        assert (ROOT / path).exists(), path


def test_each_tier_is_one():
    options = set(re.findall(r"ops/test (--\w+)", PAGE))
    assert options >= {"--gates", "--near", "--campaigns"}
    for option in options:
        assert f"ops/test {option} " in tiers.__doc__, option


def test_pre_commit_runs_the_gates():
    (repository,) = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"]
    assert [hook["entry"] for hook in repository["hooks"]] == ["ops/test --gates"]
