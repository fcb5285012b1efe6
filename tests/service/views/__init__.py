"""Tests of what is read of games: now, later, from outside, from the archive."""
