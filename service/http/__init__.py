"""Reading of requests and writing of responses, whatever they are about."""
