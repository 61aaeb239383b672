"""Commands that ask a model, or are about one: ``lode breakdown``, ``explain``, ``ask``, ``template`` and so on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

import click

from tui.cli.arguments import WrongUsage, read_language, read_option, read_sentence, read_text, read_text_or_file
from tui.cli.commands.records import put_all
from tui.cli.context import Context
from tui.cli.lists import Listing, takes_list
from tui.cli.output import console
from tui.cli.output.answer_stream import follow_answer
from tui.cli.output.details import put_deletion, put_fields
from tui.cli.output.tables import Column
from tui.cli.root import Command, Group, json_option, takes_json
from tui.errors import NotFound
from tui.language.focus import find_focus_spans
from tui.records.answers import LlmTemplate, NewTemplate, ProviderStatus
from tui.records.pages import to_json
from tui.records.transcription import WhisperModel
from tui.service.protocol import Service
from tui.service.requests import BreakdownRequest, ExplainRequest, FollowUpRequest, PreviewRequest
from tui.text.sanitize import one_line

F = TypeVar("F", bound=Callable[..., Any])

_ALL_COLUMNS = 100
"""Cells from which on a row has room for a provider's name beside what it lacks."""
_PROVIDERS: tuple[Column[ProviderStatus], ...] = (
    Column("provider", lambda status: status.provider),
    Column("name", lambda status: status.label, wide=True),
    Column("usable", lambda status: "yes" if status.available else "no"),
    Column("where", lambda status: "local" if status.local else "cloud"),
    Column("missing", lambda status: status.reason, wide=True),
)


def _request_options(function: F) -> F:
    for option in (
        json_option,
        click.option("--fresh", is_flag=True, help="Ask anew although the answer is in the history."),
        click.option("--sys-msg", metavar="TEXT|@FILE", help="The system message; else the template's."),
        click.option("--prompt", metavar="TEXT|@FILE", help="The prompt template; else the saved one."),
        click.option("--model", default="", metavar="SEL", help="provider:model; else the template's."),
        click.option("--language", metavar="XX", help="The sentence's language, as a code such as de."),
        click.option("--context", default="", metavar="TEXT|@FILE", help="What stands around the sentence."),
    ):
        function = option(function)
    return function


def _read(
    *, context: str, language: str | None, prompt: str | None, sys_msg: str | None, **rest: Any
) -> dict[str, Any]:
    """The fields that both requests have, from the options that both commands have."""
    return {
        "context": read_text_or_file(context, "the context"),
        "language": read_language(language),
        "prompt": read_option(prompt, "the prompt"),
        "sys_msg": read_option(sys_msg, "the system message"),
        **rest,
    }


@click.command(cls=Command)
@click.argument("sentence")
@click.option("--focus", required=True, metavar="WORD", help="The word, as it stands in the sentence.")
@_request_options
@click.option("--save", is_flag=True, help="Keep the answer as a clip.")
@click.pass_obj
def breakdown(context: Context, /, sentence: str, focus: str, save: bool, as_json: bool, **asked: Any) -> None:
    """Break a word down in its SENTENCE (- reads it from standard input)."""
    sentence = read_sentence(sentence)
    focus = _checked_focus(read_text(focus, "the focus word").strip(), sentence)
    request = BreakdownRequest(sentence=sentence, focus=focus, **_read(**asked))

    kept = request if save else None
    context.finish(lambda service: follow_answer(service, service.llm.breakdown(request), as_json=as_json, save=kept))


@click.command(cls=Command)
@click.argument("sentence")
@_request_options
@click.pass_obj
def explain(context: Context, /, sentence: str, as_json: bool, **asked: Any) -> None:
    """Explain a whole SENTENCE (- reads it from standard input)."""
    request = ExplainRequest(sentence=read_sentence(sentence), **_read(**asked))

    context.finish(lambda service: follow_answer(service, service.llm.explain(request), as_json=as_json))


@click.command(cls=Command)
@click.argument("question")
@click.option("--on", "answer_id", default="", metavar="ANSWER", help="The answer's id; else the newest one.")
@click.option("--model", default="", metavar="SEL", help="provider:model; else the one that answered first.")
@takes_json
def ask(context: Context, /, question: str, answer_id: str, model: str, as_json: bool) -> None:
    """Ask a QUESTION on an answer of the history (- reads it from standard input).

    The model gets what was asked and answered so far; what it answers is kept below the first answer.
    """
    question = read_text(question, "the question").strip()

    async def work(service: Service) -> bool:
        asked_on = answer_id
        if not asked_on:
            newest = (await service.history.page(limit=1)).items
            if not newest:
                raise NotFound("nothing has been asked yet", hint="begin with lode breakdown or lode explain")
            asked_on = newest[0].id
        events = service.llm.ask_on(FollowUpRequest(asked_on, question, model))
        return await follow_answer(service, events, as_json=as_json)

    context.finish(work)


@click.command(cls=Command)
@click.option("--sentence", required=True, metavar="TEXT", help="A sample sentence (- reads standard input).")
@click.option("--focus", default="", metavar="WORD", help="A sample focus word.")
@click.option("--context", default="", metavar="TEXT|@FILE", help="What stands around the sentence.")
@click.option("--language", metavar="XX", help="The sentence's language, as a code such as de.")
@click.option("--prompt", metavar="TEXT|@FILE", help="The prompt template; else the saved one.")
@takes_json
def preview(context: Context, /, sentence: str, focus: str, prompt: str | None, as_json: bool, **asked: Any) -> None:
    """Show the prompt that a model would get; no model is asked."""
    request = PreviewRequest(
        sentence=read_text(sentence, "the sentence").strip(),
        focus=read_text(focus, "the focus word"),
        context=read_text_or_file(asked["context"], "the context"),
        prompt=read_option(prompt, "the prompt"),
        language=read_language(asked["language"]),
    )
    rendered = context.run(lambda service: service.llm.preview(request))
    console.put_record(rendered, lambda text: console.put(text.removesuffix("\n")), as_json=as_json)


@click.command(cls=Command)
@takes_list(_PROVIDERS)
def providers(context: Context, how: Listing) -> None:
    """Providers: which can be used here, and what the others miss."""
    is_narrow = how.is_usual and console.is_terminal() and console.width() < _ALL_COLUMNS
    shown = [column for column in _PROVIDERS if column.title != "name" or not is_narrow]
    put_all(shown, context.run(lambda service: service.llm.providers()), how, none="no providers")


@click.command(cls=Command)
@click.argument("provider")
@click.option("--fetch", metavar="NAME", help="With whisper: fetch this model from Hugging Face.")
@takes_json
def models(context: Context, provider: str, fetch: str | None, as_json: bool) -> None:
    """The models that PROVIDER offers, one a line; of whisper, those on this disk and what a fetch would be."""
    if provider == _WHISPER:
        _put_whisper_models(context, fetch, as_json=as_json)
        return
    if fetch is not None:
        raise WrongUsage("only models of whisper are fetched", hint="lode models whisper --fetch NAME")
    found = context.run(lambda service: service.llm.models(provider))
    if as_json:
        console.put_json(found)
        return
    if not found:
        console.tell(f"{one_line(provider)} lists no models")
    for name in found:
        console.put(one_line(name))


_WHISPER = "whisper"


def _put_whisper_models(context: Context, fetch: str | None, *, as_json: bool) -> None:
    async def work(service: Service) -> tuple[WhisperModel, ...]:
        if fetch is not None:
            console.tell(f"fetching {one_line(fetch)} …")
            console.tell(f"it is in {one_line(await service.transcription.fetch_model(fetch))}")
        return await service.transcription.models()

    found = context.run(work)
    if as_json:
        console.put_json([to_json(each) for each in found])
        return
    for each in found:
        here = "on this disk" if each.folder is not None else f"{each.megabytes} MB to fetch"
        console.put(f"{_WHISPER}:{each.name:18}  {here}" if console.is_terminal() else f"{each.name}\t{here}")
    if all(each.folder is None for each in found):
        console.tell("none is on this disk; a good one to begin with: lode models whisper --fetch small")


def _checked_focus(focus: str, sentence: str) -> str:
    """The focus itself, which must stand in the sentence, be it as a part of a word."""
    if not focus:
        raise WrongUsage("the focus word is empty", hint="name a word of the sentence: --focus WORD")
    if not find_focus_spans(sentence, focus, inside_words=True):
        raise WrongUsage(
            f"the focus {focus[:80]!r} does not stand in the sentence",
            hint="write it as it stands there, the parts of a divided word with … between them",
        )
    return focus


@click.group(cls=Group)
def template() -> None:
    """The prompt template: model, prompt and system message."""


@template.command("show")
@takes_json
def show(context: Context, as_json: bool) -> None:
    """Show the template, or the built-in default where none was saved."""

    async def work(service: Service) -> tuple[NewTemplate, LlmTemplate | None]:
        return await service.template.effective(), await service.template.get()

    effective, saved = context.run(work)
    if saved is None:
        console.tell("no template is saved; this is the built-in one")
    if as_json:
        nothing = {"created_at": None, "updated_at": None}
        console.put_json(saved or {**to_json(effective), **nothing})
        return
    put_fields(
        ("model", effective.model),
        ("subtitles model", effective.srt_model or "(as above)"),
        ("saved", saved.updated_at if saved else ""),
    )
    for title, text in (
        ("prompt", effective.prompt),
        ("system message", effective.sys_msg),
        ("subtitles system message", effective.srt_sys_msg),
    ):
        if text:
            console.put(f"\n{title}")
            for line in text.rstrip("\n").split("\n"):
                console.put(f"  {line}".rstrip())


_TEMPLATE_TEXTS = {
    "prompt": "the prompt",
    "sys_msg": "the system message",
    "srt_sys_msg": "the subtitles system message",
}
"""Fields of a template that may be read from a file, as they are called in an error."""


@template.command("set")
@click.option("--model", metavar="SEL", help="provider:model")
@click.option("--prompt", metavar="TEXT|@FILE", help="The prompt, a Jinja2 template (- reads standard input).")
@click.option("--sys-msg", metavar="TEXT|@FILE", help="The system message.")
@click.option("--srt-model", metavar="SEL", help="The model that mends subtitles; empty: the same.")
@click.option("--srt-sys-msg", metavar="TEXT|@FILE", help="Its system message; empty: the built-in one.")
@takes_json
def set_template(context: Context, /, as_json: bool, **given: str | None) -> None:
    """Save the template; what isn't given stays as it is."""
    changes = {name: value for name, value in given.items() if value is not None}
    for name, what in _TEMPLATE_TEXTS.items():
        if name in changes:
            changes[name] = read_text_or_file(changes[name], what)
    if not changes:
        raise WrongUsage("nothing was given to set", hint="give at least one field: lode template set --help")

    async def work(service: Service) -> LlmTemplate:
        return await service.template.save(replace(await service.template.effective(), **changes))

    saved = context.run(work)
    if as_json:
        console.put_json(saved)
    console.tell("the template is saved")


@template.command("delete")
@takes_json
def delete(context: Context, as_json: bool) -> None:
    """Delete the saved template; the built-in one is in force again."""
    deletion = context.run(lambda service: service.template.delete())
    if not deletion.count:
        raise NotFound(
            "no template is saved", hint="the built-in one can't be deleted; see it with: lode template show"
        )
    put_deletion("template", deletion, as_json=as_json)
