"""The log of all games: one Merkle tree over all batches, made from the log, signed, kept and served."""
