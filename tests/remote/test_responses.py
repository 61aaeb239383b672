"""What answers may be no Lode server, one of another version, or one that means no good."""

from __future__ import annotations

import asyncio
import gzip
import zipfile
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path

import pytest

from tests.llm.fakes.fake_server import Cut, FakeModelServer, Gate, Reply, Request, dripping_head, html, json_reply
from tui.errors import InvalidInput, LodeError, RemoteError
from tui.events import Finished
from tui.records.clips import Clip, NewClip
from tui.records.exports import ExportReport
from tui.remote import client, connection, encoding
from tui.remote.service import RemoteService
from tui.service.protocol import Service
from tui.service.requests import BreakdownRequest
from tui.wire import codec

LODE = {codec.INTERFACE_HEADER: str(codec.INTERFACE), codec.VERSION_HEADER: "0.1"}
CLIP = Clip("Satz", id="abc", created_at="2026", updated_at="2026")
ASK = BreakdownRequest("Der Zug fährt ab.", "fährt", model="work:m")


def lode(body: bytes, status: int = 200, headers: Mapping[str, str] | None = None) -> Reply:
    return Reply((body,), status, {**LODE, **(headers or {})})


def asked_of(stranger: FakeModelServer) -> list[Request]:
    """What it was asked, but for whether it is there."""
    return [request for request in stranger.requests if "health" not in request.path]


async def refused(service: Service) -> RemoteError:
    with pytest.raises(RemoteError) as caught:
        await service.clips.page()
    return caught.value


async def test_what_is_no_lode_server_is_told(strange: RemoteService, stranger: FakeModelServer) -> None:
    for reply in (
        *(html(), html("Not found", 404), json_reply([]), json_reply({"error": {"code": "x", "message": "y"}}, 401)),
        *(Reply((b"",), 204), Reply((b"",), 302, {"location": "http://elsewhere.example/"})),
    ):
        stranger.models = reply
        stranger.requests.clear()
        error = await refused(strange)
        assert error.code == "not_lode"
        assert strange.location in error.message
        assert "--url" in error.hint
        assert "no Lode server" in strange.trouble
        assert len(asked_of(stranger)) == 1, "asking again would help nobody"


async def test_no_redirect_gets_the_token_anywhere_else(strange: RemoteService, stranger: FakeModelServer) -> None:
    async with FakeModelServer() as elsewhere:
        stranger.models = Reply((b"",), 307, {"location": f"{elsewhere.base_url}/profiles/clips", **LODE})
        stranger.on_chat = lambda request: stranger.models  # type: ignore[return-value, assignment]  # one answer, to whatever is asked
        with pytest.raises(RemoteError):
            await strange.clips.page()
        with pytest.raises(RemoteError):
            await strange.clips.add(NewClip("x"))
        assert elsewhere.requests == []
    assert stranger.requests[0].headers["authorization"] == "Bearer the-token-of-this-test"


async def test_what_stands_before_a_server_speaks_for_it(strange: RemoteService, stranger: FakeModelServer) -> None:
    for status in (502, 503, 504):
        stranger.models = html("Bad gateway", status)
        error = await refused(strange)
        assert (error.code, str(status) in error.message) == ("server_unreachable", True)
        assert strange.trouble == f"no answer from {strange.location}"
        stranger.models = lode(b"[]")
        assert (await strange.clips.page()).total == 0
        assert strange.trouble == ""


async def test_a_server_of_another_version_is_told_with_it(strange: RemoteService, stranger: FakeModelServer) -> None:
    stranger.models = Reply((b"[]",), 200, {codec.INTERFACE_HEADER: "999", codec.VERSION_HEADER: "7.1\x07 beta"})
    error = await refused(strange)
    assert error.code == "version_mismatch"
    assert "7.1 beta" in error.message
    assert "update" in error.hint
    assert "7.1" in strange.trouble
    events = [event async for event in strange.llm.breakdown(ASK)]
    assert isinstance(events[-1], Finished)
    with pytest.raises(RemoteError):
        await strange.clips.add(NewClip("x"))


NO_ANSWERS = (
    *(b"", b"null", b"{}", b"[", b"[1]", b"[{}]", b'[{"id": 5}]', b"<html>", b"\xff\xfe", b"[" * 100_000),
    *(b'["\\ud800"]', codec.encode([CLIP])[:-20] + b"]", codec.encode([CLIP]).replace(b'"Satz"', b"null")),
    gzip.compress(codec.encode([CLIP])),
)


async def test_an_answer_that_is_none_is_told_once(strange: RemoteService, stranger: FakeModelServer) -> None:
    for body in NO_ANSWERS:
        stranger.models = lode(body)
        stranger.requests.clear()
        error = await refused(strange)
        assert error.code == "bad_answer", body[:40]
        assert len(error.message) < 400
        assert len(stranger.requests) == 1
    stranger.models = lode(codec.encode([CLIP]))
    assert (await strange.clips.page()).items == (CLIP,)


async def test_what_a_newer_server_says_more_is_passed_over(strange: RemoteService, stranger: FakeModelServer) -> None:
    newer = codec.encode([CLIP]).replace(b'{"id"', b'{"colour":{"of":[1]},"id"')
    stranger.models = lode(
        newer, headers={"link": '</x>; rel="prev", <?after=c7&shade=3>; rel="next"', "x-total-count": "12"}
    )
    page = await strange.clips.page(limit=1)
    assert (page.items, page.total, page.next) == ((CLIP,), 12, "c7")


async def test_headers_that_are_none_are_passed_over(strange: RemoteService, stranger: FakeModelServer) -> None:
    for total, link in (
        *((total, "nonsense") for total in ("", "-1", "many", "²", "9" * 5000, "1e9")),
        *(("", link) for link in ("", '<//[>; rel="next"', '<?after>; rel="next"', ";;;,,,<>")),
    ):
        headers = {"X-Total-Count": total.encode().decode("latin-1"), "Link": link}
        stranger.models = lode(codec.encode([CLIP]), headers=headers)
        page = await strange.clips.page(limit=1)
        assert (page.items, page.total, page.next) == ((CLIP,), 1, None), (total[:9], link)


async def test_no_endless_answer_is_held(
    strange: RemoteService, stranger: FakeModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(encoding, "MOST_BYTES", 100_000)
    stranger.models = Reply(tuple(b" " * 50_000 for _ in range(200)), 200, LODE)
    error = await refused(strange)
    assert error.code == "bad_answer"
    await stranger.requests[0].disconnected.wait()
    stranger.models = Reply((b'{"error": "', *(b"x" * 50_000 for _ in range(70))), 500, LODE)
    assert (await refused(strange)).code == "bad_answer"


def zipped(name: str) -> bytes:
    made = BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr(name, b"what a server sends")
    return made.getvalue()


async def test_a_table_whose_sounds_are_none_leaves_neither_file_nor_folder(
    strange: RemoteService, stranger: FakeModelServer, tmp_path: Path
) -> None:
    report = lode(codec.encode(ExportReport("deck.csv", "Lode", 1, 0, 0, 10, False, format="csv")))
    for sent in (zipped("words.media/../run.sh"), zipped("words.media/a.mp3")[:-30], b"no ZIP file"):
        stranger.models = lambda request, sent=sent: report if "deck_report" in request.path else lode(sent)
        with pytest.raises(RemoteError) as caught:
            await strange.deck.export(tmp_path / "words.csv")
        assert caught.value.code == "bad_answer"
        assert list(tmp_path.glob("*words*")) == []


async def test_no_dripping_answer_is_waited_for(
    strange: RemoteService, stranger: FakeModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(encoding, "ANSWER_SECONDS", 0.2)
    gates = [Gate(), Gate()]
    for status in (200, 500):
        stranger.models = Reply((b"[", gates[0], b" ", gates[1]), status, LODE)
        gates[0].opened.set()
        error = await refused(strange)
        assert error.code == ("too_slow" if status == 200 else "bad_answer")


async def test_a_head_that_drips_is_left_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "_READ_SECONDS", 0.3)
    monkeypatch.setattr(connection, "_PAUSES", ())
    async with dripping_head() as url:
        service = RemoteService(url.removesuffix("/v1"))
        assert "too slow" in (await refused(service)).message
        await service.close()


async def test_a_file_that_drips_is_left_and_nothing_of_it_stays(
    strange: RemoteService, stranger: FakeModelServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(client, "_FILE_SECONDS", 0.5)
    gates = [Gate() for _ in range(3)]
    stranger.models = Reply([piece for gate in gates for piece in (b"SQLite", gate)], 200, LODE)

    async def drip() -> None:
        for gate in gates:
            await gate.reached.wait()
            await asyncio.sleep(0.3)  # from when it is waited for, however long that took to come
            gate.opened.set()

    dripping = asyncio.create_task(drip())
    with pytest.raises(RemoteError) as slow:
        await strange.backup(tmp_path / "copy.db")
    dripping.cancel()
    assert slow.value.code == "too_slow"
    assert list(tmp_path.iterdir()) == []


async def test_a_list_that_leads_to_itself_ends(strange: RemoteService, stranger: FakeModelServer) -> None:
    stranger.models = lode(b"[]", headers={"link": '<?after=c1>; rel="next"'})
    assert (await strange.clips.page(limit=100)).items == ()


async def test_a_refusal_without_reason_has_its_status(strange: RemoteService, stranger: FakeModelServer) -> None:
    bodies = [b"", b"no", b"[]", b'{"error": 5}', b'{"error": {"code": 1}}', b'{"detail": "x"}']
    for body in (*bodies, b'{"error": {"message": "m"}}'):
        stranger.models = lode(body, 418)
        assert "418" in (await refused(strange)).message


async def test_an_error_is_fit_for_a_terminal(strange: RemoteService, stranger: FakeModelServer) -> None:
    said = {"message": "\x1b]0;owned\x07bad\x1b[31m \u202enews", "hint": "\x1b[2Jrun\r\nthis"}
    stranger.models = lode(codec.encode({"error": {"code": "x", "kind": "odd", **said}}), 422)
    with pytest.raises(LodeError) as caught:
        await strange.clips.page()
    assert (caught.value.message, caught.value.hint, caught.value.code) == ("bad news", "run\nthis", "x")


async def test_half_a_file_leaves_nothing(strange: RemoteService, stranger: FakeModelServer, tmp_path: Path) -> None:
    def answering(request: Request) -> Reply:
        if "report" in request.path:
            return lode(codec.encode(ExportReport("x", "Lode", 0, 0, 0, 0, False)))
        return Reply((b"PK half a file", Cut()), 200, {**LODE, "content-type": "application/octet-stream"})

    stranger.models = answering
    old = tmp_path / "old.apkg"
    old.write_bytes(b"")
    for call in (strange.deck.export(old), strange.backup(tmp_path / "lode.db")):
        with pytest.raises(RemoteError):
            await call
    assert [path.name for path in tmp_path.iterdir()] == ["old.apkg"]
    assert old.read_bytes() == b""
    assert len(asked_of(stranger)) == 7


async def test_odd_texts_reach_the_server_as_they_are(strange: RemoteService, stranger: FakeModelServer) -> None:
    stranger.models = lode(b"[]")
    await strange.clips.page(q="a&b=c#d?é \udc80")
    await strange.words.concordance("x/y", language=None)
    listed, found = [request.path for request in stranger.requests]
    assert "q=a%26b%3Dc%23d%3F%C3%A9" in listed.replace("+", "%20")
    assert "word=x%2Fy" in found
    with pytest.raises(InvalidInput):
        await strange.clips.add(NewClip("half a character: \ud800"))


async def test_asking_many_things_at_once_is_answered(strange: RemoteService, stranger: FakeModelServer) -> None:
    stranger.models = lode(codec.encode([CLIP]))
    pages = await asyncio.gather(*(strange.clips.page() for _ in range(70)))
    assert {page.items for page in pages} == {(CLIP,)}
