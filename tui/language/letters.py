"""The letters beyond ASCII that languages are written with, and the commonest characters of Chinese and Korean.

They tell whether a text can be what it claims to be: an ``ã`` is a letter, but not a German one. Latin letters are
those of CLDR's main exemplar sets (cldr.unicode.org) and the few more that subtitles have in names and loan words.
"""

from __future__ import annotations

from functools import cache

_BEYOND_ASCII = {
    "en": "éèêàâçñöüïëôæœ",
    "de": "äöüßéèàâêç",
    "fr": "àâæçéèêëîïôœùûüÿ",
    "es": "áéíñóúüºª",
    "it": "àéèìíîòóùú",
    "pt": "áâãàçéêíóôõúüºª",
    "ca": "àçéèíïóòúü·",
    "gl": "áéíñóúüï",
    "nl": "áâäçéèêëïíóôöúûü",
    "af": "áâèéêëîïôöû",
    "sv": "åäöéàü",
    "da": "æøåéüä",
    "nb": "æøåéèêòóôüäö",
    "nn": "æøåéèêòóôüäö",
    "no": "æøåéèêòóôüäö",
    "fi": "äöåšžéü",
    "is": "áðéíóúýþæö",
    "fo": "áðíóúýæø",
    "ga": "áéíóú",
    "cy": "âêîôûŵŷáéíóúäëïöü",
    "pl": "ąćęłńóśźżé",
    "cs": "áčďéěíňóřšťúůýžöü",
    "sk": "áäčďéíĺľňóôŕšťúýž",
    "hu": "áéíóöőúüű",
    "ro": "ăâîșțşţ",
    "hr": "čćđšž",
    "bs": "čćđšž",
    "sl": "čšžćđ",
    "sq": "çë",
    "tr": "çğıöşüâîûİ",
    "az": "əçğıöşüİ",
    "et": "äöõüšž",
    "lv": "āčēģīķļņšūž",
    "lt": "ąčęėįšųūž",
    "eo": "ĉĝĥĵŝŭ",
    "mt": "ċġħżàèìòù",
    "id": "é",
    "ms": "é",
    "vi": "àáâãèéêìíòóôõùúýăđĩũơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ",
    "ru": "абвгдеёжзийклмнопрстуфхцчшщъыьэюя",
    "uk": "абвгґдеєжзиіїйклмнопрстуфхцчшщьюяы",
    "be": "абвгдеёжзійклмнопрстуўфхцчшыьэюя",
    "bg": "абвгдежзийклмнопрстуфхцчшщъьюя",
    "sr": "абвгдђежзијклљмнњопрстћуфхцчџш",
    "mk": "абвгдѓежзѕијклљмнњопрстќуфхцчџшѐѝ",
    "kk": "абвгдеёжзийклмнопрстуфхцчшщъыьэюяәғқңөұүһі",
    "el": "αβγδεζηθικλμνξοπρσςτυφχψωάέήίϊΐόύϋΰώ",
}
"""Base language → its letters in lower case, composed (NFC)."""

_COMMON_SIMPLIFIED = (
    "的一是不了我你在有人他这们就那么到来要说上会大没个她去什也好吧知道可以看都想能吗过时得里子为着对还自和"
    "把很生后天地下啊让家只出样现心做起发给谁怎请再情事被当真点从谢定走但找面前回年中小别用开些见话多才两"
    "此与而之其所无如于又因已方等曰国月日"
)
_COMMON_TRADITIONAL = (
    "的一是不了我你在有人他這們就那麼到來要說上會大沒個她去什也好吧知道可以看都想能嗎過時得裡裏子為著對還自和"
    "把很生後天地下啊讓家只出樣現心做起發給誰怎請再情事被當真點從謝定走但找面前回年中小別用開些見話多才兩"
    "此與而之其所無如於又因已方等曰國月日"
)
_COMMON_HANGUL = (
    "이가는을를에의도하고다지어나그아해거은니야내네너사있라자리기로게서요들안수한만무없정일대시뭐우면데말보여"
    "인했까잖할제건주전좀구저왜던돼알았었습같"
)


@cache
def letters_of(language: str) -> frozenset[str] | None:
    """Its letters beyond ASCII, small and capital; None for a language whose letters are not known here."""
    small = _BEYOND_ASCII.get(language)
    return None if small is None else frozenset(small) | frozenset(small.upper())


@cache
def languages_with_letters() -> tuple[str, ...]:
    """The languages of ``letters_of``."""
    return tuple(_BEYOND_ASCII)


@cache
def common_characters(language: str) -> frozenset[str]:
    """The commonest characters of Chinese ("zh-Hans", "zh-Hant") and Korean ("ko"): a third of a text and more."""
    return frozenset(
        {"zh-Hans": _COMMON_SIMPLIFIED, "zh-Hant": _COMMON_TRADITIONAL, "ko": _COMMON_HANGUL}.get(language, "")
    )
