"""Routes about my account, and what I am told."""
