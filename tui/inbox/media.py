"""Media of notes: names that are safe anywhere, what bytes are of, and where fields name them."""

from __future__ import annotations

import re
from html import escape, unescape
from typing import Literal
from urllib.parse import quote, unquote

from tui.inbox.markup import iterate_tags
from tui.text.sanitize import one_line

MediaKind = Literal["audio", "video", "picture"]
_MAX_NAME_BYTES = 120
_UNSAFE = re.compile(r'[\\/:*?"<>|\[\]{}\x00-\x1f\x7f]')
_SOUND = re.compile(r"\[sound:([^\]\[]+)\]", re.I)
_SOURCE = re.compile(r"(?<![\w-])src\s*=\s*(\"[^\"]*\"|'[^']*'|[^\s>\"']+)", re.I)
_WITH_SOURCE = ("img", "video", "audio", "source")
_WORD_SOUNDS = ("yomitan_", "yomichan_")
"""Beginnings of the names of sounds that pronounce a word, and not its sentence, in whatever field they are."""
_FILMS = (".webm", ".mp4", ".m4v", ".mkv")


def make_file_name(given: str) -> str:
    """Make a safe name of what a client calls a file, which may be a whole path; "" where nothing is left."""
    last = one_line(given.replace("\\", "/").rsplit("/", 1)[-1])
    name = _UNSAFE.sub("", last).strip().lstrip(".").strip()
    stem, dot, ending = name.rpartition(".")
    if not dot or len(ending) > 8:
        stem, dot, ending = name, "", ""
    while len(f"{stem}{dot}{ending}".encode()) > _MAX_NAME_BYTES:
        stem = stem[:-1]
    return f"{stem}{dot}{ending}"


def find_sounds(html: str) -> list[str]:
    """Names of the sounds of a field, but for those that only pronounce a word."""
    return [name for name in _find_named_sounds(html) if not name.startswith(_WORD_SOUNDS)]


def find_pictures(html: str) -> list[str]:
    """Names of the pictures of a field; films, which asbplayer puts there as pictures that move, are none."""
    return [name for name in _find_sources(html) if not name.lower().endswith(_FILMS)]


def find_all(html: str) -> list[str]:
    """Names of all files of a field."""
    return [*_find_named_sounds(html), *_find_sources(html)]


def _find_named_sounds(html: str) -> list[str]:
    return [unescape(each).strip() for each in _SOUND.findall(html)]


def _find_sources(html: str) -> list[str]:
    found = (_SOURCE.search(attributes) for name, attributes in iterate_tags(html) if name in _WITH_SOURCE)
    return [unquote(unescape(source[1].strip("\"'"))).strip() for source in found if source]


def name_in_field(name: str, kind: MediaKind) -> str:
    """Write a sound, a picture or a film as Anki has it in a field."""
    return (
        f'<img src="{escape(quote(name, safe=" ()!,;@&+=~"), quote=True)}">' if kind == "picture" else f"[sound:{name}]"
    )


def kind_of(content: bytes) -> Literal["audio", "picture", ""]:
    """Tell by their first bytes what they are of: a sound (or a film, of which it is heard), a picture, or neither."""
    head = content[:64]
    if head.startswith((b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"GIF8", b"BM", b"\xff\x0a", b"\x00\x00\x00\x0cJXL ")):
        return "picture"
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "picture"
    if head[4:8] == b"ftyp":
        return "picture" if head[8:12] in (b"avif", b"avis", b"heic", b"mif1") else "audio"
    if head.startswith((b"ID3", b"OggS", b"fLaC", b"\x1aE\xdf\xa3", b"caff", b"FORM", b".snd")):
        return "audio"
    if head[:4] == b"RIFF" and head[8:12] == b"WAVE":
        return "audio"
    return "audio" if len(head) > 1 and head[0] == 0xFF and head[1] & 0xE0 == 0xE0 else ""
