"""Voices of this machine: programs that speak a sentence, each a child process with limits.

Only ``service`` knows this room, which asks providers for theirs (``llm/http/provider.py``).
"""
