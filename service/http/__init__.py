"""What is read from requests and written into responses, whatever they are about."""
