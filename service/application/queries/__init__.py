"""What is read of games, tournaments and exports, for accounts that may see it."""
