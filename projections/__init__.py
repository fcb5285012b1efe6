"""Followers of the log: the read models (lobby, history), and the hints that tell of its growth."""
