"""What is fetched from addresses: articles and subtitles, bounded and named; those of a video by yt-dlp."""

from __future__ import annotations

import gzip
import os
import sys
import zlib
from pathlib import Path

import pytest

from tests.importing.archives.making import story
from tests.importing.web.web_server import Answer, WebServer, web
from tests.watching import watch
from tui.errors import ImportRefused
from tui.importing import parse
from tui.importing import web as downloads
from tui.importing.web import fetch, is_address

__all__ = ["web"]

PAGE = "<!doctype html><html><head><title>Der letzte Zug &amp; mehr / Nr. 5</title></head><body><p>Text</p></html>"
VIDEO = PAGE.replace("<head>", '<head><meta property="og:type" content="video.other">')


async def test_the_names_of_what_is_fetched_say_what_it_is(web: WebServer) -> None:
    cyrillic = story("Слева").decode().encode("cp1251", "replace")
    named = {"Content-Disposition": 'x; filename="../b.srt"'}
    expected = {
        "/a/film.de.srt": ("film.de.srt", Answer(story("a"), "text/plain; charset=utf-8")),
        "/article": ("Der letzte Zug & mehr Nr. 5.html", Answer(PAGE.encode(), "text/html; charset=utf-8")),
        "/sub": ("sub.vtt", Answer(b"WEBVTT\n\n00:01.000 --> 00:02.000\nHallo\n", "text/vtt")),
        "/named": ("b.srt", Answer(story("b"), "application/octet-stream", headers=named)),
        "/plain": ("Es war ein König.txt", Answer("Es war ein König. Er schlief.".encode(), "text/plain")),
        "/leads": ("film.de.srt", Answer(status=302, headers={"Location": "/a/film.de.srt"})),
        "/a.srt": ("a.srt", Answer(cyrillic, "text/plain; charset=windows-1251")),
    }
    web.answers = {path: answer for path, (_, answer) in expected.items()}
    found = {path: (await fetch(web.url + path, []))[0] for path in expected}
    assert {path: file.name for path, file in found.items()} == {path: name for path, (name, _) in expected.items()}
    assert found["/leads"].content == story("a")
    assert {file.encoding for path, file in found.items() if path != "/a.srt"} == {None}
    assert found["/a.srt"].encoding == "cp1251", "which only the server tells"


async def test_what_cannot_be_had_is_refused_by_its_address(web: WebServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parse, "MAX_BYTES", 1_000_000)
    for said, answer in {
        "404 Not Found": Answer(status=404),
        "of the type image/jpeg": Answer(b"\xff\xd8\xff", "image/jpeg"),
        "leads on more than 5 times": Answer(status=302, headers={"Location": "/x"}),
        "cannot be fetched": Answer(status=302, headers={"Location": "file:///etc/passwd"}),
        "has more than 1 MB": Answer(b"x" * 100_000, "text/plain", repeats=20),
    }.items():
        web.answers["/x"] = answer
        with pytest.raises(ImportRefused, match=said) as caught:
            await fetch(f"{web.url.replace('//', '//anna:secret@')}/x?key=secret", [])
        assert f"{web.url}/x" in caught.value.message
        assert "secret" not in caught.value.message + caught.value.hint
        assert caught.value.hint


async def test_a_server_that_is_not_there_or_is_silent_is_refused(
    web: WebServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ImportRefused, match="cannot be fetched"):
        await fetch("http://127.0.0.1:9/x", [])
    monkeypatch.setattr(downloads, "_ALL_SECONDS", 0.0)
    web.answers["/x"] = Answer(b"x", "text/plain")
    with pytest.raises(ImportRefused, match="it took more than"):
        await fetch(web.url + "/x", [])


def test_only_http_is_an_address() -> None:
    for path in ("file:///etc/passwd", "ftp://a/b", "a.srt", "/a/http://x", Path("http://x"), "-", ""):
        assert not is_address(path)
    assert is_address("HTTPS://example.org/a")


FAKE = """#!{python}
import pathlib, sys
arguments = sys.argv[1:]
pathlib.Path({log!r}).open("a").write(" ".join(arguments) + "\\n")
languages = arguments[arguments.index("--sub-langs") + 1]
{body}
"""


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """The place for a program yt-dlp, the first on the path, and the log of how it was called."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    return folder / "yt-dlp", tmp_path / "log"


def write(fake: tuple[Path, Path], body: str) -> None:
    program, log = fake
    program.write_text(FAKE.format(python=sys.executable, log=str(log), body=body))
    program.chmod(0o755)


MANUAL = """
if "--write-subs" in arguments:
    for language in ("de", "ja"):
        if language in languages or "all" in languages:
            pathlib.Path(f"Der Zug.{language}.vtt").write_text("WEBVTT\\n\\n00:01.000 --> 00:02.000\\nHallo\\n")
"""


async def test_a_videos_subtitles_are_fetched_in_the_languages_that_are_learned(fake: tuple[Path, Path]) -> None:
    write(fake, MANUAL)
    assert [each.name for each in await fetch("https://www.youtube.com/watch?v=x", ["de-AT"])] == ["Der Zug.de.vtt"]
    both = await fetch("https://youtu.be/x", [])
    assert [each.name for each in both] == ["Der Zug.de.vtt", "Der Zug.ja.vtt"], "all, where none is named"
    assert both[0].content.startswith(b"WEBVTT")
    called = fake[1].read_text()
    for option in ("--skip-download", "--convert-subs none", "--no-exec", "--ignore-config", "-- https://youtu.be/x"):
        assert option in called


async def test_what_was_heard_is_taken_where_nobody_wrote_it_and_a_translation_by_machine_never(
    fake: tuple[Path, Path],
) -> None:
    write(fake, 'if "--write-auto-subs" in arguments: pathlib.Path("Zug.de-orig.vtt").write_text("WEBVTT")')
    (file,) = await fetch("https://vimeo.com/1", ["de"])
    assert file.name == "Zug.de-orig.vtt"
    assert "--sub-langs de-orig" in fake[1].read_text()


async def test_a_video_without_subtitles_says_why(fake: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parse, "MAX_BYTES", 1_000_000)
    for body, said in (
        ("pass", "has no subtitles in de"),
        ('sys.exit("WARNING: x\\nERROR: [youtube] x: Private video")', r"cannot read .*: \[youtube\] x: Private"),
        ('[pathlib.Path(f"a.l{n}.vtt").write_text("x") for n in range(40)]', r"subtitles in 40 languages \(l0"),
        ("p = pathlib.Path('a.de.vtt'); p.unlink(True); p.symlink_to('/etc/passwd')", "has no subtitles in de"),
        ('pathlib.Path("a.de.vtt").write_bytes(b"x" * 2_000_000)', "has more than 1 MB"),
        ("sys.stderr.write('x' * 10_000_000); sys.exit(1)", "yt-dlp cannot read"),
    ):
        write(fake, body)
        with pytest.raises(ImportRefused, match=said) as caught:
            await fetch("https://youtu.be/x", ["de"])
        assert len(caught.value.message) < 500
        assert caught.value.hint


async def test_yt_dlp_that_does_not_end_is_ended(fake: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    write(fake, "import threading; threading.Event().wait()")
    monkeypatch.setattr(downloads, "_SECONDS", 0.3)
    with pytest.raises(ImportRefused, match=r"within 0\.3 seconds"):
        await fetch("https://youtu.be/x", [])


async def test_without_yt_dlp_the_refusal_says_how_to_get_it(web: WebServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(downloads, "find_yt_dlp", lambda: None)
    web.answers["/v"] = Answer(VIDEO.encode(), "text/html")
    for address in ("https://www.youtube.com/watch?v=x", web.url + "/v"):
        with pytest.raises(ImportRefused, match="need yt-dlp, which is not installed") as caught:
            await fetch(address, [])
        assert "pipx install yt-dlp" in caught.value.hint


async def test_a_page_with_a_video_that_yt_dlp_cannot_read_is_an_article(
    web: WebServer, fake: tuple[Path, Path]
) -> None:
    write(fake, 'sys.exit("ERROR: Unsupported URL")')
    web.answers["/v"] = Answer(VIDEO.encode(), "text/html")
    (file,) = await fetch(web.url + "/v", [])
    assert file.name.endswith(".html")


_FETCH = "import asyncio, sys; from tui.importing.web import fetch; print(asyncio.run(fetch(sys.argv[1], [])))"


@pytest.mark.exhaustive
def test_what_a_packed_page_unpacks_to_is_counted_while_it_is_unpacked(web: WebServer) -> None:
    packer = zlib.compressobj(1, wbits=31)
    body = b"".join(packer.compress(1_000_000 * b"x") for _ in range(100)) + packer.flush()
    web.answers["/p"] = Answer(body, "text/html", headers={"Content-Encoding": "gzip"})
    found = watch(_FETCH, web.url + "/p")
    assert "has more than 64 MB" in found.out
    assert found.megabytes < 150


async def test_a_page_may_be_packed_by_gzip_and_in_no_other_way(web: WebServer) -> None:
    page = PAGE.encode()
    for coding in ("gzip", "X-GZIP", ""):
        body = gzip.compress(page) if coding else page
        web.answers["/p"] = Answer(body, "text/html", headers={"Content-Encoding": coding})
        (file,) = await fetch(web.url + "/p", [])
        assert file.content == page
    bad = {
        "deflate": (zlib.compress(page), "not asked for"),
        "gzip, gzip": (gzip.compress(gzip.compress(page)), "not asked for"),
        "gzip": (page, "damaged"),
        "gzip ": (gzip.compress(page)[:-9], "its end is missing"),
    }
    for coding, (body, said) in bad.items():
        web.answers["/p"] = Answer(body, "text/html", headers={"Content-Encoding": coding})
        with pytest.raises(ImportRefused, match=said):
            await fetch(web.url + "/p", [])
