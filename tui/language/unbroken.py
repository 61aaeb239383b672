"""The commonest Japanese words, which BudouX may not cut: pronouns, question words, days, months, counted things.

Its model cuts 月曜日, 昨日, わたし or だから in two, words that are in every film. The pieces are put together again
where a listed word begins and ends with them, so a listed word is never found inside another one or across two. Words
whose parts are often words of their own side by side (はい in 私はいます, いま in いました) are not listed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_WORDS = frozenset(
    """
    わたし わたくし あたし ぼく おれ あなた あんた きみ おまえ かれ かのじょ みんな みな みなさん じぶん だれ どなた
    これ それ あれ どれ ここ そこ あそこ どこ こちら そちら あちら どちら こっち そっち あっち どっち
    この その あの どの こんな そんな あんな どんな こう そう ああ どう なに なぜ どうして いつ いくつ いくら いかが
    きょう きのう あした あさって おととい けさ ゆうべ まいにち
    今日 昨日 明日 今朝 今晩 今夜 昨夜 明後日 一昨日 今週 先週 来週 今月 先月 来月 今年 去年 来年
    毎日 毎朝 毎晩 毎週 毎年
    月曜 火曜 水曜 木曜 金曜 土曜 日曜 月曜日 火曜日 水曜日 木曜日 金曜日 土曜日 日曜日 曜日
    日本 日本人 日本語 大人 子供 子ども 友達 友だち 彼女 お母さん お父さん お兄さん お姉さん 先生 学生 時間 時計
    何か月 何曜日 一番 一緒 一度 一人 二人 大丈夫 本当 全部 自分 名前 何故 間に合う 間に合わ 間に合い 間に合っ
    だから けれど けれども でしょう だろう ましょう しかし それから そして それで それでは たぶん もちろん
    やはり やっぱり
    ありがとう おはよう こんにちは こんばんは さようなら すみません ごめん ください とても ちょっと たくさん もっと
    ずっと きっと すぐ まだ もう また よく ゆっくり はじめて おいしい うれしい かわいい きれい すごい いらっしゃい
    """.split()  # noqa: SIM905 - a list of words is read more easily than one of strings
)
_COUNTED = re.compile(
    r"(?:[一二三四五六七八九十百千万〇零何数]+|[0-9０-９]+)"
    r"(?:年|か月|カ月|ヶ月|ヵ月|月|週間|日間|日|時間|時|分|秒|人|つ|匹|本|枚|回|歳|才|円|度|番|冊|杯|階|個|台|頭|足|羽|軒|通|名)?"
)
_STUCK = {"ですか": ("です", "か")}
"""Pieces that the model leaves whole and that are two words."""
_LONGEST = 12
"""Characters of the longest thing put together."""


def put_together(chunks: Sequence[str]) -> Iterator[str]:
    """The chunks of a text in order, those of a common word as one."""
    at = 0
    while at < len(chunks):
        end = _end_of_word(chunks, at)
        whole = "".join(chunks[at:end])
        yield from _STUCK.get(whole, (whole,))
        at = end


def _end_of_word(chunks: Sequence[str], at: int) -> int:
    """Index behind the longest common word that begins with this chunk, else behind the chunk."""
    whole, end = chunks[at], at + 1
    for last in range(at + 1, len(chunks)):
        whole += chunks[last]
        if len(whole) > _LONGEST:
            break
        if whole in _WORDS or _COUNTED.fullmatch(whole):
            end = last + 1
    return end
