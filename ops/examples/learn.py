"""A network that learns a title by policy gradient (REINFORCE), in games against random play.

RUTTER_EXTRA_TITLES=tests.titles.example .venv/bin/python ops/examples/learn.py example --seconds 60
"""

import argparse
import time
from typing import Any

import numpy as np

from rutter.events.research.adapters.vector import VectorEnv

GAMES, RATE = 64, 0.02


class Network:
    """One hidden layer; its outputs are the words of a command, of which the mask leaves the legal ones."""

    def __init__(self, inputs: int, words: int, random: np.random.Generator) -> None:
        self.weights = [random.normal(0, inputs**-0.5, (inputs, 64)), np.zeros((64, words))]
        self.squares = [np.zeros_like(weight) for weight in self.weights]
        self.centre, self.width, self.updates, self.news = np.zeros(inputs), np.ones(inputs), 0, 0.0

    def judge(self, seen: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the inputs, the hidden layer, and the chance of each word."""
        hidden = np.tanh((inner := (seen - self.centre) / self.width) @ self.weights[0])
        outer = np.where(masks, hidden @ self.weights[1], -np.inf)
        power = np.exp(outer - outer.max(axis=1, keepdims=True))
        return inner, hidden, power / power.sum(axis=1, keepdims=True)

    def learn(self, seen: np.ndarray, masks: np.ndarray, words: np.ndarray, gains: np.ndarray) -> None:
        """Make the words likelier that gained, and the others less likely."""
        if not self.updates:  # from now on each input varies by about 1
            self.centre, self.width = seen.mean(axis=0), seen.std(axis=0) + 1e-3
        self.updates += 1
        inner, hidden, slope = self.judge(seen, masks)
        slope[np.arange(len(words)), words] -= 1
        slope *= (gains - gains.mean())[:, None] / (gains.std() + 1e-8) / len(words)
        slopes = [inner.T @ (slope @ self.weights[1].T * (1 - hidden**2)), hidden.T @ slope]
        for layer, change in enumerate(slopes):
            self.squares[layer] += 0.05 * (change**2 - self.squares[layer])
            self.weights[layer] -= RATE * change / (np.sqrt(self.squares[layer]) + 1e-6)


def play(env: VectorEnv, network: Network, seed: int, games: int) -> tuple[np.ndarray, list[np.ndarray]]:
    """Return the results of the network, -1 to 1, and what it saw, could say, said and gained."""
    random, own, step = np.random.default_rng(seed), np.arange(len(env)) % env.seats, env.reset(seed)
    told, results, kept = [list[Any]() for _ in own], list[float](), list[Any]()
    while len(results) < games:
        chances, mine = step.masks.astype(float), np.flatnonzero(step.players == own)
        chances[mine] = network.judge(step.observations[mine], step.masks[mine])[2]
        words = ((sums := chances.cumsum(axis=1)) <= random.random((len(own), 1)) * sums[:, -1:]).sum(axis=1)
        for place in mine:
            told[place].append((step.observations[place], step.masks[place], words[place]))
        if time.monotonic() > network.news:  # a line every five seconds
            print(f"after {network.updates} updates: {len(results)} of {games} games", flush=True)
            network.news = time.monotonic() + 5
        for place in np.flatnonzero((step := env.step(words)).terminations | step.truncations):
            results.append(step.rewards[place, own[place]])
            kept += [(*each, results[-1]) for each in told[place]]
            told[place] = []
    return np.array(results), [np.array(column) for column in zip(*kept, strict=True)]


def main(title: str, seconds: float, updates: int, seed: int = 1) -> float:
    """Learn for so long; return the lower 95 % bound of the share of victories in new games (luck: 0.5)."""
    env, end = VectorEnv(title, GAMES, scaled=True), time.monotonic() + seconds
    network = Network(len(env.bounds), len(env.vocabulary), np.random.default_rng(seed))
    while network.updates < updates and time.monotonic() < end:
        network.learn(*play(env, network, seed + network.updates + 1, 4 * GAMES)[1])
    shares = (1 + play(env, network, seed, 1000)[0]) / 2
    return float(shares.mean() - 1.96 * shares.std() / len(shares) ** 0.5)


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description=__doc__)
    for name, usual in {"title": "example", "--seconds": 60, "--updates": 10**9}.items():
        asked.add_argument(name, type=type(usual), default=usual)
    print("share of victories against random play, at least", round(main(**vars(asked.parse_args())), 3))
