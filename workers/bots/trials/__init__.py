"""Trials of bots against each other: arena, ladder, the test of truth, and the fitting of weights."""
