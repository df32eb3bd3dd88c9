import { quoted } from '../quoted.ts'
import { monthOf } from './date-words.ts'
import { type Parsed, unreadable } from './parsed.ts'
import { shortCell, withAsciiDigits } from './short-cell.ts'

/** What Douban calls its stars, and stars that Chinese counts in words. */
const NAMED_STARS = {
  很差: 1,
  较差: 2,
  还行: 3,
  推荐: 4,
  力荐: 5,
  一星: 1,
  二星: 2,
  两星: 2,
  三星: 3,
  四星: 4,
  五星: 5,
}
const WORDS: Record<string, number> = { ONE: 1, TWO: 2, THREE: 3, FOUR: 4, FIVE: 5, ...NAMED_STARS }
/** What forms, spreadsheets and programs write when there is no rating. */
const UNRATED = new Set(
  (
    'STAR_RATING_UNSPECIFIED|RATING_UNSPECIFIED|N/A|#N/A|NA|N.A.|N.A|NOT AVAILABLE|NOT APPLICABLE|NONE|NULL|(NULL)|[NULL]|<NA>|\\N|NIL|NAN|UNDEFINED|' +
    'UNRATED|NOT RATED|NO RATING|NOT GIVEN|UNKNOWN|-|--|---|–|—|?|KEINE|KEINE ANGABE|K.A.|K. A.|OHNE BEWERTUNG|SANS NOTE|' +
    'NON NOTÉ|AUCUNE|SIN CALIFICACIÓN|SIN VALORACIÓN|NINGUNA|NESSUNO|NESSUNA|GEEN|N.V.T.|NVT|SEM AVALIAÇÃO|NENHUMA|' +
    'БЕЗ ОЦЕНКИ|НЕТ ОЦЕНКИ|БЕЗ ОЦІНКИ|BRAK|BRAK OCENY|BEZ OCENY|BEZ HODNOCENÍ|BEZ HODNOTENIA|NEHODNOCENO|NINCS|PUANLANMAMIŞ|INGET BETYG|INGEN|EI ARVOSANAA|' +
    'TIDAK ADA|評価なし|評価しない|未評価|なし|평점 없음|별점 없음|없음|未评分|暂无评分|未評分|无|無'
  ).split('|'),
)
/** A number with at most three digits before the decimal separator. */
export const NUMBER = String.raw`\d{1,3}(?:[.,]\d{1,10})?`
const STAR_WORD = String.raw`(?:-?\s*(?:star|stars|stern|sterne|sternen|étoile|étoiles|etoile|etoiles|estrella|estrellas|estrela|estrelas|stella|stelle|ster|sterren|bintang|yıldız|звезда|звезды|звёзды|звезд|звёзд|gwiazdka|gwiazdki|gwiazdek|hvězdička|hvězdičky|hvězdiček|stjärna|stjärnor|stjerne|stjerner|tähteä|csillag|(?:de )?stele|stea|зірка|зірки|зірок|звездички|hviezdička|hviezdičky|hviezdičiek|zvjezdic[ae]|αστέρι|αστέρια|αστερια|نجوم|نجمة|نجمات|כוכב|כוכבים|ดาว|सितारा|सितारे|sao|つ?星|颗星|顆星|星级|星級|bubbles|★|⭐))`
/** Points, which may be out of 5 or of 10. */
export const POINTS = '(?:\\s*(?:점|分|点|點|points?|punkte?n?|puntos?|punti|puan|балл(?:а|ов)?))'
const OF = String.raw`(?:\/|out of|of|von|sur|de|su|van(?: de)?|uit|auf|av|(?:ud )?af|z|из|з|din|dari|trên|από|من|מתוך|จาก)`
/** "Rated", as Trustpilot's and WooCommerce's pages say it in other languages. */
const RATED =
  'rat(?:ed|ing)|bewertet mit|noté|(?:valorado|calificado|puntuado) con|valutato|(?:beoordeeld|gewaardeerd)(?: met)?|avaliado com|bedømt til|betygsatt till|vurdert til'
/** What it is called before a number whose best is named, so that no part of it is meant. */
const CALLED =
  'score|note|nota|voto|arvosana|betyg|karakter|ocena|puan|оценка|valoración|calificación|avaliação|punteggio'
/** The word for the score behind it, as Expedia's pages have it: "10/10 Excellent", "8 out of 10 Very good". */
const VERDICT = '(?:\\s+(?:(?:very|sehr|muy|très|molto|zeer|muito|mycket|meget)\\s+)?[a-zà-ÿ]{3,15})?'
/** A rating in digits: its number, a half, and the best rating if it is named. */
export const NUMERIC = new RegExp(
  `^(?:(?:${RATED})\\s*:?\\s*|(?:${CALLED})\\s*:?\\s*(?=[\\d.,]+\\s*/))?(${NUMBER})(½)?(?:${STAR_WORD}|${POINTS})?(?:\\s*${OF}\\s*(${NUMBER})${STAR_WORD}?${VERDICT})?(?:\\s+rating)?$`,
  'i',
)
/** Amazon's "4.0 out of 5 stars" in Japanese and Turkish, and the star before its number, as pages have it in Korean and Indonesian. */
const SCALE_FIRST = /^5(?:つ星のうち| yıldız üzerinden )(?=\d)(.*)$/
const STARS_FIRST = /^(?:星|별표?|[Bb]intang) ?([1-5](?:[.,]\d)?) ?(?:つ|개)?$/
const GLYPHS = /^([★⭐🌟✭✮⯪½]*)([☆✩✰]*)$/u
/** The classes with which Tripadvisor's, Douban's, Dianping's and many shops' pages draw stars, alone or in their element. */
const STAR_CLASS =
  /^(?:<\w+ class=")?(?:[\w-]+ )*(?:(?:bubble_|sml-str)(?=\d\d)|[\w-]*stars?-{0,2}(?:rating|regular)?[-_]{0,2})([1-5])([05]?)(?: [\w-]+)*(?:"><\/\w+>)?$/
const SPREADSHEET_DATE = /^\d{1,2}[-./ ]+(?:(\p{L}{3,})\.?|\d{1,2}\.)$/u
/** Fast path: ratings are plain digits in nearly every file. */
const PLAIN = new Map<string, number | null>([
  ['', null],
  ['0', null],
  ...[1, 2, 3, 4, 5].flatMap((stars): [string, number][] => [
    [String(stars), stars],
    [`${stars}.0`, stars],
  ]),
])

/**
 * Parses a rating: `1`–`5`, `4.5` and `4,5` (half up), `4/5`, `8/10`, `4 out of 5`, `4 stars`, `★★★☆☆`, Google's `FIVE`,
 * `N/A`.
 *
 * @returns 1–5, or null for an unrated row (empty, 0, N/A, no star filled)
 */
export function parseRating(cell: string): Parsed<number | null> {
  const plain = PLAIN.get(cell)
  if (plain !== undefined) return { ok: true, value: plain }
  const short = shortCell(cell)
  if (short === undefined) return refused(cell)
  // NFKC would turn 4½ into 41⁄2.
  const plainForms = short.split('½').map((part) => part.normalize('NFKC'))
  const value = withAsciiDigits(plainForms.join('½'))
    .replace(/\ufe0f/g, '')
    .replace(/\s+/g, ' ')
    .replace(SCALE_FIRST, '$1')
    .replace(STARS_FIRST, '$1')
    .trim()
  const upper = value.toUpperCase()
  if (UNRATED.has(upper)) return { ok: true, value: null }
  const word = WORDS[upper]
  if (word !== undefined) return { ok: true, value: word }
  const [, stars, half] = STAR_CLASS.exec(value) ?? []
  if (stars !== undefined) return rounded(Number(stars) + (half === '5' ? 0.5 : 0), cell)
  return glyphs(value, cell) ?? numeric(value, cell)
}

/** Whether a cell can be nothing but a rating, whatever its column is called: a class that draws stars, or their name. */
export function isDrawnRating(cell: string): boolean {
  return STAR_CLASS.test(cell) || Object.hasOwn(NAMED_STARS, cell)
}

function numeric(value: string, cell: string): Parsed<number | null> {
  if (/^\d{1,3}(?:[.,]\d+)?\s?%$/.test(value))
    return unreadable(`the rating ${quoted(cell)} is a percentage: --rating-scale 100 converts it to stars`)
  const match = NUMERIC.exec(value)
  if (!match) return refused(cell)
  const stars = parseDecimal(match[1] ?? '') + (match[2] ? 0.5 : 0)
  const scale = match[3] === undefined ? 5 : parseDecimal(match[3])
  if (SELF_NAMED.includes(scale) && stars <= scale)
    return rounded(stars === 0 ? 0 : Math.max(1, (stars * 5) / scale), cell)
  if (scale !== 5)
    return unreadable(
      `the rating ${quoted(cell)} is on a scale other than 1 to 5: ${NAMEABLE.test(match[3] ?? '') ? `--rating-scale ${match[3]} converts it to stars` : 'convert the column first'}`,
    )
  return rounded(stars, cell)
}

/** Scales on which a cell such as `8/10` needs no word from the user. */
const SELF_NAMED = [10, 20, 100]
/** The values of `--rating-scale` other than 5. */
const NAMEABLE = /^(?:[2-46-9]|[1-9]\d|100)$/

/** The value of a number whose decimal separator may be a comma. */
export function parseDecimal(value: string): number {
  return Number(value.replace(',', '.'))
}

function rounded(stars: number, cell: string): Parsed<number | null> {
  if (stars === 0) return { ok: true, value: null }
  const whole = Math.floor(stars + 0.5)
  return stars <= 5 && whole >= 1 ? { ok: true, value: whole } : refused(cell)
}

/** Counts filled stars, half stars as 0.5; empty ones only complete the row of five. */
function glyphs(value: string, cell: string): Parsed<number | null> | undefined {
  const match = GLYPHS.exec(value.replace(/\s+/g, ''))
  if (!match) return undefined
  const full = [...(match[1] ?? '')]
  const empty = [...(match[2] ?? '')].length
  const stars = full.reduce((sum, glyph) => sum + (glyph === '½' || glyph === '⯪' ? 0.5 : 1), 0)
  return full.length + empty > 5 ? refused(cell) : rounded(stars, cell)
}

function refused(cell: string) {
  const shown = quoted(cell)
  const date = SPREADSHEET_DATE.exec(shortCell(cell) ?? '')
  return date && (date[1] === undefined || monthOf(date[1]) !== undefined)
    ? unreadable(`a spreadsheet turned the rating into the date ${shown}: write it as 4, not 4/5`)
    : unreadable(
        `the rating ${shown} is not one from 1 to 5: correct it, or empty the cell for an unrated review` +
          (/\d/.test(cell) ? '' : '; --map rating= leaves the column out'),
      )
}
