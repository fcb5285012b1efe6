"""The talk at a table: a stream of its own beside the game's, with digests of what was said."""
