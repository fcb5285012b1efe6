"""Tournaments: streams of their own, decided and folded like games."""
