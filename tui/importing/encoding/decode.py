"""Decoding of a file: by its marks or in the encoding that the user names, with one kind of line end.

UTF-8 and UTF-16 (UTF-32 too, where a byte order mark says so) are recognised, and an older encoding where it alone
makes sense of the text; else it must be named. A refusal names what fits; an encoding under which the text would be
gibberish is refused too, unless it is forced.
"""

import codecs
import re
from collections.abc import Callable, Iterator

from tui import bounds
from tui.errors import ImportRefused
from tui.importing.encoding import try_decode
from tui.importing.encoding.signatures import BinaryKind, find_binary_kind
from tui.text.sanitize import one_line

MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # begins as UTF-16's mark does, so it comes first
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SHIFTED, _HZ = b"\x1b$", b"~{"
"""Bytes with which ISO-2022 and HZ leave ASCII, which UTF-8 takes for its own and makes gibberish of."""
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
    if (kind := find_binary_kind(data)) is not None:
        raise _binary(name, kind)
    if encoding is not None:
        text, codec = _as_named(data, encoding, name, language)
        if not force:
            _refuse_gibberish(data, text, codec, encoding, name, language)
    elif (declared := find_declared_encoding(data, language)) is not None:
        text, codec = data.decode(declared), declared
    else:
        text, codec = _as_marked(data, name, language)
    return convert_line_ends(text.removeprefix("\ufeff"), doubled=has_doubled_ends(text)), codec


def _as_named(data: bytes, encoding: str, name: str, language: str | None) -> tuple[str, str]:
    shown = one_line(encoding)[:40]
    codec = find_text_codec(encoding)
    if codec is None:
        raise ImportRefused(
            f"{name} cannot be read in the encoding {shown!r}: there is none of that name",
            hint=f"there are {_EXAMPLES}",
        )
    try:
        return data.decode(codec), codec
    except ValueError as error:  # UnicodeError, and what some codecs raise in its place
        place = f" (byte {error.start} does not fit)" if isinstance(error, UnicodeDecodeError) else ""
        otherwise = f"name another one, such as {_EXAMPLES}, or none"
        raise _unknown(f"{name} is not in the encoding {shown}{place}", data, language, otherwise) from error


def _refuse_gibberish(data: bytes, text: str, codec: str, encoding: str, name: str, language: str | None) -> None:
    from tui.importing.encoding.detection import find_contradiction, find_sample_line, suggest_encodings

    marked = find_marked_codec(data) or ""
    if marked.startswith("utf-16") and codec not in (marked, "utf-16"):
        raise ImportRefused(
            f"{name} is in {marked}, not in the encoding {one_line(encoding)[:40]}",
            hint=f"add it with --encoding {marked}; --force imports it as it was told",
            code="implausible_encoding",
            suggested_encoding=marked,
        )
    if codec.startswith("mojibake"):  # nobody names it by mistake, and hardly any other text is UTF-8 of it
        return
    better = find_contradiction(data, text, codec, language)
    if better is None:
        return
    line = find_sample_line(text)
    how = f'would read "{line}"' if line else "would be no text"
    raise ImportRefused(
        f"{name} {how} in the encoding {one_line(encoding)[:40]}",
        hint="; ".join(filter(None, (suggest_encodings(better), "--force imports it as it was told"))),
        code="implausible_encoding",
        suggested_encoding=better[0].name if better else "",
    )


def _unknown(message: str, data: bytes, language: str | None, otherwise: str = "") -> ImportRefused:
    """Error for bytes that are in another encoding, which says in which."""
    from tui.importing.encoding.detection import detect, suggest_encodings

    candidates = detect(data, language).near
    return ImportRefused(
        message,
        hint=suggest_encodings(candidates) or otherwise,
        code="unknown_encoding",
        suggested_encoding=candidates[0].name if candidates else "",
    )


def _binary(name: str, kind: BinaryKind) -> ImportRefused:
    return ImportRefused(f"{name} is {kind.name}, not a subtitle or a text", hint=kind.hint)


def _as_marked(data: bytes, name: str, language: str | None) -> tuple[str, str]:
    for mark, codec in MARKS:
        if data.startswith(mark):
            return _strict(data[len(mark) :], codec, name, language), codec
    if b"\x00" in data:
        wide = find_unmarked_utf_16(data)
        text = _strict(data, wide, name, language) if wide is not None else ""
        if wide is None or len(_NO_TEXT.findall(text, 0, _SAMPLE)) * 50 > min(len(text), _SAMPLE):
            raise _binary(name, BinaryKind("a binary file"))
        return text, wide
    plain = try_decode(data, "utf-8")
    if plain is None and (wide := find_unmarked_utf_16(data)) is not None:
        return _strict(data, wide, name, language), wide
    if plain is None or _SHIFTED in data or (_HZ in data and data.isascii()):
        from tui.importing.encoding.detection import find_certain_encoding

        if (certain := find_certain_encoding(data, language)) is not None:
            return data.decode(certain), certain
    if plain is None:
        plain = _strict(data, "utf-8", name, language)  # which says where it is none
    elif _SHIFTED in data:
        refusal = _unknown(f"{name} is not UTF-8 or UTF-16", data, language)
        if refusal.suggested_encoding:
            raise refusal
    return plain, "utf-8"


def _strict(data: bytes, codec: str, name: str, language: str | None) -> str:
    try:
        return data.decode(codec)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = f"{name} is not UTF-8 or UTF-16 (byte {error.start}, line {line})"
        otherwise = f"name its encoding with --encoding, such as {_EXAMPLES}"
        raise _unknown(message, data, language, otherwise) from error


def find_marked_codec(data: bytes) -> str | None:
    """The codec that a byte order mark, or UTF-16 itself, tells of; "utf-8-sig" for UTF-8 with a mark."""
    for mark, codec in MARKS:
        if data.startswith(mark):
            return "utf-8-sig" if codec == "utf-8" else codec
    return find_unmarked_utf_16(data) if b"\x00" in data else None


_NO_FILE_CODECS = ("idna", "punycode", "unicode-escape", "raw-unicode-escape", "undefined", "charmap", "utf-7")
"""Codecs for names, source code and mail: no file is in them, and they change what a plain one says."""


def find_text_codec(encoding: str) -> str | None:
    """Python's name of the codec, None where no file is in an encoding of this name."""
    if encoding.lower().startswith("mojibake"):
        from tui.importing.encoding import mojibake  # noqa: F401 - Python knows its codecs once it is imported

    try:
        "a".encode(encoding)  # refuses codecs between bytes and bytes, such as hex
        codec = codecs.lookup(encoding).name
    except (LookupError, ValueError):
        return None
    return None if codec in _NO_FILE_CODECS else codec


# The encoding that a page or an XML document says it is in, taken at its word where its bytes agree.
#
# Names mean what browsers take them for (encoding.spec.whatwg.org, 4.2): "iso-8859-1" is windows-1252, "gb2312" GB
# 18030.

_LOOKED_AT = 4096
_DECLARED = re.compile(
    rb"<\?xml[^<>]{0,200}?\sencoding\s{0,10}=\s{0,10}[\"']([A-Za-z0-9._:-]{2,40})"
    rb"|<meta\s[^<>]{0,500}?charset\s{0,10}=\s{0,10}[\"']?\s{0,10}([A-Za-z0-9._:-]{2,40})",
    re.IGNORECASE,
)
_MEANT = {
    **dict.fromkeys(("iso-8859-1", "latin1", "us-ascii"), "cp1252"),
    **dict.fromkeys(("gb2312", "gbk", "x-gbk"), "gb18030"),
    **dict.fromkeys(("shift_jis", "shift-jis", "x-sjis"), "cp932"),
    **dict.fromkeys(("iso-8859-11", "tis-620"), "cp874"),
    **dict.fromkeys(("euc-kr", "ks_c_5601-1987"), "cp949"),
    "iso-8859-9": "cp1254",
    "x-mac-cyrillic": "mac_cyrillic",
}


def find_declared_encoding(data: bytes, language: str | None) -> str | None:
    """Python's name of the codec that the beginning of the document names, None where it is not in that one.

    UTF-8 is not among them: whatever a page says, its bytes tell that themselves.
    """
    found = _DECLARED.search(data[:_LOOKED_AT])
    if found is None or b"\x00" in data[:_LOOKED_AT]:
        return None
    from tui.importing.encoding.detection import find_contradiction

    name = (found[1] or found[2]).decode("ascii").lower()
    codec = find_text_codec(_MEANT.get(name, name))
    if codec is None or codec.startswith("utf") or try_decode(data, "utf-8") is not None:
        return None
    text = try_decode(data, codec)
    return codec if text is not None and find_contradiction(data, text, codec, language) is None else None


_SPACELESS = ("ja", "zh-Hans", "zh-Hant", "ko", "th")
"""Languages of texts in which only line ends have NULs in UTF-16, if they have any."""
_LEAST_FIT, _LEAST_WORDS = 0.9, 0.4


def find_unmarked_utf_16(data: bytes) -> str | None:
    """Find the codec of UTF-16 without a mark, None where the bytes are none."""
    return _by_nuls(data[:_SAMPLE]) or _by_text(data)


def _by_nuls(sample: bytes) -> str | None:
    """Find the byte order by NULs: Latin letters, digits and line ends have one, always on the same side."""
    pairs = len(sample) // 2
    even, odd = sample[0 : 2 * pairs : 2].count(0), sample[1 : 2 * pairs : 2].count(0)
    enough = max(2, pairs // 50)
    if odd >= enough and even * 20 <= odd:
        return "utf-16-le"
    if even >= enough and odd * 20 <= even:
        return "utf-16-be"
    return None


def _by_text(data: bytes) -> str | None:
    if len(data) % 2 or len(data) < 8:
        return None
    from tui.importing.encoding.plausibility import Reading

    for codec in ("utf-16-le", "utf-16-be"):
        try:
            text = codecs.getincrementaldecoder(codec)("strict").decode(data[:_SAMPLE])
        except UnicodeDecodeError:
            continue
        reading = Reading(text)
        reads = reading.best(_SPACELESS)
        if not reading.has_garbage and reads.fit >= _LEAST_FIT and reads.words >= _LEAST_WORDS:
            return codec
    return None


_PIECE_BYTES = 65_536
_JUDGED_BYTES = 4_000_000
"""Bytes of a file that are decoded at once, to see what it is."""
MAX_LINE_LENGTH = bounds.TEXT.entry_bytes
"""Maximum characters of a line; a longer one is cut at white space, or anywhere where it has none."""


def take_first_part(data: bytes) -> bytes:
    """The beginning of the file up to the end of a line, all of it where it is short."""
    if len(data) <= _JUDGED_BYTES:
        return data
    width = 4 if data.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)) else 2 if b"\x00" in data[:4096] else 1
    end = _JUDGED_BYTES
    while (found := data.rfind(b"\n", _JUDGED_BYTES // 2, end)) >= 0:
        start = found - found % width
        if data[start : start + width].strip(b"\x00") == b"\n":
            return data[: start + width]
        end = found
    end = _JUDGED_BYTES
    while end > 4 and data[end] & 0xC0 == 0x80:  # inside a character, if it is UTF-8
        end -= 1
    return data[: end - end % width]


class Lines:
    """The lines of a file in this codec, without their ends, leading blank ones left out; each iteration reads it anew.

    ``report`` gets how much of the file has been read, from 0 to 1, several times a megabyte; what it raises ends
    the iteration. That raises ``ImportRefused`` naming ``name`` where the bytes do not fit the codec.
    """

    def __init__(self, data: bytes, codec: str, *, name: str, report: Callable[[float], None] | None = None) -> None:
        self._data = data
        self._codec = codec
        self._name = name
        self._report = report

    def __iter__(self) -> Iterator[str]:
        rest, begun = "", False
        for piece in self._pieces():
            *lines, rest = (rest + piece).split("\n")
            for line in lines:
                if begun or line:
                    begun = True
                    yield line
            while len(rest) > MAX_LINE_LENGTH:
                cut = rest.rfind(" ", MAX_LINE_LENGTH // 2, MAX_LINE_LENGTH) + 1 or MAX_LINE_LENGTH
                begun = True
                yield rest[:cut]
                rest = rest[cut:]
        if begun or rest:
            yield rest

    def _pieces(self) -> Iterator[str]:
        """The text with line feeds only; in CR CR LF, where a file has it throughout, one line end is meant."""
        held, doubled, is_first = "", False, True
        for raw in self._decode():
            text = held + raw
            kept = text.rstrip("\r")
            held, text = text[len(kept) :], kept
            if is_first:
                text, is_first = text.removeprefix("\ufeff"), False
                doubled = has_doubled_ends(text)
            yield convert_line_ends(text, doubled=doubled)
        yield convert_line_ends(held, doubled=doubled)

    def _decode(self) -> Iterator[str]:
        decoder = codecs.getincrementaldecoder(self._codec)("strict")
        size = len(self._data)
        for start in range(0, size, _PIECE_BYTES):
            end = min(start + _PIECE_BYTES, size)
            try:
                text = decoder.decode(self._data[start:end], end == size)
            except ValueError as error:
                place = end - len(error.object) + error.start if isinstance(error, UnicodeDecodeError) else start
                line = self._data.count(b"\n", 0, place) + 1
                raise ImportRefused(
                    f"{self._name} is not in the encoding {self._codec} throughout (byte {place}, line {line})",
                    hint="check that it was downloaded whole, or name its encoding with --encoding",
                    code="unknown_encoding",
                ) from error
            if self._report is not None:
                self._report(end / size)
            yield text


def has_doubled_ends(text: str) -> bool:
    """Whether every line ends in CR CR LF: a text written twice over, in which one line end is meant."""
    feeds = text.count("\n")
    return feeds > 1 and text.count("\r\r\n") == feeds


def convert_line_ends(text: str, *, doubled: bool) -> str:
    """The text with LF for CRLF and CR, and for CR CR LF where its ends are doubled."""
    if "\r" not in text:
        return text
    if doubled:
        text = text.replace("\r\r\n", "\n")
    return text.replace("\r\n", "\n").replace("\r", "\n")
