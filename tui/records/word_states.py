"""States of words in a profile, where they are from, and the orders of a list of words."""

from typing import Literal, get_args

WordState = Literal["new", "seen", "learning", "known", "ignored"]
"""State of a word in a profile: ``seen`` was looked up or clipped, ``ignored`` is a name, a number, another language.

A word without a state is new; a number, a name, and a word in a script that its language is not written in is ignored.
"""
WORD_STATES: tuple[WordState, ...] = get_args(WordState)
FROM_ANKI = "anki"
"""Source of states that cards of Anki say."""
WordOrder = Literal["lemma", "occurrences", "changed", "rank"]
"""Order of a list of words: by the alphabet, the most frequent in the library first, the last changed first, the
commonest in a frequency dictionary first."""
MAX_LEMMA = 200
"""Maximum characters of a lemma, and of a reading."""
MAX_SOURCE = 40
"""Maximum characters that name where a state is from."""
