"""AnkiConnect as its clients know it: requests, notes, their fields and searches; nothing of the library."""
