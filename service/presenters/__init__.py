"""States as the API shows them: struct in, struct out."""
