"""Queries of games, tournaments and exports, for accounts that may see them."""
