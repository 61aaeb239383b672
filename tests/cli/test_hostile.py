"""Texts that try to break things: people never get a control character, programs get every text back exactly."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Done, Lode
from tests.hostile import FORBIDDEN, HOSTILE, WORST
from tui.records.clips import Clip, FocusWord, NewClip
from tui.store import Store
from tui.text.sanitize import without_controls

pytestmark = pytest.mark.exhaustive


def check_clean(done: Done) -> None:
    assert done.code == 0, done.err
    assert not set(FORBIDDEN) & set(done.out)


def test_hostile_clips(lode: Lode, store: Store) -> None:
    clips: dict[str, Clip] = {}
    for text in HOSTILE.values():
        focus = FocusWord(surface=text[:200], lemma=text, grammar=text, meanings=(text, text))
        new = NewClip(text, context=text, focus=focus, explanation=text, model=text, tags=("a",), source=text)
        clip = store.clips.add("default", new)
        clips[clip.id] = clip
    check_clean(lode("clips", "list", terminal=True))
    piped = lode("clips", "list")
    check_clean(piped)
    assert len(piped.out.splitlines()) == len(clips)
    listed = lode("clips", "list", "--json", terminal=True).json()
    for clip in clips.values():
        check_clean(lode("clips", "show", clip.id, terminal=True))
        shown = lode("clips", "show", clip.id, "--json")
        check_clean(shown)
        for found in (shown.json(), *(each for each in listed if each["id"] == clip.id)):
            assert (found["sentence"], found["explanation"]) == (clip.sentence, clip.explanation)
            assert found["focus"]["meanings"] == list(clip.focus.meanings if clip.focus else ())


def test_hostile_sentences_are_asked_about_and_kept(lode: Lode) -> None:
    for text in (text for text in HOSTILE.values() if set(FORBIDDEN) & set(text)):
        word = max(text.split(), key=lambda each: len(without_controls(each)))[:50]
        done = lode("breakdown", "-", "--focus", word, "--json", "--save", stdin=text)
        check_clean(done)
        clip = lode("clips", "show", done.events()[-1]["clip_id"], "--json").json()
        assert clip["sentence"] == text.strip()
        check_clean(lode("history", "show", done.events()[-1]["answer_id"], terminal=True))
    check_clean(lode("history", "list", terminal=True))


def test_all_hostile_texts_at_once_in_every_place_of_a_question(lode: Lode) -> None:
    text = " ".join(text for text in HOSTILE.values() if len(text) < 1000)
    for terminal in (False, True):
        check_clean(lode("breakdown", "-", "--focus", "music", "--context", text, stdin=text, terminal=terminal))
        check_clean(lode("explain", "-", "--context", text, stdin=text, terminal=terminal))
        check_clean(lode("preview", "--sentence", "-", "--focus", text, stdin=text, terminal=terminal))


def test_a_hostile_text_in_an_error(lode: Lode) -> None:
    asked = [args for text in HOSTILE.values() for args in (["clips", "show", text], [text])]
    asked += [[*args, text] for text in WORST.values() for args in (("models",), ("clips", "list", "--limit"))]
    for args in asked:
        done = lode(*args)
        assert done.code in (1, 2), args
        assert done.out == ""
        assert not set(FORBIDDEN) & set(done.err), args
        assert len(done.err) < 8000


def test_a_search_of_a_thousand_words_is_refused_and_the_library_is_not_called_damaged(lode: Lode, story: Path) -> None:
    assert lode("add", str(story)).code == 0
    for command in ("files", "transcripts", "clips", "jobs", "history", "words"):
        done = lode(command, "list", "--search", " ".join(f"wort{number}" for number in range(1000)))
        assert (done.code, done.out) == (1, "")
        assert done.err.splitlines()[0].endswith("the search is too long: it can have 1000 characters")
        assert done.err.count("\nhint: ") == 1
