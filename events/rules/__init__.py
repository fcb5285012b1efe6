"""The parts of a title: facts, steps, chance, the contract, and the kit that titles share."""
