"""AnkiConnect as its clients know it, without a library: requests, notes, fields and searches."""
