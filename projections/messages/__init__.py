"""Messages to the outside: hints to other processes, web push, calls to webhooks."""
