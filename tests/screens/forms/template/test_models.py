"""Choosing provider and model in the template's form: what is listed, what is said, and what is asked for again."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from textual.content import Content
from textual.widgets import OptionList

from tests.llm.fakes.fake_server import FakeModelServer, Gate, Reply, json_reply, status
from tests.screens.driving import opened, until
from tests.screens.forms.template.driving import TEMPLATE, field, listed, read_saved, shown_error
from tests.screens.stage import Stage
from tests.settling import on_screen, press, running, settled
from tui.config import ProviderSettings, Settings
from tui.provider_table import PROVIDERS
from tui.screens.dialogs.key_help import KeysScreen
from tui.screens.forms.template import TemplateScreen
from tui.service.local import LocalService
from tui.widgets.chrome.key_line import KeyLine
from tui.widgets.chrome.themes import MUTED
from tui.widgets.forms.picker import Picker
from tui.widgets.forms.prompt_editor import PromptEditor
from tui.widgets.forms.text_fields import FieldError

pytestmark = pytest.mark.exhaustive

WELL_KNOWN = {row.name: row.well_known for row in PROVIDERS}
MANY = [f"vendor{number % 40}/model-{number}-instruct" for number in range(3000)]


@pytest.fixture
async def screen(server: FakeModelServer, settings: Settings) -> AsyncIterator[TemplateScreen]:
    """Over a service that knows the server as provider ``near``; the template names it."""
    near = ProviderSettings("near", "openai", server.base_url, label="At home")
    service = LocalService(
        replace(settings, providers=(near,)), environ={"OPENAI_API_KEY": "x", "OLLAMA_HOST": "127.0.0.1:9"}
    )
    await service.template.save(replace(TEMPLATE, model="near:fake-small"))
    yield TemplateScreen(service)
    await service.close()


def picker(screen: TemplateScreen, id: str) -> Picker:
    return screen.query_one(f"#{id}", Picker)


def is_quiet(screen: TemplateScreen) -> bool:
    return screen.query_one("#model-error", FieldError).has_class("-note")


async def test_providers_that_can_be_used_come_first_each_with_its_state(app: Stage, screen: TemplateScreen) -> None:
    async with running(app) as pilot:
        field(screen, "model-provider").focus()
        await pilot.press("down")
        shown = [" ".join(line.split()) for line in listed(screen, "model-provider")]
        assert shown[:4] == [
            "lexicon Built-in lexicon · usable",
            "openai OpenAI · usable",
            "near At home · usable",
            "anthropic ANTHROPIC_API_KEY is not set",
        ]
        assert "ollama Ollama does not answer at http://127.0.0.1:9" in shown
        keys = [entry[:2] for entry in screen.query_one(KeyLine).entries()]
        assert keys[:2] == [("↓", "choose"), ("f5", "list anew")]


async def test_the_models_of_the_template_are_there_without_being_asked_for(app: Stage, screen: TemplateScreen) -> None:
    async with running(app) as pilot:
        field(screen, "model-name").focus()
        await pilot.press("down")
        assert listed(screen, "model-name") == ["fake-large", "fake-small"]
        await press(pilot, "up", "enter", "f2")
        assert (await read_saved(screen)).model == "near:fake-large"


async def test_enter_takes_the_first_provider_that_fits_and_its_models_come(app: Stage, screen: TemplateScreen) -> None:
    async with running(app) as pilot:
        field(screen, "model-provider").focus()
        await press(pilot, *"lex")
        await press(pilot, "enter")
        assert screen.form.values().model == "lexicon:"
        await press(pilot, "tab", "down", "enter")
        assert screen.form.values().model == "lexicon:concordance"


async def test_the_model_of_another_provider_goes_with_it_and_comes_back(app: Stage, screen: TemplateScreen) -> None:
    async with running(app) as pilot:
        for typed, then in (("lexicon", "lexicon:"), ("near", "near:fake-small")):
            field(screen, "model-provider").focus()
            field(screen, "model-provider").clear()
            await press(pilot, *typed)
            assert screen.form.values().model == then
        assert not screen.has_unsaved_changes


async def test_a_name_that_is_not_listed_is_asked_about_once_and_then_saved(app: Stage, screen: TemplateScreen) -> None:
    async with running(app) as pilot:
        field(screen, "model-name").focus()
        await press(pilot, *"fake-smal", "escape", "f2")
        asked = "At home lists no model fake-smal; did you mean fake-small? (f2 again saves it all the same)"
        assert shown_error(screen, "model") == asked
        assert not is_quiet(screen)
        assert (await read_saved(screen)).model == "near:fake-small"
        await press(pilot, "f2")
        assert (await read_saved(screen)).model == "near:fake-smal"
        assert shown_error(screen, "model") == ""
        screen.query_one(PromptEditor).focus()
        await pilot.press("X", "f2")  # what was insisted on is not asked about again
        await settled(pilot)
        assert app.said() == ["template saved", "template saved"]


async def test_another_name_that_is_not_listed_is_asked_about_too(app: Stage, screen: TemplateScreen) -> None:
    async with running(app) as pilot:
        field(screen, "model-name").focus()
        for typed in ("one", "other"):
            field(screen, "model-name").clear()
            await press(pilot, *typed, "escape", "f2")
            assert f"At home lists no model {typed} " in shown_error(screen, "model")
        assert app.said() == []


async def test_what_the_lexicon_does_not_have_is_never_saved(app: Stage, screen: TemplateScreen) -> None:
    async with running(app) as pilot:
        field(screen, "model-provider").value = "lexicon"
        await settled(pilot)
        field(screen, "model-name").value = " Explain the word in its sentence."
        await settled(pilot)
        for _ in range(2):
            await press(pilot, "f2")
            assert "the built-in lexicon has only lexicon:concordance" in shown_error(screen, "model")
            assert field(screen, "model-name").has_focus
        assert (await read_saved(screen)).model == "near:fake-small"


async def test_saving_does_not_wait_for_a_list_that_is_on_its_way(
    app: Stage, screen: TemplateScreen, server: FakeModelServer
) -> None:
    good, gate = server.models, Gate()
    assert isinstance(good, Reply)
    asked = iter((good, replace(good, before_head=gate)))
    server.models = lambda _: next(asked, good)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, gate.reached.is_set)
        field(screen, "model-name").focus()
        await pilot.press(*"my-own:8b", "f2")
        await until(pilot, lambda: app.said() == ["template saved"])
        gate.opened.set()
        await settled(pilot)
        assert (await read_saved(screen)).model == "near:my-own:8b"


async def test_well_known_names_stand_in_for_the_list_of_a_provider_without_a_key(
    app: Stage, screen: TemplateScreen
) -> None:
    async with running(app) as pilot:
        field(screen, "model-provider").focus()
        await press(pilot, *"anthropic", "tab", "down")
        heading, *names = listed(screen, "model-name")
        assert heading == "well-known names (ANTHROPIC_API_KEY is not set)"
        assert names == list(WELL_KNOWN["anthropic"])
        prompts = [entry.prompt for entry in picker(screen, "model-name").query_one(OptionList).options]
        assert all(MUTED in str(each.spans) for each in prompts[1:] if isinstance(each, Content))
        await pilot.press("down", "enter")
        assert field(screen, "model-name").value == names[1]
        await pilot.press("down", *["up"] * 2)
        assert picker(screen, "model-name")._highlighted == len(names) - 1  # the heading is no choice
        field(screen, "model-name").clear()
        await press(pilot, *"haiku-4", "down", "enter", "f2")
        assert (await read_saved(screen)).model == "anthropic:claude-haiku-4-5"


async def test_a_server_that_does_not_answer_has_well_known_names_too(app: Stage, screen: TemplateScreen) -> None:
    async with running(app) as pilot:
        field(screen, "model-provider").focus()
        await press(pilot, *"ollama", "tab", "down")
        assert listed(screen, "model-name")[1:] == list(WELL_KNOWN["ollama"])
        assert "does not answer" in listed(screen, "model-name")[0]


async def test_while_the_models_are_on_their_way_that_is_said_and_a_name_can_be_typed(
    app: Stage, screen: TemplateScreen, server: FakeModelServer
) -> None:
    good, gate = server.models, Gate()
    assert isinstance(good, Reply)
    asked = iter((good, replace(good, before_head=gate)))  # whether it is there, and what it has
    server.models = lambda _: next(asked, good)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, gate.reached.is_set)
        await pilot.pause()
        field(screen, "model-name").focus()
        await pilot.press("down")
        assert listed(screen, "model-name") == ["loading…"]
        assert "loading… ▾" in on_screen(app)
        gate.opened.set()
        await settled(pilot)
        assert listed(screen, "model-name") == ["fake-large", "fake-small"]
        assert "loading" not in on_screen(app)


async def test_thousands_of_models_are_narrowed_by_typing(
    app: Stage, screen: TemplateScreen, server: FakeModelServer
) -> None:
    server.models = json_reply({"object": "list", "data": [{"id": each} for each in MANY]})
    async with running(app) as pilot:
        field(screen, "model-name").focus()
        await pilot.press("down")
        assert listed(screen, "model-name")[-1] == "… and 2900 more: type to narrow the list"
        await press(pilot, *"2999 vendor")
        assert listed(screen, "model-name") == ["vendor39/model-2999-instruct"]
        await pilot.press("down", "enter")
        assert screen.form.values().model == "near:vendor39/model-2999-instruct"
        await pilot.press("down")
        assert listed(screen, "model-name")[0] == "vendor39/model-2999-instruct"


@pytest.mark.parametrize("key", ["f5", "ctrl+r"])
async def test_a_key_asks_for_both_lists_again(
    app: Stage, screen: TemplateScreen, server: FakeModelServer, key: str
) -> None:
    async with running(app) as pilot:
        before = len(server.requests)
        server.models = json_reply({"object": "list", "data": [{"id": "brand-new"}]})
        field(screen, "model-name").focus()
        await press(pilot, "down", key)
        assert listed(screen, "model-name") == ["brand-new"]
        assert screen.form.values().model == "near:fake-small"
        assert len(server.requests) == before + 2  # whether it is there, and what it has


async def test_a_server_that_was_started_meanwhile_is_found(
    app: Stage, screen: TemplateScreen, server: FakeModelServer
) -> None:
    good, server.models = server.models, status(500, {"error": "no engine"})
    async with running(app) as pilot:
        assert shown_error(screen, "model") == "At home is overloaded or broken (500): no engine"
        assert is_quiet(screen)
        assert "no list ▾" in on_screen(app)
        server.models = good
        field(screen, "model-provider").focus()
        await press(pilot, "f5")
        assert shown_error(screen, "model") == ""
        field(screen, "model-name").focus()
        await pilot.press("down")
        assert listed(screen, "model-name") == ["fake-large", "fake-small"]


async def test_what_the_chosen_provider_lacks_is_said_at_it_and_moves_nothing(
    app: Stage, screen: TemplateScreen
) -> None:
    async with running(app, (120, 40)) as pilot:
        places = [widget.region for widget in screen.query("TextField, PreviewText, Picker")]
        field(screen, "model-provider").focus()
        await press(pilot, *"groq")
        assert shown_error(screen, "model") == "GROQ_API_KEY is not set"
        assert is_quiet(screen)
        assert [widget.region for widget in screen.query("TextField, PreviewText, Picker")] == places
        await pilot.press("tab", "down")
        assert listed(screen, "model-name")[0] == "well-known names (GROQ_API_KEY is not set)"
        await press(pilot, "escape", "f2")
        assert shown_error(screen, "model") == "choose a model, or type its name"
        assert not is_quiet(screen)
        await press(pilot, "x", "f2")
        assert shown_error(screen, "model") == "GROQ_API_KEY is not set"
        assert app.said() == ["template saved"]


async def test_without_models_or_a_provider_the_list_says_so(
    app: Stage, screen: TemplateScreen, server: FakeModelServer
) -> None:
    server.models = json_reply({"object": "list", "data": []})
    async with running(app) as pilot:
        for name, said in (("model-name", "it lists no models: type a name"), ("srt-name", "choose a provider first")):
            field(screen, name).focus()
            await pilot.press("down")
            assert listed(screen, name) == [said]
            await pilot.press("enter")
            assert picker(screen, name).value == ("fake-small" if name == "model-name" else "")


async def test_a_list_that_comes_late_is_not_shown_as_that_of_another_provider(
    app: Stage, screen: TemplateScreen
) -> None:
    async with running(app) as pilot:
        screen.form.set_models("model", "openai", ["not-of-near"])
        screen.form.fail_models("model", "openai", "not about near")
        field(screen, "model-name").focus()
        await pilot.press("down")
        assert listed(screen, "model-name") == ["fake-large", "fake-small"]
        assert shown_error(screen, "model") == ""


@pytest.mark.parametrize("size", [(60, 16), (80, 24), (120, 30)])
@pytest.mark.parametrize("id", ["model-provider", "srt-provider"])
async def test_a_list_covers_neither_its_field_nor_the_line_of_keys(
    app: Stage, screen: TemplateScreen, size: tuple[int, int], id: str
) -> None:
    async with running(app, size) as pilot:
        field(screen, id).focus()
        await press(pilot, "down")
        covered = picker(screen, id).query_one(OptionList).region
        assert covered.height > 1
        assert not covered.overlaps(field(screen, id).region)
        assert not covered.overlaps(screen.query_one(KeyLine).region)


@pytest.mark.parametrize("key", ["question_mark", "f1"])
async def test_the_key_for_all_keys_shows_them_and_leaves_the_field_as_it_is(service: LocalService, key: str) -> None:
    async with opened(service, section="4") as pilot:
        await pilot.press("tab", "o", "down")
        shown = pilot.app.screen.query_one("#model-provider", Picker)
        await until(pilot, lambda: shown.is_open)
        await pilot.press(key)
        await until(pilot, lambda: isinstance(pilot.app.screen, KeysScreen))
        assert (shown.value, shown.is_open) == ("o", False)
