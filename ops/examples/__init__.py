"""Short programs that use the public API of a server. Of Rutter they import `rutter.client` alone."""
