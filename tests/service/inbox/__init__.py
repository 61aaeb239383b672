"""Notes of the inbox, as the service fills them."""
