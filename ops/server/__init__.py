"""The API under gunicorn: its worker, its settings, and the WSGI application."""
