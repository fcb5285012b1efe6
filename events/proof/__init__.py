"""Canonical bytes, the hash chain, the randomness that anybody can check, public beacons."""
