"""The note type "Lode": its frozen identity, its fields, and the card that shows them.

Anki matches a note type by id and then by the number, names and order of its fields and templates; a field added later
under the same id would make a second note type and conflicting notes. ``MODEL_ID``, ``FIELDS`` and ``TEMPLATE_NAME``
therefore never change. The two sides and the CSS may: move ``DESIGN_DATE`` whenever they do. It stands in the package
as the note type's time of change, or the moment at which the profile's options were changed where that is later: Anki
takes a design only when it is newer than its own, so a card that the learner restyled is not overwritten by every
import.
"""

from __future__ import annotations

from datetime import datetime

from tui.records.settings import CardFront, CardHint, CardOptions, SavedSettings

MODEL_ID = 1_852_370_915
NAME = "Lode"
TEMPLATE_NAME = "Reading"
DESIGN_DATE = 1_795_458_600
"""Time of the last change of the sides or the CSS, in seconds since 1970 (2026-11-23, 18:30)."""

FIELDS = (
    "Expression",
    "ExpressionReading",
    "Lemma",
    "PartOfSpeech",
    "MainDefinition",
    "Sentence",
    "SentenceFurigana",
    "Translation",
    "Explanation",
    "Context",
    "SentenceAudio",
    "Picture",
    "Frequency",
    "MiscInfo",
    "Notes",
    "SourceURL",
)
"""The names that learners' note types (Lapis, Kiku) use where they overlap; those without a source stay empty."""

CARD_KINDS = ("IsWordCard", "IsSentenceCard")
"""Marks ("x") of clips with a focus word, and of those without: for fields by which templates choose a kind of card."""
VALUES = (*FIELDS, "ExpressionFurigana", *CARD_KINDS)
"""Names of all that a note has: the fields of Lode's note type, then what only note types of the learner's own get."""

FIELDS_TO_LEARN = frozenset({"Expression", "ExpressionFurigana", "Lemma", "Sentence", "SentenceFurigana", "Context"})
"""Fields that are in the language that is learned; what is in the others is about it."""

_SENTENCE = "{{#Sentence}}{{Sentence}}{{/Sentence}}{{^Sentence}}{{Expression}}{{/Sentence}}"
_FRONTS: dict[CardFront, str] = {
    "sentence": f'<div class="sentence" dir="auto">{_SENTENCE}</div>',
    "word": '<div class="question" dir="auto">{{#Lemma}}{{Lemma}}{{/Lemma}}{{^Lemma}}{{Expression}}{{/Lemma}}</div>',
    "listening": (
        '{{#SentenceAudio}}<div class="audio" dir="auto">{{SentenceAudio}}</div>{{/SentenceAudio}}\n'
        f'{{{{^SentenceAudio}}}}<div class="sentence" dir="auto">{_SENTENCE}</div>{{{{/SentenceAudio}}}}'
    ),
}
_HINTS: dict[CardHint, str] = {
    "none": "",
    "translation": '\n{{#Translation}}<div class="hint" dir="auto">{{hint:Translation}}</div>{{/Translation}}',
    "reading": (
        "\n{{#ExpressionReading}}"
        '<div class="hint reading_hint" dir="auto">{{hint:ExpressionReading}}</div>{{/ExpressionReading}}'
    ),
}


def make_front(options: CardOptions) -> str:
    """The front's template; it shows something of every note, since Anki makes no card where it is empty."""
    return f'<div class="lode">\n{_FRONTS[options.front]}{_HINTS[options.hint]}\n</div>\n'


def changed_at(settings: SavedSettings) -> int:
    """The note type's time of change for a profile with these settings, in seconds since 1970."""
    if settings.card_changed_at is None:
        return DESIGN_DATE
    return max(DESIGN_DATE, int(datetime.fromisoformat(settings.card_changed_at).timestamp()))


BACK = """\
<div class="lode">
{{#SentenceFurigana}}
<div class="sentence" dir="auto">{{furigana:SentenceFurigana}}</div>
{{/SentenceFurigana}}
{{^SentenceFurigana}}<div class="sentence" dir="auto">@@</div>{{/SentenceFurigana}}
</div>
{{#SentenceAudio}}<div class="lode"><div class="audio" dir="auto">{{SentenceAudio}}</div></div>{{/SentenceAudio}}
<hr id="answer">
<div class="lode">
{{#Translation}}<div class="translation" dir="auto">{{Translation}}</div>{{/Translation}}
{{#Lemma}}<div class="word" dir="auto">{{Lemma}}</div>{{/Lemma}}
{{^Lemma}}{{#MainDefinition}}<div class="word" dir="auto">{{Expression}}</div>{{/MainDefinition}}{{/Lemma}}
{{#ExpressionReading}}<div class="reading" dir="auto">{{Expression}} · {{ExpressionReading}}</div>{{/ExpressionReading}}
{{#PartOfSpeech}}<div class="grammar" dir="auto">{{PartOfSpeech}}</div>{{/PartOfSpeech}}
{{#MainDefinition}}<div class="meaning" dir="auto">{{MainDefinition}}</div>{{/MainDefinition}}
{{#Picture}}<div class="picture" dir="auto">{{Picture}}</div>{{/Picture}}
{{#Explanation}}<div class="explanation" dir="auto">{{Explanation}}</div>{{/Explanation}}
{{#Context}}<div class="context" dir="auto">{{Context}}</div>{{/Context}}
{{#Notes}}<div class="notes" dir="auto">{{Notes}}</div>{{/Notes}}
{{#SourceURL}}<div class="source" dir="auto"><a href="{{text:SourceURL}}">
{{#MiscInfo}}{{MiscInfo}}{{/MiscInfo}}{{^MiscInfo}}{{text:SourceURL}}{{/MiscInfo}}</a></div>{{/SourceURL}}
{{^SourceURL}}{{#MiscInfo}}<div class="source" dir="auto">{{MiscInfo}}</div>{{/MiscInfo}}{{/SourceURL}}
{{#Frequency}}<div class="frequency" dir="auto">frequency: {{Frequency}}</div>{{/Frequency}}
</div>
""".replace("@@", _SENTENCE)

# No unicode-bidi: plaintext, which in WebKit (iOS) goes by words too that have a direction of their own: an explanation
# that begins with a Hebrew word was turned round. dir="auto" leaves them out everywhere.
CSS = """\
.card {
  --ink: #24292f;
  --soft: #626a74;
  --line: #e2e5e9;
  --focus: #0b6e75;
  --paper: #fdfdfc;
  color-scheme: light;
  margin: 0;
  padding: 1.5rem 1.25rem 2rem;
  background: var(--paper);
  color: var(--ink);
  font: 1.125rem/1.6 -apple-system, BlinkMacSystemFont, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  text-align: start;
  -webkit-text-size-adjust: 100%;
}
.card.nightMode, .card.night_mode, .nightMode .card, .night_mode .card {
  --ink: #dfe3e6;
  --soft: #a1a9b1;
  --line: #3a4046;
  --focus: #76c7c0;
  --paper: #1f2326;
  color-scheme: dark;
}
.iphone .card, .ipad .card, .card.iphone, .card.ipad {
  padding-left: max(1.25rem, env(safe-area-inset-left));
  padding-right: max(1.25rem, env(safe-area-inset-right));
  padding-bottom: max(2rem, env(safe-area-inset-bottom));
}
:lang(ja) { font-family: "Hiragino Sans", "Yu Gothic", Meiryo, "Noto Sans CJK JP", "Noto Sans JP", sans-serif; }
:lang(zh), :lang(zh-Hans) {
  font-family: "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", "Noto Sans SC", sans-serif;
}
:lang(zh-Hant), :lang(zh-TW) {
  font-family: "PingFang TC", "Microsoft JhengHei", "Noto Sans CJK TC", "Noto Sans TC", sans-serif;
}
:lang(zh-HK), :lang(zh-Hant-HK), :lang(yue) {
  font-family: "PingFang HK", "Microsoft JhengHei", "Noto Sans CJK HK", "Noto Sans HK", sans-serif;
}
:lang(ko) {
  font-family: "Apple SD Gothic Neo", "Malgun Gothic", "Noto Sans CJK KR", "Noto Sans KR", sans-serif;
  word-break: keep-all;
}
:lang(he), :lang(yi) { font-family: "Arial Hebrew", "Segoe UI", "Noto Sans Hebrew", Arial, sans-serif; }
:lang(ar), :lang(ckb), :lang(ps), :lang(sd), :lang(ug) {
  font-family: "Geeza Pro", "Segoe UI", "Noto Naskh Arabic", "Noto Sans Arabic", Tahoma, sans-serif;
}
:lang(fa) { font-family: "Geeza Pro", Tahoma, Vazirmatn, "Noto Sans Arabic", sans-serif; }
:lang(ur) { font-family: "Noto Nastaliq Urdu", "Geeza Pro", "Segoe UI", sans-serif; }
:lang(th) { font-family: Thonburi, "Leelawadee UI", "Noto Sans Thai", sans-serif; }
:lang(hi), :lang(mr), :lang(ne) {
  font-family: "Kohinoor Devanagari", "Nirmala UI", "Noto Sans Devanagari", sans-serif;
}
.lode, #answer { max-width: 36rem; margin-inline: auto; }
.lode { overflow-wrap: break-word; line-break: strict; }
.lode div, .lode p, .lode li, .lode blockquote { text-align: start; }
.sentence > [lang], .question > [lang], .context > [lang] { display: block; text-align: start; }
.context:has(> [dir="rtl"]) { direction: rtl; }
.sentence { font-size: 1.5rem; line-height: 1.55; }
.question { font-size: 2rem; font-weight: 600; line-height: 1.35; }
.sentence b { color: var(--focus); font-weight: 700; }
.sentence rt { color: var(--soft); font-size: .5em; font-weight: 400; }
.audio { margin-top: .5rem; }
.audio svg { width: 2.25rem; height: 2.25rem; }
.hint { margin-top: .75rem; font-size: 1rem; }
a.hint { color: var(--focus); }
.reading_hint a.hint { font-size: 0; }
.reading_hint a.hint::after { content: "Reading"; font-size: 1rem; }
#answer { height: 0; border: 0; border-top: 1px solid var(--line); margin-block: 1.25rem; }
.translation { color: var(--soft); margin-bottom: 1.25rem; }
.word { color: var(--focus); font-size: 1.3rem; font-weight: 600; line-height: 1.4; }
.reading { font-size: 1rem; }
.grammar { color: var(--soft); font-size: .9rem; }
.meaning { margin-top: .35rem; }
.picture { margin-top: 1.25rem; }
.picture img { display: block; max-width: 100%; max-height: 50vh; height: auto; border-radius: .4rem; }
.explanation { margin-top: 1.25rem; font-size: 1rem; }
.explanation > :first-child { margin-top: 0; }
.explanation > :last-child { margin-bottom: 0; }
.explanation p, .explanation ul, .explanation ol, .explanation blockquote { margin-block: .6rem; }
.explanation ul, .explanation ol { padding-inline-start: 1.4rem; }
.explanation h1, .explanation h2, .explanation h3, .explanation h4, .explanation h5, .explanation h6 {
  margin-block: 1rem .4rem;
  font-size: 1rem;
  font-weight: 600;
}
.explanation hr { border: 0; border-top: 1px solid var(--line); }
.explanation a, .source a { color: var(--focus); }
.explanation code { font: .92em ui-monospace, Menlo, Consolas, monospace; }
.explanation table { display: block; max-width: 100%; overflow-x: auto; border-collapse: collapse; }
.explanation th, .explanation td {
  max-width: 20rem;
  padding: .2rem .6rem;
  border-block-end: 1px solid var(--line);
  text-align: start;
  vertical-align: top;
}
.explanation th { font-weight: 600; }
.explanation pre { overflow-x: auto; }
.explanation blockquote { margin-inline: 0; padding-inline-start: .9rem; border-inline-start: 2px solid var(--line); }
.context {
  margin-top: 1.25rem;
  padding-inline-start: .9rem;
  border-inline-start: 2px solid var(--line);
  color: var(--soft);
  font-size: 1rem;
}
.notes { margin-top: 1.25rem; font-size: 1rem; }
.source { margin-top: 1.5rem; color: var(--soft); font-size: .8rem; }
.frequency { color: var(--soft); font-size: .8rem; }
@media (max-width: 30rem) {
  .card { padding: 1rem .9rem 1.5rem; font-size: 1.0625rem; }
  .sentence { font-size: 1.35rem; }
  .question { font-size: 1.75rem; }
}
"""
