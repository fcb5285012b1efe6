"""Routes about my account and its notifications."""
