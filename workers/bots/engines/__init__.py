"""Engines: programs of others that play as bots; one to learn from, and a comparison of moves."""
