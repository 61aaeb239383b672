"""Addresses, tokens and profiles of a server: what is none is refused with an example."""

from __future__ import annotations

import pytest

from tui.errors import InvalidInput
from tui.remote.service import RemoteService

pytestmark = pytest.mark.exhaustive


@pytest.mark.parametrize("token", ["ein token", "schlüssel", "a\nb", "a\x1b[0m", "\ud800"])
def test_a_token_that_no_header_can_carry_is_refused(token: str) -> None:
    with pytest.raises(InvalidInput, match="ASCII"):
        RemoteService("http://127.0.0.1:1", token=token)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "127.0.0.1:8765",
        "localhost",
        "ftp://host",
        "http://",
        "http://:80",
        "http://host:0",
        "http://host:99999",
        "http://host:port",
        "http://[::1",
        "http://host/?q=1",
        "http://host/#top",
        "http://ho st/",
        "http://host\x1b[31m/",
        "http://user:secret@host/",
        "http://token@host/",
        "file:///etc/passwd",
    ],
)
def test_what_is_no_address_is_refused_with_an_example(url: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        RemoteService(url)
    assert caught.value.code == "invalid_url"
    assert caught.value.hint
    assert "secret" not in caught.value.message
    assert "\x1b" not in caught.value.message


@pytest.mark.parametrize(
    ("url", "location"),
    [
        ("http://127.0.0.1:8765", "127.0.0.1:8765"),
        (" http://Host.example:80/ ", "host.example:80"),
        ("https://host.example/lode/", "host.example"),
        ("http://[::1]:8765", "[::1]:8765"),
    ],
)
def test_an_address_is_shown_as_host_and_port(url: str, location: str) -> None:
    assert RemoteService(url).location == location


@pytest.mark.parametrize("profile", ["", "../x", "a b", "x" * 65, "é"])
def test_what_is_no_profile_is_refused(profile: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        RemoteService("http://127.0.0.1:1", profile)
    assert caught.value.code == "invalid_profile"
