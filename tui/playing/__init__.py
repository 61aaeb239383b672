"""Playing: sound through the players that this machine has, and mpv while somebody watches a film in it.

Knows nothing of transcripts, libraries or screens.
"""
