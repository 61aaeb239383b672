"""``lode jobs``: listed, tried again, cancelled; a refused file's readings, and an encoding for those beside it."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import STORY, Lode, columns

CUE = "1\n00:00:01,000 --> 00:00:02,500\n{}\n"


def test_a_failed_job_is_listed_and_tried_again_once_its_file_is_mended(lode: Lode, tmp_path: Path) -> None:
    path = tmp_path / "story.srt"
    path.touch()
    assert lode("add", str(path)).code == 1
    ((job, kind, state, *_),) = columns(lode("jobs", "list"))
    assert (kind, state) == ("import", "failed")
    still = lode("jobs", "retry", job)
    assert (still.code, still.err[:20]) == (1, "refused  story.srt: ")
    path.write_text(STORY, "utf-8")
    done = lode("jobs", "retry", job[:8])
    assert (done.code, columns(done)[0][0]) == (0, "added")
    lode("jobs", "retry", job).check_refused("succeeded")
    assert lode("jobs", "cancel", job).out == f"succeeded  {job}\n"
    assert lode("jobs", "cancel", job, "--json").json()["state"] == "succeeded"
    assert lode("jobs", "cancel", "zzzz").code == 1


def test_readings_of_a_refused_file_are_listed_and_one_holds_for_those_beside_it(lode: Lode, tmp_path: Path) -> None:
    for name, line in (("a.ru.srt", "Синий лес"), ("b.ru.srt", "Слева дом.")):
        (tmp_path / name).write_bytes(CUE.format(line).encode("cp1251"))
    lode("add", str(tmp_path)).check_refused(
        'it may be windows-1251: "Синий лес" or iso-8859-5: "бшэшщ ыхё"; add it with --encoding windows-1251'
    )
    job = columns(lode("jobs", "list"))[0][0]
    rows = columns(lode("jobs", "readings", job))
    assert rows[0][0] == "windows-1251"
    assert ["iso-8859-5", "быхтр фюь."] in rows or ["iso-8859-5", "бшэшщ ыхё"] in rows
    assert lode("jobs", "readings", job, "--json").events()[0]["encoding"] == "windows-1251"
    assert lode("jobs", "readings", "nothere").code == 1
    done = lode("jobs", "retry", job, "--encoding", "windows-1251")
    assert (done.code, [row[0] for row in columns(done)]) == (0, ["added", "added"])
    assert lode("jobs", "retry", job, "--encoding", "nonsense").code == 1
