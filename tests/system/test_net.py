"""What is this machine, what is near it, and what a proxy stands before."""

from __future__ import annotations

import pytest

from tui.system.net import in_own_network, is_behind_proxy, is_loopback, is_this_machine


def test_what_is_not_public_is_near() -> None:
    for host in (
        *("localhost", "127.0.0.1", "[::1]", "0.0.0.0", "192.168.1.20", "10.0.0.7", "172.16.0.1", "169.254.1.1"),
        *("[fe80::1]", "[fd00::5]", "100.100.1.2", "gpu-box", "gpu-box.local", "nas.lan", "host.docker.internal"),
    ):
        assert in_own_network(f"http://{host}:11434/v1"), host
    for url in (
        *("https://api.openai.com/v1", "http://8.8.8.8/v1", "http://[2606:4700::1111]/"),
        *("http://gpu.example.org:1", "x", ""),
    ):
        assert not in_own_network(url), url


def test_this_machine_is_told_from_others_and_what_asks_it_is_not_always_hidden_from_them() -> None:
    for host in ("localhost", "LOCALHOST", "127.0.0.1", "127.8.9.1", "[::1]"):
        assert is_loopback(host) and is_this_machine(f"http://{host}:1/v1"), host
    assert is_loopback("::1")
    for host in ("0.0.0.0", "[::]", "gpu.localhost"):
        assert is_this_machine(f"http://{host}:1") and not is_loopback(host), host
    for url in ("http://gpu-box", "http://8.8.8.8", "http://localhost.example", "http://[", ""):
        assert not is_this_machine(url), url


def test_behind_a_proxy_a_near_host_is_not_asked_directly(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("http_proxy", "http://proxy.example:3128")
    assert is_behind_proxy("http://gpu-box:8000/v1")
    assert not is_behind_proxy("http://127.0.0.1:8000/v1")
    monkeypatch.setenv("no_proxy", "gpu-box")
    assert not is_behind_proxy("http://gpu-box:8000/v1")
