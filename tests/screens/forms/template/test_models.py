"""Choosing provider and model in the template's form: what is listed, what is said, and what is asked for again."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from textual.content import Content
from textual.pilot import Pilot
from textual.widgets import OptionList

from tests.llm.fakes.fake_server import FakeModelServer, Gate, Reply, json_reply, status
from tests.screens.driving import opened, press_until, until
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
from tui.widgets.forms.picker import Picker, PickerChoice
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


async def choose_provider(pilot: Pilot[None], screen: TemplateScreen, *keys: str) -> None:
    """Press the keys in the field of the provider, emptied."""
    field(screen, "model-provider").focus()
    field(screen, "model-provider").clear()
    await press(pilot, *keys)


async def list_models(pilot: Pilot[None], screen: TemplateScreen, *keys: str) -> list[str]:
    field(screen, "model-name").focus()
    await press(pilot, "down", *keys)
    return listed(screen, "model-name")


async def test_usable_providers_come_first_and_each_brings_its_models(app: Stage, screen: TemplateScreen) -> None:
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
        await pilot.press("escape")
        assert screen.focused is field(screen, "model-provider")
        for typed, then in (("lexicon", "lexicon:"), ("near", "near:fake-small")):
            await choose_provider(pilot, screen, *typed)
            assert screen.form.values().model == then
        assert not screen.has_unsaved_changes, "the model of another provider goes with it and comes back"
        await choose_provider(pilot, screen, *"lex")
        await press(pilot, "enter")  # takes the first that fits
        assert screen.form.values().model == "lexicon:"
        assert listed(screen, "model-name") == ["concordance"], "which goes on to its models"
        await press(pilot, "enter")
        assert screen.form.values().model == "lexicon:concordance"


async def test_enter_opens_the_models_and_of_the_lexicon_the_providers_whose_models_come_then(
    app: Stage, screen: TemplateScreen
) -> None:
    async with running(app) as pilot:
        await press(pilot, "enter")
        assert listed(screen, "model-name") == ["fake-large", "fake-small"]
        await press(pilot, "escape", "shift+tab", *"lex", "enter", "enter", "f2")
        assert (await read_saved(screen)).model == "lexicon:concordance"
        await pilot.press("enter")
        await until(pilot, lambda: bool(listed(screen, "model-provider")))
        await pilot.press("down", "down", "enter")  # openai, then near
        await until(pilot, lambda: listed(screen, "model-name") == ["fake-large", "fake-small"])
        await press(pilot, "enter", "f2")
        assert (await read_saved(screen)).model == "near:fake-small", "the one that was chosen of it before"
        models = picker(screen, "model-name")
        models.value = ""
        models.set_choices((), instead="loading…")
        models.open()
        models.set_choices([PickerChoice("late"), PickerChoice("later")])
        await press(pilot, "enter")
        assert models.value == "late", "the first of a list that came late is taken as of any other"


async def test_the_models_of_the_template_are_there_without_being_asked_for(app: Stage, screen: TemplateScreen) -> None:
    async with running(app) as pilot:
        screen.form.set_models("model", "openai", ["not-of-near"])  # which came late, for another provider
        screen.form.fail_models("model", "openai", "not about near")
        assert await list_models(pilot, screen) == ["fake-large", "fake-small"]
        assert shown_error(screen, "model") == ""
        await press(pilot, "up", "enter", "f2")
        assert (await read_saved(screen)).model == "near:fake-large"


async def test_a_name_that_is_not_listed_is_asked_about_once_and_then_saved(app: Stage, screen: TemplateScreen) -> None:
    async with running(app) as pilot:
        field(screen, "model-name").focus()
        for typed, said in (
            ("one", "At home lists no model one "),
            ("other", "At home lists no model other "),
            (
                "fake-smal",
                "At home lists no model fake-smal; did you mean fake-small? (f2 again saves it all the same)",
            ),
        ):
            field(screen, "model-name").clear()
            await press(pilot, *typed, "escape", "f2")
            assert said in shown_error(screen, "model")
            assert not is_quiet(screen)
        assert app.said() == []
        assert (await read_saved(screen)).model == "near:fake-small"
        await press(pilot, "f2")
        assert (await read_saved(screen)).model == "near:fake-smal"
        assert shown_error(screen, "model") == ""
        screen.query_one(PromptEditor).focus()
        await pilot.press("X", "f2")  # what was insisted on is not asked about again
        await settled(pilot)
        assert app.said() == ["template saved", "template saved"]
        field(screen, "model-provider").value = "lexicon"
        await settled(pilot)
        field(screen, "model-name").value = " Explain the word in its sentence."
        await settled(pilot)
        for _ in range(2):
            await press(pilot, "f2")
            assert "the built-in lexicon has only lexicon:concordance" in shown_error(screen, "model")
            assert field(screen, "model-name").has_focus
        assert (await read_saved(screen)).model == "near:fake-smal", "what the lexicon does not have is never saved"


async def test_well_known_names_stand_in_where_a_provider_has_no_list(app: Stage, screen: TemplateScreen) -> None:
    async with running(app, (120, 40)) as pilot:
        places = [widget.region for widget in screen.query("TextField, PreviewText, Picker")]
        await choose_provider(pilot, screen, *"groq")
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
        await choose_provider(pilot, screen, *"anthropic", "tab", "down")
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
        await choose_provider(pilot, screen, *"ollama", "tab", "down")
        assert listed(screen, "model-name")[1:] == list(WELL_KNOWN["ollama"])
        assert "does not answer" in listed(screen, "model-name")[0]


async def test_while_the_models_are_on_their_way_that_is_said_and_a_name_can_be_typed_and_saved(
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
        await pilot.press(*"my-own:8b", "f2")
        await until(pilot, lambda: app.said() == ["template saved"])
        gate.opened.set()
        await settled(pilot)
        assert "loading" not in on_screen(app)
        assert (await read_saved(screen)).model == "near:my-own:8b"


async def test_lists_are_read_anew_and_narrowed(app: Stage, screen: TemplateScreen, server: FakeModelServer) -> None:
    def lists(*names: str) -> Reply:
        return json_reply({"object": "list", "data": [{"id": each} for each in names]})

    server.models = status(500, {"error": "no engine"})
    async with running(app) as pilot:
        assert shown_error(screen, "model") == "At home is overloaded or broken (500): no engine"
        assert is_quiet(screen)
        assert "no list ▾" in on_screen(app)
        server.models = lists("fake-large", "fake-small")
        field(screen, "model-provider").focus()
        await press(pilot, "f5")
        assert shown_error(screen, "model") == ""
        assert await list_models(pilot, screen) == ["fake-large", "fake-small"]
        for key, name in (("f5", "brand-new"), ("ctrl+r", "still-newer")):
            before = len(server.requests)
            server.models = lists(name)
            await press(pilot, key)
            assert listed(screen, "model-name") == [name]
            assert len(server.requests) == before + 2  # whether it is there, and what it has
        assert screen.form.values().model == "near:fake-small"
        server.models = lists(*MANY)
        await press(pilot, "f5")
        assert listed(screen, "model-name")[-1] == "… and 2900 more: type to narrow the list"
        field(screen, "model-name").clear()
        await press(pilot, *"2999 vendor")
        assert listed(screen, "model-name") == ["vendor39/model-2999-instruct"]
        await pilot.press("down", "enter")
        assert screen.form.values().model == "near:vendor39/model-2999-instruct"
        await pilot.press("down")
        assert listed(screen, "model-name")[0] == "vendor39/model-2999-instruct"
        server.models = lists()
        await press(pilot, "f5")
        for name, said in (("model-name", "it lists no models: type a name"), ("srt-name", "choose a provider first")):
            field(screen, name).focus()
            before_enter = picker(screen, name).value
            await pilot.press("down")
            assert listed(screen, name) == [said]
            await pilot.press("enter")
            assert picker(screen, name).value == before_enter


async def test_a_list_covers_neither_its_field_nor_the_line_of_keys(app: Stage, screen: TemplateScreen) -> None:
    async with running(app) as pilot:
        for size in ((60, 16), (80, 24), (120, 30)):
            await pilot.resize_terminal(*size)
            for id in ("model-provider", "srt-provider"):
                field(screen, id).focus()
                await press(pilot, "down")
                covered = picker(screen, id).query_one(OptionList).region
                assert covered.height > 1
                assert not covered.overlaps(field(screen, id).region)
                assert not covered.overlaps(screen.query_one(KeyLine).region)
                await press(pilot, "escape")


async def test_the_key_for_all_keys_shows_them_and_leaves_the_field_as_it_is(service: LocalService) -> None:
    async with opened(service, section="4") as pilot:
        await pilot.press("tab", "o")
        shown = pilot.app.screen.query_one("#model-provider", Picker)
        for key in ("question_mark", "f1"):
            await pilot.press("down")
            await until(pilot, lambda: shown.is_open)
            await press_until(pilot, key, at=KeysScreen)
            assert (shown.value, shown.is_open) == ("o", False)
            await pilot.press("escape")
