"""Health of the service for its operators: readiness, metrics and signs of life."""
