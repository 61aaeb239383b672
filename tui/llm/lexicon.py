"""Built-in lexicon, the provider ``lexicon:concordance``: no model, no network, only dictionaries and the own library.

A focus word gets what the dictionaries have of it, and its count; the explanation is their entries, and a concordance.
It claims nothing that it does not know.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import replace
from typing import Protocol, TypeVar

from tui.errors import ProviderError
from tui.language.segmentation import words
from tui.language.word import fold
from tui.llm import protocol
from tui.llm.selector import Selector, invalid_selector
from tui.records.answers import ProviderStatus
from tui.records.clips import ConcordanceLine, FocusWord
from tui.records.dictionaries import FoundEntry, LookUp, by_dictionary
from tui.text.display import clock, count_of
from tui.text.escapes import literal, literal_part
from tui.text.sanitize import one_line

T = TypeVar("T")

MODEL = "concordance"
_LINES = 12
_ENTRIES, _SENSES, _EXAMPLES = 6, 8, 2
_MAX_GLOSS = 600
_MAX_WORDS = 60
_MAX_LINE = 400
_NO_MEANINGS = "no dictionary has this word; add one, or choose a model in Template for an explanation"
_NOTHING_ELSE = "there is no other sentence with it in your library yet"
_NO_TRANSLATION = "these are the words as your library knows them; for a translation choose a model in Template"


class Library(Protocol):
    """The library as the lexicon needs it. ``language`` is a BCP 47 code, or None where it is not known."""

    async def known(self, word: str, language: str | None, sentence: str = "") -> tuple[FocusWord, LookUp]:
        """Facts about a word in its sentence, with its count, and all that the dictionaries say of it."""

    def other_word(self, focus: FocusWord, found: LookUp) -> FocusWord | None:
        """The word that may as well be meant as the focus of a look-up."""

    async def occurrences(self, word: str, language: str | None) -> int:
        """How often it has the word in any of its forms."""

    async def concordance(
        self, word: str, *, language: str | None, limit: int = 20, exclude_sentence: str = ""
    ) -> tuple[ConcordanceLine, ...]:
        """Other sentences with the word in any of its forms, the closest first."""

    def needs_preparing(self, language: str | None) -> bool:
        """Whether the language's word list is still to be built."""

    async def prepare(self, language: str) -> None:
        """Build it, which takes seconds."""


class Lexicon:
    """The built-in provider; always available. May raise what the library raises (``StoreError``)."""

    name = "lexicon"
    label = "Built-in lexicon"
    local = True
    parallel = False

    def __init__(self, library: Library) -> None:
        self._library = library

    async def status(self) -> ProviderStatus:
        return ProviderStatus(self.name, self.label, available=True, reason="", local=True)

    async def models(self, *, refresh: bool = False) -> tuple[str, ...]:
        return (MODEL,)

    def check(self, selector: Selector) -> None:
        """Check a selector; raises ``InvalidInput`` (``invalid_selector``) for a model that is not here."""
        if selector.model != MODEL:
            known = f"{self.name}:{MODEL}"
            raise invalid_selector(str(selector), f"the built-in lexicon has only {known}", hint=f"choose {known}")

    async def focus(self, sentence: str, focus: str, language: str | None) -> tuple[FocusWord, FocusWord | None]:
        """Facts of dictionaries and library about the word and its other choice; nothing else is claimed."""
        known, found = await self._library.known(focus, language, sentence)
        return known, self._library.other_word(known, found)

    async def count(self, word: FocusWord) -> FocusWord:
        """The word with how often the library has it."""
        return replace(word, frequency=await self._library.occurrences(word.surface, word.language))

    async def preparing(self, language: str | None) -> AsyncIterator[protocol.Preparing]:
        """Builds the language's word list where that is still to be done, and says so first."""
        if language is not None and self._library.needs_preparing(language):
            yield protocol.Preparing("building the word list of this language, once")
            await self._library.prepare(language)

    async def stream(self, request: protocol.ChatRequest) -> AsyncGenerator[protocol.StreamEvent, None]:
        """The concordance of the request's ``question`` as Markdown. Raises ``ProviderError`` for another model."""
        question = request.question
        if request.model != MODEL:
            raise ProviderError(
                f"the built-in lexicon has no model {one_line(request.model)[:80]!r}",
                hint=f"choose {self.name}:{MODEL}",
                code="model_not_found",
            )
        if question is None:
            raise ProviderError("the built-in lexicon only looks up words", code="unsupported")
        async for preparing in self.preparing(question.language):
            yield preparing
        answer = self._word(question) if question.kind == "breakdown" else self._sentence(question)
        async for event in answer:
            yield event

    async def structured(
        self, request: protocol.ChatRequest, form: type[T], *, on_wait: protocol.OnWait = protocol.ignore_wait
    ) -> protocol.StructuredAnswer[T]:
        raise ProviderError(
            "the built-in lexicon fills in no forms", hint="choose a model in Template", code="unsupported"
        )

    async def close(self) -> None:
        """Do nothing: the library is the service's."""

    async def _word(self, question: protocol.Question) -> AsyncIterator[protocol.StreamEvent]:
        """Answer with the entries of the word and other sentences; a ``Remark`` on a gap gets onto no card."""
        word, language = one_line(question.focus), question.language
        focus, found = await self._library.known(word, language, question.sentence)
        left = _ENTRIES
        for entries in by_dictionary(found.entries):
            for entry in entries[:left]:
                yield protocol.TextDelta(_entry(entry))
            if left:
                yield protocol.TextDelta(f"*{literal(entries[0].dictionary.credit)}*\n\n")
            left = max(0, left - len(entries))
        said = "" if found.entries else _describe_unknown(word, focus)
        lines = await self._library.concordance(
            word, language=language, limit=_LINES, exclude_sentence=question.sentence
        )
        nothing_known = not (found.entries or said or lines)
        if nothing_known:
            said = f"No dictionary here has the word “{literal(word[:_MAX_LINE])}”.\n"
        if said:
            yield protocol.TextDelta(said)
        if lines:
            yield protocol.TextDelta("Other sentences with it:\n\n")
        for line in lines:
            yield protocol.TextDelta(_line(line))
        if not found.entries:
            yield protocol.Remark(_NO_MEANINGS)
        if not lines:
            yield protocol.Remark(_NOTHING_ELSE)
        yield protocol.StreamEnd("stop", nothing_known=nothing_known)

    async def _sentence(self, question: protocol.Question) -> AsyncIterator[protocol.StreamEvent]:
        language = question.language
        seen: set[str] = set()
        for word in await asyncio.to_thread(words, question.sentence, language):
            if (key := fold(word.text, language)) in seen:
                continue
            seen.add(key)
            if len(seen) > _MAX_WORDS:
                yield protocol.TextDelta(f"- … and more; only the first {_MAX_WORDS} words are looked up\n")
                break
            text = one_line(word.text)
            known, _ = await self._library.known(text, language, question.sentence)
            lemma = word.lemma or known.lemma
            read = f" ({literal(word.reading)})" if word.reading is not None else ""
            form = f" → *{literal(lemma)}*" if lemma is not None and lemma != text else ""
            meaning = f": {literal(known.meanings[0])}" if known.meanings else ""
            count = count_of(known.frequency or 0, "time")
            yield protocol.TextDelta(f"- **{literal(text)}**{read}{form}{meaning} · {count}\n")
        yield protocol.Remark(_NO_TRANSLATION if seen else "there is no word in it that could be looked up")
        yield protocol.StreamEnd("stop")


def _describe_unknown(word: str, focus: FocusWord) -> str:
    """Describe a word that no dictionary has: its form, its reading and its count; "" where nothing is known."""
    said = []
    if focus.lemma is not None and focus.lemma != word:
        said.append(f"**{literal(word)}** belongs to the dictionary form **{literal(focus.lemma)}**.")
    if focus.reading is not None:
        said.append(f"It is read **{literal(focus.reading)}**.")
    if focus.frequency:
        said.append(f"It occurs {count_of(focus.frequency, 'time')} in your library.")
    return " ".join(said) + "\n\n" if said else ""


def _entry(found: FoundEntry) -> str:
    """An entry as Markdown: its head, its senses as a list with their examples."""
    entry = found.entry
    head = [f"**{literal(entry.term)}**"]
    head += [literal(entry.reading)] if entry.reading and entry.reading != entry.term else []
    head += [literal(each) for each in (*entry.pronunciations[:2], *entry.part_of_speech, *entry.tags) if each]
    lines = [" · ".join(head) + "\n\n"]
    for number, sense in enumerate(entry.meanings[:_SENSES], 1):
        tags = f"*({literal(', '.join(sense.tags))})* " if sense.tags else ""
        lines.append(f"{number}. {tags}{literal_part('; '.join(sense.glosses)[:_MAX_GLOSS], at_start=not tags)}\n")
        for example in sense.examples[:_EXAMPLES]:
            translation = f" — {literal_part(example.translation[:_MAX_LINE])}" if example.translation else ""
            lines.append(f"   - *{literal(example.text[:_MAX_LINE])}*{translation}\n")
    if (more := len(entry.meanings) - _SENSES) > 0:
        lines.append(f"\n… and {count_of(more, 'more sense')}\n")
    notes = ("; ".join(sense.glosses)[:_MAX_GLOSS] for sense in entry.notes)
    lines += [f"\n*{literal(note)}*\n" for note in notes]
    return "".join(lines) + "\n"


def _line(line: ConcordanceLine) -> str:
    """One sentence with its word bold, and where it stands."""
    text = one_line(line.text)
    start = max(0, len(one_line(line.text[: max(0, line.start) + 1])) - 1)
    end = start + len(one_line(line.text[max(0, line.start) : max(0, line.end)]))
    first = max(0, start - _MAX_LINE // 2)
    before = literal_part(text[first:start], at_start=not first)
    after = literal_part(text[end : end + _MAX_LINE // 2])
    lead = "…" if first else ""
    tail = "…" if end + _MAX_LINE // 2 < len(text) else ""
    place = literal(line.title)
    if line.start_ms is not None:
        place += f", {clock(line.start_ms)}"
    sentence = f"{lead}{before}**{literal(text[start:end])}**{after}{tail}"
    return f"- {sentence.strip()} — {place}\n"
