"""The programs of `rutter up`: embedded servers, their processes, and the supervisor over them."""
