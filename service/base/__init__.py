"""What all rooms of the service stand on: settings, the database, limits, time; it knows none of them."""
