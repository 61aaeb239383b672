"""Words: which ones a profile knows, where they stand, and how many of a transcript are new."""

from __future__ import annotations

from dataclasses import dataclass

from tui.records.word_states import WordState


@dataclass(frozen=True, slots=True)
class WordMark:
    """State that a word is to have; without a reading it holds for all readings of the lemma.

    ``language`` is a BCP 47 tag, of which the primary subtag counts, "" for texts of an unknown language. ``source``
    and ``changed_at`` are "" for whoever marks, and now; those of a state that was exported come back with it.
    """

    language: str
    lemma: str
    reading: str = ""
    state: WordState = "known"
    source: str = ""
    changed_at: str = ""


@dataclass(frozen=True, slots=True)
class KnownWord:
    """A word with its state in the profile: one that was given a state, or that is in its transcripts.

    ``reading`` is there where the text says it (床 ゆか, not とこ). ``source`` says where the state is from ("user",
    "clip", "answer", "frequency", "list", "anki" …), ``changed_at`` since when it has it; both are "" for a word that
    never had one. ``occurrences`` and ``transcripts`` count it in the profile's texts, ``rank`` is its place in a
    frequency dictionary, None if unknown. ``is_name`` tells that the texts write it with a capital wherever it stands,
    though not every noun of its language: without a state it is ignored.
    """

    language: str
    lemma: str
    reading: str
    state: WordState
    source: str
    changed_at: str
    occurrences: int
    transcripts: int
    rank: int | None = None
    is_name: bool = False


@dataclass(frozen=True, slots=True)
class TextWord:
    """A word of a cue at the code points ``start`` to ``end`` of its text, and its state in the profile."""

    start: int
    end: int
    lemma: str
    reading: str
    state: WordState


@dataclass(frozen=True, slots=True)
class CueStates:
    """Words of the cue with this index, with their states."""

    index: int
    words: tuple[TextWord, ...]


@dataclass(frozen=True, slots=True)
class WordCounts:
    """Counts of a transcript's words: running words, different lemmas, how many of those are new, running words that
    count as known, sentences, and sentences with exactly one word that is not known, which is new.
    """

    words: int
    different: int
    new: int
    known: int
    sentences: int
    one_new: int

    @property
    def share_known(self) -> float:
        """Share of the running words that count as known; 0 of none."""
        return self.known / self.words if self.words else 0.0


@dataclass(frozen=True, slots=True)
class WordPlace:
    """Place of a word in a transcript: its cue, and the code points of that cue's text."""

    cue: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class TextPlace:
    """Place of a word in the library: its transcript, cue, and the code points of that cue's text."""

    transcript_id: str
    cue: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class NextWord:
    """A word worth learning next, and the best sentence for it: a short one, in which little else is new.

    ``cue`` is the one with the word, at the code points ``start`` to ``end`` of its text, ``surface`` the word as it
    stands there; the times are those of the sentence. ``new_words`` counts what is not known in it, this word included.
    """

    word: KnownWord
    surface: str
    sentence: str
    transcript_id: str
    title: str
    cue: int
    start: int
    end: int
    start_ms: int | None
    end_ms: int | None
    new_words: int

    @property
    def place(self) -> TextPlace:
        """The word's place, as clips of it are asked for."""
        return TextPlace(self.transcript_id, self.cue, self.start, self.end)


@dataclass(frozen=True, slots=True)
class FrequencyMark:
    """Words that were marked by their frequency: how many changed their state, out of how many that were listed.

    ``dictionary`` is the title of the frequency dictionary that says so, "" for the library's own counts.
    """

    changed: int
    listed: int
    dictionary: str


@dataclass(frozen=True, slots=True)
class FrequencyOffer:
    """What a mark of the ``count`` most frequent words would do: so many would change.

    ``rarest`` are some of the last of them, ``dictionary`` is as in ``FrequencyMark``.
    """

    count: int
    changed: int
    dictionary: str
    rarest: tuple[str, ...]
