"""Short programs that use the service as anybody may: nothing of it is imported."""
