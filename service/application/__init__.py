"""Who may do what, and how it is done; a request comes here from its route."""
