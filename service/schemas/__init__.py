"""Structs as schemas: what checks a request and what describes it come from the same types."""
