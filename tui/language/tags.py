"""Language tags (BCP 47, RFC 5646: language, script, region) and the English names of languages.

The subtags are those of the IANA registry: ISO 639 languages, ISO 15924 scripts, ISO 3166 and UN M.49 regions.
"""

import re
from collections.abc import Mapping
from functools import cache, lru_cache

from tui.language.folding import fold_accents

_NAMES = """
af Afrikaans|sq Albanian|am Amharic|grc Ancient Greek|ar Arabic|hy Armenian|as Assamese|ast Asturian|az Azerbaijani
eu Basque|be Belarusian|bn Bengali|bs Bosnian|br Breton|bg Bulgarian|my Burmese|yue Cantonese|ca Catalan
ckb Central Kurdish|zh Chinese|hr Croatian|cs Czech|da Danish|nl Dutch|en English|eo Esperanto|et Estonian|fo Faroese
fil Filipino|fi Finnish|fr French|gl Galician|ka Georgian|de German|el Greek|gu Gujarati|ht Haitian Creole|he Hebrew
hi Hindi|hu Hungarian|is Icelandic|id Indonesian|ga Irish|it Italian|ja Japanese|jv Javanese|kn Kannada|kk Kazakh
km Khmer|ko Korean|ku Kurdish|ky Kyrgyz|lo Lao|la Latin|lv Latvian|lt Lithuanian|lb Luxembourgish|mk Macedonian
ms Malay|ml Malayalam|mt Maltese|gv Manx|mi Maori|mr Marathi|enm Middle English|mn Mongolian|ne Nepali
se Northern Sami|no Norwegian|nb Norwegian Bokmål|nn Norwegian Nynorsk|oc Occitan|ps Pashto|fa Persian|pl Polish
pt Portuguese|pa Punjabi|ro Romanian|ru Russian|sa Sanskrit|gd Scottish Gaelic|sr Serbian|sd Sindhi|si Sinhala
sk Slovak|sl Slovenian|so Somali|es Spanish|sw Swahili|sv Swedish|tl Tagalog|tg Tajik|ta Tamil|tt Tatar|te Telugu
th Thai|bo Tibetan|tr Turkish|uk Ukrainian|ur Urdu|uz Uzbek|vi Vietnamese|cy Welsh|fy Western Frisian|xh Xhosa
yi Yiddish|yo Yoruba|zu Zulu
"""
_ENGLISH = dict(re.findall(r"(\w+) ([^|\n]+)", _NAMES))
_BY_NAME = {name.casefold(): code for code, name in _ENGLISH.items()}
_THREE_LETTERS = """
afr=af alb=sq sqi=sq amh=am ara=ar arm=hy hye=hy aze=az baq=eu eus=eu bel=be ben=bn bos=bs bre=br bul=bg bur=my mya=my
cat=ca chi=zh zho=zh cmn=zh hrv=hr cze=cs ces=cs dan=da dut=nl nld=nl eng=en epo=eo est=et fin=fi fre=fr fra=fr glg=gl
geo=ka kat=ka ger=de deu=de gre=el ell=el guj=gu heb=he hin=hi hun=hu ice=is isl=is ind=id gle=ga ita=it jpn=ja kan=kn
kaz=kk khm=km kor=ko kur=ku lao=lo lat=la lav=lv lit=lt ltz=lb mac=mk mkd=mk may=ms msa=ms mal=ml mlt=mt mao=mi mri=mi
mar=mr mon=mn nep=ne nor=no nob=nb nno=nn pus=ps per=fa fas=fa pol=pl por=pt pan=pa rum=ro ron=ro rus=ru san=sa gla=gd
scc=sr srp=sr sin=si slo=sk slk=sk slv=sl som=so spa=es swa=sw swe=sv tgl=tl tam=ta tel=te tha=th tib=bo bod=bo tur=tr
ukr=uk urd=ur uzb=uz vie=vi wel=cy cym=cy fry=fy xho=xh yid=yi yor=yo zul=zu asm=as fao=fo glv=gv hat=ht jav=jv kir=ky
oci=oc sme=se snd=sd tat=tt tgk=tg
"""
"""ISO 639-2 (both its codes, where it has two) and 639-3 codes of languages that have a code of two letters."""
_SHORTER = dict(re.findall(r"(\w+)=(\w+)", _THREE_LETTERS))
_RETIRED = {"iw": "he", "in": "id", "ji": "yi", "jw": "jv", "mo": "ro", "sh": "sr"}
_TWO_LETTERS = """
aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es
et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki
kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no
nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te
tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
"""
_SCRIPTS = """
Arab Armn Beng Bopo Brai Cher Copt Cyrl Deva Ethi Geor Goth Grek Gujr Guru Hang Hani Hans Hant Hebr Hira Hrkt Jpan Kana
Khmr Knda Kore Laoo Latn Mlym Mong Mymr Orya Sinh Syrc Taml Telu Tfng Thaa Thai Tibt Zyyy
"""
_REGIONS = """
AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC
CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD
GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH
KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW
MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC
SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY
UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW
"""
_REGION_HABITS = {"UK": "GB"}
_REGION_NAMES = dict(
    re.findall(
        r"(\w+) ([^|\n]+)",
        """AR Argentina|AT Austria|AU Australia|BE Belgium|BR Brazil|CA Canada|CH Switzerland|CN China|DE Germany
        ES Spain|FR France|GB UK|HK Hong Kong|MX Mexico|PT Portugal|TW Taiwan|US US|419 Latin America""",
    )
)
_SCRIPT_NAMES = {"Hans": "simplified", "Hant": "traditional", "Latn": "Latin", "Cyrl": "Cyrillic", "Arab": "Arabic"}
_WITH_DETAILS = ("pt-BR", "zh-Hans", "zh-Hant")
"""Tags of a language's kinds that people name as such: what is written in one differs from the other."""
_LEAST_OF_A_NAME = 3
_TAG = re.compile(r"([A-Za-z]{2,3})(?:-([A-Za-z]{4}))?(?:-([A-Za-z]{2}|[0-9]{3}))?\Z")


def normalise(code: str) -> str | None:
    """Normalise a tag to BCP 47's spelling ("PT-br" → "pt-BR", "ger" → "de"), None when it is no language tag.

    Language, script and region are understood; a language of three letters need not be one that has a name here.
    """
    match = _TAG.match(code.strip().replace("_", "-"))
    if match is None:
        return None
    language, script, region = match.group(1).lower(), match.group(2), match.group(3)
    language = _SHORTER.get(language, _RETIRED.get(language, language))
    if len(language) == 2 and language not in _TWO_LETTERS.split():
        return None
    parts = [language]
    if script is not None:
        if script.title() not in _SCRIPTS.split():
            return None
        parts.append(script.title())
    if region is not None:
        region = _REGION_HABITS.get(region.upper(), region.upper())
        if region not in _REGIONS.split() and not region.isdecimal():
            return None
        parts.append(region)
    return "-".join(parts)


@lru_cache(256)
def language_tags(given: str) -> tuple[str, ...] | None:
    """Normalise one tag or two ("de+en", those of a text that has both); None when any is no language tag."""
    tags = [normalise(each) for each in re.split(r"[+,&]", given)]
    known = tuple(tag for tag in tags if tag is not None)
    return known if len(known) == len(tags) <= 2 and len(set(known)) == len(known) else None


def base_language(code: str | None) -> str:
    """The primary subtag in lower case, without script and region: "pt-BR" → "pt"; "" for none."""
    return code.replace("_", "-").split("-", 1)[0].lower() if code else ""


def is_known(code: str) -> bool:
    """Whether the language of this tag has a name here."""
    tag = normalise(code)
    return tag is not None and base_language(tag) in _ENGLISH


def language_name(code: str) -> str:
    """The English name: "de" → "German", "pt-BR" → "Portuguese (Brazil)"; the code itself where it is unknown."""
    tag = normalise(code)
    if tag is None:
        return code
    language, *more = tag.split("-")
    name = _ENGLISH.get(language)
    if name is None:
        return code
    details = [_SCRIPT_NAMES.get(part) or _REGION_NAMES.get(part) or part for part in more]
    return f"{name} ({', '.join(details)})" if details else name


def find_tag(text: str) -> str | None:
    """The tag that a text is or names: "de", "German" and "german" for "de"; None for neither."""
    wanted = text.strip().casefold()
    details = (tag for tag in _WITH_DETAILS if language_name(tag).casefold() == wanted)
    return find_tag_of_name(text) or next(details, None) or normalise(text)


def find_tag_of_name(name: str) -> str | None:
    """The tag of a language by its English name in any case, None for what names no language."""
    return _BY_NAME.get(name.strip().casefold())


def language_of_locale(environ: Mapping[str, str]) -> str:
    """The language of the messages of a system, by its environment; English where it names none.

    ``LANGUAGE`` goes first, as in GNU's gettext, then what POSIX has ("de_DE.UTF-8@euro").
    """
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        tag = normalise(re.split(r"[.:@]", environ.get(name, ""))[0])
        if tag is None or not is_known(tag):
            continue
        language, *more = tag.split("-")
        if language == "zh":
            return "zh-Hant" if {"Hant", "TW", "HK", "MO"} & set(more) else "zh-Hans"
        return tag if tag in _WITH_DETAILS else language
    return "en"


def language_names() -> dict[str, str]:
    """The languages that have a name here: subtag → English name."""
    return dict(_ENGLISH)


def find_subtags(word: str) -> frozenset[str]:
    """The subtags that a word stands for: "ja" and "japan" for {"ja"}, "brazil" for {"BR"}.

    Names of languages, scripts and regions are known by the beginning of any of their words, from three letters on:
    fewer would stand for a dozen languages.
    """
    wanted = fold_accents(word)
    return frozenset(
        subtag
        for subtag, words in _called().items()
        if wanted == subtag.lower()
        or (len(wanted) >= _LEAST_OF_A_NAME and any(each.startswith(wanted) for each in words))
    )


@cache
def _called() -> dict[str, list[str]]:
    """The words of each subtag's name."""
    names = {**_ENGLISH, **_REGION_NAMES, **_SCRIPT_NAMES}
    return {subtag: fold_accents(name).split() for subtag, name in names.items()}
