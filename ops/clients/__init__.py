"""Clients of the public API: for commands that talk to a server, and for agents."""
