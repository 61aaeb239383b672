from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tui.language.detection import guess_language

CORPUS = Path(__file__).parents[2].parent / "shared" / "corpus"


SENTENCES = Path(__file__).with_name("sentences_to_guess.txt").read_text("utf-8").splitlines()
"""Sentences behind their languages."""
UNCLEAR = (
    *("", "Ok.", "Caption text #1\nCaption text #2", "image1.jpg#xywh=0,0,160,90", "東京大学"),
    "Los! Los! Los los los! Los, los! Gleich geht's los! Los los los los",
    "A ga ke itse gore ke dire eng jaanong, mme ke akanya gore re tshwanetse go ya gae pele go nna lefifi.",
    "Tsy fantatro izay tokony hatao izao, saingy heveriko fa tsy maintsy mody isika alohan'ny ho maizina.",
    "Manam yachanichu kunan imatam ruwasaq, ichaqa wasinchikman kutinanchik tiyan tutayananpaq.",
    "我们现在回家吧，天快黑了。 Let's go home now, it is dark and I do not like it.",
)


def test_a_sentence_or_two_are_enough_and_what_is_not_clear_is_not_guessed() -> None:
    assert len(SENTENCES) > 60
    for language, _, text in (line.partition(" ") for line in SENTENCES):
        assert guess_language(text) == language, text
    for text in UNCLEAR:
        assert guess_language(text) is None, text


@pytest.mark.skipif(not CORPUS.exists(), reason="the corpus lies beside the repository and is not here")
def test_no_file_of_the_corpus_is_guessed_wrong() -> None:
    expected = json.loads((CORPUS / "EXPECTED.json").read_text("utf-8"))["files"]
    wrong, right = [], 0
    for name, facts in expected.items():
        encoding = "utf-16" if facts["encoding"] == "utf-16-le" else facts["encoding"]
        text = (CORPUS / name).read_bytes().decode(encoding)
        guess = guess_language(re.sub(r"<[^>]*>|^.*-->.*$|^\w+:.*,0:.*,|\{[^}]*\}", "", text, flags=re.MULTILINE))
        if guess == facts["language"].split("-")[0]:
            right += 1
        elif guess is not None and not name.startswith("messy/"):
            wrong.append((name, guess))
    assert wrong == []
    assert right > 50
