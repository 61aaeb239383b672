"""Guides and README: what they name exists, and nothing of them is lost on the way to those who read them."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest
from rich.cells import cell_len
from textual.keys import format_key

from tui import config
from tui.app import LodeApp
from tui.cli.root import Group, lode
from tui.guides import KEYS_LINE, lay_out, list_guides, read_guide, write_keys
from tui.provider_table import PROVIDERS
from tui.screens.shell.keymap import key_problems, key_scopes
from tui.widgets.chrome.key_line import declared_bindings

ROOT = Path(__file__).resolve().parents[2]
GUIDES = ROOT / "tui" / "guides"
PAGES = (ROOT / "README.md", ROOT / "BENCHMARKS.md", *sorted(GUIDES.glob("*.md")))
_CODE = re.compile(r"^```\w*\n(.*?)^```", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_KEY = re.compile(r"\*\*`([^`]+)`\*\*")
_ALSO_KEYS = {"n", "N", "F5", "down", "1", "2", "3"}
"""Keys of a find, of pickers and of the choice of an encoding, which stand in no scope of the settings."""


def prose(page: Path) -> str:
    return _CODE.sub("", page.read_text("utf-8"))


# Commands


def commands_in(page: Path) -> set[str]:
    """What is typed after ``lode`` in blocks of code, and the commands in the text that name one with its arguments."""
    text = page.read_text("utf-8")
    lines = [line for block in _CODE.findall(text) for line in block.splitlines()]
    lines += re.findall(r"`([^`\n]*\blode [^`\n]*)`", prose(page))
    found = set()
    for line in lines:
        typed = re.split(r" {2,}#| # ", line)[0].replace(" > ", "|").replace(" < ", "|").replace("&&", "|")
        found |= {each[1].strip() for part in typed.split("|") if (each := re.search(r"(?:^|[\s/])lode (\S.*)", part))}
    return found


def check(typed: str) -> None:
    """Find the command that is meant and parse its arguments as it would; raises ``click.UsageError``."""
    command: click.Command = lode
    context = click.Context(lode, info_name="lode")
    args = shlex.split(typed)
    while isinstance(command, Group):
        _, args, _ = command.make_parser(context).parse_args(list(args))
        if not args:
            return
        _, found, args = command.resolve_command(context, args)
        assert found is not None
        command, context = found, click.Context(found, parent=context)
    options, _, order = command.make_parser(context).parse_args(list(args))
    for param in order:
        if isinstance(param, click.Option) and isinstance(param.type, click.Choice):
            param.type_cast_value(context, options[param.name or ""])


def test_every_command_exists_with_its_options() -> None:
    found = {page.name: commands_in(page) for page in PAGES}
    for name, typed in ((name, typed) for name, several in found.items() for typed in several):
        if not typed.isupper() and not typed.startswith("COMMAND"):
            try:
                check(typed)
            except click.UsageError as error:
                pytest.fail(f"{name}: lode {typed}: {error.format_message()}")
    every = set().union(*found.values())
    assert len(every) > 100
    for part in (
        "add - --name Titel.de.txt",
        "breakdown - --focus fährt --language de",
        "serve --token-file %h/.lode-token",
    ):
        assert any(shlex.split(typed) == shlex.split(part) for typed in every), part


def test_every_option_in_the_text_is_one_of_some_command() -> None:
    def options(command: click.Command) -> set[str]:
        own = {name for param in command.params for name in param.opts}
        if not isinstance(command, Group):
            return own
        context = click.Context(command)
        below = (command.get_command(context, name) for name in command.list_commands(context))
        return own.union(*(options(each) for each in below if each is not None))

    known = options(lode)
    for page in PAGES:
        named = set(re.findall(r"`(--[a-z-]+)", prose(page)))
        assert named <= known, f"{page.name}: {named - known}"


def test_the_settings_of_the_guides_are_taken(tmp_path: Path) -> None:
    for topic, named in (("configuration", "local"), ("voices", ""), ("keys", "")):
        (tmp_path / "config.toml").write_text("\n".join(re.findall(r"```toml\n(.*?)```", read_guide(topic), re.DOTALL)))
        settings = config.load(tmp_path)
        assert named in ("", *(provider.name for provider in settings.providers))
        assert key_problems(settings.keys, LodeApp) == ()


def test_code_fits_into_eighty_columns() -> None:
    for page in (page for page in PAGES if page.stem != "http"):  # a request is a line
        for block in _CODE.findall(page.read_text("utf-8")):
            assert max(map(cell_len, block.splitlines())) <= 76, page.name


# Keys


def test_every_key_is_one_of_the_keymap_and_the_guide_about_keys_has_every_binding() -> None:
    bindings = [b for scope in key_scopes() for node in (*scope.nodes, LodeApp) for b in declared_bindings(node)]
    known = {name for b in bindings for name in (b.key, format_key(b.key), b.key.upper())} | _ALSO_KEYS
    for page in PAGES:
        assert set(_KEY.findall(page.read_text("utf-8"))) <= known, page.name
    assert read_guide("keys").splitlines()[-1] == KEYS_LINE
    written = write_keys(LodeApp, {"reader.clip": "f5"})
    assert {b.id for b in bindings if b.id and f"| {b.id} |" not in written} == set()
    assert "| `f5` | save a clip straight away | reader.clip |" in written
    assert "| `j` `↓` | down | table.down |" in written
    assert "| `\\|` | ask a second model the same, beside this one | breakdown.second |" in written


# Links, topics, pictures


def anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.*)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_link_leads_somewhere() -> None:
    for page, link in ((each, link) for each in PAGES for link in _LINK.findall(prose(each))):
        path, _, anchor = link.partition("#")
        if not path.startswith("https://"):
            target = page.parent / path if path else page
            assert target.is_file(), f"{page.name}: {link}"
            assert not anchor or anchor in anchors(target), f"{page.name}: {link}"


def test_the_readme_is_short_and_leads_to_every_guide() -> None:
    readme = PAGES[0].read_text("utf-8")
    assert len(readme.splitlines()) <= 160
    assert {guide.topic for guide in list_guides()} == set(re.findall(r"\(tui/guides/([\w-]+)\.md\)", readme))


def test_every_guide_says_in_a_line_what_it_is_about() -> None:
    assert {guide.topic for guide in list_guides()} == {path.stem for path in GUIDES.glob("*.md")}
    for guide in list_guides():
        lines = read_guide(guide.topic).splitlines()
        assert lines[:4] == [f"# {guide.title}", "", guide.summary, ""]
        assert guide.summary.endswith(".")
        assert len(guide.summary) <= 60, "the list has to fit into 80 columns"


def test_every_provider_stands_in_the_guide_about_models() -> None:
    text = read_guide("models")
    assert all(f"`{row.name}`" in text for row in PROVIDERS)
    assert all(name in text for row in PROVIDERS[:4] for name in (*row.key_envs, row.base_url_env))


def test_laid_out_for_a_terminal_no_line_is_wider_than_that() -> None:
    for width, guide in ((width, guide) for width in (40, 80) for guide in list_guides()):
        text = click.unstyle(lay_out(read_guide(guide.topic), width))
        assert max(map(cell_len, text.splitlines())) <= width
        assert "**" not in text
        assert text.startswith(f"{guide.title[:width].split()[0]}")
