"""The twelve Characters, one module each: ``play`` begins the play, further functions its later steps."""
