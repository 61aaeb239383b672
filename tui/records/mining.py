"""Mining: words and sentences of a transcript that are broken down together, and become cards that wait in a review."""

from dataclasses import dataclass

from tui.records.words import WordPlace

MAX_MINED = 1_000
"""Words that one job breaks down at most."""


@dataclass(frozen=True, slots=True)
class MiningMark:
    """Mark of a word, or of the sentence that it stands in, at the code points ``start`` to ``end`` of a cue.

    ``text`` is what stands there, ``focus`` the word as it is asked about, which may have its parts elsewhere too.
    ``cue_text`` is the whole text of the cue, "" where nobody has read it. ``id`` is "" for one that is not kept.
    """

    cue: int
    start: int
    end: int
    text: str
    focus: str
    is_sentence: bool = False
    cue_text: str = ""
    id: str = ""


@dataclass(frozen=True, slots=True)
class MiningPlan:
    """Plan of a batch: the model (a selector), how many words and sentences it is asked about, in how many requests.

    ``tag`` is what the clips get. ``not_found`` are words that the transcript does not have. ``dictionary`` is the
    title of the frequency dictionary that told the commonest words, "" for the library's own counts, or where those
    were not asked for. ``is_local``: nothing is paid. ``places`` are where the words stand that were named, or are
    common: a start with these, instead of the words, does what was planned. ``left_out``
    counts what is too much for one batch.
    """

    transcript_id: str
    title: str
    language: str | None
    model: str
    tag: str
    word_count: int
    request_count: int
    is_local: bool
    not_found: tuple[str, ...] = ()
    dictionary: str = ""
    places: tuple[WordPlace, ...] = ()
    left_out: int = 0
