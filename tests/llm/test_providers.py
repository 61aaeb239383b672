"""The provider table: which there are, where their keys come from, whether they can be used."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

import pytest

from tests.llm.asking import ASK, KEY
from tests.llm.fakes.fake_server import FakeModelServer, Gate, Reply, status
from tests.llm.library import FewWords
from tui.config import ProviderSettings
from tui.errors import InvalidInput, ProviderError
from tui.llm.lexicon import Lexicon
from tui.llm.protocol import Provider
from tui.llm.providers import HttpProviders, Providers
from tui.llm.selector import Selector
from tui.provider_table import PROTOCOLS, PROVIDERS

BUILT_IN = [row.name for row in PROVIDERS]


def table(*custom: ProviderSettings, environ: Mapping[str, str] | None = None) -> Providers:
    return Providers(HttpProviders(custom, environ or {}), Lexicon(FewWords()))


async def first_of(provider: Provider) -> ProviderError | None:
    try:
        await anext(provider.stream(ASK))
    except ProviderError as error:
        return error
    return None


def test_there_are_the_lexicon_the_built_in_rows_and_the_users_own() -> None:
    providers = table(ProviderSettings("mine", "openai", "http://127.0.0.1:1/v1"))
    assert providers.known() == ("lexicon", *BUILT_IN, "mine")
    assert providers.get("mine") is providers.get("mine")
    provider, selector = providers.resolve("gpt-5-mini")
    assert (provider.name, selector) == ("openai", Selector("openai", "gpt-5-mini"))
    assert providers.resolve("lexicon:concordance")[0] is providers.lexicon


@pytest.mark.parametrize(
    ("selector", "said"),
    [
        ("lexicon: Explain the word", "white space around"),
        ("lexicon:Explain the word", "the built-in lexicon has only lexicon:concordance"),
        ("lexicon:concordances", "the built-in lexicon has only lexicon:concordance"),
        ("openai:Explain the word", "no model has spaces in its name"),
        ("Explain the word", "no model has spaces in its name"),
        ("openai:", "its model is empty"),
    ],
)
def test_a_selector_that_nothing_can_be_asked_with_is_refused_without_asking(selector: str, said: str) -> None:
    with pytest.raises(InvalidInput, match=said) as refusal:
        table().check(selector)
    assert refusal.value.code == "invalid_selector"
    assert refusal.value.hint


@pytest.mark.parametrize(
    "selector", ["lexicon:concordance", "openai:not-out-yet", "ollama:mine:8b", "mine:My Model.gguf"]
)
def test_any_name_that_a_provider_may_have_is_taken(selector: str) -> None:
    table(ProviderSettings("mine", "openai", "http://127.0.0.1:1/v1")).check(selector)


async def test_a_server_of_the_users_own_has_no_well_known_models_and_may_have_spaces_in_names() -> None:
    own = table(
        ProviderSettings("groq", "openai", "http://127.0.0.1:1/v1"),
        environ={"OPENAI_BASE_URL": "http://127.0.0.1:1/v1"},
    )
    well_known = {status.provider: status.well_known for status in await own.statuses()}
    assert well_known["openai"] == well_known["groq"] == ()
    assert well_known["ollama"]
    own.check("openai:My Model.gguf")


@pytest.mark.exhaustive
async def test_the_vendors_clients_name_the_well_known_models_and_announce_the_end_of_none() -> None:
    from anthropic.resources.messages.messages import DEPRECATED_MODELS
    from anthropic.types import model as anthropic_model
    from google.genai._gaos.types.interactions import model as gemini_model
    from openai.types.shared import chat_model

    names = {row.name: set(row.well_known) for row in PROVIDERS}
    for name, module in (("openai", chat_model), ("anthropic", anthropic_model), ("gemini", gemini_model)):
        listed = Path(str(module.__file__)).read_text("utf-8").partition("Deprecated values")
        assert all(f'"{model}"' in listed[0] and f'"{model}"' not in listed[2] for model in names[name]), name
    assert not names["anthropic"] & set(DEPRECATED_MODELS)
    assert all(names.values())


def test_an_unknown_provider_is_an_error_that_names_the_others() -> None:
    with pytest.raises(ProviderError) as error:
        table().get("opnai")
    assert error.value.code == "unknown_provider"
    assert "openai" in error.value.message and "lexicon" in error.value.hint


def test_a_provider_called_like_the_lexicon_is_refused() -> None:
    with pytest.raises(InvalidInput):
        table(ProviderSettings("lexicon", "openai", "http://127.0.0.1:1/v1"))


async def test_a_missing_key_names_its_variable_and_how_to_set_it() -> None:
    providers = table()
    error = await first_of(providers.get("openai"))
    assert error is not None and error.code == "missing_key"
    assert "OPENAI_API_KEY" in error.message and "export OPENAI_API_KEY=" in error.hint
    with pytest.raises(ProviderError):
        await providers.get("openai").models()


async def test_the_users_provider_never_gets_the_key_of_openai() -> None:
    async with FakeModelServer() as server:
        mine = ProviderSettings("mine", "openai", server.base_url)
        keyed = ProviderSettings("keyed", "openai", server.base_url, "MY_KEY")
        providers = table(mine, keyed, environ={"OPENAI_API_KEY": KEY, "MY_KEY": "mine-0123456789"})
        for name in ("mine", "keyed"):
            assert await first_of(providers.get(name)) is None
        await providers.over_http.close()
        assert [chat.headers.get("authorization") for chat in server.chats] == [None, "Bearer mine-0123456789"]


async def test_the_users_provider_needs_the_key_that_it_names() -> None:
    providers = table(
        ProviderSettings("mine", "openai", "https://llm.example/v1", "MY_KEY", "Mine"), environ={"OPENAI_API_KEY": KEY}
    )
    error = await first_of(providers.get("mine"))
    assert error is not None and error.message == "Mine needs a key, and MY_KEY is not set"


async def test_openai_can_be_pointed_elsewhere() -> None:
    async with FakeModelServer() as server:
        providers = table(environ={"OPENAI_API_KEY": f" {KEY}\n", "OPENAI_BASE_URL": server.base_url})
        assert await providers.get("openai").models() == ("fake-large", "fake-small")
        assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"
        await providers.over_http.close()
        without = table(environ={"OPENAI_BASE_URL": server.base_url})
        assert without.get("openai").local
        assert await first_of(without.get("openai")) is None
        await without.over_http.close()


async def test_statuses_ask_local_servers_only_and_show_no_secret(unused_port: Callable[[], int]) -> None:
    async with FakeModelServer() as server:
        providers = table(
            ProviderSettings("here", "openai", server.base_url, label="Here"),
            ProviderSettings("gone", "openai", f"http://me:hunter2@127.0.0.1:{unused_port()}/v1"),
            ProviderSettings("cloud", "openai", "https://llm.example/v1?key=hunter2", "CLOUD_KEY"),
            environ={"OPENAI_API_KEY": KEY},
        )
        found = {each.provider: each for each in await providers.statuses()}
        await providers.over_http.close()
        assert {name for name, each in found.items() if each.available} == {"lexicon", "openai", "here"}
        assert set(found) == {"lexicon", *BUILT_IN, "here", "gone", "cloud"}
        assert (found["cloud"].code, found["cloud"].reason) == ("missing_key", "CLOUD_KEY is not set")
        assert (found["gone"].code, found["here"].code) == ("unreachable", "")
        assert found["here"].label == "Here" and found["here"].local and not found["openai"].local
        assert len(server.requests) == 1
        assert KEY not in repr(found) and "hunter2" not in repr(found)


async def test_a_local_server_that_says_nothing_is_given_a_second() -> None:
    async with FakeModelServer() as server:
        server.models = Reply(before_head=Gate())
        providers = table(*(ProviderSettings(f"silent{n}", "openai", server.base_url) for n in range(4)))
        found = await providers.statuses()
        assert [each.provider for each in found if each.available] == ["lexicon"]
        assert {each.code for each in found[-4:]} == {"unreachable"}
        await providers.over_http.close()


async def test_a_local_server_that_refuses_the_key_is_not_available_and_one_without_models_is() -> None:
    async with FakeModelServer() as server:
        providers = table(ProviderSettings("here", "openai", server.base_url))
        server.models = status(401)
        assert (await providers.get("here").status()).code == "key_refused"
        server.models = status(404)
        assert (await providers.get("here").status()).available
        await providers.over_http.close()


async def test_a_server_without_a_list_of_models_is_told_from_one_without_a_model() -> None:
    async with FakeModelServer() as server:
        providers = table(ProviderSettings("here", "openai", server.base_url))
        server.models = status(404, {"detail": "Not Found"})
        with pytest.raises(ProviderError) as error:
            await providers.get("here").models()
        assert error.value.code == "no_model_list"
        assert error.value.message == f"here has no list of models at {server.base_url} (404): Not Found"
        assert error.value.hint == "name a model yourself: here:MODEL; or correct base_url"
        await providers.over_http.close()


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_every_protocol_names_its_wire_format(protocol: str) -> None:
    wire = table(ProviderSettings("mine", protocol, "http://127.0.0.1:1")).get("mine")
    assert wire.name == "mine"


@pytest.mark.parametrize(
    ("provider", "variable"),
    [("openai", "OPENAI_BASE_URL"), ("anthropic", "ANTHROPIC_BASE_URL"), ("gemini", "GOOGLE_GEMINI_BASE_URL")],
)
async def test_the_variable_of_the_vendors_client_changes_the_address(provider: str, variable: str) -> None:
    async with FakeModelServer() as server:
        providers = table(environ={variable: server.base_url.removesuffix("/v1")})
        with suppress(ProviderError):  # it is asked, whatever it makes of that
            await providers.get(provider).models()
        assert server.requests
        await providers.over_http.close()


async def test_each_cloud_provider_says_which_variable_it_lacks() -> None:
    providers = table()
    reasons = {each.provider: each.reason for each in await providers.statuses() if not each.local}
    await providers.over_http.close()
    assert reasons.pop("gemini") == "neither GEMINI_API_KEY nor GOOGLE_API_KEY is set"
    assert reasons == {
        row.name: f"{row.key_envs[0]} is not set" for row in PROVIDERS if row.name not in ("gemini", "ollama")
    }


async def test_gemini_takes_the_key_under_googles_other_name_too() -> None:
    both = {"GEMINI_API_KEY": "", "GOOGLE_API_KEY": KEY}
    assert (await table(environ=both).get("gemini").status()).available


async def test_a_built_in_provider_with_an_address_of_the_users_gets_none_of_its_own_keys() -> None:
    async with FakeModelServer() as server:
        elsewhere = ProviderSettings("openai", "openai", server.base_url)
        providers = table(elsewhere, environ={"OPENAI_API_KEY": KEY})
        assert await first_of(providers.get("openai")) is None
        await providers.over_http.close()
        assert "authorization" not in server.chats[0].headers


def keyed_by(command: str, base_url: str) -> Providers:
    work = ProviderSettings("work", "openai", base_url, label="Work", api_key_command=command)
    return table(work)


async def test_a_key_may_come_from_a_command_which_runs_once(tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    async with FakeModelServer() as server:
        providers = keyed_by(f"echo run >> '{runs}'; echo {KEY}; echo login: anna", server.base_url)
        assert (await providers.get("work").status()).available
        assert not runs.exists() or runs.read_text() == "run\n"
        for _ in range(2):
            assert await first_of(providers.get("work")) is None
        await providers.over_http.close()
        assert [chat.headers["authorization"] for chat in server.chats] == [f"Bearer {KEY}"] * 2
        assert runs.read_text() == "run\n"


async def test_a_key_that_was_refused_is_asked_of_its_command_again(tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    async with FakeModelServer() as server:
        providers = keyed_by(f"echo run >> '{runs}'; echo key-$(wc -l < '{runs}' | tr -d ' ')", server.base_url)
        server.enqueue(status(401))
        error = await first_of(providers.get("work"))
        assert error is not None and error.code == "key_refused"
        assert await first_of(providers.get("work")) is None
        await providers.over_http.close()
        assert [chat.headers["authorization"] for chat in server.chats] == ["Bearer key-1", "Bearer key-2"]


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("echo 'no such entry' >&2; exit 3", "the api_key_command of Work failed (3): no such entry"),
        ("true", "the api_key_command of Work printed nothing"),
        ("echo 'two words'", "the key that the api_key_command of Work prints holds characters that no key has"),
        (f"echo {KEY}; echo 'refused for {KEY}' >&2; exit 1", "the api_key_command of Work failed (1): refused for …"),
    ],
)
async def test_a_command_that_gives_no_key_says_why_and_no_secret(command: str, said: str) -> None:
    providers = keyed_by(command, "http://127.0.0.1:1/v1")
    error = await first_of(providers.get("work"))
    await providers.over_http.close()
    assert error is not None and error.message == said
    assert error.hint and KEY not in error.message + error.hint


def test_keys_are_in_no_repr() -> None:
    providers = table(environ={"OPENAI_API_KEY": KEY})
    openai = providers.get("openai")
    assert KEY not in repr(openai) + repr(vars(openai)) + repr(providers)
