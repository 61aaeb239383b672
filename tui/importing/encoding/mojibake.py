"""Mojibake that was stored as UTF-8: texts that were once read in a wrong encoding ("Ã¼ber", "Vѕavo vidнme").

``mojibake-cp1252`` is UTF-8 that was read as cp1252, ``mojibake-cp1251-cp1250`` cp1250 that was read as cp1251. Both
are codecs of Python's once this module is imported, so that such files are read in pieces as all others. ftfy mends
the first kind line by line (195 of our 216 trials); a codec of the whole file mends both, and nothing by chance.
"""

import codecs
import re
from functools import partial

from tui.importing.encoding import try_decode

_WRONG = ("cp1252", "latin1", "cp1251", "cp1250", "cp1254", "cp1253", "macroman", "cp437", "cp850", "cp866")
"""Encodings in which texts are read by mistake, the commonest first; in names as they stand here."""
_RIGHT = ("utf8", "cp1250", "cp1251", "cp1252", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "cp874")
_SAMPLE = 4000
_LEAST = 2
"""Minimum characters that come out, each of them made of several."""
_ALPHABETS_MIXED = re.compile("[A-Za-z][\u0400-\u04ff]|[\u0430-\u045f][A-Za-z]")
_ACCENTED = re.compile("[\u00c0-\u00ff]")
_ASCII_LETTER = re.compile("[A-Za-z]")
_MANY = 5
"""Minimum places at which letters of two alphabets meet inside words."""
_BEYOND = re.compile(r"[^\x00-\x7f]")


def find_mending_codec(text: str) -> str | None:
    """The codec that mends a text which is UTF-8; None for one that is as it was meant, as nearly all are."""
    if text.isascii():
        return None
    sample = _telling(text)
    codec = _twice_encoded(sample) or _misread(sample)
    if codec is None:
        return None
    return codec if try_decode(text.encode(), codec) is not None else None


def _telling(text: str) -> str:
    """The first lines with characters beyond ASCII, the parts of long ones behind the first of them."""
    lines: list[str] = []
    size = at = 0
    while size < _SAMPLE and (found := _BEYOND.search(text, at)) is not None:
        begin = max(text.rfind("\n", at, found.start()) + 1, at, found.start() - _SAMPLE)
        end = text.find("\n", found.start())
        at = end if end >= 0 else len(text)
        lines.append(text[begin : min(at, begin + 2 * _SAMPLE)])
        size += len(lines[-1])
    return "\n".join(lines).removeprefix("\ufeff")


def _twice_encoded(sample: str) -> str | None:
    """Find the codec that mends UTF-8 which was read as something else: hardly any other text becomes UTF-8 so."""
    for wrong in _WRONG:
        try:
            mended = sample.encode(wrong, _AS_BYTES).decode()
        except ValueError:
            continue
        if sum(char > "\x7f" for char in mended) >= _LEAST and len(mended) + _LEAST <= len(sample):
            return f"mojibake-{wrong}"
    return None


def _misread(sample: str) -> str | None:
    """Find the codec that mends a legacy encoding read in another: where that is gibberish, and the right one sure."""
    accented = len(_ACCENTED.findall(sample))
    if len(_ALPHABETS_MIXED.findall(sample)) >= _MANY:
        wrong = "cp1251"
    elif accented > 4 * _MANY and accented > 2 * len(_ASCII_LETTER.findall(sample)):
        wrong = "cp1252"
    else:
        return None
    from tui.importing.encoding.detection import find_certain_encoding

    try:
        right = find_certain_encoding(sample.encode(wrong, _AS_BYTES), None)
    except ValueError:
        return None
    return f"mojibake-{wrong}-{right}" if right in _RIGHT and right != wrong else None


_AS_BYTES = "lode-controls-as-bytes"


def _controls_as_bytes(error: UnicodeError) -> tuple[bytes, int]:
    """Encode C1 controls as the bytes of their numbers: what an encoding leaves undefined is read as those."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    wrong = error.object[error.start : error.end]
    if not all("\x80" <= char <= "\x9f" for char in wrong):
        raise error
    return wrong.encode("latin1"), error.end


class _Decoder(codecs.IncrementalDecoder):
    """UTF-8 → what was read → its bytes in the wrong encoding → the text in the right one."""

    def __init__(self, wrong: str, right: str, errors: str = "strict") -> None:
        super().__init__(errors)
        self._wrong = wrong
        self._stored = codecs.getincrementaldecoder("utf-8")(errors)
        self._meant = codecs.getincrementaldecoder(right)(errors)

    def decode(self, data: object, final: bool = False) -> str:
        read = self._stored.decode(data, final).removeprefix("\ufeff")  # type: ignore[arg-type]  # any buffer, as in codecs
        return self._meant.decode(read.encode(self._wrong, _AS_BYTES), final)


def _find(name: str) -> codecs.CodecInfo | None:
    kind, *parts = name.replace("-", "_").split("_")
    wrong, right = (*parts, "utf8")[:2] if 1 <= len(parts) <= 2 else ("", "")
    if kind != "mojibake" or wrong not in _WRONG or right not in _RIGHT or wrong == right:
        return None

    def encode(text: str, errors: str = "strict") -> tuple[bytes, int]:
        return text.encode(right, errors).decode(wrong, errors).encode(), len(text)

    def decode(data: bytes, errors: str = "strict") -> tuple[str, int]:
        return _Decoder(wrong, right, errors).decode(data, True), len(data)

    return codecs.CodecInfo(
        encode=encode,
        decode=decode,  # type: ignore[arg-type]  # bytes are what it is given
        incrementaldecoder=partial(_Decoder, wrong, right),
        name=f"mojibake-{wrong}" + (f"-{right}" if right != "utf8" else ""),
    )


codecs.register_error(_AS_BYTES, _controls_as_bytes)
codecs.register(_find)
