import type { TokenBuffer } from './token-buffer.ts'

const SHORTEST = 5
const LONGEST = 24
/** Of a stem before an ending, and of the parts of a compound: "figurine" is no "fig urine". */
const LEAST_STEM = 4
const [LEAST_HEAD, LEAST_TAIL] = [4, 3]
/** Parts of compounds are frequent words: rare ones stand beside each other by chance ("cass ette"). */
const FREQUENT = 8000
const NONE: readonly number[] = []

/** The row of a known word, -1 for none; the most frequent have the lowest. */
type PlaceOf = (word: string) => number

/**
 * Rows of the known words that an unknown token is made of: its singular or plural ("blenders", "earbud"), or the two frequent
 * words of a compound ("powerbank"), the likelier ones where several would do; empty if there are none.
 */
export function englishForm(
  place: PlaceOf,
  { units, starts, ends, accents }: TokenBuffer,
  token: number,
): readonly number[] {
  const [start, end] = [starts[token] ?? 0, ends[token] ?? 0]
  if (end - start < SHORTEST || end - start > LONGEST || accents[token] === 1) return NONE
  const text = String.fromCharCode(...units.subarray(start, end))
  if (!/^[a-z]+$/.test(text)) return NONE
  const form = otherNumber(place, text)
  return form >= 0 ? [form] : compound(place, text)
}

function otherNumber(place: PlaceOf, text: string): number {
  if (!text.endsWith('s')) return place(`${text}s`)
  if (text.endsWith('ss')) return -1
  const singulars = [text.slice(0, -1), text.slice(0, -2), `${text.slice(0, -3)}y`]
  for (const [i, ending] of ['s', 'es', 'ies'].entries()) {
    const singular = singulars[i] ?? ''
    if (!text.endsWith(ending) || singular.length < LEAST_STEM) continue
    const row = place(singular)
    if (row >= 0) return row
  }
  return -1
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
