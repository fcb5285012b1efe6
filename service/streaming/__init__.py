"""What the live streams of one process share: the hub, caches, and who has hung up."""
