"""Access to the database tables of the service, one module for each subject."""
