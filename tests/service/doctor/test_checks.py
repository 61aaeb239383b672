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
from tests.llm.fakes.fake_server import FakeModelServer, Gate, cut, json_reply, slow, status, stream
from tests.store.adding_files import add_file
from tui import crash_reports
from tui.records.answers import NewTemplate
from tui.records.dictionaries import DictionaryEntry, DictionaryInfo
from tui.records.library import Finding
from tui.records.settings import ProfileSettings
from tui.service.doctor.checks import examine
from tui.service.doctor.provider_check import cheapest
from tui.store import Store
from tui.store.dictionaries.dictionary_store import DictionaryStore

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
    monkeypatch.setattr("tui.language.segmenters.table.is_installed", lambda row: row.language == "ja")
    monkeypatch.setattr("tui.language.segmenters.table.segmenter_of", lambda language: object())
    words = [finding for finding in await look(tmp_path) if finding.subject.endswith("words")]
    assert words == [
        Finding("Library", "Japanese words", "ok", "cut by sudachipy"),
        Finding("Library", "Korean words", "absent", "without dictionary forms", hint="pip install 'lode[ko]'"),
    ]
    monkeypatch.setattr("tui.language.segmenters.table.segmenter_of", lambda language: None)
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
    server.models = json_reply({"data": [{"id": "big-pro"}, {"id": "big-nano"}]})
    found = await look(configured(tmp_path, server), live=True)
    work = of(found, "work")
    assert work.state == "ok"
    assert work.message.startswith("big-nano answers: first text after ")
    assert work.first_text_ms is not None
    (chat,) = server.chats
    assert chat.body["model"] == "big-nano"
    assert len(str(chat.body)) < 400
    assert not (tmp_path / "lode.db").exists()


async def test_live_asks_the_templates_model_of_its_provider(tmp_path: Path, server: FakeModelServer) -> None:
    store = Store.open(tmp_path)
    store.templates.save("default", NewTemplate("work:mine", "p", "s"))
    store.close()
    found = await look(configured(tmp_path, server), live=True)
    assert of(found, "work").message.startswith("mine answers")
    assert [chat.body["model"] for chat in server.chats] == ["mine"]
    assert of(found, "template").state == "ok"


async def test_a_template_whose_provider_cannot_answer_is_a_warning(tmp_path: Path) -> None:
    store = Store.open(tmp_path)
    store.templates.save("default", NewTemplate("openai:gpt-5-mini", "p", "s"))
    store.close()
    found = await look(tmp_path)
    assert (of(found, "openai").state, of(found, "openai").hint) == (
        "warning",
        "export OPENAI_API_KEY=… before starting Lode",
    )
    assert of(found, "template").state == "warning"


@pytest.mark.parametrize("model", ["lexicon:Explain the word.", "openai:Explain the word."])
async def test_a_template_for_a_model_that_cannot_be_is_broken(tmp_path: Path, model: str) -> None:
    store = Store.open(tmp_path)
    store.templates.save("default", NewTemplate(model, "p", "s"))  # as an older version kept it
    store.close()
    found = await look(tmp_path)
    assert of(found, "template").state == "broken"
    assert model in of(found, "template").message


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


async def test_all_are_asked_at_once_and_none_is_waited_for_beyond_the_limit(
    tmp_path: Path, server: FakeModelServer
) -> None:
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


async def test_a_provider_that_lists_nothing_is_asked_nothing(tmp_path: Path, server: FakeModelServer) -> None:
    server.models = json_reply({"data": []})
    found = await look(configured(tmp_path, server), live=True)
    assert of(found, "work").state == "warning"
    assert server.chats == []


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


@pytest.mark.parametrize(
    ("models", "expected"),
    [
        (("gpt-5", "gpt-5-mini", "gpt-5-nano", "gpt-5-nano-preview"), "gpt-5-nano"),
        (("claude-opus-4-5", "claude-haiku-4-5", "claude-sonnet-4-5"), "claude-haiku-4-5"),
        (("gemini-3-pro", "gemini-3-flash", "gemini-3-flash-lite"), "gemini-3-flash-lite"),
        (("qwen3:8b", "qwen3:0.6b", "llama3.3:70b"), "qwen3:0.6b"),
        (("meta-llama/llama-3.3-70b", "meta-llama/llama-3.1-8b-instant"), "meta-llama/llama-3.1-8b-instant"),
        (("z", "a"), "a"),
    ],
)
def test_the_cheapest_model_is_told_by_its_name(models: tuple[str, ...], expected: str) -> None:
    assert cheapest(models) == expected
