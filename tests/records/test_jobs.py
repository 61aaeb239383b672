"""What a job works on is a record; as text it is what libraries have had from the first Lode on."""

import os
from pathlib import Path

from tui.records.jobs import JobSource


def test_a_source_is_read_and_written_as_libraries_have_it() -> None:
    for text, source in (
        ("/films/Der Zug.srt", JobSource("path", "/films/Der Zug.srt")),
        ("file:///films/%FF.srt", JobSource("path", "file:///films/%FF.srt")),
        ("", JobSource("path", "")),
        ("upload:.lode-tmp-abc/a.srt", JobSource("upload", "a.srt", ".lode-tmp-abc")),
        ("upload:0f1e/a.zip/b/c.srt", JobSource("upload", "a.zip/b/c.srt", "0f1e")),
        ("upload:0f1e/a.srt\nhttps://x.org/a?b", JobSource("upload", "a.srt", "0f1e", "https://x.org/a?b")),
        ("kept:0f1e2d/Der Zug.de.srt", JobSource("kept", "Der Zug.de.srt", "0f1e2d")),
        ("sample:el-faro.srt", JobSource("sample", "el-faro.srt")),
        ("anki:http://127.0.0.1:8765", JobSource("anki", "http://127.0.0.1:8765")),
    ):
        assert JobSource.read(text) == source
        assert str(source) == text
    for name in (b"/films/Der Zug.srt", b"/films/\xff %20.srt", b"/a\nb.srt"):
        written = str(JobSource.of_path(Path(os.fsdecode(name))))
        written.encode()
        assert os.fsencode(JobSource.read(written).path) == name, "whatever its bytes"
