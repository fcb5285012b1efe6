"""The verification of tournaments: bundle, rounds, tables and games."""
