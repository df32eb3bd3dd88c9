import type { TokenBuffer } from './token-buffer.ts'

const SHORTEST = 5
const LONGEST = 24
/** Of a stem before an ending, and of the parts of a compound: "figurine" is no "fig urine". */
export const LEAST_STEM = 4
const [LEAST_HEAD, LEAST_TAIL] = [4, 3]
/** Parts of compounds are frequent words: rare ones stand beside each other by chance ("cass ette"). */
const FREQUENT = 8000
const [A, Z] = [97, 122]
const NONE: readonly number[] = []

/** The row of a known word, -1 for none; the most frequent have the lowest. */
type PlaceOf = (word: string) => number

/** Singulars that a token may have, or its plural, likeliest first; none if it is hardly English. */
export function otherNumbers(tokens: TokenBuffer, token: number): string[] {
  const text = plainText(tokens, token)
  return text === undefined ? [] : numbersOf(text, LEAST_STEM)
}

/** The same of a word, with singulars of at least so many letters. */
export function numbersOf(text: string, least: number): string[] {
  if (text.endsWith('ss')) return []
  if (!text.endsWith('s')) return [`${text}s`]
  const singulars = [text.slice(0, -1)]
  if (text.endsWith('es')) singulars.push(text.slice(0, -2))
  if (text.endsWith('ies')) singulars.push(`${text.slice(0, -3)}y`)
  return singulars.filter((singular) => singular.length >= least)
}

/** The row of the known word that an unknown token is the singular or plural of ("blenders", "earbud"); -1 for none. */
export function otherNumberOf(place: PlaceOf, tokens: TokenBuffer, token: number): number {
  for (const other of otherNumbers(tokens, token)) {
    const row = place(other)
    if (row >= 0) return row
  }
  return -1
}

/** Rows of the two frequent words of a compound ("powerbank"), the likelier ones where several would do; empty if it is none. */
export function partsOf(place: PlaceOf, tokens: TokenBuffer, token: number): readonly number[] {
  const text = plainText(tokens, token)
  return text === undefined ? NONE : compound(place, text)
}

function plainText({ units, starts, ends, accents }: TokenBuffer, token: number): string | undefined {
  const [start, end] = [starts[token] ?? 0, ends[token] ?? 0]
  if (end - start < SHORTEST || end - start > LONGEST || accents[token] === 1) return undefined
  for (let i = start; i < end; i++) if ((units[i] ?? 0) < A || (units[i] ?? 0) > Z) return undefined
  return String.fromCharCode(...units.subarray(start, end))
}

function compound(place: PlaceOf, text: string): readonly number[] {
  let best = NONE
  let rarest = FREQUENT
  for (let at = LEAST_HEAD; at <= text.length - LEAST_TAIL; at++) {
    const head = place(text.slice(0, at))
    if (head < 0 || head >= rarest) continue
    const tail = place(text.slice(at))
    if (tail < 0 || tail >= rarest) continue
    rarest = Math.max(head, tail)
    best = [head, tail]
  }
  return best
}
