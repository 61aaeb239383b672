"""Sanitising of text from outside for a terminal: no escape sequences, no control or bidi-override characters.

Line feeds and tabs stay (a tab as it is; whoever lays out cells expands it). Left-to-right and right-to-left *marks*
stay, since Arabic and Hebrew subtitles need them; embeddings, overrides and isolates go, since one that is never closed
turns the rest of the screen around. Half a surrogate pair, which no terminal and no file can be given, becomes U+FFFD.
Sources: ECMA-48 (CSI, OSC, DCS, SOS, PM, APC), Unicode UAX #9; what aborts a control string is as in Paul Williams'
parser for DEC terminals (vt100.net/emu/dec_ansi_parser).
"""

import re
import unicodedata

from tui.language.scripts import join_lines

_LONGEST = 4096
"""Maximum characters of a sequence; of a longer one controls are removed singly, so that no text is held for ever."""

_BIDI = "\u202a-\u202e\u2066-\u2069"
_CSI = rf"(?:\x1b\[|\x9b)[0-?]{{0,{_LONGEST}}}[ -/]{{0,16}}"
_STRING = rf"(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x18\x1a\x1b\x80-\x9f]{{0,{_LONGEST}}}"
_ESCAPE = r"\x1b[ -/]{0,16}"
_TOKEN = re.compile(
    rf"{_CSI}[@-~]"
    rf"|{_STRING}(?:\x07|\x1b\\|\x9c)"  # OSC, DCS, SOS, PM, APC
    rf"|{_ESCAPE}[0-Z\\^-~]"
    r"|(?P<line_end>\r\n?)"
    r"|(?P<surrogates>[\ud800-\udfff]+)"
    f"|[\x00-\x08\x0b-\x1f\x7f-\x9f{_BIDI}\ufeff]"
)
_OPEN = re.compile(rf"(?:{_CSI}|{_STRING}\x1b?|{_ESCAPE}|\r|[\ud800-\udbff])\Z")
"""The end of a text that the next piece may turn into one token: every proper beginning of what ``_TOKEN`` matches."""
_UNSEEN = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp", "Zs"))
_AS_SPACE = {0x09: " ", 0x2028: "\n", 0x2029: "\n"}
_SUSPICIOUS = re.compile(f"[\x00-\x08\x0b-\x1f\x7f-\x9f{_BIDI}\ufeff\ud800-\udfff]")


def without_controls(text: str) -> str:
    """Sanitise a text: escape sequences are removed whole, other control characters singly."""
    if not _SUSPICIOUS.search(text):
        return text
    return _TOKEN.sub(_replacement, text)


def laid_out(text: str) -> str:
    """``without_controls``, with tabs as single spaces and Unicode's line ends as line feeds: a cue as it is shown."""
    return without_controls(text).translate(_AS_SPACE)


def one_line(text: str) -> str:
    """Sanitise a text to one line: ``without_controls``, lines joined as their script is written (``join_lines``)."""
    clean = without_controls(text)
    if clean.isascii() or len(lines := clean.splitlines()) < 2:
        return " ".join(clean.split())
    return join_lines(lines)


def last_line(printed: bytes, most: int = 200) -> str:
    """The last line that a program printed, sanitised and cut to so many characters; "" where it printed none."""
    lines = (one_line(line) for line in reversed(printed.decode("utf-8", "replace").splitlines()))
    return next(filter(None, lines), "")[:most]


def whole_characters(text: str) -> str:
    """The text with surrogate pairs joined and halves of pairs replaced: JSON may carry half a character."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def is_blank(text: str) -> bool:
    """Whether nothing of the text can be seen: white space, controls and invisible marks, if anything."""
    return all(unicodedata.category(char) in _UNSEEN for char in without_controls(text))


class ControlFilter:
    """Filter as ``without_controls``, for a stream that may be cut within a sequence, line end or surrogate pair.

    All that ``feed`` returns and what ``finish`` returns at last make up ``without_controls`` of the whole.
    """

    def __init__(self) -> None:
        self._held = ""

    def feed(self, text: str) -> str:
        """The part of the text so far that is safe and certain; an unfinished sequence is held for the next piece."""
        if not self._held and not _SUSPICIOUS.search(text):
            return text
        text = self._held + text
        self._held = ""
        if tail := _OPEN.search(text):
            self._held = tail.group()
            text = text[: tail.start()]
        return without_controls(text)

    def finish(self) -> str:
        """The plain characters of an unfinished sequence, once nothing more can come."""
        held, self._held = self._held, ""
        return without_controls(held)


def _replacement(token: re.Match[str]) -> str:
    if token.lastgroup == "surrogates":
        return whole_characters(token.group())
    return "\n" if token.lastgroup == "line_end" else ""
