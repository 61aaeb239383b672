"""Who may ask the inbox, and what of this machine and its network it gives or reads for whom."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest

from tests.server.inbox.serving import MP3, PLAIN, YOMITAN, InboxClient, Json, make_note, serving_inbox
from tests.server.raw import exchange, read
from tui.errors import InvalidInput
from tui.server.inbox import InboxOptions
from tui.service.inbox import fetching
from tui.service.local import LocalService

PAGE = "https://evil.example"
ADD: Json = {"action": "addNote", "version": 6, "params": {"note": make_note(Sentence="Der Zug.")}}
PERMISSION: Json = {"action": "requestPermission", "version": 6}
KEYLESS = "valid api key must be provided"


@pytest.mark.parametrize(
    "origin",
    [
        YOMITAN,
        "moz-extension://0b2f-4a",
        "safari-web-extension://A-B",
        "https://app.asbplayer.dev",
        "HTTPS://App.asbplayer.dev",
    ],
)
async def test_extensions_and_named_pages_pass(service: LocalService, origin: str) -> None:
    async with serving_inbox(service, InboxOptions(port=0, origins=("https://app.asbplayer.dev",))) as inbox:
        answer = await inbox.post(ADD, origin=origin, content_type=PLAIN)
        assert answer.status_code == 200 and answer.json()["error"] is None
        assert answer.headers["access-control-allow-origin"] == origin
        assert answer.headers["access-control-allow-headers"] == "*"
        assert answer.headers["vary"] == "Origin"
        assert len(await inbox.clips()) == 1
        asked = await inbox.http.options(
            "/",
            headers={
                "Origin": origin,
                "Access-Control-Request-Method": "POST",
                "Access-Control-Request-Headers": "content-type",
                "Access-Control-Request-Private-Network": "true",
            },
        )
        assert (asked.status_code, asked.headers["access-control-allow-origin"]) == (200, origin)
        assert asked.headers["access-control-allow-private-network"] == "true"
        assert "content-type" in asked.headers


@pytest.mark.parametrize(
    "origin",
    [
        PAGE,
        "null",
        "http://localhost",
        "http://127.0.0.1:8767",
        "https://chrome-extension.example",
        "file://",
        "chrome-extension",
    ],
)
async def test_pages_are_refused_before_anything_runs(inbox: InboxClient, origin: str) -> None:
    multi = {"action": "multi", "version": 6, "params": {"actions": [PERMISSION, ADD]}}
    for body in (ADD, multi, b"", b"{", {**ADD, "params": {"note": make_note(Sentence="x" * 20_000)}}):
        answer = await inbox.post(body, origin=origin, content_type=PLAIN)
        assert (answer.status_code, answer.content) == (403, b"")
        assert "access-control-allow-origin" not in answer.headers
    asked = await inbox.http.options("/", headers={"Origin": origin, "Access-Control-Request-Method": "POST"})
    assert asked.status_code == 403 and "access-control-allow-origin" not in asked.headers
    assert (await inbox.http.get("/", headers={"Origin": origin})).status_code == 403
    denied = await inbox.post(PERMISSION, origin=origin)
    assert (denied.status_code, denied.json()) == (200, {"result": {"permission": "denied"}, "error": None})
    assert await inbox.clips() == []


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8767", "127.0.0.1.evil.example", "192.168.1.5", "", "[::2]"]
)
async def test_names_that_lead_here_are_refused(inbox: InboxClient, host: str) -> None:
    for body in (ADD, PERMISSION):
        answer = await inbox.post(body, Host=host)
        assert (answer.status_code, answer.content) == (403, b"")
    assert await inbox.clips() == []


async def test_headers_that_are_there_twice_are_refused(inbox: InboxClient) -> None:
    port = httpx.URL(str(inbox.http.base_url)).port or 0
    for twice in ("Host: 127.0.0.1\r\nHost: evil.example", f"Host: 127.0.0.1\r\nOrigin: {YOMITAN}\r\nOrigin: {PAGE}"):
        head = f"POST / HTTP/1.1\r\n{twice}\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{{}}"
        assert read(await exchange(port, head.encode())).status_code == 400


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:8765", "[::1]:80"])
async def test_names_of_this_machine_pass(inbox: InboxClient, host: str) -> None:
    assert (await inbox.post(PERMISSION, Host=host)).status_code == 200


async def test_a_key_is_wanted_for_all_but_permission(service: LocalService) -> None:
    async with serving_inbox(service, InboxOptions(port=0, key="geheim")) as inbox:
        permission = {"permission": "granted", "requireApikey": True, "version": 6}
        assert await inbox.result("requestPermission") == permission
        actions = (*service.inbox.actions, "no such action")
        for key in (None, "", "falsch", "geheim2", "geheı́m"):
            for action in actions:
                if action != "requestPermission":
                    assert await inbox.call(action, key=key) == {"result": None, "error": KEYLESS}, action
        assert await inbox.call("version", 2) == {"result": None, "error": KEYLESS}
        assert await inbox.result("version", key="geheim") == 6

        within = [{"action": "version"}, {"action": "version", "key": "geheim"}, {**PERMISSION, "version": 6}]
        bare, known, asked = await inbox.result("multi", actions=within)
        assert (bare, known) == ({"result": None, "error": KEYLESS}, 6)
        assert asked == {"result": permission, "error": None}
        assert await inbox.result("multi", key="geheim", actions=[{"action": "version"}, ADD])
        assert len(await inbox.clips()) == 1


async def test_others_reach_none_without_a_key(service: LocalService) -> None:
    with pytest.raises(InvalidInput, match="no key"):
        async with serving_inbox(service, InboxOptions("0.0.0.0", 0)):
            pass
    async with serving_inbox(service, InboxOptions("0.0.0.0", 0, "geheim")) as inbox:  # KOReader's way
        request = {**ADD, "key": "geheim"}
        assert (await inbox.post(request, Host="192.168.1.5:8767")).json()["error"] is None
        assert (await inbox.call("getMediaDirPath", key="geheim"))["result"] is None
        note = make_note(Sentence="b", audio={"path": __file__, "filename": "a.mp3", "fields": []})
        assert "not read for this client" in (await inbox.call("addNote", key="geheim", note=note))["error"]


async def test_files_are_read_for_those_who_could_read_them_and_only_sounds_and_pictures(
    inbox: InboxClient, tmp_path: Path
) -> None:
    sound, text, folder = tmp_path / "a.mp3", tmp_path / "secret.mp3", tmp_path / "folder.mp3"
    sound.write_bytes(MP3)
    text.write_text("password")
    folder.mkdir()
    linked = tmp_path / "linked.mp3"
    linked.symlink_to(text)
    refused = [
        str(each) for each in (text, folder, linked, tmp_path / "none.mp3", "/dev/zero", "/dev/tty", "a.mp3", "\0", "")
    ]
    for path in (*refused, "/proc/self/environ", "~/.ssh/id_rsa", "x" * 10_000):
        answer = await inbox.call("storeMediaFile", filename="a.mp3", path=path)
        assert answer["result"] is None and len(answer["error"]) < 500, path
        note = make_note(Sentence="Der Zug.", audio={"filename": "a.mp3", "path": path, "fields": ["Audio"]})
        assert (await inbox.call("addNote", note=note))["result"] is None, path
    for origin in (YOMITAN, "moz-extension://a"):
        answer = await inbox.call("storeMediaFile", origin=origin, filename="a.mp3", path=str(sound))
        assert "not read for this client" in answer["error"]
        assert (await inbox.call("getMediaDirPath", origin=origin))["result"] is None
    assert await inbox.clips() == []
    assert await inbox.result("storeMediaFile", filename="a.mp3", path=str(sound)) == "a.mp3"


@asynccontextmanager
async def answering(answer: bytes) -> AsyncIterator[tuple[int, list[bytes]]]:
    """A server of the own network; its port, and the requests that came."""
    asked: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(answer)
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        yield server.sockets[0].getsockname()[1], asked


async def test_addresses_of_the_own_network_are_asked_for_nothing(
    inbox: InboxClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    inbox.service.inbox.filling.warn = told.append
    found = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(MP3) + MP3
    async with answering(found) as (port, asked):
        hosts = ("127.0.0.1", "localhost", "[::1]", "0.0.0.0", "2130706433", "[::ffff:127.0.0.1]", "user@127.0.0.1")
        more = ("http://10.0.0.1/a", "http://192.168.0.1", "http://169.254.169.254/latest", "http://[64:ff9b::7f00:1]/")
        inner = ("http://[2002:7f00:1::]/", "http://[64:ff9b:1::a00:1]/", "http://[::127.0.0.1]", "http://[fec0::1]")
        others = ("file:///etc/passwd", "ftp://127.0.0.1/a", "http://", "http://a:b:c", "gopher://x", "http://[", "x")
        for url in (*(f"http://{host}:{port}/a.mp3" for host in hosts), *more, *inner, *others):
            answer = await inbox.call("storeMediaFile", filename="a.mp3", url=url)
            assert "cannot be fetched: it is " in answer["error"] or url in others, answer
            assert "cannot be fetched" in answer["error"], answer
        leading = b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:%d/\r\nContent-Length: 0\r\n\r\n" % port
        async with answering(leading) as (public, led):
            find = fetching._find_public

            async def find_public(host: str, port: int, address: str) -> str:
                return "127.0.0.1" if host == "public.example" else await find(host, port, address)

            monkeypatch.setattr(fetching, "_find_public", find_public)
            url = f"http://public.example:{public}/a.mp3"
            answer = await inbox.call("storeMediaFile", filename="a.mp3", url=url)
            assert f"http://127.0.0.1:{port}/ cannot be fetched" in answer["error"]
            assert b"Host: public.example" in led[0]
            note = make_note(
                "JL", Sentence="Der Zug.", Audio="", audio={"url": url, "filename": "a.mp3", "fields": ["Audio"]}
            )
            number = await inbox.result("addNote", note=note)
            while not told:
                await asyncio.sleep(0.01)
            (info,) = await inbox.result("notesInfo", notes=[number])
            assert info["fields"]["Audio"]["value"] == "[sound:a.mp3]"
            assert (await inbox.clip()).audio is None
        assert asked == []


async def test_what_is_at_a_public_address_becomes_the_sound(
    inbox: InboxClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def find_public(host: str, port: int, address: str) -> str:
        return "127.0.0.1"

    monkeypatch.setattr(fetching, "_find_public", find_public)
    found = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(MP3) + MP3
    async with answering(found) as (port, asked):
        audio = {"url": f"http://public.example:{port}/x/ton.mp3?a=b", "fields": ["audio"]}
        await inbox.result("addNote", note=make_note("KO", Sentence="Der Zug.", Audio="", audio=audio))
        clip = await inbox.clip_that(lambda clip: clip.audio)
        assert await inbox.service.media.audio(clip.id) == MP3
        assert len(asked) == 1
