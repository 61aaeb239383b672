"""The inbox: cards that other programs send as to Anki become clips."""
