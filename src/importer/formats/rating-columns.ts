import { normalizeHeader } from '../read/headers.ts'
import type { RawRow } from '../read/table.ts'
import { filledCells, isPlausibleColumn } from './column-content.ts'

const SCALES = [5, 10, 20, 100]
const IN_HEADER =
  /[([](?:.*?\b[01]\s*(?:-|–|—|to|bis|à|a|tot|até)\s*|\D*\/\s*|.*?out of\s*)(\d{1,3})\s*(?:stars?|sterne)?[)\]]/i

/** Counted from the end, because the pattern starts over at every bracket. */
const LONGEST_ASIDE = 200

/** The scale that a header such as `Score (1-10)` names; `other` for an unsupported one. */
export function scaleOfHeader(header: string): number | 'other' | undefined {
  const scale = Number(IN_HEADER.exec(header.slice(-LONGEST_ASIDE))?.[1] ?? Number.NaN)
  if (Number.isNaN(scale)) return undefined
  return SCALES.includes(scale) ? scale : 'other'
}

const GRADE = /^(?:(?:gesamt|schul|durchschnitts|end)note|note|zensur)(?:gesamt|wert)?$/
const GERMAN =
  /datum|kommentar|bewertung|erfahrung|^titel$|^betreff$|verfasser|kundenname|rezension|abgegeben|^arzt|^praxis/

/** Whether a column holds German school grades, of which 1 is the best: "Note" among other German headers. */
export function isGermanGrade(header: string, headers: readonly string[]): boolean {
  return GRADE.test(normalizeHeader(header)) && headers.some((other) => GERMAN.test(normalizeHeader(other)))
}

const BEST =
  /^(?:ratingrange|ratingmax|maxrating|maximumrating|bestrating|ratingscale|ratingbest|scoremax|maxscore|ratingoutof|reviewratingbestrating|ratingsoverallmax)$/

/** The column with the scale of each row's rating. */
export function scaleColumn(headers: readonly string[], sample: readonly RawRow[]): number | undefined {
  const index = headers.findIndex((header) => BEST.test(normalizeHeader(header)))
  const cells = index === -1 ? [] : filledCells(sample, index)
  return cells.length > 0 && cells.every((cell) => /^\d{1,3}$/.test(cell)) ? index : undefined
}

const LIKE_RATING =
  /rating|csat|^value$|^rate|(?:you|to|please)rate|stars?$|score|sterne|bewertung|punkte|^marks?$|grade|note|etoiles|estrellas|puntuacion|calificacion|stelle|punteggio|voto|sterren|cijfer|estrelas|评分|評価|별점/

const STATISTIC = /average|mean|total|count|number|sentiment|durchschnitt|gesamtzahl|moyenne/

/** A column that is probably the rating, for a file in which none was recognized. */
export function likelyRating(
  headers: readonly string[],
  sample: readonly RawRow[],
  isFree: (index: number) => boolean,
): number | undefined {
  return [...headers.keys()].find((at) => {
    const name = normalizeHeader(headers[at] ?? '')
    if (!isFree(at) || STATISTIC.test(name) || !LIKE_RATING.test(name)) return false
    return sample.some((row) => /\d|★/.test(row.cells[at] ?? '')) && isPlausibleColumn('rating', sample, at)
  })
}
