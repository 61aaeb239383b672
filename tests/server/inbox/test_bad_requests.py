"""What no client means well: requests that are none, values of the wrong kind, too much of everything."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Iterator

import httpx
import pytest

from tests.hostile import FORBIDDEN, HOSTILE
from tests.server.inbox.serving import MP3, SLOW, InboxClient, Json, base64_of, make_note
from tests.waiting import HANGS
from tui import bounds

DECODED = "data is not base64"
HOSTILE_VALUES: tuple[Json, ...] = (
    *(None, True, -1, 0, 1.5, 10**400, -(2**63), 1e308, "", "x", "-", '"', "(", "\x00", "[sound:", "{{c1::", "nid:9e9"),
    *([], [[]], [None], [{}], ["x"], [-1, 2**63, True, "1", "٣", 10**30], {}, {"x": {}}, {"": ""}, {"id": 1}),
    {"id": "1", "fields": []},
    {"fields": {"Sentence": None, "": {"a": [1]}}, "tags": {"a": 1}, "options": [], "audio": "x", "picture": [[], 1]},
    {"deckName": 1, "modelName": [], "fields": {"Sentence": "s"}, "audio": [{"data": 5}], "video": {"url": {}}},
    {"deckName": "\x00", "modelName": "\ud800", "fields": {"Sentence": "\udfff\x00"}, "tags": ["\x1b[31m", 5]},
)
NAMES: tuple[str, ...] = (
    "note",
    "notes",
    "cards",
    "actions",
    "query",
    "tags",
    "deck",
    "modelName",
    "modelNames",
    "inOrderFields",
)
NAMES += ("filename", "data", "url", "path", "answers", "fields")


async def check_answer(inbox: InboxClient, request: Json, told: object = "") -> Json:
    """An answer in the shape of version 6, which is no fault; gives it."""
    answer = await inbox.post(request if isinstance(request, bytes) else json.dumps(request).encode())
    assert answer.status_code == 200, told
    value = answer.json()
    check_shape(value, told)
    return value


def check_shape(value: Json, told: object) -> None:
    assert set(value) == {"result", "error"}, told
    assert value["error"] is None or (isinstance(value["error"], str) and value["error"]), told
    assert "unexpected" not in str(value["error"]), (told, value["error"])


async def test_every_action_takes_whatever_comes(inbox: InboxClient) -> None:
    kept = await inbox.result("addNote", note=make_note(Expression="Zug", Sentence="Der Zug."))
    for action in (*inbox.service.inbox.actions, "multi", "unknown", "\x00"):
        if action == "deleteNotes":
            continue
        values = (*HOSTILE_VALUES, *(dict.fromkeys(NAMES, value) for value in HOSTILE_VALUES))
        requests = [{"action": action, "version": 6, "params": params} for params in values]
        if action != "multi":
            requests = [{"action": "multi", "version": 6, "params": {"actions": [*requests, {"action": action}]}}]
        for request in requests:
            answer = await check_answer(inbox, request, (action, str(request)[:300]))
            for within, params in zip(answer["result"] or (), values, strict=False):
                check_shape(within, (action, str(params)[:300]))
    versions: tuple[Json, ...] = ("6", None, [], {}, True, 1e999, -1, 10**300, 2.0)
    for version in versions:
        answer = await inbox.post({"action": "version", "version": version})
        assert answer.json() == 6
    assert kept in await inbox.result("findNotes", query="")


async def test_what_is_no_request_is_answered(inbox: InboxClient) -> None:
    banner = "AnkiConnect v.6"
    for method in ("GET", "PUT", "DELETE", "HEAD"):
        answer = await inbox.http.request(method, "/anything")
        assert answer.status_code == 200 and answer.text == ("" if method == "HEAD" else banner)
    assert (await inbox.post(b" \n")).text == banner
    none: tuple[bytes, ...] = (
        *(b"{", b"null", b"[]", b"5", b'"a"', b"{}", b'{"action": 5}', b'{"action": ""}', b"\xff\xfe", b"\x00"),
        *(b"[" * 200_000, b'{"a":' * 50_000, b"1" * 10_000, b"NaN", b'{"action": "version"'),
    )
    for body in none:
        value = await check_answer(inbox, body, body[:20])
        assert value["result"] is None and value["error"], body[:20]
    assert (await inbox.post(b'\xef\xbb\xbf{"action": "version", "version": 6}')).json()["result"] == 6


async def test_what_is_no_base64_is_refused_and_nothing_of_it_is_kept(inbox: InboxClient) -> None:
    wrong: tuple[Json, ...] = (
        "%",
        "ab",
        "a" * 5,
        "あ",
        "\ud800",
        base64_of(MP3)[:-1],
        5,
        [],
        {},
        True,
        base64_of(MP3) + "!",
    )
    for data in wrong:
        note = make_note(Sentence="Der Zug.", audio={"data": data, "filename": "a.mp3", "fields": ["Audio"]})
        for params in ({"action": "storeMediaFile", "params": {"filename": "a.mp3", "data": data}},):
            assert DECODED in str((await check_answer(inbox, {**params, "version": 6}))["error"]) or not isinstance(
                data, str
            )
        answer = await check_answer(inbox, {"action": "addNote", "version": 6, "params": {"note": note}}, data)
        assert answer["result"] is None and answer["error"]
    assert await inbox.clips() == []
    wrapped = base64_of(MP3)[:40] + "\r\n" + base64_of(MP3)[40:] + "\n"
    for data in (wrapped, f"data:audio/mpeg;base64,{base64_of(MP3)}"):
        assert await inbox.result("storeMediaFile", filename="a.mp3", data=data) == "a.mp3"


@pytest.mark.parametrize("is_chunked", [False, True])
async def test_more_than_a_request_may_have_is_refused_and_the_inbox_goes_on(
    inbox: InboxClient, is_chunked: bool
) -> None:
    piece = b"A" * 1_000_000
    count = bounds.INBOX_REQUEST.bytes_in // len(piece) + 30

    async def pieces() -> AsyncIterator[bytes]:
        yield b'{"action": "storeMediaFile", "params": {"filename": "a", "data": "'
        for _ in range(count):
            yield piece

    length = {} if is_chunked else {"Content-Length": str(count * len(piece) + 66)}
    try:
        answer = await inbox.http.post("/", content=pieces(), headers=length)
        assert "MB at most" in answer.json()["error"]
    except (httpx.WriteError, httpx.ReadError, httpx.RemoteProtocolError):
        pass  # it hung up in the middle of it
    assert await inbox.result("version") == 6


async def test_names_of_files_are_safe_and_what_is_kept_is_told(inbox: InboxClient) -> None:
    for given, name in (
        ("../../etc/passwd", "passwd"),
        (r"..\..\a.mp3", "a.mp3"),
        ("/tmp/.hidden.mp3", "hidden.mp3"),
        ("a\x00b\x1b[31m\n.mp3", "ab .mp3"),
        ('a[b]c"<>|?*:{}.mp3', "abc.mp3"),
        ("..", "media"),
        ("\u202egnp.exe", "gnp.exe"),
        ("Ü" * 200 + ".mp3", "Ü" * 58 + ".mp3"),
        ("", "media"),
    ):
        assert await inbox.result("storeMediaFile", filename=given, data=base64_of(name.encode())) == name, given


async def test_texts_of_clips_are_plain_and_fields_come_back_as_they_were_sent(inbox: InboxClient) -> None:
    sent = [
        *HOSTILE.values(),
        "<script>alert(1)</script><b onclick='x'>fett</b>",
        "<img src=x onerror=alert(1)>a",
        "\ufffd x",
    ]
    for text in sent:
        fields = {
            "Sentence": f"s {text}",
            "Word": text,
            "Definition": text,
            "Source": text,
            "Odd": text,
            "Translation": text,
        }
        number = await inbox.result("addNote", note=make_note("T", text, **fields, tags=[text]))
        (info,) = await inbox.result("notesInfo", notes=[number])
        assert {name: field["value"] for name, field in info["fields"].items()} == fields
    for clip in await inbox.clips():
        focus = clip.focus
        texts = [clip.sentence, clip.translation, clip.source, *clip.tags]
        texts += [focus.surface, focus.lemma or "", *focus.meanings] if focus is not None else []
        assert not set(FORBIDDEN) & set("".join(texts)), clip
        assert not any(sign in "".join(texts[:3]) for sign in ("<script", "alert(1)", "<b", "onerror", "[sound:")), clip
    note = b'{"fields": {"Sentence": "a \\ud83d\\ude00 \\ud83d b"}}'
    half = b'{"action": "addNote", "version": 6, "params": {"note": %s}}' % note
    number = (await check_answer(inbox, half))["result"]
    (info,) = await inbox.result("notesInfo", notes=[number])
    assert info["fields"]["Sentence"]["value"] == "a 😀 \ufffd b"


async def test_multi_is_bounded_in_depth_and_number(inbox: InboxClient) -> None:
    def nest(depth: int) -> Json:
        inner = {"action": "version", "version": 6}
        for _ in range(depth):
            inner = {"action": "multi", "version": 6, "params": {"actions": [inner]}}
        return inner

    assert (await check_answer(inbox, nest(3)))["result"]
    assert "within itself" in (await check_answer(inbox, nest(4)))["error"]
    assert "within itself" in (await check_answer(inbox, nest(150)))["error"]
    many = {"action": "multi", "version": 6, "params": {"actions": [{"action": "version"}] * 5_000}}
    assert "at most" in (await check_answer(inbox, many))["error"]
    wide = [{"action": "multi", "params": {"actions": [{"action": "version"}] * 99}}] * 99
    assert "at most" in (await inbox.call("multi", actions=wide))["error"]
    none: tuple[Json, ...] = (5, None, "version", [], {})
    for within in none:
        assert (await inbox.call("multi", actions=[within]))["error"]
    assert await inbox.result("multi", actions={}) == []
    named = [{"action": "version"}, {"action": "none"}, {"action": "addNote", "params": {"note": "5"}}]
    one, unsupported, refused = await inbox.result("multi", actions=named)
    assert (one, unsupported) == (6, {"result": None, "error": "unsupported action"})
    assert refused["result"] is None and refused["error"]


def searches() -> Iterator[str]:
    yield from (
        "(" * 60,
        "-" * 50_000,
        "-" * 4_000 + "a",
        "()" * 2_000,
        "a OR " * 4_000 + "b",
        '"' * 5_001,
        "\\" * 9_999,
    )
    yield from ("*a" * 400 + "b", f'"Sentence:{"*a" * 400}b"', f"tag:{'*a' * 400}b", f"w:{'*a' * 400}b", "_*" * 400)
    yield from (f"nid:{','.join(['1' * 13] * 7_000)}", "x" * 100_001, "added:" + "9" * 5_000, "nid:" + "9" * 5_000)
    yield from ("deck:" + "a::" * 300, "re:(a+)+$", ":", "a:", "-", "OR", "and and", ")", "(a", 'a"b c"d', "\\", '"\\')


async def test_searches_take_a_bounded_time(inbox: InboxClient) -> None:
    kept = await inbox.result("addNote", note=make_note("T", Sentence="a" * 15_000, tags=["a" * 90]))
    began = time.monotonic()
    for query in searches():
        for action in ("findNotes", "guiBrowse", "notesInfo"):
            value = await check_answer(inbox, {"action": action, "version": 6, "params": {"query": query}}, query[:40])
            assert isinstance(value["result"], list) or value["error"], query[:40]
    assert time.monotonic() - began < 60
    assert await inbox.result("findNotes", query="*a*a*a*") == [kept]
    assert await inbox.result("findNotes", query="--tag:a*") == [kept]


@pytest.mark.exhaustive
async def test_fields_take_a_bounded_time(inbox: InboxClient) -> None:
    began = time.monotonic()
    for each in SLOW:
        text = each * (20_000 // len(each))
        names = ("Sentence", "ExpressionFurigana", "SentenceFurigana", "Glossary", "Source", "Translation")
        note = make_note("T", Expression=text[:500], **dict.fromkeys(names, text))
        await check_answer(inbox, {"action": "addNote", "version": 6, "params": {"note": note}}, each)
        bold = make_note("T", Sentence=f"<b>{text}</b> x")
        await check_answer(inbox, {"action": "canAddNotes", "version": 6, "params": {"notes": [bold]}}, each)
    assert time.monotonic() - began < HANGS, "one of them took its square"
    big = make_note("T", Sentence="x" * 1_000_001)
    assert "at most" in (await inbox.call("addNote", note=big))["error"]
    assert (
        "at most" in (await inbox.call("addNote", note=make_note("T", **{f"f{at}": "x" for at in range(101)})))["error"]
    )


async def test_a_request_of_very_many_values_is_refused_before_they_are_made(inbox: InboxClient) -> None:
    many = b'{"action": "version", "version": 6, "params": {"x": [' + b"{}," * 400_000 + b"{}]}}"
    assert "values at most" in (await check_answer(inbox, many))["error"]


async def test_two_clients_add_at_once_and_nothing_is_lost(inbox: InboxClient) -> None:
    async def add(client: str) -> list[int]:
        return [await inbox.result("addNote", note=make_note(Sentence=f"{client} {at} fährt.")) for at in range(50)]

    one, other = await asyncio.gather(add("eins"), add("zwei"))
    assert one == sorted(one) and other == sorted(other)
    assert len({*one, *other}) == 100 and all(len(str(number)) == 13 for number in (*one, *other))
    assert await inbox.result("findNotes", query="added:1") == sorted((*one, *other))
    sentences = {clip.sentence for clip in await inbox.clips()}
    assert sentences == {f"{client} {at} fährt." for client in ("eins", "zwei") for at in range(50)}


async def test_two_clients_change_one_note_and_each_change_stays(inbox: InboxClient) -> None:
    number = await inbox.result("addNote", note=make_note("T", Sentence="Der Zug.", Expression="Zug"))
    changes = [
        inbox.result("updateNoteFields", note={"id": number, "fields": {f"Field {at}": str(at)}}) for at in range(20)
    ]
    tags = [inbox.result("addTags", notes=[number], tags=f"tag{at}") for at in range(20)]
    await asyncio.gather(*(each for pair in zip(changes, tags, strict=True) for each in pair))
    (info,) = await inbox.result("notesInfo", notes=[number])
    assert {f"Field {at}" for at in range(20)} <= set(info["fields"])
    assert set(info["tags"]) == {f"tag{at}" for at in range(20)}
