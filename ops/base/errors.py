"""The errors that keep Rutter from running, in sentences for the person at the terminal."""

OLD_GAMES = "holds games of a version of Rutter before the first release, which this version cannot read"
"""The words for a data folder or a database that holds games from before the first release."""


class OpsError(Exception):
    """Something outside the program must be put right; the message says what."""


class ServerFailure(OpsError):
    """An embedded server did not come up; the message carries the end of its log."""


class OccupiedFolder(OpsError):
    """Another `rutter up` holds this data folder."""


class ChangedMigration(OpsError):
    """A migration that a database has already run was edited afterwards."""
