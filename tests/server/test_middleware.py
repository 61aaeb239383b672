"""Who may ask: by which name, from which page, with which token; and how much at once."""

from __future__ import annotations

import hmac
import logging
from collections.abc import AsyncIterator

import httpx
import pytest

from tests.server.conftest import ASK, SENTENCE, assert_refused, clip
from tests.server.raw import exchange, read, request
from tests.server.serving import Served, serving
from tui.config import Settings
from tui.errors import InvalidInput
from tui.server import middleware
from tui.server.options import ServerOptions
from tui.server.running import application, check, server
from tui.service.engine import Engine

pytestmark = pytest.mark.exhaustive

TOKEN = "correct horse bättery staple"
PAGE = "https://cards.example"
PATHS = (
    *("/profiles", "/profiles/clips", "/profiles/files", "/profiles/history", "/profiles/deck_export", "/backup"),
    *("/llm/providers", "/doctor", "/profiles/jobs", "/nowhere"),
)


@pytest.fixture
async def locked(with_model: Settings) -> AsyncIterator[httpx.AsyncClient]:
    """A server with a token and one named origin."""
    async with (
        serving(with_model, ServerOptions(port=0, token=TOKEN, origins=(PAGE,))) as served,
        httpx.AsyncClient(base_url=served.url, trust_env=False) as client,
    ):
        yield client


def bearer(token: str = TOKEN, scheme: str = "Bearer") -> dict[bytes, bytes]:
    return {b"Authorization": f"{scheme} {token}".encode()}


# Names (DNS rebinding)


OTHER_NAMES = (
    *("evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "[", "", "0.0.0.0", "evil:127.0.0.1"),
    *("[::1].evil.example", "[::1]evil", "[::1]:80.evil.example", "[127.0.0.1]", "[::1%25lo]", "::1"),
    *("evil@127.0.0.1", "127.0.0.1@evil.example", "127.0.0.1:x", "127.0.0.1:99999", "127.0.0.1:80:80"),
    *("127.0.0.1/evil", "127.0.0.1#x", "127.0.0.1?x", "127.0.0.1,evil.example", "localhost.", "127.0.0.1 evil"),
)


async def test_a_loopback_server_answers_to_its_own_names_alone(served: Served, client: httpx.AsyncClient) -> None:
    for host in ("127.0.0.1", "localhost", "LOCALHOST:8765", "[::1]:80", "127.8.9.1"):
        assert (await client.get("/profiles/clips", headers={"Host": host})).status_code == 200
    for host in OTHER_NAMES:
        refused = read(await exchange(served.options.port, request("GET", "/profiles/clips", Host=host)))
        assert_refused(refused, 403, "forbidden_host")
    for path in (*PATHS, "/health", "/openapi.json", "/docs"):
        refused = read(await exchange(served.options.port, request("GET", path, Host=OTHER_NAMES[0])))
        assert_refused(refused, 403, "forbidden_host")


async def test_what_decides_something_stands_there_once(served: Served) -> None:
    for header in (
        *("Host: 127.0.0.1", "Host: evil.example", "Origin: https://evil.example", "X-Profile-ID: b"),
        "Idempotency-Key: b",
    ):
        own = "" if header.startswith("Host") else f"{header.partition(':')[0]}: {served.url}\r\n"
        head = request("GET", "/profiles/clips").removesuffix(b"\r\n") + f"{own}{header}\r\n\r\n".encode()
        error = assert_refused(read(await exchange(served.options.port, head)), 400, "bad_request")
        assert "twice" in error["message"]


async def test_a_target_names_no_other_host_than_the_header(served: Served) -> None:
    for target in (
        *("http://evil.example/health", "HTTPS://evil.example/health", "http://evil.example", "ftp://127.0.0.1/health"),
        *("http://127.0.0.1@evil.example/health", "http://127.0.0.1:1/health", "http:///health", "evil.example:80"),
    ):
        assert_refused(read(await exchange(served.options.port, request("GET", target))), 400, "bad_request")
    own = f"LocalHost:{served.options.port}"
    answer = await exchange(served.options.port, request("GET", f"http://{own.lower()}/health", Host=own))
    assert read(answer).status_code == 200


FRAMINGS = (
    *(b"Content-Length: 17\r\nContent-Length: 17", b"Content-Length: 17\r\nContent-Length: 18"),
    *(b"Content-Length: 17\r\nTransfer-Encoding: chunked", b"Transfer-Encoding: chunked\r\nContent-Length: 17"),
    *(b"Transfer-Encoding: gzip, chunked", b"Transfer-Encoding: xchunked", b"Content-Length: +17"),
)


async def test_a_body_whose_length_can_be_read_twice_is_refused(served: Served, client: httpx.AsyncClient) -> None:
    for framing in FRAMINGS:
        head = request("POST", "/profiles/clips").removesuffix(b"\r\n") + framing + b"\r\n\r\n"
        answer = await exchange(served.options.port, head, b'11\r\n{"sentence": "x"}\r\n0\r\n\r\n')
        assert_refused(read(answer), 400, "bad_request")
    assert (await client.get("/profiles/clips")).json() == []


async def test_what_stands_behind_a_body_is_no_header_of_the_request(served: Served, client: httpx.AsyncClient) -> None:
    head = request("POST", "/profiles/clips", Transfer_Encoding="chunked")
    body = b'11\r\n{"sentence": "x"}\r\n0\r\nX-Profile-ID: other\r\nHost: evil.example\r\n\r\n'
    assert read(await exchange(served.options.port, head + body)).status_code == 201
    assert len((await client.get("/profiles/clips")).json()) == 1


# Pages of other origins


async def test_a_page_of_another_origin_may_not_ask_and_its_own_may(served: Served, client: httpx.AsyncClient) -> None:
    for origin in ("http://[", "https://evil.example", "null", "http://127.0.0.1:1", "http://localhost:3000", ""):
        named = {"Origin": origin}
        for method, path in (("GET", "/profiles/clips"), ("GET", "/backup"), ("POST", "/profiles/clips")):
            body = {"sentence": SENTENCE} if method == "POST" else None
            refused = await client.request(method, path, json=body, headers=named)
            assert_refused(refused, 403, "forbidden_origin")
            assert not any(name.startswith("access-control") for name in refused.headers)
    preflight = {"Origin": PAGE, "Access-Control-Request-Method": "GET"}
    refused = await client.options("/profiles/clips", headers=preflight)
    assert_refused(refused, 403, "forbidden_origin")
    assert not any(name.startswith("access-control") for name in refused.headers)
    for site in ("cross-site", "same-site"):  # an image or a link in another page
        for path in PATHS:
            assert_refused(await client.get(path, headers={"Sec-Fetch-Site": site}), 403, "forbidden_origin")
        assert (await client.get("/docs", headers={"Sec-Fetch-Site": site})).status_code == 200
    for headers in ({"Origin": served.url}, {"Sec-Fetch-Site": "none"}, {"Sec-Fetch-Site": "same-origin"}):
        listed = await client.get("/profiles/clips", headers=headers)
        assert (listed.status_code, listed.json()) == (200, [])


async def test_a_named_origin_may_ask_with_the_token_and_its_preflight_without(locked: httpx.AsyncClient) -> None:
    preflight = await locked.options(
        "/profiles/clips",
        headers={
            "Origin": PAGE,
            "Access-Control-Request-Method": "PUT",
            "Access-Control-Request-Headers": "authorization,x-profile-id,idempotency-key",
        },
    )
    assert preflight.status_code == 200
    assert preflight.headers["access-control-allow-origin"] == PAGE
    assert "PUT" in preflight.headers["access-control-allow-methods"]
    assert "authorization" in preflight.headers["access-control-allow-headers"]
    assert "access-control-allow-credentials" not in preflight.headers
    page = {b"Origin": PAGE.encode()}
    answer = await locked.get("/profiles/clips", headers=page | bearer())
    assert answer.headers["access-control-allow-origin"] == PAGE
    assert "Link" in answer.headers["access-control-expose-headers"]
    refused = await locked.get("/profiles/clips", headers=page)
    assert_refused(refused, 401, "unauthorized")
    assert refused.headers["access-control-allow-origin"] == PAGE  # the page may read why


async def test_an_origin_that_was_not_named_is_refused_beside_one_that_was(locked: httpx.AsyncClient) -> None:
    for origin in ("https://evil.example", f"{PAGE}.evil.example", PAGE.replace("https", "http"), "null"):
        preflight = {"Origin": origin, "Access-Control-Request-Method": "GET"}
        assert_refused(await locked.options("/profiles/clips", headers=preflight), 403, "forbidden_origin")
        asked = await locked.get("/profiles/clips", headers={b"Origin": origin.encode()} | bearer())
        assert_refused(asked, 403, "forbidden_origin")
        assert asked.headers.get("access-control-allow-origin") is None


# Tokens


async def test_nothing_is_told_without_the_token_and_everything_with_it(locked: httpx.AsyncClient) -> None:
    wrong: tuple[dict[bytes, bytes], ...] = (
        *({}, bearer("x"), bearer(TOKEN + "x"), bearer(TOKEN[:-1]), bearer(scheme="Basic")),
        *({b"Authorization": TOKEN.encode()}, {b"Authorization": b"Bearer \xff\xfe"}, {b"Authorization": b"Bearer"}),
    )
    for headers, path in (*((each, PATHS[0]) for each in wrong), *(({}, path) for path in PATHS)):
        refused = await locked.get(path, headers=headers)
        assert_refused(refused, 401, "unauthorized")
        assert refused.headers["www-authenticate"] == "Bearer"
        assert TOKEN not in refused.text
    assert_refused(await locked.post("/llm/breakdown", json=ASK), 401, "unauthorized")
    for path in ("/health", "/docs", "/openapi.json"):
        assert (await locked.get(path)).status_code == 200
    assert_refused(await locked.get("/health/../profiles/clips"), 401, "unauthorized")
    for scheme in ("Bearer", "bearer", "BEARER"):
        assert (await locked.get("/profiles/clips", headers=bearer(scheme=scheme))).status_code == 200


async def test_tokens_are_compared_in_constant_time(locked: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[tuple[bytes, bytes]] = []

    def compare(given: bytes, wanted: bytes) -> bool:
        compared.append((given, wanted))
        return hmac.compare_digest(given, wanted)

    monkeypatch.setattr(middleware, "compare_digest", compare)
    await locked.get("/profiles/clips", headers=bearer("wrong"))
    await locked.get("/profiles/clips", headers=bearer())
    assert compared == [(b"wrong", TOKEN.encode()), (TOKEN.encode(), TOKEN.encode())]


def test_any_address_but_a_loopback_one_needs_a_token_which_no_text_of_the_options_has(settings: Settings) -> None:
    for host in ("0.0.0.0", "::", "192.168.1.5", "lode.example", ""):
        with pytest.raises(InvalidInput) as refused:
            server(Engine(settings), ServerOptions(host=host))
        assert refused.value.code == "token_missing"
        assert "--token-file" in refused.value.hint
        assert "LODE_TOKEN" in refused.value.hint
        check(ServerOptions(host=host, token="x"))
    for host in ("127.0.0.1", "localhost", "::1", "127.3.2.1"):
        check(ServerOptions(host=host))
    assert TOKEN not in repr(ServerOptions(token=TOKEN))


async def test_with_a_token_on_another_address_any_name_will_do(with_model: Settings) -> None:
    app = application(Engine(with_model, environ={}), ServerOptions(host="0.0.0.0", token=TOKEN))
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://lode.home:8765") as client:
        assert (await client.get("/profiles", headers=bearer())).status_code == 200
        assert_refused(await client.get("/profiles"), 401, "unauthorized")
    await app.state.engine.close()


async def test_faults_are_logged_with_their_place_and_without_anything_that_was_said(
    with_model: Settings, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    from tui.service.clips import LocalClips

    async def broken(*_: object, **__: object) -> None:
        raise RuntimeError(SENTENCE + TOKEN)

    monkeypatch.setattr(LocalClips, "add", broken)
    caplog.set_level(logging.DEBUG)
    async with (
        serving(with_model, ServerOptions(port=0, token=TOKEN)) as served,
        httpx.AsyncClient(base_url=served.url, trust_env=False) as client,
    ):
        failed = await client.post("/profiles/clips", json={"sentence": SENTENCE}, headers=bearer())
        assert (await client.get("/profiles/clips%0a%1b[31mx", headers=bearer())).status_code == 404
    assert_refused(failed, 500, "server_error")
    assert failed.headers["x-lode-interface"] == "1"
    ours = [entry for entry in caplog.records if entry.name.startswith(("lode", "uvicorn"))]
    (fault,) = (entry for entry in ours if entry.levelno >= logging.WARNING)
    assert "POST /profiles/clips failed with RuntimeError" in fault.getMessage()
    assert "broken" in fault.getMessage()
    for entry in caplog.records:
        for secret in (TOKEN, SENTENCE):
            assert secret not in entry.getMessage()
            assert secret not in str(entry.exc_info)


async def test_success_is_silent(served: Served, client: httpx.AsyncClient, capfd: pytest.CaptureFixture[str]) -> None:
    await clip(client)
    await client.get("/profiles/clips/zzz")
    await client.post("/profiles/clips", content=b"{")
    await exchange(served.options.port, b"hello\r\n\r\n")
    await client.get("/health", headers={"Connection": "Upgrade", "Upgrade": "websocket"})
    assert capfd.readouterr() == ("", "")
