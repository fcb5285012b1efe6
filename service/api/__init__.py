"""The resources of the API, one module each, and the OpenAPI document that describes them."""
