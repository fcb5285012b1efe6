"""Short programs that use the public API of a server. They import nothing of Rutter but `rutter.client`."""
