"""Commands for developers of Rutter and of titles."""
