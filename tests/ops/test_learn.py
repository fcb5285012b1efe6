"""The learning example: it repeats, and in campaigns it beats random play by more than luck."""

from __future__ import annotations

import importlib.util

import pytest

from tests.conftest import ROOT

SOURCE = ROOT / "ops/examples/learn.py"
LUCK = 0.5


def load_example():
    """The example as a module."""
    pytest.importorskip("numpy")
    spec = importlib.util.spec_from_file_location("learn", SOURCE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def learn():
    """The example, as a module."""
    return load_example()


def test_it_has_at_most_80_lines():
    assert len(SOURCE.read_text(encoding="utf-8").splitlines()) <= 80


def test_learning_repeats(learn, capsys):
    """The same seed gives the same weights, which change; the first line of progress comes at once."""
    import numpy as np

    networks = []
    for _ in range(2):
        env = learn.VectorEnv("example", 4, scaled=True)
        network = learn.Network(len(env.bounds), len(env.vocabulary), np.random.default_rng(1))
        for seed in range(2):
            network.learn(*learn.play(env, network, seed, 8)[1])
        networks.append(network)
    one, two = networks
    assert one.updates == 2
    assert all((a == b).all() for a, b in zip(one.weights, two.weights, strict=True))
    assert one.weights[1].any()
    assert capsys.readouterr().out.startswith("after 0 updates: 0 of 8 games\n")


@pytest.mark.campaign
def test_it_beats_random_play(learn, monkeypatch):
    """After 30 small updates, by the lower 95 % bound of 1,000 new games; without learning it is luck."""
    monkeypatch.setattr(learn, "GAMES", 24)
    assert learn.main("example", 1e9, 30) > LUCK
    assert learn.main("example", 1e9, 0) < LUCK
