"""How much people may write."""

MAX_NOTES = 200
"""Notes of one account to one game."""
MAX_NOTE_LENGTH = 4000
"""Characters of a note."""
MAX_NOTES_LENGTH = 32_768
"""Characters of all of them together."""
