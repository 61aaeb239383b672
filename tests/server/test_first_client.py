"""A client written after the interface as it was first published, and after nothing else: all it knows is the header
``X-Profile-ID``, the fifteen operations, and streams of named ``focus``, ``error``, ``done`` events with JSON strings.
"""

from __future__ import annotations

import http.client
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import pytest

from tests.llm.fakes.fake_server import FakeModelServer, answer, cut, stream
from tests.server.conftest import FOCUS, SENTENCE, SRT
from tests.server.serving import Served


@dataclass
class FirstClient:
    """Blocking, over the standard library."""

    base_url: str
    profile: str
    focus: list[Any] = field(default_factory=list)
    tokens: list[str] = field(default_factory=list)
    errors: list[Any] = field(default_factory=list)

    def ask(self, method: str, path: str, body: Any = None) -> tuple[int, bytes]:
        connection = http.client.HTTPConnection(urlsplit(self.base_url).netloc, timeout=20)
        try:
            self._send(connection, method, path, body)
            response = connection.getresponse()
            return response.status, response.read()
        finally:
            connection.close()

    def _send(self, connection: http.client.HTTPConnection, method: str, path: str, body: Any) -> None:
        headers = {"X-Profile-ID": self.profile}
        if body is not None:
            headers["Content-Type"] = "application/json"
        connection.request(method, path, None if body is None else json.dumps(body), headers)

    def json(self, method: str, path: str, body: Any = None) -> Any:
        status, data = self.ask(method, path, body)
        assert 200 <= status < 300, (status, data)
        return json.loads(data) if data else None

    # The fifteen operations

    def files(self) -> list[Any]:
        return list(self.json("GET", "/profiles/files"))

    def delete_file(self, file_id: str) -> list[str]:
        return list(self.json("DELETE", f"/profiles/files/{quote(file_id)}")["deleted_job_ids"])

    def transcripts(self) -> list[Any]:
        return list(self.json("GET", "/profiles/transcripts"))

    def delete_transcript(self, transcript_id: str) -> None:
        assert self.json("DELETE", f"/profiles/transcripts/{quote(transcript_id)}") is None

    def clips(self) -> list[Any]:
        return list(self.json("GET", "/profiles/clips"))

    def delete_clip(self, clip_id: str) -> None:
        assert self.json("DELETE", f"/profiles/clips/{quote(clip_id)}") is None

    def export_deck(self) -> bytes:
        status, data = self.ask("GET", "/profiles/deck_export")
        assert status == 200
        return data

    def template(self) -> Any:
        status, data = self.ask("GET", "/profiles/template")
        return None if status == 404 else json.loads(data)

    def save_template(self, **fields: str) -> Any:
        return self.json("POST", "/profiles/template", fields)

    def delete_template(self) -> None:
        assert self.json("DELETE", "/profiles/template") is None

    def providers(self) -> list[Any]:
        return list(self.json("GET", "/llm/providers"))

    def models(self, provider: str) -> list[str]:
        return list(self.json("GET", f"/llm/models?provider={quote(provider)}"))

    def preview(self, **fields: str) -> str:
        return str(self.json("POST", "/llm/breakdown/preview", fields))

    def breakdown(self, abort: Callable[[], bool] = lambda: False, **fields: str) -> bool:
        return self._stream("/llm/breakdown", fields, abort)

    def explain_sentence(self, abort: Callable[[], bool] = lambda: False, **fields: str) -> bool:
        return self._stream("/llm/explain_sentence", fields, abort)

    def _stream(self, path: str, body: Any, abort: Callable[[], bool]) -> bool:
        """Deliver what comes; gives whether the stream completed."""
        self.focus, self.tokens, self.errors = [], [], []
        connection = http.client.HTTPConnection(urlsplit(self.base_url).netloc, timeout=20)
        try:
            self._send(connection, "POST", path, body)
            response = connection.getresponse()
            assert response.status == 200
            assert response.getheader("content-type", "").startswith("text/event-stream")
            for name, data in _events(response):
                match name:
                    case "focus":
                        assert not self.focus
                        assert not self.tokens
                        self.focus.append(json.loads(data))
                    case "message":
                        token = json.loads(data)
                        assert isinstance(token, str)
                        self.tokens.append(token)
                    case "error":
                        self.errors.append(json.loads(data))
                    case "done":
                        return True
                    case _:
                        raise AssertionError(f"an event that was never published: {name}")
                if abort():
                    return False
            return False
        finally:
            connection.close()


def _events(response: http.client.HTTPResponse) -> Iterator[tuple[str, str]]:
    """As an EventSource reads them."""
    name, data = "", list[str]()
    while line := response.readline().decode():
        line = line.rstrip("\n")
        if not line:
            if data:
                yield name or "message", "\n".join(data)
            name, data = "", []
        elif line.startswith("event:"):
            name = line[6:].removeprefix(" ")
        elif line.startswith("data:"):
            data.append(line[5:].removeprefix(" "))
        else:
            assert line.startswith(":")


@pytest.fixture
def first(served: Served) -> FirstClient:
    return FirstClient(served.url, "reader-1")


async def _in_thread(work: Callable[[], None]) -> None:
    import asyncio

    await asyncio.to_thread(work)


async def test_it_walks_through_all_fifteen_operations(
    served: Served, first: FirstClient, model: FakeModelServer, tmp_path: Path
) -> None:
    from tui.records.clips import NewClip
    from tui.service.local import LocalService

    source = tmp_path / "story.de.srt"
    source.write_text(SRT, "utf-8")
    local = LocalService(served.engine.settings, "reader-1", engine=served.engine)
    jobs = await local.files.add([source])
    assert [job.state async for job in local.jobs.follow([job.id for job in jobs])][-1] == "succeeded"
    await local.clips.add(NewClip(SENTENCE))
    model.enqueue(answer(FOCUS), stream("**fährt** ", "ab"), stream("It ", "leaves."), answer(FOCUS), cut("half"))

    def walk() -> None:
        (file,), (transcript,), (clip,) = first.files(), first.transcripts(), first.clips()
        assert first.export_deck().startswith(b"PK")
        first.delete_clip(clip["id"])
        assert first.delete_file(file["id"]) == [job.id for job in jobs]
        assert [each["id"] for each in first.transcripts()] == [transcript["id"]]
        first.delete_transcript(transcript["id"])
        assert (first.files(), first.transcripts(), first.clips()) == ([], [], [])
        assert first.export_deck().startswith(b"PK")

        assert first.template() is None
        saved = first.save_template(model="work:fake-large", prompt="{{ focus }}: {{ sentence }}", sys_msg="teach")
        assert first.template() == saved
        assert first.preview(sentence=SENTENCE, focus="fährt") == f"fährt: {SENTENCE}"
        first.delete_template()
        assert first.template() is None

        usable = [each["provider"] for each in first.providers() if each["available"]]
        assert "work" in usable
        selector = f"work:{first.models('work')[0]}"
        assert (
            first.preview(sentence="a", focus="b", context="c", prompt="{{ sentence }}{{ focus }}{{ context }}")
            == "abc"
        )

        assert first.breakdown(sentence=SENTENCE, focus="fährt", model=selector)
        assert first.focus[0]["lemma"] == "abfahren"
        assert ("".join(first.tokens), first.errors) == ("**fährt** ab", [])
        assert first.explain_sentence(sentence=SENTENCE, model=selector)
        assert ("".join(first.tokens), first.focus, first.errors) == ("It leaves.", [], [])

        assert first.breakdown(sentence="Anders.", focus="Anders", model=selector)  # done comes after an error too
        assert "".join(first.tokens) == "half"
        assert first.errors[0].keys() >= {"code", "message"}

    await _in_thread(walk)


async def test_it_aborts_by_closing_and_nothing_more_is_delivered(first: FirstClient, model: FakeModelServer) -> None:
    from tests.llm.fakes.fake_server import Gate, slow

    model.enqueue(slow(["what came"], Gate()))
    await _in_thread(
        lambda: _assert_not(
            first.explain_sentence(abort=lambda: bool(first.tokens), sentence=SENTENCE, model="work:fake-large")
        )
    )
    assert first.tokens == ["what came"]
    await model.chats[-1].disconnected.wait()


def _assert_not(completed: bool) -> None:
    assert not completed
