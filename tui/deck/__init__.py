"""Anki decks: clips as a package that imports again and again, and keeps what the learner changed in Anki."""
