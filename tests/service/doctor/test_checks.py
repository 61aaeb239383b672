"""The doctor finds what is wrong, whatever else is wrong, makes and changes nothing, and asks nobody unbidden."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from tests.conftest import Reports
from tests.dictionaries.making import dictd
from tests.store.adding_files import add_file
from tests.voices.programs import Programs
from tests.voices.programs import programs as programs
from tui.records.answers import NewTemplate
from tui.records.dictionaries import DictionaryEntry, DictionaryInfo
from tui.records.library import Finding
from tui.records.settings import ProfileSettings
from tui.service.doctor.checks import examine
from tui.store import Store
from tui.store.dictionaries.dictionary_store import DictionaryStore
from tui.store.write_ahead_log import can_lose_commits
from tui.system import crash_reports

pytestmark = pytest.mark.exhaustive

KEY = "sk-the-secret-of-this-test-0123456789"
NOWHERE: Mapping[str, str] = {"OLLAMA_HOST": "127.0.0.1:9"}


def of(found: Sequence[Finding], subject: str) -> Finding:
    return next(finding for finding in found if finding.subject == subject)


def broken(found: Sequence[Finding]) -> list[str]:
    return [finding.subject for finding in found if finding.state == "broken"]


async def look(home: Path, environ: Mapping[str, str] = NOWHERE, **options: object) -> tuple[Finding, ...]:
    return await examine(home, None, environ, **options)  # type: ignore[arg-type]  # any of its options


def snapshot(directory: Path) -> dict[str, bytes]:
    return {str(path.relative_to(directory)): path.read_bytes() for path in directory.rglob("*") if path.is_file()}


async def test_where_there_is_nothing_nothing_is_wrong_and_nothing_is_made(tmp_path: Path) -> None:
    home = tmp_path / "not" / "there"
    found = await look(home)
    assert broken(found) == []
    assert "the defaults are in force" in of(found, "config.toml").message
    assert "the first use makes it" in of(found, "database").message
    assert of(found, "openai") == Finding("Models", "openai", "absent", "OPENAI_API_KEY is not set")
    assert of(found, "lexicon").state == "ok"
    has_fault = can_lose_commits(sqlite3.sqlite_version_info)
    assert ("it has SQLite's WAL-reset bug" in of(found, "SQLite").message) == has_fault
    assert of(found, "SQLite").message.startswith(sqlite3.sqlite_version)
    assert "OPENAI_API_KEY" in of(found, "template").hint
    assert list(tmp_path.iterdir()) == []


async def test_a_library_in_use_is_well_and_stays_as_it_is(tmp_path: Path) -> None:
    store = Store.open(tmp_path)
    store.templates.save("default", NewTemplate("lexicon:concordance", "p", "s"))
    store.close()
    before = snapshot(tmp_path)
    found = await look(tmp_path)
    assert broken(found) == []
    assert {finding.state for finding in found if finding.group in ("Settings", "Library")} == {"ok"}
    assert of(found, "template").message == "lexicon:concordance answers"
    assert snapshot(tmp_path) == before


async def test_the_dictionaries_of_each_language_are_named_or_what_to_get(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    store = Store.open(home)
    for number, language in enumerate(("de", "de-AT", "es", "sv", "ja", None)):
        add_file(store, name=f"{number}.srt", language=language)
    store.settings.save("default", ProfileSettings("de"))
    store.close()
    dictionaries = DictionaryStore.open(home)
    dictionaries.add(DictionaryInfo("Wörter", "yomitan", source_language="de"), [DictionaryEntry("Wort")])
    dictionaries.close()
    (tmp_path / "dictd").mkdir()
    index = dictd(tmp_path / "dictd", {"palabra": "word"}, name="freedict-spa-eng")
    monkeypatch.setenv("XDG_DATA_DIRS", str(tmp_path))
    before = snapshot(home)
    found = await look(home)
    assert of(found, "German meanings") == Finding("Library", "German meanings", "ok", "Wörter (1 entry)")
    assert of(found, "Spanish meanings").hint == f"lode dictionaries add {index}"
    assert "only the words of the sample stories" in of(found, "Spanish meanings").message
    swedish = of(found, "Swedish meanings")
    assert (swedish.state, swedish.message) == ("absent", "no dictionary")
    assert "dict-freedict-swe-deu" in swedish.hint
    assert "Jitendex" not in of(found, "Japanese meanings").hint, "it is in English, and there is one in German"
    assert snapshot(home) == before
    (home / "dictionaries.db").write_bytes(b"SQLite format 3\0" + b"\xff" * 5000)
    assert of(await look(home), "dictionary file").state == "broken"


async def test_the_segmenters_of_the_languages_that_the_library_has_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store.open(tmp_path)
    for number, language in enumerate(("ja", "ja-JP", "ko", "de", None)):
        add_file(store, name=f"{number}.srt", language=language)
    store.close()
    monkeypatch.setattr("tui.service.doctor.checks.is_installed", lambda row: row.language == "ja")
    monkeypatch.setattr("tui.service.doctor.checks.segmenter_of", lambda language: object())
    words = [finding for finding in await look(tmp_path) if finding.subject.endswith("words")]
    assert words == [
        Finding("Library", "Japanese words", "ok", "cut by sudachipy"),
        Finding("Library", "Korean words", "absent", "without dictionary forms", hint="pip install 'lode[ko]'"),
    ]
    monkeypatch.setattr("tui.service.doctor.checks.segmenter_of", lambda language: None)
    japanese = of(await look(tmp_path), "Japanese words")
    assert (japanese.state, japanese.message) == ("warning", "sudachipy is installed and cannot be loaded")
    assert japanese.hint == "pip install --force-reinstall 'lode[ja]'"


async def test_a_prompt_that_an_older_lode_saved_and_this_one_refuses_is_named_at_its_place(tmp_path: Path) -> None:
    store = Store.open(tmp_path)
    store.templates.save("default", NewTemplate("lexicon:concordance", "Explain\n {{ focus.upper() }}", "s"))
    store.close()
    found = await look(tmp_path)
    assert broken(found) == ["prompt"]
    assert of(found, "prompt").message == "the template: line 2, column 11: a prompt cannot call 'upper'"
    assert of(found, "prompt").hint.startswith("write it as a filter: {{ … | upper }}; save it in Template")


async def test_reports_of_faults_are_named(tmp_path: Path, reports: Reports) -> None:
    assert not [finding for finding in await look(tmp_path) if finding.subject == "reports"]
    path = crash_reports.write(tmp_path, ValueError())
    reports.take()
    found = of(await look(tmp_path), "reports")
    assert (found.state, found.message) == ("warning", f"1 fault of Lode, the last in {path}")


@pytest.mark.parametrize(
    ("settings", "cause"),
    [
        ("x = [", "Invalid value"),
        ("providerz = 1", "there is no setting 'providerz'"),
        ('[providers.work]\nprotocol = "smoke"\nbase_url = "http://x"', "protocol of [providers.work]"),
        ("mouse = 3", "mouse must be true or false"),
    ],
)
async def test_settings_that_cannot_be_read_leave_the_rest_to_be_looked_at(
    tmp_path: Path, settings: str, cause: str
) -> None:
    Store.open(tmp_path).close()
    (tmp_path / "config.toml").write_text(settings, "utf-8")
    found = await look(tmp_path)
    assert broken(found) == ["config.toml"]
    assert cause in of(found, "config.toml").message
    assert of(found, "config.toml").hint
    assert of(found, "integrity").state == "ok"
    assert of(found, "openai").state == "absent"


async def test_a_config_toml_that_is_a_directory_is_named(tmp_path: Path) -> None:
    (tmp_path / "config.toml").mkdir()
    assert broken(await look(tmp_path)) == ["config.toml"]


async def test_a_profile_that_is_none_is_named_and_the_rest_looked_at(tmp_path: Path) -> None:
    found = await examine(tmp_path, "../x", NOWHERE)
    assert broken(found) == ["profile"]


async def test_an_unknown_home_directory_is_a_finding() -> None:
    found = await examine(None, None, {"LODE_HOME": "~nobody-of-this-name/lode"})
    assert broken(found) == ["directories"]
    assert of(found, "Python").state == "ok"


async def test_a_file_that_is_no_database_leaves_the_rest_to_be_looked_at(tmp_path: Path) -> None:
    (tmp_path / "lode.db").write_bytes(b"no database at all " * 1000)
    found = await look(tmp_path)
    assert broken(found) == ["database"]
    assert "put a backup in its place" in of(found, "database").hint
    assert of(found, "lexicon").state == "ok"
    assert not any(finding.subject == "template" for finding in found), "it is not known whether there is one"


async def test_one_damage_is_told_once(tmp_path: Path) -> None:
    Store.open(tmp_path).close()
    with closing(sqlite3.connect(tmp_path / "lode.db")) as connection:
        pages = [
            row[0]
            for row in connection.execute(
                "SELECT rootpage FROM sqlite_master WHERE name IN ('totals', 'files', 'jobs')"
            )
        ]
    with (tmp_path / "lode.db").open("r+b") as file:
        for page in pages:
            file.seek(4096 * (page - 1))
            file.write(os.urandom(4096))
    found = await look(tmp_path)
    assert "integrity" in broken(found)
    messages = [finding.message for finding in found if finding.state == "broken"]
    assert len(messages) == len(set(messages))


async def test_a_database_of_a_newer_lode_is_told(tmp_path: Path) -> None:
    Store.open(tmp_path).close()
    with closing(sqlite3.connect(tmp_path / "lode.db")) as connection, connection:
        connection.execute(
            "INSERT INTO _sqlite_migrations (migration_set, name, applied_at)"
            " SELECT migration_set, 'm999_later', applied_at FROM _sqlite_migrations LIMIT 1"
        )
    found = await look(tmp_path)
    assert broken(found) == ["version"]
    assert "update Lode" in of(found, "version").hint


async def test_bytes_that_are_gone_and_jobs_left_behind_are_warnings(tmp_path: Path) -> None:
    store = Store.open(tmp_path)
    add_file(store, profile="default")
    store.jobs.add("default", "import", "x")
    with closing(sqlite3.connect(tmp_path / "lode.db")) as connection, connection:
        connection.execute("UPDATE jobs SET owner = 'whoisgone'")
    found = await look(tmp_path)
    store.close()
    assert broken(found) == []
    assert of(found, "imports").state == of(found, "jobs").state == "warning"
    assert "1 imported file " in of(found, "imports").message
    assert "lode jobs retry" in of(found, "jobs").hint


async def test_a_home_that_is_a_file_is_broken(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", "utf-8")
    found = await look(tmp_path / "file")
    assert "directory" in broken(found)


async def test_voices_that_config_toml_names_are_looked_at(
    tmp_path: Path, programs: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    programs.piper()
    (tmp_path / "voice.onnx").write_bytes(b"")
    (tmp_path / "config.toml").write_text(
        '[speech]\nvoice = "de+f2"\n'
        '[speech.de]\nwith = "piper"\nmodel = "voice.onnx"\n'
        '[speech.fr]\nwith = "piper"\nmodel = "gone.onnx"\n'
        '[speech.ja]\nwith = "opnai"\nmodel = "tts"\nvoice = "coral"\n'
        '[speech.es]\nwith = "openai"\nmodel = "tts"\nvoice = "coral"\n'
    )
    found = await look(tmp_path)
    told = {each.subject: each for each in found if each.subject.startswith("speech")}
    assert {subject: each.state for subject, each in told.items()} == {
        "speech": "ok", "speech.de": "ok", "speech.fr": "warning", "speech.ja": "warning", "speech.es": "ok",
    }  # fmt: skip
    assert "gone.onnx" in told["speech.fr"].message
    assert "'openai'" in told["speech.ja"].message + told["speech.ja"].hint
    (programs.place / "espeak-ng").unlink()
    monkeypatch.setenv("PATH", str(programs.place))
    assert of(await look(tmp_path), "speech").message == "espeak-ng is not installed"
