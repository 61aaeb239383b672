"""``lode keys``: as text, JSON and Markdown, those of the settings, and what clashes among them."""

from __future__ import annotations

from pathlib import Path

from rich.cells import cell_len

from tests.cli.conftest import Lode, columns
from tui.app import LodeApp
from tui.guides import write_keys


def test_keys_are_written_as_text_json_and_markdown(lode: Lode) -> None:
    rows = columns(lode("keys"))
    assert ["Everywhere", "? f1", "this list", "keys"] in rows
    found = lode("keys", "--json").json()
    assert found["problems"] == []
    assert [[each["place"], " ".join(each["keys"]), each["does"], each["id"]] for each in found["keys"]] == rows
    assert lode("keys", "--format", "json").json() == found
    assert lode("keys", "--format", "markdown").out == write_keys(LodeApp, {}) + "\n"
    shown = lode("keys", terminal=True).out.splitlines()
    assert shown[0] == "Everywhere"
    assert max(map(cell_len, shown)) <= 80


def test_keys_of_the_settings_take_the_place_of_others_and_clashes_are_named(lode: Lode, home: Path) -> None:
    (home / "config.toml").write_text('[keys]\n"reader.clip" = "f5"\n"list.filter" = "d"\n', "utf-8")
    done = lode("keys", "--json")
    assert [each["keys"] for each in done.json()["keys"] if each["id"] == "reader.clip"] == [["f5"]]
    clash, *_ = done.json()["problems"]
    assert clash.startswith("[keys] d is both list.delete and list.filter")
    assert f"warning: {clash}\n" in done.err
    assert done.err.endswith("hint: lode config check says in which line\n")
