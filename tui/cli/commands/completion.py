"""``lode completion``: the script that lets a shell complete ``lode``, written out or put where the shell finds it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import click

from tui.cli.completion import SHELLS, read_script
from tui.cli.output import console
from tui.cli.root import Command
from tui.errors import InvalidInput
from tui.system.temporary import replace_text


@click.command(cls=Command)
@click.argument("shell", type=click.Choice(SHELLS))
@click.option("--install", is_flag=True, help="Put it where the shell finds it, and say where that is.")
def completion(shell: str, install: bool) -> None:
    """Write the script that lets your SHELL complete commands, options, ids, titles, languages, models and files.

    lode completion bash --install puts it where new shells find it; without --install it goes to standard output.
    """
    script = read_script(shell)
    if not install:
        console.put(script, end="")
        return
    path = _place(shell, os.environ)
    try:
        replace_text(path, script)
    except OSError as error:
        raise InvalidInput(
            f"{path} cannot be written: {error.strerror or error}", hint=f"lode completion {shell} > FILE"
        ) from error
    console.put(str(path))
    console.tell(_NEXT[shell])


_NEXT = {
    "bash": "new shells have it where bash-completion is installed; else add to ~/.bashrc: source that file",
    "zsh": "add to ~/.zshrc, before compinit: fpath=(~/.zfunc $fpath); autoload -Uz compinit && compinit",
    "fish": "new shells have it",
}


def _place(shell: str, environ: Mapping[str, str]) -> Path:
    """The file that a shell reads by itself, or, of zsh, a folder that is often made for such."""
    home = Path.home()
    match shell:
        case "bash":
            given = environ.get("BASH_COMPLETION_USER_DIR")
            data = Path(environ.get("XDG_DATA_HOME") or home / ".local" / "share")
            return (Path(given) if given else data / "bash-completion") / "completions" / "lode"
        case "fish":
            return Path(environ.get("XDG_CONFIG_HOME") or home / ".config") / "fish" / "completions" / "lode.fish"
        case _:
            return home / ".zfunc" / "_lode"
