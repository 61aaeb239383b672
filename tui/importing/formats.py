"""Import formats: their names, their endings, how a text in them is recognised, and how it is read.

A format is one reader in ``readers/`` and one row here; everything else that knows of formats asks this table.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial

from tui.bounds import DOCUMENT, PAGE, SUBTITLE, SUBTITLE_TREE, TEXT, Bounds
from tui.errors import ImportRefused
from tui.importing.file_name import make_safe_name
from tui.importing.readers import line_formats, tables
from tui.importing.readers.ass import is_ass, is_ssa, read_ass
from tui.importing.readers.block_formats import find_header_language, is_srt, is_vtt, read_srt, read_vtt
from tui.importing.readers.cue_text import Unreadable
from tui.importing.readers.documents import Document, ZipParts, is_zip
from tui.importing.readers.epub import is_epub, read_epub
from tui.importing.readers.html import find_html_language, find_html_title, is_html, read_html, take_html_prose
from tui.importing.readers.markdown import find_markdown_language, find_markdown_title, read_markdown
from tui.importing.readers.office import is_docx, is_odt, read_docx, read_odt
from tui.importing.readers.plain_text import is_aozora, read_aozora, read_plain_text
from tui.importing.readers.sami import find_style_language, is_sami, read_sami
from tui.importing.readers.ttml import find_root_language, is_ttml, read_ttml
from tui.importing.readers.youtube import is_json3, is_timed_text, read_json3, read_timed_text
from tui.records.files import FileKind
from tui.records.transcripts import Cue
from tui.text.sanitize import one_line

_NO_TIMES = "no line in it has times such as 00:00:01,000 --> 00:00:02,000"
_NO_DIALOGUE = "no Dialogue line in it has times and text"
_NO_LYRICS = "no line in it has a time and text, such as [00:12.00]Hello"
_NO_FRAMES = "no line in it has frames and text, such as {100}{150}Hello"
_NO_SYNC = "no SYNC in it has a start and text"
_NO_PARAGRAPH = "no p element in it has times and text, or it has a DOCTYPE, which is never read"
_NO_EVENT = "no event in it has a time and text"
_NO_OBJECT = (
    'no object in it has text and times under a usual name, such as {"start": 1.5, "end": 2.5, "text": "Hello"}'
)
_NO_ROW = "its first line does not name columns such as start, end and text"
_NO_TENTHS = "no line in it has times and text, such as [10][25]Hello"
_NO_START = "no line in it has a time and text, such as 00:00:01:Hello"


@dataclass(frozen=True, slots=True)
class Format:
    """One import format.

    ``recognises`` gets the beginning of a text; one that ``goes_by_name`` is also what has one of its endings. ``read``
    makes cues in file order of the lines and the language, which decides where sentences end. ``missing`` says what is
    missing in a subtitle without any cue; ``language_in_text`` and ``title_in_text`` are what the text itself names;
    ``prose`` is its beginning without markup, by which the language of a text is guessed.
    """

    name: str
    endings: tuple[str, ...]
    recognises: Callable[[str], bool]
    read: Callable[[Iterable[str], str | None], Iterator[Cue]]
    missing: str = ""
    bounds: Bounds = SUBTITLE
    language_in_text: Callable[[str], str | None] = lambda text: None
    title_in_text: Callable[[str], str | None] = lambda text: None
    prose: Callable[[str], str] = lambda text: text
    kind: FileKind = "subtitle"
    goes_by_name: bool = False

    @property
    def ending(self) -> str:
        """The usual one of its endings."""
        return self.endings[0]


@dataclass(frozen=True, slots=True)
class DocumentFormat:
    """One import format that is read as bytes: a zipped document, told by the parts that it has."""

    name: str
    ending: str
    recognises: Callable[[ZipParts], bool]
    read: Callable[[ZipParts], Document]
    bounds: Bounds


def _timed(read: Callable[[Iterable[str]], Iterator[Cue]]) -> Callable[[Iterable[str], str | None], Iterator[Cue]]:
    """Reader of a format with times, which needs no language."""
    return lambda lines, _: read(lines)


def _never(text: str) -> bool:
    """A format without marks of its own."""
    return False


_marked_text = partial(Format, kind="text", goes_by_name=True)
DOCUMENTS = (
    DocumentFormat("docx", ".docx", is_docx, read_docx, DOCUMENT),
    DocumentFormat("odt", ".odt", is_odt, read_odt, DOCUMENT),
    DocumentFormat("epub", ".epub", is_epub, read_epub, DOCUMENT),
)
PLAIN_TEXT = Format("txt", (".txt",), _never, read_plain_text, bounds=TEXT, kind="text")
FORMATS = (
    Format("ttml", (".ttml", ".dfxp"), is_ttml, _timed(read_ttml), _NO_PARAGRAPH, SUBTITLE_TREE, find_root_language),
    Format("sami", (".smi", ".sami"), is_sami, _timed(read_sami), _NO_SYNC, SUBTITLE_TREE, find_style_language),
    Format(
        "youtube-xml", (".srv3", ".srv2", ".srv1"), is_timed_text, _timed(read_timed_text), _NO_EVENT, SUBTITLE_TREE
    ),
    Format("youtube-json", (".json3",), is_json3, _timed(read_json3), _NO_EVENT, SUBTITLE_TREE),
    Format("lrc", (".lrc",), line_formats.is_lrc, _timed(line_formats.read_lrc), _NO_LYRICS),
    Format("microdvd", (".sub",), line_formats.is_microdvd, _timed(line_formats.read_microdvd), _NO_FRAMES),
    Format("mpl2", (".mpl",), line_formats.is_mpl2, _timed(line_formats.read_mpl2), _NO_TENTHS),
    Format("tmplayer", (".txt",), line_formats.is_tmplayer, _timed(line_formats.read_tmplayer), _NO_START),
    Format("csv", (".csv", ".tsv"), tables.is_csv_cues, _timed(tables.read_csv_cues), _NO_ROW, goes_by_name=True),
    Format(
        "json",
        (".json", ".jsonl"),
        tables.is_json_cues,
        _timed(tables.read_json_cues),
        _NO_OBJECT,
        SUBTITLE_TREE,
        tables.find_json_language,
        tables.find_json_title,
        goes_by_name=True,
    ),
    Format("ssa", (".ssa",), is_ssa, _timed(read_ass), _NO_DIALOGUE),
    Format("ass", (".ass",), is_ass, _timed(read_ass), _NO_DIALOGUE),
    Format("vtt", (".vtt",), is_vtt, _timed(read_vtt), _NO_TIMES, SUBTITLE, find_header_language, goes_by_name=True),
    Format("srt", (".srt", ".sbv"), is_srt, _timed(read_srt), _NO_TIMES, goes_by_name=True),
    _marked_text(
        "html",
        (".html", ".htm", ".xhtml"),
        is_html,
        read_html,
        "",
        PAGE,
        find_html_language,
        find_html_title,
        take_html_prose,
    ),
    _marked_text(
        "markdown", (".md", ".markdown"), _never, read_markdown, "", TEXT, find_markdown_language, find_markdown_title
    ),
    Format("aozora", (".txt",), is_aozora, read_aozora, bounds=TEXT, kind="text"),
    PLAIN_TEXT,
)
"""Import formats in the order in which they are asked, the surest mark first; people see the commonest first."""

_PICTURES = "its lines are pictures: recognise them with Subtitle Edit, or look for the same subtitle as .srt"
UNREAD = {
    ".idx": ("a VobSub subtitle", _PICTURES),
    ".xml": ("an XML file", "only subtitles in XML are read: TTML, and YouTube's"),
}
"""Endings of formats that are not read: the name of each, and the next step."""
_UNREAD_DOCUMENTS = {
    "xl/workbook.xml": ("is an Excel sheet", "save it as .csv"),
    "ppt/presentation.xml": ("is a PowerPoint presentation", f"save its text as {PLAIN_TEXT.ending}"),
    "Index/Document.iwa": ("is a document of Pages", "export it as .docx or .epub"),
    "content.xml": ("is an OpenDocument file without text", "save it as .odt, or a table of cues as .csv"),
}
"""Parts of zipped documents that are not read: what such a document is, and the next step."""

_BESIDE_VIDEOS = (".info.json", ".live_chat.json")
"""Endings of what yt-dlp saves beside a video and its subtitles: titles and comments, and a chat."""

ENDINGS = tuple(
    dict.fromkeys((*(ending for each in FORMATS for ending in each.endings), *(each.ending for each in DOCUMENTS)))
)
"""Endings of the files that are taken from directories and patterns; one that is named itself may have any."""
_REFUSED_BY_NAME = (".pdf", ".doc", ".rtf", ".mobi", ".azw", ".azw3", ".djvu", ".sup")
"""Endings of texts and subtitles that are not read. In a directory they are not passed over as pictures and films are:
each is refused with the next step, so that nobody looks for it in vain."""
SUBTITLES = ", ".join([each.ending for each in reversed(FORMATS) if each.kind == "subtitle"][:4])
"""The endings of the commonest subtitles, as people see them; a text's is ``PLAIN_TEXT.ending``."""


TIMED_ENDINGS = tuple(
    ending for each in FORMATS if each.kind == "subtitle" for ending in each.endings if ending != PLAIN_TEXT.ending
)
"""Endings of subtitles and of no other texts."""


def is_taken(name: str) -> bool:
    """Whether a file of this name is one to import, or to be refused, where it was found in a directory or archive."""
    name = name.lower()
    return name.endswith((*ENDINGS, *_REFUSED_BY_NAME)) and not name.endswith(_BESIDE_VIDEOS)


def open_document(data: bytes) -> tuple[DocumentFormat, ZipParts] | None:
    """The document that these bytes are, opened; None for anything else. Raises ``Unreadable``."""
    if not is_zip(data):
        return None
    parts = ZipParts(data)
    found = next((each for each in DOCUMENTS if each.recognises(parts)), None)
    for part, (reason, hint) in _UNREAD_DOCUMENTS.items():
        if found is None and part in parts:
            raise Unreadable(f"{reason}, which Lode does not read", hint)
    return (found, parts) if found else None


def find_format(text: str, ending: str) -> Format:
    """Format of a text by its content; the name decides only where that does not.

    Prose is no subtitle whatever is in it: a page that is called one is what a server sent in its place.
    """
    named = next((each for each in reversed(FORMATS) if ending in each.endings), PLAIN_TEXT)
    asked = [each for each in FORMATS if each.kind == "subtitle" or named.kind == "text"]
    return next((each for each in asked if (each.goes_by_name and each is named) or each.recognises(text)), named)


_MAX_LENGTH = 48
_FIRST = 16_000
"""Bytes at the beginning by which the format and the first words are told."""
_NO_NAME = re.compile(r'[/\\:*?"<>|]+|\.(?=\S)')
"""Characters that some systems forbid in file names, and dots inside, behind which an ending would be read."""


def name_content(content: bytes, otherwise: str) -> str:
    """Make a file name of the first words and the format of contents; ``otherwise`` where they have no words.

    Blocks for as long as it takes to tell the format.
    """
    from tui.importing.encoding.decode import decode, take_first_part

    try:
        beginning, _ = decode(take_first_part(content[:_FIRST]), encoding=None)
    except ImportRefused:
        return otherwise
    form = find_format(beginning.lstrip("\n"), "")
    words = take_first_words(beginning, form)
    return make_safe_name(words + form.ending) if words else otherwise


def take_first_words(text: str, form: Format) -> str:
    """The first words of a text, which may be a title; "" where the text has none."""
    first = ""
    try:
        first = next((cue.text for cue in form.read(text.split("\n"), None) if cue.text.strip()), "")
    except (ImportRefused, ValueError):  # it is cut off, and some formats are read whole
        pass
    line = " ".join(_NO_NAME.sub(" ", one_line(first)).split()).rstrip(" .,;:–—-")
    if len(line) <= _MAX_LENGTH:
        return line
    cut = line[:_MAX_LENGTH]
    return (cut.rsplit(" ", 1)[0] if " " in cut else cut).rstrip(" .,;:–—-")
