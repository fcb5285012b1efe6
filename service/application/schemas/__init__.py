"""Schemas that depend on what is installed: titles, commands, tournaments."""
