"""The doctor finds what is wrong, whatever else is wrong, makes and changes nothing, and asks nobody unbidden."""

import os
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from tests.conftest import Reports
from tests.dictionaries.making import dictd
from tests.llm.fakes.fake_server import FakeModelServer, Gate, cut, json_reply, slow, status, stream
from tests.store.adding_files import add_file
from tests.voices.programs import Programs
from tests.voices.programs import programs as programs
from tui.records.answers import NewTemplate
from tui.records.dictionaries import DictionaryEntry, DictionaryInfo
from tui.records.library import Finding
from tui.records.settings import ProfileSettings
from tui.service.doctor.checks import examine
from tui.service.doctor.provider_check import choose_cheapest
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


def keep_template(home: Path, model: str, prompt: str = "p") -> None:
    """Keep a template as an older Lode may have done."""
    with closing(Store.open(home)) as store:
        store.templates.save("default", NewTemplate(model, prompt, "s"))


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


async def test_a_library_in_use_is_well_and_stays_as_it_is(tmp_path: Path, reports: Reports) -> None:
    keep_template(tmp_path, "lexicon:concordance")
    before = snapshot(tmp_path)
    found = await look(tmp_path)
    assert broken(found) == []
    assert {finding.state for finding in found if finding.group in ("Settings", "Library")} == {"ok"}
    assert of(found, "template").message == "lexicon:concordance answers"
    assert snapshot(tmp_path) == before
    assert not [finding for finding in found if finding.subject == "reports"]
    path = crash_reports.write(tmp_path, ValueError())
    reports.take()
    reported = of(await look(tmp_path), "reports")
    assert (reported.state, reported.message) == ("warning", f"1 fault of Lode, the last in {path}")


async def test_dictionaries_of_each_language_or_what_to_get(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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


async def test_segmenters_of_the_library_s_languages_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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


async def test_settings_that_cannot_be_read_leave_the_rest_to_be_looked_at(tmp_path: Path) -> None:
    Store.open(tmp_path).close()
    assert broken(await examine(tmp_path, "../x", NOWHERE)) == ["profile"]
    (tmp_path / "config.toml").write_text("mouse = 3", "utf-8")
    found = await look(tmp_path)
    assert broken(found) == ["config.toml"]
    assert "mouse must be true or false" in of(found, "config.toml").message
    assert of(found, "config.toml").hint
    assert of(found, "integrity").state == "ok"
    assert of(found, "openai").state == "absent"
    (tmp_path / "config.toml").unlink()
    (tmp_path / "config.toml").mkdir()
    assert broken(await look(tmp_path)) == ["config.toml"]


async def test_a_home_that_is_unknown_or_a_file_is_a_finding(tmp_path: Path) -> None:
    found = await examine(None, None, {"LODE_HOME": "~nobody-of-this-name/lode"})
    assert broken(found) == ["directories"]
    assert of(found, "Python").state == "ok"
    (tmp_path / "file").write_text("x", "utf-8")
    assert "directory" in broken(await look(tmp_path / "file"))


async def test_a_file_that_is_no_database_or_of_a_newer_lode_leaves_the_rest_to_be_looked_at(tmp_path: Path) -> None:
    (tmp_path / "lode.db").write_bytes(b"no database at all " * 1000)
    found = await look(tmp_path)
    assert broken(found) == ["database"]
    assert "put a backup in its place" in of(found, "database").hint
    assert of(found, "lexicon").state == "ok"
    assert not any(finding.subject == "template" for finding in found), "it is not known whether there is one"
    (tmp_path / "lode.db").unlink()
    Store.open(tmp_path).close()
    with closing(sqlite3.connect(tmp_path / "lode.db")) as connection, connection:
        connection.execute(
            "INSERT INTO _sqlite_migrations (migration_set, name, applied_at)"
            " SELECT migration_set, 'm999_later', applied_at FROM _sqlite_migrations LIMIT 1"
        )
    found = await look(tmp_path)
    assert broken(found) == ["version"]
    assert "update Lode" in of(found, "version").hint


async def test_one_damage_is_told_once(tmp_path: Path) -> None:
    Store.open(tmp_path).close()
    with closing(sqlite3.connect(tmp_path / "lode.db")) as connection:
        pages = "SELECT rootpage FROM sqlite_master WHERE name IN ('totals', 'files', 'jobs')"
        found_pages = [page for (page,) in connection.execute(pages)]
    with (tmp_path / "lode.db").open("r+b") as file:
        for page in found_pages:
            file.seek(4096 * (page - 1))
            file.write(os.urandom(4096))
    found = await look(tmp_path)
    assert "integrity" in broken(found)
    messages = [finding.message for finding in found if finding.state == "broken"]
    assert len(messages) == len(set(messages))


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


async def test_voices_that_are_set_are_told(
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


def configured(home: Path, server: FakeModelServer, more: str = "") -> Path:
    home.mkdir(exist_ok=True)
    (home / "config.toml").write_text(f'[providers.work]\nbase_url = "{server.base_url}"\n{more}', "utf-8")
    return home


async def test_without_live_no_model_is_asked_and_no_key_command_run(tmp_path: Path, server: FakeModelServer) -> None:
    home = configured(tmp_path, server, f'[providers.openai]\napi_key_command = "touch {tmp_path}/ran"\n')
    found = await look(home, {**NOWHERE, "ANTHROPIC_API_KEY": KEY})
    assert of(found, "work").state == "ok"
    assert server.chats == []
    assert "--live" in of(found, "anthropic").message
    assert "--live" in of(found, "openai").message
    assert not (tmp_path / "ran").exists()


async def test_live_asks_each_usable_provider_for_a_word(tmp_path: Path, server: FakeModelServer) -> None:
    server.models = json_reply({"data": []})
    found = await look(configured(tmp_path, server), live=True)
    assert (of(found, "work").state, server.chats) == ("warning", []), "one that lists nothing is asked nothing"
    server.models = json_reply({"data": [{"id": "big-pro"}, {"id": "big-nano"}]})
    found = await look(tmp_path, live=True)
    work = of(found, "work")
    assert work.state == "ok"
    assert work.message.startswith("big-nano answers: first text after ")
    assert work.first_text_ms is not None
    (chat,) = server.chats
    assert chat.body["model"] == "big-nano"
    assert len(str(chat.body)) < 400
    assert not (tmp_path / "lode.db").exists()
    keep_template(tmp_path, "work:mine")
    found = await look(tmp_path, live=True)
    assert of(found, "work").message.startswith("mine answers")
    assert server.chats[-1].body["model"] == "mine"
    assert of(found, "template").state == "ok"


async def test_a_template_whose_provider_cannot_answer_is_told(tmp_path: Path) -> None:
    keep_template(tmp_path, "openai:gpt-5-mini")
    found = await look(tmp_path)
    openai = of(found, "openai")
    assert (openai.state, openai.hint) == ("warning", "export OPENAI_API_KEY=… before starting Lode")
    assert of(found, "template").state == "warning"
    for model in ("lexicon:Explain the word.", "openai:Explain the word."):
        keep_template(tmp_path, model)
        found = await look(tmp_path)
        assert of(found, "template").state == "broken"
        assert model in of(found, "template").message
    keep_template(tmp_path, "lexicon:concordance", "Explain\n {{ focus.upper() }}")
    found = await look(tmp_path)
    assert broken(found) == ["prompt"], "which an older Lode saved and this one refuses"
    assert of(found, "prompt").message == "the template: line 2, column 11: a prompt cannot call 'upper'"
    assert of(found, "prompt").hint.startswith("write it as a filter: {{ … | upper }}; save it in Template")


async def test_every_fault_of_a_live_provider_is_told_with_what_to_do(tmp_path: Path, server: FakeModelServer) -> None:
    home = configured(tmp_path, server)
    for reply, cause in (
        (status(401), "wants a key"),
        (status(402), "wants to be paid"),
        (status(429, headers={"retry-after": "3600"}), "allows no more requests"),
        (cut(), "was lost"),
        (stream(), "answered nothing"),
    ):
        server.on_chat = lambda request: reply
        found = await look(home, live=True)
        work = of(found, "work")
        assert broken(found) == ["work"]
        assert cause in work.message
        assert work.hint


async def test_all_are_asked_at_once_and_none_beyond_the_limit(tmp_path: Path, server: FakeModelServer) -> None:
    gates: list[Gate] = []

    def silent(_: object) -> object:
        gates.append(Gate())
        return slow([], gates[-1])

    server.on_chat = silent  # type: ignore[assignment]  # it never answers
    home = configured(tmp_path, server, f'[providers.other]\nbase_url = "{server.base_url}"\n')
    found = await look(home, live=True, seconds=0.8)
    assert broken(found) == ["work", "other"]
    assert "gave no text within 0.8 s" in of(found, "work").message
    assert len(server.chats) == 2


async def test_odd_providers_in_the_settings_are_told(tmp_path: Path, server: FakeModelServer) -> None:
    more = (
        '[providers.lexicon]\nbase_url = "http://x.example"\n'
        '[providers.gateway]\nbase_url = "http://gateway.example.com/v1"\napi_key_env = "MY_KEY"\n'
    )
    home = configured(tmp_path, server, more)
    text = (home / "config.toml").read_text("utf-8")
    (home / "config.toml").write_text(f'default_provider = "nope"\n{text}', "utf-8")
    found = await look(home, {**NOWHERE, "MY_KEY": KEY})
    assert of(found, "default_provider").state == "warning"
    assert broken(found) == ["settings"], "the lexicon's name is taken"
    assert of(found, "work").state == "ok"
    unencrypted = [finding for finding in found if "unencrypted" in finding.message]
    assert [finding.subject for finding in unencrypted] == ["gateway"]
    assert KEY not in str(found)


def test_the_cheapest_model_is_told_by_its_name() -> None:
    for models, expected in (
        ("gpt-5 gpt-5-mini gpt-5-nano gpt-5-nano-preview", "gpt-5-nano"),
        ("claude-opus-4-5 claude-haiku-4-5 claude-sonnet-4-5", "claude-haiku-4-5"),
        ("gemini-3-pro gemini-3-flash gemini-3-flash-lite", "gemini-3-flash-lite"),
        ("qwen3:8b qwen3:0.6b llama3.3:70b", "qwen3:0.6b"),
        ("meta-llama/llama-3.3-70b meta-llama/llama-3.1-8b-instant", "meta-llama/llama-3.1-8b-instant"),
        ("z a", "a"),
    ):
        assert choose_cheapest(models.split()) == expected
