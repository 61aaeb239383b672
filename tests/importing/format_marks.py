"""The marks that texts of each format are made of: how such a text begins, and what may stand in it."""

from __future__ import annotations

HTML = tuple(
    """<p>¦</p>¦<br>¦<ruby>漢<rt>かん</rt></ruby>¦<ruby>¦<rb>¦<rt>¦</rt>¦<rp>¦</ruby>¦<div>¦</div>¦<nav>¦
    <article>¦<h1>¦
    <a href='x'>¦</a>¦<sup>¦</sup>¦<table>¦<td>¦<pre>¦<code>¦<script>¦</script>¦<!--¦-->¦<![CDATA[¦]]>¦&¦&amp;¦&#x41;¦
    &#9¦<¦>¦<html lang='de'>¦<title>¦</title>¦<head>¦</head>¦<body>¦<li>¦<ul>¦</ul>¦<svg>¦<p/>¦<p hidden>¦<p id='a'>¦
    <section epub:type='endnotes'>""".replace("\n    ", "").split("¦")
)
OFFICE = tuple(
    """<w:p>¦</w:p>¦<w:r>¦<w:t>¦</w:t>¦<w:p><w:r><w:t>a</w:t></w:r></w:p>¦<w:del>¦</w:del>¦<w:ruby>¦<w:rt>¦</w:rt>¦
    </w:ruby>¦<text:p>¦</text:p>¦<text:p>b</text:p>¦<text:h>¦<text:note>¦</text:note>¦<navPoint>¦</navPoint>¦
    <content src='1.xhtml'/>¦<text>¦</text>¦<item id='a' href='x'/>¦<ol>¦</ol>¦<a href='1.xhtml#a'>¦</a>¦
    <nav epub:type='toc'>¦<!DOCTYPE x [<!ENTITY a 'b'>]>¦&a;¦&¦<!--""".replace("\n    ", "").split("¦")
)
_MARKS = {
    "srt": r"¦1¦2¦⏎00:00:01,000 --> 00:00:02,5⏎¦-->¦:¦<i>¦</i>¦<font color=x>¦{\an8}¦{¦[br]¦0:00:01.0,0:00:02.0",
    "vtt": r"""WEBVTT¦⏎00:01.000 --> 00:02.000⏎¦NOTE¦⏎STYLE¦REGION¦<v Bob>¦<c.x>¦</c>¦
    <ruby>漢<rt>かん</rt></ruby>¦<ruby>¦<rt>
    ¦</rt>¦</ruby>¦<00:01.5>¦&lt;¦&¦-¦Language: de¦Kind: captions¦align:start""",
    "ass": r"""[Events]¦⏎Dialogue: 0,0:00:01.00,0:00:02.00,D,,0,0,0,,x¦[Script Info]¦[V4+ Styles]¦
    Format: Start, End, Text
    ¦⏎Dialogue: 0:00:01.00,0:00:02.00,y¦Comment: ¦{\p1}¦{\k20}¦{\k9}かん|<漢¦{\r}¦{¦}¦\N¦\h¦,¦ScriptType: v4.00+""",
    "ssa": r"""[V4 Styles]⏎[Events]¦⏎Dialogue: Marked=0,0:00:01.00,0:00:02.00,D,,0,0,0,,x¦[Script Info]¦
    ScriptType: v4.00¦
    {\b1}¦{¦\N""",
    "lrc": r"[ti:x]¦[00:01.00]¦[01:02]¦[offset:500]¦[offset:-9]¦<00:01.5>¦[¦]¦[0:1]",
    "microdvd": r"{1}{1}25¦{1}{50}¦{5}{}¦{y:i}¦|¦/¦{DEFAULT}¦{¦}¦{C:$0}",
    "mpl2": r"¦[1][20]¦[30][]¦/¦|¦[¦]¦[999999999][9]",
    "tmplayer": r"¦00:00:01:¦0:00:02=¦00:00:03,1=x¦|¦/¦00:00:01,2=",
    "sami": r"""<SAMI><STYLE>.A {lang: ko;}</STYLE><BODY>¦<SYNC Start=1000>¦<SYNC Start=2000><P Class=A>x¦
    <SYNC Start=x>¦<P Class=A>¦<P>¦<br>¦&nbsp;¦<!--¦-->¦</SAMI>¦<¦>¦<ruby>¦<rt>""",
    "ttml": r"""<tt xmlns='x' xml:lang='de'><body><div>¦<p begin='1s' end='2s'>x</p>¦<p begin='1s' end='2s'>¦
    <p begin='x'>¦</p>¦<span ruby='base'>漢</span><span ruby='text'>かん</span>¦<span ruby='text'>¦</span>¦
    <br/>¦</div>¦</body>¦</tt>¦
    <!DOCTYPE tt>¦&amp;¦&a;¦&¦<!--¦-->¦]]>¦<metadata>""",
    "youtube-xml": r"""<timedtext format='3'><pen id='1' rb='1'/><pen id='2' rb='4'/><body>¦<p t='1' d='2'>x</p>¦
    <p t='1' d='2'><s p='1'>漢</s><s p='2'>かん</s></p>¦<p t='2' w='1' a='1'>y</p>¦<p t='1'>¦</p>¦<s p='1'>¦</s>¦
    <text start='1' dur='2'>z</text>¦<text t='1' append='1'>¦</text>¦</body>¦</timedtext>¦&amp;#39;¦&¦<!DOCTYPE x>""",
    "youtube-json": r"""{"wireMagic": "pb3", "pens": [{}, {"rbRuby": 1}, {"rbRuby": 4}], "events": [¦
    {"tStartMs": 1, "dDurationMs": 2, "segs": [{"utf8": "a"}]},¦{"tStartMs": 1, "segs": [{"utf8": "漢", "pPenId": 1},
    {"utf8": "かん", "pPenId": 2}]},¦{"tStartMs": 1, "wWinId": 1, "aAppend": 1, "segs": [{"utf8": "b"}]},¦
    {"tStartMs": 1, "wWinId": 1, "aAppend": 1, "segs": [{"utf8": "\n"}]},¦]}¦{¦[¦null,¦-1¦{"tStartMs": 1e999}""",
    "json": r"""[¦{"start": 1, "end": 2, "text": "a"},¦{"start": "0:01", "text": "b", "speaker": 1},¦
    {"text": "c"},¦{¦}¦[¦]
    ¦,¦"segments": [¦"language": "de",¦{"text": null},¦1e999,¦"\ud800",¦true,¦{"start": 1e999, "text": "d"},¦
    {"offsets": {"from": 1, "to": 2}, "text": "e"},¦"title": "x",""",
    "csv": "start,end,text\n¦0,1,a\n¦0:01,0:02,\"b\"\n¦start;text\n¦start\ttext\n¦\"¦\"\"¦,¦;¦\t¦|¦1,5;2,5;c¦speaker",
    "aozora": """《かんじ》¦｜漢字《かんじ》¦｜¦漢字¦［＃ここから］¦※［＃「x」、第3水準1-84-77］¦
    ※［＃「x」、U+1F600、1-2］¦《《¦》》¦
    底本：x¦-----------------------¦【テキスト中に現れる記号について】¦。""",
    "markdown": """---\ntitle: x\nlang: de\n---\n¦# ¦## ¦- ¦1. ¦> ¦*¦**¦_¦`¦```\n¦[¦]¦](¦)¦![¦|¦|---|\n¦<b>¦
    <ruby>漢<rt>かん</rt></ruby>¦---¦+++¦[^1]¦\\¦~~¦&amp;¦===¦<!--""",
    "txt": "¦One. ¦Two! ¦“three?” ¦… ¦„x“ ¦- ¦— ¦*¦1. ¦z. B. ¦。¦」¦EE. UU. ¦\u2029",
}  # fmt: skip
MARKS = {
    name: (head, tuple(marks))
    for name, (head, *marks) in (
        (name, text.replace("\n    ", "").replace("⏎", "\n").split("¦")) for name, text in _MARKS.items()
    )
} | {"html": ("<!DOCTYPE html><html><body>", HTML)}
"""Format → the beginning of such a text, and what is in one."""

COMMON = (
    *("\n", "\n\n", " ", "\r", "a", "word", "漢字", "\x00", "\x1b[31m", "\u202e", "\ufeff", "\ud800"),
    *("9" * 30, "x" * 400),
)
"""What any text may have."""
