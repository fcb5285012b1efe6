"""The resources of the API, one module each, and what describes them all."""
