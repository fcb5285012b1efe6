"""Routes about your account and its notifications."""
