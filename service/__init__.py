"""The HTTP service: commands, queries, accounts, live streams, and the page that uses only these."""
