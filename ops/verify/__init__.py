"""Verification at the command line: bundles, tournaments, bots, fair play, the log."""
