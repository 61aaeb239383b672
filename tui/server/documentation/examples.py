"""One of everything, as the documentation shows it. The lexicon needs no network: each body can be sent as it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tui import __version__
from tui.language.word import Word
from tui.records import dictionaries, words
from tui.records.answers import Answer, FollowUp, LlmTemplate, NewTemplate, ProviderStatus, Usage
from tui.records.clips import Clip, ConcordanceLine, FilledClip, FillReport, FocusWord, KeptClip
from tui.records.dictionaries import FoundEntry, LookUp
from tui.records.exports import DeletedNote, ExportReport, FilmTrouble, KeptNote, MergedDeck, MergeReport
from tui.records.files import EncodingReading, ProfileFile
from tui.records.jobs import Job, upload_job
from tui.records.library import Deletion, Finding, ProfileSummary, Restored
from tui.records.media import AudioTrack, LinkedMedia, MediaInfo, MediaLink, SubtitleTrack
from tui.records.notes import NoteFieldsCheck, UnknownField
from tui.records.own_words import OwnPhrase, OwnWord
from tui.records.pages import to_json
from tui.records.settings import LearnedLanguage, SavedSettings
from tui.records.transcripts import Cue, CueHit, OriginalCue, ReadingPlace, Sentence, Transcript, TranslationPair
from tui.records.vocabulary import NoteType, VocabularyField, VocabularyOffer, VocabularyReport
from tui.service.jobs.kinds import startable
from tui.service.protocol.words import CueWords
from tui.wire import codec

_MODEL = "lexicon:concordance"
_SENTENCE = "Der Zug fährt ab."
_MOMENT = "2026-11-03T18:30:00.000Z"
_FILE, _TRANSCRIPT, _CLIP = "k3qm5v2taz4c", "w7d2hnx6r5ba", "p4zj3c6tq2me"
_JOB, _ANSWER = "b5xr2l7gd4ny", "t6vw3k2sh7fo"
_FOCUS = FocusWord(
    "fährt … ab",
    lemma="abfahren",
    part_of_speech="verb",
    grammar="3rd person singular",
    meanings=("to leave", "to depart"),
    level="A1",
    language="de",
    frequency=3,
    origin="llm",
)
_TEMPLATE = NewTemplate(_MODEL, 'Explain "{{ focus }}" in: {{ sentence }}', "You are a patient teacher.")
_JOB_RECORD = Job(
    _JOB, _FILE, "import", "succeeded", 1.0, "done", None, "upload:0f1e2d3c4b5a6978/story.de.srt", _MOMENT, _MOMENT
)
_CLIP_RECORD = Clip(
    *(_SENTENCE, _TRANSCRIPT, _FILE, 4, 12_500, 14_250, "", "The train is leaving.", _FOCUS),
    *("**abfahren** is a separable verb.", _MODEL, ("travel",), "", "Der letzte Zug"),
    id=_CLIP,
    created_at=_MOMENT,
    updated_at=_MOMENT,
    exported="same",
    audio="5f70bf18" * 8,
    picture="a2c1e0d4" * 8,
)
_FILLED_CLIP = FilledClip(_CLIP_RECORD, ("lemma", "meanings"))
_MEDIA_LINK = MediaLink(
    "/films/Der letzte Zug.mkv", 734_003_200, 1_762_194_600_000_000_000, "0b1c2d3e" * 8, 0, transcript_id=_TRANSCRIPT
)
_AUDIO_TRACK = AudioTrack(1, "de", "", "aac", is_default=True)
_SUBTITLE_TRACK = SubtitleTrack(1, "de", "", "subrip")
_MEDIA_INFO = MediaInfo("matroska", 95_000, (_AUDIO_TRACK,), (_SUBTITLE_TRACK,), has_video=True, width=1280, height=720)
_UNKNOWN_FIELD = UnknownField("Sentense", "Sentence", "Sentence")
_OWN_PHRASE = OwnPhrase("Bescheid sagen", "to tell")
_FOLLOW_UP = FollowUp(
    *("c4rt6mzq2w7e", "Why does ab stand at the end?", "*ab* is separable.", "ollama:qwen3:8b", "complete", None),
    *(401, 30, 980, _MOMENT),
)
_ANSWER_RECORD = Answer(
    id=_ANSWER,
    kind="breakdown",
    model="ollama:qwen3:8b",
    sentence=_SENTENCE,
    focus="fährt",
    context="",
    prompt='Explain "fährt" in: Der Zug fährt ab.',
    sys_msg="You are a patient teacher.",
    focus_word=_FOCUS,
    text="**abfahren** is a separable verb.",
    state="complete",
    error=None,
    input_tokens=213,
    output_tokens=96,
    duration_ms=2140,
    created_at=_MOMENT,
    first_token_ms=310,
    translation="The train is leaving.",
    follow_ups=(_FOLLOW_UP,),
)
_TRANSCRIPT_RECORD = Transcript(_TRANSCRIPT, _FILE, "Der letzte Zug", "de", "import", 28, 95_000, _MOMENT)
_READ_WORD = Word("行っ", 5, 7, lemma="行く", reading="いっ")
_KNOWN_WORD = words.KnownWord("de", "fahren", "", "learning", "user", _MOMENT, 12, 3, 214)
_NEXT_WORD = words.NextWord(
    *(replace(_KNOWN_WORD, state="new", source="", changed_at=""), "fährt", _SENTENCE, _TRANSCRIPT, "Der letzte Zug"),
    *(4, 8, 13, 12_500, 14_250, 1),
)
_COUNTS = words.WordCounts(words=312, different=124, new=31, known=241, sentences=40, one_new=9)
_SHARE = words.TranscriptShare(_TRANSCRIPT, "Der letzte Zug", "de", _COUNTS)
_TEXT_WORD = words.TextWord(8, 13, "fahren", "", "learning")
_CUE_RECORD = Cue(4, 12_500, 14_250, _SENTENCE)
_ORIGINAL_CUE = OriginalCue(4, "labelled", ("speaker",), 12_500, 14_250, f"ANNA: {_SENTENCE}")
_DICTIONARY = dictionaries.Dictionary(
    id="g4tz6wq2rm5k",
    title="German-English FreeDict Dictionary",
    format="dictd",
    revision="1.9",
    source_language="de",
    target_language="en",
    author="",
    url="https://freedict.org",
    description="",
    attribution="German-English FreeDict Dictionary, © 2021 Frank Richter",
    license="GNU General Public License",
    frequency_mode=None,
    entry_count=519_000,
    size_bytes=92_000_000,
    created_at=_MOMENT,
)
_EXAMPLE = dictionaries.Example("Wann fährt er ab?", "When does it leave?")
_SENSE = dictionaries.Sense(("to leave", "to depart"), ("intransitive",), (_EXAMPLE,))
_IPA = ("/ˈapˌfaːʁən/",)
_ENTRY = dictionaries.DictionaryEntry("abfahren", part_of_speech=("verb",), senses=(_SENSE,), pronunciations=_IPA)
_TERM_FREQUENCY = dictionaries.TermFrequency("abfahren", "", 4210, "4210")
_PITCH = dictionaries.PitchAccent("ゆか", 0)
_TERM_PRONUNCIATION = dictionaries.TermPronunciation("abfahren", "", _IPA)
_FIELD = VocabularyField("Front", ("der Hund", "die Katze"))
_EXPORT_REPORT = ExportReport("deck.apkg", "Lode", 2, 1, 40, 0, written=False)
_KEPT_NOTE = KeptNote(_CLIP, "Zug", ("Translation", "Notes"), ("Translation",))
_DELETED_NOTE = DeletedNote(_CLIP, "Bahnhof")
_MERGE_REPORT = MergeReport(
    *("Anki", 2, 1, 40), kept_count=1, conflict_count=1, kept=(_KEPT_NOTE,), deleted_count=1, deleted=(_DELETED_NOTE,)
)
_NOTE_TYPE = NoteType("Basic", (_FIELD, VocabularyField("Back", ("dog", "cat"))), 1204, "Front")
_STATE_COUNT = words.StateCount("de", "known", 900)
_DAY_COUNT = words.DayCount("2026-11-03", 1204)
_WORD_MARK = words.WordMark("de", "Hund")
_FOUND = FoundEntry(_ENTRY, _DICTIONARY, "phrase")

RECORDS: Mapping[str, Any] = {
    type(record).__name__: to_json(record)
    for record in (
        _FOCUS,
        _TEMPLATE,
        _JOB_RECORD,
        upload_job((_JOB_RECORD,)),
        _CLIP_RECORD,
        _ANSWER_RECORD,
        _FOLLOW_UP,
        ProfileFile(
            *(_FILE, "story.de.srt", "subtitle", "srt", "de", 1840, "9f86d081" * 8, 95_000, _MOMENT, _TRANSCRIPT, 28)
        ),
        _TRANSCRIPT_RECORD,
        _CUE_RECORD,
        _ORIGINAL_CUE,
        Sentence(3, 12_500, 16_100, _SENTENCE, None, 4, 5),
        EncodingReading("windows-1251", "ru", ("Слева мы видим реку.", "Я не знаю, что это.")),
        ReadingPlace(4, 2),
        CueHit(_TRANSCRIPT, 4, _SENTENCE),
        TranslationPair(replace(_TRANSCRIPT_RECORD, translation_id="m2c6yq4hd3wu", translation_offset_ms=-1200), 27),
        LlmTemplate(_MODEL, _TEMPLATE.prompt, _TEMPLATE.sys_msg, created_at=_MOMENT, updated_at=_MOMENT),
        LearnedLanguage("ja", "N4"),
        SavedSettings(
            "es",
            (LearnedLanguage("de", "B1"), LearnedLanguage("ja", "N4")),
            card_hint="translation",
            updated_at=_MOMENT,
            card_changed_at=_MOMENT,
        ),
        ProviderStatus(
            "openai",
            "OpenAI",
            False,
            "OPENAI_API_KEY is not set",
            local=False,
            code="missing_key",
            hint="export OPENAI_API_KEY=… before starting Lode",
        ),
        ConcordanceLine(_SENTENCE, 8, 13, "Der letzte Zug", _TRANSCRIPT, 4, 12_500),
        _READ_WORD,
        CueWords(4, (_READ_WORD,)),
        words.WordSummary(replace(_FOCUS, surface="fährt", origin="lexicon"), 3, (3,), 1, 1),
        *(_DICTIONARY, _EXAMPLE, _SENSE, _ENTRY, _TERM_FREQUENCY, _PITCH, _TERM_PRONUNCIATION, _FOUND),
        LookUp("fährt", (_FOUND,), (("Frequencies", _TERM_FREQUENCY),), (("Sounds", _TERM_PRONUNCIATION),)),
        _KNOWN_WORD,
        *(_FIELD, _NOTE_TYPE, _STATE_COUNT, _WORD_MARK),
        VocabularyOffer("anki", (_NOTE_TYPE,), ("Deutsch", "Deutsch::A1")),
        VocabularyReport(
            *("anki", (_STATE_COUNT, words.StateCount("de", "learning", 304)), 1190, 12, 2, 40, 3, 1, (_WORD_MARK,))
        ),
        _TEXT_WORD,
        words.CueStates(4, (_TEXT_WORD,)),
        words.WordPlace(4, 8, 13),
        _NEXT_WORD,
        _COUNTS,
        words.TranscriptCounts(_TRANSCRIPT, _COUNTS),
        _DAY_COUNT,
        words.FrequencyMark(1640, 2000, "Leipzig 2024"),
        words.FrequencyOffer(1300, 1204, "Leipzig 2024", ("Koffer", "bellen")),
        _SHARE,
        words.TranscriptWithCounts.of(_TRANSCRIPT_RECORD, _COUNTS),
        words.WordStats(
            (_STATE_COUNT,), (words.DayCount("2026-11-03", 1204),), (words.DayCount("2026-11-03", 7),), (_SHARE,)
        ),
        _OWN_PHRASE,
        OwnWord("de", "Bescheid", "notice", "no plural", (_OWN_PHRASE,)),
        KeptClip(_CLIP_RECORD, "completed"),
        *(_FILLED_CLIP, FillReport(40, (_FILLED_CLIP,), 2)),
        Deletion(1),
        ProfileSummary("japanese", 3, 3, 41),
        Restored("clip", 1, _SENTENCE),
        Usage("2026-11", "ollama:qwen3:8b", 12, 1, 2610, 1204, 25_400),
        _EXPORT_REPORT,
        _KEPT_NOTE,
        _DELETED_NOTE,
        _MERGE_REPORT,
        MergedDeck(replace(_EXPORT_REPORT, merge=_MERGE_REPORT), _MOMENT, (1795392000000,)),
        Finding("Library", "directory", "ok", "12 MB free for it"),
        *(_MEDIA_LINK, _AUDIO_TRACK, _SUBTITLE_TRACK, _MEDIA_INFO),
        LinkedMedia((_MEDIA_LINK,), _MEDIA_INFO, replace(_JOB_RECORD, kind="clip_media", file_id=None)),
        FilmTrouble(
            "/films/Tag.mkv", 3, "media_missing", "Tag.mkv is not where it was", "lode files link TRANSCRIPT FILM"
        ),
        _UNKNOWN_FIELD,
        NoteFieldsCheck("Anki", "Lapis", False, ("Expression", "Sentence", "Hint"), (_UNKNOWN_FIELD,), ("Hint",)),
    )
} | {
    "DeletedJobs": {"deleted_job_ids": [_JOB]},
    "Health": {"name": "lode", "version": __version__, "interface": codec.INTERFACE},
    "LenientPreview": {"text": "Explain fährt", "error": None},
}
"""By the name of their schema."""
BODIES: Mapping[str, Any] = {
    "Ids": {"ids": [_CLIP]},
    "SelectedClips": {"tag": "travel"},
    "ClipContents": {
        "sentence": _SENTENCE,
        "translation": "The train is leaving.",
        "focus": {"surface": "fährt … ab", "lemma": "abfahren", "meanings": ["to leave"], "language": "de"},
        "tags": ["travel"],
    },
    "NoteTypes": {"note_types": [{"name": "Lapis", "fields": ["Expression", "Sentence", "Hint"]}]},
    "NoteTypeFields": {"name": "Lapis", "fields": ["Expression", "Sentence", "Hint"]},
    "TranscriptChanges": {"title": "Der letzte Zug", "language": "de"},
    "Rereading": {"encoding": "windows-1251"},
    "RereadingFiles": {"ids": [_FILE], "as_is": True},
    "ChosenEncoding": {"encoding": "windows-1251"},
    "TranslationTrack": {"translation_id": "m2c6yq4hd3wu"},
    "WordGroup": {"language": "de", "state": "known", "lemmas": ["Zug", "fahren"]},
    "WordMarks": {"groups": [{"language": "de", "state": "known", "lemmas": ["Zug", "fahren"]}]},
    "FrequentWords": {"language": "de", "count": 2000, "state": "known"},
    "Place": {"transcript_id": _TRANSCRIPT, "cue": 4, "start": 8, "end": 13},
    "WordPlaces": {"places": [{"transcript_id": _TRANSCRIPT, "cue": 4, "start": 8, "end": 13}]},
    "LemmaBody": {"language": "de", "lemma": "Bescheid"},
    "NewJob": {"kind": (startable() or ["import"])[0]},
    "Settings": {"explain_in": "es", "learning": [{"language": "de", "level": "B1"}, {"language": "ja"}]},
    "Preview": {"sentence": _SENTENCE, "focus": "fährt"},
    "Breakdown": {"sentence": _SENTENCE, "focus": "fährt", "model": _MODEL},
    "Explain": {"sentence": _SENTENCE, "model": _MODEL},
    "FollowUpQuestion": {"answer_id": _ANSWER, "question": "Why does ab stand at the end?"},
}
SUBTITLES = "1\n00:00:01,000 --> 00:00:02,500\nDer Zug fährt ab.\n"
TEXTS: Mapping[str, Any] = {
    "list_profiles": ["default", "japanese"],
    "list_models": ["gpt-5-mini"],
    "list_revisions": {"file": "3", "transcript": "7", "clip": "12", "job": "9", "answer": "4", "word": "31"},
    "preview_breakdown": 'Explain "fährt" in: Der Zug fährt ab.',
    "find_cues": [4, 17],
    "list_translations": ["The train is leaving.", ""],
    "export_transcript": to_json(_TRANSCRIPT_RECORD) | {"cues": [to_json(_CUE_RECORD)]},
}
"""Answers that are no records, by the operation."""
STREAMS: Mapping[str, str] = {
    "breakdown": (
        "event: focus\n"
        'data: {"surface":"fährt … ab","lemma":"abfahren","reading":null,"part_of_speech":"verb","grammar":null,'
        '"meanings":["to leave"],"level":null,"language":"de","frequency":3,"origin":"llm",'
        '"translation":"The train is leaving.","sentence_reading":"","other":null}\n\n'
        'data: "**abfahren** is "\n\ndata: "a separable verb."\n\n'
        f'event: done\ndata: {{"state":"complete","answer_id":"{_ANSWER}","kept":false,"model":"ollama:qwen3:8b",'
        '"input_tokens":213,"output_tokens":96,"duration_ms":2140,"cut":false,"nothing_known":false}\n\n'
    ),
    "explain_sentence": (
        'data: "The train "\n\ndata: "is leaving."\n\n: still here\n\n'
        'event: error\ndata: {"code":"stream_cut","message":"the connection broke","hint":"ask again",'
        '"kind":"provider_error"}\n\n'
        f'event: done\ndata: {{"state":"failed","answer_id":"{_ANSWER}","kept":false,"model":"ollama:qwen3:8b",'
        '"input_tokens":null,"output_tokens":null,"duration_ms":1320,"cut":false,"nothing_known":false}\n\n'
    ),
    "follow_up": (
        'data: "*ab* is "\n\ndata: "separable."\n\n'
        'event: done\ndata: {"state":"complete","answer_id":"c4rt6mzq2w7e","kept":false,"model":"ollama:qwen3:8b",'
        '"input_tokens":401,"output_tokens":30,"duration_ms":980,"cut":false,"nothing_known":false}\n\n'
    ),
    "follow_jobs": f"data: {codec.encode(_JOB_RECORD).decode()}\n\nevent: done\ndata: {{}}\n\n",
}
