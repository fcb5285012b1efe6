"""What a stranger needs to trust a log without trusting its keeper: signed notes, receipts, the Merkle tree
of all games, proofs of inclusion, policies. Nothing here knows of games: a witness runs with it alone.
"""
