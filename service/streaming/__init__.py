"""Shared parts of the live streams of one process: the hub, caches, and the watch for disconnects."""
