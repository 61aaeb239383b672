"""Texts of the corpus in every older encoding that holds them, to measure detection with."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tests.importing.corpus import CORPUS, EXPECTED
from tui.errors import ImportRefused
from tui.importing.encoding.decode import decode

SINGLE_BYTE = (
    *(f"cp{number}" for number in range(1250, 1259)),
    *(f"iso8859-{part}" for part in (1, 2, 5, 6, 7, 8, 9, 15)),
    *("koi8-r", "koi8-u", "mac-roman", "tis-620"),
)
UTF_16 = ("utf-16-le", "utf-16-be")
OF_LANGUAGE = {"ja": ("shift_jis", "euc_jp", "iso2022_jp"), "zh": ("gb18030", "big5"), "ko": ("euc_kr",)}
"""Encodings of several bytes, in which texts of other languages are not found although most hold some of them."""


@dataclass(frozen=True, slots=True)
class Transcoding:
    name: str
    language: str
    codec: str
    text: str

    @property
    def data(self) -> bytes:
        return self.text.encode(self.codec)


def list_texts() -> Iterator[tuple[str, str, str]]:
    """Name, language and text of every file of the corpus with characters beyond ASCII."""
    for name, facts in EXPECTED.items():
        encoding = "utf-16" if facts["encoding"] == "utf-16-le" else facts["encoding"]
        text = (CORPUS / name).read_bytes().decode(encoding).removeprefix("\ufeff")
        if not text.isascii() and not name.endswith("mojibake.srt"):
            yield name, facts["language"].split("+")[0], text


def transcodings(most: int | None = None) -> Iterator[Transcoding]:
    """Every text in every encoding of its language that holds all of it, or in ``most`` of them, drawn by its name."""
    for name, language, text in list_texts():
        usual = (*SINGLE_BYTE, *UTF_16, *OF_LANGUAGE.get(language.split("-")[0], ()))
        held = [codec for codec in usual if text.encode(codec, "ignore").decode(codec) == text]
        for codec in held if most is None else random.Random(name).sample(held, min(most, len(held))):
            yield Transcoding(name, language, codec, text)


def excerpts(whole: Transcoding) -> Iterator[Transcoding]:
    """Three and twelve lines from the first line beyond ASCII on, and from one in the middle."""
    lines = whole.text.split("\n")
    beyond = [number for number, line in enumerate(lines) if not line.isascii()]
    for begin in dict.fromkeys((beyond[0], beyond[len(beyond) // 2])):
        for count in (3, 12):
            yield Transcoding(whole.name, whole.language, whole.codec, "\n".join(lines[begin : begin + count]))


def tally(texts: Iterable[Transcoding]) -> Counter[str]:
    """Count how many are read right without a hint, wrongly, and not without a question."""
    counts: Counter[str] = Counter(right=0, wrong=0, asked=0)
    for each in texts:
        try:
            _, codec = decode(each.data, encoding=None)
        except ImportRefused:
            counts["asked"] += 1
        else:
            counts["right" if each.data.decode(codec) == each.text else "wrong"] += 1
    return counts
