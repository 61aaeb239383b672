"""``lode search``: hits in groups for people, in rows or JSON for programs."""

from pathlib import Path

from tests.cli.conftest import STORY, Lode, add_file


def test_what_is_found_is_shown_in_groups_rows_or_json(lode: Lode, tmp_path: Path) -> None:
    film = add_file(lode, tmp_path / "Der Zug.de.srt", STORY)["transcript_id"]
    rows = [line.split("\t") for line in lode("search", "zug").out.splitlines()]
    assert [row[:2] for row in rows if row[0] in ("sentences", "transcripts")] == [
        ["sentences", film],
        ["transcripts", film],
    ]
    shown = lode("search", "zug", "--in", "sentences", terminal=True).out
    assert shown.startswith("sentences: 1\n  ")
    assert "Der Zug fährt ab." in shown
    (group,) = lode("search", "fährt ab", "--in", "sentences", "--json").json()
    assert (group["name"], group["hits"][0]["id"]) == ("sentences", film), "what a shell left together is a phrase"
    assert lode("search", "--json", "--", "-zug").json() == []
    nothing = lode("search", "ab fährt")
    assert nothing.code
    assert "nothing has" in nothing.err
