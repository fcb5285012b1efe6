"""The base of the packages of the service: settings, database, limits, time. It imports none of them."""
