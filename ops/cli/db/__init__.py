"""Commands about the database: migrations, rights, backups, the archive, read models, failed tasks."""
