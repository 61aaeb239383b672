"""``lode template``: the one prompt template of a profile."""

from __future__ import annotations

from dataclasses import replace

import click

from tui.cli.arguments import WrongUsage, read_option
from tui.cli.context import Context
from tui.cli.output import console
from tui.cli.output.details import put_deletion, put_fields
from tui.cli.root import Group, takes_json
from tui.errors import NotFound
from tui.records.answers import LlmTemplate, NewTemplate
from tui.records.pages import to_json
from tui.service.protocol import Service


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


@template.command("set")
@click.option("--model", metavar="SEL", help="provider:model")
@click.option("--prompt", metavar="TEXT|@FILE", help="The prompt, a Jinja2 template (- reads standard input).")
@click.option("--sys-msg", metavar="TEXT|@FILE", help="The system message.")
@click.option("--srt-model", metavar="SEL", help="The model that mends subtitles; empty: the same.")
@click.option("--srt-sys-msg", metavar="TEXT|@FILE", help="Its system message; empty: the built-in one.")
@takes_json
def set_template(
    context: Context,
    model: str | None,
    prompt: str | None,
    sys_msg: str | None,
    srt_model: str | None,
    srt_sys_msg: str | None,
    as_json: bool,
) -> None:
    """Save the template; what isn't given stays as it is."""
    given = {
        "model": model,
        "prompt": read_option(prompt, "the prompt"),
        "sys_msg": read_option(sys_msg, "the system message"),
        "srt_model": srt_model,
        "srt_sys_msg": read_option(srt_sys_msg, "the subtitles system message"),
    }
    changes = {name: value for name, value in given.items() if value is not None}
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
