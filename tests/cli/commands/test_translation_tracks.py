"""Pairing a transcript with its translation on the command line."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Lode, columns

GERMAN = "1\n00:00:01,000 --> 00:00:02,500\nDer Zug fährt ab.\n\n2\n00:00:03,000 --> 00:00:05,000\nWir fahren mit.\n"
ENGLISH = GERMAN.replace("Der Zug fährt ab.", "The train leaves.").replace("Wir fahren mit.", "We go along.")


def two(lode: Lode, directory: Path) -> list[str]:
    paths = [directory / "film.de.srt", directory / "film.en.srt"]
    for path, text in zip(paths, (GERMAN, ENGLISH), strict=True):
        path.write_text(text, "utf-8")
    return [columns(lode("add", str(path)))[0][-1] for path in paths]


def test_a_pair_is_made_and_ended(lode: Lode, tmp_path: Path) -> None:
    ours, theirs = two(lode, tmp_path)
    done = lode("transcripts", "pair", ours, theirs, "--offset", "-20")
    assert (done.code, done.out) == (0, "film: 2 of 2 cues have a translation, moved by -0.020 s\n")
    (row,) = (row for row in lode("transcripts", "list", "--json").json() if row["id"].startswith(ours))
    assert row["translation_id"].startswith(theirs)
    assert row["translation_offset_ms"] == -20
    assert lode("transcripts", "unpair", ours).out == "film: no translation any more\n"
    assert lode("transcripts", "pair", ours, theirs, "--offset", "0", "--json").json()["translated_cues"] == 2


def test_what_cannot_be_a_pair_is_refused_with_the_next_step(lode: Lode, tmp_path: Path) -> None:
    ours, _ = two(lode, tmp_path)
    refused = lode("transcripts", "pair", ours, ours)
    assert (refused.code, refused.out) == (1, "")
    assert "not a translation of itself" in refused.err
    assert "hint: " in refused.err
    (tmp_path / "other.fr.srt").write_text("1\n00:10:00,000 --> 00:10:01,000\nNon.\n", "utf-8")
    other = columns(lode("add", str(tmp_path / "other.fr.srt")))[0][-1]
    refused = lode("transcripts", "pair", ours, other)
    assert refused.code == 1
    assert "hint: give the offset in milliseconds" in refused.err
