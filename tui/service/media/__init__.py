"""What Lode does with films and recordings."""
