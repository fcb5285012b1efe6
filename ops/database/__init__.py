"""The database as its owner sees it: schema, rights, backups, archive, distribution, checks."""
