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
    'NON NOTÉ|AUCUNE|SIN CALIFICACIÓN|SIN VALORACIÓN|NINGUNA|NESSUNO|NESSUNA|GEEN|N.V.T.|NVT|SEM AVALIAÇÃO|NENHUMA'
  ).split('|'),
)
/** A number with at most three digits before the decimal separator. */
const NUMBER = String.raw`\d{1,3}(?:[.,]\d{1,10})?`
const STAR_WORD = String.raw`(?:-?\s*(?:star|stars|stern|sterne|sternen|étoile|étoiles|etoile|etoiles|estrella|estrellas|estrela|estrelas|stella|stelle|ster|sterren|bintang|yıldız|звезда|звезды|звёзды|звезд|звёзд|gwiazdka|gwiazdki|gwiazdek|hvězdička|hvězdičky|hvězdiček|stjärna|stjärnor|stjerne|stjerner|tähteä|csillag|(?:de )?stele|stea|зірка|зірки|зірок|звездички|hviezdička|hviezdičky|hviezdičiek|zvjezdic[ae]|αστέρι|αστέρια|αστερια|نجوم|نجمة|نجمات|כוכב|כוכבים|ดาว|सितारा|सितारे|sao|つ?星|颗星|顆星|星级|星級|점|bubbles|★|⭐))`
const OF = String.raw`(?:\/|out of|of|von|sur|de|su|van(?: de)?|uit|auf|av|(?:ud )?af|z|из|з|din|dari|trên|από|من|מתוך|จาก)`
/** "Rated", as Trustpilot's and WooCommerce's pages say it in other languages. */
const RATED =
  'rat(?:ed|ing)|bewertet mit|noté|(?:valorado|calificado|puntuado) con|valutato|(?:beoordeeld|gewaardeerd)(?: met)?|avaliado com|bedømt til|betygsatt till|vurdert til'
const NUMERIC = new RegExp(
  `^(?:(?:${RATED})\\s*:?\\s*)?(${NUMBER})(½)?${STAR_WORD}?(?:\\s*${OF}\\s*(${NUMBER})${STAR_WORD}?)?(?:\\s+rating)?$`,
  'i',
)
/** Amazon's "4.0 out of 5 stars" in Japanese and Turkish, and the star before its number, as Google's pages have it in Korean. */
const SCALE_FIRST = /^5(?:つ星のうち| yıldız üzerinden )(?=\d)(.*)$/
const STARS_FIRST = /^(?:星|별표?) ?([1-5](?:[.,]\d)?) ?(?:つ|개)?$/
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

function parseDecimal(value: string): number {
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

/** Share of bare numbers beyond 5 at which they prove another scale instead of typing errors. */
const SCALE_SHARE = 0.2

/** Where few customers were content, few ratings are beyond 5, but not always the same. */
const UP_TO_TEN = [6, 7, 8, 9, 10]
const LEAST_DIFFERENT = 3

/** Minimum count of each of 0 and 1; fewer may be one-star and unrated reviews. */
const LEAST_FLAGS = 3

const BARE = new RegExp(`^${NUMBER}$`)

/**
 * Collects evidence of a file's rating scale. On a scale of 1 to 10 only ratings beyond 5 are telling, and 5 out of 10
 * must not become five stars. Ratings that name their scale (`4/5`, `4 stars`) need no proof, but beside `8/10` a bare 4
 * may be out of 10 too.
 */
export class RatingScale {
  #named: { cell: string; line: number } | undefined
  /** How many rows have each bare number. */
  readonly #counts = new Map<number, number>()
  #within = 0
  #beyond = 0
  #isCertain = false
  #parts = 0
  #uptoOne = 0
  #ones = 0
  #zeros = 0
  #zero: { cell: string; line: number } | undefined
  #part: { cell: string; line: number } | undefined
  #first: { cell: string; line: number } | undefined

  /** @param isGiven whether the user gave the scale of bare numbers */
  add(cell: string, line: number, isGiven = false): void {
    if (!BARE.test(cell)) {
      const best = scaleNamedIn(cell)
      if (!isGiven && best !== undefined && best !== 5) this.#named ??= { cell, line }
      return
    }
    const value = parseDecimal(cell)
    if (value > 0 && !isGiven) this.#counts.set(value, (this.#counts.get(value) ?? 0) + 1)
    if (value > 0 && value < 1) this.#parts++
    if (value > 0 && value <= 1) this.#uptoOne++
    if (value === 1) this.#ones++
    if (value === 0) {
      this.#zeros++
      this.#zero ??= { cell, line }
    }
    if (value <= 5) {
      if (value > 0) this.#within++
      this.#part ??= value > 0 && value < 1 ? { cell, line } : undefined
      return
    }
    this.#beyond++
    // A typing error gives 6 or 55, never 5.8.
    if (!Number.isInteger(value)) this.#isCertain = true
    this.#first ??= { cell, line }
  }

  /** A rating that proves a scale other than 1 to 5; undefined when there is none. */
  get proof(): { cell: string; line: number } | undefined {
    // A scale of 0 to 1, as for sentiment, where 0.93 is not one star.
    if (this.#parts >= 2 && this.#uptoOne === this.#within && this.#beyond === 0) return this.#part
    // Yes or no, as for recommendations, where 1 is the best.
    if (this.#ones === this.#within && this.#beyond === 0 && Math.min(this.#ones, this.#zeros) >= LEAST_FLAGS)
      return this.#zero
    const isScale =
      this.#isCertain ||
      this.#beyond >= (this.#within + this.#beyond) * SCALE_SHARE ||
      UP_TO_TEN.filter((value) => this.#counts.has(value)).length >= LEAST_DIFFERENT
    return isScale ? this.#first : this.#named
  }

  /** A doubt whether the best rating is 5: in many rows none is above 3 or 4, and that is the most frequent one. */
  note(): string | undefined {
    const rated = [...this.#counts.values()].reduce((sum, count) => sum + count, 0)
    const best = Math.max(...this.#counts.keys())
    const isShort = rated >= LEAST_SHORT && (best === 3 || best === 4)
    if (!isShort || [...this.#counts.values()].some((count) => count > (this.#counts.get(best) ?? 0))) return undefined
    return `no rating is above ${best}, which is the most frequent one: if it is the best possible, use --rating-scale ${best}`
  }
}

/** Fewer guests may all have been content with three stars. */
const LEAST_SHORT = 30

/** The scale that a rating such as `8/10` names. */
function scaleNamedIn(cell: string): number | undefined {
  const best = /\d/.test(cell) ? NUMERIC.exec(shortCell(cell) ?? '')?.[3] : undefined
  return best === undefined ? undefined : parseDecimal(best)
}

/** Whether a rating is a bare number that could be on any scale. */
export function isBareRating(cell: string): boolean {
  return BARE.test(cell)
}

/** Converts a rating on a known scale, bare or as `7/10`, to one out of 5; any other cell is returned unchanged. */
export function toFiveStars(written: string, scale: number): string {
  const cell = scale === 100 ? written.replace(/\s?%$/, '') : written
  const [, number = '', , best] = NUMERIC.exec(shortCell(cell) ?? '') ?? []
  const isOfScale = best === undefined ? BARE.test(cell) : parseDecimal(best) === scale
  const value = isOfScale ? parseDecimal(number) : Number.NaN
  if (!(value <= scale)) return written
  // The lowest rating becomes 1; 0 means unrated on any scale.
  // Rounded, because a rating is read with at most ten decimals.
  return value === 0 ? '0' : String(Math.max(1, Number(((value * 5) / scale).toFixed(6))))
}

/** Usual best ratings; 50 is Dianping's five stars. */
const USUAL_BEST = [10, 20, 50, 100]

/** Why a rating is rejected although it looks like one of 1 to 5. */
export function otherScaleMessage(cell: string, beyond: { cell: string; line: number }): string {
  const named = scaleNamedIn(beyond.cell)
  if (named !== undefined)
    return (
      `the rating ${quoted(cell)} may be out of ${named}, as ${quoted(beyond.cell)} in row ${beyond.line} is: ` +
      `use --rating-scale ${named} if it is, or --rating-scale 5 if it is out of 5`
    )
  const proven = parseDecimal(beyond.cell)
  const best = USUAL_BEST.find((scale) => scale >= proven) ?? 10
  // Shares and sentiments: there is no scale to name.
  const convert = proven > 1 ? `use --rating-scale ${best} if the best rating is ${best}, or ` : ''
  return (
    `the rating ${quoted(cell)} is on a scale other than 1 to 5, as ${quoted(beyond.cell)} in row ${beyond.line} shows: ` +
    `${convert}leave the ratings out with --map rating=`
  )
}
