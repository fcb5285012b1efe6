"""Tools with which a stranger can trust a log without trusting its keeper.

They are signed notes, receipts, the Merkle tree of all games, proofs of inclusion and policies. Nothing here
knows of games: a witness runs with it alone.
"""
