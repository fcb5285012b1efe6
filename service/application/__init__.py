"""The layer between routes and stores: what accounts may do, and the work that requests ask for."""
