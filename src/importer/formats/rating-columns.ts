import { isDrawnRating, parseDecimal } from '../fields/rating.ts'
import { normalizeHeader } from '../read/headers.ts'
import type { RawRow } from '../read/table.ts'
import { filledCells, holdsLists, isPlausibleColumn } from './column-content.ts'

const SCALES = [5, 10, 20, 100]
const RANGE = String.raw`\b([01])\s*(?:-|–|—|to|bis|à|a|tot|até)\s*`
const UNIT = String.raw`\s*(?:stars?|sterne|points?|punkten?)?`
const IN_HEADER = new RegExp(String.raw`[([](?:.*?${RANGE}|\D*\/\s*|.*?out of\s*)(\d{1,3})${UNIT}[)\]]`, 'i')
/** The same without brackets: `Rating /10`, `Note sur 10`, `Score 0-10`. Other numbers may be about anything. */
const AT_END = new RegExp(
  String.raw`(?:${RANGE}|(?:\/|\b(?:out of|sur|von|van|su|de|av|af|из))\s*)(10|20|100|5)${UNIT}\s*[?:*]?$`,
  'i',
)

/** Counted from the end, because the pattern starts over at every bracket. */
const LONGEST_ASIDE = 200

function inHeader(header: string): RegExpExecArray | null {
  const end = header.slice(-LONGEST_ASIDE)
  return IN_HEADER.exec(end) ?? AT_END.exec(end)
}

/** The scale that a header such as `Score (1-10)`, `Rating /10`, `percent` or `NPS` names; `other` for an unsupported one. */
export function scaleOfHeader(header: string): number | 'other' | undefined {
  const named = inHeader(header)?.[2]
  // Magento's votes.
  if (/^(?:rating[ _])?percent(?:age)?$/i.test(header)) return 100
  if (named === undefined) return isNps(header) ? 10 : undefined
  const scale = Number(named)
  return SCALES.includes(scale) ? scale : 'other'
}

/** Whether 0 is the worst answer on the scale that a header names: elsewhere, as among stars, it stands for no rating. */
export function startsAtZero(header: string): boolean {
  const range = inHeader(header)
  return range ? range[1] === '0' && range[2] !== '5' : isNps(header)
}

/** The question how likely one would recommend; some ask it from 1 to 5, so that alone it names no scale. */
export function asksForRecommendation(header: string): boolean {
  return (
    /likel|wahrscheinlich|probab|waarschijnlijk/i.test(header) &&
    /recom+(?:[ae]|ie)nd|rac+omand|empfehl|consigli|aanbeve|aanrad/i.test(header)
  )
}

/** A column whose name says that it has answers from 0 to 10 to that question. */
function isNps(header: string): boolean {
  return /(?:^|[^\p{L}])nps(?:[^\p{L}]|$)|net[\s_-]?promoter/iu.test(header)
}

/** The groups into which programs sort such answers, and the answers that belong to each. */
const NPS_GROUPS = new Map<string, (answer: number) => boolean>([
  ['promoter', (answer) => answer >= 9],
  ['passive', (answer) => answer === 7 || answer === 8],
  ['neutral', (answer) => answer === 7 || answer === 8],
  ['detractor', (answer) => answer <= 6],
])

/**
 * Whether a column of numbers has answers from 0 to 10, because another column says for every row that it is one
 * ("NPS") or in which group it is ("Detractor").
 */
export function areNpsAnswers(headers: readonly string[], sample: readonly RawRow[], rating: number): boolean {
  // The answers have a column of their own.
  if (headers.some((header, index) => index !== rating && isNps(header) && hasNumbers(sample, index))) return false
  const rated = sample.filter((row) => /^\d+$/.test((row.cells[rating] ?? '').trim()))
  return [...headers.keys()].some((at) => {
    const fits = (row: RawRow) => {
      const said = (row.cells[at] ?? '').trim().toLowerCase()
      return said === 'nps' || (NPS_GROUPS.get(said.replace(/s$/, ''))?.(Number(row.cells[rating])) ?? false)
    }
    return at !== rating && rated.length > 0 && rated.every(fits)
  })
}

function hasNumbers(sample: readonly RawRow[], index: number): boolean {
  return filledCells(sample, index).some((cell) => /^\d+$/.test(cell))
}

const GRADE = /^(?:(?:gesamt|schul|durchschnitts|end)note|note|zensur)(?:gesamt|wert)?$/
const GERMAN =
  /datum|kommentar|bewertung|erfahrung|^titel$|^betreff$|verfasser|kundenname|rezension|abgegeben|^arzt|^praxis/

/** Whether a column holds German school grades, of which 1 is the best: "Note" among other German headers. */
export function isGermanGrade(header: string, headers: readonly string[]): boolean {
  return GRADE.test(normalizeHeader(header)) && headers.some((other) => GERMAN.test(normalizeHeader(other)))
}

const LEAST_GRADES = 5

/**
 * Whether ratings under a heading that may mean stars as well as German school grades are mostly 1 and 2, the worst of stars
 * and the best of grades.
 */
export function mayBeGrades(header: string, sample: readonly RawRow[], index: number): boolean {
  if (!/^(?:gesamt)?(?:be)?wertung$|^zufriedenheit$/.test(normalizeHeader(header))) return false
  const rated = filledCells(sample, index).map((cell) =>
    /^[1-6](?:[.,]\d{1,2})?$/.test(cell) ? parseDecimal(cell) : 0,
  )
  const low = rated.filter((value) => value > 0 && value < 2.5)
  return rated.length >= LEAST_GRADES && low.length > rated.length / 2
}

/** A column of lists of several ratings in each row, such as Magento's votes. */
export function ratingLists(
  headers: readonly string[],
  sample: readonly RawRow[],
  isFree: (index: number) => boolean,
): number | undefined {
  return [...headers.keys()].find(
    (at) => isFree(at) && LIKE_RATING.test(normalizeHeader(headers[at] ?? '')) && holdsLists(sample, at),
  )
}

const BEST =
  /^(?:ratingrange|ratingmax|maxrating|maximumrating|bestrating|ratingscale|ratingbest|scoremax|maxscore|ratingoutof|reviewratingbestrating|ratingsoverallmax)$/

/** The column with the scale of each row's rating. */
export function scaleColumn(headers: readonly string[], sample: readonly RawRow[]): number | undefined {
  const index = headers.findIndex((header) => BEST.test(normalizeHeader(header)))
  const cells = filledCells(sample, index)
  if (cells.length > 0 && cells.every((cell) => /^\d{1,3}$/.test(cell))) return index
  // A bare "Scale" may also be that of a model.
  const scale = headers.findIndex((header) =>
    /^(?:scale|skala|echelle|escala|scala|schaal)$/.test(normalizeHeader(header)),
  )
  const scales = filledCells(sample, scale)
  return scales.length > 0 && scales.every((cell) => SCALES.includes(Number(cell))) ? scale : undefined
}

const LIKE_RATING =
  /rating|csat|satisf|^nota(?!tion|bl)|^value$|^rate|(?:you|to|please)rate|stars?$|score|^ranking$|sterne|bewertung|punkte|^marks?$|grade|note|etoiles|estrellas|puntuacion|calificacion|stelle|punteggio|voto|sterren|cijfer|waardering|estrelas|avaliacao|valoracion|valutazione|ocena|hodnoceni|puan|penilaian|bintang|arvosana|^betyg|^karakter|оценка|рейтинг|评分|评级|星级|評価|별점|평점/

/** What is rated beside the whole. */
export const ASPECT =
  /^(?:food|drinks?|service|ambien[ct]e|atmosphere|staff|cleanliness|location|comfort|facilities|quality|noise|overall)$/i

const STATISTIC = /average|weighted|mean|total|count|number|sentiment|durchschnitt|gesamtzahl|moyenne/

/** A column that is probably the rating, for a file in which none was recognized. */
export function likelyRating(
  headers: readonly string[],
  sample: readonly RawRow[],
  isFree: (index: number) => boolean,
): number | undefined {
  return [...headers.keys()].find((at) => {
    const header = headers[at] ?? ''
    const name = normalizeHeader(header)
    const cells = isFree(at) ? filledCells(sample, at) : []
    if (cells.length > 0 && cells.every(isDrawnRating)) return true
    const isLike = LIKE_RATING.test(name) || asksForRecommendation(header) || isNps(header)
    if (!isFree(at) || STATISTIC.test(name) || !isLike) return false
    // Value for money.
    if (name === 'value' && headers.filter((other) => ASPECT.test(other)).length > 1) return false
    return sample.some((row) => /\d|★/.test(row.cells[at] ?? '')) && isPlausibleColumn('rating', sample, at)
  })
}

const LEAST_FLAGS = 5
/** Reviewers give whole or half stars. */
const AVERAGE = /^\d[.,](?!0+$|50*$)\d+$/
const NONE = /^0(?:[.,]0+)?$/

/** Whether a column is 1 or 0 in every row, or has the average of a product. */
export function isOfSomethingElse(cells: readonly string[]): boolean {
  const isFlag = cells.length >= LEAST_FLAGS && cells.every((cell) => cell === '1')
  const isNone = cells.length > 0 && cells.every((cell) => NONE.test(cell))
  return isFlag || isNone || cells.some((cell) => AVERAGE.test(cell))
}

/** The note on a column that looks like the rating and is not used. */
export function describeUnused(header: string, headers: readonly string[]): string {
  const start = `"${header}" may be the rating but is not used`
  if (isGermanGrade(header, headers))
    return `${start}, since 1 is the best German school grade: all rows are imported unrated. Convert the grades to stars from 1 to 5 first`
  if (scaleOfHeader(header) === 'other')
    return `${start}, since its scale is neither 5 nor 10: all rows are imported unrated. Convert the column to 1 to 5 first`
  const isScaleUnknown = asksForRecommendation(header) && scaleOfHeader(header) === undefined
  const scale = isScaleUnknown ? ', with --rating-scale 10 if the answers go from 0 to 10' : ''
  return `${start}: all rows are imported unrated (--map rating=${JSON.stringify(header)} uses it${scale})`
}
