"""What seats, directors and the server ask of a table itself, whatever is played at it."""
