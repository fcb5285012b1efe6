"""Tests of how games are made, found and joined."""
