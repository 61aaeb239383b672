"""Word forms of a transcript by its sentences, as its words are counted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from tui.language.cue_sentences import SAMPLE, CueSentence, cuts_sentences, each_sentence
from tui.language.word_form import FormKey, TextForm, text_forms
from tui.records.transcripts import Cue


@dataclass(frozen=True, slots=True)
class SentenceForms:
    """Forms of words by sentences: each different form once, and the sentences as places among these.

    A sentence is the cue and the offset (code points) where it begins, and the places of its forms, from 0 on. Nothing
    of it but the different forms is looked at by Python's collector of garbage, which would stop all threads for half
    a second with an object for every word of a long book.
    """

    different: tuple[TextForm, ...]
    sentences: Sequence[tuple[int, int, tuple[int, ...]]]


def sentence_forms(
    cues: Sequence[Cue], language: str | None, check: Callable[[], None] = lambda: None
) -> SentenceForms:
    """Cut cues into those of their sentences that have words. Takes about 50 µs a cue, more where a segmenter cuts.

    ``check`` is called for each sentence, to end this by raising.
    """
    rest: dict[int, list[TextForm]] = {}
    read = _reading(cues, language, rest)
    different: dict[FormKey, tuple[int, TextForm]] = {}
    sentences: list[tuple[int, int, tuple[int, ...]]] = []
    for sentence in each_sentence(read, language, cutting=cuts_sentences(cues[:SAMPLE])):
        check()
        forms = _of(sentence, rest)
        if places := tuple([different.setdefault(form.key, (len(different), form))[0] for form in forms]):
            sentences.append((sentence.first, sentence.parts[0].start, places))
    return SentenceForms(tuple(form for _, form in different.values()), sentences)


def _reading(cues: Iterable[Cue], language: str | None, rest: dict[int, list[TextForm]]) -> Iterator[Cue]:
    """Pass the cues on, and put their words into ``rest``, the first one last."""
    for cue in cues:
        rest[cue.index] = list(reversed(text_forms(cue.text, language)))
        yield cue


def _of(sentence: CueSentence, rest: dict[int, list[TextForm]]) -> Iterator[TextForm]:
    """Take the words of a sentence out of those that are left of its cues."""
    for part in sentence.parts:
        left = rest[part.cue]
        while left and left[-1].start < part.end:
            yield left.pop()
