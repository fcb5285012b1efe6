"""The structs of responses, and the schemas and components that are made from structs."""
