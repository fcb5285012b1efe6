"""The twelve Characters: what each of them does with his card, and who is asked meanwhile."""
