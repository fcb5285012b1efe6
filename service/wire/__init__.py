"""What is read from strangers and said to them: bodies, queries, headers, problems."""
