"""Common tools of the commands: addresses, durable files, errors, progress, tables in files."""
