"""Bounds of everything that is read from outside: one row for each reader, and nothing of them anywhere else.

Whoever reads a file, an archive or an answer holds at most some 250 MB, whatever it was given. That is not one of the
numbers but follows from them: what is held whole is bounded by ``bytes_in`` or ``entry_bytes``, what is held of each
entry by ``entries``. A reader without a row is refused by ``tests/test_bounds.py``.
"""

from dataclasses import dataclass

ANY = 1 << 62
"""No bound: read in pieces of which none is kept, whatever their number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """Bounds of one reader; 0 stands where a format has nothing of the kind.

    ``bytes_in`` are those of the file or the answer as it comes, ``bytes_out`` those of all that is unpacked of it,
    which are ``free_bytes`` and ``ratio`` for each byte that came in as well. ``entries`` are members, rows, cards or
    values, ``entry_bytes`` those of the largest. ``depth`` counts what stands within each other, or leads on to
    another. ``seconds`` bound the waiting for somebody else; reading itself is ended by Ctrl+C.
    """

    bytes_in: int
    entries: int
    entry_bytes: int
    bytes_out: int = 0
    depth: int = 0
    ratio: int = 0
    free_bytes: int = 0
    seconds: float = 0.0

    def most_out(self, packed: int) -> int:
        """The bytes that may be unpacked of so many: what is packed to less was made to fill a disk."""
        return min(self.bytes_out or ANY, self.free_bytes + self.ratio * packed)


# Texts and subtitles, read whole. The subtitles of a day's film have a hundredth. Entries are cues with times: one for
# each second of three days; karaoke and typesetting make tens of thousands of an episode.
SUBTITLE = Bounds(bytes_in=64_000_000, entries=250_000, entry_bytes=1_000_000)
# Of subtitles in XML and JSON: elements within each other.
SUBTITLE_TREE = Bounds(bytes_in=64_000_000, entries=250_000, entry_bytes=1_000_000, depth=200)
TEXT = Bounds(bytes_in=64_000_000, entries=250_000, entry_bytes=1_000_000)
PAGE = Bounds(bytes_in=64_000_000, entries=250_000, entry_bytes=300_000, depth=500)
# EPUB, DOCX, ODT: entries are parts. Text is packed to a third or a tenth.
DOCUMENT = Bounds(
    bytes_in=64_000_000,
    bytes_out=200_000_000,
    entries=20_000,
    entry_bytes=32_000_000,
    depth=500,
    ratio=200,
    free_bytes=4_000_000,
)

# Archives of those; entries are members. A text is packed to a tenth, one that repeats itself to a thirtieth.
ZIP_ARCHIVE = Bounds(
    bytes_in=ANY, bytes_out=1_000_000_000, entries=100_000, entry_bytes=64_000_000, ratio=200, free_bytes=1_000_000
)
# A compressed one is unpacked whole to list it, into a file; bytes_in is that of compressed ones.
TAR_ARCHIVE = Bounds(bytes_in=200_000_000, bytes_out=1_000_000_000, entries=100_000, entry_bytes=64_000_000)
# Headers of a tar archive while it is listed: bytes at once (names are a thousand long), reads for a member, all names.
TAR_HEADER = Bounds(bytes_in=16_000_000, entries=200, entry_bytes=64_000)
XZ_MEMORY = 100_000_000
"""Bytes that unpacking xz may take: what ``xz -9`` packs needs 65 million, and a file may say any number."""

# Downloads: seconds for all of it, depth is how often one address leads to another.
WEB_PAGE = Bounds(bytes_in=64_000_000, bytes_out=64_000_000, entries=1, entry_bytes=64_000_000, depth=5, seconds=120.0)
# yt-dlp's subtitles of one video: entries are files.
VIDEO_SUBTITLES = Bounds(bytes_in=64_000_000, entries=12, entry_bytes=64_000_000, seconds=180.0)
# Subtitles inside of films, which may have any size: bytes of all texts, events of a track.
FILM_SUBTITLES = Bounds(bytes_in=ANY, bytes_out=50_000_000, entries=250_000, entry_bytes=1_000_000)
# Films are decoded in a process of its own: bytes of all its memory, most of which FFmpeg only sets apart, and seconds
# of the processor.
FILM = Bounds(bytes_in=ANY, entries=ANY, entry_bytes=4_000_000_000, seconds=3600.0)
# The largest of Whisper's models takes three gigabytes, and most of the addresses of a process are no memory; hours of
# sound may take it days.
HEARD_FILM = Bounds(bytes_in=ANY, entries=ANY, entry_bytes=24_000_000_000, seconds=30 * 86_400.0)

# Dictionaries; entries are rows: English in Wiktionary has 1.5 million, "set" in it one megabyte.
YOMITAN = Bounds(
    bytes_in=ANY, bytes_out=16_000_000_000, entries=10_000_000, entry_bytes=4_000_000, ratio=100, free_bytes=64_000_000
)
# A bank of it is held in memory; those that Yomitan's authors make have 10 000 rows, 20 MB.
YOMITAN_BANK = Bounds(bytes_in=72_000_000, bytes_out=72_000_000, entries=1_000_000, entry_bytes=4_000_000)
DICTIONARY_MEMBERS = 200_000
"""Members of a ZIP file that is a dictionary: those with pictures have up to 100 000."""
# Lines, packed by gzip or not; Wiktionary's are packed to a twentieth.
KAIKKI = Bounds(bytes_in=ANY, entries=10_000_000, entry_bytes=4_000_000, ratio=100, free_bytes=64_000_000)
CEDICT = Bounds(bytes_in=ANY, entries=10_000_000, entry_bytes=20_000, ratio=100, free_bytes=64_000_000)
# bytes_in are those of the index, which is held; that of German–English, with 520 000 words, has 13 million. The ratio
# is that of definitions to their file: two may share a part, but an index that leads from each word to all is a trap.
DICTD = Bounds(bytes_in=50_000_000, entries=1_000_000, entry_bytes=4_000_000, ratio=4, free_bytes=64_000_000)
# Both files of it in a ZIP file, where definitions are usually packed already.
ZIPPED_DICTD = Bounds(bytes_in=ANY, entries=2, entry_bytes=ANY, ratio=20, free_bytes=64_000_000)

# Lists of words, whose bytes are held, and the words beside them; the largest frequency lists have a million words and
# twenty megabytes.
WORD_LIST = Bounds(bytes_in=32_000_000, entries=1_000_000, entry_bytes=20_000)
# Anki's collections, copied into a file; entries are cards, and the largest value is a note: SQLite holds it twice.
ANKI_COLLECTION = Bounds(bytes_in=4_000_000_000, entries=1_000_000, entry_bytes=50_000_000)
# Descriptions of note types and decks: a large note type with its styles has 0.4 MB. Entries are quotes and brackets
# where it is JSON, whose objects take thirty times as many bytes.
ANKI_DESCRIPTIONS = Bounds(bytes_in=24_000_000, entries=1_000_000, entry_bytes=24_000_000)
# Packages, of which the collection is unpacked; entries are members, one for each sound and picture.
ANKI_PACKAGE = Bounds(
    bytes_in=ANY, bytes_out=4_000_000_000, entries=250_000, entry_bytes=4_000_000_000, ratio=200, free_bytes=64_000_000
)
# Notes that Lode has made, all held: a clip has 200 kB at most, and a learner's own fields may hold a picture.
ANKI_NOTES = Bounds(bytes_in=4_000_000_000, bytes_out=120_000_000, entries=200_000, entry_bytes=2_000_000)
# The same as lines of JSON, as they are sent; entry_bytes are those of a line, whose values take twelve times as many.
NOTE_LINES = Bounds(bytes_in=256_000_000, bytes_out=256_000_000, entries=200_000, entry_bytes=8_000_000)
# A running Anki's answers: entries are the values of one, a hundred bytes each; the largest collections have as many
# cards. Texts of one may take fifteen times their bytes while they are read. Seconds are between its bytes.
ANKI_CONNECT = Bounds(bytes_in=12_000_000, entries=400_000, entry_bytes=12_000_000, seconds=60.0)

# Requests of other programs to the inbox, with sounds and pictures as base64: entries are the values of one, a hundred
# bytes each where they are small. And what is at an address or a path that a note names.
INBOX_REQUEST = Bounds(bytes_in=64_000_000, entries=400_000, entry_bytes=48_000_000)
INBOX_MEDIA = Bounds(bytes_in=48_000_000, entries=1, entry_bytes=48_000_000, depth=5, seconds=120.0)

# Providers, whose answers are never unpacked. A stream is not held: entry_bytes are those of one event.
LLM_STREAM = Bounds(bytes_in=128 * 1024 * 1024, entries=ANY, entry_bytes=4 * 1024 * 1024, seconds=3600.0)
LLM_ANSWER = Bounds(bytes_in=4 * 1024 * 1024, entries=1, entry_bytes=4 * 1024 * 1024, seconds=300.0)
LLM_ERROR = Bounds(bytes_in=64 * 1024, entries=1, entry_bytes=64 * 1024, seconds=2.0)
# depth is the number of pages of a list.
MODEL_LIST = Bounds(bytes_in=4 * 1024 * 1024, entries=5_000, entry_bytes=4 * 1024 * 1024, depth=20, seconds=60.0)
# A server's transcription of ten minutes of sound, with the times and probabilities of each word.
TRANSCRIPTION = Bounds(bytes_in=32 * 1024 * 1024, entries=40_000, entry_bytes=32 * 1024 * 1024, seconds=3600.0)
SPEECH = Bounds(bytes_in=20 * 1024 * 1024, entries=1, entry_bytes=20 * 1024 * 1024, seconds=300.0)
# Output of a command that tells a provider's key, which has a hundred bytes. It may ask for a password of its own.
API_KEY = Bounds(bytes_in=16 * 1024, entries=1, entry_bytes=16 * 1024, seconds=60.0)

# A server of Lode's, which may be another program. An answer that is no file has a thousand rows of 64 kB. Of a stream
# only an event is held, and one that is silent for so many seconds is lost. Before a package comes a line that numbers
# the notes whose clip is no more.
SERVER_ANSWER = Bounds(bytes_in=64 * 1024 * 1024, entries=ANY, entry_bytes=64 * 1024 * 1024, seconds=120.0)
SERVER_ERROR = Bounds(bytes_in=1024 * 1024, entries=1, entry_bytes=1024 * 1024, seconds=120.0)
SERVER_STREAM = Bounds(bytes_in=64 * 1024 * 1024, entries=ANY, entry_bytes=4 * 1024 * 1024, seconds=45.0)
SERVER_PACKAGE = Bounds(bytes_in=ANY, entries=2, entry_bytes=16 * 1024 * 1024, seconds=900.0)
# A model's answer through it: twice what a server gives, and twice as long as it waits for its model and its focus.
SERVER_BREAKDOWN = Bounds(bytes_in=16 * 1024 * 1024, entries=ANY, entry_bytes=4 * 1024 * 1024, seconds=7200.0)
# Uploads to a server: a dictionary, and the film that its options may allow.
DICTIONARY_SENT = Bounds(bytes_in=1_000_000_000, entries=1, entry_bytes=1_000_000_000)
FILM_SENT = Bounds(bytes_in=50_000_000_000, entries=1, entry_bytes=50_000_000_000)

# Other programs: a line of mpv's, the longest of which is the path of a file; the sound that a voice writes, ten
# minutes of what no program writes finer; the seconds are those of an answer and of a sentence.
MPV = Bounds(bytes_in=ANY, entries=ANY, entry_bytes=1_000_000, seconds=10.0)
VOICE = Bounds(bytes_in=100_000_000, entries=1, entry_bytes=100_000_000, seconds=60.0)
PRINTED_BY_VOICE = Bounds(bytes_in=64 * 1024, entries=1, entry_bytes=64 * 1024, seconds=60.0)

# Lines of the app's own inbox, of which each is a card: its word and its sentence.
INBOX_SAYS = Bounds(bytes_in=ANY, entries=ANY, entry_bytes=1_000_000)

# Texts of a command, from a file or from standard input: more than any prompt or sentence.
ARGUMENT = Bounds(bytes_in=1_000_000, entries=1, entry_bytes=1_000_000)
TOKEN = Bounds(bytes_in=4096, entries=1, entry_bytes=4096)

# Files of Lode's own that others can write too. Of Anki's cards there are as many times as a running Anki may answer
# with, of 27 bytes, and what says whose they are.
CONFIG = Bounds(bytes_in=1_000_000, entries=ANY, entry_bytes=1_000_000)
CARD_TIMES = Bounds(bytes_in=12_000_000, entries=401_000, entry_bytes=12_000_000)
REFUSALS = Bounds(bytes_in=1_000_000, entries=ANY, entry_bytes=1_000_000)
CHOSEN_LOOK = Bounds(bytes_in=10_000, entries=ANY, entry_bytes=10_000)
LAST_FILTERS = Bounds(bytes_in=4_000_000, entries=ANY, entry_bytes=4_000_000)
