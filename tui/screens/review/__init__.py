"""Review of what models propose: the list of what waits, and one review, whose changes are taken or left."""
