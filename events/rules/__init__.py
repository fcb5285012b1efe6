"""What a title is made of: facts, steps, chance, the contract, and the kit that titles share."""
