"""The provider table: which there are, where their keys come from, whether they can be used, what selects them."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.llm.asking import ASK, KEY
from tests.llm.fakes.fake_server import FakeModelServer, status
from tests.llm.library import FewWords
from tests.server_process import free_port
from tui.config import ProviderSettings
from tui.errors import InvalidInput, ProviderError
from tui.llm.lexicon import Lexicon
from tui.llm.protocol import Provider
from tui.llm.providers import HttpProviders, Providers
from tui.llm.selector import Selector, split
from tui.provider_table import PROTOCOLS, PROVIDERS

NOWHERE = "http://127.0.0.1:1/v1"
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
    providers = table(ProviderSettings("mine", "openai", NOWHERE))
    assert providers.known() == ("lexicon", *BUILT_IN, "mine")
    assert providers.get("mine") is providers.get("mine")
    provider, selector = providers.resolve("gpt-5-mini")
    assert (provider.name, selector) == ("openai", Selector("openai", "gpt-5-mini"))
    assert providers.resolve("lexicon:concordance")[0] is providers.lexicon


REFUSED = {
    "lexicon: Explain the word": "white space around",
    "lexicon:Explain the word": "the built-in lexicon has only lexicon:concordance",
    "lexicon:concordances": "the built-in lexicon has only lexicon:concordance",
    "openai:Explain the word": "no model has spaces in its name",
    "Explain the word": "no model has spaces in its name",
    "openai:": "its model is empty",
}


async def test_a_selector_that_nothing_can_be_asked_with_is_refused_without_asking() -> None:
    for selector, said in REFUSED.items():
        with pytest.raises(InvalidInput, match=said) as refusal:
            table().check(selector)
        assert refusal.value.code == "invalid_selector"
        assert refusal.value.hint
    mine = ProviderSettings("mine", "openai", NOWHERE)
    for selector in ("lexicon:concordance", "openai:not-out-yet", "ollama:mine:8b", "mine:My Model.gguf"):
        table(mine).check(selector)
    own = table(mine, environ={"OPENAI_BASE_URL": NOWHERE})
    own.check("openai:My Model.gguf")
    well_known = {status.provider: status.well_known for status in await own.statuses()}
    assert well_known["openai"] == well_known["mine"] == ()
    assert well_known["ollama"]


def source_of(package: str, path: str) -> str:
    """A module of a vendor's client, which takes seconds to import."""
    spec = find_spec(package)
    assert spec is not None and spec.origin is not None
    return Path(spec.origin).parent.joinpath(path).read_text("utf-8")


@pytest.mark.exhaustive
def test_the_vendors_clients_name_the_well_known_models_and_announce_the_end_of_none() -> None:
    names = {row.name: set(row.well_known) for row in PROVIDERS}
    for name, listed in (
        ("openai", source_of("openai", "types/shared/chat_model.py")),
        ("anthropic", source_of("anthropic", "types/model.py")),
        ("gemini", source_of("google.genai", "_gaos/types/interactions/model.py")),
    ):
        known, _, deprecated = listed.partition("Deprecated values")
        assert all(f'"{model}"' in known and f'"{model}"' not in deprecated for model in names[name]), name
    ending = source_of("anthropic", "resources/messages/messages.py").partition("DEPRECATED_MODELS = {")[2]
    assert ending and not any(f'"{model}"' in ending.partition("}")[0] for model in names["anthropic"])
    assert all(names.values())


def test_an_unknown_provider_is_an_error_that_names_the_others_and_none_is_called_like_the_lexicon() -> None:
    with pytest.raises(ProviderError) as error:
        table().get("opnai")
    assert error.value.code == "unknown_provider"
    assert "openai" in error.value.message and "lexicon" in error.value.hint
    with pytest.raises(InvalidInput):
        table(ProviderSettings("lexicon", "openai", NOWHERE))


async def test_a_missing_key_names_its_variable_and_how_to_set_it() -> None:
    providers = table()
    error = await first_of(providers.get("openai"))
    assert error is not None and error.code == "missing_key"
    assert "OPENAI_API_KEY" in error.message and "export OPENAI_API_KEY=" in error.hint
    with pytest.raises(ProviderError):
        await providers.get("openai").models()


async def test_a_provider_of_the_user_gets_the_key_that_it_names_and_never_openais() -> None:
    async with FakeModelServer() as server:
        providers = table(
            ProviderSettings("mine", "openai", server.base_url),
            ProviderSettings("keyed", "openai", server.base_url, "MY_KEY"),
            ProviderSettings("lacking", "openai", "https://llm.example/v1", "NO_KEY", "Mine"),
            ProviderSettings("openai", "openai", server.base_url),
            environ={"OPENAI_API_KEY": KEY, "MY_KEY": "mine-0123456789"},
        )
        for name in ("mine", "keyed", "openai"):
            assert await first_of(providers.get(name)) is None
        error = await first_of(providers.get("lacking"))
        assert error is not None and error.message == "Mine needs a key, and NO_KEY is not set"
        await providers.over_http.close()
        keys = [chat.headers.get("authorization") for chat in server.chats]
        assert keys == [None, "Bearer mine-0123456789", None]


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


async def test_statuses_ask_local_servers_only_and_show_no_secret() -> None:
    async with FakeModelServer() as server:
        providers = table(
            ProviderSettings("here", "openai", server.base_url, label="Here"),
            ProviderSettings("gone", "openai", f"http://me:hunter2@127.0.0.1:{free_port()}/v1"),
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


async def test_a_server_without_a_list_of_models_is_told_from_one_without_a_model() -> None:
    async with FakeModelServer() as server:
        providers = table(ProviderSettings("here", "openai", server.base_url))
        server.models = status(404, {"detail": "Not Found"})
        with pytest.raises(ProviderError) as error:
            await providers.get("here").models()
        assert error.value.code == "no_model_list"
        assert error.value.message == f"here has no list of models at {server.base_url} (404): Not Found"
        assert error.value.hint == "name a model yourself: here:MODEL; or correct base_url"
        assert (await providers.get("here").status()).available
        server.models = status(401)
        assert (await providers.get("here").status()).code == "key_refused"
        await providers.over_http.close()


def test_every_protocol_names_its_wire_format() -> None:
    for protocol in PROTOCOLS:
        assert table(ProviderSettings("mine", protocol, "http://127.0.0.1:1")).get("mine").name == "mine"


async def test_the_variable_of_the_vendors_client_changes_the_address() -> None:
    for variable in ("OPENAI_BASE_URL", "ANTHROPIC_BASE_URL", "GOOGLE_GEMINI_BASE_URL"):
        async with FakeModelServer() as server:
            providers = table(environ={variable: server.base_url.removesuffix("/v1")})
            with suppress(ProviderError):  # it is asked, whatever it makes of that
                await providers.get(variable.partition("_BASE")[0].rpartition("_")[2].lower()).models()
            assert server.requests, variable
            await providers.over_http.close()


async def test_each_cloud_provider_says_which_variable_it_lacks() -> None:
    providers = table()
    reasons = {each.provider: each.reason for each in await providers.statuses() if not each.local}
    await providers.over_http.close()
    assert reasons.pop("gemini") == "neither GEMINI_API_KEY nor GOOGLE_API_KEY is set"
    assert reasons == {
        row.name: f"{row.key_envs[0]} is not set" for row in PROVIDERS if row.name not in ("gemini", "ollama")
    }
    other_name = table(environ={"GEMINI_API_KEY": "", "GOOGLE_API_KEY": KEY})
    assert (await other_name.get("gemini").status()).available


def keyed_by(command: str, base_url: str) -> Providers:
    return table(ProviderSettings("work", "openai", base_url, label="Work", api_key_command=command))


async def test_a_key_may_come_from_a_command_which_runs_once_and_again_when_it_was_refused(tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    command = f"echo run >> '{runs}'; echo key-$(wc -l < '{runs}' | tr -d ' '); echo login: anna"
    async with FakeModelServer() as server:
        providers = keyed_by(command, server.base_url)
        assert (await providers.get("work").status()).available
        assert not runs.exists() or runs.read_text() == "run\n"
        for _ in range(2):
            assert await first_of(providers.get("work")) is None
        server.enqueue(status(401))
        error = await first_of(providers.get("work"))
        assert error is not None and error.code == "key_refused"
        assert await first_of(providers.get("work")) is None
        await providers.over_http.close()
        keys = [chat.headers["authorization"] for chat in server.chats]
        assert keys == [*["Bearer key-1"] * 3, "Bearer key-2"]


NO_KEYS = {
    "echo 'no such entry' >&2; exit 3": "the api_key_command of Work failed (3): no such entry",
    "true": "the api_key_command of Work printed nothing",
    "echo 'two words'": "the key that the api_key_command of Work prints holds characters that no key has",
    f"echo {KEY}; echo 'not {KEY}' >&2; exit 1": "the api_key_command of Work failed (1): not …",
}


async def test_a_command_that_gives_no_key_says_why_and_no_secret() -> None:
    for command, said in NO_KEYS.items():
        providers = keyed_by(command, NOWHERE)
        error = await first_of(providers.get("work"))
        await providers.over_http.close()
        assert error is not None and error.message == said
        assert error.hint and KEY not in error.message + error.hint


def test_keys_are_in_no_repr() -> None:
    providers = table(environ={"OPENAI_API_KEY": KEY})
    openai = providers.get("openai")
    assert KEY not in repr(openai) + repr(vars(openai)) + repr(providers)


# Selectors

KNOWN = ("lexicon", "openai", "ollama")


def parts(selector: str, known: tuple[str, ...] = KNOWN) -> Selector:
    return split(selector, default_provider="openai", known=known)


def test_a_selector_is_cut_at_its_first_colon_and_written_as_it_was() -> None:
    for provider, model in (
        *(("openai", name) for name in ("gpt-5-mini", "a b", ":")),
        *(("ollama", name) for name in ("qwen3:8b", "hf.co/bartowski/Llama:Q4_K_M", "日本")),
        ("lexicon", "concordance"),
    ):
        found = parts(f"{provider}:{model}")
        assert (found, str(found)) == (Selector(provider, model), f"{provider}:{model}")
    assert parts("gpt-5-mini") == Selector("openai", "gpt-5-mini")


def test_an_empty_or_blank_part_is_refused() -> None:
    for selector in ("", "  ", ":", ":gpt", "openai:", "openai: ", " openai:gpt", "openai:gpt\n", "openai:a\x1bb"):
        with pytest.raises(InvalidInput) as refusal:
            parts(selector)
        assert refusal.value.code == "invalid_selector"
        assert "provider:model" in refusal.value.hint
        assert "\x1b" not in refusal.value.message


MEANT = (
    ("qwen3:8b", KNOWN, "unknown provider 'qwen3'; did you mean 'ollama:qwen3:8b'?"),
    ("qwen3:8b", ("lexicon", "openai"), "unknown provider 'qwen3'; did you mean 'openai:qwen3:8b'?"),
    ("opnai:gpt-5", KNOWN, "unknown provider 'opnai'; did you mean 'openai:gpt-5'?"),
    ("OpenAI:gpt-5", KNOWN, "unknown provider 'OpenAI'; did you mean 'openai:gpt-5'?"),
    ("qwen3:8b", ("lexicon",), "unknown provider 'qwen3'"),
    ("gpt-5", ("lexicon",), "unknown provider 'openai'"),
)


def test_an_unknown_provider_comes_with_what_was_probably_meant() -> None:
    for selector, known, message in MEANT:
        with pytest.raises(ProviderError) as refusal:
            parts(selector, known)
        assert (refusal.value.code, refusal.value.message) == ("unknown_provider", message)
        assert "lexicon" in refusal.value.hint
