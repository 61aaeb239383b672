"""Decks of a profile's clips: written to files, merged with an Anki's notes, and pushed into a running one."""
