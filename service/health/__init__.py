"""Health of the service for its operators: readiness, metrics, signs of life, the access log."""
