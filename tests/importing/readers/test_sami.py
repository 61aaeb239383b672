from __future__ import annotations

from tui.importing.readers.sami import find_style_language, is_sami, read_sami

ORDINARY = """<SAMI>
<HEAD><TITLE>A film</TITLE>
<STYLE TYPE="text/css"><!--
P { margin-left: 8pt; font-size: 16pt; }
.KRCC { Name:Korean; lang:ko-KR; SAMIType:CC; }
.ENCC { Name:English; lang:en-US; SAMIType:CC; }
--></STYLE></HEAD>
<BODY>
<SYNC Start=1000><P Class=KRCC>
첫 <font color="#ffff00">번째</font><br>둘째 줄
<SYNC Start=2000><P Class=KRCC>&nbsp;
<SYNC Start=3000><P Class=KRCC>R&amp;D &lt;3 &#51069;
</BODY>
</SAMI>"""


def spans(text: str) -> list[tuple[int | None, int | None, str]]:
    return [(cue.start_ms, cue.end_ms, cue.text) for cue in read_sami(text.split("\n"))]


def test_a_cue_lasts_to_the_next_sync_and_the_last_one_five_seconds() -> None:
    assert spans(ORDINARY) == [(1000, 2000, "첫 번째\n둘째 줄"), (3000, 8000, "R&D <3 읽")]


def test_the_language_is_the_one_of_the_first_class_that_is_used() -> None:
    assert find_style_language(ORDINARY) == "ko-KR"
    assert find_style_language(ORDINARY.replace("Class=KRCC", 'class="encc"')) == "en-US"
    assert find_style_language("<SYNC Start=1><P Class=KRCC>x") is None


def test_syncs_are_read_however_they_are_written() -> None:
    rows: list[str] = [
        "<sync start='1000'><p class=\"x\">a b</p></sync><sync start='2000'><p>&nbsp;</p></sync>",
        "<SYNC\nEncrypted=no Start = 1000 ><P>a\nb\n<SYNC START=2000>",
        "<Sync Start=1000ms>a b<Sync Start=2000ms><P ID=Source>&nbsp;",
        "<SYNC Start=1000><!-- <P>no --><P Class=X>a b</SYNC><SYNC Start=2000></SAMI>",
        "<SYNC Start=1000><P>a b<SYNC Start=soon><P>lost<SYNC Start=2000><P><br/>&nbsp;",
    ]
    for text in rows:
        assert spans(text) == [(1000, 2000, "a b")], text


def test_of_several_classes_at_a_time_the_first_with_text_is_kept() -> None:
    text = "<SYNC Start=1000><P Class=A>&nbsp;<P Class=B>two<P Class=C>three<P Class=b>more"
    assert spans(text) == [(1000, 6000, "two\nmore")]
    assert spans("<SYNC Start=1000><P Class=A>one<SYNC Start=1000><P Class=B>eins<SYNC Start=1500>") == [
        (1000, 1500, "one")
    ]


def test_a_cue_before_an_earlier_sync_lasts_five_seconds() -> None:
    assert spans("<SYNC Start=9000><P>b<SYNC Start=1000><P>a<SYNC Start=2000>") == [
        (9000, 14000, "b"),
        (1000, 2000, "a"),
    ]


def test_text_that_is_no_tag_is_kept_and_controls_are_not() -> None:
    assert spans("<SYNC Start=0><P>a < b > c [/] \x1b[31mred <i") == [(0, 5000, "a < b > c [/] red <i")]


def test_sami_is_known_by_its_beginning() -> None:
    assert is_sami("\n <sami>") and is_sami("<SYNC Start=1>")
    assert not is_sami("About <SAMI>") and not is_sami("<html>")
