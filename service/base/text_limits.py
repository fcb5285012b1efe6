"""Limits on the texts that people write."""

MAX_NOTES = 200
"""The most notes of one account to one game."""
MAX_NOTE_LENGTH = 4000
"""The most characters of a note."""
MAX_NOTES_LENGTH = 32_768
"""The most characters of all notes of one account to one game together."""
