"""The inbox over HTTP, as the programs ask it that send cards to Anki."""
