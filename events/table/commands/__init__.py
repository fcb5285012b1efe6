"""Table commands: requests of seats, directors and the server to a table, whatever is played at it."""
