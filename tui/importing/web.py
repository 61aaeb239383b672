"""Addresses among the paths to import: an article, a subtitle, an archive, or the subtitles of a video."""

from __future__ import annotations

import asyncio
import codecs
import re
import shutil
import sys
import tempfile
import zlib
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from html import unescape
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from tui import bounds
from tui.errors import ImportRefused
from tui.importing.archive_member import ARCHIVE_ENDINGS
from tui.importing.file_name import make_safe_name
from tui.importing.formats import ENDINGS, name_content
from tui.language.tags import base_language
from tui.language.word_lists import read_lists
from tui.system import child_process, regular_file
from tui.system.net import host_of, is_this_machine
from tui.text.sanitize import last_line, one_line

if TYPE_CHECKING:
    import httpx


_SCHEMES = ("http://", "https://")


def is_address(path: str | Path) -> bool:
    """Whether what was given as a path is an address; no other scheme than HTTP's is one."""
    return isinstance(path, str) and path.strip().lower().startswith(_SCHEMES)


async def fetch(
    address: str, languages: Sequence[str], tell: Callable[[str], None] = lambda done: None
) -> tuple[Download, ...]:
    """Fetch what is at the address, which on the page of a video is its subtitles in these languages.

    Raises ``ImportRefused``, which names the address, where there is nothing to import.
    """

    address = address.strip()
    hosts = read_lists("web", __file__)["hosts"]["videos"].split()
    is_video_host = f".{host_of(address)}".endswith(tuple(f".{each}" for each in hosts))
    found = None if is_video_host else await _download(address, tell)
    if found is not None and not found.is_video:
        return (found,)
    try:
        return await _fetch_subtitles(address, languages, tell)
    except ImportRefused as error:
        if found is None or error.code != "yt_dlp_failed":
            raise
    return (found,)


# Downloads of addresses that a user names, on the user's own machine: bounded in bytes, time and redirects.
#
# A server never does this for anybody: no request carries an address to one.

_CONNECT_SECONDS, _SILENT_SECONDS, _ALL_SECONDS = 10.0, 20.0, bounds.WEB_PAGE.seconds
_MAX_REDIRECTS = bounds.WEB_PAGE.depth
_HEADERS = {
    "User-Agent": "Mozilla/5.0 (compatible; Lode)",
    "Accept-Encoding": "gzip",
    "Accept": "text/html, text/*;q=0.9, */*;q=0.8",
}
_NO_TEXTS = ("image/", "video/", "audio/", "font/")
_CODINGS = ("gzip", "x-gzip")
"""Codings that are unpacked, once; downloads ask for no other."""
_UNPACKED_PIECE = 1 << 18
_GZIP = 31
"""``wbits`` of zlib for gzip's format."""
_LOOKED_AT = 300_000
_PIECE = 1 << 20
_TITLE = re.compile(r"<title[^>]{0,200}>([^<]{1,500})</title", re.IGNORECASE)
_VIDEO = re.compile(
    r"<meta[^>]{1,300}property=[\"']?og:type[\"']?[^>]{1,100}content=[\"']?video|"
    r"<meta[^>]{1,300}content=[\"']?video[^>]{1,100}property=[\"']?og:type",
    re.IGNORECASE,
)
"""Pattern of the tag of a page whose subject is a video (https://ogp.me/#types)."""
_MAX_TITLE_LENGTH = 120


@dataclass(frozen=True, slots=True)
class Download:
    """A file that was fetched; ``encoding`` is what its server says that it is in, None where it is UTF-8."""

    name: str
    content: bytes
    encoding: str | None = None
    is_video: bool = False


async def _download(address: str, tell: Callable[[str], None]) -> Download:
    """Fetch what is at an address; raises ``ImportRefused``, which names it, where that cannot be had or imported."""
    from email.message import Message

    import httpx

    from tui.importing.parse import MAX_BYTES

    shown = shorten_address(address)
    pieces: list[bytes] = []
    size = 0
    timeout = httpx.Timeout(_SILENT_SECONDS, connect=_CONNECT_SECONDS)
    try:
        async with (
            asyncio.timeout(_ALL_SECONDS),
            httpx.AsyncClient(
                timeout=timeout,
                follow_redirects=True,
                max_redirects=_MAX_REDIRECTS,
                headers=_HEADERS,
                trust_env=not is_this_machine(address),
            ) as client,
            client.stream("GET", address) as response,
        ):
            kind = _checked(response, shown)
            async for piece in _unpack_pieces(response):
                size += len(piece)
                if size > MAX_BYTES:
                    raise ImportRefused(
                        f"{shown} has more than {MAX_BYTES / 1e6:g} MB", hint="download what you need of it"
                    )
                pieces.append(piece)
                tell(f"{shown} {size / 1e6:.1f} MB")
            header = Message()
            header["Content-Disposition"] = response.headers.get("content-disposition", "")
            final, charset, given = str(response.url), response.charset_encoding, header.get_filename("") or ""
    except TimeoutError as error:
        raise _explain_failure(shown, f"it took more than {_ALL_SECONDS:g} seconds") from error
    except httpx.TooManyRedirects as error:
        raise _explain_failure(shown, f"it leads on more than {_MAX_REDIRECTS} times") from error
    except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError) as error:
        raise _explain_failure(shown, one_line(str(error)) or type(error).__name__) from error
    content = b"".join(pieces)
    pieces.clear()
    return await asyncio.to_thread(_name, final, content, kind, charset, given)


async def _unpack_pieces(response: httpx.Response) -> AsyncIterator[bytes]:
    """Read the body, unpacked, in pieces of at most 256 kB or as they come.

    httpx itself unpacks whatever comes whole, and as often as the answer says it is packed. Raises ``ValueError`` for
    an answer that is packed twice, in another way, or badly.
    """
    # Several codings stand in one header with commas, or in several headers, which httpx joins so.
    coding = response.headers.get("content-encoding", "").strip().lower()
    if coding in ("", "identity"):
        async for piece in response.aiter_raw():
            yield piece
        return
    if coding not in _CODINGS:
        raise ValueError(f"its server sends it packed in a way that was not asked for ({coding[:40]})")
    unpacker = zlib.decompressobj(_GZIP)
    async for packed in response.aiter_raw():
        while packed and not unpacker.eof:
            try:
                piece = unpacker.decompress(packed, _UNPACKED_PIECE)
            except zlib.error:
                raise ValueError("it is packed, and damaged") from None
            packed = unpacker.unconsumed_tail
            yield piece
    if not unpacker.eof:
        raise ValueError("its end is missing")


def shorten_address(address: str) -> str:
    """The address without a name, a password and what is behind the path, as messages show it."""
    parts = urlsplit(address)
    return one_line(f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}")[:120]


def _checked(response: httpx.Response, shown: str) -> str:
    """The type of the contents; raises ``ImportRefused`` for an answer that has none to import."""
    if response.status_code != 200:
        raise _explain_failure(shown, f"its server says {response.status_code} {response.reason_phrase}".rstrip())
    kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind.startswith(_NO_TEXTS):
        raise ImportRefused(
            f"{shown} is of the type {one_line(kind)[:60]}, not a subtitle or a text",
            hint="give the address of the subtitle, or of the page on which the video is shown",
        )
    return str(kind)


def _explain_failure(shown: str, reason: str) -> ImportRefused:
    return ImportRefused(f"{shown} cannot be fetched: {reason}", hint="check the address in a browser")


def _name(address: str, content: bytes, kind: str, charset: str | None, given: str) -> Download:
    from tui.importing.encoding.decode import find_text_codec

    last = unquote(urlsplit(address).path.rsplit("/", 1)[-1])
    ending = read_lists("web", __file__)["endings"].get(kind, "")
    encoding = find_text_codec(charset) if charset and not _is_utf_8(content) else None
    beginning = content[:_LOOKED_AT].decode(encoding or "utf-8", "replace")
    is_page = ending == ".html" or (not kind and beginning.lstrip()[:9].lower().startswith(("<!doctype", "<html")))
    if is_page:
        name = f"{_page_title(beginning) or make_safe_name(last) or urlsplit(address).hostname or 'page'}.html"
        return Download(make_safe_name(name), content, encoding, is_video=_VIDEO.search(beginning) is not None)
    names = (make_safe_name(given), make_safe_name(last))
    name = next((each for each in names if each.lower().endswith((*ENDINGS, *ARCHIVE_ENDINGS))), "")
    if not name and ending:
        name = make_safe_name(f"{last or 'download'}{ending}")
    return Download(name or name_content(content, names[1] or "download.txt"), content, encoding)


def _is_utf_8(content: bytes) -> bool:
    pieces = (content[at : at + _PIECE] for at in range(0, len(content), _PIECE))
    try:
        for _ in codecs.iterdecode(pieces, "utf-8"):
            pass
    except UnicodeDecodeError:
        return False
    return True


def _page_title(beginning: str) -> str:
    """The page's title as a name of a file may have it."""
    found = _TITLE.search(beginning)
    title = one_line(unescape(found[1])) if found else ""
    return " ".join(re.sub(r"[/\\]+|\.(?=\S)", " ", title).split())[:_MAX_TITLE_LENGTH].rstrip(" .")


# Subtitles of videos by their addresses, with yt-dlp where that is installed (https://github.com/yt-dlp/yt-dlp).
#
# It runs as a process of its own that is stopped after a time. What people made is taken first, else what was
# recognised of the language that is spoken; captions that a machine translated are none to learn from.

_SECONDS = bounds.VIDEO_SUBTITLES.seconds
_MAX_OUTPUT = 1_000_000
_MAX_FILES = bounds.VIDEO_SUBTITLES.entries
"""More subtitles of one video than anyone learns from: a language has to be named."""
_OPTIONS = (
    *("--ignore-config", "--no-cache-dir", "--no-exec", "--no-warnings", "--no-progress", "--no-playlist"),
    *("--socket-timeout", "20", "--retries", "2", "--playlist-end", "1"),
    *("--skip-download", "--convert-subs", "none", "--output", "%(title).120B.%(ext)s"),
)
_HINT = "install it, with: pipx install yt-dlp; or save the subtitles and add the file"


def find_yt_dlp() -> list[str] | None:
    """The command that runs yt-dlp, None where it is not installed."""
    if (program := shutil.which("yt-dlp")) is not None:
        return [program]
    return [sys.executable, "-m", "yt_dlp"] if find_spec("yt_dlp") is not None else None


async def _fetch_subtitles(address: str, languages: Sequence[str], tell: Callable[[str], None]) -> tuple[Download, ...]:
    """Fetch the subtitles of a video in these languages, in all that it has where none is named.

    Raises ``ImportRefused`` where yt-dlp is missing, fails or finds none.
    """
    shown = shorten_address(address)
    program = find_yt_dlp()
    if program is None:
        raise ImportRefused(f"the subtitles of {shown} need yt-dlp, which is not installed", hint=_HINT)
    wanted = list(dict.fromkeys(base_language(each) for each in languages))
    made = ",".join(f"{each},{each}-[A-Za-z]+" for each in wanted) or "all,-live_chat"
    heard = ",".join(f"{each}-orig" for each in wanted) or ".*-orig"
    tell(shown)
    # It goes with all that is in it, however this ends.
    with tempfile.TemporaryDirectory(prefix="lode-") as place:
        for options in (("--write-subs", "--sub-langs", made), ("--write-auto-subs", "--sub-langs", heard)):
            await _run([*program, *_OPTIONS, *options, "--", address], place, shown)
            if found := await asyncio.to_thread(_found, Path(place), shown):
                return found
    named = f" in {', '.join(wanted)}" if wanted else ""
    raise ImportRefused(
        f"{shown} has no subtitles{named}", hint="name another language with --language, or add a subtitle file"
    )


async def _run(command: Sequence[str], place: str, shown: str) -> None:
    """Run yt-dlp in the directory; raises ``ImportRefused`` with the last line that it wrote where it fails."""
    try:
        ended = await child_process.run(command, seconds=_SECONDS, most_bytes=_MAX_OUTPUT, directory=place)
    except TimeoutError as error:
        raise ImportRefused(
            f"yt-dlp did not get the subtitles of {shown} within {_SECONDS:g} seconds", hint="try it again"
        ) from error
    if ended.returncode != 0:
        reason = last_line(ended.errors, 400).removeprefix("ERROR: ")[:300] or f"it ended with {ended.returncode}"
        raise ImportRefused(
            f"yt-dlp cannot read {shown}: {reason}",
            hint="update it: sites change often; or save the subtitles and add the file",
            code="yt_dlp_failed",
        )


def _found(place: Path, shown: str) -> tuple[Download, ...]:
    from tui.importing.parse import MAX_BYTES

    paths = sorted(path for path in place.iterdir() if path.is_file() and not path.is_symlink())
    if len(paths) > _MAX_FILES:
        languages = [path.suffixes[-2][1:] for path in paths if len(path.suffixes) > 1]
        raise ImportRefused(
            f"{shown} has subtitles in {len(paths)} languages ({', '.join(languages)[:200]})",
            hint="name the one to import with --language",
        )
    try:
        return tuple(Download(path.name, regular_file.read(path, MAX_BYTES)) for path in paths)
    except OSError as error:
        raise ImportRefused(
            f"the subtitles of {shown} cannot be read: {error.strerror or error}", hint="try it again"
        ) from error
