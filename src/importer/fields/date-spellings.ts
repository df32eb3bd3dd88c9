import { toCommonEra } from './date-calendars.ts'
import { withAsciiDigits } from './short-cell.ts'

// "Reviewed in the United States on January 5, 2026", as Amazon writes in each of its languages, and "Written January
// 5, 2026".
const BEFORE =
  /^(?:(?:Reviewed in|Rezension aus|Bewertet in|Kommentiert in|Avis laissé (?:en|au|aux)|Commenté (?:en|au|aux)|Revisado en|Reseñado en|Calificado en|Recensito (?:in|nel|nei|nella|negli)|Beoordeeld in|Avaliado (?:em|no|na|nos)|Recenserad i|Zrecenzowano w) [\p{L}\p{RI} .'’()-]{2,50}? (?:on|vom|am|le|el|il|op|em|den|dnia) |(?:Reviewed|Written|Posted|Published|Geschrieben|Bewertet|Écrit|Rédigé|Publié|Escrit[ao]|Publicad[ao]|Scritt[ao]|Recensit[ao]|Geschreven|Beoordeeld|Avaliad[ao]|Feita|Dined|Avis (?:déposé|publié|du)|Opinión escrita)(?: on| am| le| el| il| in data| op| em)?:? |[Nn]gày |[Ll]úc |ה-)(?=[\d\p{Lu}])/u
const BEHIND =
  /,? suite à une (?:expérience|commande|visite) du [\d/ .]{6,14}$|に[^\d]{2,20}でレビュー済み$|(?<=[\d日일.]) ?(?:發表|发表|發布|发布|發佈|投稿|に投稿|작성|更新)$|(?<=\d{4}) (?:Updated|Previous) review$|(?<=\d{4}),? (?:Pazartesi|Salı|Çarşamba|Perşembe|Cuma|Cumartesi|Pazar)(?=$| \d)/
/** Rewrites to known spellings; each applies to the result of the previous ones. */
const SPELLINGS: readonly [RegExp, string][] = [
  [BEFORE, ''],
  [BEHIND, ''],
  // 18:05 น., 6:05 pm बजे
  [/(?<=\d|[AP]M) ?(?:น\.?|बजे)$/iu, ''],
  // /Date(1767607200000+0100)/, as .NET writes.
  [/^\/?Date\((\d{12,13})(?:[+-]\d{4})?\)\/?$/, '$1'],
  // 20260105100000
  [/^(\d{8})(\d{6})$/, '$1T$2'],
  // 05JAN2026, 2026-Jan-05
  [/^(\d{2})(\p{L}{3})(\d{4})(?=$|[ :])/u, '$1 $2 $3'],
  [/^(\d{4})-(\p{L}{3})-(\d{1,2})(?=$|[ T])/u, '$3 $2 $1'],
  // 2026-01-05T11:00+01:00[Europe/Berlin], as Java writes.
  [/(?<=\d|Z)\[[A-Za-z_]{1,20}(?:\/[\w+-]{1,20}){0,2}\]$/, ''],
  // 2026年1月5日, 2026년 1월 5일, 2026. 1. 5., optionally followed by the day of the week.
  [
    /^(\d{4})(?: ?[年년] ?|\. ?)(\d{1,2})(?: ?[月월] ?|\. ?)(\d{1,2})(?: ?[日일](?: ?\(?(?:[月火水木金土日]曜日?|(?:星期|周|週)[一二三四五六日天]|[월화수목금토일]요일|[月火水木金土日월화수목금토일](?=\)))\)?)?|\.(?= |$))/,
    '$1-$2-$3',
  ],
  // 26년 1월 5일
  [/^(\d{2})년 ?(\d{1,2})월 ?(\d{1,2})일/, '20$1-$2-$3'],
  // 2026/01/05(月)
  [/(?<=\d)\((?:[月火水木金土日]曜?日?|[월화수목금토일](?:요일)?)\)/, ''],
  // AM and PM before the time, in Chinese, Japanese and Korean.
  [/(?:오전|[上午]午|午前|凌晨|早上|清晨) ?(\d{1,2}:\d{2}(?::\d{2})?)$/, ' $1 AM'],
  [/(?:오후|[下中]午|午後|傍晚|晚上) ?(\d{1,2}:\d{2}(?::\d{2})?)$/, ' $1 PM'],
  [/ ([AP]M) (\d{1,2}:\d{2}(?::\d{2})?)$/, ' $2 $1'],
  // 11:59 μ.μ., 11:59 PTG, 11:59 م.
  [/(?<=\d) (?:π\.?μ\.?|PG|ص|ق\.ظ\.?)$/, ' AM'],
  [/(?<=\d) (?:μ\.?μ\.?|PTG|م|ب\.ظ\.?)$/, ' PM'],
  // 5 января 2026 г. в 10:00, 5 de enero de 2026 a las 10:00, 5 stycznia 2026 o 10:00
  [
    /(?<=[\d.]),? (?:в|о|o|v|ve|u|ob|la|kl\.|kell|pukul|pada|στις|a l[ae]s?|alle(?: ore)?|ore|saat|في|בשעה|เวลา|ساعت|को) (?=\d{1,2}[:.]\d{2})/,
    ' ',
  ],
  // 23:59 31/1/2026, 23 h 59 min 59 s, klo 23.59.59, 23:59 ч.
  [/^(\d{1,2}:\d{2}(?::\d{2})?),? (?:(?:Thứ \p{L}{2,4}|Chủ [Nn]hật), )?(\d.*)$/u, '$2 $1'],
  [/(\d{1,2}) h (\d{2})(?: min (\d{2}) s)?$/, '$1:$2:$3'],
  [/(?<=\d),? (?:klo |kl\. )?(\d{1,2})\.(\d{2})(?:\.(\d{2}))?$/, ' $1:$2:$3'],
  [/(?<=:\d{2}) ч\.$/, ''],
  // 2026 m. sausio 5 d., 2026. gada 5. janvāris, 5 d’abril de 2026, 5 בינו׳ 2026
  [/^(\d{4}) m\. (\p{L}{4,12}) (\d{1,2}) d\.?(?=$|[ ,])/u, '$3 $2 $1'],
  [/^(?:\p{L}{8,12}, )?(\d{4})\. gada (\d{1,2})\. (\p{L}{3,12})\.?(?=$|[ ,])/u, '$2 $3 $1'],
  [/ d['’](?=\p{L})|(?<=\p{Script=Hebrew})['׳](?= )/u, ' '],
  // 5 thg 3, 2026, 5 tháng 1 năm 2026.
  [/^(?:Thứ \p{L}{2,4}|Chủ [Nn]hật), (?=\d)/u, ''],
  [/^(\d{1,2}) (?:thg|tháng) (\d{1,2}),?(?: năm)? (\d{4})(?=$| )/i, '$3-$2-$1'],
  // 07 15, 2026, as in Amazon's data sets.
  [/^(\d{1,2}) (\d{1,2}), (\d{4})$/, '$3-$1-$2'],
  // 31. 1. 2026 23:59, 31.01.2026. 23:59.
  [/^(\d{1,2})\. ?(\d{1,2})\. ?(\d{4})\.?(?=,? |$)/, '$1.$2.$3'],
  // 31. siječnja 2026.
  [/(?<=\p{L}\.? \d{4})\.(?=,? |$)/u, ''],
  // 2026. január 31., szombat.
  [/(?<=\d\.|\d{4}), \p{L}{4,14}(?=$| \d)/u, ''],
  [/(\d{4}|\.\d{2}) (?:г\.?|года|р\.?|року|r\.|roku)(?=[ ,]|$)/, '$1'],
  // Two Syrian months that share a name with another: 15 كانون الثاني 2026, 3 تشرين أول 2025.
  [/(كانون|تشرين) (?:ال)?(ثاني|[أا]ول)(?=[ ,]|$)/, '$1$2'],
  // Left by an optional group above.
  [/ ?:+$/, ''],
]
/** A Java date as Jackson's list: [2026, 1, 5, 10, 0], optionally with seconds and nanoseconds. */
const JAVA_LIST = /^(\d{4}), (\d{1,2}), (\d{1,2})(?:, (\d{1,2}), (\d{1,2})(?:, (\d{1,2})(?:, \d{1,9})?)?)?$/

/** Removes directional marks and collapses white space. */
export function normalizeCharacters(value: string): string {
  // NFKC turns some other characters into blanks.
  return value
    .normalize('NFKC')
    .replace(/[\u200b-\u200f\u2060\ufeff\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Rewrites a date that the date patterns can't read into one that they can. */
export function normalizeSpelling(value: string): string {
  let spelling = toCommonEra(withAsciiDigits(normalizeCharacters(value).replaceAll('،', ',')))
  const [, year, month, day, hour, ...rest] = JAVA_LIST.exec(spelling) ?? []
  if (year !== undefined) {
    const time = [hour, ...rest].flatMap((part) => (part === undefined ? [] : part.padStart(2, '0')))
    return `${year}-${month}-${day} ${time.join(':')}`.trim()
  }
  for (const [pattern, known] of SPELLINGS) spelling = spelling.replace(pattern, known)
  return spelling
}
