"""Word diffs: what of a text is another text by now, by the words of its language."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import SequenceMatcher

from tui.language.segmentation import words


@dataclass(frozen=True, slots=True)
class DiffRun:
    """Run of a text from ``old`` to ``new``, the same where nothing changed, "" where something came or went."""

    old: str
    new: str


def diff_words(before: str, after: str, language: str | None) -> tuple[DiffRun, ...]:
    """Compare two texts; the runs' old texts make the one, the new ones the other.

    Blocks: a segmenter may take some tenths of a second to load.
    """
    old, new = _cut(before, language), _cut(after, language)
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    return tuple(
        DiffRun("".join(old[first:last]), "".join(new[start:end]))
        for _, first, last, start, end in matcher.get_opcodes()
    )


def merge_runs(runs: tuple[DiffRun, ...]) -> tuple[DiffRun, ...]:
    """Merge neighbouring changes with only white space between them: they read as one."""
    merged: list[DiffRun] = []
    for run in runs:
        is_space = run.old == run.new and run.old.isspace()
        if is_space and merged and merged[-1].old != merged[-1].new:
            merged.append(run)
            continue
        if run.old != run.new and len(merged) > 1 and merged[-1].old.isspace() and merged[-1].old == merged[-1].new:
            space, last = merged.pop(), merged.pop()
            run = DiffRun(last.old + space.old + run.old, last.new + space.new + run.new)
        merged.append(run)
    return tuple(merged)


def find_counterpart(word: str, runs: tuple[DiffRun, ...]) -> str | None:
    """Find what a word has become: itself where it stands in the new text, else what one run of it alone turned into.

    None where that is not to be told.
    """
    if word in "".join(run.new for run in runs):
        return word
    found = {run.new.strip() for run in runs if run.old.strip() == word and run.new.strip()}
    return found.pop() if len(found) == 1 else None


def _cut(text: str, language: str | None) -> list[str]:
    """Cut a text into its words and the single characters between them."""
    pieces: list[str] = []
    end = 0
    for word in words(text, language):
        if word.start < end:
            continue
        pieces += [*text[end : word.start], text[word.start : word.end]]
        end = word.end
    return [*pieces, *text[end:]]
