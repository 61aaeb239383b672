"""Suggestions for commands and options that there are not: what is spelled like them, and verbs that people type.

Imported where something was typed wrongly.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches

_VERBS: Mapping[str, Sequence[str]] = {
    **dict.fromkeys(("ls", "all", "index"), ("list",)),
    **dict.fromkeys(("rm", "remove", "del", "drop", "erase"), ("delete",)),
    **dict.fromkeys(("cat", "get", "view", "print", "info", "open"), ("show",)),
    **dict.fromkeys(("new", "create", "import"), ("add", "import", "set")),
    **dict.fromkeys(("change", "update", "modify", "rename"), ("edit", "set")),
    **dict.fromkeys(("find", "grep", "search", "filter"), ("list --search",)),
    **dict.fromkeys(("save", "write", "download"), ("export",)),
    **dict.fromkeys(("stop", "kill", "abort"), ("cancel",)),
    **dict.fromkeys(("again", "restart", "resume"), ("retry",)),
    **dict.fromkeys(("watch", "wait", "tail", "progress"), ("follow",)),
    **dict.fromkeys(("learn", "study", "todo"), ("next",)),
    **dict.fromkeys(("know", "known", "ignore", "state"), ("mark",)),
    **dict.fromkeys(("sort", "move", "prefer"), ("order",)),
    **dict.fromkeys(("validate", "test", "lint", "doctor"), ("check",)),
}
"""Verb that people type in a group → the commands that do so, of which a group has some."""
_ANYWHERE: Mapping[str, Sequence[str]] = {
    **dict.fromkeys(("ls", "list", "all"), ("transcripts list", "clips list", "files list")),
    **dict.fromkeys(("rm", "remove", "del", "delete"), ("transcripts delete", "clips delete", "files delete")),
    **dict.fromkeys(("show", "cat", "view", "info"), ("read", "transcripts show", "clips show")),
    **dict.fromkeys(("import", "load", "new", "create", "fetch", "get"), ("add",)),
    **dict.fromkeys(("find", "grep", "query"), ("search",)),
    **dict.fromkeys(("open", "edit", "reader", "resume", "continue"), ("read",)),
    **dict.fromkeys(("settings", "setting", "preferences", "prefs", "options", "conf"), ("config", "profiles set")),
    **dict.fromkeys(("set", "init", "setup", "configure"), ("config set", "profiles set")),
    **dict.fromkeys(("language", "languages", "level", "user", "users", "account"), ("profiles set",)),
    **dict.fromkeys(("bindings", "shortcuts", "hotkeys", "keymap", "keybindings"), ("keys",)),
    **dict.fromkeys(("man", "manual", "docs", "guide", "guides", "tutorial"), ("help",)),
    **dict.fromkeys(("version", "--v", "about"), ("--version",)),
    **dict.fromkeys(("anki", "sync"), ("push", "export")),
    **dict.fromkeys(("apkg", "csv", "save", "download"), ("export",)),
    **dict.fromkeys(("cards", "card", "flashcards", "notes"), ("clips list", "export")),
    **dict.fromkeys(("lookup", "define", "dict", "meaning", "word"), ("dictionaries show",)),
    **dict.fromkeys(("mark", "known", "know", "vocabulary", "vocab"), ("words mark", "words list")),
    **dict.fromkeys(("learn", "study", "review", "next"), ("words next",)),
    **dict.fromkeys(("stats", "statistics", "progress"), ("words stats", "usage")),
    **dict.fromkeys(("translate", "grammar"), ("explain",)),
    **dict.fromkeys(("chat", "followup", "follow-up"), ("ask",)),
    **dict.fromkeys(("play", "watch", "mpv"), ("follow",)),
    **dict.fromkeys(("listen", "mp3", "sound"), ("audio",)),
    **dict.fromkeys(("tts", "voice", "speak", "say"), ("clips speak",)),
    **dict.fromkeys(("prompt", "prompts", "system"), ("template",)),
    **dict.fromkeys(("model", "llm", "provider"), ("models", "providers")),
    **dict.fromkeys(("cost", "costs", "tokens", "billing"), ("usage",)),
    **dict.fromkeys(("log", "logs", "answers"), ("history",)),
    **dict.fromkeys(("server", "start", "web", "http", "api"), ("serve",)),
    **dict.fromkeys(("check", "status", "diagnose", "repair", "health"), ("doctor",)),
    **dict.fromkeys(("revert", "restore", "rollback"), ("undo",)),
    **dict.fromkeys(("copy", "dump", "snapshot"), ("backup",)),
    **dict.fromkeys(("queue", "tasks", "imports", "cancel", "retry"), ("jobs",)),
    **dict.fromkeys(("completions", "complete", "autocomplete", "shell"), ("completion",)),
    **dict.fromkeys(("episodes", "subtitles", "subs", "srt", "texts", "movies", "films"), ("transcripts",)),
}
"""Word that people type after ``lode`` → the commands that do so, the likeliest first."""
_CLOSE, _CLOSE_OPTION = 0.6, 0.75
"""Likeness from which on a command or an option may be meant: all options share their dashes."""


def suggest_command(typed: str, known: Sequence[str], *, is_root: bool) -> str:
    """The hint for a command that there is not in a group whose commands are ``known``; "" where nothing is near."""
    word, verbs = typed.casefold(), _ANYWHERE if is_root else _VERBS

    def mean(verb: str) -> list[str]:
        return [each for each in verbs.get(verb, ()) if each.startswith("-") or each.split()[0] in known]

    meant = mean(word)
    if not meant:
        near = get_close_matches(word, known, 1, _CLOSE)
        begun = [each for each in known if len(word) > 1 and each.startswith(word)]
        meant = list(dict.fromkeys((*begun, *near)))
    if not meant:
        meant = [each for verb in get_close_matches(word, verbs, 1, _CLOSE_OPTION) for each in mean(verb)]
    return _say(meant)


def suggest_option(typed: str, known: Iterable[str]) -> str:
    """The hint for an option that there is not; "" where nothing is near."""
    options = sorted(each for each in known if each.startswith("--"))
    word = f"--{typed.lstrip('-').casefold().replace('_', '-')}"
    begun = [each for each in options if len(word) > 3 and each.startswith(word)]
    return _say(begun[:3] or get_close_matches(word, options, 1, _CLOSE_OPTION))


def _say(meant: Sequence[str]) -> str:
    if not meant:
        return ""
    *others, last = meant
    return f"did you mean {', '.join(others)} or {last}?" if others else f"did you mean {last}?"
