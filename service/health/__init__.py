"""For those who run the service: readiness, metrics, signs of life, the access log."""
