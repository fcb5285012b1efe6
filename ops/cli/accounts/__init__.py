"""Commands about accounts: bans, and reports of messages."""
