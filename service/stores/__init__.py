"""The tables of the service: SQL, by what it is about."""
