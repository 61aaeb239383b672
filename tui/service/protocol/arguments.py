"""Arguments of operations: their bounds, and what is said of them to whoever asks over HTTP.

Protocols name these in annotations only, which ``signatures.py`` resolves: nothing else has to import them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, TypedDict

from tui.records.jobs import JobOrder
from tui.records.mining import MAX_MINED
from tui.records.pages import MAX_HITS, MAX_ID, MAX_QUERY, MAX_ROWS, MAX_SEARCH_LENGTH
from tui.records.search import SEARCH_GROUPS
from tui.records.search_fields import SEARCH_FIELDS
from tui.records.sorting import MAX_SORT_NAME
from tui.records.transcripts import MAX_BOOKMARK_NAME, MAX_CUE_NOTE, MAX_CUE_TEXT, MAX_TITLE
from tui.records.word_states import WORD_STATES, WordOrder, WordState
from tui.records.words import WordMark, WordPlace


@dataclass(frozen=True, slots=True)
class Bound:
    """Bounds of an argument (characters of a text, items of a list, the range of a number), and a word ``about`` it.

    With ``trims`` the remote library brings what is beyond them within, where the service means the same by both;
    ``sent`` is the number of characters that it sends of a text at most. All else beyond is for the server to refuse.
    ``name`` is what the argument is called over HTTP.
    """

    most: int | None = None
    least: int | None = None
    about: str = ""
    name: str = ""
    trims: bool = False
    sent: int = 0


class TranscriptionOptions(TypedDict, total=False):
    """Options of a transcription, as ``records.transcription.TranscriptionChoice`` has them."""

    model: str
    language: str
    track: int
    start_ms: int
    end_ms: int | None


HIGHEST = 2**53
"""The whole numbers that every JSON reader takes for what they are (RFC 8259, 6) end here."""

Limit = Annotated[int, Bound(MAX_ROWS, 1, trims=True)]
Hits = Annotated[int, Bound(MAX_HITS, 1, trims=True)]
Offset = Annotated[int, Bound(HIGHEST, 0, trims=True)]
Newest = Annotated[int, Bound(MAX_ROWS, 0, "So many of the newest.", trims=True)]
StepNumber = Annotated[int, Bound(HIGHEST, 0)]
CueIndex = Annotated[int, Bound(HIGHEST, 0, name="index")]
NewCueIndex = Annotated[int, Bound(HIGHEST, 0)]
CueOffset = Annotated[int, Bound(HIGHEST, 0, "A code point of the text.")]
CueTime = Annotated[int | None, Bound(HIGHEST, -HIGHEST, "Milliseconds.")]
ShiftTime = Annotated[int, Bound(HIGHEST, -HIGHEST, "Milliseconds; less than 0 for earlier.")]
CuePlace = Annotated[int, Bound(HIGHEST, -1, trims=True)]
WordStart = Annotated[int | None, Bound(HIGHEST, -1, trims=True)]
Milliseconds = Annotated[int | None, Bound(HIGHEST, -HIGHEST)]
FirstWords = Annotated[int, Bound(HIGHEST, -HIGHEST, "1 to 100000.")]
OfferedWords = Annotated[int, Bound(HIGHEST, -HIGHEST, "So many of them, without a level.")]

Search = Annotated[str, Bound(MAX_SEARCH_LENGTH)]
SearchedList = Annotated[str, Bound(40, about=f"One of {', '.join(SEARCH_FIELDS)}.", name="list")]
SearchField = Annotated[str, Bound(40, about="A field of its queries, such as lang.")]
SearchGroup = Annotated[str, Bound(40, about=f"One of {', '.join(SEARCH_GROUPS)}.")]
TranscriptSearch = Annotated[str, Bound(MAX_SEARCH_LENGTH, about="Those of the transcripts with these words.")]
OfTranscript = Annotated[str, Bound(MAX_ID, about="Those of this transcript only.", sent=MAX_ID)]
FilmOf = Annotated[str, Bound(MAX_ID, about="The id of a transcript, or of a file with some.", name="of", sent=MAX_ID)]
RecordingOf = Annotated[
    str, Bound(MAX_ID, about="The id of a file, or of a transcript with a film or recording.", name="of", sent=MAX_ID)
]
TranscriptionModel = Annotated[
    str, Bound(300, about="PROVIDER:MODEL or whisper:NAME; without it that of the profile, else what there is.")
]
SpokenLanguage = Annotated[str, Bound(40, about="A language tag; without it it is found out.")]
SoundTrack = Annotated[int, Bound(1000, 0, "The track of sound; 0 goes by the language.")]
Moment = Annotated[int, Bound(HIGHEST, 0, "Milliseconds from the beginning.")]
EndMoment = Annotated[int | None, Bound(HIGHEST, 0, "Milliseconds; without it the end.")]
Named = Annotated[str, Bound(MAX_QUERY, about="A title, a path or a beginning of a title.")]
Title = Annotated[str | None, Bound(about=f"At most {MAX_TITLE} characters.")]
NoteText = Annotated[str, Bound(about=f"At most {MAX_CUE_NOTE} characters.")]
SeenText = Annotated[str, Bound(about="The text of the cue as it was seen.")]
CueText = Annotated[str | None, Bound(about=f"At most {MAX_CUE_TEXT} characters.")]
CorrectedTranscript = Annotated[str, Bound(MAX_ID, about="The id of a transcript.", name="of", sent=MAX_ID)]
CorrectionModel = Annotated[str, Bound(300, about="PROVIDER:MODEL; without it the template's for subtitles.")]
TranslatedInto = Annotated[str, Bound(200, about="A tag such as en; without it that of the explanations.")]
ChangeNumber = Annotated[int, Bound(HIGHEST, 0)]
TakenOrSeen = Annotated[bool | None, Bound(about="Whether they are taken; null: they were only seen.")]
Taken = Annotated[bool, Bound(about="Whether they are taken, else left.")]
TimeFactor = Annotated[float, Bound(2, 0, "Times become so many times themselves: 25/23.976, say.")]
TimeOffset = Annotated[int, Bound(HIGHEST, -HIGHEST, "Milliseconds later; less than 0 for earlier.")]
RetimingDryRun = Annotated[bool, Bound(about="Say what would be done; change nothing.")]
SaidMoment = Annotated[int, Bound(HIGHEST, 0, "Milliseconds from the beginning of the film at which it is said.")]
OtherCueIndex = Annotated[int | None, Bound(HIGHEST, 0, "A second cue.")]
OtherSaidMoment = Annotated[int | None, Bound(HIGHEST, 0, "Milliseconds at which that one is said.")]
ReferenceTrack = Annotated[str, Bound(MAX_ID, about="The id of a transcript whose times are right.", sent=MAX_ID)]
WithUnseen = Annotated[bool, Bound(about="Apply those too that were never on a screen.")]
WithClips = Annotated[
    bool, Bound(about="Give clips with the old text of a line the new one, or those without a translation theirs.")
]
NewCueText = Annotated[str, Bound(about=f"At most {MAX_CUE_TEXT} characters.")]
MinedTranscript = Annotated[str, Bound(MAX_ID, about="The id of a transcript.", name="of", sent=MAX_ID)]
CueIndexOfMark = Annotated[int, Bound(HIGHEST, 0, "The index of its cue.")]
MarkedWord = Annotated[
    str, Bound(MAX_QUERY, about="The word as it is asked about, where that is more than stands there.")
]
MarksSentence = Annotated[bool, Bound(about="Mark the whole sentence.")]
MinedPlaces = Annotated[Sequence[WordPlace], Bound(about=f"At most {MAX_MINED}, where they stand in it.")]
MinedWords = Annotated[Sequence[str], Bound(about="In any form: each is mined in its best sentence.")]
MinesMarks = Annotated[bool, Bound(about="All that is marked in it.")]
Commonest = Annotated[int, Bound(HIGHEST, 0, "All its new words that are among so many commonest of its language.")]
MiningModel = Annotated[str, Bound(300, about="PROVIDER:MODEL; without it the template's.")]
BatchTag = Annotated[str, Bound(MAX_QUERY, about="The tag of the clips; without it `mined-` and the date.")]
BookmarkName = Annotated[str | None, Bound(about=f"At most {MAX_BOOKMARK_NAME} characters.")]
NewTag = Annotated[str | None, Bound(about="A tag such as de.")]
Tag = Annotated[str, Bound(200, about="A tag such as de.")]
LanguageTag = Annotated[str | None, Bound(200, about="A BCP 47 tag; its first subtag counts.")]
FileLanguage = Annotated[str | None, Bound(200, about="A tag such as de, or de+en: split in two.")]
FileEncoding = Annotated[str | None, Bound(40, about="What the file is in, such as windows-1251.")]
EncodingName = Annotated[str, Bound(40, about="Such as windows-1251.")]
ExportFormat = Annotated[str, Bound(40)]
UploadName = Annotated[
    str,
    Bound(
        1000,
        about="Its name; the ending says how it is read, directories before it only which series it is of: "
        "`Dark/Season 1/03.srt`.",
    ),
]
UploadLanguage = Annotated[
    str | None, Bound(200, about="A tag such as de, two (de+en) to split it; else it is detected.")
]
UploadEncoding = Annotated[
    str | None, Bound(40, about="What the file is in, such as windows-1251; else it is found out.")
]
UploadForced = Annotated[bool, Bound(about="Import it also where that encoding makes gibberish of it.")]
DictionaryName = Annotated[str, Bound(1000, about="The name of the file, as in `wty-de-en.zip`.")]
ListName = Annotated[str, Bound(1000, about="Its name, as messages call it; its content says what it is.")]
ListEncoding = Annotated[str, Bound(40, about="What a list is in; else it is found out.")]
ListSource = Annotated[str, Bound(40, about="Where the states are from; else it is told by the file.")]
WordText = Annotated[str, Bound(MAX_QUERY)]
AskedWord = Annotated[str, Bound(1000, about="The word as it was asked about: fährt.")]
# A character may take nine in an address, and proxies refuse more than 8 kB.
SentenceText = Annotated[
    str, Bound(MAX_QUERY, about="The sentence it stands in, which may make a phrase of it.", sent=500)
]
Marks = Annotated[Sequence[WordMark], Bound(name="groups")]
MarkSource = Annotated[str, Bound(MAX_ID)]
OnlyLemma = Annotated[str | None, Bound(MAX_QUERY, about="Only what is written of this lemma.")]
Level = Annotated[str, Bound(40, about="Those below this level: B1, N4, HSK3 …")]
States = Annotated[
    Sequence[WordState], Bound(100, about=f"Only those in one of these states: {', '.join(WORD_STATES)}.")
]
SortedBy = Annotated[WordOrder, Bound(about="What they are sorted by.")]
SortName = Annotated[
    str,
    Bound(
        MAX_SORT_NAME,
        about="The column to sort by, as in `age` or `lang`; `-` before it turns the order over.",
        sent=MAX_SORT_NAME,
    ),
]
JobsFirst = Annotated[JobOrder, Bound(about="`attention`: what failed, runs and waits before the rest.")]
JobKind = Annotated[str, Bound(40)]
Month = Annotated[str, Bound(100, about="As in 2026-11; all without it.")]
ProviderId = Annotated[str, Bound(100, about="Its id, as in the list of providers.")]

ViewName = Annotated[str, Bound(about="Its name; upper and lower case are the same.")]
TargetProfile = Annotated[str, Bound(about="The profile that they go to; it comes into being by it.")]
MoveDryRun = Annotated[bool, Bound(about="Say what would go along; move nothing.")]
NewTags = Annotated[str, Bound(MAX_QUERY, about="Tags to add, apart by spaces.")]
OldTags = Annotated[str, Bound(MAX_QUERY, about="Tags to take away.")]
DryRun = Annotated[bool, Bound(about="Say what they would get; change nothing.")]
Spoken = Annotated[bool, Bound(about="Also those that another machine's voice speaks.")]
Live = Annotated[bool, Bound(about="Ask each usable provider for a word.")]
Full = Annotated[bool, Bound(about="Look at every index, search table and imported file.")]
Refresh = Annotated[bool, Bound(about="Ask the provider although the list is known.")]
Forced = Annotated[bool, Bound(about="Read it so also where that encoding makes gibberish of it.")]
AsIs = Annotated[bool, Bound(about="Leave the cues as the file has them: nothing merged or labelled.")]
