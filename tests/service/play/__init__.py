"""Tests of commands to games and their tables."""
