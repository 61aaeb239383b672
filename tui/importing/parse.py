"""Parsing: the bytes of a file as a transcript, with its format, language, encoding and cues."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tui import bounds
from tui.errors import ImportRefused
from tui.importing.bilingual import find_two_languages, split_languages
from tui.importing.cleaning import Report, clean_cues
from tui.importing.cue_list import sort_cues
from tui.importing.encoding.decode import Lines, decode, take_first_part
from tui.importing.encoding.mojibake import find_mending_codec
from tui.importing.file_name import FileName, read_file_name
from tui.importing.formats import PLAIN_TEXT, UNREAD, DocumentFormat, Format, find_format, open_document
from tui.importing.readers.block_formats import has_times
from tui.importing.readers.cue_text import Unreadable
from tui.importing.readers.documents import ZipParts, cut_into_sentences
from tui.importing.readers.html import is_html
from tui.language.detection import can_be_guessed, guess_language
from tui.language.scripts import count_scripts
from tui.language.tags import base_language, language_tags, normalise
from tui.records.files import FileKind
from tui.records.transcripts import Cue, NewTranscript
from tui.text.sanitize import one_line

MAX_BYTES = bounds.TEXT.bytes_in
"""Maximum bytes of a file; the subtitles of a day's film are a hundred times smaller."""

_VTT = (b"WEBVTT", b"\xef\xbb\xbfWEBVTT")
"""Beginnings of a WebVTT file, which is UTF-8; its standard (4.1, "parse a WebVTT file") has U+FFFD for each NUL."""
_MAX_TITLE_LENGTH = 200
_READING = 0.5
"""Share of the work that is done once the cues are read; the rest is cleaning them."""
_ENOUGH_FOR_A_GUESS = 4_000
_TEXT_HINT = f"rename it to {PLAIN_TEXT.ending} to import it as plain text"


@dataclass(frozen=True, slots=True)
class ParsedFile:
    """A parsed file; ``encoding`` is Python's name of the codec.

    ``transcripts`` are one, or as many as it has parts, chapters say. ``format`` is the name of one of ``FORMATS``;
    ``language`` a BCP 47 tag, None where nothing tells it; ``duration_ms`` the end of the last cue, None without times.
    ``languages`` are both of a subtitle that has two, which are a transcript each where it was split. ``mending_codec``
    is what would mend a text that was stored in a wrong encoding (``mojibake``).
    """

    kind: FileKind
    format: str
    language: str | None
    encoding: str
    transcripts: tuple[NewTranscript, ...]
    duration_ms: int | None
    languages: tuple[str, ...] = ()
    mending_codec: str | None = None


def parse(
    name: str,
    data: bytes,
    *,
    language: str | None = None,
    encoding: str | None = None,
    force: bool = False,
    as_is: bool = False,
    report: Report = None,
) -> ParsedFile:
    """Read the bytes of the file called ``name``; blocks for as long as that takes.

    ``language`` and ``encoding`` win over what the file says; ``force`` takes the encoding also where the text would be
    gibberish; ``as_is`` leaves the cues as the file has them. Two languages, given as "de+en" or in the file's name,
    split a subtitle that has both into a transcript of each. ``report`` gets the progress, from 0 to 1; what it raises
    ends the work.
    Raises ``ImportRefused``, naming file, reason and next step, for all that gives no cue.
    """
    shown = one_line(name) or "the file"
    given = _given_languages(language)
    tag = given[0] if given else None
    if not data:
        raise ImportRefused(f"{shown} is empty", hint="check that it was downloaded whole")
    if len(data) > MAX_BYTES:
        raise too_large(shown)
    if data.startswith(_VTT) and b"\x00" in data:
        data = data.replace(b"\x00", "\ufffd".encode())
    file_name = read_file_name(name)
    try:
        document = open_document(data)
        if document is not None:
            return _parsed_document(*document, file_name, tag, shown, as_is, report)
        beginning, codec = decode(
            take_first_part(data), encoding=encoding, name=shown, language=tag or file_name.language, force=force
        )
        lines = Lines(data, codec, name=shown, report=_part(report, 0.0, _READING))
        beginning = beginning.lstrip("\n")
        if beginning.isspace() and not any(map(str.strip, lines)):
            raise ImportRefused(f"{shown} holds nothing but white space", hint="check that it was downloaded whole")
        form = find_format(beginning, file_name.ending)
        if form is PLAIN_TEXT and (unread := UNREAD.get(file_name.ending)):
            raise ImportRefused(f"{shown} is {unread[0]}, which Lode does not read", hint=unread[1])
        in_file = normalise(form.language_in_text(beginning) or "")
        if form.kind == "text":  # its language decides where sentences end
            tag = tag or choose_language(file_name, in_file, form.prose(beginning))
        ordered = sort_cues(form.read(lines, tag))
        named = given or file_name.languages
        two = find_two_languages(ordered, named) if form.kind == "subtitle" and len(given) != 1 else None
        if two is None and len(given) > 1:
            raise ImportRefused(f"{shown} is not in two languages throughout", hint="name one language, or none")
        is_split = two is not None and len(given if as_is else named) > 1
        parts = split_languages(ordered, two) if two is not None and is_split else (ordered,)
        if two is not None and is_split:
            tag = two.first
        tag = tag or choose_language(file_name, in_file, _sample(ordered)) or (two.first if two is not None else None)
        tags = (tag,) if two is None else (tag, two.second) if is_split else (None,)
        share = (1 - _READING) / len(parts)
        (cues, originals), *others = [
            clean_cues(
                part, form.kind, language=each, as_is=as_is, report=_part(report, _READING + number * share, share)
            )
            for number, (part, each) in enumerate(zip(parts, tags, strict=True))
        ]
    except Unreadable as error:
        raise ImportRefused(f"{shown} {error.reason}", hint=error.hint) from error
    if not cues:
        raise _no_cue(beginning, form, shown)
    duration = max((cue.end_ms for cue in cues if cue.end_ms is not None), default=None)
    title = one_line(form.title_in_text(beginning) or "")[:_MAX_TITLE_LENGTH] or file_name.title
    transcripts = [NewTranscript(title, tag, cues, originals)]
    if two is not None:
        transcripts += [NewTranscript(title, two.second, *other) for other in others]
    languages = () if two is None else (two.first, two.second)
    mending = find_mending_codec(beginning) if codec == "utf-8" and encoding is None else None
    return ParsedFile(form.kind, form.name, tag, codec, tuple(transcripts), duration, languages, mending)


def _parsed_document(
    form: DocumentFormat, parts: ZipParts, name: FileName, tag: str | None, shown: str, as_is: bool, report: Report
) -> ParsedFile:
    """Read a document: a transcript for each chapter, those of a book numbered in its series."""
    document = form.read(parts)
    in_file = normalise(document.language or "")
    book = one_line(document.title or "")[:_MAX_TITLE_LENGTH] or name.title
    transcripts: list[NewTranscript] = []
    read = cleaned_of_it = 0.0  # shares of the document

    def report_reading(share: float) -> None:
        nonlocal read
        read = share
        if report is not None:
            report(_READING * share + (1 - _READING) * cleaned_of_it)

    for chapter in document.chapters(report_reading):
        tag = tag or choose_language(name, in_file, "\n".join(block.text for block in chapter.blocks))
        begin, share = _READING * read + (1 - _READING) * cleaned_of_it, (1 - _READING) * (read - cleaned_of_it)
        ordered = sort_cues(cut_into_sentences(chapter.blocks, tag))
        cues, originals = clean_cues(ordered, "text", as_is=as_is, report=_part(report, begin, share))
        cleaned_of_it = read
        if cues:
            title = f"{book} · {one_line(chapter.title)[:_MAX_TITLE_LENGTH] or len(transcripts) + 1}"  # as of episodes
            transcripts.append(NewTranscript(title, tag, cues, originals, book, None, len(transcripts) + 1))
    if not transcripts:
        raise ImportRefused(f"{shown} has no text", hint="check that it is the file you meant")
    if len(transcripts) == 1:
        transcripts = [replace(transcripts[0], title=book, series="", episode=None)]
    return ParsedFile("text", form.name, tag, "utf-8", tuple(transcripts), None)


def _part(report: Report, begin: float, share: float) -> Report:
    """The report of a part of the work, of which that has this share."""
    return None if report is None else lambda progress: report(begin + share * progress)


def too_large(shown: str) -> ImportRefused:
    """Error for a file of more than ``MAX_BYTES``."""
    return ImportRefused(
        f"{shown} has more than {MAX_BYTES / 1e6:g} MB, the most that a subtitle or text file may have",
        hint="check that it is the file you meant, or split it",
    )


def _given_languages(language: str | None) -> tuple[str, ...]:
    if language is None or not language.strip():
        return ()
    tags = language_tags(language)
    if tags is None:
        raise ImportRefused(
            f"{one_line(language)[:40]!r} is no language tag", hint="use one such as de, pt-BR, zh-Hans or yue"
        )
    return tags


def _sample(cues: Sequence[Cue]) -> str:
    pieces: list[str] = []
    size = 0
    for cue in cues:
        pieces.append(cue.text)
        size += len(cue.text)
        if size > _ENOUGH_FOR_A_GUESS:
            break
    return "\n".join(pieces)


def _no_cue(text: str, form: Format, shown: str) -> ImportRefused:
    """Error for a file without cues, which says why."""
    if is_html(text):
        return ImportRefused(f"{shown} has no subtitle cue: it is a web page", hint="download the subtitle itself")
    if form.kind == "text":
        return ImportRefused(f"{shown} has no text", hint="check that it is the file you meant")
    if any(has_times(line) for line in text.split("\n")):
        reason, hint = "there are times in it, but no text", "check that it is the file you meant"
    else:
        reason, hint = form.missing, _TEXT_HINT
    return ImportRefused(f"{shown} has no subtitle cue: {reason}", hint=hint)


# Language of an imported text, out of what its name, its file and the text itself say.
#
# People's names lie: ``film.en.srt`` is a German subtitle, ``film.hi.srt`` an English one for the hearing-impaired. The
# guess is silent rather than wrong, so a text that is clear wins over its name and over what the file says of itself; a
# tag that is no ordinary word gives way only to a text of some length, and never to a language that is easily taken for
# it. What the user names wins over all of them, and is not asked for here.

_ENOUGH_TO_CONTRADICT = 600
"""Minimum bytes of UTF-8 of a text that contradicts a tag that is no ordinary word: some twenty lines."""
_GUESSED_AS = {"no": "nb", "fil": "tl", "yue": "zh", "sh": "hr"}
"""Languages that the guess has under another subtag."""
_NEAR = (
    *(("hr", "bs", "sr"), ("nb", "nn", "da"), ("id", "ms"), ("pt", "gl")),
    *(("es", "ast"), ("en", "enm"), ("el", "grc")),
)
"""Languages that the guess may take for each other."""


def choose_language(name: FileName, in_file: str | None, text: str) -> str | None:
    """Choose the tag of a text's language; ``in_file`` is the tag that the file itself has for it."""
    guess = guess_language(text)
    if name.is_mark:  # Hindi, or for the hearing-impaired: only the text tells
        scripts = count_scripts(text)
        is_hindi = guess == "hi" or (guess is None and scripts["Devanagari"] > 0.75 * scripts.total())
        return "hi" if is_hindi else in_file or guess
    told = [*name.languages, *([in_file] if in_file else [])]
    if not told or guess is None:
        return told[0] if told else guess
    if agreeing := [tag for tag in told if _guessed_as(tag) == guess]:
        return agreeing[0]
    is_too_short = not name.is_word and len(text.encode("utf-8", "replace")) < _ENOUGH_TO_CONTRADICT
    base = _guessed_as(told[0])
    contradicts = can_be_guessed(base) and not any(base in near and guess in near for near in _NEAR)
    return guess if contradicts and not is_too_short else told[0]


def _guessed_as(tag: str) -> str:
    """The subtag that the guess has for the language of this tag."""
    base = base_language(tag)
    return _GUESSED_AS.get(base, base)
