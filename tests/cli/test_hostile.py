"""Texts that try to break things: people never get a control character, programs get every text back exactly."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Done, Lode
from tests.hostile import FORBIDDEN, HOSTILE
from tui.records.clips import FocusWord, NewClip
from tui.service.local import LocalService
from tui.text.sanitize import without_controls

pytestmark = pytest.mark.exhaustive

InService = Callable[[Callable[[LocalService], Any]], Any]


def check_clean(done: Done) -> None:
    assert done.code == 0, done.err
    assert not set(FORBIDDEN) & set(done.out)


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_clip(lode: Lode, in_service: InService, text: str) -> None:
    focus = FocusWord(surface=text[:200], lemma=text, grammar=text, meanings=(text, text))
    new = NewClip(sentence=text, context=text, focus=focus, explanation=text, model=text, tags=("a",), source=text)
    clip = in_service(lambda service: service.clips.add(new))
    for terminal in (False, True):
        check_clean(lode("clips", "list", terminal=terminal))
        check_clean(lode("clips", "show", clip.id, terminal=terminal))
        (listed,) = lode("clips", "list", "--json", terminal=terminal).json()
        shown = lode("clips", "show", clip.id, "--json", terminal=terminal)
        assert not set(FORBIDDEN) & set(shown.out)
        for found in (listed, shown.json()):
            assert (found["sentence"], found["explanation"]) == (clip.sentence, clip.explanation)
            assert found["focus"]["meanings"] == list(clip.focus.meanings)
    assert len(lode("clips", "list").out.splitlines()) == 1


@pytest.mark.parametrize("text", [text for text in HOSTILE.values() if set(FORBIDDEN) & set(text)])
def test_a_hostile_sentence_is_asked_about_and_kept(lode: Lode, text: str) -> None:
    word = max(text.split(), key=lambda each: len(without_controls(each)))[:50]
    done = lode("breakdown", "-", "--focus", word, "--json", "--save", stdin=text)
    assert done.code == 0, done.err
    assert not set(FORBIDDEN) & set(done.out)
    clip = lode("clips", "show", done.events()[-1]["clip_id"], "--json").json()
    assert clip["sentence"] == text.strip()
    check_clean(lode("history", "list", terminal=True))
    check_clean(lode("history", "show", done.events()[-1]["answer_id"], terminal=True))


def test_all_hostile_texts_at_once_in_every_place_of_a_question(lode: Lode) -> None:
    text = " ".join(text for text in HOSTILE.values() if len(text) < 1000)
    for terminal in (False, True):
        check_clean(lode("breakdown", "-", "--focus", "music", "--context", text, stdin=text, terminal=terminal))
        check_clean(lode("explain", "-", "--context", text, stdin=text, terminal=terminal))
        check_clean(lode("preview", "--sentence", "-", "--focus", text, stdin=text, terminal=terminal))


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_text_in_an_error(lode: Lode, text: str) -> None:
    for args in (["clips", "show", text], [text], ["models", text], ["clips", "list", "--limit", text]):
        done = lode(*args)
        assert done.code in (1, 2)
        assert done.out == ""
        assert not set(FORBIDDEN) & set(done.err)
        assert len(done.err) < 8000


@pytest.mark.parametrize("command", ["files", "transcripts", "clips", "jobs", "history", "words"])
def test_a_search_of_a_thousand_words_is_refused_and_the_library_is_not_called_damaged(
    lode: Lode, story: Path, command: str
) -> None:
    assert lode("add", str(story)).code == 0
    done = lode(command, "list", "--search", " ".join(f"wort{number}" for number in range(1000)))
    assert (done.code, done.out) == (1, "")
    assert done.err.splitlines()[0].endswith("the search is too long: it can have 1000 characters")
    assert done.err.count("\nhint: ") == 1
