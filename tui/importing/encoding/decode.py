"""Decoding of a file: by its marks or in the encoding that the user names, with one kind of line end.

UTF-8 and UTF-16 (UTF-32 too, where a byte order mark says so) are recognised, and an older encoding where it alone
makes sense of the text; else it must be named. A refusal names what fits; an encoding under which the text would be
gibberish is refused too, unless it is forced. Signatures of binary formats: Gary Kessler's table of file signatures
and the formats' own specifications.
"""

from __future__ import annotations

import codecs
import re

from tui.errors import ImportRefused
from tui.importing.encoding.text_lines import has_doubled_ends, with_line_feeds
from tui.importing.encoding.utf_16 import unmarked_utf_16
from tui.importing.formats import PLAIN_TEXT, SUBTITLES
from tui.text.sanitize import one_line

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # begins as UTF-16's mark does, so it comes first
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SIGNATURES = (
    (0, b"\x89PNG\r\n\x1a\n", "a PNG image"),
    (0, b"\xff\xd8\xff", "a JPEG image"),
    (0, b"GIF87a", "a GIF image"),
    (0, b"GIF89a", "a GIF image"),
    (8, b"WEBP", "a WebP image"),
    (0, b"PK\x03\x04", "a ZIP archive"),
    (0, b"PK\x05\x06", "a ZIP archive"),
    (0, b"\x1f\x8b\x08", "a gzip archive"),
    (0, b"BZh91AY&SY", "a bzip2 archive"),
    (0, b"\xfd7zXZ\x00", "an xz archive"),
    (0, b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (0, b"Rar!\x1a\x07", "a RAR archive"),
    (0, b"\x28\xb5\x2f\xfd", "a Zstandard archive"),
    (257, b"ustar", "a tar archive"),
    (0, b"%PDF-", "a PDF document"),
    (0, b"{\\rtf", "an RTF document"),
    (0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office document"),
    (0, b"SQLite format 3\x00", "an SQLite database"),
    (4, b"ftyp", "an MP4 video or audio file"),
    (0, b"\x1a\x45\xdf\xa3", "a Matroska or WebM video"),
    (8, b"AVI ", "an AVI video"),
    (8, b"WAVE", "a WAV audio file"),
    (0, b"OggS", "an Ogg audio or video file"),
    (0, b"fLaC", "a FLAC audio file"),
    (0, b"\x00\x00\x01\xba", "an MPEG video or the pictures of a VobSub subtitle"),
    (0, b"FLV\x01", "a Flash video"),
    (0, b"\x7fELF", "a program"),
    (0, b"\x00asm", "a program"),
)
_LONGEST_SIGNATURE = 512
_MP3_FRAMES = (b"\xff\xfb", b"\xff\xf3", b"\xff\xf2")
_NO_FILE_CODECS = ("idna", "punycode", "unicode-escape", "raw-unicode-escape", "undefined", "charmap", "utf-7")
"""Codecs for names, source code and mail: no file is in them, and they change what a plain one says."""
_SHIFTED = b"\x1b$"
"""Bytes with which ISO-2022 leaves ASCII, which UTF-8 takes for its own and makes gibberish of."""
_NO_TEXT = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f\ufffe\uffff]")
_SAMPLE = 8192
_EXAMPLES = "cp1252, cp1251, cp932, gb18030, iso8859-7, utf-16-le"


def decode(
    data: bytes, *, encoding: str | None, name: str = "the file", language: str | None = None, force: bool = False
) -> tuple[str, str]:
    """Decode a file; gives the text with ``\\n`` as its only line end, and Python's name of the codec.

    ``encoding`` wins over everything that the bytes suggest. ``language`` is the tag of what the file is said to be in,
    by which encodings are told apart. Raises ``ImportRefused`` naming ``name`` for binary files, unknown codecs, bytes
    that do not fit and, without ``force``, for an encoding under which they are no text that anyone wrote.
    """
    if (kind := binary_kind(data)) is not None:
        raise _binary(name, kind)
    if encoding is not None:
        text, codec = _as_named(data, encoding, name, language)
        if not force:
            _refuse_gibberish(data, text, codec, encoding, name, language)
    else:
        text, codec = _as_marked(data, name, language)
    return with_line_feeds(text.removeprefix("\ufeff"), doubled=has_doubled_ends(text)), codec


def binary_kind(data: bytes) -> str | None:
    """The kind of a binary file by its signature ("a PNG image"), None for what has no known one."""
    head = data[:_LONGEST_SIGNATURE]
    for offset, signature, kind in _SIGNATURES:
        if head.startswith(signature, offset):
            return kind
    is_tagged = head.startswith(b"ID3") and head[3:4] in (b"\x02", b"\x03", b"\x04")
    if is_tagged or (head.startswith(_MP3_FRAMES) and b"\x00" in head):
        return "an MP3 audio file"
    if len(data) > 376 and data[0] == data[188] == data[376] == 0x47 and b"\x00" in head:
        return "an MPEG transport stream"
    return None


def text_codec(encoding: str) -> str | None:
    """Python's name of the codec, None where no file is in an encoding of this name."""
    try:
        "a".encode(encoding)  # refuses codecs between bytes and bytes, such as hex
        codec = codecs.lookup(encoding).name
    except (LookupError, ValueError):
        return None
    return None if codec in _NO_FILE_CODECS else codec


def _as_named(data: bytes, encoding: str, name: str, language: str | None) -> tuple[str, str]:
    shown = one_line(encoding)[:40]
    codec = text_codec(encoding)
    if codec is None:
        raise ImportRefused(
            f"{name} cannot be read in the encoding {shown!r}: there is none of that name",
            hint=f"there are {_EXAMPLES}",
        )
    try:
        return data.decode(codec), codec
    except ValueError as error:  # UnicodeError, and what some codecs raise in its place
        place = f" (byte {error.start} does not fit)" if isinstance(error, UnicodeDecodeError) else ""
        raise _unknown(
            f"{name} is not in the encoding {shown}{place}",
            data,
            language,
            otherwise=f"name another one, such as {_EXAMPLES}, or none",
        ) from error


def _refuse_gibberish(data: bytes, text: str, codec: str, encoding: str, name: str, language: str | None) -> None:
    from tui.importing.encoding.detection import contradiction, sample_line, suggestion

    marked = _utf_16(data)
    if marked is not None and codec not in (marked, "utf-16"):
        raise ImportRefused(
            f"{name} is in {marked}, not in the encoding {one_line(encoding)[:40]}",
            hint=f"add it with --encoding {marked}; --force imports it as it was told",
            code="implausible_encoding",
            suggested_encoding=marked,
        )
    better = contradiction(data, text, codec, language)
    if better is None:
        return
    line = sample_line(text)
    how = f'would read "{line}"' if line else "would be no text"
    raise ImportRefused(
        f"{name} {how} in the encoding {one_line(encoding)[:40]}",
        hint="; ".join(filter(None, (suggestion(better), "--force imports it as it was told"))),
        code="implausible_encoding",
        suggested_encoding=better[0].name if better else "",
    )


def _unknown(message: str, data: bytes, language: str | None, *, otherwise: str) -> ImportRefused:
    """Error for bytes that are in another encoding, which says in which."""
    from tui.importing.encoding.detection import fitting_encodings, suggestion

    candidates = fitting_encodings(data, language)
    return ImportRefused(
        message,
        hint=suggestion(candidates) or otherwise,
        code="unknown_encoding",
        suggested_encoding=candidates[0].name if candidates else "",
    )


def _binary(name: str, kind: str) -> ImportRefused:
    return ImportRefused(
        f"{name} is {kind}, not a subtitle or a text",
        hint=f"add the subtitle file ({SUBTITLES}) or a {PLAIN_TEXT.ending} instead",
    )


def _as_marked(data: bytes, name: str, language: str | None) -> tuple[str, str]:
    for mark, codec in _MARKS:
        if data.startswith(mark):
            return _strict(data[len(mark) :], codec, name, language), codec
    if b"\x00" in data:
        wide = unmarked_utf_16(data)
        text = _strict(data, wide, name, language) if wide is not None else ""
        if wide is None or len(_NO_TEXT.findall(text, 0, _SAMPLE)) * 50 > min(len(text), _SAMPLE):
            raise _binary(name, "a binary file")
        return text, wide
    plain = _utf_8(data)
    if plain is None and (wide := unmarked_utf_16(data)) is not None:
        return _strict(data, wide, name, language), wide
    if plain is None or _SHIFTED in data:
        from tui.importing.encoding.certainty import certain_encoding

        if (certain := certain_encoding(data, language)) is not None:
            return data.decode(certain), certain
    if plain is None:
        plain = _strict(data, "utf-8", name, language)  # which says where it is none
    elif _SHIFTED in data:
        refusal = _unknown(f"{name} is not UTF-8 or UTF-16", data, language, otherwise="")
        if refusal.suggested_encoding:
            raise refusal
    return plain, "utf-8"


def _utf_8(data: bytes) -> str | None:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return None


def _strict(data: bytes, codec: str, name: str, language: str | None) -> str:
    try:
        return data.decode(codec)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise _unknown(
            f"{name} is not UTF-8 or UTF-16 (byte {error.start}, line {line})",
            data,
            language,
            otherwise=f"name its encoding with --encoding, such as {_EXAMPLES}",
        ) from error


def _utf_16(data: bytes) -> str | None:
    """The UTF-16 that a mark or the bytes themselves tell of."""
    for mark, codec in _MARKS:
        if data.startswith(mark):
            return codec if codec.startswith("utf-16") else None
    return unmarked_utf_16(data) if b"\x00" in data else None
