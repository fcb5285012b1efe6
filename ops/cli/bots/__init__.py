"""Commands about bots: matches, the ladder, fitted weights, simulated games, agents."""
