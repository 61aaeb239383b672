"""Reader of plain text: one cue per sentence, without times; ruby may be marked in the lines."""

import re
from collections.abc import Iterable, Iterator

from tui.importing.readers.cue_text import mark_reading, tidy, unmark_readings
from tui.language.scripts import RANGES
from tui.language.text_sentences import each_sentence
from tui.records.transcripts import Cue


def read_plain_text(lines: Iterable[str], language: str | None) -> Iterator[Cue]:
    """The sentences as cues in order, without times; the lines are iterated over twice."""
    index = 0
    for sentence in each_sentence(lines, language):
        plain, ruby = unmark_readings(tidy(sentence))
        if plain:
            yield Cue(index, None, None, plain, ruby=ruby)
            index += 1


# Reader of Aozora Bunko's texts (.txt): Japanese books with their readings in 《》 and notes in ［＃］.
#
# The head (the key to the marks, between two rules) and the colophon (from 底本： on) are left out. Gaiji, characters
# that Shift_JIS lacks, are given by their place in JIS X 0213 or Unicode. Source: www.aozora.gr.jp/annotation.

_LOOKED_AT = 100_000
_RULE = re.compile(r"-{20,}\s*\Z")
_KEY = "【テキスト中に現れる記号について】"
_COLOPHON = re.compile(r"底本[：:]")
_NOTE = re.compile(r"※?［＃([^［］\n]{0,200})］")
_CODE_POINT = re.compile(r"U\+([0-9A-Fa-f]{4,6})")
_JIS_PLACE = re.compile(r"([12])-([0-9]{1,2})-([0-9]{1,2})\Z|第[34]水準([12])-([0-9]{1,2})-([0-9]{1,2})")
_LETTER = "A-Za-zÀ-ɏ"
_BASE = "|".join(
    rf"(?<![{each}])[{each}]++" for each in (f"{RANGES['Han']}々〆ヶ仝〇", RANGES["Katakana"], RANGES["Hiragana"])
)
_BASE += rf"|(?<![{_LETTER}])[{_LETTER}]++(?:[ '’-][{_LETTER}]++){{0,9}}+"
"""Pattern of characters or words that a reading may stand behind; it begins where a run of them does, and never goes
back: a line of letters alone took an hour."""
_RUBY = re.compile(rf"(?:｜([^｜《》\n]{{1,60}})|({_BASE}|〓))《([^《》\n]{{1,60}})》")
_MARKED_SPOTS = re.compile(r"《《|》》")


def is_aozora(text: str) -> bool:
    """Whether the text has the key to the marks, or readings and notes as only these texts do."""
    text = text[:_LOOKED_AT]
    return _KEY in text or ("《" in text and "［＃" in text) or ("《" in text and _COLOPHON.search(text) is not None)


def read_aozora(lines: Iterable[str], language: str | None) -> Iterator[Cue]:
    """The sentences as cues in order, without times, with their readings as ruby."""
    return read_plain_text(_Body(lines), language or "ja")


class _Body:
    """The lines between head and colophon, their readings marked; iterated over as often as they are asked for."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = lines

    def __iter__(self) -> Iterator[str]:
        in_key = False
        for number, line in enumerate(self._lines):
            if _RULE.match(line) and (in_key or number < 60):
                in_key = not in_key
            elif _COLOPHON.match(line):
                return
            elif not in_key:
                yield _with_readings(line)


def _with_readings(line: str) -> str:
    line = _MARKED_SPOTS.sub("", _NOTE.sub(_noted, line))
    return _RUBY.sub(lambda found: mark_reading(found[1] or found[2], found[3]), line).replace("｜", "")


def _noted(note: re.Match[str]) -> str:
    """The character that a note describes; nothing for notes on the layout, 〓 for a character that nobody encoded."""
    if not note.group().startswith("※"):
        return ""
    if code := _CODE_POINT.search(note.group(1)):
        point = int(code.group(1), 16)
        return chr(point) if point < 0x110000 and not 0xD800 <= point < 0xE000 else "〓"
    if place := _JIS_PLACE.search(note.group(1)):
        plane, row, cell = (int(part) for part in place.groups() if part is not None)
        # EUC's third code set has the second plane.
        data = bytes((0x8F,)) * (plane == 2) + bytes((0xA0 + row, 0xA0 + cell)) if row <= 94 and cell <= 94 else b""
        return data.decode("euc_jis_2004", "ignore") or "〓"
    return "〓"
