"""The doctor looks at the providers and, where it is asked to, asks each for a word."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.llm.fakes.fake_server import FakeModelServer, Gate, cut, json_reply, slow, status, stream
from tests.service.doctor.test_checks import KEY, NOWHERE, broken, look, of
from tui.records.answers import NewTemplate
from tui.service.doctor.provider_check import choose_cheapest
from tui.store import Store

pytestmark = pytest.mark.exhaustive


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
    assert choose_cheapest(models) == expected
