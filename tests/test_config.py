"""The settings file: what it may say, and how it is told what is wrong with it."""

from pathlib import Path

import pytest

from tui import config
from tui.config import ProviderSettings, SpeechSettings
from tui.errors import InvalidInput


def loaded(home: Path, text: str) -> config.Settings:
    (home / "config.toml").write_text(text, "utf-8")
    return config.load(environ={"LODE_HOME": str(home)})


def test_without_a_file_the_defaults_hold(home: Path) -> None:
    settings = config.load(environ={"LODE_HOME": str(home)})
    assert (settings.profile, settings.theme, settings.mouse, dict(settings.keys)) == ("default", "", True, {})
    assert settings.config_path == home / "config.toml"


def test_everything_that_the_file_says_is_taken(home: Path) -> None:
    settings = loaded(
        home,
        """
        profile = "anna"
        default_provider = "local"
        theme = "nord"
        mouse = false
        [keys]
        "list.filter" = "f3,/"
        section.files = "F"
        [providers.local]
        base_url = "http://127.0.0.1:8080/v1/"
        api_key_env = "MY_KEY"
        [providers.ollama]
        timeout = 20
        """,
    )
    assert (settings.profile, settings.default_provider, settings.theme) == ("anna", "local", "nord")
    assert settings.mouse is False
    assert dict(settings.keys) == {
        "list.filter": "f3,/",
        "section.files": "F",
    }  # an id needs no quotation marks for its dot
    assert settings.providers == (
        ProviderSettings("local", "openai", "http://127.0.0.1:8080/v1", "MY_KEY"),
        ProviderSettings("ollama", "openai", "", timeout=20.0),
    )


def test_each_language_may_have_a_voice_of_its_own(home: Path) -> None:
    settings = loaded(
        home,
        """
        [speech]
        with = "openai"
        model = "gpt-4o-mini-tts"
        voice = "coral"
        [speech.de]
        with = "piper"
        model = "voices/de_DE-thorsten-medium.onnx"
        [speech.pt-BR]
        voice = "pt-br+f2"
        """,
    )
    assert dict(settings.speech) == {
        "": SpeechSettings("openai", "gpt-4o-mini-tts", "coral"),
        "de": SpeechSettings("piper", str(home / "voices/de_DE-thorsten-medium.onnx")),
        "pt-br": SpeechSettings(voice="pt-br+f2"),
    }


def test_what_is_wrong_with_the_file_is_named(home: Path) -> None:
    for text, said in (
        ("theme = ", "Invalid value"),
        ("speech = 'piper'", "speech must be a table"),
        ("[speech]\nwith = 'piper'", "[speech] needs model: a file that speaks"),
        ("[speech.de]\nwith = 'openai'\nmodel = 'tts'", "[speech.de] needs voice"),
        ("[speech]\nvoices = 'x'", "there is no setting 'voices' of [speech]; there are with, model, voice"),
        ("[speech]\nvoice = 3", "voice of [speech] must be a text, not 3"),
        ("[speech.'d e']\nvoice = 'x'", "'d e' is no code of a language"),
        ("[prices]\n'x:m' = 3", '[prices] "x:m" must be a table, as in { minute = 0.006 }, not 3'),
        ("[prices]\n'x:m' = { minute = -1 }", "must be the price of a minute of sound"),
        ("[prices]\ncurrency = 3", "currency of [prices] must be a text, not 3"),
        ("thme = 'nord'", "there is no setting 'thme'; there are default_provider, profile, theme"),
        ("mouse = 'no'", "mouse must be true or false, not 'no'"),
        ("[keys]\nquit = 3", '[keys] "quit" must be a key, as in "quit" = "f5", not 3'),
        ("[keys]\nsection.files = 3", '[keys] "section.files" must be a key'),
        ("profile = 'a b'", "'a b' is no profile name"),
        (f"mouse = {'1' * 5000}", "a number in it has too many digits"),
        (f"mouse = 0x{'f' * 5000}", "mouse must be true or false, not a number without end"),
        (f"[keys]\nquit = 0x{'f' * 5000}", "not a number without end"),
        (f"profile = {'[' * 5000}{']' * 5000}", "it is nested too deeply"),
        (f"[keys]\n{'a.' * 3000}b = 'x'", "it is nested too deeply"),
        ("[providers.local]", '[providers.local] needs base_url = "http…"'),
        ("[providers.local]\nbase_url = 'ftp://x'", "must begin with http:// or https://"),
        (
            "[providers.local]\nbase_url = 'http://x'\nkey = 'x'",
            "there is no setting 'key' of [providers.local]; there are",
        ),
        ("[providers.local]\nbase_url = 'http://x'\nlabel = 3", "label of [providers.local] must be a text, not 3"),
        ("[providers.local]\nbase_url = 'http://x'\ntimeout = '60'", "must be 1 to 3600 seconds, as in 60"),
        ("[providers.ollama]\ntimeout = 0", "timeout of [providers.ollama] must be 1 to 3600 seconds"),
        ("[providers.ollama]\ntimeout = true", "as in 60, not True"),
        ("[providers.ollama]\ntimeout = nan", "as in 60, not nan"),
        ("[providers.local]\nbase_url = 'http://x'\nprotocol = 'smtp'", "must be one of openai"),
        ("[providers.'Local!']\nbase_url = 'http://x'", "is no provider name"),
    ):
        with pytest.raises(InvalidInput) as refused:
            loaded(home, text)
        assert said in refused.value.message
        assert refused.value.hint
    (home / "config.toml").write_bytes(b"\xff\xfe\x00")  # no text
    with pytest.raises(InvalidInput, match=r"config\.toml"):
        config.load(environ={"LODE_HOME": str(home)})


def test_a_home_that_is_named_goes_before_the_environment(tmp_path: Path) -> None:
    environ = {"LODE_HOME": str(tmp_path / "elsewhere")}
    assert config.directories(tmp_path / "here", environ) == (tmp_path / "here", tmp_path / "here")
    assert config.directories(None, environ) == (tmp_path / "elsewhere", tmp_path / "elsewhere")
    assert all(place.is_absolute() for place in config.directories(None, {})), "the system says where things are"


def test_a_server_with_its_token_and_anki_with_its_key_can_be_set(home: Path) -> None:
    settings = loaded(home, 'url = "https://lode.example"\ntoken_file = "token"')
    assert settings.url == "https://lode.example"
    assert settings.token_file == home / "token"  # beside the settings
    assert loaded(home, 'url = ""\ntoken_file = ""') == loaded(home, "")
    settings = loaded(home, 'anki_url = "http://127.0.0.1:8766"\nanki_key_env = "MY_ANKI_KEY"')
    assert (settings.anki_url, settings.anki_key_env) == ("http://127.0.0.1:8766", "MY_ANKI_KEY")
    for name in ("url", "anki_url"):
        with pytest.raises(InvalidInput, match=f"{name} must begin with http:// or https://"):
            loaded(home, f'{name} = "lode.example"')


def test_how_texts_look_and_the_cursor_are_said_within_bounds(home: Path) -> None:
    settings = loaded(home, "text_width = 60\nline_spacing = 1\ncursor = true")
    assert (settings.text_width, settings.line_spacing, settings.cursor) == (60, 1, True)
    for wrong in ("text_width = 10", "text_width = true", "line_spacing = 3", 'line_spacing = "1"', "cursor = 1"):
        with pytest.raises(InvalidInput, match=wrong.partition(" ")[0]):
            loaded(home, wrong)
