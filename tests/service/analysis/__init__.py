"""Tests of bots, odds, reviews and positions."""
