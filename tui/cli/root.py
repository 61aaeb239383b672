"""The commands by name; the module behind a name is imported only when that command is used."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from tui import __version__
from tui.cli.arguments import PlaceOnDisk, WrongUsage
from tui.cli.context import Context
from tui.cli.output import console
from tui.errors import InvalidInput

SECTIONS: dict[str, dict[str, tuple[str, str]]] = {
    "Library": {
        "add": ("add", "Import files, folders, archives, addresses or the samples."),
        "transcribe": ("transcribe", "Turn a recording into a transcript."),
        "files": ("files", "Imported files: list, show, read anew, delete."),
        "transcripts": ("transcripts", "Transcripts: list, show, export, edit, pair, delete."),
        "fix": ("reviews", "Have a model correct a transcript, for review."),
        "translate": ("reviews", "Have a model translate a transcript, for review."),
        "mine": ("mining", "Break down many words of a transcript at once."),
        "review": ("reviews", "What models propose: list, show, take, leave, apply, drop."),
        "read": ("read", "Open the app at a transcript, or where you read last."),
        "bookmarks": ("bookmarks", "Bookmarks in transcripts: list, add, delete."),
        "search": ("search", "Find words in everything: sentences, clips, words …"),
        "clips": ("clips", "Kept clips: list, show, edit, fill, tag, delete, give a voice."),
        "views": ("views", "Searches with a name: list, add, rename, delete."),
        "dictionaries": ("dictionaries", "What words mean: add, list, show, order, delete."),
        "words": ("known_words", "Words you know: list, mark, import, export, stats, next."),
        "follow": ("files", "Read along while mpv plays the film."),
        "audio": ("files", "Write the speech of a film, without the gaps."),
        "export": ("deck", "Write clips as an Anki deck, or as a list."),
        "deck": ("deck", "The note type that cards are of, and its fields."),
        "push": ("deck", "Put all clips straight into the Anki that runs here."),
        "profiles": ("library", "Profiles of the library, and their settings: list, show, set."),
    },
    "Models": {
        "breakdown": ("llm", "Break a word down in its sentence."),
        "explain": ("llm", "Explain a whole sentence."),
        "ask": ("llm", "Ask on about an answer."),
        "preview": ("llm", "Show what a model would be asked."),
        "template": ("llm", "The prompt template: show, set, delete."),
        "providers": ("llm", "Which providers can be used here."),
        "models": ("llm", "The models of a provider; whisper: those on this disk."),
        "history": ("history", "Earlier answers: list, show, delete."),
        "usage": ("history", "What the answers took, per month and model."),
    },
    "Care": {
        "jobs": ("jobs", "Imports and other work: list, follow, cancel, retry, readings."),
        "serve": ("serve", "Offer this library over HTTP."),
        "inbox": ("inbox", "Take cards of Yomitan, asbplayer, mpvacious and others."),
        "undo": ("library", "Undo the last deletion, clip, edit or mark, or an older one."),
        "redo": ("library", "Redo what was undone last."),
        "backup": ("library", "Copy the whole database."),
        "config": ("settings", "Settings in config.toml: show, set, edit, check."),
        "doctor": ("doctor", "Check everything, and say what to do."),
        "help": ("help", "Guides, a subject each: films, anki, models, server …"),
        "keys": ("keys", "All keys of the app."),
        "completion": ("completion", "Let your shell complete commands, options and values."),
    },
}
"""Section of the help → command → the module of ``tui.cli.commands`` that has it, and its help."""
_MODULES = {name: module for section in SECTIONS.values() for name, (module, _) in section.items()}

EXAMPLES = """\b
Examples:
  lode add --samples
  lode add ~/subtitles --language de
  lode transcripts list --search zug
  lode breakdown "Der Zug fährt ab." --focus fährt --save
  echo "Der Zug fährt ab." | lode explain - --json
  lode export german.apkg
"""


def _remember(context: click.Context, option: click.Parameter, value: Any) -> None:
    given = context.ensure_object(Context)
    if option.name == "url" and value == "":
        raise click.BadParameter("it is empty; local means this machine's own library", context, option)
    if value is not None:
        setattr(given, str(option.name), value)


def _common_options() -> list[click.Parameter]:
    kept: dict[str, Any] = {"expose_value": False, "callback": _remember}
    place = PlaceOnDisk(file_okay=False, path_type=Path)
    shown: dict[str, Any] = {"expose_value": False, "callback": _put_help, "is_flag": True, "is_eager": True}
    return [
        click.Option(["--profile"], metavar="NAME", help="Work in this profile.", **kept),
        click.Option(["--home"], metavar="DIR", type=place, help="Keep data and settings in this directory.", **kept),
        click.Option(["--url"], metavar="URL", help="Use the library of a server: lode serve.", **kept),
        click.Option(["-h", "--help"], help="Show this message and exit.", **shown),
    ]


def _put_help(context: click.Context, option: click.Parameter, value: bool) -> None:
    # Not click's own, which prints past ``output``: a full disk or a closed pipe would look like a fault of Lode's.
    if value and not context.resilient_parsing:
        console.put(context.get_help())
        context.exit()


def _put_version(context: click.Context, option: click.Parameter, value: bool) -> None:
    if value and not context.resilient_parsing:
        console.put(f"lode {__version__}")
        context.exit()


_WHOLE = 500
"""Characters of a command's first sentence at most."""


class Suggesting(click.Command):
    """A command that says which option may be meant by one that there is not."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            from tui.cli.suggestions import suggest_option

            known = {name for param in self.get_params(ctx) for name in param.opts}
            hint = suggest_option(error.option_name, known) or f"{ctx.command_path} --help"
            wrong = WrongUsage(f"there is no option {error.option_name[:80]!r}", hint=hint)
            wrong.ctx = ctx
            raise wrong from error


class Command(Suggesting):
    """A command that takes the common options too, so that they may stand before and after its name."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.params += _common_options()

    def invoke(self, ctx: click.Context) -> Any:
        """Raises ``InvalidInput`` for arguments with bytes that are no text; names of files may have such."""
        for param in self.params:
            if not isinstance(param.type, click.Path) and not _is_text(ctx.params.get(param.name or "")):
                raise InvalidInput(
                    f"{param.get_error_hint(ctx)} is not UTF-8 text", hint="check the encoding of the terminal"
                )
        return super().invoke(ctx)


def _is_text(value: object) -> bool:
    """Python passes bytes that are not UTF-8 on as surrogates; ``@FILE`` is a name."""
    if isinstance(value, tuple):
        return all(map(_is_text, value))
    return (
        not isinstance(value, str) or value.startswith("@") or not any("\ud800" <= char <= "\udfff" for char in value)
    )


class Group(Suggesting, click.Group):
    """Commands in the order in which they were made, with the common options."""

    command_class = Command

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"no_args_is_help": False, "subcommand_metavar": "COMMAND …", **kwargs})
        self.params += _common_options()

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Say what each command does, in a whole sentence: click's own ends with dots where the line is full."""
        commands = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl([(name, each.get_short_help_str(_WHOLE)) for name, each in commands if each is not None])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            if args[0].startswith("-"):
                raise
            raise self._unknown(ctx, args[0]) from error

    def _unknown(self, ctx: click.Context, name: str) -> click.UsageError:
        from tui.cli.suggestions import suggest_command

        known = self.list_commands(ctx)
        hint = suggest_command(name, known, is_root=ctx.parent is None)
        wrong = WrongUsage(f"there is no command {name[:80]!r}", hint=hint or f"there are {', '.join(known)}")
        wrong.ctx = ctx
        return wrong


class LazyGroup(Group):
    """The commands of ``SECTIONS``; help and completion know them without importing them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_MODULES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _MODULES:
            return None
        command: click.Command = getattr(import_module(f"tui.cli.commands.{_MODULES[cmd_name]}"), cmd_name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        # One width for all sections, so that the descriptions stand in one column.
        longest = max(map(len, self.list_commands(ctx)))
        for title, section in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(longest), text) for name, (_, text) in section.items()])

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write("\n" + EXAMPLES.removeprefix("\b\n"))


@click.group(cls=LazyGroup, invoke_without_command=True)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_put_version,
    help="Show the version and exit.",
)
@click.pass_context
def lode(context: click.Context) -> None:
    """Learn a language from what you watch and read.

    Without a command, lode opens the app. --profile, --home and --url may also stand after a
    command.
    """
    if context.invoked_subcommand is None:
        context.exit(context.ensure_object(Context).open_app())


json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def takes_json(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command its ``Context`` and, as ``as_json``, the option ``--json``."""
    return json_option(click.pass_obj(command))
