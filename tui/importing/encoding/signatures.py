"""Signatures of files that are no text: what each is called, and what to do to get its text (``signatures.toml``)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from tui.language.word_lists import read_lists

_MAX_SIGNATURE_LENGTH = 512
_MP3_FRAMES = (b"\xff\xfb", b"\xff\xf3", b"\xff\xf2")
_BLU_RAY = b"PG"
_BLU_RAY_SEGMENTS = (b"\x14", b"\x15", b"\x16", b"\x17", b"\x80")
_BLU_RAY_SEGMENT_AT = 10


@dataclass(frozen=True, slots=True)
class BinaryKind:
    """A kind of file that is no text, and the next step; each signature is the place of some bytes, and those."""

    name: str
    hint: str = "add the subtitle or the text itself"
    signatures: Sequence[tuple[int, bytes]] = ()


def find_binary_kind(data: bytes) -> BinaryKind | None:
    """The kind of a binary file by its signature, None for what has no known one."""
    head = data[:_MAX_SIGNATURE_LENGTH]
    for kind in _list_kinds():
        if any(head.startswith(signature, offset) for offset, signature in kind.signatures):
            return kind
    named = {kind.name: kind for kind in _list_kinds()}
    if head.startswith(_MP3_FRAMES) and b"\x00" in head:
        return named["an MP3 audio file"]
    if len(data) > 376 and data[0] == data[188] == data[376] == 0x47 and b"\x00" in head:
        return named["an MPEG transport stream"]
    if head.startswith(_BLU_RAY) and b"\x00" in head and head.startswith(_BLU_RAY_SEGMENTS, _BLU_RAY_SEGMENT_AT):
        return named["a Blu-ray subtitle"]
    return None


@cache
def _list_kinds() -> list[BinaryKind]:
    return [
        BinaryKind(name, hint, [_read_signature(mark) for mark in marks.split(", ") if mark])
        for hint, kinds in read_lists("signatures", __file__).items()
        for name, marks in kinds.items()
    ]


def _read_signature(mark: str) -> tuple[int, bytes]:
    offset, digits = mark.split()
    return int(offset), bytes.fromhex(digits)
