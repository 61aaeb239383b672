"""TOML texts: where keys stand, and texts in which one value is another and all else as it was."""

from __future__ import annotations

import tomllib
from itertools import product

import pytest

from tui.text.toml_lines import Value, find_line, list_statements, set_value

TEXT = '''# mine
profile = "default"   # who
theme = "a#b" # look

# keys
[keys]
"list.filter" = "f3,/"  # f
section.files = "F"
"a = b" = """
x = 1
[speech]
""" # several lines

# at home
[providers.local]
base_url = "http://x"

[speech]
'''


def test_a_key_is_found_where_it_stands() -> None:
    for path, line in (
        (("profile",), 2),
        (("keys", "list.filter"), 7),
        (("keys", "section", "files"), 8),
        (("keys", "a = b"), 9),
        (("speech",), 18),
        (("providers", "local", "base_url"), 16),
        (("providers", "local", "there is none"), 15),
        (("nothing",), None),
    ):
        assert find_line(TEXT, path) == line, path
    assert find_line("providers = { local = { base_url = 'x' } }", ("providers", "local", "base_url")) == 1
    assert [each.path for each in list_statements("[[a.b]]\nc = 1")] == [("a", "b"), ("a", "b", "c")]


def test_a_value_is_another_and_all_other_lines_are_as_they_were() -> None:
    for path, value, old, new in (
        (("profile",), "anna", 'profile = "default"   # who\n', 'profile = "anna"   # who\n'),
        (("theme",), 'a"b\\\x7f', 'theme = "a#b" # look\n', 'theme = "a\\"b\\\\\\u007f" # look\n'),
        (("theme",), None, 'theme = "a#b" # look\n', ""),
        (("keys", "section", "files"), "G", 'section.files = "F"\n', 'section.files = "G"\n'),
        (("keys", "a = b"), "k", '"""\nx = 1\n[speech]\n""" # several', '"k" # several'),
        (("keys", "quit"), "Q", "lines\n\n", 'lines\nquit = "Q"\n\n'),
        (("mouse",), False, "look\n\n", "look\nmouse = false\n\n"),
        (("providers", "local", "timeout"), 1.5, '"http://x"\n', '"http://x"\ntimeout = 1.5\n'),
        (("speech", "with"), "piper", "\n[speech]\n", '\n[speech]\nwith = "piper"\n'),
        (("speech", "pt-BR", "voice"), "x", "\n[speech]\n", '\n[speech]\n\n[speech.pt-BR]\nvoice = "x"\n'),
        (("mouse",), None, "", ""),
    ):
        head, found, tail = TEXT.rpartition(old) if old else (TEXT, "", "")
        assert found == old
        for text, ending in ((TEXT, "\n"), (TEXT.replace("\n", "\r\n"), "\r\n")):
            assert set_value(text, path, value) == (head + new + tail).replace("\n", ending), path


def test_the_first_key_of_a_text_comes_before_its_tables() -> None:
    assert set_value("", ("mouse",), True) == "mouse = true\n"
    assert set_value("# Mine.\n", ("mouse",), True) == "# Mine.\nmouse = true\n"
    assert set_value("# keys\n[keys]\n", ("mouse",), True) == "mouse = true\n\n# keys\n[keys]\n"
    assert set_value("", ("keys", "list.filter"), "f3") == '[keys]\n"list.filter" = "f3"\n'


def test_what_stands_where_it_cannot_be_changed_is_refused() -> None:
    for text in ('providers = { local = { base_url = "x" } }', 'providers.local.base_url = "x"', "providers = 3"):
        with pytest.raises(ValueError, match=r"."):
            set_value(text, ("providers", "local", "timeout"), 3)


def test_what_is_read_back_is_what_was_set_whatever_it_is() -> None:
    texts = ("", TEXT, "\n\n", "# only a comment", 'keys."list.filter" = "x"\n')
    values: tuple[Value, ...] = ("", "#", '"""', "'", "\\", "é駅\t", "a\nb", True, 60, 0.5)
    for text, value in product(texts, values):
        found = tomllib.loads(set_value(text, ("theme",), value))
        assert found == tomllib.loads(text) | {"theme": value}
