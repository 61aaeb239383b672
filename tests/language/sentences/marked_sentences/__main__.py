"""Print how well Lode finds the ends of the marked sentences, a line per language."""

from tests.language.sentences.marked_sentences import our_cutter, table

print(table(our_cutter))  # noqa: T201 - it is what this is for
